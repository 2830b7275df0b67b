"""The messages that show how tournaments, leagues and team matches stand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveMessage:
    """A message that is to be posted, or edited where it has its ``message_id``.

    ``owner``: the tournament, league or team match that it shows; ``number``: its round, season or part; ``guild_id``
    and ``channel_id``: where it stands, if not where its owner does; ``wanted``: how often it was to be posted or
    edited; ``made_at``: when that was first (UTC, milliseconds); ``nonce``: what Discord recognises a second try by.
    """

    id: int
    owner: int
    kind: str
    number: int = 0
    guild_id: int | None = None
    channel_id: int = 0
    wanted: int = 1
    made_at: int = 0
    message_id: int | None = None
    nonce: str = ""
