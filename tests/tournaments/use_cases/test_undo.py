"""What stands on what: events that cannot be taken back, rounds that wait for the director, ratings that follow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bot.games.model.errors import Refused
from bot.ratings.pools import RatingPool
from bot.tournaments.automation import time_passed
from bot.tournaments.model.events import (
    ArenaGame,
    DidNotCome,
    Ended,
    Entered,
    Kind,
    MatchGame,
    RoundPaired,
    Scheduled,
    Scored,
    TableScored,
    TablesSeated,
    TournamentSettings,
    Undone,
)
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from bot.tournaments.pairing.round_robin import berger
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.manual import by_hand, left_out, to_undo
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments.event import DIRECTOR, Event, apply


@pytest.fixture
async def event(tmp_path: Path) -> AsyncIterator[Event]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Event(store)
    await store.close()


async def number_of(event: Event, kind: type[object], at: int = -1) -> int:
    """The number of an event of that kind."""
    return [each.number for each in (await event.load()).events if isinstance(each.action, kind)][at]


async def test_an_entry_that_the_start_stands_on(event: Event) -> None:
    """It would undo the whole tournament: refused, and nothing has happened."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 17))
    await event.start()
    before = await event.load()
    with pytest.raises(Refused, match="The tournament began with it"):
        await apply(event, Undone(await number_of(event, Entered, 0)))
    assert before.state == (await event.load()).state


async def test_a_late_entry_whose_number_others_follow(event: Event) -> None:
    """Whoever entered after it would get another number; the last of them can be taken back, the paired one not."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3, late_until=2), range(11, 15))
    await event.start()
    for person in (31, 32):
        await event.tournaments.registration.join(event.id, person, event.source())
    with pytest.raises(Refused, match="other starting numbers"):
        await apply(event, Undone(await number_of(event, Entered, -2)))
    await apply(event, Undone(await number_of(event, Entered)))
    assert {1, 2, 3, 4, 5} == set((await event.load()).state.by_number)
    await event.play_out()
    await event.pair()
    with pytest.raises(Refused, match="Undo that first, or correct a result with"):
        await apply(event, Undone(await number_of(event, Entered, 4)))


async def test_a_round_that_another_stands_on(event: Event) -> None:
    """Round 2 is not taken back under round 3, whose games would fall with it."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=4), range(11, 17))
    await event.start()
    for _round in (2, 3):
        await event.play_out()
        await event.pair()
    third = await number_of(event, RoundPaired)
    with pytest.raises(Refused, match=f"Event {third} depends on it"):
        await apply(event, Undone(await number_of(event, RoundPaired, 1)))
    await apply(event, Undone(third))
    await apply(event, Undone(await number_of(event, RoundPaired, 1)))
    assert 1 == (await event.load()).state.rounds_paired


async def test_after_the_end_only_the_end_is_taken_back(event: Event) -> None:
    """And no second end comes by taking that back."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=1), range(11, 13))
    await event.start()
    await event.play_out()
    await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    with pytest.raises(Refused, match="Undo its end first"):
        await apply(event, Undone(await number_of(event, Scored)))
    await apply(event, Undone(await number_of(event, Ended)))
    with pytest.raises(Refused, match=r"\*Finish\*"):
        await apply(event, Undone(await number_of(event, Undone)))
    assert "running" == (await event.load()).status


@pytest.mark.parametrize("what", [Ended, RoundPaired])
async def test_what_runs_by_itself_waits_after_a_taking_back(event: Event, what: type[object]) -> None:
    """Neither ends nor pairs in the same moment again: the director goes on by hand."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 15), first_events=(Scheduled(pause=0),))
    await event.start()
    await event.play_out()
    await time_passed(event.tournaments, event.id)
    if what is Ended:
        await event.play_out()
        await time_passed(event.tournaments, event.id)
        assert Phase.OVER is (await event.load()).state.phase
    await apply(event, Undone(await number_of(event, what)))
    stands = await event.load()
    event.now += 3_600_000
    await time_passed(event.tournaments, event.id)
    tournament = await event.load()
    assert stands.last == tournament.last
    assert Phase.RUNNING is tournament.state.phase
    if what is Ended:
        tournament = await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
        assert "over" == tournament.status
    else:
        assert 2 == (await event.pair()).state.rounds_paired
        await event.play_out()
        await time_passed(event.tournaments, event.id)
        assert Phase.OVER is (await event.load()).state.phase


