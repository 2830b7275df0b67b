"""Events of tables over a store: games of every size, places, corrections, and ratings that follow them."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.model.errors import Refused
from bot.ratings.pools import RatingPool
from bot.tournaments.analysis.why_tables import why_this_table
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import OpenGame
from bot.tournaments.formats.tables import seated_afresh
from bot.tournaments.model.events import Kind, TableScored, TournamentSettings
from bot.tournaments.pairing.tables import POINTS, TableHistory, TableResult
from bot.tournaments.persistence.game_links import link_of, open_game_of
from bot.tournaments.use_cases import export
from bot.tournaments.use_cases.results import Preview
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments import formats
from tests.support.tournaments.director import Directed
from tests.support.tournaments.event import DIRECTOR, Event


class TablesEvent(Event):
    """An event of tables of Chinese checkers."""

    async def begin(self, people: range, count: int = 2, size: int = 4) -> None:
        plan = TournamentSettings(Kind.TABLES, rounds=count, table_size=size)
        await self.open(plan, people, variant="chinese-checkers")
        await self.start()

    async def leave_in_order(self, game_id: int, people: Sequence[int], *, moved: bool = True) -> None:
        """All move once, then ``people`` resign in this order."""
        game = await self.games.game(game_id)
        for _ in game.players if moved else ():
            game = await self.games.game(game_id)
            assert game.to_move is not None
            await self.games.moves.turn(game_id, game.to_move, game.rules.turns(game.state)[0].text, self.source())
        for person in people:
            await self.games.moves.resign(game_id, person, self.source())


@pytest.fixture
async def event(tmp_path: Path) -> AsyncIterator[TablesEvent]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield TablesEvent(store)
    await store.close()


async def seen(event: TablesEvent, groups: Sequence[Sequence[int]]) -> Preview:
    """What places at a table of the first round would change: persons from the first place on, together those who
    share one; who is not named did not come."""
    state = (await event.load()).state
    numbers = [[state.by_person[person].number for person in group] for group in groups]
    tables = state.seated[1].tables
    table = next(at for at, each in enumerate(tables) if numbers[0][0] in each)
    places: dict[int, int] = {}
    for group in numbers:
        places |= dict.fromkeys(group, len(places) + 1)
    by_seat = [places.get(number, 0) for number in tables[table]]
    return await event.tournaments.results.preview_table(event.id, DIRECTOR, 1, table, by_seat)


async def test_places_of_a_table_come_from_its_game(event: TablesEvent) -> None:
    """Who leaves last is next to who stays; the game is for places, and everybody's rating of tables changes."""
    await event.begin(range(11, 15))
    (link,) = (await event.load()).games
    game = await event.games.game(link.game_id)
    assert [4, True] == [len(game.players), game.options["places"]]
    await event.leave_in_order(link.game_id, [13, 11, 14])
    tournament = await event.load()
    (places,) = tournament.state.table_results.values()
    numbers = open_game_of(link).seats
    by_person = {tournament.state.by_number[n].person: p for n, p in zip(numbers, places, strict=True)}
    assert {12: 1, 14: 2, 11: 3, 13: 4} == by_person
    rated = await event.ratings.in_pool(RatingPool("chinese-checkers", True, table=True, server=7))
    assert [12, 14, 11, 13] == [each.person for each in rated]


async def test_who_leaves_without_a_move_did_not_come(event: TablesEvent) -> None:
    """No points, no rating, and a mark; the others' places and ratings are as if three had sat there."""
    await event.begin(range(11, 15))
    (link,) = (await event.load()).games
    game = await event.games.game(link.game_id)
    await event.leave_in_order(link.game_id, [14], moved=False)
    for _ in range(3):
        game = await event.games.game(link.game_id)
        assert game.to_move is not None
        await event.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, event.source())
    await event.leave_in_order(link.game_id, [13, 12], moved=False)
    tournament = await event.load()
    points = tournament.state.tables.scores(tournament.state.by_number)
    assert [5, 3, 2, 0] == [points[tournament.state.by_person[person].number] for person in (11, 12, 13, 14)]
    assert [tournament.state.by_person[14].number] == [each.number for each in tournament.state.no_shows]
    rated = await event.ratings.in_pool(RatingPool("chinese-checkers", True, table=True, server=7))
    assert [11, 12, 13] == [row.person for row in rated]
    values = [row.value for row in rated]

    # Another place by the director's hand is followed; so is the word that somebody was not there after all.
    for groups, expected in (([[13], [12], [11]], [13, 12, 11]), ([[11], [12], [13]], [11, 12, 13])):
        preview = await seen(event, groups)
        await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
        rated = await event.ratings.in_pool(RatingPool("chinese-checkers", True, table=True, server=7))
        assert expected == [row.person for row in rated]
    assert [round(value, 6) for value in values] == [round(row.value, 6) for row in rated]
    preview = await seen(event, [[11], [12]])
    await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
    assert [] == [
        row
        for row in await event.ratings.in_pool(RatingPool("chinese-checkers", True, table=True, server=7))
        if row.games
    ]


