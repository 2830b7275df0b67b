"""The kill test with several processes on one PostgreSQL, one of which is killed at a time."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

from tests.crash.kept import Kept
from tests.crash.killing import LONGEST_ROUND, LONGEST_START, MOST_REQUESTS, Killing
from tests.crash.waits import within


class KillingOneOfSeveral(Killing):
    """One run over a PostgreSQL that processes share, one of which stands by: each round another is killed, whichever
    it is, and those that are left go on."""

    def __init__(self, folder: Path, seed: int, kept: Kept, processes: int) -> None:
        self._each = 2
        super().__init__(folder, seed, kept, shards=self._each * (processes - 1))
        self._wanted = processes
        self._processes: list[asyncio.subprocess.Process] = []

    async def _start(self) -> None:
        """As many processes as there are to be."""
        shards = {"SHARD_COUNT": str(len(self.stand_in.sessions)), "SHARDS_PER_PROCESS": str(self._each)}
        while len(self._processes) < self._wanted:
            self._processes.append(await self._started(**shards))

    async def _stop(self, number: signal.Signals) -> None:
        for process in self._processes:
            if process.returncode is None:
                process.send_signal(number)
        await self._dead(*self._processes)
        self.stand_in.down()

    async def _round(self) -> None:
        self.stand_in.faults = 0.04
        await self._start()
        async with within(LONGEST_START, "all shards to be connected and all processes to be there"):
            await self._all_there()
        victim = self._process = self.lots.choice(self._processes)
        self._until_kill = self.lots.randint(1, MOST_REQUESTS)
        await self._lives(victim, LONGEST_ROUND)
        self._kill()
        await self._dead(victim)
        self._until_kill, died = None, time.monotonic()
        self._processes.remove(victim)
        ended = [process.returncode for process in self._processes if process.returncode is not None]
        if ended:
            self.report.wrong.append(f"processes ended by themselves ({ended}); see {self.log}")
            self._processes = [process for process in self._processes if process.returncode is None]
        calm = self._trouble.done()
        await self._untroubled()
        # That its connections are cut is heard of a little later.
        await asyncio.sleep(0.2)
        if self.kept.query(_HELD) != [(len(self.stand_in.sessions),)]:
            async with within(LONGEST_START, "the shards of one that died to be taken over"):
                await self._found(_HELD, len(self.stand_in.sessions))
            if calm:
                self.report.takeovers.append(round(time.monotonic() - died, 1))
        self.report.rounds += 1

    async def _all_there(self) -> None:
        """All shards are connected, and all processes have found the database."""
        await self._found(_THERE, self._wanted)
        await self.stand_in.up.wait()

    async def _found(self, query: str, count: int) -> None:
        while True:
            if self.kept.query(query) == [(count,)]:
                return
            await asyncio.sleep(0.1)


_THERE = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'damero-lease-%'"
# The shards beside which stands the sign of a process that is alive: it acts for them.
_HELD = (
    "SELECT count(*) FROM key_values JOIN pg_stat_activity ON application_name = 'damero-lease-' || value "
    "WHERE key LIKE 'shard %'"
)
