"""Holding the cache against the record: every game is replayed from its list of turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from bot.engine import registry
from bot.engine.errors import EngineError
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset
from bot.games.model.clock import Clock, Stop
from bot.games.model.computer_seats import is_computer
from bot.games.model.deadlines import overlapping, shown_after, unseen
from bot.games.model.game import NOWHERE, BrokenRecord, Game, append, fold
from bot.games.model.timers import CLOCK
from bot.games.persistence import kept_rules
from bot.games.persistence.kept_rules import RulesFor
from bot.games.persistence.repository import entry_of, from_row
from bot.games.persistence.transactions import Readable, reading
from bot.support.frozen import frozen
from data.errors import UNREADABLE
from data.queries import announcements, games, rulesets, timers
from data.queries.game_rows import GameRow, SeatRow, TurnRow
from data.queries.timers import Outage, TimerRow


@frozen(slots=False)
class TimeRecord:
    """What the clocks of a game are held against: when the bot was away, when each player was on vacation, when the
    board of each entry was made and posted, and the game's timer."""

    outages: Sequence[Stop]
    vacations: Mapping[int, Sequence[Stop]]
    boards: Mapping[int, Sequence[tuple[int, int | None]]]
    timer: TimerRow | None


async def check_games(store: Readable, rules_for: RulesFor = registry.rules_for) -> list[str]:
    """Replay every game; each disagreement is a sentence that names game and entry. Raises NotStored."""
    sentences: list[str] = []
    outages: Sequence[Outage] | None = None
    try:
        async with reading(store) as tx:
            outages = await timers.all_outages(tx)
    except UNREADABLE:
        sentences.append("When the bot was away is not known, as a row of it cannot be read: clocks are not checked.")
    last = 0
    while True:
        async with reading(store) as tx:
            ids = await games.ids_after(tx, last, 100)
        if not ids:
            return sentences
        for last in ids:
            try:
                sentences += await _problems_of(store, last, outages, rules_for)
            except UNREADABLE as error:
                # Not what it says: people may have written it.
                sentences.append(f"Game {last}: a value of it cannot be read ({type(error).__name__}).")


async def _problems_of(
    store: Readable, game_id: int, outages: Sequence[Outage] | None, rules_for: RulesFor
) -> Sequence[str]:
    async with reading(store) as tx:
        row, seats = await games.with_seats(tx, game_id) or (None, [])
        turns = await games.turn_rows(tx, game_id)
        people = [seat.player for seat in seats if seat.player is not None]
        vacations = {person: await timers.vacations_of(tx, person) for person in people}
        boards = {ply: await announcements.unseen(tx, game_id, ply) for ply in range(len(turns) + 1)}
        timer, time = await timers.get(tx, CLOCK, game_id), None
        if outages is not None:
            stops = timers.stops_of(outages, None if row is None else row.guild_id)
            time = TimeRecord(stops, vacations, boards, timer)
        try:
            ruleset = None if row is None else await kept_rules.find(tx, row.variant_id, row.rules_hash)
        except EngineError as error:
            return [f"Game {game_id}: {error}"]
    if row is None or ruleset is None:
        return []
    rules = partial(rules_for, ruleset, row.options)
    return await asyncio.to_thread(lambda *about: list(_problems(*about)), row, seats, turns, rules, time)


async def check_rulesets(store: Readable) -> list[str]:
    """Whether each text of rules is the one that its hash names, and is there for all that is played by it, beside
    games. Raises NotStored."""
    async with reading(store) as tx:
        texts, without = await rulesets.every_text(tx), await rulesets.without_text(tx)
    damaged = [found for found, text in texts if found != Ruleset("", text).hash]
    return [
        *(f"Rules {found[:12]}: the text is another than it was kept as." for found in damaged),
        *(f"{what[0].upper()}{what[1:]}: the text of its rules is missing." for what in without),
    ]


def _problems(
    row: GameRow,
    seats: Sequence[SeatRow],
    turns: Sequence[TurnRow],
    rules: Callable[[], Rules],
    time: TimeRecord | None,
) -> Iterator[str]:
    """What disagrees in one game, as sentences that name the game and the entry; without ``time`` but for clocks."""
    this = f"Game {row.id}"
    try:
        game = from_row(row, seats, rules())
    except EngineError as error:
        yield f"{this}: {error}"
        return
    if [seat.seat for seat in seats] != list(range(len(game.rules.seats))):
        yield f"{this}: has {len(seats)} seats, its rules have {len(game.rules.seats)}."
        return
    try:
        start, game = game, fold(game, map(entry_of, turns))
    except BrokenRecord as broken:
        yield f"{this}, entry {broken.number}: {broken.why}."
        return
    if game.status == "running" and any(game.players[seat] is None for seat in game.playing):
        yield f"{this}: is running with a free seat."
    last = f"{this}, entry {game.ply}" if game.ply else this
    for what, kept, replayed in _compared(row, game):
        if kept != replayed:
            yield f"{last}: {what} is kept as {kept!r}, the replay gives {replayed!r}."
    if time is not None:
        yield from _clocks(start, game, time)


def _clocks(start: Game, game: Game, time: TimeRecord) -> Iterator[str]:
    """Where the clocks that are kept differ from a replay."""
    if game.control is None or game.started_at is None:
        if time.timer is not None:
            yield f"Game {game.id}: has a timer, and no clock."
        return
    if None in game.players or game.place == NOWHERE:
        return  # somebody was forgotten, vacations and all; or it was played elsewhere, who knows with which
    elsewhere = 0 if game.origin is None else game.origin.entries
    at = start
    for entry in game.entries:
        clock = at.clock
        assert clock is not None
        shown = shown_after(at, clock, entry.kind, entry.seat, entry.text, entry.at, _stops(at, clock, time))
        if shown != entry.shown and entry.number > elsewhere:
            this = f"Game {game.id}, entry {entry.number}"
            yield f"{this}: the clocks are kept as {entry.shown}, the replay gives {shown}."
            return
        at = append(at, entry)
    clock = at.clock
    if at.status != "running" or clock is None:
        if time.timer is not None:
            yield f"Game {game.id}: is over, and has a timer."
    elif time.timer is None:
        yield f"Game {game.id}: has no timer."
    elif not is_computer(at.to_move) and time.timer.at > (clock.due(_stops(at, clock, time)) or time.timer.at):
        yield f"Game {game.id}: its timer falls due after its time has run out."


def _stops(game: Game, clock: Clock, time: TimeRecord) -> list[Stop]:
    stops = overlapping(time.outages, clock.since)
    stops += unseen(time.boards.get(game.ply, ()))
    player = game.players[clock.seat]
    if game.casual and player is not None and not clock.control.live:
        stops += time.vacations.get(player, ())
    return stops


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
