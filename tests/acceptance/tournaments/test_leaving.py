"""Who leaves a tournament: asked first where it costs games, withdrawn when forgotten, replaced as a director."""

from __future__ import annotations

import discord
import pytest

from bot.tournaments.pairing.record import Mark
from tests.support.discord.director_panel import Panel
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, said, words_of


async def test_leaving_a_match_asks_first(here: World) -> None:
    """Whoever would lose their match at once is asked, and nothing has happened until they say yes."""
    club = Club(here, 2)
    await club.started("single elimination")
    one = club.players[0]
    asked = await one.click(club.announcement, label="Leave")
    assert asked.response is not None
    other = club.players[1].mention
    lost = f"The match against {other} is lost: {other} goes through."
    assert f"Leave **Autumn**? {lost} In an elimination, players who have left cannot come back." == said(asked)
    assert "Nothing has changed." == said(await one.click(asked.response, label="Stay"))
    assert not (await club.load()).state.by_person[one.id].is_gone
    asked = await one.click(club.announcement, label="Leave")
    assert asked.response is not None
    assert "You have left **Autumn**." == said(await one.click(asked.response, label="Leave"))
    assert (await club.load()).state.by_person[one.id].is_gone


async def test_leaving_counts_the_games_that_are_lost(here: World) -> None:
    """Where all games are played at once, the question says how many of them are lost. A result is not entered
    without saying of which game."""
    club = Club(here, 3)
    await club.create("round robin", max_players=3, all_rounds_at_once=True)
    await club.join(*club.players)
    await club.direct("start")
    await club.quiet()
    asked = await club.players[0].click(club.announcement, label="Leave")
    assert "Leave **Autumn**? 2 games in progress are lost." == said(asked)
    told = await club.direct("result", player=club.players[0], result="won")
    assert "**Autumn**: All games are played at once: choose the game with *Enter a result*." == told


async def test_what_a_withdrawal_from_a_double_elimination_means(here: World) -> None:
    """The director is told that the match on the losers' side is lost too, or, between two matches, that whoever
    comes next goes through."""
    club = Club(here, 4)
    await club.started("double elimination")
    one = club.players[0]
    asked = await (await (await club.manage()).choose("Withdraw")).choose_values(one.id)
    assert "goes through. So is the match that would follow this loss." in asked.text
    await club.play(2)
    asked = await (await (await club.manage()).choose("Withdraw")).choose_values(one.id)
    assert "The next match is lost: whoever would have been the opponent goes through." in asked.text
    left = await one.click(club.announcement, label="Leave")
    assert "The next match is lost" in said(left)


async def test_whoever_is_withdrawn_is_told(here: World) -> None:
    """Before the start the question says that they cannot come back by themselves, a post tells them, and that it is
    undone where it is."""
    club = Club(here, 3)
    await club.create("swiss")
    await club.join(*club.players)
    one = club.players[0]
    asked = await (await (await club.manage()).choose("Withdraw")).choose_values(one.id)
    assert f"Withdraw {one.mention} from **Autumn**? {one.mention} can come back only if you undo that." in asked.text
    await asked.press("Confirm")
    await club.quiet()
    told = club.post(f"{one.mention}: a director has withdrawn you from **Autumn**.")
    assert [one.id] == [user.id for user in told.mentions]
    await club.undo()
    await club.quiet()
    assert club.post(f"{one.mention}: your withdrawal from **Autumn** is undone.").id == told.id


async def test_results_after_the_end_are_refused_at_once(here: World) -> None:
    """An old *Enter a result* lists no games of a tournament that is over."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    panel = await club.manage()
    await club.play()
    await club.finish()
    told = (await panel.press("Enter a result")).text
    assert "**Autumn**: The tournament is over. Undo its end first: `/tournament manage`." == told


async def test_leaving_a_swiss_says_what_is_left_to_do(here: World) -> None:
    """A press of Leave is answered like the command, with the game that is still to be finished."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    told = said(await club.players[0].click(club.announcement, label="Leave"))
    assert "You have left **Autumn**. Please finish the game you are playing." == told


