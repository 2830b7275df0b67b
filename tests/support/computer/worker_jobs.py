"""What the workers of the tests do: die or hang the first time, tell who they are."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from bot.computer.workers.jobs import Answer, Job, work

MARK = "DAMERO_TEST_MARK"


def first(task: Job) -> bool:
    """Whether this is the first time that anybody works."""
    mark = Path(os.environ[MARK])
    if mark.exists():
        return False
    mark.touch()
    return True


def dies_once(task: Job) -> Answer:
    if first(task):
        os.kill(os.getpid(), signal.SIGKILL)
    return work(task)


def hangs_once(task: Job) -> Answer:
    if first(task):
        threading.Event().wait()
    return work(task)


def always_dies(task: Job) -> Answer:
    os.kill(os.getpid(), signal.SIGKILL)
    return work(task)


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
