"""What the use cases share: one transaction in which a game is changed, stored and announced."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.rules import Turn
from bot.games.model import deadlines
from bot.games.model.clock import HOUR, Clock, ClockReading, Stop
from bot.games.model.computer_seats import person_of
from bot.games.model.errors import Duplicate, NotRunning, NotSeated, NotStored, Refused
from bot.games.model.game import Entry, EntryKind, Game, Offer, append
from bot.games.model.preferences import Preferences
from bot.games.persistence import quiet_hours
from bot.games.persistence.outbox import AnnouncementKind
from bot.games.persistence.repository import GameRepository, RulesFor, shown_kept
from bot.games.persistence.transactions import reading, writing
from bot.i18n import _, kept
from data.queries import announcements as announcement_queries
from data.queries import conditional_moves as plan_queries
from data.queries import games as game_queries
from data.queries import offers as offer_queries
from data.queries import people as people_queries
from data.queries import timers as timer_queries
from data.queries.games import TurnRow
from data.store import Store

CLOCK = "clock"
"""The kind of timer that each running game with a clock has one of."""

_PEOPLE = 10_000


class GameUnit:
    """A game within the transaction that changes it. ``game`` moves on with what is applied; nothing of it counts
    before the transaction is committed."""

    def __init__(self, tx: AsyncConnection, work: GameWork, game: Game, source: str, now: int) -> None:
        """``due`` is, once it is scheduled, when the player to move must have
        moved, and ``timer_at`` when there is next anything to do about it."""
        self.tx = tx
        self.game = game
        self.source = source
        self.now = now
        self.due: int | None = None
        self.timer_at: int | None = None
        self.shown_again = False
        """Whether the board, which could not be seen, is posted anew with this change: then time runs from now on."""
        self.outcome: Mapping[str, Any] = {}
        """What the game's end has led to elsewhere, for the post that tells of it."""
        self._work = work

    async def enter(self, kind: EntryKind, seat: int, text: str = "", turn: Turn | None = None) -> None:
        """Append an entry to the record, with the cache and the offers that end by it."""
        if kind != "turn":  # a turn's source brings in nothing else, and the table holds it unique
            await self._not_twice()
        shown = await self._shown(kind, seat, text)
        entry = Entry(self.game.ply + 1, kind, seat, text, self.now, self.source, shown)
        before, game = self.game, append(self.game, entry, turn)
        over = game.status != "running"
        row = TurnRow(entry.number, entry.kind, entry.seat, entry.text, entry.at, entry.source, shown_kept(shown))
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
            values |= {"winner": result.winner, "reason": str(result.reason), "places": list(result.places) or None}
        await game_queries.change_game(self.tx, game.id, values)
        self.game = game
        await self.schedule()
        if over:
            await plan_queries.drop(self.tx, game.id)
            await self._work.on_end(self)
        for offer in before.offers:
            if over or not _outlasts(offer, entry):
                await self.close_offer(offer, "lapsed", None)

    async def _shown(self, kind: EntryKind, seat: int, text: str) -> ClockReading | None:
        """What the clocks show after an entry that is made now."""
        clock = self.game.clock
        if clock is None:
            return None
        lost_at = self._work._lost_at
        if lost_at is not None and lost_at < self.now:
            # What an entry is reckoned with is kept with it, however the outage ends.
            await timer_queries.add_outage(self.tx, lost_at, self.now)
        return deadlines.shown_after(self.game, clock, kind, seat, text, self.now, await self.stops(clock))

    async def stops(self, clock: Clock) -> list[Stop]:
        """When the time of the player to move stands still: while the bot is away, while the board cannot be posted,
        and, in a casual game, in that player's own vacations."""
        stops = deadlines.overlapping(self._work._outages, clock.since)
        lost_at = self._work._lost_at
        if lost_at is not None:
            stops.append((lost_at, self.now))
        boards = await announcement_queries.unseen(self.tx, self.game.id, self.game.ply)
        if self.shown_again:
            boards = [(made, self.now if posted is None else posted) for made, posted in boards]
        stops += deadlines.unseen(boards)
        player = self.game.players[clock.seat]
        if self.game.casual and player is not None and not clock.control.live:
            stops += await timer_queries.vacations_of(self.tx, player, clock.since)
        return stops

    async def schedule(self) -> None:
        """Set the game's timer for the player to move, or end it with the game."""
        clock = self.game.clock
        if clock is None:
            return
        self.due = self.timer_at = None
        if self.game.status == "running":
            stops = await self.stops(clock)
            self.due = clock.due(stops)
            moment = deadlines.next_moment(clock, stops, self.now)
            if moment is not None:
                self.timer_at, stage = moment
                payload = {"stage": stage, "due": self.due}
                await timer_queries.put(self.tx, CLOCK, self.game.id, self.timer_at, payload)
                return
            # Time stands still for nobody knows how long: look again.
            self.timer_at = self.now + HOUR
            await timer_queries.put(self.tx, CLOCK, self.game.id, self.timer_at, {"stage": "end", "due": None})
            return
        await timer_queries.drop(self.tx, CLOCK, self.game.id)

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
        """Put something to say in the outbox; its id. Of a game of two servers it is said on both. Who has quiet hours
        now is not pinged, and told when they end."""
        payload, quiet_until = await quiet_hours.without_quiet(
            self.tx, self.game, payload, self.now, self._work._preferences_of
        )
        if quiet_until is not None:
            at = quiet_until
            self._work.after(self.tx, lambda: self._work.timer_set(at))
        about: dict[str, Any] = {"game_id": self.game.id, "kind": kind, "ply": self.game.ply, "at": self.now}
        first = await announcement_queries.add(self.tx, **about, payload=kept(payload), edits=edits)
        if self.game.mirror is not None and kind not in ("reminder", "digest"):
            copied = None if edits is None else await announcement_queries.copy_of(self.tx, edits)
            again = {**({"offer": first} if kind == "offer" else {}), **payload, "mirror": True}
            # An offer's copy is found by the offer that it names.
            edited = first if kind == "offer" else copied
            await announcement_queries.add(self.tx, **about, payload=kept(again), edits=edited)
        return first

    async def announce_board(
        self, event: str, by: int | None, *, lot: bool = False, tell: Sequence[int] = (), planned: Sequence[int] = ()
    ) -> None:
        """Announce the board as it stands. Of a running game the player to move is told; of one for two that is over
        the other player than ``by``."""
        ping = person_of(self.game.to_move)
        if self.game.status != "running" and by is not None and len(self.game.players) == 2:
            ping = person_of(next((player for player in self.game.players if player != by), None))
        elif ping is not None and "turn" in (await self._work._preferences_of(self.tx, ping)).muted:
            ping = None
        payload: dict[str, Any] = {"event": event, "by": by, "ping": ping, "lot": lot}
        if planned:
            payload["planned"] = list(planned)
        if tell:
            payload["tell"] = list(tell)
        if self.due is not None:
            payload["due"] = self.due
        await self.announce("board", payload | dict(self.outcome))

    async def close_offer(self, offer: Offer, how: str, by: int | None) -> None:
        """Close a standing offer as "agreed", "declined" or "lapsed"."""
        await offer_queries.close(self.tx, offer.id, how, self.now)
        self.game = replace(self.game, offers=tuple(o for o in self.game.offers if o.id != offer.id))
        payload = {"offer": offer.id, "offer_kind": offer.kind, "how": how, "by": by}
        await self.announce("offer_closed", payload, edits=offer.id)


