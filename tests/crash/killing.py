"""One run of the kill test: people play at tables and hold tournaments while the bot is killed again and again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.chat.posting.find_posted import NONCE_HOLDS
from tests.crash.bot_process import LATER
from tests.crash.checks import all_said_once, held_against_store, pending
from tests.crash.club import Club
from tests.crash.gateway import TOKEN
from tests.crash.kept import Kept
from tests.crash.players import ComputersTable
from tests.crash.report import Report
from tests.crash.tournament_checks import as_they_stand
from tests.crash.waits import waited, within

ROOT = Path(__file__).resolve().parents[2]
LONGEST_ROUND = 8.0
# Bounds for what should not be waited for at all: a machine with much to do takes its time.
LONGEST_START = 120.0
LONGEST_END = 120.0
LONGEST_STOP = 60.0
LONGEST_TROUBLE = 90.0
# How likely a request fails at any time.
FAULTS = 0.04
# A kill comes after so many requests at most.
MOST_REQUESTS = 50
# How many of the requests bring the database a trouble of its own.
TROUBLE = 0.06
# How many of the kills come by time, while the bot starts, rather than by the requests that it has made.
WHILE_STARTING = 0.1
# How many of the rounds last for ten times as many requests.
LONG = 0.15
# How many of the rounds end in a storm, which begins after so many seconds at most.
STORMS = 0.15
CALM = 2.0
# How many of the rounds outlive one, which lasts so many seconds at most, and after which all is said in as many.
OUTLIVED = 0.05
LONGEST_STORM = 30.0
PACE = 0.2
LONGEST_PAUSE = 90.0
# From so many rounds on there is time for clocks that run out.
EVENING = 30
# How many of the starts come minutes after the kill.
MINUTES_LATER = 0.3
# How many of the kills are followed by as many seconds in which the bot was there, and nobody did anything.
MINUTES = 130
DAYS_LATER = 0.3
LONGEST_SLEEP = 2.5 * 86_400


def tell(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Send a signal to a process that may just have ended, which is not always known here yet."""
    # Not by its own method, which would look how it ended, and so keep that from whoever waits for it.
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)


