"""A database that is out of reach for a while, in the middle of a game."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
import structlog
from simcord.backend.serializers import guild_create_payload

from bot.games.persistence.integrity import check_games
from bot.settings import Settings
from bot.support.time_units import DAY, SECOND
from data.store import Spent, Transaction, Unavailable
from tests.support.data import databases
from tests.support.data.cuts import Cuts
from tests.support.discord.world import World, said


async def test_a_turn_that_was_stored_and_nobody_knew(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is lost while a turn is being stored: nobody is told that it was not, who looks sees how the game
    stands, and as soon as the database is back its board is posted, once."""
    await here.start()
    store = here.bot.services.store
    write = store.write

    @asynccontextmanager
    async def lost(**_how: bool) -> AsyncIterator[Transaction]:
        async with write() as tx:
            yield tx
        # Whoever is next finds it there, be it the bot that looks for what is to be posted.
        monkeypatch.setattr(store, "write", write)
        here.bot._transaction_ended(Spent(True, 0.0, 0.0, False, False))
        raise Unavailable("lost", in_doubt=True)

    boards = here.boards()
    monkeypatch.setattr(store, "write", lost)
    answer = await here.alice.slash(here.channel, "move", move="b3-a4")
    assert "not sure that this was saved" in said(answer)

    assert "(Red) is to move" in said(await here.bob.slash(here.channel, "board"))

    async def is_posted() -> bool:
        return len(here.boards()) > len(boards)

    await here.until(is_posted)
    await here.env.settle()
    assert len(boards) + 1 == len(here.boards())
    assert 1 == (await here.game()).ply


class TestAConnectionThatIsCut:
    """A PostgreSQL that cannot be reached for a minute, in the middle of a game on time."""

    @pytest.fixture
    async def cuts(self) -> AsyncIterator[Cuts]:
        """What stands between the bot and the server."""
        async with Cuts.before(databases.server().folder) as made:
            yield made

    @pytest.fixture
    def bot_settings(self, cuts: Cuts) -> Iterator[Settings]:
        """A new database, over a connection that can be cut."""
        name = databases.new_database(migrated=True)
        yield Settings(database_url=f"postgresql+asyncpg://postgres@/{name}?host={cuts.folder}")
        databases.server().drop(name)

    async def test_for_a_minute(self, here: World, cuts: Cuts) -> None:
        """Whoever presses or asks is told in a sentence what to do; nothing is half done; when the database is back the
        same things are done, a board that could not be marked as posted is posted once, and timers run on."""
        await here.play("spanish", clock="5+3")
        await here.bob.click(here.last, label="Accept")
        assert "Played: " in said(await here.alice.slash(here.channel, "move", move="b3-a4"))
        boards = here.boards()

        await cuts.close()
        moved = await here.bob.slash(here.channel, "move", move="a6-b5")
        assert said(moved) in (NOT_SAVED, AWAY)
        assert said(await here.bob.slash(here.channel, "board")) == AWAY
        assert said(await here.carol.slash(here.channel, "play", variant="pinoy")) in (NOT_SAVED, AWAY)
        await here.env.advance_time(60)
        assert said(await here.bob.slash(here.channel, "move", move="a6-b5")) in (NOT_SAVED, AWAY)

        await cuts.open()
        assert "Played: " in said(await here.bob.slash(here.channel, "move", move="a6-b5"))
        await here.env.advance_time(60)
        assert 2 == (await here.game()).ply
        assert len(boards) + 1 == len(here.boards())
        assert [] == await check_games(here.bot.services.store)

        # Nobody moves: the timer, which could not be read meanwhile, ends the game.
        await here.env.advance_time(400)
        assert "out of time" in here.boards()[-1].content

    @pytest.mark.parametrize("gone", ["channel", "server", "server that comes back"])
    async def test_what_goes_meanwhile(
        self, here: World, cuts: Cuts, gone: str, logged: list[structlog.typing.EventDict]
    ) -> None:
        """A channel that is deleted, or a server that removes the bot, while the database is out of reach: nobody loses
        on time for it. A server that takes the bot back before that is as it was. The log tells of each once."""
        guild = here.env.create_guild("Second")
        hall = guild.create_text_channel("games")
        ana, ben = (guild.add_member(member.user) for member in (here.alice, here.bob))
        await ana.slash(hall, "play", variant="spanish", opponent=ben, side="first", clock="1d")
        challenge = hall.last_message
        assert challenge is not None
        await ben.click(challenge, label="Accept")
        await ana.slash(hall, "move", move="b3-a4")
        await ben.slash(hall, "move", move="a6-b5")

        await cuts.close()
        backend = here.env.backend
        known = copy.deepcopy(dict(guild_create_payload(backend, backend.get_guild(guild.id))))
        if gone == "channel":
            backend.delete_channel(hall.id)
        elif gone == "server":
            backend.remove_guild(guild.id)
        else:
            backend.emit("GUILD_DELETE", {"id": str(guild.id)})
        await here.env.settle()
        await here.env.advance_time(60)
        if gone == "server that comes back":
            backend.emit("GUILD_CREATE", known)
            await here.env.settle()
        await cuts.open()
        await here.env.advance_time(60)

        await here.env.advance_time(3 * DAY // SECOND)
        status = (await here.bot.services.games.game(1)).status
        assert ("finished" if gone == "server that comes back" else "running") == status
        told = [event["waiting"] for event in logged if event["event"] == "not stored yet"]
        assert told in ([1], [1, 2])


NOT_SAVED, AWAY = (
    "That was not saved. Please try again in a moment.",
    "I cannot read the games right now. Please try again in a moment.",
)
