"""What the games have to say to the channels, in order, until it has been said.

Announcements are written in the transaction of what they announce (bot.games.service); here they are handed to whoever
delivers them, and marked. Order holds within a game, of a game of two servers on each of them: nothing overtakes an
announcement that must be tried again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.games.model.announcements import Content, Deed, Editable, Kind, content_of, kind_of
from bot.games.model.errors import NotStored
from bot.games.persistence.transactions import reading, writing
from bot.support.bounded import Bounded
from bot.support.frozen import frozen
from bot.support.signals import Signal
from data.queries import announcements as queries
from data.queries.announcements import AnnouncementRow
from data.store import Store

_KEPT: Final = 10_000
"""Games of which it is remembered what waits in them: of most of them nothing."""


@frozen
class PostedMessage:
    """A message that was posted for an announcement."""

    channel_id: int
    message_id: int


@frozen(kw_only=True)
class Announcement:
    """One thing to say of a game as it stood at ``ply``, made at ``made_at`` (UTC, milliseconds). ``edits`` is the post
    that it changes, for kinds that change one: None means that it never came to be posted, and there is nothing to
    change (drop it). ``mirrored``: it is said on the second server of a game of two. ``source``: what it came from,
    None where an older version has not noted it. ``answers_only``: of a game where the bot may only answer."""

    id: int
    game_id: int
    ply: int
    content: Content
    attempts: int
    next_try_at: int
    edits: PostedMessage | None
    made_at: int = 0
    mirrored: bool = False
    source: str | None = None
    answers_only: bool = False

    @property
    def kind(self) -> Kind:
        """The name of what it is."""
        return kind_of(self.content)

    @property
    def by(self) -> int | None:
        """Whose act it tells of; None where it is nobody's."""
        return self.content.by if isinstance(self.content, Deed) else None

    @property
    def nonce(self) -> str:
        """What Discord knows a second try by: at most 25 characters, others in a database that was begun anew."""
        return f"{self.id}.{self.made_at:x}"[:25]


class PostOutcome(Enum):
    """What became of a try to post."""

    SENT = "sent"
    PUT_OFF = "put_off"
    """It is tried again: Discord is in trouble, or out of reach."""
    CLOSED = "closed"
    """It is tried again: the channel is closed to the bot, which its server alone can change."""
    GIVEN_UP = "given_up"


@dataclass(eq=False, slots=True)
class _Mark:
    """That an announcement was sent, which is to be stored. ``error``: why it was not."""

    announcement: Announcement
    channel_id: int
    message_id: int
    stored: bool = False
    error: NotStored | None = None


