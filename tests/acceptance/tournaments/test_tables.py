"""Events of tables as people hold them: eleven at Chinese checkers, over all rounds to the podium."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.tournaments.pairing.tables import POINTS
from data.queries.tournaments import TournamentGame
from tests.support.discord.director_panel import Panel
from tests.support.discord.parts import part
from tests.support.discord.tournament_club import Club, give_up
from tests.support.discord.world import World, labels, said, words_of
from tests.support.tournaments import formats


class Tables(Club):
    """A club that plays Chinese checkers at tables."""

    async def begin(self, **more: object) -> None:
        await self.create("tables", **{"variant": "chinese-checkers", "rounds": 4, **more})
        await self.join(*self.players)
        await self.direct("start")

    async def running(self) -> list[TournamentGame]:
        return [link for link in (await self.load()).games if link.status == "running"]

    async def decide(self, link: TournamentGame, *absent: int) -> None:
        """All but those of the seats ``absent`` move once; then they resign, the highest number first."""
        games = self.here.bot.services.games
        tournament = await self.load()
        game = await games.game(link.game_id)
        thread = next(each for each in self.here.channel.threads if each.id == game.channel_id)
        while len(game.turns) + len(game.left) < len(game.players):
            mover = next(person for person in self.players if person.id == game.to_move)
            if game.state.seat in absent:
                # The time for a first move runs out.
                await self.here.env.advance_time(49 * 3600)
            else:
                await self.here.mention(mover, game.rules.turns(game.state)[0].text, thread)
            game = await games.game(link.game_id)
        there = [person for seat, person in enumerate(game.players) if person is not None and seat not in absent]
        for person in sorted(there, key=lambda one: -tournament.state.by_person[one].number)[: len(there) - 1]:
            await give_up(self, link.game_id, person)
        await self.quiet()


def names_of(club: Club, numbers: Iterable[int]) -> list[str]:
    """What players are called who have entered in the order of their names."""
    return [f"player{number}" for number in numbers]


async def test_eleven_at_tables(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of four, four and three; points by place; a no-show, a correction while the next round is played, why this
    table, ratings of tables, the podium."""
    club = Tables(here, 11)
    await club.begin()
    tournament = await club.load()
    assert [3, 4, 4] == sorted(len(table) for table in tournament.state.seated[1].tables)
    assert "Players who leave a game come behind those who stay, the first to leav" in club.announcement.content
    threads = {(await here.bot.services.games.game(link.game_id)).channel_id for link in tournament.games}
    assert 3 == len(threads - {None, here.channel.id})
    assert ["Why this table?"] == labels(club.post("**Autumn, round 1**"))
    assert "is not over: 3 games" in await club.direct("pair")

    # The first round; at one table somebody never comes.
    first, second, third = await club.running()
    for link in (first, second):
        await club.decide(link)
    await club.decide(third, 1)
    thread = (await here.bot.services.games.game(first.game_id)).channel_id
    ended = next(each for each in here.channel.threads if each.id == thread).history()[-1].content
    assert [f"{place}\\. <@" in ended for place in (1, 2, 3)] == [True] * 3
    tournament = await club.load()
    (absent,) = [each.number for each in tournament.state.no_shows]
    assert 0 in tournament.state.table_results[1, tournament.state.seated[1].tables[2]]
    scores = tournament.state.tables.scores(tournament.state.by_number)
    assert 0 == scores[absent]
    assert 5 == scores[1]
    text = club.post("**Autumn, round 1**").content
    assert "made no move" in text
    assert "The round is over" in text

    # The second round, and in its middle a correction of the first one: seen first, then made, and seated again.
    assert "round 2 is paired" in await club.direct("pair")
    tournament = await club.load()
    before = tournament.state.seated[2].tables
    reply = said(await club.players[0].click(club.post("**Autumn, round 2**"), label="Why this table?"))
    assert "Players with similar points sit together" in reply
    assert "seat" in reply
    table = next(each for each in tournament.state.seated[1].tables[:2] if len(each) == 4)
    panel = Panel(club.director, await club.director.click(club.announcement, label="Enter a result"))
    listed = [label for label in panel.options if label.startswith("Round 1: ")]
    [which] = [
        label for label in listed if set(names_of(club, table)) == set(label.removeprefix("Round 1: ").split(" - "))
    ]
    await panel.choose(which)
    best, two, three, _last = names_of(club, sorted(table, reverse=True))
    await panel.choose(best)
    await panel.choose(two, three)
    assert "This corrects a result" in panel.text
    assert "of round 2: keep or pair again?" in panel.text
    await panel.press("Seat again")
    tournament = await club.load()
    assert before != tournament.state.seated[2].tables
    scores = tournament.state.tables.scores(tournament.state.by_number)
    assert [5, 2.5, 2.5, 1] == [scores[number] for number in sorted(table, reverse=True)]
    playing = {(await here.bot.services.games.game(link.game_id)).players for link in await club.running()}
    seated = {tuple(tournament.state.by_number[n].person for n in each) for each in tournament.state.seated[2].tables}
    assert seated == playing
    for link in await club.running():
        await club.decide(link)

    # A restart while the third round is seated: nothing is done twice.
    monkeypatch.setattr(part(here.bot, TournamentMessages), "wake", lambda number: None)
    monkeypatch.setattr(part(here.bot, Delivery), "wake", lambda number: None)
    await club.direct("pair")
    games = [link.game_id for link in (await club.load()).games]
    await here.restart()
    await here.env.settle()
    await club.quiet()
    assert games == [link.game_id for link in (await club.load()).games]
    for link in await club.running():
        await club.decide(link)

    # Two leave: nine are left for the last round. All sums are right, and the podium is posted.
    for player in club.players[9:]:
        await player.click(club.announcement, label="Leave")
    await club.direct("pair")
    tournament = await club.load()
    assert 9 == sum(map(len, tournament.state.seated[4].tables))
    for link in await club.running():
        await club.decide(link)
    assert "are final" in await club.finish()
    tournament = await club.load()
    for result in (table for tables in tournament.state.tables.rounds for table in tables):
        assert sum(POINTS[: len(result.came)]) == sum(result.points().values())
    best = tournament.call(formats.ranking(tournament.state).lines[0].number)
    assert f"🥇 {best}" in words_of(club.post("**Autumn is over.**"))
    assert "Final standings" in words_of(club.standings)
    assert "correspondence" in said(await club.players[0].slash(here.channel, "me rating"))


