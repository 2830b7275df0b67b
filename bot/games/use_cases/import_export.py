"""Use cases: games out of the store as transcripts, and into it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

import structlog

from bot.engine import transcript as transcripts
from bot.engine.transcript import Transcript
from bot.games.model import deadlines
from bot.games.model.errors import Damaged, Refused
from bot.games.model.game import NOWHERE, Entry, Game, Place, fold
from bot.games.model.going_on import TOURNAMENT, GoingOn, going_on_of, noted
from bot.games.model.transcripts import (
    began_of,
    clock_of,
    is_same,
    is_timed,
    shown_of,
    tags_of,
    transcript_of,
    without_moment,
)
from bot.games.persistence import kept_rules
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.repository import from_row, new_row, row_of
from bot.i18n import _, ngettext
from bot.support.frozen import frozen
from data.errors import UNREADABLE
from data.queries import announcements, games, rulesets
from data.queries.game_rows import SeatRow
from data.store import Transaction

log = structlog.get_logger(__name__)

# How many lines of a file are named, at most.
_MOST_LINES = 10


@frozen
class ImportResult:
    """What became of a file: the numbers of the games that were stored, how many were there already, and how many
    cannot be kept, with what is wrong with them; which of the stored games go on, and the lines of those that go on in
    the file and were passed over, by the reason."""

    games: tuple[int, ...]
    known: int
    left_out: int = 0
    refused: tuple[str, ...] = ()
    going_on: tuple[int, ...] = ()
    passed_over: Mapping[PassedOver, Sequence[int]] = field(default_factory=dict)


PassedOver = Literal["here", "tournament", "unplaced", "busy"]
"""Why a game that goes on is not brought in: it is here already; it is a tournament's; the file does not say where and
how it goes on; where it is played another game runs."""


@frozen
class GameExport:
    """Games that somebody takes along, and the numbers of those whose records are damaged, which are left out."""

    games: list[Transcript]
    damaged: tuple[int, ...] = ()


class Archive:
    """Exporting games and importing them; and throwing away what nobody will ask for again."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    async def transcript(self, game_id: int) -> Transcript:
        """A game, over or not, as a transcript. Raises NoSuchGame."""
        return transcript_of(await self._work.loaded(game_id))

    async def transcripts(self, player: int | None = None, *, moving: bool = False) -> GameExport:
        """All games that have begun, or those of one player, in the order in which they were opened; ``moving``: with
        where each was played, and what lets those that go on go on elsewhere."""
        exported: list[Transcript] = []
        damaged: list[int] = []
        last = 0
        while True:
            async with self._work.reading() as tx:
                ids = await games.ids_after(tx, last, 200)
                mine = ids if player is None else await games.of_player(tx, player, ids)
            if not ids:
                return GameExport(exported, tuple(damaged))
            last = ids[-1]
            for game_id in mine:
                try:
                    game = await self._work.loaded(game_id)
                    if game.started_at is not None:
                        going_on = await self._noted(game) if moving else None
                        exported.append(replace(transcript_of(game), going_on=going_on))
                except (Damaged, *UNREADABLE) as error:
                    # Not what it says: people may have written it.
                    log.warning("left out", game=game_id, error=type(error).__name__)
                    damaged.append(game_id)

    async def _noted(self, game: Game) -> Mapping[str, Any]:
        """Where a game was played, and what lets it go on elsewhere."""
        clock, used = game.clock, None
        if clock is not None and game.status == "running":
            now = self._work.clock()
            async with self._work.reading() as tx:
                await self._work.outages.look_back(tx)
                boards, away = await announcements.stops(tx, game.id, game.ply, clock.since)
                used = clock.used(now, self._work.outages.standstills(game, clock, now, boards, away))
        return noted(game, used)

    async def import_games(
        self, given: Sequence[Transcript], *, strict: bool = True, place: Place = NOWHERE, moving: bool = False
    ) -> ImportResult:
        """Store finished games from elsewhere: all of them, or none; not ``strict``, all that can be kept. What was
        brought in before is passed over, as is what was played here. ``place``: where people find them.

        ``moving``: each game stands where it was played, as ``transcripts`` has said. Those that go on are brought in
        too, and go on there, with the time that was left, as soon as the board is posted; those that cannot are passed
        over.

        Raises Refused for a game that is not over or in which one person has two seats, and names its line."""
        running = [game for game in given if moving and not game.over and not _seated_twice(game)]
        given = [game for game in given if game not in running]
        stored: list[int] = []
        known = 0
        kept = [game for game in given if game.over and not _seated_twice(game)]
        wrong = _why_not([game for game in given if not game.over], list(filter(_seated_twice, given)))
        if wrong and strict:
            raise Refused(f"{wrong[0]} {_('Nothing was imported.')}")
        went_on: list[int] = []
        passed_over: dict[PassedOver, list[int]] = {}
        async with self._work.writing("import") as tx:
            same_time = await games.begun_at(tx, [game.began for game in [*kept, *running] if game.began is not None])
            # First, as they keep their numbers where these are free.
            for game in running:
                why = await self._go_on(tx, game, same_time.get((game.variant_id, game.began), ()))
                if isinstance(why, int):
                    went_on.append(why)
                else:
                    passed_over.setdefault(why, []).append(game.line)
            for game in kept:
                note = _note(game) if moving else None
                game = replace(game, going_on=None)  # by which it is not known again
                where = place if note is None else note.place
                source, undated = _source(game, place), _source(without_moment(game), where)
                alike = same_time.get((game.variant_id, game.began), ()) if place == NOWHERE else ()
                # Of a file that does not say when, a copy that came through an export does.
                known_as = [source] if game.began is not None else [source, undated]
                if any([await games.applied(tx, each) for each in known_as]) or await self._is_one_of(tx, game, alike):
                    known += 1
                    continue
                game_id = (await self._store_one(tx, game, source, where, note)).id
                stored.append(game_id)
                if not is_timed(game) and not await games.applied(tx, undated):
                    now = self._work.clock()
                    await games.add_act(tx, source=undated, what="import", game_id=game_id, player=0, at=now)
        return ImportResult(
            tuple(stored), known, len(given) - len(kept), wrong, going_on=tuple(went_on), passed_over=passed_over
        )

    async def rules_texts(self, hashes: Iterable[str]) -> dict[str, str]:
        """The texts of rules that are kept, by their hash; others are left out."""
        async with self._work.reading() as tx:
            found = {rules_hash: await rulesets.text(tx, rules_hash) for rules_hash in hashes}
        return {rules_hash: text for rules_hash, text in found.items() if text is not None}

    async def _is_one_of(self, tx: Transaction, given: Transcript, game_ids: Iterable[int]) -> bool:
        """Whether a game is one of those that are kept, by whatever way it came."""
        for game_id in game_ids:
            try:
                if is_same(given, transcript_of(await self._work.repository.load(tx, game_id))):
                    return True
            except Damaged:
                continue
        return False

    async def _go_on(self, tx: Transaction, given: Transcript, alike: Iterable[int]) -> int | PassedOver:
        """Bring in a game that goes on; its number, or why not. Its time stands still from where it stood in the file
        until its board is posted."""
        if given.going_on == TOURNAMENT:
            return "tournament"
        note = _note(given)
        gone = {step.seat for step in given.steps if step.kind in ("resign", "timeout")}
        if note is None or any(player is None and seat not in gone for seat, player in enumerate(given.players)):
            return "unplaced"
        # Whatever was played since: a game is known by its players, its place and the moment it began.
        identity = transcripts.dumps(replace(given, steps=(), going_on=None, tags={}))
        what = f"{note.place.guild_id} {note.place.channel_id} {identity}"
        source = f"on:{hashlib.sha256(what.encode()).hexdigest()[:24]}"
        if await games.applied(tx, source) or await self._is_one_of(tx, given, alike):
            return "here"
        for channel_id in (note.channel_id, note.place.channel_id):
            if channel_id is not None and await games.running_in(tx, channel_id) is None:
                break
        else:
            if not note.place.has_threads:
                return "busy"
            channel_id = None
        note = replace(note, channel_id=channel_id)
        game = await self._store_one(tx, given, source, note.place, note)
        unit = self._work.unit_in(tx, game, source)
        if game.clock is not None and note.used is not None:
            await self._work.outages.look_back(tx)
            _boards, away = await announcements.stops(tx, game.id, game.ply, game.clock.since)
            stops = self._work.outages.standstills(game, game.clock, unit.now, (), away)
            unseen = min(game.clock.when(note.used, stops) or unit.now, unit.now) - deadlines.OUTAGE
            await announcements.add(tx, game_id=game.id, kind="board", ply=game.ply, payload={}, at=unseen)
        await unit.show_anew()
        await unit.announce_board("moved", None)
        return game.id

    async def _store_one(
        self, tx: Transaction, given: Transcript, source: str, place: Place, note: GoingOn | None = None
    ) -> Game:
        now = self._work.clock()
        began = began_of(given, now)
        rules = self._work.rules_for(given.variant, given.options)
        players = given.players or (None,) * len(rules.seats)
        entries = list(_entries(given, source, began, len(players)))
        opener = next((person for person in players if person is not None), 0)
        origin = {"tags": tags_of(given), "timed": is_timed(given)}
        colours: Sequence[int | None] = (None,) * len(players)
        if note is not None:
            opener, colours = note.opener, note.colours
            origin = {**(origin if given.over else {"tags": {}, "timed": True}), "entries": len(entries)}
            entries = [replace(entry, shown=shown) for entry, shown in zip(entries, note.clocks, strict=True)]
        begun = new_row(rules, place, opener, began)._replace(
            id=0 if note is None or await games.game_row(tx, note.number) is not None else note.number,
            start=given.start,
            status="running",
            started_at=began,
            changed_at=now,
            clock=clock_of(given),
            rated=note is not None and note.rated,
            channel_id=None if note is None else note.channel_id,
            origin=origin,
        )
        seats = [
            SeatRow(seat, person, None, None if person is None else began, colour)
            for seat, (person, colour) in enumerate(zip(players, colours, strict=True))
        ]
        game = await asyncio.to_thread(lambda: fold(from_row(begun, seats, rules), entries))
        result = game.result
        over = begun._replace(
            status=game.status,
            ply=game.ply,
            position=game.rules.position(game.state),
            to_seat=game.state.seat if game.status == "running" else None,
            winner=result.winner if result else None,
            reason=str(result.reason) if result else None,
            places=(list(result.places) or None) if result else None,
            ended_at=None if game.status == "running" else entries[-1].at if entries else began,
        )
        await kept_rules.keep(tx, rules.variant)
        game_id = await games.add_game(tx, over, seats)
        await games.add_act(tx, source=source, what="import", game_id=game_id, player=0, at=now)
        for entry in entries:
            await games.add_turn(tx, game_id, row_of(entry))
        return replace(game, id=game_id)


