"""Several processes of the bot on one PostgreSQL while many people play on many servers, and processes are killed.

    python benchmarks/load.py [--servers 20000] [--games 20000] [--rate 60] [--seconds 300] [--kill-every 10]
                              [--shards 16] [--processes 4] [--standby 1]

This process is Discord (``tests.crash.stand_in``) and the players; the PostgreSQL is a server of its own, with every
commit on the disk; the bot's processes are begun by one command (PROCESSES), and a process that is killed is begun anew
by their supervisor; those that stand by take its shards. Turns come at random, so many a second, each in another of the
games. Who sees no board says the move again after some seconds, as people do. Printed are the turns that were answered,
how long the boards took, and what each process takes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path

from start import held, spent
from turn_processes import quiet

from bot.chat.client import utc_milliseconds
from bot.engine.registry import rules_for
from bot.engine.rules import State
from bot.games.model.game import Place
from bot.games.service import Games
from data.schema.games import announcements, games, seats
from data.store import Store
from tests.crash.gateway import GUILD, ME, TOKEN, Json
from tests.crash.killing import tell
from tests.crash.stand_in import StandIn
from tests.crash.waits import within
from tests.support.data.postgres_server import Server

ROOT = Path(__file__).resolve().parents[1]
CHANNEL, PERSON = 300_000_000, 500_000_000
VARIANT = "pinoy"
# Seconds: until people say it again, until they give up, and after a kill in which a turn counts as one that was hit.
AGAIN, PATIENCE, HIT = 8.0, 120.0, 15.0


@dataclass
class Table:
    """A game, as its players know it."""

    state: State
    lots: random.Random
    posted: asyncio.Event = field(default_factory=asyncio.Event)
    busy: bool = False


@dataclass
class Turn:
    """When somebody moved, after how many seconds the board was there (None: never), how often it was said."""

    at: float
    took: float | None
    said: int


class Load:
    """One run."""

    def __init__(self, asked: argparse.Namespace, folder: Path, server: Server) -> None:
        self.asked, self.folder = asked, folder
        self.url = server.url("damero")
        self.lots = random.Random(1)
        self.rules = rules_for(VARIANT)
        self.start = self.rules.start()
        self.tables: dict[int, Table] = {}
        self.stand_in = StandIn(
            [CHANNEL + n for n in range(asked.games)], random.Random(2), asked.shards, asked.servers
        )
        self.stand_in.on_message = self._posted
        self.turns: list[Turn] = []
        self.kills: list[float] = []
        self.supervisor: asyncio.subprocess.Process | None = None

    def _posted(self, message: Json) -> None:
        table = self.tables.get(int(message["channel_id"]))
        if table is not None and message["attachments"]:
            table.posted.set()

    async def begin(self) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": self.url,
            "SHARD_COUNT": str(self.asked.shards),
            "SHARDS_PER_PROCESS": str(-(-self.asked.shards // self.asked.processes)),
            "PROCESSES": str(self.asked.processes + self.asked.standby),
            "LOG_LEVEL": "error",
            # A host makes them once.
            "ENDGAMES_PIECES": "0",
            # As where Numba is not installed: compiling is no part of this.
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "crash" / "uncompiled")]),
        }
        with (self.folder / "log").open("ab") as log:
            program = (sys.executable, str(ROOT / "benchmarks" / "load_process.py"))
            notes = self.folder / "statements"
            self.supervisor = await asyncio.create_subprocess_exec(
                *program, str(self.stand_in.port), str(notes), env=environment, cwd=self.folder, stdout=log, stderr=log
            )

    @property
    def processes(self) -> list[int]:
        """Those that the supervisor has now."""
        assert self.supervisor is not None
        number = self.supervisor.pid
        return [int(each) for each in Path(f"/proc/{number}/task/{number}/children").read_text().split()]

    def statements(self) -> int:
        """Of all processes that there have been, but for the last moments of those that were killed."""
        return sum(int(each.read_text() or 0) for each in self.folder.glob("statements-*"))

    async def turn(self, channel: int) -> None:
        """Somebody moves, and says it again where nothing comes of it."""
        table = self.tables.setdefault(channel, Table(self.start, random.Random(channel)))
        table.busy = True
        text = (chosen := table.lots.choice(self.rules.turns(table.state))).text
        mover = PERSON + 2 * (channel - CHANNEL) + table.state.seat
        table.posted.clear()
        began, said = time.monotonic(), 0
        while not table.posted.is_set() and time.monotonic() - began < PATIENCE:
            said += 1
            await self.stand_in.say(channel, mover, f"<@{ME}> {text}")
            try:
                async with asyncio.timeout(AGAIN):
                    await table.posted.wait()
            except TimeoutError:
                continue
        took = time.monotonic() - began if table.posted.is_set() else None
        self.turns.append(Turn(began, took, said))
        if took is not None:
            table.state = self.rules.play(table.state, chosen)
            table.busy = table.state.outcome is not None

    async def crowd(self) -> Collection[asyncio.Task[None]]:
        """Turns at random for as long as was asked; those that are not answered yet."""
        ends = due = time.monotonic()
        ends += self.asked.seconds
        moving: set[asyncio.Task[None]] = set()
        while (now := time.monotonic()) < ends:
            due += self.lots.expovariate(self.asked.rate)
            await asyncio.sleep(max(0.0, due - now))
            channel = CHANNEL + self.lots.randrange(self.asked.games)
            if (table := self.tables.get(channel)) is None or not table.busy:
                task = asyncio.create_task(self.turn(channel))
                moving.add(task)
                task.add_done_callback(moving.discard)
        return moving

    async def kill(self) -> None:
        """One process after the other, whichever it is; another is begun in its place."""
        while self.asked.kill_every:
            await asyncio.sleep(self.asked.kill_every)
            os.kill(self.lots.choice(self.processes), signal.SIGKILL)
            self.kills.append(time.monotonic())

    async def run(self, server: Server) -> None:
        await set_up(self.url, server, self.asked)
        await self.stand_in.open()
        try:
            began = time.monotonic()
            await self.begin()
            async with within(600, "all shards to be connected"):
                await self.stand_in.up.wait()
            print(f"all {self.asked.shards} shards connected after {time.monotonic() - began:.1f} s", flush=True)
            await asyncio.sleep(5)
            statements, commits = self.statements(), committed(server)
            taken = {process: spent(process) for process in self.processes}
            killing = asyncio.create_task(self.kill())
            moving = await self.crowd()
            killing.cancel()
            await asyncio.gather(*moving)
            await asyncio.sleep(1)
            self.tell(self.statements() - statements, committed(server) - commits)
            if not self.kills:
                milliseconds = sum(spent(process) - before for process, before in taken.items())
                print(f"{milliseconds / len(self.turns):.1f} ms of the processors a turn, in the bot's processes")
        finally:
            if self.supervisor is not None:
                # Its processes end with it.
                tell(self.supervisor, signal.SIGKILL)
                await self.supervisor.wait()
            await self.stand_in.close()

    def tell(self, statements: int, commits: int) -> None:
        answered = [turn for turn in self.turns if turn.took is not None]
        print(
            f"{len(self.turns)} turns in {self.asked.seconds:g} s ({len(self.turns) / self.asked.seconds:.1f} a second)"
        )
        print(f"answered: {len(answered)}, never: {len(self.turns) - len(answered)}")
        others = sum(not message["attachments"] for message in self.stand_in.messages.values())
        print(f"posts: {len(self.stand_in.messages)}, of which {others} are no boards")
        told("of all: message to board", answered)
        if self.kills:
            hit = [any(kill - AGAIN < turn.at < kill + HIT for kill in self.kills) for turn in answered]
            told(f"within {HIT:g} s after one of {len(self.kills)} kills", list(compress(answered, hit)))
            told("of the others", [turn for turn, one in zip(answered, hit, strict=True) if not one])
        told("said once", [turn for turn in answered if turn.said == 1])
        print(f"said more than once: {sum(turn.said > 1 for turn in answered)}")
        print(f"{statements / len(answered):.1f} statements and {commits / len(answered):.1f} transactions a turn")
        sizes = ", ".join(f"{held(process):.0f}" for process in self.processes)
        print(f"memory of each process, and of what is shared its part: {sizes} MB")


def told(name: str, turns: list[Turn]) -> None:
    taken = sorted(turn.took for turn in turns if turn.took is not None)
    if taken:
        p95, p99 = (taken[min(len(taken) - 1, int(len(taken) * share))] for share in (0.95, 0.99))
        p50 = statistics.median(taken)
        print(f"{name:36} p50 {p50:6.3f}  p95 {p95:6.3f}  p99 {p99:6.3f}  most {taken[-1]:6.3f} s  ({len(taken)})")


def committed(server: Server) -> int:
    return int(server.rows("SELECT xact_commit FROM pg_stat_database WHERE datname = 'damero'")[0][0])


async def set_up(url: str, server: Server, asked: argparse.Namespace) -> None:
    """So many running games, each a copy of one that was begun as all are."""
    store = Store(url)
    await store.open()
    uses = Games(store, utc_milliseconds, random.Random(3), max_open_challenges=1)
    game = await uses.challenges.open(
        source="o:0",
        opener=PERSON,
        opponent=PERSON + 1,
        variant=VARIANT,
        options={},
        side="first",
        place=Place(GUILD, CHANNEL),
        clock="none",
    )
    await uses.challenges.accept(game.id, PERSON + 1, "a:0")
    await store.close()
    moved = {"id": "id + n", "game_id": "game_id + n", "opener": "opener + 2 * n", "player": "player + 2 * n"}
    moved |= {"invited": "invited + 2 * n", "place_channel_id": "place_channel_id + n", "channel_id": "channel_id + n"}
    moved["guild_id"] = f"guild_id + ((n % {asked.servers})::bigint << 22)"
    for table, key in ((games, "id"), (seats, "game_id")):
        columns = [column.name for column in table.columns]
        values = ", ".join(moved.get(name, name) for name in columns)
        numbers = f"generate_series(1::bigint, {asked.games - 1}) AS n"
        copied = f"SELECT {values} FROM {table.name}, {numbers} WHERE {key} = {game.id}"
        server.run(f"INSERT INTO {table.name} ({', '.join(columns)}) {copied}", "damero")
    # Their boards were posted, each.
    done = "state = 'sent', done_at = made_at, channel_id = 1, message_id = id"
    server.run(f"UPDATE announcements SET {done}", "damero")
    columns = [column.name for column in announcements.columns if column.name != "id"]
    values = ", ".join({"game_id": "game_id + n"}.get(name, name) for name in columns)
    copied = f"SELECT {values} FROM announcements, generate_series(1::bigint, {asked.games - 1}) AS n"
    server.run(f"INSERT INTO announcements ({', '.join(columns)}) {copied}", "damero")
    server.run("SELECT setval('games_id_seq', (SELECT max(id) FROM games)); ANALYZE", "damero")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, default=20_000)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--kill-every", type=float, default=10, help="seconds; 0: nobody is killed")
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--standby", type=int, default=1)
    asked = parser.parse_args()
    quiet()
    server = Server(safe=True)
    try:
        server.run("CREATE DATABASE damero")
        with tempfile.TemporaryDirectory() as folder:
            try:
                asyncio.run(Load(asked, Path(folder), server).run(server))
            finally:
                log = Path(folder) / "log"
                if log.exists():
                    print(log.read_text()[-2000:])
    finally:
        server.remove()


if __name__ == "__main__":
    main()
