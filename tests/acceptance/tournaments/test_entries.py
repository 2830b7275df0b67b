"""Who has a place, who waits for one, and who is told what of it."""

from __future__ import annotations

from itertools import chain

from bot.support.time_units import DAY
from bot.tournaments.formats.format import marks_text
from bot.tournaments.pairing.record import Mark
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, said


async def test_a_full_tournament_says_who_waits(here: World) -> None:
    """The announcement says that places are limited and counts rounds for those who have one; who comes later is told
    their number on the list; after the start they are not among the players."""
    club = Club(here, 5)
    await club.create("swiss", max_players=3)
    assert "At most 3 players can play; anyone who joins later waits for a place." in club.announcement.content
    await club.join(*club.players[:4])
    told = said(await club.players[4].click(club.announcement, label="Join"))
    assert "**Autumn** is full. You are number 2 on the waiting list." == told
    assert "with 3 players it is 2." in club.announcement.content
    assert f"<@{club.players[3].id}> (waiting), <@{club.players[4].id}> (waiting)." in club.announcement.content

    await club.direct("start")
    await club.quiet()
    text = club.announcement.content
    assert "**3 entered**" in text
    assert "(waiting)" not in text
    idle = f"<@{club.players[3].id}>, <@{club.players[4].id}>"
    assert f"Waiting, as all places are taken: {idle}." in text
    asked = await club.players[3].slash(here.channel, "tournament bye", round=2)
    assert "**Autumn**: You are not playing in this tournament." == said(asked)


async def test_who_has_left_stays_in_the_list(here: World) -> None:
    """From the start on the announcement counts all who play, and says who has left; whom a director has withdrawn is
    not told that they have left."""
    club = Club(here, 3)
    await club.started("round robin")
    await club.withdraw(club.players[2])
    await club.quiet()
    assert "**3 entered**" in club.announcement.content
    assert f"<@{club.players[2].id}> (left)" in club.announcement.content
    told = said(await club.players[2].slash(here.channel, "tournament leave", tournament="Autumn"))
    assert "A director has withdrawn you" in told


async def test_a_cancelled_tournament_has_nobody_waiting(here: World) -> None:
    """Those who had entered are listed as they were."""
    club = Club(here, 3)
    await club.create("swiss")
    await club.join(*club.players)
    await club.tap("Cancel the tournament")
    await club.quiet()
    assert "**3 entered**" in club.announcement.content
    assert "waiting" not in club.announcement.content


async def test_settings_that_contradict_each_other(here: World) -> None:
    """More players needed than can play, and late entries beyond the last round, are refused with the reason."""
    club = Club(here, 2)
    await club.create("swiss", rounds=2)
    told = await club.set("Settings", late_join_until="5")
    assert "Late entries end with the last round, 2, at the latest" in told
    await club.set("Who may enter", min_players="4")
    assert "At most 2 can play, but 4 are needed to begin." in await club.set("Settings", max_players="2")


async def test_where_all_meet_all_the_direct_encounter_decides_first(here: World) -> None:
    """A round robin's own tie-breaks do without Buchholz, a Swiss's begin with it."""
    club = Club(here, 2)
    await club.create("round robin")
    assert ["PTS", "DE", "WIN", "SB"] == [str(each) for each in (await club.load()).settings.tie_breaks]
    await club.create("swiss", name="Other")
    other = await here.bot.services.tournaments.load(2)
    assert ["PTS", "BH-C1", "BH", "SB", "WIN", "DE"] == [str(each) for each in other.settings.tie_breaks]


async def test_a_director_lets_a_late_comer_in(here: World) -> None:
    """The refusal says whom to ask; the director opens the entries while round 1 is played, and then they join for
    round 2. Nothing else of the settings is offered any more, and no round that is paired."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    refused = said(await here.alice.slash(here.channel, "tournament join"))
    assert "**Autumn**: Entries are closed. Ask a director to let you in: *Manage*, *Late entries*." == refused
    assert "Join" not in labels(club.announcement)
    panel = await club.manage()
    assert "Settings" not in panel.options
    form = await panel.choose("Late entries")
    assert "Round 1 is paired already. Write 2 or a later round" in (await form.send(late_join_until="1")).text
    assert "at the latest" in await club.set("Late entries", late_join_until="4")
    assert "Saved." in await club.set("Late entries")
    await club.quiet()
    assert "Late entries are taken until round 2 is paired." in club.announcement.content
    await here.alice.click(club.announcement, label="Join")
    assert 2 == (await club.load()).state.by_person[here.alice.id].joined
    assert "Saved." in await club.set("Late entries", late_join_until="")
    assert "Entries are closed." in said(await here.bob.slash(here.channel, "tournament join"))
    await club.play()
    await club.direct("pair")
    paired = (await club.load()).state.paired[2]
    assert 5 in {paired.bye, *chain(*paired.games)}


async def test_nobody_comes_late_where_all_is_drawn(here: World) -> None:
    """In a round robin the refusal says what can be done instead, and no entries are offered."""
    club = Club(here, 2)
    await club.started("round robin")
    refused = said(await here.alice.slash(here.channel, "tournament join"))
    assert "**Autumn**: Entries are closed. A director can let you play on for somebody who stops." == refused
    assert "Late entries" not in (await club.manage()).options


async def test_who_has_missed_the_check_in_joins_late(here: World) -> None:
    """The announcement says so and has the button; who has not entered before does not come in by it, and after round 2
    is paired nobody does."""
    club = Club(here, 4)
    await club.create("swiss", rounds=3)
    await club.join(*club.players)
    await club.set("Start and check-in", start="in 1 day", check_in="30")
    await here.env.advance_time(DAY // 1000 - 20 * 60)
    await club.quiet()
    for person in club.players[:2]:
        await person.click(club.announcement, label="Check in")
    await here.env.advance_time(20 * 60)
    await club.quiet()
    late, other = club.players[2:]
    told = (
        f"Did not check in: {late.mention}, {other.mention}. They can still join with *Join*, until round 2 is paired."
    )
    assert told in club.announcement.content
    assert "Autumn**: a Swiss of 3 rounds (FIDE Dutch pairing), 2 players. It is running.\n2 players are waiting." in (
        (await club.manage()).text
    )
    assert "Entries are closed" in said(await here.alice.click(club.announcement, label="Join"))
    await late.click(club.announcement, label="Join")
    assert 2 == (await club.load()).state.by_person[late.id].joined
    await club.play()
    await club.direct("pair")
    await club.quiet()
    assert "Join" not in labels(club.announcement)
    assert f"Not playing, as they did not check in: {other.mention}." in club.announcement.content
    assert "Entries are closed" in said(await other.slash(here.channel, "tournament join"))


def test_forfeits_are_words() -> None:
    """A game that was not played says so; one that was is its figures; one that has no result is nothing."""
    assert "1 - 0 (forfeit)" == marks_text(Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS)
    assert "0 - 0 (neither came)" == marks_text(Mark.FORFEIT_LOSS, Mark.FORFEIT_LOSS)
    assert "½ - ½" == marks_text(Mark.DRAW, Mark.DRAW)
    assert "" == marks_text(Mark.PENDING, Mark.PENDING)
