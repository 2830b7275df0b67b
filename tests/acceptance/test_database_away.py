"""A database that is out of reach for a while, in the middle of a game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from data.store import Spent, Transaction, Unavailable
from tests.support.discord.world import World, said


async def test_a_turn_that_was_stored_and_nobody_knew(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is lost while a turn is being stored: nobody is told that it was not, and as soon as the database
    is back its board is posted, once."""
    await here.start()
    store = here.bot.services.store
    write = store.write

    @asynccontextmanager
    async def lost() -> AsyncIterator[Transaction]:
        async with write() as tx:
            yield tx
        here.bot._transaction_ended(Spent(True, 0.0, 0.0, False))
        raise Unavailable("lost", in_doubt=True)

    boards = here.boards()
    monkeypatch.setattr(store, "write", lost)
    answer = await here.alice.slash(here.channel, "move", move="b3-a4")
    monkeypatch.setattr(store, "write", write)
    assert "not sure that this was saved" in said(answer)

    await here.bob.slash(here.channel, "board")
    await here.env.settle()

    assert len(boards) + 1 == len(here.boards())
    assert 1 == (await here.game()).ply
