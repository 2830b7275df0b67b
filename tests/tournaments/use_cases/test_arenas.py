"""Arenas over a store: who waits is paired once, by itself, until the end; and what the pool is made of."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.model.announcements import Note
from bot.games.model.errors import Refused
from bot.ratings.pools import RatingPool
from bot.support.time_units import MINUTE
from bot.tournaments.formats.arena import PATIENCE, ArenaFormat, playing
from bot.tournaments.formats.format import OpenGame
from bot.tournaments.formats.registry import format_of
from bot.tournaments.model.events import (
    ArenaGame,
    Entered,
    Kind,
    Left,
    Paused,
    PoolClosed,
    Returned,
    Scheduled,
    TournamentSettings,
    Undone,
)
from bot.tournaments.model.state import Phase
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing.record import Mark
from bot.tournaments.service import Tournaments
from bot.tournaments.use_cases.finalise import PAIR_AFTER
from bot.tournaments.use_cases.work import TournamentWork
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments import formats
from tests.support.tournaments.director import MARKS, Directed
from tests.support.tournaments.event import DIRECTOR, Event, apply, at_once

PLAN = TournamentSettings(Kind.ARENA, minutes=60)


class Arena(Event):
    """A club that holds an arena of an hour."""

    async def begin(self, people: range) -> None:
        await self.open(PLAN, people, clock="5+3")
        await self.start()
        await self.pass_time(PAIR_AFTER)

    async def pass_time(self, milliseconds: int) -> None:
        self.now += milliseconds
        await self.tournaments.arenas.time_passed(self.id)

    async def pairs(self) -> set[frozenset[int]]:
        return {frozenset((pairing.white, pairing.black)) for pairing in (await self.load()).open_games}


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Arena(store)
    await store.close()


async def test_who_waits_is_paired_once(arena: Arena) -> None:
    """The timer that comes twice, or to another process, starts no game twice."""
    await arena.begin(range(11, 16))
    assert 2 == len((await arena.load()).games)
    await arena.pass_time(PAIR_AFTER)
    again = Tournaments(TournamentWork(arena.store, arena.games, at_once))
    await again.arenas.time_passed(arena.id)
    tournament = await arena.load()
    assert 2 == len(tournament.games)
    assert 1 == len(tournament.format.free(tournament.state))


async def test_who_has_played_meets_somebody_else(arena: Arena) -> None:
    """Of two who come from one game, one meets whoever has waited; the other waits on, up to the patience of all."""
    await arena.begin(range(11, 14))
    (first,) = await arena.pairs()
    waiter = next(iter({1, 2, 3} - first))
    await arena.play_out()
    await arena.pass_time(PAIR_AFTER)
    (second,) = await arena.pairs()
    assert waiter in second
    assert second != first


async def test_two_who_wait_long_meet_again(arena: Arena) -> None:
    """While the others play on, two who have just met wait for them a while, and then play once more."""
    await arena.begin(range(11, 15))
    one, _ = [g for g in (await arena.load()).games if g.status == "running"]
    await arena.resign(one.game_id, max(one.white, one.black))
    await arena.pass_time(PAIR_AFTER)
    assert 1 == len(await arena.pairs())
    await arena.pass_time(PATIENCE - PAIR_AFTER)
    assert frozenset((one.white, one.black)) in await arena.pairs()
    assert 2 == len(await arena.pairs())


async def test_nobody_plays_two_games_at_once(arena: Arena) -> None:
    """A result cannot be taken back while its players play others; once they are free it can, and they play again."""
    await arena.begin(range(11, 15))
    one = (await arena.load()).games[0]
    await arena.play_out()
    scored = [each.number for each in (await arena.load()).events if isinstance(each.action, ArenaGame)]
    await arena.pass_time(PATIENCE)
    assert 2 == len(await arena.pairs())
    with pytest.raises(Refused, match="is playing another game now, and cannot play this one again"):
        await apply(arena, Undone(scored[2]))
    await arena.play_out()
    await apply(arena, Undone(scored[2]))
    assert {frozenset((one.white, one.black))} == await arena.pairs()
    assert 1 == sum(link.status == "running" for link in (await arena.load()).games)


async def test_pausing_and_leaving(arena: Arena) -> None:
    """Neither is paired until they come back; who plays on plays the game to its end."""
    await arena.begin(range(11, 15))
    await arena.tournaments.arenas.pause(arena.id, 11, arena.source())
    await arena.tournaments.registration.leave(arena.id, 12, 12, arena.source())
    with pytest.raises(Refused, match="You are already paused"):
        await arena.tournaments.arenas.pause(arena.id, 11, arena.source())
    assert 2 == len(await arena.pairs())
    await arena.play_out()
    await arena.pass_time(PATIENCE)
    assert {frozenset((3, 4))} == await arena.pairs()
    for person in (11, 12):
        await arena.tournaments.registration.join(arena.id, person, arena.source())
    await arena.pass_time(PAIR_AFTER)
    assert {frozenset((1, 2)), frozenset((3, 4))} == await arena.pairs()


async def test_time_that_runs_out_pauses(arena: Arena) -> None:
    """Who makes no first move forfeits the game, which is not rated, and pauses; a word in the thread says so."""
    await arena.begin(range(11, 13))
    (link,) = (await arena.load()).games
    for said in await arena.outbox.due():
        await arena.outbox.sent(said, 500 + said.id, 70)
    absent = (await arena.games.game(link.game_id)).to_move
    arena.now += 6 * MINUTE
    await arena.games.timeouts.time_passed(link.game_id)
    tournament = await arena.load()
    assert {Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN} == {
        m for g in tournament.state.arena_games.values() for m in _marks(g)
    }
    assert tournament.state.by_person[absent or 0].paused
    assert [] == await arena.ratings.in_pool(RatingPool("pinoy", False, server=7))
    notes = [said.content for said in await arena.outbox.due() if isinstance(said.content, Note)]
    assert any("is now paused in **Autumn**" in note.sentence for note in notes)
    await arena.pass_time(PATIENCE)
    assert set() == await arena.pairs()


async def test_the_end(arena: Arena) -> None:
    """No game begins after it; the last one that goes on counts, and ends the arena."""
    await arena.begin(range(11, 15))
    one, other = (await arena.load()).games
    await arena.pass_time(60 * MINUTE)
    assert (await arena.load()).state.pool_closed
    with pytest.raises(Refused, match="Entries are closed"):
        await arena.tournaments.registration.join(arena.id, 99, arena.source())
    await arena.resign(one.game_id, max(one.white, one.black))
    await arena.pass_time(PATIENCE)
    tournament = await arena.load()
    assert Phase.RUNNING is tournament.state.phase
    assert 2 == len(tournament.games)
    await arena.resign(other.game_id, max(other.white, other.black))
    await arena.pass_time(1)
    tournament = await arena.load()
    assert Phase.OVER is tournament.state.phase
    assert "over" == tournament.status
    assert [2, 2, 0, 0] == [line.values[0] for line in formats.ranking(tournament.state).lines]


async def test_results_by_hand(arena: Arena) -> None:
    """A game that goes on is called off by its result; a result that is corrected changes points and ratings."""
    await arena.begin(range(11, 13))
    preview = await arena.tournaments.results.preview(arena.id, DIRECTOR, 11, "won", None, None)
    assert not preview.corrects
    tournament = await arena.tournaments.results.write_down(arena.id, DIRECTOR, arena.source(), preview, again=False)
    assert ["aborted"] == [game.status for game in tournament.games]
    await arena.pass_time(PAIR_AFTER)
    await arena.play_out()
    assert 11 == (await arena.ratings.in_pool(RatingPool("pinoy", False, server=7)))[0].person
    preview = await arena.tournaments.results.preview(arena.id, DIRECTOR, 11, "lost", 2, None)
    assert preview.corrects
    await arena.tournaments.results.write_down(arena.id, DIRECTOR, arena.source(), preview, again=False)
    assert 12 == (await arena.ratings.in_pool(RatingPool("pinoy", False, server=7)))[0].person
    with pytest.raises(Refused, match="no such game"):
        await arena.tournaments.results.preview(arena.id, DIRECTOR, 11, "won", 9, None)


async def test_who_is_forgotten_plays_no_more(arena: Arena) -> None:
    """The opponent wins, and nobody is paired with a name that is gone."""
    await arena.begin(range(11, 14))
    person = (await arena.load()).state.by_number[min(min(pair) for pair in await arena.pairs())].person
    await arena.games.privacy.forget(person, arena.source())
    await arena.pass_time(PATIENCE)
    tournament = await arena.load()
    assert person not in tournament.state.by_person
    assert all(min(tournament.state.by_number[n].person for n in pair) > 0 for pair in await arena.pairs())


@pytest.mark.parametrize(
    ("plan", "clock", "said"),
    [
        (PLAN, "3d", "choose a live clock"),
        (TournamentSettings(Kind.ARENA), "5+3", "Say either how many minutes"),
        (TournamentSettings(Kind.ARENA, minutes=60, ends_at=10**12), "5+3", "Say either how many minutes"),
        (TournamentSettings(Kind.ARENA, minutes=5), "5+3", "10 to 720 minutes"),
        (TournamentSettings(Kind.ARENA, ends_at=10**12), "5+3", "more than a year away"),
        (TournamentSettings(Kind.ARENA, ends_at=1_000_001), "5+3", "at least 10 minutes after it begins"),
    ],
)
async def test_arenas_that_cannot_be_held(arena: Arena, plan: TournamentSettings, clock: str, said: str) -> None:
    """An arena is live, and has one length."""
    with pytest.raises(Refused, match=said):
        await arena.open(plan, range(11, 11), clock=clock)


async def test_an_arena_ends_after_it_begins(arena: Arena) -> None:
    """An end before its start, or soon after it, is refused when it is created, when its settings change, and when its
    start does; whoever begins it too late by hand is told, and says another end."""
    hour = 60 * MINUTE
    plan = TournamentSettings(Kind.ARENA, ends_at=arena.now + 2 * hour)
    soon = "An arena must end at least 10 minutes after it begins"
    with pytest.raises(Refused, match=soon):
        await arena.open(plan, range(11, 14), clock="5+3", first_events=(Scheduled(start=arena.now + 3 * hour),))
    await arena.open(plan, range(11, 14), clock="5+3", first_events=(Scheduled(start=arena.now + hour),))
    direction, administration = arena.tournaments.direction, arena.tournaments.administration

    def until(at: int) -> Callable[[TournamentSettings], TournamentSettings]:
        return lambda was: replace(was, ends_at=at)

    def begins(at: int) -> Callable[[Scheduled], Scheduled]:
        return lambda was: replace(was, start=at)

    with pytest.raises(Refused, match=soon):
        await direction.change_settings(arena.id, DIRECTOR, arena.source(), until(arena.now + hour))
    with pytest.raises(Refused, match=soon):
        await administration.schedule(arena.id, DIRECTOR, arena.source(), begins(arena.now + 2 * hour))
    await administration.schedule(arena.id, DIRECTOR, arena.source(), begins(0))
    arena.now += 2 * hour - MINUTE // 2
    with pytest.raises(Refused, match="It would be over at once"):
        await arena.start()
    await direction.change_settings(arena.id, DIRECTOR, arena.source(), until(arena.now + hour))
    await arena.start()
    assert Phase.RUNNING is (await arena.load()).state.phase


# Without a store


def _marks(game: ArenaGame) -> tuple[Mark, Mark]:
    return game.white_mark, game.black_mark


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 9))
def test_any_evening(seed: int, count: int) -> None:
    """Whatever happens, nobody plays two games at once or against who was met last, as long as nobody waits too long;
    whites even out; results that are corrected later leave the standings of results right from the start."""
    lots = random.Random(seed)
    cup, right = Directed(PLAN, count), Directed(PLAN, count)
    last: dict[int, int] = {}
    late: list[ArenaGame] = []
    for _ in range(12):
        state = cup.state
        now = cup.events[-1].at + PAIR_AFTER
        for game in ArenaFormat().next_games(state, cup.events, {}, now):
            players = {game.white, game.black}
            assert not players & playing(cup.state)
            assert count == 2 or game.black != last.get(game.white)
            last |= {game.white: game.black, game.black: game.white}
            cup(game)
            right(game)
        for game in lots.sample(list(cup.state.arena_games.values()), len(cup.state.arena_games)):
            if game.white_mark is Mark.PENDING and lots.random() < 0.7:
                ended = ArenaGame(game.game, game.white, game.black, *MARKS[lots.choice("1=0")])
                right(ended)
                mistaken = ArenaGame(game.game, game.white, game.black, *MARKS[lots.choice("1=0")])
                cup(mistaken)
                late.append(ended)
    lots.shuffle(late)
    cup(*late)
    assert formats.ranking(right.state) == formats.ranking(cup.state)
    for number in cup.state.by_number:
        played = [g for g in cup.state.arena_games.values() if number in (g.white, g.black)]
        assert 3 >= abs(sum(1 if game.white == number else -1 for game in played))


def test_what_makes_no_sense_is_refused() -> None:
    """A pause outside an arena or twice, a game of others, a closed pool."""
    cup = Directed(PLAN, 4)
    cup(ArenaGame(1, 1, 2, Mark.PENDING, Mark.PENDING), Paused(101))
    assert "This player is already paused" in (refusal(cup.state, Paused(101)) or "")
    assert "does not play" in (refusal(cup.state, Paused(999)) or "")
    assert "Others have played" in (refusal(cup.state, ArenaGame(1, 3, 4, Mark.WIN, Mark.LOSS)) or "")
    assert refusal(cup.state, Returned(101)) is None
    cup(Returned(101), Left(102), PoolClosed())
    assert not cup.state.by_person[101].paused
    assert "not a running arena" in (refusal(cup.state, PoolClosed()) or "")
    assert "Entries are closed" in (refusal(cup.state, Entered(7)) or "")
    swiss = Directed(TournamentSettings(Kind.SWISS, 3), 4)
    assert "Only in an arena" in (refusal(swiss.state, Paused(101)) or "")
    assert "not a running arena" in (refusal(swiss.state, PoolClosed()) or "")
    assert () == ArenaFormat().pool(cup.state, cup.events, {}, 0)


def test_forfeits_by_kind() -> None:
    """What is written down for a game that somebody cannot play."""
    cup = Directed(PLAN, 2)
    lost = format_of(PLAN).forfeit(cup.state, OpenGame(1, (1, 2)), 2)
    assert ArenaGame(1, 1, 2, Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS) == lost
