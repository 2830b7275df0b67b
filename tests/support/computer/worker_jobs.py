"""What the workers of the tests do: die or hang the first time, tell who they are."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from unittest.mock import patch

from bot.computer.levels import LEVELS, find_level
from bot.computer.workers.jobs import Answer, Job, work

MARK = "DAMERO_TEST_MARK"


def first(job: Job) -> bool:
    """Whether this is the first time that anybody works."""
    mark = Path(os.environ[MARK])
    if mark.exists():
        return False
    mark.touch()
    return True


def unhurried(job: Job) -> Answer:
    """``work`` with all the time that its level could want: the same wherever it is done, and however busy that is."""
    with patch.dict("bot.computer.levels._LEVELS", draughts=[find_level(n)._replace(seconds=600.0) for n in LEVELS]):
        return work(job)


def dies_once(job: Job) -> Answer:
    if first(job):
        os.kill(os.getpid(), signal.SIGKILL)
    return work(job)


def hangs_once(job: Job) -> Answer:
    if first(job):
        threading.Event().wait()
    return work(job)


def always_dies(job: Job) -> Answer:
    os.kill(os.getpid(), signal.SIGKILL)
    return work(job)


def doubled(number: int) -> int:
    return 2 * number


def divided(number: int) -> float:
    return 1 / number


def dies(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def process(_number: int) -> int:
    return os.getpid()


def hangs(_number: int) -> int:
    threading.Event().wait()
    return 0
