"""What the use cases share: one transaction in which a game is changed, stored and announced."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import structlog

from bot.engine.turns import Turn
from bot.games.model import deadlines
from bot.games.model.announcements import (
    SHOWN_ANEW,
    AnsweredHow,
    BoardEvent,
    BoardPosted,
    Content,
    Digest,
    OfferClosed,
    Offered,
    RatingNote,
    Reminder,
    kind_of,
    to_json,
)
from bot.games.model.clock import Clock, ClockReading, Stop
from bot.games.model.computer_seats import person_of
from bot.games.model.errors import Duplicate
from bot.games.model.game import Entry, EntryKind, Game, Offer, append
from bot.games.model.preferences import Preferences
from bot.games.model.timers import CLOCK, ClockTimer
from bot.games.persistence import quiet_hours, two_servers
from bot.games.persistence.outages import Outages
from bot.games.persistence.preference_cache import PreferenceCache
from bot.games.persistence.repository import row_of
from bot.games.persistence.transactions import Transactions
from bot.support.frozen import frozen
from bot.support.signals import AwaitedSignal, Signal
from bot.support.time_units import HOUR
from data.queries import announcements, conditional_moves, games, offers, timers
from data.queries.announcements import AnnouncementRow
from data.queries.game_rows import GameChange
from data.store import Transaction

log = structlog.get_logger(__name__)

T = TypeVar("T")
Span = tuple[int, int | None]


@dataclass
class GameUnit:
    """A game within the transaction that changes it. ``game`` moves on with what is applied; nothing of it counts
    before the transaction is committed. ``due``: once it is scheduled, when the player to move must have moved."""

    tx: Transaction
    game: Game
    source: str
    now: int
    _outages: Outages
    _preferences: PreferenceCache[Preferences]
    _signals: GameSignals
    _transactions: Transactions
    due: int | None = None
    _timer_at: int | None = None
    _shown_again: bool = False
    """Whether the board, which could not be seen, is posted anew with this change: then time runs from now on."""
    _rating_note: RatingNote | None = None
    _stored_stops: tuple[list[Span], dict[int, list[tuple[int, int]]]] | None = None
    """The boards that could not be seen and the players' vacations, once they were asked for."""

    def __post_init__(self) -> None:
        self._ply = self.game.ply
        self._transactions.on_commit(self.tx, self._tell_timer)

    def change(self, game: Game) -> None:
        """Go on with the game as it is now; who changes it stores what has changed."""
        self.game = game

    def note_ratings(self, note: RatingNote) -> None:
        """What the game's end has done to ratings, for the post that tells of it."""
        self._rating_note = note

    def _tell_timer(self) -> None:
        if self._timer_at is not None:
            self._signals.timer_set.send(self._timer_at)

    async def append(
        self, kind: EntryKind, seat: int, text: str = "", turn: Turn | None = None, *, source: str | None = None
    ) -> None:
        """Append an entry to the record, with the cache and the offers that end by it. ``source``: where it comes
        from, if not from where the whole change does."""
        # A turn's source, and one of the entry's own, brings in nothing else, and the table holds it unique.
        if kind != "turn" and source is None:
            await self._not_twice(self.source)
        source = source or self.source
        shown = await self._shown(kind, seat, text)
        entry = Entry(self.game.ply + 1, kind, seat, text, self.now, source, shown)
        before = self.game
        # A takeback replays the game.
        game = await asyncio.to_thread(append, before, entry) if kind == "takeback" else append(before, entry, turn)
        over = game.status != "running"
        await games.add_turn(self.tx, game.id, row_of(entry))
        values: GameChange = {"ply": game.ply, "changed_at": self.now}
        if game.state is not before.state:
            values["position"] = game.rules.position(game.state)
        values["to_seat"] = None if over else game.state.seat
        if over:
            values |= {"status": game.status, "ended_at": self.now}
            game = replace(game, ended_at=self.now)
        if game.result is not None:
            result = game.result
            values |= {"winner": result.winner, "reason": str(result.reason), "places": list(result.places) or None}
        await games.change_game(self.tx, game.id, **values)
        self.game = game
        self._transactions.on_commit(self.tx, partial(self._signals.entered.send, game, entry))
        await self.schedule()
        if over:
            await conditional_moves.drop(self.tx, game.id)
            await self._signals.game_ended.send(self)
        for offer in before.offers:
            if over or not _outlasts(offer, entry):
                await self.close_offer(offer, "lapsed", None)

    async def _shown(self, kind: EntryKind, seat: int, text: str) -> ClockReading | None:
        """What the clocks show after an entry that is made now."""
        clock = self.game.clock
        if clock is None:
            return None
        await self._outages.keep_lasting(self.tx, self.game.place.guild_id, self.now)
        return deadlines.shown_after(self.game, clock, kind, seat, text, self.now, await self.stops(clock))

    async def stops(self, clock: Clock) -> list[Stop]:
        """When the time of the player to move stands still (Outages.standstills)."""
        if self._stored_stops is None:
            self._stored_stops = await announcements.stops(self.tx, self.game.id, self._ply, clock.since)
        boards, away = self._stored_stops
        # Of an entry that was made within this transaction no board has been announced yet.
        boards = boards if self.game.ply == self._ply else []
        if self._shown_again:
            boards = [(made, self.now if posted is None else posted) for made, posted in boards]
        return self._outages.standstills(self.game, clock, self.now, boards, away)

    async def moments(self, clock: Clock) -> deadlines.Moments:
        """When the stages of the present turn are reached, as the player to move has chosen quiet hours."""
        player = person_of(self.game.to_move)
        preferences = Preferences() if player is None else await self._preferences.of(self.tx, player)
        given = deadlines.granted(self.game, clock)
        return deadlines.moments(clock, given, await self.stops(clock), preferences.quiet_hours)

    async def schedule(self) -> None:
        """Set the game's timer for the player to move, or end it with the game."""
        clock = self.game.clock
        if clock is None:
            return
        self.due = self._timer_at = None
        if self.game.status != "running":
            await timers.drop(self.tx, CLOCK, self.game.id)
            return
        self.due = clock.due(await self.stops(clock))
        if (moment := deadlines.next_moment(await self.moments(clock), self.now)) is not None:
            at, stage = moment
            await self.set_clock(at, ClockTimer(stage, self.due))
        else:
            # Time stands still for nobody knows how long: look again.
            await self.set_clock(self.now + HOUR, ClockTimer())

    async def show_anew(self, *, moved: bool | None = None) -> None:
        """Give up the posts of the board, which could not be seen: it is posted anew, and time runs from now on. Where
        the game has ``moved``, on the second server of two (True) or the first, likewise those of offers there."""
        await announcements.give_up(self.tx, self.game.id, self.now, SHOWN_ANEW)
        for each in await announcements.pending(self.tx, self.game.id):
            if each.kind == "offer" and each.mirrored is moved:
                await announcements.withdraw(self.tx, each.id, self.now)
        self._transactions.on_commit(self.tx, partial(self._signals.unsaid.send, self.game.id))
        self._shown_again = True
        await self.schedule()

    async def set_clock(self, at: int, timer: ClockTimer) -> None:
        self._timer_at = at
        await timers.put(self.tx, CLOCK, self.game.id, at, timer.to_json())

    async def act(self, what: str, player: int, *, source: str | None = None) -> None:
        """Note that something was done that is no entry, so that its source is not applied again. ``source``: another
        than that of the whole change."""
        source = source or self.source
        await self._not_twice(source)
        await games.add_act(self.tx, source=source, what=what, game_id=self.game.id, player=player, at=self.now)

    async def _not_twice(self, source: str) -> None:
        """Entries and acts are kept in two tables: neither can hold a source unique in both."""
        if await games.applied(self.tx, source):
            raise Duplicate(source)

    async def announce(self, content: Content, *, edits: int | None = None, second: bool | None = None) -> int:
        """Put something to say in the outbox; its id, 0 for a board. Of a game of two servers it is said on both; an
        offer that stands on the ``second`` or the first alone, and so a board where it is to be seen on the other. Who
        has quiet hours now is not notified, and told when they end."""
        content, quiet_until = await quiet_hours.without_quiet(
            self.tx, self.game, content, self.now, self._preferences.of
        )
        if quiet_until is not None:
            self._transactions.on_commit(self.tx, partial(self._signals.timer_set.send, quiet_until))
        # So that the log of its posting, after a restart too, names what it came from.
        kind, payload = kind_of(content), {**to_json(content), "source": self.source}
        about: dict[str, Any] = {"game_id": self.game.id, "kind": kind, "ply": self.game.ply, "at": self.now}
        if isinstance(content, BoardPosted) and self.game.mirror is None and second is None:
            await self._add_later(about, payload)
            return 0
        seen = None
        if second is not None and isinstance(content, BoardPosted):
            seen = await two_servers.board_seen(self.tx, self.game, second=not second)
        if isinstance(content, OfferClosed):
            edits = await two_servers.offers_post(self.tx, self.game, content.offer, second=False)
        elif isinstance(content, Offered):
            # All posts of an offer are found by the first one.
            edits = content.offer or None
            if second and self.game.mirror is not None:
                return await self._add(about, {**payload, "mirror": True}, edits, None)
        first = await self._add(about, payload, edits, seen if second else None)
        here_alone = isinstance(content, Offered) and second is False
        if self.game.mirror is not None and not here_alone and not isinstance(content, Reminder | Digest):
            again = {**({"offer": first} if kind == "offer" else {}), **payload, "mirror": True}
            if isinstance(content, OfferClosed):
                edits = await two_servers.offers_post(self.tx, self.game, content.offer, second=True)
            elif isinstance(content, Offered):
                edits = content.offer or first
            await self._add(about, again, edits, None if second else seen)
        return first

    async def _add(
        self, about: Mapping[str, Any], payload: Mapping[str, Any], edits: int | None, seen: tuple[int, int] | None
    ) -> int:
        """An announcement; one that is ``seen`` in a message already is not posted."""
        new = await announcements.add(self.tx, **about, payload=payload, edits=edits)
        if seen is not None:
            await announcements.sent(self.tx, new, channel_id=seen[0], message_id=seen[1], at=self.now)
            return new
        row = self._row(about, payload, edits)
        self._transactions.on_commit(self.tx, lambda: self._signals.announced.send(row._replace(id=new)))
        return new

    async def _add_later(self, about: Mapping[str, Any], payload: Mapping[str, Any]) -> None:
        """An announcement that is stored on the way of the commit, for which the player waits anyway."""
        new_id = await announcements.add_later(self.tx, **about, payload=payload)
        row = self._row(about, payload, None)

        def tell() -> None:
            if (new := new_id()) is None:  # the connection was lost with it: what waits is looked up
                return self._signals.unsaid.send(row.game_id)
            return self._signals.announced.send(row._replace(id=new))

        self._transactions.on_commit(self.tx, tell)

    def _row(self, about: Mapping[str, Any], payload: Mapping[str, Any], edits: int | None) -> AnnouncementRow:
        """An announcement that has no id yet."""
        ids, at = (0, about["game_id"], about["kind"], about["ply"]), about["at"]
        return AnnouncementRow(*ids, payload, 0, at, at, edits, None, None, self.game.place.answers_only)

    async def announce_board(
        self,
        event: BoardEvent,
        by: int | None,
        *,
        seats_drawn: bool = False,
        tell: Sequence[int] = (),
        played_ahead: Sequence[int] = (),
        second: bool | None = None,
    ) -> None:
        """Announce the board as it stands. Of a running game the player to move is told; of one for two that is over
        the other player than ``by``. ``second``: of a game of two servers on the second or the first alone, where it is
        to be seen on the other."""
        player = person_of(self.game.to_move)
        if self.game.status != "running" and by is not None and len(self.game.players) == 2:
            player = person_of(next((other for other in self.game.players if other != by), None))
        elif player is not None and "turn" in (await self._preferences.of(self.tx, player)).muted:
            player = None
        await self.announce(
            BoardPosted(
                event=event,
                by=by,
                notify=() if player is None else (player,),
                tell=tuple(tell) or None,
                seats_drawn=seats_drawn,
                due=self.due,
                played_ahead=tuple(played_ahead),
                rating=self._rating_note,
            ),
            second=second,
        )

    async def close_offer(self, offer: Offer, how: AnsweredHow, by: int | None) -> None:
        await offers.close(self.tx, offer.id, how, self.now)
        self.game = replace(self.game, offers=tuple(o for o in self.game.offers if o.id != offer.id))
        await self.announce(OfferClosed(offer.id, offer.kind, how, by))


