"""What a worker process does with what it is asked."""

from __future__ import annotations

import gc
import threading
from types import SimpleNamespace

import pytest

from bot.computer.kernels import backends
from bot.computer.kernels.backends import plainly
from bot.computer.workers import jobs
from bot.computer.workers.jobs import Job, answer, is_brief, until_ready, warm, work


def test_what_stays_is_not_looked_through_during_a_search() -> None:
    """Once the searches are ready, a full collection of garbage passes over what has been made until then."""
    gc.unfreeze()
    before = len(gc.get_objects())
    try:
        with plainly():
            warm()
        assert len(gc.get_objects()) < before / 10
    finally:
        gc.unfreeze()


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """As if the searches were compiled until this is set, or somebody waits for it; nobody may have them before."""
    ready = threading.Event()
    warming = SimpleNamespace(is_alive=lambda: not ready.is_set(), join=ready.set)
    monkeypatch.delenv("DAMERO_PLAIN", raising=False)
    monkeypatch.setattr(jobs, "_warming", warming)
    monkeypatch.setattr(backends, "can_compile", lambda size: True)
    for name in ("_fastest", "_compiled_star"):
        monkeypatch.setattr(backends, name, lambda: pytest.fail("the search is compiled"))
    return ready


@pytest.mark.parametrize("variant", ["pinoy", "chinese-checkers"])
def test_a_turn_that_takes_little_does_not_wait_for_the_compiler(variant: str, compiling: threading.Event) -> None:
    """It is found in plain Python, at every level but the highest."""
    job = Job(variant, {}, None, (), 3, 0)
    assert answer(work, job).turn
    assert not compiling.is_set()
    assert [is_brief(job._replace(level=level)) for level in range(1, 9)] == [True] * 7 + [False]


def test_what_takes_more_waits_for_it(compiling: threading.Event) -> None:
    """A level-8 turn and whatever is not a turn; then what is asked has the searches."""
    assert [is_brief(asked) for asked in ("an analysis", ("a", "hint"))] == [False, False]
    until_ready(None)
    assert compiling.is_set()
    assert answer(lambda _asked: backends._plainly.get(), None) is False


def test_it_is_plain_only_while_it_is_compiled(compiling: threading.Event) -> None:
    """What is asked at first has plain searches, what is asked later the compiled ones."""
    plain = [answer(lambda _asked: backends._plainly.get(), None)]
    compiling.set()
    plain.append(answer(lambda _asked: backends._plainly.get(), None))
    assert plain == [True, False]
