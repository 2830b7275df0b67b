"""What the use cases share: one transaction in which a game is changed, stored and announced."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.rules import Turn
from bot.games.game import Entry, EntryKind, Game, Offer, append
from bot.games.outbox import AnnouncementKind
from bot.games.records import Records, RulesFor
from bot.games.refused import Duplicate, NotRunning, NotSeated, NotStored, Refused
from bot.games.transactions import reading, writing
from data import announcements as announcement_queries
from data import games as game_queries
from data import offers as offer_queries
from data.games import TurnRow
from data.store import Store


class Change:
    """A game within the transaction that changes it. ``game`` moves on with what is applied; nothing of it counts
    before the transaction is committed."""

    def __init__(self, tx: AsyncConnection, game: Game, source: str, now: int) -> None:
        self.tx = tx
        self.game = game
        self.source = source
        self.now = now

    async def enter(self, kind: EntryKind, seat: int, text: str = "", turn: Turn | None = None) -> None:
        """Append an entry to the record, with the cache and the offers that end by it."""
        if kind != "turn":  # a turn's source brings in nothing else, and the table holds it unique
            await self._not_twice()
        entry = Entry(self.game.ply + 1, kind, seat, text, self.now, self.source)
        before, game = self.game, append(self.game, entry, turn)
        over = game.status != "running"
        row = TurnRow(entry.number, entry.kind, entry.seat, entry.text, entry.at, entry.source)
        await game_queries.add_turn(self.tx, game.id, row)
        values: dict[str, Any] = {"ply": game.ply, "changed_at": self.now}
        if game.state is not before.state:
            values["position"] = game.rules.position(game.state)
        values["to_seat"] = None if over else game.state.seat
        if over:
            values |= {"status": game.status, "ended_at": self.now}
            game = replace(game, ended_at=self.now)
        if game.result is not None:
            result = game.result
            values |= {"winner": result.winner, "reason": result.reason, "places": list(result.places) or None}
        await game_queries.change_game(self.tx, game.id, values)
        self.game = game
        for offer in before.offers:
            if over or not _outlasts(offer, entry):
                await self.close_offer(offer, "lapsed", None)

    async def act(self, what: str, player: int) -> None:
        """Note that something was done that is no entry, so that its source is not applied again."""
        await self._not_twice()
        await game_queries.add_act(
            self.tx, source=self.source, what=what, game_id=self.game.id, player=player, at=self.now
        )

    async def _not_twice(self) -> None:
        """Entries and acts are kept in two tables: neither can hold a source unique in both."""
        if await game_queries.applied(self.tx, self.source):
            raise Duplicate(self.source)

    async def announce(self, kind: AnnouncementKind, payload: Mapping[str, Any], *, edits: int | None = None) -> int:
        """Put something to say in the outbox; its id."""
        return await announcement_queries.add(
            self.tx, game_id=self.game.id, kind=kind, ply=self.game.ply, payload=payload, at=self.now, edits=edits
        )

    async def announce_board(self, event: str, by: int | None, *, lot: bool = False) -> None:
        """Announce the board as it stands. Of a running game the player to move is told; of one for two that is over
        the other player than ``by``."""
        ping = self.game.to_move
        if self.game.status != "running" and by is not None and len(self.game.players) == 2:
            ping = next((player for player in self.game.players if player != by), None)
        await self.announce("board", {"event": event, "by": by, "ping": ping, "lot": lot})

    async def close_offer(self, offer: Offer, how: str, by: int | None) -> None:
        """Close a standing offer as "agreed", "declined" or "lapsed"."""
        await offer_queries.close(self.tx, offer.id, how, self.now)
        self.game = replace(self.game, offers=tuple(o for o in self.game.offers if o.id != offer.id))
        payload = {"offer": offer.id, "offer_kind": offer.kind, "how": how, "by": by}
        await self.announce("offer_closed", payload, edits=offer.id)


class Desk:
    """Where use cases begin and end."""

    def __init__(
        self, store: Store, clock: Callable[[], int], lots: random.Random, rules_for: RulesFor, cache_size: int
    ) -> None:
        self._store = store
        self._clock = clock
        self._lots = lots
        self._rules_for = rules_for
        self._records = Records(rules_for, cache_size)

    @asynccontextmanager
    async def _changing(self, game_id: int, source: str) -> AsyncIterator[Change]:
        """The transaction of a use case on one game. A refusal of what was applied before becomes Duplicate."""
        if not self._records.knows(game_id):
            # A long record is folded before the queue, not while everybody waits in it.
            await self._loaded(game_id)
        async with self._writing(source) as tx:
            change = Change(tx, await self._records.load(tx, game_id, to_change=True), source, self._clock())
            yield change
        self._records.keep(change.game)

    @asynccontextmanager
    async def _writing(self, source: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that may write, with the store's failures told to people."""
        try:
            async with writing(self._store) as tx:
                try:
                    yield tx
                except Refused:
                    if await game_queries.applied(tx, source):
                        raise Duplicate(source) from None
                    raise
        except IntegrityError as error:
            async with reading(self._store) as tx:
                if await game_queries.applied(tx, source):
                    raise Duplicate(source) from error
            raise NotStored("Something else happened at the same moment. Please try again.") from error

    async def _loaded(self, game_id: int) -> Game:
        async with reading(self._store) as tx:
            return await self._records.load(tx, game_id)


def seated(game: Game, player: int) -> int:
    """The seat of ``player``. Raises NotSeated."""
    seat = game.seat_of(player)
    if seat is None:
        raise NotSeated("You do not play in this game.", game)
    return seat


def playing(game: Game, player: int) -> int:
    """The seat at which ``player`` still plays in a running game. Raises NotSeated or NotRunning."""
    seat = seated(game, player)
    if game.status == "open":
        raise NotRunning("This game has not begun: the challenge is still open.", game)
    if game.status != "running":
        raise NotRunning("This game is over.", game)
    if seat not in game.playing:
        raise NotSeated("You have left this game.", game)
    return seat


def _outlasts(offer: Offer, entry: Entry) -> bool:
    """Whether an offer stands after an entry: a draw offer does when its own side or one that has agreed moves."""
    return offer.kind == "draw" and entry.kind == "turn" and (entry.seat == offer.seat or entry.seat in offer.agreed)
