"""The processor time of a turn beside that of another checkout of this repository, in one sitting.

    python benchmarks/turn_before.py ../before [--addressed] [--apart 0] [--parts 10] [--turns 60]

Either bot is a process of its own, on a file of its own, as hosts start it; this process is Discord and the
players of both. They begin their games by command and button, play into the middle of them, where boards and captures
are, and then some turns here and some there, one at a time: one right after another, as where much is played, or with a
pause in which the processor turns to others (``--apart``). What threads other than the loop's take is what is left of
the whole process, so that those that have ended count, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from tests.crash.gateway import ME, TOKEN, Json
from tests.crash.stand_in import StandIn

HERE = Path(__file__).resolve().parents[1]
FIRST_CHANNEL, FIRST_PERSON = 300_000, 500_000
TABLES = 40
VARIANT = "pinoy"
MIDDLE = 16
PATIENCE = 60.0
# `damero run`, whatever the checkout knows of other addresses than Discord's.
RUN = """
import runpy, sys, yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
Route.BASE = f"http://127.0.0.1:{sys.argv[1]}/api/v10"
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{sys.argv[1]}/gateway")
sys.argv = ["damero", "run"]
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""
_ACCEPT = re.compile(r"damero:accept:[0-9]+:[0-9]+")


@dataclass
class Table:
    """A game of two in a channel, as its players know it."""

    channel: int
    rules: Rules
    state: State
    lots: random.Random
    news: asyncio.Event = field(default_factory=asyncio.Event)
    challenge: tuple[Json, str] | None = None

    @property
    def people(self) -> tuple[int, int]:
        first = FIRST_PERSON + 2 * (self.channel - FIRST_CHANNEL)
        return first, first + 1


class Club:
    """Tables before the bot of one checkout."""

    def __init__(self, checkout: Path, folder: Path, *, addressed: bool) -> None:
        self.checkout = checkout
        self._said = f"<@{ME}> " if addressed else ""
        self._folder = folder
        self._bot: asyncio.subprocess.Process | None = None
        rules = rules_for(VARIANT)
        channels = [FIRST_CHANNEL + n for n in range(TABLES)]
        self.tables = {each: Table(each, rules, rules.start(), random.Random(each)) for each in channels}
        self.playing = list(self.tables.values())
        self.stand_in = StandIn(channels, random.Random(1))
        self.stand_in.on_message = self._posted

    def _posted(self, message: Json) -> None:
        table = self.tables[int(message["channel_id"])]
        if accept := _ACCEPT.search(str(message["components"])):
            table.challenge = (message, accept[0])
        if message["attachments"] or accept:
            table.news.set()

    async def open(self) -> None:
        """Start the bot, and play all games to their middle."""
        self._folder.mkdir()
        await self.stand_in.open()
        with (self._folder / "log").open("wb") as log:
            self._bot = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", RUN, str(self.stand_in.port)),
                env={
                    "PATH": os.environ["PATH"],
                    "PYTHONPATH": str(self.checkout),
                    "DISCORD_TOKEN": TOKEN,
                    "DATABASE_URL": f"sqlite+aiosqlite:///{self._folder / 'turns.sqlite3'}",
                    "ENDGAMES_PIECES": "0",
                    "MESSAGE_CONTENT": "true",
                    "LOG_LEVEL": "error",
                },
                cwd=self._folder,
                stdout=log,
                stderr=log,
            )
        async with asyncio.timeout(PATIENCE):
            await self.stand_in.up.wait()
        for table in self.tables.values():
            await self._begin(table)
        for _ in range(MIDDLE):
            for table in self.tables.values():
                await self.turn(table)

    async def close(self) -> None:
        if self._bot is not None:
            self._bot.kill()
            await self._bot.wait()
        await self.stand_in.close()

    async def _begin(self, table: Table) -> None:
        first, second = table.people
        options: Json = {"variant": VARIANT, "side": "first", "clock": "none"}
        await self._news(table, self.stand_in.command(table.channel, first, "play", options, {"opponent": second}))
        assert table.challenge is not None
        message, custom_id = table.challenge
        await self._news(table, self.stand_in.press(message, second, custom_id))

    async def _news(self, table: Table, done: Awaitable[int]) -> None:
        """Do it, and wait for what is posted then."""
        table.news.clear()
        await done
        async with asyncio.timeout(PATIENCE):
            await table.news.wait()

    async def turn(self, table: Table) -> float:
        """Somebody moves; milliseconds until the board stands in the channel."""
        turn = table.lots.choice(table.rules.turns(table.state))
        began = time.perf_counter()
        mover = table.people[table.state.seat]
        await self._news(table, self.stand_in.say(table.channel, mover, self._said + turn.text))
        took = (time.perf_counter() - began) * 1000
        table.state = table.rules.play(table.state, turn)
        if table.state.outcome is not None or not table.rules.turns(table.state):
            self.playing.remove(table)
        return took

    async def part(self, turns: int, apart: float) -> tuple[float, float, float]:
        """So many turns: milliseconds of the loop's thread and of all threads for each, and from word to board."""
        loop, everything = self._spent()
        taken = []
        for n in range(turns):
            taken.append(await self.turn(self.playing[n % len(self.playing)]))
            await asyncio.sleep(apart)
        loop_after, everything_after = self._spent()
        return (loop_after - loop) / turns, (everything_after - everything) / turns, statistics.median(taken)

    def _spent(self) -> tuple[float, float]:
        """Milliseconds of processor time so far: of the loop's thread, and of the process."""
        assert self._bot is not None
        process = Path(f"/proc/{self._bot.pid}")
        loop = int((process / "task" / process.name / "schedstat").read_text().split()[0]) / 1e6
        user, system = (process / "stat").read_text().rpartition(")")[2].split()[11:13]
        return loop, (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")


async def measure(checkouts: list[Path], asked: argparse.Namespace, folders: Path) -> None:
    clubs = [Club(checkout, folders / str(n), addressed=asked.addressed) for n, checkout in enumerate(checkouts)]
    found: list[list[tuple[float, float, float]]] = [[] for _ in clubs]
    async with AsyncExitStack() as bots:
        for club in clubs:
            bots.push_async_callback(club.close)
            await club.open()
        for _ in range(asked.parts):
            for club, theirs in zip(clubs, found, strict=True):
                theirs.append(await club.part(asked.turns, asked.apart))
    medians = []
    for club, theirs in zip(clubs, found, strict=True):
        loop, everything, took = (statistics.median(each) for each in zip(*theirs, strict=True))
        medians.append((loop, everything))
        print(
            f"{club.checkout.name}: loop {loop:.2f} ms, other threads {everything - loop:.2f}, in all {everything:.2f} "
            f"of the processor; {took:.1f} ms from word to board"
        )
    (loop, everything), (loop_before, everything_before) = medians
    print(
        f"of what it was: the loop {loop / loop_before:.2f} (to be at most 0.5), in all "
        f"{everything / everything_before:.2f} (to be at most 0.65)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--apart", type=float, default=0.0, metavar="SECONDS", help="between two turns")
    parser.add_argument("--parts", type=int, default=10)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument(
        "--addressed", action="store_true", help="moves are said to the bot, as where it reads no others"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folders:
        checkouts = [HERE, asked.checkout.resolve()]
        asyncio.run(measure(checkouts, asked, Path(folders)))


if __name__ == "__main__":
    main()
