"""What a turn costs, from the gateway's message to the finished request, against its floor in the same run.

    python benchmarks/turn.py [--turns 300] [--clock none] [--rates 20 40 60 80 100 125 150] [--seconds 10]

The bot runs as it does for real (store, engine, pictures, delivery, discord.py's gateway and HTTP client) in a process
of its own; this process is Discord and the players (``tests.crash.stand_in``), and none of what it does is counted.
The floor is what no design can leave out: one durable SQLite commit, one PNG encode of a board, one POST of the same
bytes with aiohttp, one after the other, in a third process. Turns that come one at a time are held against it in
seconds and in CPU time; then more and more come at random, until the bot's event loop is late.

A core that other programs take makes the loop late, too: how long it waited for one is left out in a second figure.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from turn_processes import APART, Reading, bot_process, floor_process, quiet

import render
from bot.chat.client import utc_milliseconds
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.games.model.game import Place
from bot.games.service import Games
from bot.presentation.board_scene import scene_of
from data.store import Store
from tests.crash.gateway import GUILD, Json
from tests.crash.stand_in import StandIn

FIRST_CHANNEL, FIRST_PERSON = 300_000, 500_000
GAMES = 240
# Of them those in which turns come one at a time: soon all are in memory, as those are that are being played.
AT_ONCE = 40
PARTS = 5
TARGET_RATIO, TARGET_LATE_MS, TARGET_RATE = 2.0, 10.0, 100


# The players


@dataclass
class Table:
    """A game of two in a channel, as its players know it."""

    channel: int
    rules: Rules
    state: State
    lots: random.Random
    posted: asyncio.Event = field(default_factory=asyncio.Event)
    began: float = 0.0

    @property
    def mover(self) -> int:
        return FIRST_PERSON + 2 * (self.channel - FIRST_CHANNEL) + self.state.seat


class Club:
    """Many tables, all of them before a bot that is a process of its own."""

    def __init__(self, folder: Path, clock: str) -> None:
        self.clock = clock
        self.url = f"sqlite+aiosqlite:///{folder / 'bench.sqlite3'}"
        self.lots = random.Random(1)
        self.tables: dict[int, Table] = {}
        self.free: list[int] = []
        self.stand_in = StandIn([FIRST_CHANNEL + n for n in range(GAMES + 1)], random.Random(2))
        self.stand_in.on_message = self._posted
        self.bot, self._theirs = multiprocessing.Pipe()
        self._settled = asyncio.Event()

    def _posted(self, message: Json) -> None:
        if len(self.stand_in.messages) == 2 * GAMES:  # no more than these wait at the start
            self._settled.set()
        table = self.tables.get(int(message["channel_id"]))
        if table is not None:
            table.posted.set()

    async def open(self) -> bytes:
        """Set up the games, in the middle of which boards and captures are, and start the bot; one board as a PNG."""
        rules = rules_for("pinoy")
        store = Store(self.url)
        await store.open()
        games = Games(store, utc_milliseconds, self.lots, max_open_challenges=GAMES)
        for n, channel in enumerate(list(self.stand_in.channels)[:GAMES]):
            state = rules.start()
            for _ in range(16):
                if turns := rules.turns(state):
                    state = rules.play(state, self.lots.choice(turns))
            ana, ben = FIRST_PERSON + 2 * n, FIRST_PERSON + 2 * n + 1
            # The position is the one that is begun from: whose turn it is there, too.
            game = await games.challenges.open(
                source=f"o:{n}",
                opener=ana,
                opponent=ben,
                variant="pinoy",
                options={},
                side="first",
                place=Place(GUILD, channel),
                clock=self.clock,
                start=rules.position(state),
            )
            game = await games.challenges.accept(game.id, ben, f"a:{n}")
            self.tables[channel] = Table(channel, game.rules, game.state, random.Random(n))
        await store.close()
        self.free = list(self.tables)
        await self.stand_in.open()
        process = multiprocessing.get_context("spawn").Process(
            target=bot_process, args=(self.stand_in.port, self.url, self._theirs), daemon=True
        )
        process.start()
        # Each game has its challenge and its first board to post.
        await asyncio.wait_for(self._settled.wait(), 120)
        await asyncio.sleep(1)
        return render.draw(scene_of(game, ["Ana", "Ben"]))

    async def close(self) -> None:
        self.bot.send("stop")
        await asyncio.sleep(1)
        await self.stand_in.close()

    async def read(self) -> Reading:
        self.bot.send("read")
        reading: Reading = await asyncio.to_thread(self.bot.recv)
        return reading

    async def turn(self, table: Table) -> None:
        """Somebody moves; until the board stands in the channel."""
        turn = table.lots.choice(table.rules.turns(table.state))
        table.posted.clear()
        table.began = time.perf_counter()
        await self.stand_in.say(table.channel, table.mover, turn.text)
        await asyncio.wait_for(table.posted.wait(), 30)
        table.state = table.rules.play(table.state, turn)
        if table.state.outcome is None:
            self.free.append(table.channel)

    def take(self, among: int = GAMES) -> Table | None:
        """One of so many tables at which somebody may move; None where all are being answered, or over."""
        return self.tables[self.free.pop(self.lots.randrange(min(among, len(self.free))))] if self.free else None

    async def alone(self, turns: int) -> tuple[list[float], Reading, Reading]:
        """Turns one at a time: milliseconds each, and the readings before and after."""
        before = await self.read()
        began: list[tuple[int, float]] = []
        for _ in range(turns):
            table = self.take(AT_ONCE)
            if table is None:
                break
            await self.turn(table)
            if self.free and self.free[-1] == table.channel:
                self.free.insert(0, self.free.pop())
            began.append((table.channel, table.began))
            await asyncio.sleep(APART)
        after = await self.read()
        return milliseconds(began, after), before, after

    async def crowd(self, rate: float, seconds: float) -> tuple[int, list[float], Reading]:
        """Turns at random, so many a second: how many were done in time, milliseconds each, and what they took."""
        before = await self.read()
        began: list[tuple[int, float]] = []
        pending: set[asyncio.Task[None]] = set()
        ends = time.perf_counter() + seconds
        due = time.perf_counter()
        while time.perf_counter() < ends:
            due += self.lots.expovariate(rate)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if (table := self.take()) is None:
                continue
            task = asyncio.create_task(self.turn(table))
            pending.add(task)
            task.add_done_callback(pending.discard)
            began.append((table.channel, time.perf_counter()))
        many = len(began) - len(pending)
        if pending:
            await asyncio.gather(*pending)
        after = await self.read()
        return many, milliseconds(began, after), after.since(before)


def milliseconds(began: list[tuple[int, float]], reading: Reading) -> list[float]:
    """How long each turn took: when it was begun, in which channel, against the posts that a reading tells of."""
    posts: dict[int, list[float]] = {}
    for channel, at in reading.posted:
        posts.setdefault(channel, []).append(at)
    return [(posts[channel].pop(0) - at) * 1000 for channel, at in began if posts.get(channel)]


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def told(name: str, values: list[float]) -> None:
    p50, p95, p99 = statistics.median(values), percentile(values, 0.95), percentile(values, 0.99)
    print(f"{name:34} p50 {p50:7.2f}   p95 {p95:7.2f}   p99 {p99:7.2f} ms   ({len(values)})")


async def bench(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as name:
        club = Club(Path(name), arguments.clock)
        png = await club.open()
        try:
            await one_at_a_time(club, Path(name), png, arguments.turns)
            await in_crowds(club, arguments.rates, arguments.seconds)
        finally:
            await club.close()


async def one_at_a_time(club: Club, folder: Path, png: bytes, turns: int) -> None:
    """A turn's costs and the floor's, in turns, so that both see the same machine."""
    ours, theirs = multiprocessing.Pipe()
    url = f"http://127.0.0.1:{club.stand_in.port}/api/v10/channels/{FIRST_CHANNEL + GAMES}/messages"
    process = multiprocessing.get_context("spawn").Process(
        target=floor_process, args=(str(folder), url, png, theirs), daemon=True
    )
    process.start()
    await club.alone(4 * AT_ONCE)  # until all is warm
    floors: dict[str, list[float]] = {}
    alone: list[float] = []
    loops, everything, counts = [], [], []
    for _ in range(PARTS):
        ours.send(turns // PARTS)
        for key, values in (await asyncio.to_thread(ours.recv)).items():
            floors.setdefault(key, []).extend(values)
        taken, before, after = await club.alone(turns // PARTS)
        alone += taken
        spent = after.since(before)
        loops.append(spent.loop * 1000 / len(taken))
        everything.append(spent.everything * 1000 / len(taken))
        counts.append((spent.statements / len(taken), spent.reads / len(taken), spent.writes / len(taken)))
    ours.send(None)
    cpu, by_zlib = floors.pop("CPU"), floors.pop("zlib")
    for key, values in floors.items():
        told(f"floor: {key}", values)
    told("a turn, message to request", alone)
    once, floor = statistics.median(alone), statistics.median(floors["all three"])
    with_zlib = floor - statistics.median(floors["encode"]) + statistics.median(by_zlib)
    print(f"ratio of a turn to the floor: {once / floor:.2f} (to be at most {TARGET_RATIO:g})")
    print(f"  with the encoder of Python's library in the floor, as when that was set: {once / with_zlib:.2f}")
    loop, all_cpu, least = statistics.median(loops), statistics.median(everything), statistics.fmean(cpu)
    print(
        f"CPU of a turn: loop {loop:.2f} ms, other threads {all_cpu - loop:.2f} ms, in all {all_cpu:.2f} ms; "
        f"of the floor {least:.2f} ms, ratio {all_cpu / least:.2f}"
    )
    statements, reads, writes = (statistics.median(each) for each in zip(*counts, strict=True))
    print(f"{statements:.1f} statements in {reads:.1f} reading and {writes:.1f} writing transactions a turn\n")


async def in_crowds(club: Club, rates: list[float], seconds: float) -> None:
    """More and more turns a second, until the loop is late twice."""
    club.bot.send("watch")
    best = tired = 0.0
    for rate in rates:
        many, taken, spent = await club.crowd(rate, seconds)
        late, own = ([each[at] for each in spent.late] for at in (0, 1))
        own_p99 = percentile(own, 0.99)
        told(f"{rate:g} a second asked, {many / seconds:.1f} done", taken)
        told("  the loop late by", late)
        told("  but for other programs", own)
        loop, everything = spent.loop * 1000 / len(taken), spent.everything * 1000 / len(taken)
        print(f"  CPU of a turn: loop {loop:.2f} ms, other threads {everything - loop:.2f} ms", end="; ")
        print(f"{spent.statements / len(taken):.1f} statements")
        if own_p99 <= TARGET_LATE_MS and many >= 0.9 * rate * seconds:
            best = max(best, many / seconds)
        else:
            tired += 1
        if tired == 2 or not club.free:
            break
    print(
        f"sustained: {best:.0f} turns a second with the loop late by at most {TARGET_LATE_MS:g} ms at p99 "
        f"(to be at least {TARGET_RATE})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--clock", default="none")
    parser.add_argument("--rates", type=float, nargs="*", default=[20, 40, 60, 80, 100, 125, 150])
    parser.add_argument("--seconds", type=float, default=10.0)
    quiet()
    asyncio.run(bench(parser.parse_args()))


if __name__ == "__main__":
    main()
