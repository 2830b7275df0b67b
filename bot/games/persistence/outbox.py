"""What the games have to say to the channels, in order, until it has been said.

Announcements are written in the transaction of what they announce (bot.games.service); here they are handed to whoever
delivers them, and marked. Order holds within a game: nothing overtakes an announcement that must be tried again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from bot.games.model.announcements import Content, Deed, Kind, content_of, kind_of
from bot.games.persistence.transactions import reading, writing
from bot.support.signals import Signal
from data.queries import announcements as queries
from data.queries.announcements import AnnouncementRow
from data.store import Store


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A message that was posted for an announcement."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
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


class Outbox:
    """The announcements that wait. ``clock`` gives UTC in milliseconds. ``tried`` is told what became of each try, and
    how many milliseconds after it was made.

    Every method raises NotStored when the database cannot be read or written just now."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self.tried: Signal[[Announcement, PostOutcome, int]] = Signal()

    async def due(self, game_id: int | None = None) -> list[Announcement]:
        """What may be sent now, in order within each game: of one game, or of all. A game whose first waiting
        announcement pauses until later has nothing due. An edit of a post that is still to be made is due when that
        has been sent: ask again until ``next_try`` is None or later."""
        async with reading(self._store) as tx:
            rows = await queries.pending(tx, game_id)
        now = self._clock()
        waiting = {row.id for row in rows}
        later: set[int] = set()
        ready = []
        for row in rows:
            if row.game_id in later or row.next_try_at > now or row.edits in waiting:
                later.add(row.game_id)
            else:
                ready.append(announcement_of(row))
        return ready

    async def games_waiting(self) -> list[int]:
        """The games that have anything to say, due or pausing, in order of their oldest announcement."""
        async with reading(self._store) as tx:
            return await queries.games_waiting(tx)

    async def next_try(self, game_id: int) -> int | None:
        """When the game's first waiting announcement may be tried; None when nothing waits."""
        async with reading(self._store) as tx:
            return await queries.next_try(tx, game_id)

    async def wake(self) -> None:
        """Forget every pause (at start-up: all that waits is due)."""
        async with writing(self._store) as tx:
            await queries.wake(tx, self._clock())

    async def sent(self, announcement: Announcement, message_id: int, channel_id: int) -> None:
        """Mark it as said, with the message that says it (of an edit: the message that was edited)."""
        async with writing(self._store) as tx:
            await queries.sent(tx, announcement.id, channel_id=channel_id, message_id=message_id, at=self._clock())
        self._tell(announcement, PostOutcome.SENT)

    async def failed(self, announcement: Announcement, retry_at: int | None, *, closed: bool = False) -> None:
        """Try it again from ``retry_at`` (UTC, milliseconds), or, with None, give it up. ``closed``: it is the channel
        that is closed to the bot."""
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
        """Whether an announcement of a game is known to be said by a message."""
        async with reading(self._store) as tx:
            return await queries.is_post(tx, game_id, message_id)

    async def posted(self, game_id: int, kind: Kind, channel_id: int | None = None) -> PostedMessage | None:
        """The newest post of a kind of a game (in one channel), such as that of its challenge, from which its thread is
        made; None when there is none."""
        async with reading(self._store) as tx:
            message = await queries.posted(tx, game_id, kind, channel_id)
        return None if message is None else PostedMessage(*message)


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
        mirrored=bool(row.payload.get("mirror")),
        source=row.payload.get("source"),
        answers_only=row.answers_only,
    )
