"""What the games have to say to the channels, in order, until it has been said.

Announcements are written in the transaction of what they announce (bot.games.service); here they are handed to whoever
delivers them, and marked. Order holds within a game: nothing overtakes an announcement that must be tried again.

Kinds, and what their ``payload`` holds besides what the game itself says (ids of people are integers; texts are
phrases of bot.i18n, so that each is said in the language of those who read it):

``challenge``         ``{"ping": [ids invited]}``. A post with Accept, Decline and Withdraw.
``challenge_changed`` ``{}``. Somebody joined a table with seats still free: edit the challenge.
``challenge_closed``  ``{"how": "accepted"|"declined"|"withdrawn", "by": id}``. Edit the challenge; its buttons go.
``board``             ``{"event": "start"|"turn"|"takeback"|"undo"|"resign"|"timeout"|"draw"|"moved",
                      "by": id|None, "ping": id|None, "lot": bool}``. A new post of the game as it stood at ``ply``
                      (``Games.game(game_id, ply)``), result included. ``lot``: the seats were drawn just now. ``due``:
                      when the player to move must have moved. ``tell``: people to notify besides (the end by time).
                      ``heading``: the event that the game is part of.
                      ``planned``: the numbers of entries that a plan has played after the turn; the post tells of all.
``offer``             ``{"offer": offer id, "offer_kind": "draw"|"takeback", "by": id, "ping": [ids asked],
                      "back_to": number|None}``. A post with Accept and Decline. The offer's id is the announcement's.
``offer_closed``      ``{"offer": offer id, "offer_kind": "draw"|"takeback", "how": "agreed"|"declined"|"lapsed",
                      "by": id|None}``. Edit the offer's post; its buttons go.
``note``              ``{"sentence": phrase, "ping": id|None, "tell": [ids]}``. A plain sentence.
                      Of a game that is played on two servers each of these is announced twice, the second time with
                      ``mirror`` for the other server.
``reminder``          ``{"to": id, "stage": "half"|"most"|"last"|"turn"|"over"|"challenge", "due": ms|None}``. To one
                      person, by direct message; where that is closed, a post that pings it. The last three make up for
                      a ping that was held back (bot.games.persistence.quiet_hours).
``digest``            ``{"to": id, "games": [{"game": id, "due": ms|None}, ...], "count": number}``. Likewise: the games
                      that wait for one person, the most urgent first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from bot.games.persistence.transactions import reading, writing
from bot.i18n import revived
from data.queries import announcements as queries
from data.queries.announcements import AnnouncementRow
from data.store import Store

AnnouncementKind = Literal[
    "challenge",
    "challenge_changed",
    "challenge_closed",
    "board",
    "offer",
    "offer_closed",
    "note",
    "reminder",
    "digest",
]


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A message that was posted for an announcement."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One thing to say, made at ``made_at`` (UTC, milliseconds). ``edits`` is, for kinds that change an earlier post,
    that post: None means that it never came to be posted, and there is nothing to change (drop it)."""

    id: int
    game_id: int
    kind: AnnouncementKind
    ply: int
    payload: Mapping[str, Any]
    attempts: int
    next_try_at: int
    edits: PostedMessage | None
    made_at: int = 0

    @property
    def nonce(self) -> str:
        """What Discord is to recognise a second try by: at most 25 characters, and another's in a database that was
        begun anew."""
        return f"{self.id}.{self.made_at:x}"[:25]


class Outbox:
    """The announcements that wait. ``clock`` gives UTC in milliseconds.

    Every method raises NotStored when the database cannot be read or written just now."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock

    async def due(self, game_id: int | None = None) -> list[Announcement]:
        """What may be sent now, in order within each game: of one game, or of all. A game whose first waiting
        announcement pauses until later has nothing due. An edit of a post that is still to be made is due when that
        has been sent: ask again until ``next_try`` is None or later."""
        async with reading(self._store) as tx:
            rows = await queries.pending(tx, game_id)
        now = self._clock()
        waiting = {row.id for row in rows}
        later: set[int] = set()
        found = []
        for row in rows:
            if row.game_id in later or row.next_try_at > now or row.edits in waiting:
                later.add(row.game_id)
            else:
                found.append(announcement_of(row))
        return found

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

    async def failed(self, announcement: Announcement, retry_at: int | None) -> None:
        """Try it again from ``retry_at`` (UTC, milliseconds), or, with None, give it up."""
        async with writing(self._store) as tx:
            if retry_at is None:
                await queries.dropped(tx, announcement.id, self._clock())
            else:
                await queries.pause(tx, announcement.id, retry_at)

    async def challenge_message(self, game_id: int) -> PostedMessage | None:
        """The post of a game's challenge, from which its thread is made; None when it was not posted."""
        return await self._posted(game_id, "challenge")

    async def board_message(self, game_id: int, channel_id: int | None = None) -> PostedMessage | None:
        """The newest board post of a game (in one channel); None when there is none."""
        return await self._posted(game_id, "board", channel_id)

    async def is_post(self, game_id: int, message_id: int) -> bool:
        """Whether an announcement of a game is known to be said by a message."""
        async with reading(self._store) as tx:
            return await queries.is_post(tx, game_id, message_id)

    async def _posted(
        self, game_id: int, kind: AnnouncementKind, channel_id: int | None = None
    ) -> PostedMessage | None:
        async with reading(self._store) as tx:
            found = await queries.posted(tx, game_id, kind, channel_id)
        return None if found is None else PostedMessage(*found)


def announcement_of(row: AnnouncementRow) -> Announcement:
    """An announcement that waits, from its row."""
    payload = revived(dict(row.payload))
    if row.kind == "offer":
        # Of a copy for another server it is the first one's.
        payload.setdefault("offer", row.id)
    edits = None
    if row.edits_channel_id is not None and row.edits_message_id is not None:
        edits = PostedMessage(row.edits_channel_id, row.edits_message_id)
    return Announcement(
        id=row.id,
        game_id=row.game_id,
        kind=cast(AnnouncementKind, row.kind),
        ply=row.ply,
        payload=payload,
        attempts=row.attempts,
        next_try_at=row.next_try_at,
        made_at=row.made_at,
        edits=edits,
    )
