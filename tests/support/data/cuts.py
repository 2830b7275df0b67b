"""A connection to a PostgreSQL that can be cut, at a word."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum
from pathlib import Path


class Cut(Enum):
    """What becomes of a connection in which a word is sent."""

    BEFORE = "neither side hears of the other again; the word does not arrive"
    AFTER = "the word arrives, and nobody hears the answer"
    UNNOTICED = "as BEFORE, and the server does not know that nobody is there"
    SILENT = "the word arrives, and the answer never comes, though the connection stands"


class Cuts:
    """Stands between a store and the server whose socket is in ``server``: the store connects to ``folder``."""

    def __init__(self, server: Path, folder: Path) -> None:
        self._server, self.folder = server, folder
        self._cuts: dict[bytes, Cut] = {}
        self._listening: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    @classmethod
    @asynccontextmanager
    async def before(cls, server: Path) -> AsyncIterator[Cuts]:
        """Stands there until the end."""
        # The path of a socket may not be long.
        with tempfile.TemporaryDirectory(prefix="cut-") as folder:
            made = cls(server, Path(folder))
            await made.open()
            yield made
            await made.close()

    async def open(self) -> None:
        self._listening = await asyncio.start_unix_server(self._serve, self.folder / ".s.PGSQL.5432")

    async def close(self) -> None:
        """From now on nobody gets through."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None
            (self.folder / ".s.PGSQL.5432").unlink(missing_ok=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.close()

    def at(self, word: str, cut: Cut) -> None:
        """Cut the next connection in which the store sends a word."""
        self._cuts[word.encode()] = cut

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        from_server, to_server = await asyncio.open_unix_connection(self._server / ".s.PGSQL.5432")
        self._writers += [writer, to_server]
        answers = asyncio.create_task(self._pass_on(from_server, writer))
        try:
            cut = await self._requests(reader, to_server)
            if cut is Cut.AFTER:
                # The server has done it when it answers.
                answers.cancel()
                await from_server.read(1)
            if cut is Cut.SILENT:
                answers.cancel()
                await asyncio.Event().wait()
        finally:
            answers.cancel()
        writer.close()
        if cut is not Cut.UNNOTICED:
            to_server.close()

    async def _requests(self, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> Cut | None:
        while sent := await reader.read(65536):
            cut = next((self._cuts.pop(word) for word in list(self._cuts) if word in sent), None)
            if cut not in (Cut.BEFORE, Cut.UNNOTICED):
                to_server.write(sent)
            if cut is not None:
                return cut
        return None

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while answer := await reader.read(65536):
                writer.write(answer)
        writer.close()
