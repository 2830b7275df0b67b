"""What `benchmarks/turn.py` measures: the bot, and the floor of a turn, each as a process of its own."""

from __future__ import annotations

import asyncio
import gc
import io
import itertools
import json
import logging
import os
import sqlite3
import time
import zlib
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import aiohttp
import structlog
from PIL import Image

from bot.chat.sharding import create_bot
from bot.settings import Settings
from data.store import Spent
from render.canvas import png as png_of
from tests.crash.bot_process import use_stand_in
from tests.crash.gateway import TOKEN

FLOOR = ("commit", "encode", "post", "all three", "CPU", "zlib")
"""What is measured of the floor, in milliseconds; ``zlib``: the encoding with Python's library instead."""

APART = 0.03
"""Seconds between two turns that come one at a time, in which the first is marked as posted."""


def quiet() -> None:
    """Log errors alone."""
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))


# The bot, in a process of its own


@dataclass
class Reading:
    """What the bot's process has used so far, in seconds and in transactions, and what came since the last reading:
    when each post was done (channel, seconds), and by how many milliseconds the loop was late (in all, and without the
    time for which it waited for a core)."""

    loop: float
    everything: float
    statements: int
    reads: int
    writes: int
    posted: list[tuple[int, float]]
    late: list[tuple[float, float]]

    def since(self, before: Reading) -> Reading:
        """What was used since an earlier one."""
        return Reading(
            self.loop - before.loop,
            self.everything - before.everything,
            self.statements - before.statements,
            self.reads - before.reads,
            self.writes - before.writes,
            self.posted,
            self.late,
        )


class Probe:
    """Watches the bot from within."""

    def __init__(self) -> None:
        self.reads = self.writes = 0
        self.posted: list[tuple[int, float]] = []
        self.late: list[tuple[float, float]] = []
        self.watching: asyncio.Task[None] | None = None

    def spent(self, spent: Spent) -> None:
        self.writes += spent.writes
        self.reads += not spent.writes

    async def request_ended(self, _session: object, _context: object, ended: aiohttp.TraceRequestEndParams) -> None:
        if ended.method == "POST" and ended.url.path.endswith("/messages"):
            self.posted.append((int(ended.url.path.rsplit("/", 2)[-2]), time.perf_counter()))

    async def watch(self) -> None:
        """How late the loop comes to a timer of 5 ms, again and again. The file stays open: to open it each time was a
        twentieth of all that the loop did."""
        schedule = os.open(f"/proc/self/task/{os.getpid()}/schedstat", os.O_RDONLY)
        waited = _waited(schedule)
        while True:
            due = time.perf_counter() + 0.005
            await asyncio.sleep(0.005)
            late, before = (time.perf_counter() - due) * 1000, waited
            waited = _waited(schedule)
            self.late.append((late, max(0.0, late - waited + before)))


def _waited(schedule: int) -> float:
    """For how many milliseconds the thread of ``schedule`` has waited for a core."""
    return int(os.pread(schedule, 100, 0).split()[1]) / 1e6


def bot_process(port: int, url: str, connection: Connection) -> None:
    """Run the bot on the stand-in; answer what is asked by ``connection``."""
    gc.collect()
    gc.freeze()  # as `damero run` does with what it imports
    quiet()
    use_stand_in(port)
    asyncio.run(_bot(url, connection))


async def _bot(url: str, connection: Connection) -> None:
    bot = create_bot(Settings(database_url=url, message_content=True))
    probe, store = Probe(), bot.services.store
    store.watch(probe.spent)
    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(probe.request_ended)
    bot.http.http_trace = trace
    stop = asyncio.Event()

    def asked() -> None:
        what = connection.recv()
        if what == "stop":
            stop.set()
        elif what == "watch":
            probe.watching = asyncio.create_task(probe.watch())
        else:
            used = time.thread_time(), time.process_time(), store.statements, probe.reads, probe.writes
            connection.send(Reading(*used, probe.posted, probe.late))
            probe.posted, probe.late = [], []

    asyncio.get_running_loop().add_reader(connection.fileno(), asked)
    async with bot:
        running = asyncio.create_task(bot.start(TOKEN))
        await stop.wait()
    await asyncio.gather(running, return_exceptions=True)


# The floor, in a process of its own


def floor_process(folder: str, url: str, png: bytes, connection: Connection) -> None:
    """For each number that comes by ``connection``: that many times the floor; what each took goes back."""
    asyncio.run(_floor(Path(folder), url, png, connection))


async def _floor(folder: Path, url: str, png: bytes, connection: Connection) -> None:
    database = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE turns (game INTEGER, ply INTEGER, text TEXT, PRIMARY KEY (game, ply))")
    image = Image.open(io.BytesIO(png))
    image.load()
    rows = image.tobytes("raw", "P;4")
    ply = itertools.count(1)
    async with aiohttp.ClientSession() as session:
        while (turns := connection.recv()) is not None:
            found: dict[str, list[float]] = {name: [] for name in FLOOR}
            for _ in range(turns):
                began, times = time.process_time(), [time.perf_counter()]
                database.execute("BEGIN IMMEDIATE")
                database.execute("INSERT INTO turns VALUES (1, ?, 'c3-d4')", (next(ply),))
                database.execute("COMMIT")
                times.append(time.perf_counter())
                encoded = png_of(image)
                times.append(time.perf_counter())
                form = aiohttp.FormData()
                form.add_field("payload_json", json.dumps({"content": "c3-d4"}))
                form.add_field("files[0]", encoded, filename="board.png", content_type="image/png")
                async with session.post(url, data=form) as answer:
                    await answer.read()
                times.append(time.perf_counter())
                for name, (before, after) in zip(found, itertools.pairwise(times), strict=False):
                    found[name].append((after - before) * 1000)
                found["all three"].append((times[-1] - times[0]) * 1000)
                found["CPU"].append((time.process_time() - began) * 1000)
                # The encoder of Python's library, with which the bot's pictures were made when the marks were set.
                at = time.perf_counter()
                zlib.compress(rows, 6)
                found["zlib"].append((time.perf_counter() - at) * 1000)
                await asyncio.sleep(APART)
            connection.send(found)
    database.close()