@frozen
class GameSignals:
    """What happens to games that others act upon. The first three are awaited in the transaction of what happens."""

    game_ended: AwaitedSignal[[GameUnit]] = field(default_factory=AwaitedSignal)
    """A game ends: what follows from it elsewhere (tournaments, ratings) is stored with it."""
    thread_opened: AwaitedSignal[[GameUnit]] = field(default_factory=AwaitedSignal)
    """A game has got its thread: what links it is to be shown anew."""
    outage_noted: AwaitedSignal[[Transaction]] = field(default_factory=AwaitedSignal)
    """An outage is stored: so is what it moves elsewhere."""
    announced: Signal[[AnnouncementRow]] = field(default_factory=Signal)
    """A transaction that was committed has something to say."""
    unsaid: Signal[[int]] = field(default_factory=Signal)
    """A transaction that was committed has changed what waits to be said in a game."""
    to_edit: Signal[[Sequence[int], Sequence[int]]] = field(default_factory=Signal)
    """A transaction that was committed wants the posts of these tournaments, and of these leagues and team matches, to
    be edited."""
    timer_set: Signal[[int]] = field(default_factory=Signal)
    """A transaction that was committed has set a timer for this moment."""
    entered: Signal[[Game, Entry]] = field(default_factory=Signal)
    """A transaction that was committed has brought an entry, after which the game stood so."""


def _outlasts(offer: Offer, entry: Entry) -> bool:
    """Whether an offer stands after an entry: a draw offer does when its own side or one that has agreed moves."""
    return offer.kind == "draw" and entry.kind == "turn" and (entry.seat == offer.seat or entry.seat in offer.agreed)