async def test_ratings_follow_a_corrected_table(event: TablesEvent, tmp_path: Path) -> None:
    """Places that are corrected give the ratings of a table that had ended so."""
    await event.begin(range(11, 15))
    await event.leave_in_order((await event.load()).games[0].game_id, [11, 12, 13])
    preview = await seen(event, [[11], [12], [13], [14]])
    assert preview.corrects
    await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
    store = Store(url_of(tmp_path / "other.sqlite3"), patience_ms=50)
    await store.open()
    right = TablesEvent(store)
    await right.begin(range(11, 15))
    await right.leave_in_order((await right.load()).games[0].game_id, [14, 13, 12])

    async def ratings(of: TablesEvent) -> dict[int, Any]:
        rows = await of.ratings.in_pool(RatingPool("chinese-checkers", True, table=True, server=7))
        return {row.person: (round(row.value, 6), round(row.deviation, 6), row.games) for row in rows}

    assert await ratings(right) == await ratings(event)
    assert 4 == len(await ratings(event))
    await store.close()


async def test_a_correction_seats_again(event: TablesEvent) -> None:
    """Tables of the next round that change are called off and made anew; those that stay go on."""
    await event.begin(range(11, 23), 3)
    for link in (await event.load()).games:
        players = (await event.games.game(link.game_id)).players
        await event.leave_in_order(link.game_id, sorted(person for person in players if person is not None)[:3])
    await event.pair()
    before = await event.load()
    table = before.state.seated[1].tables[0]
    people = [before.state.by_number[number].person for number in sorted(table)]
    preview = await seen(event, [[one] for one in people])
    assert "round 2: keep or pair again?" in preview.change.question
    tournament = await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=True)
    wanted = {OpenGame(2, each, by_places=True) for each in tournament.state.seated[2].tables}
    running = {open_game_of(g) for g in tournament.games if g.status == "running"}
    assert wanted == running
    kept = set(before.state.seated[2].tables) & set(tournament.state.seated[2].tables)
    aborted = [game for game in tournament.games if game.status == "aborted"]
    assert 3 - len(kept) == len(aborted) > 0


async def test_places_by_hand_are_checked(event: TablesEvent) -> None:
    """At a table of a round that is seated, by a director."""
    await event.begin(range(11, 18))
    with pytest.raises(Refused, match="Only a director"):
        await event.tournaments.results.preview_table(event.id, 12, 1, 0, [1, 2, 3, 4])
    with pytest.raises(Refused, match="no such table"):
        await event.tournaments.results.preview_table(event.id, DIRECTOR, 1, 9, [1, 2, 3])
    with pytest.raises(Refused, match="Enter a result"):
        await event.tournaments.results.preview(event.id, DIRECTOR, 11, "won", None, None)


@pytest.mark.parametrize(
    ("plan", "variant", "said"),
    [
        (TournamentSettings(Kind.TABLES, rounds=3), "pinoy", "game of two"),
        (TournamentSettings(Kind.TABLES, rounds=31), "chinese-checkers", "up to 30 rounds"),
        (TournamentSettings(Kind.TABLES, rounds=3, table_size=5), "chinese-checkers", "three, four or six"),
        (TournamentSettings(Kind.TABLES, rounds=3, minutes=60), "chinese-checkers", "Only an arena has a length"),
        (TournamentSettings(Kind.SWISS, rounds=3, minutes=60), "pinoy", "Only an arena has a length"),
        (
            TournamentSettings(Kind.ARENA, minutes=60, rounds=3),
            "pinoy",
            "Only a Swiss and tables have a number of rounds and late entries",
        ),
    ],
)
async def test_plans_that_cannot_be_held(event: TablesEvent, plan: TournamentSettings, variant: str, said: str) -> None:
    """What a kind does not have is refused when the tournament is made."""
    with pytest.raises(Refused, match=said):
        await event.open(plan, range(11, 11), variant=variant)