async def test_whoever_is_forgotten_is_paired_no_more(here: World) -> None:
    """In the middle of a Swiss they leave it as by *Leave*: of the four others nobody has a bye or a walkover."""
    club = Club(here, 5)
    await club.started("swiss", rounds=3)
    await club.play()
    gone = club.players[4]
    asked = await gone.slash(here.channel, "me forget")
    assert "leaves tournaments and leagues" in said(asked)
    assert asked.response is not None
    await gone.click(asked.response, label="Forget me")
    await club.quiet()
    for number in (2, 3):
        await club.direct("pair")
        await club.quiet()
        games = (await club.load()).state.paired[number].games
        assert {1, 2, 3, 4} == {seat for game in games for seat in game}
        assert "bye" not in words_of(club.post(f"**Autumn, round {number}**"))
        await club.play()
    marks = {mark for pair in (await club.load()).state.results.values() for mark in pair}
    assert not marks & {Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN}
    assert "Player 5 (name deleted)" == (await club.load()).call(5)


async def test_a_manager_of_the_server_takes_over(here: World) -> None:
    """A tournament whose only director was forgotten can be directed by whoever manages the server, and by nobody
    else."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    role = here.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[role])
    offered = said(await manager.click(club.announcement, label="Manage"))
    assert f"**Autumn** is directed by <@{club.director.id}>. Because you manage this server" in offered
    assert "Only a director" in said(await here.alice.click(club.announcement, label="Manage"))

    asked = await club.director.slash(here.channel, "me forget")
    assert asked.response is not None
    await club.director.click(asked.response, label="Forget me")
    await club.quiet()
    offer = await manager.click(club.announcement, label="Manage")
    assert "**Autumn** no longer has a director." in said(offer)
    assert offer.response is not None
    assert ["Direct it too"] == labels(offer.response)
    assert "You now direct **Autumn**, too." == said(await manager.click(offer.response, label="Direct it too"))
    await club.quiet()
    assert f"Directed by <@{manager.id}>" in club.announcement.content
    assert (await club.load()).is_director(manager.id)


async def test_who_sits_out_is_named(here: World) -> None:
    """A round's post tells who has asked for a bye, with what it counts, and in a round robin who has left."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    one = club.players[0]
    await one.slash(here.channel, "tournament bye", round=2, worth="half a point")
    await club.play()
    await club.direct("pair")
    await club.quiet()
    assert f"<@{one.id}> sits out (½ point)." in words_of(club.post("**Autumn, round 2**"))


async def test_finishing_is_refused_before_it_is_asked(here: World) -> None:
    """While games have no result there is no question; with rounds left it says that they are not played."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    panel = await Panel.opened(club.director, here.channel)
    refused = (await panel.choose("Finish the tournament")).text
    games = " - ".join(each.mention for each in club.players)
    other = " - ".join(each.mention for each in club.players[::-1])
    told = "**Autumn**: These games have no result: {}. Wait for them, or press *Enter a result*."
    assert refused in (told.format(games), told.format(other))
    await club.play()
    panel = await Panel.opened(club.director, here.channel)
    assert "Finish **Autumn**? Its standings will be final." in (await panel.choose("Finish the tournament")).text


async def test_finishing_early_says_after_which_round(here: World) -> None:
    """With rounds left, refused or asked, it says how many of them are paired."""
    club = Club(here, 2)
    await club.started("round robin", double=True)
    assert "Rounds paired: 1 of 2." in await club.tap("Finish the tournament")
    await club.play()
    asked = (await (await club.manage()).choose("Finish the tournament")).text
    assert "Finish **Autumn** early, after round 1 of 2? No more rounds will be played" in asked


async def test_a_director_steps_down_or_is_removed(here: World) -> None:
    """Whoever directs it can take another or themselves out, but not the last one; the history tells who came and
    went, and whoever has stepped down sees no panel any more."""
    club = Club(here, 2)
    await club.create("swiss")
    assert "Remove a director" not in (await club.manage()).options
    await club.tap("Add a director", here.alice)
    panel = await (await club.manage()).choose("Remove a director")
    assert {"director", "alice"} == set(panel.options)
    asked = await panel.choose("alice")
    assert f"Remove {here.alice.mention} from the directors of **Autumn**?" in asked.text
    assert f"{here.alice.mention} no longer directs **Autumn**." in (await asked.press("Confirm")).text
    assert f"Directed by {club.director.mention}." in club.announcement.content

    await club.tap("Add a director", here.alice)
    asked = await (await (await club.manage()).choose("Remove a director")).choose("director")
    assert "Stop directing **Autumn**? Only another director can add you again." in asked.text
    stale = await (await (await Panel.opened(here.alice, here.channel)).choose("Remove a director")).choose("alice")
    gone = await asked.press("Confirm")
    assert [] == gone.labels
    assert f"Directed by {here.alice.mention}." in club.announcement.content
    await stale.press("Confirm")
    assert "There has to be a director." in (await stale.press("Confirm")).text
    history = said(await here.alice.slash(here.channel, "tournament history"))
    for line in (f"{club.director.mention} added {here.alice.mention} as a director", "stopped directing"):
        assert line in history


async def test_who_has_left_the_server_is_named_before_pairing(here: World) -> None:
    """Whoever pairs the next round is asked first where a player is not on the server any more; else at once."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    await club.play()
    gone = club.players[3]
    here.env.backend.remove_member(here.guild.id, gone.id)
    asked = await club.director.slash(here.channel, "tournament pair")
    told = f"Not on this server any more: {gone.mention}. *Withdraw a player* takes them out before you pair."
    assert f"{told}\nPair round 2 of **Autumn**?" == said(asked)
    pressed = await club.director.click(club.announcement, label="Pair next round")
    assert told in said(pressed)
    assert asked.response is not None
    await club.director.click(asked.response, label="Confirm")
    assert 2 == (await club.load()).state.rounds_paired