class Killing:
    """One run over one database. ``trouble``: how many of the requests bring it a trouble of its own."""

    trouble = TROUBLE

    def __init__(self, folder: Path, seed: int, kept: Kept, *, shards: int = 1) -> None:
        self.lots = random.Random(seed)
        self.kept = kept
        self._troubles = random.Random(seed + 9)
        self.log = folder / "bot.log"
        self.club = Club(seed, shards)
        self.stand_in = self.club.stand_in
        self.stand_in.on_request = self._counted
        self.report = Report()
        self._process: asyncio.subprocess.Process | None = None
        self._until_kill: int | None = None
        self._forgotten_at = self._tidied_at = 0.0
        self._tidies = False
        self._trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._trouble.set_result(None)

    def _counted(self) -> None:
        """Called for each request: the moment to kill comes by counting them."""
        if self._until_kill is None:
            return
        if self.lots.random() < 0.01:
            self.stand_in.drop_connection()
        if self.stand_in.up.is_set() and self._trouble.done() and self._troubles.random() < self.trouble:
            self._trouble = asyncio.get_running_loop().run_in_executor(None, self.kept.trouble, self._troubles)
        self._until_kill -= 1
        if self._until_kill == 0:
            asyncio.get_running_loop().call_later(self.lots.random() * 0.03, self._kill)

    def _storm(self) -> None:
        """From now on nearly every request fails, until the bot is dead."""
        if self._process is not None and self._process.returncode is None:
            self.stand_in.storm = True
            self.report.storms += 1

    def _forecast(self) -> asyncio.TimerHandle | None:
        """Perhaps a storm, soon."""
        if self.lots.random() >= STORMS:
            return None
        return asyncio.get_running_loop().call_later(self.lots.uniform(0, CALM), self._storm)

    def _calm(self, storm: asyncio.TimerHandle | None) -> None:
        """One that has not begun by now belongs to no later start, least of all to the last, where Discord works."""
        if storm is not None:
            storm.cancel()
        self.stand_in.storm = False

    def _kill(self) -> None:
        if self._process is not None:
            tell(self._process, signal.SIGKILL)

    async def run(self, rounds: int, wanted: Sequence[str] = ()) -> Report:
        """So many kills, and on a machine that is too slow for it four times as many at most, until all has happened
        that the report counts under the names that are ``wanted``; then a quiet end."""
        for table in self.club.tables.values():
            # In a short run nobody's time would run out.
            table.evening = rounds >= EVENING
        await self.stand_in.open()
        playing = self.club.play_on()
        try:
            try:
                while self.report.rounds < rounds or (self.report.rounds < 4 * rounds and self._lacks(wanted)):
                    await self._round()
                    self._note_tidying()
                    with self.kept.at_one_moment() as query:
                        # Of several processes the others go on.
                        self.report.wrong += held_against_store(query, self.club)
            finally:
                self.report.wrong += await self._sent_home(playing)
            await self._quiet_end()
        finally:
            await self._stop(signal.SIGKILL)
            await self.stand_in.close()
        self.report.add_up(self.club, self.kept)
        return self.report

    def _lacks(self, wanted: Sequence[str]) -> bool:
        self.report.add_up(self.club, self.kept)
        return not all(getattr(self.report, name) for name in wanted)

    async def _sent_home(self, playing: list[asyncio.Task[None]]) -> list[str]:
        """What was wrong with those who played till now."""
        for task in playing:
            task.cancel()
        ended, left = await asyncio.wait(playing, timeout=LONGEST_STOP)
        wrong = [f"people play on, though they were sent home: {task.get_name()}" for task in left]
        failed = [(task, task.exception()) for task in ended if not task.cancelled()]
        return wrong + [f"people at {task.get_name()} stopped playing: {why!r}" for task, why in failed]

    async def _start(self) -> None:
        self._process = await self._started()

    async def _started(self, **settings: str) -> asyncio.subprocess.Process:
        # What was made before Discord forgot is too old to be recognised by its nonce.
        nonce_holds = min(NONCE_HOLDS, int((self.stand_in.now() - self._forgotten_at) * 1000))
        environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        environment |= {
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": self.kept.url,
            LATER: str(self.stand_in.later),
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "crash" / "uncompiled")]),
        }
        environment |= settings
        with self.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.crash.bot_process", str(self.stand_in.port), str(nonce_holds)),
                env=environment,
                cwd=self.log.parent,
                stdout=log,
                stderr=log,
            )

    async def _stop(self, number: signal.Signals) -> None:
        if self._process is not None:
            tell(self._process, number)
            await self._dead(self._process)
        self.stand_in.down()

    async def _dead(self, *processes: asyncio.subprocess.Process) -> None:
        """Until they are, who were told to be; by force, if need be."""
        try:
            async with within(LONGEST_STOP, f"processes {[each.pid for each in processes]} to end"):
                for process in processes:
                    await process.wait()
        except TimeoutError as error:
            self.report.wrong.append(f"{error}; see {self.log}")
            for process in processes:
                tell(process, signal.SIGKILL)
                await process.wait()

    async def _lives(self, process: asyncio.subprocess.Process, seconds: float) -> bool:
        """Whether it is still alive after so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await process.wait()
        return process.returncode is None

    async def _untroubled(self) -> None:
        """Until the database is well again."""
        async with within(LONGEST_TROUBLE, "the database's trouble to be over"):
            await asyncio.shield(self._trouble)

    async def _round(self) -> None:
        self.stand_in.faults = FAULTS
        # Long enough, now and then, for the computer to think, and for a storm to outlast every try.
        times = 10 if self.lots.random() < LONG else 1
        self._until_kill = self.lots.randint(1, MOST_REQUESTS) * times
        storm: asyncio.TimerHandle | None = None
        if self.lots.random() < DAYS_LATER and not self.kept.query(_UNSAID):
            self._sleep_on()
        if self.lots.random() < MINUTES_LATER:
            self._forget()
        await self._start()
        assert self._process is not None
        if self.lots.random() >= WHILE_STARTING or not await self._lives(
            self._process, self.lots.uniform(0.2, LONGEST_ROUND / 2)
        ):
            async with within(LONGEST_START, "the bot to be there"):
                await self._up_or_dead(self._process)
            if self.lots.random() < OUTLIVED:
                await self._outlive_storm(self._process)
            storm = self._forecast()
            await self._lives(self._process, LONGEST_ROUND if times == 1 else 3 * LONGEST_ROUND)
        self._kill()
        await self._dead(self._process)
        self._calm(storm)
        if self._process.returncode != -signal.SIGKILL:
            self.report.wrong.append(f"the bot ended by itself ({self._process.returncode}); see {self.log}")
        self.stand_in.down()
        self.report.rounds += 1
        await self._untroubled()

    async def _outlive_storm(self, process: asyncio.subprocess.Process) -> None:
        """A storm until a board was tried in vain, and then a Discord that works: the same bot posts those that were
        made in it, without another start."""
        kill_after, self._until_kill = self._until_kill, None
        began = self.stand_in.now() * 1000
        self._storm()
        # Else a channel would have more posts in a minute than Discord lets anybody make.
        self.stand_in.pace = PACE
        in_vain = "kind = 'board' AND (state = 'pending' AND attempts > 0 OR state = 'dropped')"
        await self._until(lambda: bool(self._boards(began, in_vain)), process, LONGEST_STORM)
        self.stand_in.storm, self.stand_in.faults = False, 0.0
        tried = self._boards(began, in_vain)
        made = self.stand_in.now() * 1000
        unsaid = f"kind = 'board' AND state <> 'sent' AND made_at <= {made:.0f}"
        await self._until(lambda: not self._boards(began, unsaid), process, LONGEST_PAUSE)
        if process.returncode is None:
            self.report.outlived += bool(tried)
            self.report.wrong += [f"not posted after a storm: {board}" for board in self._boards(began, unsaid)]
        self._until_kill, self.stand_in.faults, self.stand_in.pace = kill_after, FAULTS, 0.0

    def _boards(self, since: float, which: str) -> list[tuple[object, ...]]:
        """Of the boards that were to be posted since then (ms) those, in games that have lost no channel and did not
        go on in another."""
        waits = f"SELECT game_id FROM announcements WHERE state = 'pending' AND (made_at < {since:.0f} OR attempts > 2)"
        found = self.kept.query(
            "SELECT announcements.id, announcements.game_id, announcements.state, games.channel_id,"
            " games.place_channel_id FROM announcements JOIN games ON games.id = announcements.game_id"
            f" WHERE made_at >= {since:.0f} AND {which}"
            " AND games.id NOT IN (SELECT game_id FROM acts WHERE what = 'move here')"
            # What was tried in vain before pauses for longer each time, and nothing of its game overtakes it.
            f" AND games.id NOT IN ({waits})"
        )
        return [row for row in found if not any(self.stand_in.is_gone(channel) for channel in row[-2:])]

    async def _until(self, done: Callable[[], bool], process: asyncio.subprocess.Process, seconds: float) -> None:
        """Until that holds, or the process has ended, or so long."""
        until = time.monotonic() + seconds
        while not done() and process.returncode is None and time.monotonic() < until:
            self.club.news.clear()
            await waited(self.club.news, 0.2)

    def _forget(self) -> None:
        """Minutes go by without the bot: Discord knows no nonce any more."""
        self.stand_in.later += MINUTES
        self.stand_in.forget_nonces()
        self._forgotten_at = self.stand_in.now()

    def _sleep_on(self, least: float = 0.1) -> None:
        """Nobody does anything for a day or so, in which the bot was there: time has run for all who are to move."""
        self.stand_in.later += self.lots.uniform(least, 1) * LONGEST_SLEEP
        if self.kept.query("SELECT value FROM key_values WHERE key = 'alive'"):
            self.kept.run(f"UPDATE key_values SET value = '{self.stand_in.now() * 1000:.0f}' WHERE key = 'alive'")
        for table in self.club.all_tables:
            # At night the bot tidies up by whom a turn was asked for, too.
            table.told.clear()
            table.continued.clear()
        self._note_tidying()
        self._forget()
        self.report.days += 1

    def _note_tidying(self) -> None:
        """What was said before now may have been tidied up, if there was time for it since this was last asked."""
        due = bool(self.kept.query(f"SELECT id FROM timers WHERE kind = 'tidy' AND at <= {self.stand_in.now() * 1000}"))
        if due or self._tidies:
            self._tidied_at = self.stand_in.now() * 1000
        self._tidies = due

    async def _up_or_dead(self, process: asyncio.subprocess.Process) -> None:
        """Until the bot is there, or was killed by its first requests."""
        waiting = [asyncio.create_task(self.stand_in.up.wait()), asyncio.create_task(process.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    async def _quiet_end(self) -> None:
        """Start with a Discord that works, until all is said, and then games go on in other channels; once more when a
        season's time has run out; then `damero check-store`."""
        self._until_kill = None
        self.stand_in.faults = 0.0
        await self._until_all_is_said(elsewhere=True)
        self._sleep_on(least=0.5)
        await self._until_all_is_said()
        check = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "check-store"),
            env={"DATABASE_URL": self.kept.url, "PYTHONPATH": str(ROOT)},
            cwd=self.log.parent,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with within(LONGEST_END, "check-store"):
            said, _ = await check.communicate()
        if check.returncode != 0:
            self.report.wrong.append(f"check-store: {said.decode()}")
        self.report.wrong += await as_they_stand(self.kept.url, self.stand_in.messages)

    async def _until_all_is_said(self, *, elsewhere: bool = False) -> None:
        await self._start()
        async with within(LONGEST_START, "the bot to be there at the end"):
            await self.stand_in.up.wait()
        await self._until_nothing_waits()
        if elsewhere:
            await self._go_on_elsewhere()
            await self._until_nothing_waits()
        await self._stop(signal.SIGTERM)
        self.report.wrong += held_against_store(self.kept.query, self.club)
        self.report.wrong += all_said_once(self.kept.query, self.club, self._tidied_at)

    async def _go_on_elsewhere(self) -> None:
        """Of the tables at which a game runs, all lose their channel."""
        running = {game for (game,) in self.kept.query("SELECT id FROM games WHERE status = 'running'")}
        theirs = [table for table in self.club.tables.values() if not isinstance(table, ComputersTable)]
        lose = [table for table in theirs if not table.over and table.game in running]
        for wrong in await asyncio.gather(*(table.go_on_elsewhere() for table in lose)):
            self.report.wrong += wrong
        # Where something happened that nobody saw, that game was left.
        self.report.had_to_continue = sum(not table.over for table in lose)

    async def _until_nothing_waits(self) -> None:
        until = time.monotonic() + LONGEST_END
        while (waiting := pending(self.kept.query, self.stand_in.now())) and time.monotonic() < until:
            self.club.news.clear()
            await waited(self.club.news, 0.2)
        if waiting:
            self.report.wrong.append(f"not said, though Discord works: {waiting}")


# Until a board is there nobody's time runs.
_UNSAID = "SELECT id FROM announcements WHERE state = 'pending'"
