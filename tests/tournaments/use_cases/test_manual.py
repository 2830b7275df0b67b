"""Changes by a director's hand: rounds paired otherwise, events taken back; games and ratings follow."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.games.model.errors import Refused
from bot.ratings.pools import RatingPool
from bot.tournaments.model.events import (
    Forbade,
    Kind,
    RoundPaired,
    TablesSeated,
    TournamentSettings,
    Undone,
)
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.manual import as_text, by_hand, to_undo
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments.event import DIRECTOR, Event, apply


@pytest.fixture
async def event(tmp_path: Path) -> AsyncIterator[Event]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Event(store)
    await store.close()


async def test_a_round_is_paired_by_hand(event: Event) -> None:
    """Before it is paired, by starting numbers; its games are made, and the later engine knows of them."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 16))
    await event.start()
    await event.play_out()
    tournament = await event.load()
    action = by_hand(tournament, "2-1, 5 - 4; 3", None)
    assert (2, ((2, 1), (5, 4)), 3) == (action.round, action.games, action.bye)  # type: ignore[union-attr]
    await apply(event, action)
    tournament = await event.load()
    assert "2-1, 5-4, 3" == as_text(tournament, 2)
    running = [(game.white, game.black) for game in tournament.games if game.status == "running"]
    assert [(2, 1), (5, 4)] == running
    await event.play_out()
    tournament = await event.pair()
    assert not {frozenset({1, 2}), frozenset({4, 5})} & {frozenset(game) for game in tournament.state.paired[3].games}


async def test_a_round_that_is_played_is_paired_otherwise(event: Event) -> None:
    """Games that stay go on, those that are gone are called off, new ones begin; a preview tells it before."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 17))
    await event.start()
    tournament = await event.load()
    kept, *others = tournament.state.paired[1].games
    (a, b), (c, d) = others
    action = by_hand(tournament, f"{kept[0]}-{kept[1]}, {a}-{d}, {c}-{b}", None)
    assert 1 == action.round
    seen = await event.tournaments.manual.preview(event.id, DIRECTOR, action)
    assert seen.undone is None
    assert tournament.last == (await event.load()).last
    await apply(event, action)

    tournament = await event.load()
    by_status: dict[str, list[tuple[int, int]]] = {}
    for game in tournament.games:
        by_status.setdefault(game.status, []).append((game.white, game.black))
    assert {kept, (a, d), (c, b)} == set(by_status["running"])
    assert {(a, b), (c, d)} == set(by_status["aborted"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1-2, 3-4-5, 6", "Two play each other"),
        ("1-2, 3, 4", "Only one player can have the bye of a round"),
        ("one against two", "starting numbers"),
        ("", "starting numbers"),
        ("1-2, 2-3", "2 is there twice: <@[0-9]+>. Write each player once."),
        ("1-2, 3-9, 4", "no number 9: the starting numbers go from 1 to 6"),
        ("1-2, 3-4, 5, 1", "1 is there twice"),
    ],
)
async def test_a_round_that_makes_no_sense_is_refused(event: Event, text: str, why: str) -> None:
    """With the reason, and nothing is changed."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 17))
    await event.start()
    tournament = await event.load()
    with pytest.raises(Refused, match=why):
        await event.tournaments.manual.preview(event.id, DIRECTOR, by_hand(tournament, text, None))
    assert tournament.last == (await event.load()).last


async def test_tables_are_seated_by_hand(event: Event) -> None:
    """Seat by seat; a table of people who stay together keeps its game."""
    await event.open(TournamentSettings(Kind.TABLES, rounds=2, table_size=3), range(11, 17), variant="chinese-checkers")
    await event.start()
    tournament = await event.load()
    first, second = tournament.state.seated[1].tables
    action = by_hand(
        tournament, "-".join(map(str, (*first[:2], second[2]))) + "," + "-".join(map(str, (*second[:2], first[2]))), 1
    )
    assert isinstance(action, TablesSeated)
    await apply(event, action)
    tournament = await event.load()
    assert 2 == sum(game.status == "running" for game in tournament.games)
    assert 2 == sum(game.status == "aborted" for game in tournament.games)


async def test_only_directors_mend(event: Event) -> None:
    """Neither seen nor done by a player; no event that there is not, none twice, not the start."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 17))
    await event.start()
    await event.tournaments.direction.decide(event.id, DIRECTOR, event.source(), Forbade(1, 4))
    number = (await event.load()).last
    for work in (
        event.tournaments.manual.preview(event.id, 11, Undone(number)),
        event.tournaments.manual.apply(event.id, 11, event.source(), Undone(number), again=False),
    ):
        with pytest.raises(Refused, match="Only a director"):
            await work
    with pytest.raises(Refused, match="no event 99"):
        await apply(event, Undone(99))
    start = next(each.number for each in (await event.load()).events if type(each.action).__name__ == "Started")
    with pytest.raises(Refused, match="cannot be undone"):
        await apply(event, Undone(start))
    assert number == to_undo(await event.load())[0].number
    await apply(event, Undone(number))
    assert not (await event.load()).state.record.forbidden
    with pytest.raises(Refused, match="is already undone"):
        await apply(event, Undone(number))


async def test_a_round_paired_too_early_is_taken_back(event: Event) -> None:
    """Its games are called off, and the round can be paired anew."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 17))
    await event.start()
    await event.play_out()
    await event.pair()
    tournament = await event.load()
    paired = next(
        each.number for each in tournament.events if isinstance(each.action, RoundPaired) and each.action.round == 2
    )
    await apply(event, Undone(paired))
    tournament = await event.load()
    assert 1 == tournament.state.rounds_paired
    assert not [game for game in tournament.games if game.status == "running"]
    tournament = await event.pair()
    assert 3 == sum(game.status == "running" for game in tournament.games)


async def test_a_result_taken_back_is_taken_out_of_the_ratings(event: Event) -> None:
    """Whoever won by a result that is no more has the rating as if it had not been; points follow too."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 13))
    await event.start()
    await event.play_out()
    assert 2 == len([r for r in await event.ratings.in_pool(RatingPool("pinoy", True, server=7)) if r.games])
    tournament = await event.load()
    scored = next(each for each in tournament.events if type(each.action).__name__ == "Scored")
    await apply(event, Undone(scored.number))
    tournament = await event.load()
    assert 1 == len(tournament.state.unfinished)
    assert all(not r.games for r in await event.ratings.in_pool(RatingPool("pinoy", True, server=7)))


async def test_the_end_is_taken_back_for_a_correction(event: Event) -> None:
    """A mistake found after the podium: the end taken back, the result corrected, the event ended again."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=1), range(11, 13))
    await event.start()
    await event.play_out()
    await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    with pytest.raises(Refused, match="Undo its end first"):
        await event.tournaments.results.preview(event.id, DIRECTOR, 12, "won", 1, None)
    await apply(event, Undone(to_undo(await event.load())[0].number))
    tournament = await event.load()
    assert (Phase.RUNNING, "running") == (tournament.state.phase, tournament.status)
    shown = await event.tournaments.results.preview(event.id, DIRECTOR, 12, "won", 1, None)
    await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), shown, again=False)
    done = await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    assert Mark.WIN in {entry.mark for entry in done.state.record.players[2].rounds if entry}
    assert "over" == done.status
