"""A bot that does nothing but think, until it is killed; it says which process its worker is."""

from __future__ import annotations

import asyncio
import sys

from bot.computer.workers.pool import LONGEST, Workers
from tests.support.computer import worker_jobs


async def main() -> None:
    workers = Workers(1)
    sys.stdout.write(f"{await workers.call(worker_jobs.process, 0, 1, seconds=LONGEST)}\n")
    sys.stdout.flush()
    await workers.call(worker_jobs.hangs, 0, 1, seconds=LONGEST)


if __name__ == "__main__":
    asyncio.run(main())