class Outbox:
    """The announcements that wait, of the games that this process acts for. ``clock`` gives UTC in milliseconds.
    ``tried`` is told what became of each try, and how many milliseconds after it was made.

    Where it is told of what is stored (``follow``), it remembers of games that were asked for what waits in them, so
    that the store need not be asked again.

    Every method raises NotStored when the database cannot be read or written just now."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._follows = False
        self._waiting: Bounded[int, list[Announcement]] = Bounded(_KEPT)
        self._stale: set[int] = set()
        self._marks: list[_Mark] = []
        self._marking = asyncio.Lock()
        self.tried: Signal[[Announcement, PostOutcome, int]] = Signal()

    def follow(self, announced: Signal[[AnnouncementRow]], unsaid: Signal[[int]]) -> None:
        """From now on this is told of each announcement that was stored, and of each game in which something that waits
        was changed or taken back."""
        self._follows = True
        announced.connect(self._announced)
        unsaid.connect(self._unsaid)

    def _announced(self, row: AnnouncementRow) -> None:
        if (known := self._waiting.get(row.game_id)) is not None:
            if row.edits is None:
                known.append(announcement_of(row))
            else:
                self._forget(row.game_id)

    def _unsaid(self, game_id: int) -> None:
        self._stale.add(game_id)
        self._forget(game_id)

    def is_stale(self, game_id: int) -> bool:
        """Whether something of what was last ``due`` in a game has been changed or taken back since: ask again."""
        return game_id in self._stale

    def waits(self, game_id: int) -> bool:
        """Whether something of a game is known to wait, without asking the store."""
        return bool(self._waiting.get(game_id))

    def is_said(self, game_id: int) -> bool:
        """Whether nothing of a game is known to wait, without asking the store."""
        known = self._waiting.get(game_id)
        return known is not None and not known

    def _forget(self, game_id: int) -> None:
        self._waiting.pop(game_id, None)

    async def due(self, game_id: int | None = None) -> list[Announcement]:
        """What may be sent now, in order within each game: of one game, or of all. A game whose first waiting
        announcement pauses until later has nothing due, a game of two servers nothing on that server. An edit of a post
        that is still to be made is due when that has been sent: ask again until ``next_try`` is None or later."""
        if game_id is None or not self._follows:
            return self._ready(await self._pending(game_id))
        self._stale.discard(game_id)
        if known := self._waiting.get(game_id):
            return list(known)
        added = self._waiting[game_id] = []
        try:
            rows = await self._pending(game_id)
        finally:
            # Whether what was added meanwhile is among the rows is not known.
            unchanged = self._waiting.pop(game_id, None) is added and not added
        ready = self._ready(rows)
        if unchanged and len(ready) == len(rows):
            self._waiting[game_id] = [*ready]
        return ready

    async def _pending(self, game_id: int | None) -> list[AnnouncementRow]:
        async with reading(self._store, once=True) as tx:
            return await queries.pending(tx, game_id, self._store.shards)

    def _ready(self, rows: list[AnnouncementRow]) -> list[Announcement]:
        now = self._clock()
        waiting = {row.id for row in rows}
        later: set[tuple[int, bool]] = set()
        ready = []
        for row in rows:
            # The copy of an offer names the offer, and does not wait for it.
            edits_later = row.edits in waiting and row.kind != "offer"
            if (line := _line(row)) in later or row.next_try_at > now or edits_later:
                later.add(line)
            else:
                ready.append(announcement_of(row))
        return ready

    async def games_waiting(self) -> list[int]:
        """The games that have anything to say, due or pausing, in order of their oldest announcement."""
        async with reading(self._store, once=True) as tx:
            return await queries.games_waiting(tx, self._store.shards)

    async def next_try(self, game_id: int) -> int | None:
        """When the game's first waiting announcement, of a game of two servers that of either, may be tried; None when
        nothing waits."""
        first: dict[tuple[int, bool], int] = {}
        for row in await self._pending(game_id):
            first.setdefault(_line(row), row.next_try_at)
        return min(first.values(), default=None)

    async def wake(self) -> None:
        """Forget every pause (at start-up: all that waits is due)."""
        self._waiting.clear()
        async with writing(self._store) as tx:
            await queries.wake(tx, self._clock(), self._store.shards)

    async def sent(self, announcement: Announcement, message_id: int, channel_id: int) -> None:
        """Mark it as said, with the message that says it (of an edit: the message that was edited). Those that come
        while others are being marked are marked in one transaction."""
        mark = _Mark(announcement, channel_id, message_id)
        self._marks.append(mark)
        try:
            async with self._marking:
                if not (mark.stored or mark.error):
                    await self._store_marks(tuple(self._marks))
        finally:
            self._marks.remove(mark)
        if mark.error is not None:
            raise mark.error
        if known := self._waiting.get(announcement.game_id):
            self._waiting[announcement.game_id] = [each for each in known if each.id != announcement.id]
        self._tell(announcement, PostOutcome.SENT)

    async def _store_marks(self, marks: Sequence[_Mark]) -> None:
        try:
            # A mark that is lost with the power is made anew: what was posted is found, unless it was edited since.
            lasting = any(isinstance(mark.announcement.content, Editable) for mark in marks)
            async with writing(self._store, lasting=lasting) as tx:
                # Who moved while this waited had not seen it: their clock has been reckoned so.
                now = self._clock()
                for mark in marks:
                    about = {"channel_id": mark.channel_id, "message_id": mark.message_id, "at": now}
                    await queries.sent(tx, mark.announcement.id, **about)
        except NotStored as error:
            for mark in marks:
                mark.error = error
        else:
            for mark in marks:
                mark.stored = True

    async def failed(self, announcement: Announcement, retry_at: int | None, *, closed: bool = False) -> None:
        """Try it again from ``retry_at`` (UTC, milliseconds), or, with None, give it up. ``closed``: it is the channel
        that is closed to the bot."""
        self._forget(announcement.game_id)
        async with writing(self._store) as tx:
            if retry_at is None:
                await queries.dropped(tx, announcement.id, self._clock())
            else:
                await queries.pause(tx, announcement.id, retry_at)
        waits = PostOutcome.CLOSED if closed else PostOutcome.PUT_OFF
        self._tell(announcement, PostOutcome.GIVEN_UP if retry_at is None else waits)

    def _tell(self, announcement: Announcement, outcome: PostOutcome) -> None:
        self.tried.send(announcement, outcome, self._clock() - announcement.made_at)

    async def is_post(self, game_id: int, message_id: int) -> bool:
        """Whether an announcement of a game, or of another one of its people, is known to be said by a message."""
        async with reading(self._store, once=True) as tx:
            return await queries.is_post(tx, game_id, message_id)

    async def posted(self, game_id: int, kind: Kind, channel_id: int | None = None) -> PostedMessage | None:
        """The newest post of a kind of a game (in one channel), such as that of its challenge, from which its thread is
        made; None when there is none."""
        async with reading(self._store, once=True) as tx:
            message = await queries.posted(tx, game_id, kind, channel_id)
        return None if message is None else PostedMessage(*message)


def _line(row: AnnouncementRow) -> tuple[int, bool]:
    """What keeps its order: the announcements of a game, on the second server of two by themselves."""
    return row.game_id, row.mirrored


def announcement_of(row: AnnouncementRow) -> Announcement:
    """An announcement that waits, from its row."""
    # An offer goes by the id of its announcement; a copy for another server names the first one's.
    offer = {"offer": row.id} if row.kind == "offer" else {}
    edits = None
    if row.edits_channel_id is not None and row.edits_message_id is not None:
        edits = PostedMessage(row.edits_channel_id, row.edits_message_id)
    return Announcement(
        id=row.id,
        game_id=row.game_id,
        ply=row.ply,
        content=content_of(row.kind, {**offer, **row.payload}),
        attempts=row.attempts,
        next_try_at=row.next_try_at,
        made_at=row.made_at,
        edits=edits,
        mirrored=row.mirrored,
        source=row.payload.get("source"),
        answers_only=row.answers_only,
    )
