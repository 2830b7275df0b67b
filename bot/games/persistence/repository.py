"""From rows to games: loading, with the games folded lately kept in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

from bot.engine.errors import EngineError
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset
from bot.games.model.clock import ClockReading, control_of
from bot.games.model.errors import Damaged, NoSuchGame
from bot.games.model.game import (
    BrokenRecord,
    Entry,
    EntryKind,
    Game,
    Mirror,
    Offer,
    OfferKind,
    Origin,
    Place,
    Side,
    Status,
    blank_of,
    fold,
)
from bot.games.persistence import kept_rules
from bot.games.persistence.kept_rules import RulesFor
from bot.games.persistence.off_loop import find_turns
from bot.i18n import _
from bot.support.bounded import Bounded
from data.queries import games, mirrors, offers
from data.queries.game_rows import GameRow, SeatRow, StandingRow, TurnRow
from data.store import Transaction


class GameRepository:
    """Loads games in the caller's transaction. The fold of (id, ply) never changes, so what is kept cannot be stale;
    all else (status before the start, seats, offers, channel) is read anew."""

    def __init__(self, rules_for: RulesFor, size: int) -> None:
        self._rules_for = rules_for
        self._kept: Bounded[tuple[int, int], Game] = Bounded(size)
        self._newest: Bounded[int, int] = Bounded(size)
        self._rulesets: Bounded[tuple[str, str | None], Ruleset] = Bounded(size)
        self._running: Bounded[int, Game] = Bounded(size)
        self._channels: Bounded[int, int] = Bounded(size)

    def keep(self, game: Game) -> None:
        """Remember a game that has been stored. Never before its transaction is committed."""
        if game.started_at is None:
            return
        self._kept[game.id, game.ply] = game
        self._newest[game.id] = max(game.ply, self._newest.get(game.id, 0))

    def note(self, game: Game) -> None:
        """Remember where a game that has been stored is played. One of two servers may be changed by another process,
        so it is always looked up."""
        was_in = self._channels.pop(game.id, None)
        if was_in is not None and self._running.get(was_in, game).id == game.id:
            self._running.pop(was_in, None)
        if game.status == "running" and game.channel_id is not None and game.mirror is None:
            self._channels[game.id] = game.channel_id
            self._running[game.channel_id] = game

    def running_in(self, channel_id: int) -> Game | None:
        """The game that runs in a channel, where that is known without asking the store."""
        return self._running.get(channel_id)

    def noted(self, game_id: int) -> Game | None:
        """A game that runs, as it was last seen or stored here, offers included."""
        game = self._running.get(self._channels.get(game_id, 0))
        return game if game is not None and game.id == game_id else None

    async def must_stand(self, tx: Transaction, game: Game) -> None:
        """Let ``tx`` end with Changed if ``game`` stands otherwise than it is ``noted``."""
        offered = [_offer_row(offer) for offer in game.offers]
        await games.must_stand(tx, StandingRow(game.id, game.ply, game.status, game.channel_id, game.ended_at, offered))

    def forget(self, game_id: int) -> None:
        """Forget a game whose players have changed, or of which nobody knows how it is stored."""
        self._running.pop(self._channels.pop(game_id, 0), None)
        for key in [key for key in self._kept if key[0] == game_id]:
            del self._kept[key]
        self._newest.pop(game_id, None)

    def clear(self) -> None:
        """Forget all games."""
        for kept in (self._kept, self._newest, self._running, self._channels):
            kept.clear()

    def knows(self, game_id: int) -> bool:
        """Whether the game was loaded lately, so that loading it will be quick."""
        return self.known(game_id) is not None

    def known(self, game_id: int) -> Game | None:
        """The game as it was loaded lately."""
        return self._kept.get((game_id, self._newest.get(game_id, -1)))

    async def add(self, tx: Transaction, rules: Rules, new: GameRow, seats: Sequence[SeatRow]) -> Game:
        """Store a game for the first time, with the text of its rules."""
        await kept_rules.keep(tx, rules.variant)
        row = new._replace(id=await games.add_game(tx, new, seats))
        return from_row(row, seats, rules)

    async def load(self, tx: Transaction, game_id: int, *, to_change: bool = False) -> Game:
        """The game as it stands, its offers included. ``to_change`` keeps other writers from it.

        Raises NoSuchGame, or Damaged when its record cannot be replayed."""
        stands = await games.standing(tx, game_id, to_change=to_change)
        if stands is None:
            raise _no_game(game_id)
        return await self._as_it_stands(tx, stands)

    async def load_running(self, tx: Transaction, channel_id: int) -> Game | None:
        """The same of the game that runs in a channel."""
        stands = await games.standing_in(tx, channel_id)
        return None if stands is None else await self._as_it_stands(tx, stands)

    async def _as_it_stands(self, tx: Transaction, stands: StandingRow) -> Game:
        game_id = stands.id
        kept = self._kept.get((game_id, stands.ply))
        if kept is None or stands.status != "running":
            found = await games.with_seats(tx, game_id)
            if found is None:
                raise _no_game(game_id)
            row, seats = found
            if kept is None:
                kept = await self._folded(tx, row, seats)
            kept = replace(
                kept,
                players=tuple(seat.player for seat in seats),
                invited=tuple(seat.invited for seat in seats),
                colours=tuple(seat.colour for seat in seats),
            )
        await find_turns(kept)
        self.keep(kept)
        # Only tournaments have games of two servers.
        away = None if kept.casual else await mirrors.get(tx, game_id)
        mirror = None if away is None else Mirror(away.seat, away.guild_id, away.place_channel_id, away.channel_id)
        # What is still open of a game that is over stands no more.
        offered = tuple(map(_offer, stands.offers)) if stands.status == "running" else ()
        game = replace(kept, channel_id=stands.channel_id, offers=offered, ended_at=stands.ended_at, mirror=mirror)
        self.note(game)
        return game

    async def load_many(self, tx: Transaction, game_ids: Sequence[int]) -> None:
        """Load games, so that each is in memory when it is asked for. What is damaged says so only then."""
        for row, seats, turns in await games.with_records(tx, game_ids):
            with suppress(Damaged):
                folded = await _fold(await self._blank(tx, row, seats), map(entry_of, turns))
                await find_turns(folded)
                self.keep(folded)

    async def earlier(self, game: Game, ply: int) -> Game:
        """``game`` as it stood after entry ``ply``, without offers. Raises NoSuchGame when it has none, or Damaged."""
        if ply == game.ply:
            return replace(game, offers=())
        if not 0 <= ply < game.ply:
            raise NoSuchGame(_("Game {number} has no entry {entry}.").format(number=game.id, entry=ply))
        kept = self._kept.get((game.id, ply))
        if kept is None:
            kept = await _fold(blank_of(game), game.entries[:ply])
            self.keep(kept)
        return replace(kept, channel_id=game.channel_id, offers=(), ended_at=None, mirror=game.mirror)

    async def _folded(self, tx: Transaction, row: GameRow, seats: Sequence[SeatRow]) -> Game:
        newest = self._kept.get((row.id, self._newest.get(row.id, -1)))
        base = newest if newest and newest.ply < row.ply else await self._blank(tx, row, seats)
        turns = await games.turn_rows(tx, row.id, after=base.ply)
        return await _fold(base, map(entry_of, turns))

    async def _blank(self, tx: Transaction, row: GameRow, seats: Sequence[SeatRow]) -> Game:
        """A game before its first entry, under the rules that it was begun with. Raises Damaged."""
        try:
            ruleset = self._rulesets.get((row.variant_id, row.rules_hash))
            if ruleset is None:
                # What has this hash is never another text.
                ruleset = await kept_rules.find(tx, row.variant_id, row.rules_hash)
                self._rulesets[row.variant_id, row.rules_hash] = ruleset
            return from_row(row, seats, await kept_rules.made(self._rules_for, ruleset, row.options))
        except EngineError as error:
            raise _damaged(row.id, error.message) from error


def new_row(rules: Rules, place: Place, opener: int, at: int, start: str | None = None) -> GameRow:
    """The row of a challenge to a game that is opened ``at``, from the position ``start`` or the set-up; what is not as
    usual is to be replaced."""
    return GameRow(
        variant_id=rules.variant.id,
        rules_hash=rules.variant.ruleset.hash,
        options=rules.variant.options,
        guild_id=place.guild_id,
        place_channel_id=place.channel_id,
        answers_only=place.answers_only,
        opener=opener,
        side="lot",
        status="open",
        start=start,
        position=rules.position(rules.start(start)),
        opened_at=at,
        changed_at=at,
    )


def from_row(row: GameRow, seats: Sequence[SeatRow], rules: Rules) -> Game:
    """The game of a row before its first entry. Raises BadPosition."""
    state = rules.start(row.start)
    started = row.started_at is not None
    return Game(
        id=row.id,
        rules=rules,
        variant_id=row.variant_id,
        options=rules.variant.options,
        start=row.start,
        place=Place(row.guild_id, row.place_channel_id, row.answers_only),
        opener=row.opener,
        side=cast(Side, row.side),
        players=tuple(seat.player for seat in seats),
        invited=tuple(seat.invited for seat in seats),
        colours=tuple(seat.colour for seat in seats),
        status="running" if started else cast(Status, row.status),
        state=state,
        channel_id=row.channel_id,
        rematch_of=row.rematch_of,
        opened_at=row.opened_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        control=control_of(row.clock),
        casual=row.casual,
        rated=row.rated,
        origin=None if row.origin is None else Origin(**row.origin),
    )


def entry_of(row: TurnRow) -> Entry:
    shown = None if row.clock is None else ClockReading(tuple(row.clock["left"]), tuple(row.clock["spent"]))
    # SQLite keeps text in a column of numbers: here it is refused, by an error that does not tell it.
    return Entry(row.number, cast(EntryKind, row.kind), row.seat, row.text, +row.at, row.source, shown)


def row_of(entry: Entry) -> TurnRow:
    shown = entry.shown
    clock = None if shown is None else {"left": list(shown.left), "spent": list(shown.spent)}
    return TurnRow(entry.number, entry.kind, entry.seat, entry.text, entry.at, entry.source, clock)


def _offer(row: offers.OfferRow) -> Offer:
    kind = cast(OfferKind, row.kind)
    return Offer(row.id, kind, row.seat, row.ply, row.at, row.back_to, tuple(row.agreed))


def _offer_row(offer: Offer) -> offers.OfferRow:
    return offers.OfferRow(offer.id, offer.kind, offer.seat, offer.ply, offer.at, offer.back_to, [*offer.agreed])


async def _fold(base: Game, entries: Iterable[Entry]) -> Game:
    """``fold``, off the event loop when it is long. Raises Damaged."""
    waiting = tuple(entries)
    try:
        if not waiting or (len(waiting) == 1 and base.rules.quick(base.state)):
            return fold(base, waiting)
        return await asyncio.to_thread(fold, base, waiting)
    except BrokenRecord as broken:
        raise _damaged(base.id, str(broken)) from broken


def _no_game(game_id: int) -> NoSuchGame:
    return NoSuchGame(_("There is no game {number}.").format(number=game_id))


def _damaged(game_id: int, why: str) -> Damaged:
    template = _(
        "The record of game {number} is damaged ({why}). Ask whoever runs this bot to look at it with "
        "`damero check-store`."
    )
    return Damaged(template.format(number=game_id, why=why))
