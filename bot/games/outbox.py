"""What the games have to say to the channels, in order, until it has been said.

Announcements are written in the transaction of what they announce (bot.games.service); here they are handed to whoever
delivers them, and marked. Order holds within a game: nothing overtakes an announcement that must be tried again.

Kinds, and what their ``payload`` holds besides what the game itself says (ids of people are integers):

``challenge``         ``{"ping": [ids invited]}``. A post with Accept, Decline and Withdraw.
``challenge_changed`` ``{}``. Somebody joined a table with seats still free: edit the challenge.
``challenge_closed``  ``{"how": "accepted"|"declined"|"withdrawn", "by": id}``. Edit the challenge; its buttons go.
``board``             ``{"event": "start"|"turn"|"takeback"|"resign"|"draw", "by": id|None, "ping": id|None, "lot": bool}``.
                      A new post of the game as it stood at ``ply`` (``Games.game(game_id, ply)``), result included.
                      ``lot``: the seats were drawn just now.
``offer``             ``{"offer": offer id, "offer_kind": "draw"|"takeback", "by": id, "ping": [ids asked], "back_to": number|None}``.
                      A post with Accept and Decline.
``offer_closed``      ``{"offer": offer id, "offer_kind": ..., "how": "agreed"|"declined"|"lapsed", "by": id|None}``. Edit the
                      offer's post; its buttons go.
``note``              ``{"sentence": text, "ping": id|None}``. A plain sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from data.store import Store

AnnouncementKind = Literal[
    "challenge", "challenge_changed", "challenge_closed", "board", "offer", "offer_closed", "note"
]


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A message that was posted for an announcement."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One thing to say. ``id`` is the nonce too. ``edits`` is, for kinds that change an earlier post, that post: None
    means that it never came to be posted, and there is nothing to change (mark it as sent or drop it)."""

    id: int
    game_id: int
    kind: AnnouncementKind
    ply: int
    payload: Mapping[str, Any]
    attempts: int
    next_try_at: int
    edits: PostedMessage | None

    @property
    def nonce(self) -> str:
        """What Discord is to recognise a second try by."""
        return str(self.id)


class Outbox:
    """The announcements that wait. ``clock`` gives UTC in milliseconds."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock

    async def due(self, game_id: int | None = None) -> list[Announcement]:
        """What may be sent now, in order within each game: of one game, or of all. A game whose first waiting
        announcement pauses until later has nothing due."""
        raise NotImplementedError

    async def games_waiting(self) -> list[int]:
        """The games that have anything to say, due or pausing, in order of their oldest announcement."""
        raise NotImplementedError

    async def next_try(self, game_id: int) -> int | None:
        """When the game's first waiting announcement may be tried; None when nothing waits."""
        raise NotImplementedError

    async def wake(self) -> None:
        """Forget every pause (at start-up: all that waits is due)."""
        raise NotImplementedError

    async def sent(self, announcement: Announcement, message_id: int, channel_id: int) -> None:
        """Mark it as said, with the message that says it (of an edit: the message that was edited)."""
        raise NotImplementedError

    async def failed(self, announcement: Announcement, retry_at: int | None) -> None:
        """Try it again from ``retry_at`` (UTC, milliseconds), or, with None, give it up."""
        raise NotImplementedError

    async def challenge_message(self, game_id: int) -> PostedMessage | None:
        """The post of a game's challenge, from which its thread is made; None when it was not posted."""
        raise NotImplementedError

    async def board_message(self, game_id: int) -> PostedMessage | None:
        """The newest board post of a game; None when there is none."""
        raise NotImplementedError