# Without a store


def test_the_seats_of_a_table_are_read_from_its_game() -> None:
    """Two signs a seat, for more players than can enter, within what the store keeps."""
    table = (1, 36, 255, 300, 7, 1295)
    game = OpenGame(3, table, by_places=True)
    link = link_of(game, 1, 1)
    assert (game, "0110738c07zz") == (open_game_of(link), link.match)
    assert 16 >= len(link.match)
    assert (4, 5) == open_game_of(link_of(OpenGame(1, (4, 5)), 1, 1)).seats


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(6, 17), st.sampled_from((3, 4, 6)), st.integers(1, 5))
def test_corrections_replayed_are_right_from_the_start(seed: int, count: int, size: int, number: int) -> None:
    """Wrong places that are corrected later leave the standings of an event that had been right from the start; every
    table gives the points of its places, whoever came."""
    lots = random.Random(seed)
    wrong = Directed(TournamentSettings(Kind.TABLES, number, table_size=size), count)
    right = Directed(TournamentSettings(Kind.TABLES, number, table_size=size), count)
    late = []
    for _ in range(number):
        seated = formats.next_tables(right.state)
        right(seated)
        wrong(seated)
        for table in seated.tables:
            places = tuple(lots.randint(0, len(table)) for _ in table)
            right(TableScored(seated.round, table, places))
            mistaken = tuple(lots.sample(range(1, len(table) + 1), len(table)))
            wrong(TableScored(seated.round, table, mistaken if lots.random() < 0.5 else places))
            late.append(TableScored(seated.round, table, places))
    lots.shuffle(late)
    wrong(*late)
    assert formats.ranking(right.state) == formats.ranking(wrong.state)
    assert right.state.table_results == wrong.state.table_results
    for result in (each for tables in right.state.tables.rounds for each in tables):
        assert sum(POINTS[: len(result.came)]) == sum(result.points().values())


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(8, 24), st.sampled_from((3, 4)))
def test_repeats_and_seats_are_balanced(seed: int, count: int, size: int) -> None:
    """Over five rounds hardly anybody sits with the same person oftener than must be, nobody moves early all the time,
    and seating again from the same results changes nothing."""
    cup = Directed(TournamentSettings(Kind.TABLES, 5, table_size=size), count).play_tables(5, random.Random(seed))
    history = cup.state.tables
    meetings = history.meetings()
    pairs = list(combinations(range(1, count + 1), 2))
    fair = -(-sum(meetings.values()) // len(pairs))
    # Who wins all along meets who wins all along: of a hundred such events some three have such a pair.
    assert fair + 3 >= max(meetings.values())
    assert max(3, count / 3) >= sum(times > fair + 1 for times in meetings.values())
    for number in range(1, count + 1):
        lead = sum((Fraction(of - 1 - 2 * seat, of - 1) for seat, of in history.seats(number)), Fraction(0))
        assert -2 <= lead <= 2
    for number in range(2, 6):
        assert cup.state.seated[number].tables == seated_afresh(cup.state, number).tables


def test_who_did_not_come_is_out_of_the_reckoning() -> None:
    """Neither met nor seated, and no points; a table at which nobody came gives none."""
    history = TableHistory(((TableResult((1, 2, 3, 4), (1, 0, 1, 3)), TableResult((5, 6, 7), (0, 0, 0))),))
    assert [4, 0, 4, 2, 0] == [history.scores(range(1, 8))[number] for number in (1, 2, 3, 4, 5)]
    assert {frozenset((1, 3)), frozenset((1, 4)), frozenset((3, 4))} == set(history.meetings())
    assert [] == history.seats(2)


def test_why_this_table() -> None:
    """The sizes, the points, who has met, and the seat."""
    cup = Directed(TournamentSettings(Kind.TABLES, 3), 7).play_tables(1, random.Random(1))
    first = " ".join(why_this_table(cup.state, 1, 1))
    assert "7 players sit at tables of 4, 3" in first
    assert "dealt to the tables" in first
    second = " ".join(why_this_table(cup.play_tables(1, random.Random(2)).state, 2, 1))
    assert "Players with similar points sit together" in second
    assert "so far: " in second
    with pytest.raises(TournamentError, match="not seated yet"):
        why_this_table(cup.state, 3, 1)
    with pytest.raises(TournamentError, match="does not sit"):
        why_this_table(cup.state, 2, 9)


async def test_a_drawn_table_shares_its_places(event: TablesEvent) -> None:
    """All who still play agree to a draw: they share the first places and their points; who had left is last."""
    await event.begin(range(11, 15))
    (link,) = (await event.load()).games
    await event.leave_in_order(link.game_id, [12])
    game = await event.games.game(link.game_id)
    for seat in game.playing:
        player = game.players[seat]
        assert player is not None
        await event.games.offers.offer_draw(link.game_id, player, event.source())
    tournament = await event.load()
    points = tournament.state.tables.scores(tournament.state.by_number)
    shared = Fraction(10, 3)
    assert [shared, 1, shared, shared] == [points[tournament.state.by_person[one].number] for one in range(11, 15)]


async def test_who_is_forgotten_sits_nowhere_any_more(event: TablesEvent) -> None:
    """The table is played on by the others, and the next round is without the one who is gone."""
    await event.begin(range(11, 18))
    await event.games.privacy.forget(11, event.source())
    for link in (await event.load()).games:
        game = await event.games.game(link.game_id)
        there = [person for seat, person in enumerate(game.players) if person is not None and seat in game.playing]
        await event.leave_in_order(link.game_id, there[:-1], moved=len(game.playing) == len(game.players))
    tournament = await event.pair()
    assert [3, 3] == [len(table) for table in tournament.state.seated[2].tables]
    assert all(
        tournament.state.by_number[number].person > 0 for table in tournament.state.seated[2].tables for number in table
    )


async def test_who_does_not_come_to_a_table_is_marked(event: TablesEvent) -> None:
    """The mark goes with a correction that says the player came."""
    await event.begin(range(11, 15))
    (link,) = (await event.load()).games
    await event.leave_in_order(link.game_id, [14], moved=False)
    game = await event.games.game(link.game_id)
    for _ in range(3):
        game = await event.games.game(link.game_id)
        assert game.to_move is not None
        await event.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, event.source())
    await event.leave_in_order(link.game_id, [13, 12], moved=False)
    assert {14} == set(await event.tournaments.registration.marked([14]))
    preview = await seen(event, [[11], [12], [13], [14]])
    await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
    assert set() == set(await event.tournaments.registration.marked([14]))