async def test_a_taking_back_that_is_taken_back_rates_again(event: Event) -> None:
    """The ratings are what they were before both."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 13))
    await event.start()
    await event.play_out()
    was = await event.ratings.in_pool(RatingPool("pinoy", True, server=7))
    await apply(event, Undone(await number_of(event, Scored)))
    assert was != await event.ratings.in_pool(RatingPool("pinoy", True, server=7))
    await apply(event, Undone(await number_of(event, Undone)))
    now = await event.ratings.in_pool(RatingPool("pinoy", True, server=7))
    assert [(r.person, r.value, r.games) for r in was] == [(r.person, r.value, r.games) for r in now]


async def test_a_match_taken_back(event: Event) -> None:
    """Its game is rated no more, the next match's game is called off, and the director writes down who goes on."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    await event.start()
    await event.play_out(frozenset({1, 2, 3, 4}) - frozenset({1, 4}))
    tournament = await event.load()
    game = next(each.action for each in tournament.events if isinstance(each.action, MatchGame))
    assert 2 == len([r for r in await event.ratings.in_pool(RatingPool("pinoy", True, server=7)) if r.games])
    await apply(event, Undone(await number_of(event, MatchGame, 0)))
    assert not [r for r in await event.ratings.in_pool(RatingPool("pinoy", True, server=7)) if r.games]
    loser = 14 if game.winner == 1 else 11
    shown = await event.tournaments.results.preview(event.id, DIRECTOR, loser, "won", None, game.match)
    tournament = await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), shown, again=False)
    assert loser - 10 == tournament.state.bracket.matches[game.match].winner


@pytest.mark.parametrize("kind", [Kind.SWISS, Kind.SINGLE_ELIMINATION, Kind.ROUND_ROBIN])
async def test_a_played_result_taken_back_is_played_again(event: Event, kind: Kind) -> None:
    """A new game begins, as the preview says; the thread of the first one is told; a correction rates the new one."""
    await event.open(TournamentSettings(kind), range(11, 15))
    await event.start()
    first = (await event.load()).games[0]
    await event.resign(first.game_id, first.black)
    number = await number_of(event, MatchGame if kind is Kind.SINGLE_ELIMINATION else Scored, 0)
    shown = await event.tournaments.manual.preview(event.id, DIRECTOR, Undone(number))
    assert [open_game_of(first).key] == [game.key for game in shown.change.begins]
    await apply(event, Undone(number))
    (new,) = [link for link in (await event.load()).games if open_game_of(link).key == open_game_of(first).key][1:]
    assert "running" == new.status
    said = map(str, await event.said(await event.games.game(first.game_id)))
    assert any("has taken back the result of this game. A new game begins" in one for one in said)
    await event.resign(new.game_id, first.white)
    rated = await event.ratings.in_pool(RatingPool("pinoy", True, server=7))
    assert {1} == {one.games for one in rated if one.person in (first.white + 10, first.black + 10)}
    assert open_game_of(new).key not in {game.key for game in (await event.load()).open_games}


async def test_a_mark_goes_with_what_is_taken_back(event: Event) -> None:
    """Who was said not to have come, wrongly, is marked no more."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 13))
    await event.start()
    shown = await event.tournaments.results.preview(event.id, DIRECTOR, 12, "did not come", 1, None)
    await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), shown, again=False)
    assert 12 in await event.tournaments.registration.marked([11, 12])
    await apply(event, Undone(to_undo(await event.load())[0].number))
    assert {} == await event.tournaments.registration.marked([11, 12])
    assert 1 == sum(game.status == "running" for game in (await event.load()).games)
    assert not [each for each in (await event.load()).state.no_shows if isinstance(each, DidNotCome)]


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.DOUBLE_ROUND_ROBIN])
async def test_a_round_robin_by_hand_stays_whole(event: Event, kind: Kind) -> None:
    """Only a round that is left is taken; the others follow, and each meets each as often as it should."""
    await event.open(TournamentSettings(kind), range(11, 16))
    await event.start()
    await event.play_out()
    tournament = await event.load()
    with pytest.raises(Refused, match="a round written by hand must be one of those left, whoever has White"):
        await event.tournaments.manual.preview(event.id, DIRECTOR, by_hand(tournament, "1-2, 3-4, 5", None))
    last = berger(range(1, 6))[-1]
    text = ", ".join(f"{black}-{white}" for white, black in last.games) + f", {last.bye}"
    await apply(event, by_hand(tournament, text, None))
    while (tournament := await event.load()).state.rounds_paired < tournament.state.rounds_planned:
        await event.play_out()
        await event.pair()
    met = [frozenset(game) for paired in tournament.state.paired.values() for game in paired.games]
    times = 2 if kind is Kind.DOUBLE_ROUND_ROBIN else 1
    assert {times} == {met.count(pair) for pair in met}
    assert 10 == len(set(met))
    await event.play_out()
    with pytest.raises(Refused, match="are paired"):
        await event.pair()


async def test_who_is_left_out_of_a_round_by_hand(event: Event) -> None:
    """Named in the preview, so that nobody is forgotten."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 16))
    await event.start()
    tournament = await event.load()
    assert (3, 5) == left_out(tournament.state, by_hand(tournament, "1-2, 4", None))


