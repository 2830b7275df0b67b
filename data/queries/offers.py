"""Queries on offers: of a draw, of going back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.rows import number
from data.schema.games import offers


class OfferRow(NamedTuple):
    """An offer that is open: made by ``seat`` at ``ply``; ``back_to`` of a takeback; ``agreed``: other seats."""

    id: int
    kind: str
    seat: int
    ply: int
    at: int
    back_to: int | None
    agreed: Sequence[int] = ()


c = offers.c


async def last_ply(tx: AsyncConnection, game_id: int, kind: str, seat: int) -> int | None:
    """The ply of the newest offer of its kind that a seat has made, standing or not."""
    query = sa.select(sa.func.max(c.ply)).where(c.game_id == game_id, c.kind == kind, c.seat == seat)
    return await number(tx, query)


async def add(tx: AsyncConnection, game_id: int, offer: OfferRow) -> None:
    """A new open offer, which goes by the id of the announcement that tells of it."""
    values = {**offer._asdict(), "agreed": list(offer.agreed), "game_id": game_id, "state": "open"}
    await tx.execute(sa.insert(offers).values(**values))


async def agree(tx: AsyncConnection, offer_id: int, agreed: Sequence[int]) -> None:
    """Note which seats have agreed so far."""
    await tx.execute(sa.update(offers).where(c.id == offer_id).values(agreed=list(agreed)))


async def close(tx: AsyncConnection, offer_id: int, state: str, at: int) -> None:
    """Close an offer as "agreed", "declined" or "lapsed"."""
    await tx.execute(sa.update(offers).where(c.id == offer_id).values(state=state, closed_at=at))
