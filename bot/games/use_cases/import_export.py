"""Use cases: games out of the store as transcripts, and into it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.engine import transcript as transcripts
from bot.engine.transcript import Transcript
from bot.games.model.errors import Damaged, Refused
from bot.games.model.game import NOWHERE, Entry, Place, fold
from bot.games.model.transcripts import began_of, clock_of, is_same, shown_of, tags_of, transcript_of
from bot.games.persistence import kept_rules
from bot.games.persistence.repository import from_row, new_row, row_of
from bot.games.persistence.unit_of_work import GameWork
from bot.i18n import _, ngettext
from data.queries import games, rulesets
from data.queries.games import SeatRow
from data.store import Transaction

# How many lines of a file are named, at most.
_MOST_LINES = 10


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What became of a file: the numbers of the games that were stored, how many were there already, and how many
    cannot be kept, with what is wrong with them."""

    games: tuple[int, ...]
    known: int
    left_out: int = 0
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
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

    async def transcripts(self, player: int | None = None) -> GameExport:
        """All games that have begun, or those of one player, in the order in which they were opened."""
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
                except Damaged:
                    damaged.append(game_id)
                    continue
                if game.started_at is not None:
                    exported.append(transcript_of(game))

    async def import_games(
        self, given: Sequence[Transcript], *, strict: bool = True, place: Place = NOWHERE
    ) -> ImportResult:
        """Store finished games from elsewhere: all of them, or none; not ``strict``, all that can be kept. What was
        brought in before is passed over, as is what was played here. ``place``: where people find them.

        Raises Refused for a game that is not over or in which one person has two seats, and names its line."""
        stored: list[int] = []
        known = 0
        kept = [game for game in given if game.over and not _seated_twice(game)]
        wrong = _why_not([game for game in given if not game.over], list(filter(_seated_twice, given)))
        if wrong and strict:
            raise Refused(f"{wrong[0]} {_('Nothing was brought in.')}")
        async with self._work.writing("import") as tx:
            same_time = await games.begun_at(tx, [game.began for game in kept if game.began is not None])
            for game in kept:
                what = transcripts.dumps(game) if place == NOWHERE else f"{place.guild_id} {transcripts.dumps(game)}"
                source = f"in:{hashlib.sha256(what.encode()).hexdigest()[:24]}"
                alike = same_time.get((game.variant_id, game.began), ()) if place == NOWHERE else ()
                if await games.applied(tx, source) or await self._is_one_of(tx, game, alike):
                    known += 1
                else:
                    stored.append(await self._store_one(tx, game, source, place))
        return ImportResult(tuple(stored), known, len(given) - len(kept), wrong)

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

    async def _store_one(self, tx: Transaction, given: Transcript, source: str, place: Place) -> int:
        now = self._work.clock()
        began = began_of(given, now)
        rules = self._work.rules_for(given.variant, given.options)
        players = given.players or (None,) * len(rules.seats)
        entries = list(_entries(given, source, began, len(players)))
        opener = next((person for person in players if person is not None), 0)
        begun = replace(
            new_row(rules, place, opener, began),
            start=given.start,
            status="running",
            started_at=began,
            changed_at=now,
            clock=clock_of(given),
            origin={"tags": tags_of(given), "timed": any(step.at is not None for step in given.steps)},
        )
        seats = [SeatRow(seat, person, None, None if person is None else began) for seat, person in enumerate(players)]
        game = await asyncio.to_thread(lambda: fold(from_row(begun, seats, rules), entries))
        result = game.result
        over = replace(
            begun,
            status=game.status,
            ply=game.ply,
            position=game.rules.position(game.state),
            winner=result.winner if result else None,
            reason=str(result.reason) if result else None,
            places=(list(result.places) or None) if result else None,
            ended_at=entries[-1].at if entries else began,
        )
        await kept_rules.keep(tx, rules.variant)
        game_id = await games.add_game(tx, over, seats)
        await games.add_act(tx, source=source, what="import", game_id=game_id, player=0, at=now)
        for entry in entries:
            await games.add_turn(tx, game_id, row_of(entry))
        return game_id


def _seated_twice(given: Transcript) -> bool:
    people = [person for person in given.players if person is not None]
    return len(set(people)) != len(people)


def _why_not(unfinished: Sequence[Transcript], twice: Sequence[Transcript]) -> tuple[str, ...]:
    """Why games of a file cannot be kept. Files of analyses and positions are full of games without a result."""
    told = [_("Line {line}: this game gives two seats to one player.").format(line=game.line) for game in twice]
    if unfinished:
        template = ngettext(
            "Line {lines}: this game has no result. Only finished games can be brought in; "
            "positions and analyses are shown and played on with /setup.",
            "Lines {lines}: {count} games have no result. Only finished games can be brought in; "
            "positions and analyses are shown and played on with /setup.",
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
