"""The kill test with more than one process: several on one PostgreSQL, one of which is killed or updated at a time; or
that of an earlier checkout, and today's after it on the same file."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

from tests.crash.bot_process import NEWER
from tests.crash.kept import Kept
from tests.crash.killing import FAULTS, LONGEST_ROUND, LONGEST_START, MOST_REQUESTS, ROOT, Killing, tell
from tests.crash.waits import within

# How many of the rounds end with the death of another one.
TWO_AT_ONCE = 0.15
# So many requests come before an update from an earlier checkout, at least: games are in the middle by then.
BEFORE_UPDATE = 3 * MOST_REQUESTS
LONGEST_BEFORE = 60.0


class KillingOneOfSeveral(Killing):
    """One run over a PostgreSQL that processes share, one of which stands by: each round another is killed, whichever
    it is, and those that are left go on. ``least``: so many requests come before it, at least."""

    least = 1

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
            tell(process, number)
        await self._dead(*self._processes)
        self._processes.clear()
        self.stand_in.down()

    async def _round(self) -> None:
        self.stand_in.faults = FAULTS
        await self._start()
        async with within(LONGEST_START, "all shards to be connected and all processes to be there"):
            await self._all_there()
        victim = self._process = self._next_to_go()
        self._until_kill = self.lots.randint(self.least, MOST_REQUESTS)
        storm = self._forecast()
        await self._lives(victim, LONGEST_ROUND)
        self._kill()
        await self._dead(victim)
        self._until_kill, died = None, time.monotonic()
        self._calm(storm)
        self._processes.remove(victim)
        ended = [process.returncode for process in self._processes if process.returncode is not None]
        if ended:
            self.report.wrong.append(f"processes ended by themselves ({ended}); see {self.log}")
            self._processes = [process for process in self._processes if process.returncode is None]
        calm = self._trouble.done()
        await self._untroubled()
        # That its connections are cut is heard of a little later.
        await asyncio.sleep(0.2)
        if await self._one_more_dies():
            pass
        elif self.kept.query(_HELD) != [(len(self.stand_in.sessions),)]:
            async with within(LONGEST_START, "the shards of one that died to be taken over"):
                await self._found(_HELD, len(self.stand_in.sessions))
            if calm:
                self.report.takeovers.append(round(time.monotonic() - died, 1))
        self.report.rounds += 1

    async def _one_more_dies(self) -> bool:
        """Perhaps: then there are not enough for all shards, until others are begun."""
        if len(self._processes) < 2 or self.lots.random() >= TWO_AT_ONCE:
            return False
        self._process = self._processes.pop()
        super()._kill()
        await self._dead(self._process)
        self.report.two_at_once += 1
        return True

    def _next_to_go(self) -> asyncio.subprocess.Process:
        return self.lots.choice(self._processes)

    async def _all_there(self) -> None:
        """All shards are connected, and all processes have found the database."""
        await self._found(_THERE, self._wanted)
        await self.stand_in.up.wait()

    async def _found(self, query: str, count: int) -> None:
        while True:
            if self.kept.query(query) == [(count,)]:
                return
            if ended := [process.returncode for process in self._processes if process.returncode is not None]:
                raise RuntimeError(f"processes ended by themselves ({ended}); see {self.log}")
            await asyncio.sleep(0.1)


class RollingUpdate(KillingOneOfSeveral):
    """One run in which nobody is killed: each round the oldest process is told to stop, and one of another version
    takes its place. When all have been replaced, the next round begins to go back."""

    trouble = 0.0
    least = MOST_REQUESTS // 2

    def __init__(self, folder: Path, seed: int, kept: Kept, processes: int) -> None:
        super().__init__(folder, seed, kept, processes)
        self._begun = 0
        self._told: asyncio.subprocess.Process | None = None
        self._told_at = 0.0

    async def _started(self, **settings: str) -> asyncio.subprocess.Process:
        newer = self._begun // self._wanted % 2 == 1
        self._begun += 1
        self.report.updates += newer
        return await super()._started(**settings, **({NEWER: "1"} if newer else {}))

    def _next_to_go(self) -> asyncio.subprocess.Process:
        return self._processes[0]

    async def _one_more_dies(self) -> bool:
        return False

    def _forecast(self) -> None:
        """An update is done while all is well."""

    def _kill(self) -> None:
        # A second time would mean: at once.
        if self._process is not None and self._process is not self._told:
            self._told, self._told_at = self._process, time.monotonic()
            tell(self._process, signal.SIGTERM)

    async def _dead(self, *processes: asyncio.subprocess.Process) -> None:
        await super()._dead(*processes)
        if processes == (self._told,):
            self.report.stops.append(round(time.monotonic() - self._told_at, 1))

    async def _round(self) -> None:
        await super()._round()
        assert self._process is not None
        if self._process.returncode != 0:
            self.report.wrong.append(f"one that was told to stop ended with {self._process.returncode}; see {self.log}")


class UpdateFrom(Killing):
    """One run in whose first round ``checkout`` plays, which is stopped as hosts stop it, in the middle of turns; all
    other rounds are today's. Until then Discord works, as that code is known not to bear all that it can do."""

    def __init__(self, folder: Path, seed: int, kept: Kept, checkout: Path) -> None:
        super().__init__(folder, seed, kept)
        self._checkout = checkout
        self._is_old = True

    async def _started(self, **settings: str) -> asyncio.subprocess.Process:
        if self._is_old:
            settings["PYTHONPATH"] = os.pathsep.join(
                [str(self._checkout), str(ROOT / "tests" / "crash" / "uncompiled")]
            )
        return await super()._started(**settings)

    async def _round(self) -> None:
        if self._is_old:
            await self._update()
        else:
            await super()._round()

    async def _update(self) -> None:
        await self._start()
        assert self._process is not None
        async with within(LONGEST_START, "the earlier bot to be there"):
            await self._up_or_dead(self._process)
        self._until_kill = BEFORE_UPDATE + self.lots.randint(1, MOST_REQUESTS)
        await self._lives(self._process, LONGEST_BEFORE)
        self._kill()
        await self._dead(self._process)
        self.stand_in.down()
        if self._process.returncode != 0:
            self.report.wrong.append(f"the earlier bot ended with {self._process.returncode}; see {self.log}")
        self._is_old = False
        self.report.updates += 1
        self.report.turns_before = len(self.kept.query("SELECT number FROM turns"))

    def _kill(self) -> None:
        if not self._is_old:
            super()._kill()
        elif self._process is not None:
            tell(self._process, signal.SIGTERM)


_THERE = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'damero-lease-%'"
# The shards beside which stands the sign of a process that is alive: it acts for them.
_HELD = (
    "SELECT count(*) FROM key_values JOIN pg_stat_activity ON application_name = 'damero-lease-' || value "
    "WHERE key LIKE 'shard %'"
)
