"""A bot that does nothing but think, until it is killed; it says which process its worker is."""

from __future__ import annotations

import asyncio
import sys

from bot.computer.workers import LONGEST, Workers
from tests.computer import working


async def main() -> None:
    workers = Workers(1)
    sys.stdout.write(f"{await workers.call(working.process, 0, 1, seconds=LONGEST)}\n")
    sys.stdout.flush()
    await workers.call(working.hangs, 0, 1, seconds=LONGEST)


if __name__ == "__main__":
    asyncio.run(main())