async def test_what_a_bye_cannot_be_is_said_of_its_round(here: World) -> None:
    """A round that there is not, one sat out already, a second one, the last one: each with its own reason, and with
    what to choose as the reader's list calls it."""
    club = Club(here, 5)
    await club.started("swiss", rounds=4)
    one = club.players[0]

    async def asked(**options: object) -> str:
        return said(await one.slash(here.channel, "tournament bye", **options))

    assert "**Autumn**: There is no round 9; the last one is round 4." == await asked(round=9)
    assert "You cannot sit out the last round for half a point" in await asked(round=4)
    assert "You will sit out round 2" in await asked(round=2)
    assert "**Autumn**: You are already sitting out round 2." == await asked(round=2)
    refused = await asked(round=3)
    assert (
        "You can sit out one round for half a point, and that is round 2. Let this one count as **nothing**" in refused
    )
    await one.slash(here.channel, "me settings", language="es")
    assert "Elige **nada** en" in await asked(round=4)
    await one.slash(here.channel, "me settings", language="en")
    await club.tap("Cancel the tournament")
    assert "**Autumn**: The tournament is cancelled." == await asked(round=3)


async def test_late_entries_are_announced_while_they_are_taken(here: World) -> None:
    """Once the round is paired until which one may enter, the announcement says nothing of it any more."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3, late_join_until=2)
    line = "Late entries are taken until round 2 is paired."
    assert line in club.announcement.content
    await club.play()
    await club.direct("pair")
    await club.quiet()
    assert line not in club.announcement.content


@pytest.mark.parametrize("how", ["Leave", "leave", "forget"])
async def test_who_waits_leaves_where_all_games_are_played_at_once(here: World, how: str) -> None:
    """Who got no place can leave by the button and by the command, and be forgotten; the games go on."""
    club = Club(here, 3)
    await club.create("round robin", max_players=2, all_rounds_at_once=True)
    await club.join(*club.players)
    await club.direct("start")
    await club.quiet()
    waiting = club.players[2]
    if how == "forget":
        asked = await waiting.slash(here.channel, "me forget")
        assert asked.response is not None
        await waiting.click(asked.response, label="Forget me")
    elif how == "leave":
        assert "You have left **Autumn**." == said(await waiting.slash(here.channel, "tournament leave"))
    else:
        assert "You have left **Autumn**." == said(await waiting.click(club.announcement, label="Leave"))
    await club.quiet()
    assert ((), 1) == ((await club.load()).state.waiting, len((await club.load()).open_games))
