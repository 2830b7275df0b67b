from __future__ import annotations

import queue
import threading
from types import SimpleNamespace

import pytest

from bot.computer.search import bell
from bot.computer.search.limits import Limit


@pytest.mark.parametrize(("seconds", "waits"), [(1.0, 0.995), (0.01, 0.005), (0.004, 0.002), (0.0, 0.0)])
def test_a_short_time_is_not_all_kept_back(seconds: float, waits: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept back for handing over is half of the time at most, so that something is searched."""
    waited: queue.Queue[float | None] = queue.Queue()

    class Awake(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.put(timeout)
            return True

    monkeypatch.setattr(bell, "time", SimpleNamespace(monotonic=lambda: 0.0))
    with bell.Bell(Limit(seconds), Awake()).over([0] * 64):
        assert waited.get(timeout=10) == pytest.approx(waits)