async def test_the_files_of_an_event_of_tables(event: TablesEvent) -> None:
    """The standings as CSV; every game with its round, table and players as JSON; no report file, and no PDN."""
    await event.begin(range(11, 15))
    await event.leave_in_order((await event.load()).games[0].game_id, [14, 13, 12])
    tournament = await event.load()
    numbers = {entrant.person: f"P{number}" for number, entrant in tournament.state.by_number.items()}
    names = numbers.__getitem__
    games = await event.tournaments.export.games_of(tournament)
    assert "Rank,No,Name,Points,Firsts,Opponents\n1,1,P1,5,1" in export.content(tournament, "csv", names)
    (game,) = json.loads(export.content(tournament, "json", names, games))["games"]
    table = tournament.state.seated[1].tables[0]
    expected = {"Event": "Autumn", "Round": "1", "Table": "1", "Players": ", ".join(f"P{n}" for n in table)}
    assert expected.items() <= game["tags"].items()
    for form in ("trf26", "pdn"):
        with pytest.raises(Refused):
            export.content(tournament, form, names, games)


async def test_the_first_seat_moves_first(event: TablesEvent) -> None:
    """The seats are balanced for who moves early: no toss undoes that."""
    await event.begin(range(11, 21), size=3)
    for link in (await event.load()).games:
        game = await event.games.game(link.game_id)
        assert game.players[0] == game.to_move
    assert 3 == len((await event.load()).games)