async def test_what_takes_long_is_reckoned_beside_the_event_loop(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview can take seconds, in which games must go on; what nothing follows from is not paired anew."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 17))
    await event.start()
    await event.play_out()
    beside: list[str] = []

    async def in_thread(work: Callable[[], Any]) -> Any:
        beside.append(work.__qualname__)
        return work()

    monkeypatch.setattr(event.tournaments.work, "in_thread", in_thread)
    await event.tournaments.results.preview(event.id, DIRECTOR, 11, "lost", 1, None)
    await event.tournaments.manual.preview(event.id, DIRECTOR, Undone(await number_of(event, Scored)))
    assert ["previewed", "preview"] == [name.split(".")[1] for name in beside]
    monkeypatch.setattr("bot.tournaments.pairing.swiss.dutch.next_round", None)
    shown = await event.tournaments.results.preview(event.id, DIRECTOR, 11, "lost", 1, None)
    assert not shown.change.question


async def test_an_arena_whose_end_is_taken_back(event: Event) -> None:
    """It does not end by itself again: the director writes down what is to be corrected, and ends it."""
    await event.open(TournamentSettings(Kind.ARENA, minutes=30), range(11, 15), clock="5+3")
    await event.start()
    event.now += 60_000
    await event.tournaments.arenas.time_passed(event.id)
    await event.play_out()
    await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    for what in (Ended, ArenaGame):
        await apply(event, Undone(await number_of(event, what)))
        event.now += 60_000
        await event.tournaments.arenas.time_passed(event.id)
        assert Phase.RUNNING is (await event.load()).state.phase
    with pytest.raises(Refused, match="games without a result"):
        await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    tournament = await event.load()
    game = next(game for game in tournament.state.arena_games.values() if game.white_mark is Mark.PENDING)
    white = tournament.state.by_number[game.white].person
    shown = await event.tournaments.results.preview(event.id, DIRECTOR, white, "won", game.game, None)
    await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), shown, again=False)
    tournament = await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    assert "over" == tournament.status


async def test_tables_taken_back(event: Event) -> None:
    """The places of a table are given anew by a game; its round stands on nothing later."""
    await event.open(TournamentSettings(Kind.TABLES, rounds=2, table_size=3), range(11, 17), variant="chinese-checkers")
    await event.start()
    for table in (0, 1):
        shown = await event.tournaments.results.preview_table(event.id, DIRECTOR, 1, table, (1, 2, 3))
        await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), shown, again=False)
    await event.pair()
    with pytest.raises(Refused, match="Undo that first, or correct a result with"):
        await apply(event, Undone(await number_of(event, TablesSeated, 0)))
    await apply(event, Undone(await number_of(event, TablesSeated)))
    await apply(event, Undone(await number_of(event, TableScored)))
    assert [1] == [game.round for game in (await event.load()).games if game.status == "running"]
    with pytest.raises(Refused, match="not over"):
        await event.pair()


async def test_all_at_once_by_hand(event: Event) -> None:
    """A round whose games all run: sides changed, changed back, and a round taken back and paired again."""
    await event.open(
        TournamentSettings(Kind.ROUND_ROBIN, limit=4), range(11, 15), first_events=(Scheduled(at_once=True),)
    )
    await event.start()
    tournament = await event.load()
    games = tournament.state.paired[2].games
    await apply(event, by_hand(tournament, ", ".join(f"{black}-{white}" for white, black in games), 2))
    running = {(g.white, g.black) for g in (await event.load()).games if (g.round, g.status) == (2, "running")}
    assert {(black, white) for white, black in games} == running
    await apply(event, Undone(await number_of(event, RoundPaired)))
    await apply(event, Undone(await number_of(event, RoundPaired, 2)))
    assert 4 == sum(game.status == "running" for game in (await event.load()).games)
    await event.play_out()
    await event.pair()
    await event.play_out()
    tournament = await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    assert [Fraction(3), Fraction(2), Fraction(1), Fraction(0)] == [
        tournament.state.record.score(n) for n in (1, 2, 3, 4)
    ]


async def test_a_league_is_paired_and_ended_by_itself(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a division only results are taken back: it promotes by what stands at its end."""
    await event.open(TournamentSettings(Kind.ROUND_ROBIN), range(11, 15))
    await event.start()
    await event.play_out()
    tournament = await event.load()
    within = replace(tournament, competition_id=1)

    async def divided(_tournament: int) -> StoredTournament:
        return within

    monkeypatch.setattr(event.tournaments.work, "load", divided)
    for action in (Undone(await number_of(event, RoundPaired)), by_hand(tournament, "1-2, 3-4", None)):
        with pytest.raises(Refused, match="only results"):
            await event.tournaments.manual.preview(event.id, DIRECTOR, action)
    seen = await event.tournaments.manual.preview(event.id, DIRECTOR, Undone(await number_of(event, Scored)))
    assert seen.change.points


async def test_what_happens_while_it_is_reckoned(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game ends meanwhile: nothing is taken back that was not seen; nobody waits for the reckoning to write."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 15))
    await event.start()
    tournament = await event.load()
    first, second = tournament.games
    await event.resign(first.game_id, first.black)

    async def in_thread(work: Callable[[], Any]) -> Any:
        await event.resign(second.game_id, second.black)
        return work()

    monkeypatch.setattr(event.tournaments.work, "in_thread", in_thread)
    with pytest.raises(Refused, match="Something else has happened"):
        await apply(event, Undone(await number_of(event, Scored, 0)))
    assert not (await event.load()).state.unfinished
