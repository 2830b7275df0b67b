"""Holding the cache against the record: every game is replayed from its list of turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.refusals import EngineError
from bot.games.game import BrokenRecord, Game, fold
from bot.games.records import RulesFor, entry_of, from_row
from bot.games.refused import Refused
from data.games import GameRow, SeatRow, TurnRow


def problems(row: GameRow, seats: Sequence[SeatRow], turns: Sequence[TurnRow], rules_for: RulesFor) -> Iterator[str]:
    """What disagrees in one game, as sentences that name the game and the entry."""
    this = f"Game {row.id}"
    try:
        game = from_row(row, seats, rules_for)
    except (Refused, EngineError) as error:
        yield f"{this}: {error}"
        return
    if [seat.seat for seat in seats] != list(range(len(game.rules.seats))):
        yield f"{this}: has {len(seats)} seats, its rules have {len(game.rules.seats)}."
        return
    if row.started_at is not None and None in game.players:
        yield f"{this}: has started with a free seat."
    try:
        game = fold(game, map(entry_of, turns))
    except BrokenRecord as broken:
        yield f"{this}, entry {broken.number}: {broken.why}."
        return
    last = f"{this}, entry {game.ply}" if game.ply else this
    for what, kept, replayed in _compared(row, game):
        if kept != replayed:
            yield f"{last}: {what} is kept as {kept!r}, the replay gives {replayed!r}."


def _compared(row: GameRow, game: Game) -> Iterator[tuple[str, object, object]]:
    """What is kept beside the record: its name, the kept value, the value by replay."""
    result = game.result
    yield "the number of entries", row.ply, game.ply
    yield "the status", row.status, game.status
    yield "the position", row.position, game.rules.position(game.state)
    yield "the seat to move", row.to_seat, game.state.seat if game.status == "running" else None
    yield "the winner", row.winner, result.winner if result else None
    yield "the reason", row.reason, result.reason if result else None
    yield "the order of places", tuple(row.places or ()), result.places if result else ()
    if game.status in ("finished", "aborted") and game.entries:
        yield "the time of the end", row.ended_at, game.entries[-1].at