def _source(given: Transcript, place: Place) -> str:
    """What a finished game of a file is known by when it comes again."""
    what = transcripts.dumps(given) if place == NOWHERE else f"{place.guild_id} {transcripts.dumps(given)}"
    return f"in:{hashlib.sha256(what.encode()).hexdigest()[:24]}"


def _note(given: Transcript) -> GoingOn | None:
    """What a file says of a game beside its transcript; None where that cannot be."""
    return going_on_of(given.going_on or {}, len(given.players), len(given.steps))


def _seated_twice(given: Transcript) -> bool:
    people = [person for person in given.players if person is not None]
    return len(set(people)) != len(people)


def _why_not(unfinished: Sequence[Transcript], twice: Sequence[Transcript]) -> tuple[str, ...]:
    """Why games of a file cannot be kept. Files of analyses and positions are full of games without a result."""
    told = [_("Line {line}: one player has two seats in this game.").format(line=game.line) for game in twice]
    if unfinished:
        template = ngettext(
            (
                "Line {lines}: this game has no result. Only finished games can be imported; for "
                "positions and analyses, use /setup."
            ),
            (
                "Lines {lines}: {count} games have no result. Only finished games can be imported; for "
                "positions and analyses, use /setup."
            ),
            len(unfinished),
        )
        lines = [str(game.line) for game in unfinished[:_MOST_LINES]] + ["…"] * (len(unfinished) > _MOST_LINES)
        told.insert(0, template.format(lines=", ".join(lines), count=len(unfinished)))
    return tuple(told)


def _entries(given: Transcript, source: str, began: int, seats: int) -> Iterable[Entry]:
    times = [began]
    for step in given.steps:
        times.append(max(times[-1], began if step.at is None else step.at))
    shown = shown_of(given, times, seats)
    for number, (step, at, clocks) in enumerate(zip(given.steps, times[1:], shown, strict=True), start=1):
        yield Entry(number, step.kind, step.seat, step.text, at, f"{source}:{number}", clocks)
