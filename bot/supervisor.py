"""Several processes of the bot by one command: they are forked from one that has loaded all they need, which they share
with it. One that ends is begun anew at once, one that ends again and again after a while; one that does not end when
all are to is killed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Container
from contextlib import suppress
from types import FrameType

import structlog

log = structlog.get_logger(__name__)

_TO_END = (signal.SIGINT, signal.SIGTERM)

LIVED = 3.0
"""Seconds: a process that ends sooner than this is begun anew only when they are over, lest it fails in a circle; one
that ends soon once more waits for twice as long."""

_SOON = 4
"""So many times as long is soon enough."""

_LONGEST = 60.0

PATIENCE = 25.0
"""Seconds for a process to end that is told to: less than a container is given, more than the bot needs."""

_LOOK = 0.1


class Supervisor:
    """``act`` is what each of ``count`` processes does, told its number, counted from 0; what it returns is its exit
    status. One that ends with a status of ``final`` would end so again: then all end."""

    def __init__(
        self,
        count: int,
        act: Callable[[int], int],
        final: Container[int],
        lived: float = LIVED,
        patience: float = PATIENCE,
    ) -> None:
        self._count, self._act, self._final, self._lived, self._patience = count, act, final, lived, patience
        self._numbers: dict[int, int] = {}
        self._begun: dict[int, float] = {}
        self._pauses = dict.fromkeys(range(count), lived)
        self._due: dict[int, float] = {}
        self._ends = False
        # Whoever holds the other end is alive: when the last one goes, however that ends, its processes hear of it.
        self._alive, self._held_open = os.pipe()

    def run(self) -> int:
        """Until SIGTERM or SIGINT, which all processes get, or until one ends for good. Returns the exit status. To be
        called by the main thread of a process that has no other."""
        before = {number: signal.signal(number, self._end) for number in _TO_END}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._kill)
        # Who starts this may have it ignored, and then nobody would hear of an end.
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        status = 0
        log.info("several processes", count=self._count)
        try:
            for number in range(self._count):
                self._begin(number)
            while self._numbers or self._due:
                self._begin_anew()
                # Others may end before the next is due.
                process, ended = os.waitpid(-1, os.WNOHANG) if self._due and self._numbers else self._wait()
                if not process:
                    time.sleep(_LOOK)
                    continue
                if process not in self._numbers:
                    # As the first process of a container it is given those whose parents have ended.
                    continue
                number = self._numbers.pop(process)
                code = os.waitstatus_to_exitcode(ended)
                if code in self._final and not self._ends:
                    status = code
                    self._end(signal.SIGTERM, None)
                if self._ends:
                    # A process that fails while all end, or has to be killed, has the last word.
                    status = status or (code if code >= 0 else int(-code not in _TO_END))
                    continue
                self._put_off(number, process, code)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            for which, handler in before.items():
                signal.signal(which, handler)
            os.close(self._held_open)
            os.close(self._alive)
        return status

    def _wait(self) -> tuple[int, int]:
        return os.wait() if self._numbers else (0, 0)

    def _put_off(self, number: int, process: int, code: int) -> None:
        """Begin one anew that has ended, when it is time."""
        now, begun, pause = time.monotonic(), self._begun[number], self._pauses[number]
        self._due[number] = begun + pause
        soon = now - begun < _SOON * self._lived
        self._pauses[number] = min(2 * pause, _LONGEST) if soon else self._lived
        about = {"status": code} if code >= 0 else {"signal": signal.strsignal(-code)}
        wait = round(max(0.0, begun + pause - now))
        log.warning("a process ended and is begun anew", process=number, pid=process, again_in_seconds=wait, **about)

    def _begin_anew(self) -> None:
        """All that are due; none where all are to end."""
        now = time.monotonic()
        for number in [number for number, at in self._due.items() if self._ends or at <= now]:
            del self._due[number]
            if not self._ends:
                self._begin(number)

    def _begin(self, number: int) -> None:
        self._begun[number] = time.monotonic()
        # Which process it is must be known before a signal is passed on.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _TO_END)
        try:
            process = os.fork()
            if process == 0:
                self._be(number, blocked)
            self._numbers[process] = number
            log.info("a process begins", process=number, pid=process)
        except OSError as error:
            log.warning("a process cannot be begun", process=number, error=str(error))
            self._due[number] = time.monotonic() + self._lived
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    def _be(self, number: int, blocked: set[int | signal.Signals]) -> None:
        """Be one of the processes, and nothing after it."""
        status = 1
        try:
            for each in (*_TO_END, signal.SIGALRM):
                signal.signal(each, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            os.close(self._held_open)
            threading.Thread(target=self._end_with_supervisor, args=(number,), name="supervisor", daemon=True).start()
            status = self._act(number)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            # What the supervisor is in the middle of is not the process's to finish.
            os._exit(status)

    def _end_with_supervisor(self, number: int) -> None:
        os.read(self._alive, 1)
        log.error("what started this process has ended, and so does it", process=number)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(self._patience)
        os._exit(1)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        """Pass on that all is to end. One that has ended already hears nothing."""
        if not self._ends:
            signal.setitimer(signal.ITIMER_REAL, max(self._patience, _LOOK))
        self._ends = True
        self._tell(signal.SIGTERM)

    def _kill(self, _number: int, _frame: FrameType | None) -> None:
        """Whoever hangs, or was stopped, does not end by itself, and would keep its shards."""
        self._tell(signal.SIGKILL)
        for process, number in self._numbers.items():
            log.error("a process does not end and is killed", process=number, pid=process)

    def _tell(self, what: signal.Signals) -> None:
        for process in list(self._numbers):
            with suppress(ProcessLookupError):
                os.kill(process, what)