class GameWork:
    """Where use cases begin and end."""

    def __init__(
        self, store: Store, clock: Callable[[], int], lots: random.Random, rules_for: RulesFor, cache_size: int
    ) -> None:
        self._store = store
        self._clock = clock
        self._lots = lots
        self._rules_for = rules_for
        self._records = GameRepository(rules_for, cache_size)
        self._outages: list[Stop] = []
        self._lost_at: int | None = None
        self._wishes: dict[int, Preferences] = {}
        self._servers: dict[int, Any] = {}  # people.Server, by guild
        self._afterwards: dict[AsyncConnection, list[Callable[[], None]]] = {}
        self.on_end: Callable[[GameUnit], Awaitable[None]] = _nothing
        """Called in the transaction in which a game ends, for what follows from it elsewhere (tournaments, ratings)."""
        self.on_outage: Callable[[AsyncConnection], Awaitable[None]] = _nothing
        """Called in the transaction in which an outage is noted, for what it moves elsewhere."""
        self.timer_set: Callable[[int], None] = lambda at: None
        """Told, after each transaction, of the moment for which it has set a timer."""

    def _change(self, tx: AsyncConnection, game: Game, source: str) -> GameUnit:
        """A game that is about to be changed in ``tx``."""
        return GameUnit(tx, self, game, source, self._clock())

    async def _preferences_of(self, tx: AsyncConnection, person: int) -> Preferences:
        """What a person has chosen, from memory where it was asked for before."""
        preferences = self._wishes.get(person)
        if preferences is None:
            preferences = Preferences.of(await people_queries.settings_of(tx, person))
            self._wishes[person] = preferences
            if len(self._wishes) > _PEOPLE:
                self._wishes.pop(next(iter(self._wishes)))
        return preferences

    @asynccontextmanager
    async def _changing(self, game_id: int, source: str) -> AsyncIterator[GameUnit]:
        """The transaction of a use case on one game. A refusal of what was applied before becomes Duplicate."""
        if not self._records.knows(game_id):
            # A long record is folded before the queue, not while everybody waits in it.
            await self._loaded(game_id)
        async with self._writing(source) as tx:
            change = self._change(tx, await self._records.load(tx, game_id, to_change=True), source)
            yield change
        self._records.keep(change.game)
        if change.timer_at is not None:
            self.timer_set(change.timer_at)

    @asynccontextmanager
    async def _writing(self, source: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that may write, with the store's failures told to people."""
        afterwards: list[Callable[[], None]] = []
        try:
            async with writing(self._store) as tx:
                try:
                    self._afterwards[tx] = afterwards
                    yield tx
                except Refused:
                    if await game_queries.applied(tx, source):
                        raise Duplicate(source) from None
                    raise
                finally:
                    self._afterwards.pop(tx, None)
        except IntegrityError as error:
            async with reading(self._store) as tx:
                if await game_queries.applied(tx, source):
                    raise Duplicate(source) from error
            raise NotStored(_("Something else happened at the same moment. Please try again.")) from error
        for call in afterwards:
            call()

    def after(self, tx: AsyncConnection, call: Callable[[], None]) -> None:
        """Let ``call`` be made once ``tx`` has been committed."""
        self._afterwards[tx].append(call)

    async def _loaded(self, game_id: int) -> Game:
        async with reading(self._store) as tx:
            return await self._records.load(tx, game_id)


async def _nothing(_change: GameUnit | AsyncConnection) -> None:
    return


def seated(game: Game, player: int) -> int:
    """The seat of ``player``. Raises NotSeated."""
    seat = game.seat_of(player)
    if seat is None:
        raise NotSeated(_("You do not play in this game."), game)
    return seat


def playing(game: Game, player: int) -> int:
    """The seat at which ``player`` still plays in a running game. Raises NotSeated or NotRunning."""
    seat = seated(game, player)
    if game.status == "open":
        raise NotRunning(_("This game has not begun: the challenge is still open."), game)
    if game.status != "running":
        raise NotRunning(_("This game is over."), game)
    if seat in game.left:
        raise NotSeated(_("You have left this game."), game)
    if seat not in game.playing:
        raise NotSeated(_("Your pegs are home: the others play on without you."), game)
    return seat


def present(game: Game, player: int) -> int:
    """The seat of a player of a running game who has not left it, still playing or home. Raises NotSeated or
    NotRunning."""
    seat = seated(game, player)
    return seat if game.status == "running" and seat in game.present else playing(game, player)


def check_moves_may_go_back(game: Game) -> None:
    """Raises Refused in a game of a tournament and in a rated one: there moves stand."""
    if not game.casual:
        raise Refused(_("Moves of a tournament's game stand: nothing is taken back."), game)
    if game.rated:
        raise Refused(_("This game is rated, so moves stand: nothing is taken back. Play unrated to be free to."), game)


def _outlasts(offer: Offer, entry: Entry) -> bool:
    """Whether an offer stands after an entry: a draw offer does when its own side or one that has agreed moves."""
    return offer.kind == "draw" and entry.kind == "turn" and (entry.seat == offer.seat or entry.seat in offer.agreed)
