"""The bot as it runs for real, in a process of its own, with the stand-in for Discord: ``... -m tests.crash.bot_process
PORT NONCE_HOLDS``; its settings come from the environment. With ``NEWER`` among them it is a version whose schema is
newer by one; ``LATER`` is by how many seconds all clocks are ahead."""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta
from functools import partialmethod
from pathlib import Path

import discord
import sqlalchemy as sa
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.state import ConnectionState

from bot import app, logs, settings
from bot.chat.posting import find_posted
from data import lease, migrations, schema, store

NEWER, LATER = "DAMERO_TEST_NEWER", "DAMERO_TEST_LATER"


def use_stand_in(port: int) -> None:
    """Let discord.py take the stand-in for Discord."""
    Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/gateway")
    # All servers are there at once; most of the kills would come while more are waited for.
    begin = ConnectionState.__init__
    ConnectionState.__init__ = partialmethod(begin, guild_ready_timeout=0.2)  # type: ignore[method-assign,assignment]


def use_newer_schema() -> None:
    """Have a migration more, which expands the schema as all do that others can be served beside."""
    before, revision = schema.REVISION, f"{int(schema.REVISION) + 1:04}"

    def migrate(connection: sa.Connection) -> None:
        migrations.migrate(connection)
        if connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == before:
            for table in ("games", "turns", "announcements", "timers", "tournaments"):
                connection.execute(sa.text(f"ALTER TABLE {table} ADD COLUMN of_the_next INTEGER DEFAULT 0"))
            connection.execute(sa.text("CREATE TABLE of_the_next (id INTEGER PRIMARY KEY)"))
            connection.execute(sa.text("CREATE INDEX ix_of_the_next ON games (of_the_next)"))
            connection.execute(sa.text("UPDATE alembic_version SET version_num = :number"), {"number": revision})

    store.migrate = migrate  # type: ignore[attr-defined]


def set_clocks(ahead: float) -> None:
    """Let the bot, which takes the time from discord.py, believe that it is so many seconds later."""
    utcnow = discord.utils.utcnow

    def later() -> datetime:
        return utcnow() + timedelta(seconds=ahead)

    discord.utils.utcnow = later


def main(port: int, nonce_holds: int) -> None:
    find_posted.NONCE_HOLDS = nonce_holds
    use_stand_in(port)
    # The stand-in takes one connection right after the other.
    lease.IDENTIFY = 0.1  # type: ignore[misc]
    set_clocks(float(os.environ.get(LATER, 0)))
    if os.environ.get(NEWER):
        use_newer_schema()
    settings.ENV_FILE = Path(os.devnull)
    given = settings.load()
    logs.set_up(given.log_level)
    sys.exit(app.act(given, given.token()))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
