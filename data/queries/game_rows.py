"""Rows of games, their seats and their turns, as queries take and give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from data.queries.offers import OfferRow
from data.queries.rows import Options


class GameRow(NamedTuple):
    """A game without its seats and its record. ``start``: where it does not begin as usual; ``place_channel_id``: where
    the challenge was made, or the game continued; ``channel_id``: where it is played; ``rules_hash``: the text of its
    rules (data.queries.rulesets); ``origin``: what the file said that it came from; ``answers_only``: where the bot may
    only answer; without an ``id`` it is to be added."""

    variant_id: str
    options: Options
    guild_id: int | None
    place_channel_id: int
    opener: int
    side: str
    status: str
    position: str
    opened_at: int
    changed_at: int
    id: int = 0
    start: str | None = None
    channel_id: int | None = None
    ply: int = 0
    to_seat: int | None = None
    winner: int | None = None
    reason: str | None = None
    places: Sequence[int] | None = None
    rematch_of: int | None = None
    started_at: int | None = None
    ended_at: int | None = None
    clock: str = "none"
    casual: bool = True
    rated: bool = False
    rules_hash: str | None = None
    origin: Mapping[str, Any] | None = None
    answers_only: bool = False


class StandingRow(NamedTuple):
    """What may have changed of a game that is known as it stood after an entry, and its open offers, oldest first."""

    id: int
    ply: int
    status: str
    channel_id: int | None
    ended_at: int | None
    offers: Sequence[OfferRow]


class GameChange(TypedDict, total=False):
    """The columns of a game that change."""

    options: dict[str, Any]
    start: str | None
    place_channel_id: int
    channel_id: int | None
    status: str
    ply: int
    position: str
    to_seat: int | None
    winner: int | None
    reason: str
    places: list[int] | None
    rematch_of: int | None
    started_at: int
    ended_at: int
    changed_at: int


class SeatRow(NamedTuple):
    """Who sits at a seat of a game, or is invited to."""

    seat: int
    player: int | None = None
    invited: int | None = None
    sat_at: int | None = None
    colour: int | None = None


class SeatChange(TypedDict, total=False):
    """The columns of a seat that change."""

    player: int | None
    invited: int | None
    sat_at: int | None
    colour: int | None


class TurnRow(NamedTuple):
    """One entry of a game's record."""

    number: int
    kind: str
    seat: int
    text: str
    at: int
    source: str | None
    clock: Mapping[str, Any] | None = None
