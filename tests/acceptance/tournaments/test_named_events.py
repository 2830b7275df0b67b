"""Whoever has several tournaments in a channel reads of each answer which one it is about."""

from __future__ import annotations

from tests.support.discord.game_time import direct, wait
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, said


async def test_refusals_name_the_tournament(here: World) -> None:
    """Too early, too late, or by somebody who may not: the sentence begins with the tournament's name, and says what is
    true of it."""
    club = Club(here, 4)
    await club.started("swiss", rounds=1)
    first = club.players[0]
    stranger = await here.alice.slash(here.channel, "tournament result", player=here.bob, result="won")
    assert "**Autumn**: Only a director of this tournament can do that." == said(stranger)
    assert "**Autumn**: That person is not playing in this tournament." == await club.direct(
        "result", player=here.bob, result="won"
    )
    assert "**Autumn**: All rounds are paired. When their games are over, press *Finish*." == await club.direct("pair")
    why = said(await first.click(club.post("**Autumn, round 1**"), label="Why this opponent?"))
    assert why.startswith("**Autumn, round 1**\n")
    await club.play()
    await club.finish()
    over = await club.direct("result", player=first, result="won")
    assert over.startswith("**Autumn**: The tournament is over. Undo its end first"), over


async def test_what_an_undo_did_is_said(here: World) -> None:
    """What is undone, and the button that goes on."""
    club = Club(here, 4)
    await club.started("swiss", rounds=2)
    await club.play()
    await club.direct("pair")
    event = (await club.load()).last
    seen = await club.undo(event, label="")
    assert f"This undoes event {event} of **Autumn**: <@{club.director.id}> paired round 2" in seen
    done = await club.undo(event)
    assert done.startswith(f"Event {event} of **Autumn** is undone: <@{club.director.id}> paired round 2\n"), done
    assert "To go on, press *Pair next round*." in done


async def test_undoing_a_withdrawal_says_what_stays_lost(here: World) -> None:
    """The match that went with it has to be undone too, by the number that is said, before and after."""
    club = Club(here, 4)
    await club.started("single elimination")
    gone = club.players[3]
    await club.withdraw(gone)
    tournament = await club.load()
    left, lost = tournament.last - 1, tournament.last
    stays = (
        "These results stay; to have the games played, undo these events too: "
        f"Semifinal 1, game 1: <@{club.players[0].id}> - "
    )
    for told in (await club.undo(left, label=""), await club.undo(left)):
        assert stays in told
        assert f"({lost})" in told
    done = await club.undo(lost)
    assert "These results stay" not in done
    assert 2 == len((await club.load()).open_games)


async def test_what_has_happened_meanwhile_is_told(here: World) -> None:
    """Whoever confirms too late reads what the other has done, and what would be done now."""
    club = Club(here, 4)
    await club.started("swiss", rounds=2)
    late = await (await club.manage()).choose("Pair by hand")
    await (await late.press("Write the pairings")).send(pairings="1-4, 2-3", round="1")
    await club.by_hand("1-2, 3-4", 1)
    shown = await late.press("Confirm")
    assert shown.text.startswith(
        "Something else has happened in **Autumn** in the meantime:\n"
        f"{(await club.load()).last}. <@{club.director.id}> paired round 1 by hand"
    ), shown.text
    assert "Nothing is done yet. This is how it stands now:\nThis pairs round 1 of **Autumn**: `1-4, 2-3`" in shown.text


async def test_a_result_by_command_names_its_event(here: World) -> None:
    """Its preview does; a match where there are none, and a round of a knockout, are refused in a sentence."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    asked = {"player": club.players[0], "result": "won"}
    assert (await club.direct("result", **asked)).startswith("**Autumn**\nThis enters a result: Round 1: ")
    told = await club.direct("result", **asked, match="Final")
    assert "**Autumn**: This tournament has no matches. Leave `match` out." == told
    await club.create("single elimination", name="Cup")
    told = await club.direct("result", **asked, round=1)
    assert "**Cup**: A knockout has no rounds here. Choose the match with `match`." == told


async def test_reminders_name_the_event(here: World) -> None:
    """Whoever plays in two events knows from the direct message which game is waiting."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1, clock="3d")
    await wait(here, 25)
    told = [message.content for person in club.players for message in direct(person)]
    assert told
    assert all("**Autumn** · **Pinoy Dama (Filipino draughts)**, with <@" in text for text in told), told