@pytest.mark.parametrize(("people", "size"), [(3, 3), (5, 2)])
async def test_one_who_did_not_come_to_a_table(here: World, people: int, size: int) -> None:
    """The director places the others: who is left has the last place, or did not come and gets nothing."""
    club = Tables(here, people)
    await club.begin(rounds=1)
    if people == 5:
        asked = Panel(club.director, await club.director.slash(here.channel, "tournament start"))
        await asked.press(asked.labels[0])
    (table,) = [each for each in (await club.load()).state.seated[1].tables if len(each) == size]
    *others, absent = names_of(club, sorted(table))
    panel = Panel(club.director, await club.director.click(club.announcement, label="Enter a result"))
    listed = [
        label for label in panel.options if set(label.removeprefix("Round 1: ").split(" - ")) == {*others, absent}
    ]
    await panel.choose(*listed)
    for each in others:
        await panel.choose(each)
    assert ["Save it", f"{absent} did not come"] == [label for label in panel.labels if label != "Back"]
    await panel.press(f"{absent} did not come")
    await panel.press("Save it")
    tournament = await club.load()
    scores = tournament.state.tables.scores(tournament.state.by_number)
    assert [5, 3][: size - 1] == [scores[number] for number in sorted(table)[:-1]]
    assert 0 == scores[max(table)]


async def test_tables_that_cannot_be_held(here: World) -> None:
    """Tables are for Chinese checkers, of rounds, with rules that go with every size."""
    club = Club(here, 2)
    options = {"name": "Autumn", "clock": "3d"}

    async def refused(**more: object) -> str:
        return said(await club.director.slash(here.channel, "tournament create tables", **{**options, **more}))

    assert "a game of two" in await refused(variant="pinoy", rounds=3)
    rules = {"variant": "chinese-checkers", "rounds": 3}
    assert "Leave `players` out" in await refused(**rules, rules="players=4")
    await club.create("tables", **rules, table_size=3)
    assert "Tables of 3 where possible" in club.announcement.content
    await club.join(*club.players)
    assert ["Join", "Leave", "Manage"] == labels(club.announcement)
    assert "At least 3 players are needed to start. 2 players have joined." in await club.direct("start")
    assert "press *Enter a result*" in await club.direct("result", player=club.players[0], result="won")


async def test_five_at_tables_are_told_that_one_has_two(here: World) -> None:
    """The announcement says how five are seated, and who begins with five is asked first."""
    club = Tables(here, 5)
    await club.create("tables", variant="chinese-checkers", rounds=2)
    assert "five players sit as three and two" in club.announcement.content
    await club.join(*club.players)
    told = await club.direct("start")
    assert "Begin **Autumn** with 5 players? Note: with 5 players one table has only two." == told


async def test_the_words_of_the_standings_are_explained(here: World) -> None:
    """Under the standings of tables stands what is counted beside the points."""
    club = Tables(here, 3)
    await club.begin(rounds=2)
    await club.quiet()
    told = words_of(club.standings)
    assert "Firsts: first places; Opponents: the average points of those met at tables." in told


async def test_whoever_has_not_moved_is_told_what_leaving_counts_as(here: World) -> None:
    """At a table who resigns before the first move scores nothing, and reads so before."""
    club = Club(here, 3)
    await club.started("tables", rounds=1, variant="chinese-checkers")
    (link,) = (await club.load()).games
    game = await here.bot.services.games.game(link.game_id)
    thread = next(each for each in here.channel.threads if each.id == game.channel_id)
    first, second = (next(each for each in club.players if each.id == person) for person in game.players[:2])
    told = "You have not moved yet: leaving now counts as not showing up, with no points.\nResign this game?"
    assert said(await second.slash(thread, "game resign")).startswith(told)
    await here.bot.services.games.moves.turn(game.id, first.id, game.rules.turns(game.state)[0].text, "t:1")
    assert said(await first.slash(thread, "game resign")).startswith("Resign this game?")
