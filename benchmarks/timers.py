"""What many running games with clocks cost: a start, a tick, memory; each against the number of timers that are due.

    python benchmarks/timers.py [--games 100000] [--due 0 100 1000]

Games are written straight into the tables, a tenth of them and all of them; then the bot's store and timers are opened
as at a start. What is not due must cost (next to) nothing: the ratios compare the large store with the small one.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import sqlite3
import tempfile
import time
import tracemalloc
from pathlib import Path

from bot.background.game_timers import handlers_for
from bot.background.scheduler import Scheduler
from bot.engine.registry import rules_for
from bot.games.service import Games
from bot.support.time_units import DAY
from data.store import Store

NOW = 1_800_000_000_000
MOST_GROWTH = 3.0


def fill(file: Path, games: int, due: int) -> None:
    """Running games of seven days a move, both first moves made; of ``due`` of them the time is up."""
    rules = rules_for("pinoy")
    state = rules.start()
    turns = []
    for _ in range(2):
        turns.append(rules.turns(state)[0].text)
        state = rules.play(state, rules.read(state, turns[-1]))
    position, options = rules.position(state), json.dumps(dict(rules.variant.options))
    clock = json.dumps({"left": [7 * DAY, 7 * DAY], "spent": [0, 0]})
    database = sqlite3.connect(file)
    lots = random.Random(1)
    with database:
        for game in range(1, games + 1):
            late = game <= due
            at = NOW - 8 * DAY if late else NOW - lots.randrange(3 * DAY)
            database.execute(
                "INSERT INTO games (id, variant_id, options, place_channel_id, channel_id, opener, side, status, ply,"
                " position, to_seat, opened_at, started_at, changed_at, clock) VALUES"
                " (?, 'pinoy', ?, ?, ?, ?, 'first', 'running', 2, ?, 0, ?, ?, ?, '7d')",
                (game, options, game, game, 2 * game, position, at, at, at),
            )
            for seat in (0, 1):
                database.execute(
                    "INSERT INTO seats (game_id, seat, player, sat_at) VALUES (?, ?, ?, ?)",
                    (game, seat, 2 * game + seat, at),
                )
                database.execute(
                    "INSERT INTO turns (game_id, number, kind, seat, text, at, source, clock) VALUES"
                    " (?, ?, 'turn', ?, ?, ?, ?, ?)",
                    (game, seat + 1, seat, turns[seat], at, f"m:{game}.{seat}", clock),
                )
            deadline = at + 7 * DAY
            # A reminder may be what comes next; none is due before the end of those that are late.
            next_at = deadline if late else NOW + 1 + lots.randrange(DAY)
            database.execute(
                "INSERT INTO timers (kind, subject, at, payload) VALUES ('clock', ?, ?, ?)",
                (game, next_at, json.dumps({"stage": "end" if late else "half", "due": deadline})),
            )
    database.close()


async def measure(folder: Path, games: int, due: int) -> dict[str, float]:
    """Milliseconds, and kilobytes from a run of their own: while memory is followed all takes several times as long."""
    found = await begun(folder / f"{games}-{due}.sqlite3", games, due, followed=False)
    memory = await begun(folder / f"{games}-{due}-followed.sqlite3", games, due, followed=True)
    return found | {"memory, kB": memory["memory, kB"]}


async def begun(file: Path, games: int, due: int, *, followed: bool) -> dict[str, float]:
    url = f"sqlite+aiosqlite:///{file}"
    store = Store(url)
    await store.open()
    await store.close()
    fill(file, games, due)
    gc.collect()
    if followed:
        tracemalloc.start()
    started = time.perf_counter()
    store = Store(url)
    await store.open()
    use_cases = Games(store, lambda: NOW, random.Random(1), max_open_challenges=10)
    await use_cases.outages.resume()
    ended: list[int] = []
    timers = Scheduler(
        store,
        lambda: NOW,
        handlers_for(use_cases, lambda game: ended.append(game.id)),
        use_cases.outages.alive,
        lambda: {0},
        lambda: False,
    )
    ready = time.perf_counter()
    await timers.tick()
    done = time.perf_counter()
    found = {"ready": (ready - started) * 1000, "first tick": (done - ready) * 1000}
    assert len(ended) == due, (len(ended), due)
    idle = []
    for _ in range(50):
        before = time.perf_counter()
        timers.set(NOW)
        await timers.tick()
        idle.append((time.perf_counter() - before) * 1000)
    found["a tick with nothing due"] = sorted(idle)[len(idle) // 2]
    if followed:
        found["memory, kB"] = tracemalloc.get_traced_memory()[0] / 1024
        tracemalloc.stop()
    await store.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--due", type=int, nargs="+", default=[0, 100, 1000])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for due in asked.due:
            small = asyncio.run(measure(Path(name), max(due, asked.games // 10), due))
            large = asyncio.run(measure(Path(name), asked.games, due))
            print(f"{due} of them due: {asked.games // 10:,} games, {asked.games:,} games, ratio")
            for what, value in large.items():
                print(f"  {what:26} {small[what]:10.1f} {value:10.1f} {value / small[what]:8.2f}")
            if due:
                each = [found["first tick"] / due for found in (small, large)]
                print(f"  {'a timer that is due, ms':26} {each[0]:10.2f} {each[1]:10.2f}")
    print(f"(ten times the games: each ratio is to stay well below ten; at most {MOST_GROWTH:g} is wished for)")


if __name__ == "__main__":
    main()
