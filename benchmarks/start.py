"""What a start costs, from `damero run` until the bot is connected, and its memory at rest.

    python benchmarks/start.py [--rounds 11] [--against ../before] [--rest 5]

The bot is `damero run` as hosts start it, on a database that is there; this process is Discord
(``tests.crash.stand_in``). Told is the processor time of the bot's process alone, without the computer's workers, with
the least and the most of all rounds, and beside it what the bare import of the libraries takes that every start needs.
Other programs make processor time longer, too, so compare within one run: ``--against`` starts another checkout of this
repository in turn with this one.
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
from pathlib import Path

from tests.crash.gateway import TOKEN
from tests.crash.stand_in import StandIn

HERE = Path(__file__).resolve().parents[1]
# Without the collector, as the bot imports them.
LIBRARIES = """
import gc, time
gc.disable()
import aiohttp, aiosqlite, discord, PIL.ImageDraw, pydantic, sqlalchemy.ext.asyncio, structlog
print(time.process_time() * 1000)
"""
CHANNEL = 300_000
PATIENCE = 60.0


async def begun(checkout: Path, folder: Path, *command: str, **settings: str) -> asyncio.subprocess.Process:
    """Python of its own on the code of ``checkout``; what it has compiled it keeps."""
    with (folder / "log").open("ab") as log:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, *command),
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(checkout), **settings},
            cwd=folder,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )


async def start(checkout: Path, stand_in: StandIn, folder: Path, rest: float) -> tuple[float, float]:
    """One start of the bot: milliseconds until it is connected, and MB when it has rested for so many seconds."""
    address = f"127.0.0.1:{stand_in.port}"
    bot = await begun(
        checkout,
        folder,
        *("-m", "bot", "run"),
        DISCORD_TOKEN=TOKEN,
        DATABASE_URL=f"sqlite+aiosqlite:///{folder / 'start.sqlite3'}",
        DISCORD_API_URL=f"http://{address}/api/v10",
        DISCORD_GATEWAY_URL=f"ws://{address}/gateway",
        ENDGAMES_PIECES="0",
        LOG_LEVEL="error",
    )
    try:
        async with asyncio.timeout(PATIENCE):
            await stand_in.up.wait()
        took = spent(bot.pid)
        await asyncio.sleep(rest)
        return took, held(bot.pid)
    finally:
        bot.send_signal(signal.SIGTERM)
        await bot.wait()
        stand_in.down()


async def libraries(folder: Path) -> float:
    """Milliseconds for their import alone."""
    told, _ = await (await begun(HERE, folder, "-c", LIBRARIES)).communicate()
    return float(told)


def spent(process: int) -> float:
    """Milliseconds of processor time that all threads of a process have had so far."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((each / "schedstat").read_text().split()[0]) for each in threads) / 1e6


def held(process: int) -> float:
    """MB of memory, of what it shares with others its part (PSS)."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


async def measure(checkouts: list[Path], rounds: int, rest: float, folders: Path) -> None:
    starts: dict[Path, list[tuple[float, float]]] = {checkout: [] for checkout in checkouts}
    floor = []
    # One Discord for each: it knows the commands that it was told of at an earlier start.
    stand_ins = [StandIn([CHANNEL], random.Random(1)) for _ in checkouts]
    for stand_in in stand_ins:
        await stand_in.open()
    # The first round makes the databases, compiles and registers the commands.
    for _ in range(rounds + 1):
        for number, (checkout, taken) in enumerate(starts.items()):
            folder = folders / str(number)
            folder.mkdir(exist_ok=True)
            taken.append(await start(checkout, stand_ins[number], folder, rest))
        floor.append(await libraries(folders))
    for stand_in in stand_ins:
        await stand_in.close()
    for checkout, taken in starts.items():
        times, sizes = zip(*taken[1:], strict=True)
        print(f"{checkout.name}: connected after {told(times)} ms of processor time; at rest {told(sizes)} MB")
    print(f"libraries alone: {told(floor[1:])} ms")


def told(values: list[float] | tuple[float, ...]) -> str:
    return f"{statistics.median(values):.0f} ({min(values):.0f} to {max(values):.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--rest", type=float, default=5, help="seconds until the memory is read")
    asked = parser.parse_args()
    checkouts = [HERE] if asked.against is None else [HERE, asked.against.resolve()]
    with tempfile.TemporaryDirectory() as folders:
        asyncio.run(measure(checkouts, asked.rounds, asked.rest, Path(folders)))


if __name__ == "__main__":
    main()
