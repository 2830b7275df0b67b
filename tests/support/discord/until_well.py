"""A bot that runs in this process until its health check says that all is well."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.health import ask


@contextmanager
def ended_when_well(port: int, then: Callable[[], None] = lambda: None) -> Iterator[list[tuple[bool, str]]]:
    """What the health check says, until all is well: then ``then`` is done, and the bot told to stop."""
    answers: list[tuple[bool, str]] = []
    ended = threading.Event()

    def wait_until_well() -> None:
        deadline = time.monotonic() + 120
        while not ended.wait(0.05):
            answers.append(ask(port))
            if answers[-1][0]:
                then()
            if answers[-1][0] or time.monotonic() > deadline:
                os.kill(os.getpid(), signal.SIGTERM)
                return

    watcher = threading.Thread(target=wait_until_well)
    watcher.start()
    try:
        yield answers
    finally:
        ended.set()
        watcher.join()
