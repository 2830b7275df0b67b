"""`damero run` with PROCESSES: each is begun anew when it ends, and all end together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PATIENCE = 60.0


@contextmanager
def supervised(
    act: str, folder: Path, count: int = 3, lived: float = 0.0, first: str = "", patience: float = PATIENCE
) -> Iterator[subprocess.Popen[str]]:
    """A supervisor in a process of its own, whose processes each write their id into a file under their number.
    ``first`` is done before it begins."""
    program = f"""
        import os, signal, sys, time
        from pathlib import Path
        from bot.supervisor import Supervisor

        {first}

        def act(number):
            file = Path({str(folder)!r}) / str(number)
            # At once, for whoever reads one that is written anew.
            file.with_suffix(".new").write_text(str(os.getpid()))
            file.with_suffix(".new").replace(file)
            {act}

        sys.exit(Supervisor({count}, act, {{2}}, {lived}, {patience}).run())
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            yield running
        finally:
            _end(running)


def _end(supervisor: subprocess.Popen[str]) -> None:
    """Kill it, and whatever it has begun; stopped, it begins nothing more."""
    if supervisor.poll() is not None:
        return
    supervisor.send_signal(signal.SIGSTOP)
    left = Path(f"/proc/{supervisor.pid}/task/{supervisor.pid}/children").read_text().split()
    supervisor.kill()
    for child in left:
        with suppress(ProcessLookupError):
            os.kill(int(child), signal.SIGKILL)


def until(found: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < ends
        time.sleep(0.01)


def processes(folder: Path, count: int = 3) -> list[int]:
    """The ids of all of them, once they have begun."""
    files = [folder / str(number) for number in range(count)]
    until(lambda: all(file.exists() and file.read_text() for file in files))
    return [int(file.read_text()) for file in files]


def children(process: int) -> list[int]:
    """The ids of those that a process has, once it has any."""
    path = Path(f"/proc/{process}/task/{process}/children")
    until(lambda: path.read_text() != "")
    return [int(each) for each in path.read_text().split()]


def is_alive(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        # One that has ended stays in the list until its parent looks.
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


WAIT = "time.sleep(600)"


def test_who_is_killed_is_begun_anew(tmp_path: Path) -> None:
    """Under its own number, and the others are left alone."""
    with supervised(WAIT, tmp_path):
        before = processes(tmp_path)
        os.kill(before[1], signal.SIGKILL)
        until(lambda: processes(tmp_path)[1] != before[1])
        after = processes(tmp_path)
        assert [before[0], before[2]] == [after[0], after[2]]
        assert all(is_alive(process) for process in after)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_all_end_in_order(tmp_path: Path, number: signal.Signals) -> None:
    """A signal to the supervisor is one to each, and when they have ended so does it."""
    act = f"signal.signal(signal.SIGTERM, lambda *_: os._exit(0)); Path({str(tmp_path)!r}, f'ready{{number}}').touch()"
    with supervised(f"{act}; time.sleep(600)", tmp_path) as running:
        until(lambda: all((tmp_path / f"ready{each}").exists() for each in range(3)))
        running.send_signal(number)
        assert 0 == running.wait(PATIENCE)
        assert not any(map(is_alive, processes(tmp_path)))


def test_they_end_with_their_supervisor(tmp_path: Path) -> None:
    """However that ends: none stays that nobody would begin anew, and each says why it ends."""
    with supervised(WAIT, tmp_path) as running:
        begun = processes(tmp_path)
        running.kill()
        until(lambda: not any(map(is_alive, begun)))
        assert running.stdout is not None
        told = running.stdout.read()
        assert all(any(f"process={number}" in line for line in told.splitlines()) for number in range(3))
        assert 3 == told.count("what started this process has ended")


@pytest.mark.parametrize("alone", [False, True])
def test_who_does_not_end_is_killed(tmp_path: Path, alone: bool) -> None:
    """One that hangs, or was stopped, would keep its shards: it has its time, and so have those whose supervisor has
    gone. It was no good end, so the status says."""
    deaf = f"signal.signal(signal.SIGTERM, signal.SIG_IGN); Path({str(tmp_path)!r}, f'ready{{number}}').touch()"
    with supervised(f"{deaf}; time.sleep(600)", tmp_path, patience=0.5) as running:
        until(lambda: all((tmp_path / f"ready{each}").exists() for each in range(3)))
        begun = processes(tmp_path)
        if alone:
            running.kill()
        else:
            os.kill(begun[0], signal.SIGSTOP)
            running.terminate()
            assert 1 == running.wait(PATIENCE)
        until(lambda: not any(map(is_alive, begun)))


# A clock that goes on while the supervisor sleeps, and then alone; whom it begins knows how late it was.
SLEPT = """
        import bot.supervisor

        class Slept:
            now = 0.0

            def monotonic(self):
                return self.now

            def sleep(self, seconds):
                self.now += seconds

        slept = bot.supervisor.time = Slept()
"""


def test_who_fails_again_and_again_waits_longer(tmp_path: Path) -> None:
    """Each pause is twice as long as the one before."""
    file = tmp_path / "begun"
    begun = f"open({str(file)!r}, 'a').write(f'{{slept.now}} '); os._exit(1)"
    with supervised(begun, tmp_path, count=1, lived=3, first=SLEPT):
        until(lambda: file.exists() and len(file.read_text().split(" ")) > 4)
    first, second, third, fourth, *_ = map(float, file.read_text().split(" ")[:4])
    assert [3, 6, 12] == [round(pause) for pause in (second - first, third - second, fourth - third)]


def test_an_ignored_end_of_processes_is_heard(tmp_path: Path) -> None:
    """Whoever started the bot may have it ignore that processes end."""
    with supervised(WAIT, tmp_path, first="signal.signal(signal.SIGCHLD, signal.SIG_IGN)"):
        before = processes(tmp_path)
        os.kill(before[1], signal.SIGKILL)
        until(lambda: processes(tmp_path)[1] != before[1])


def test_what_would_end_so_again_ends_all(tmp_path: Path) -> None:
    """A wrong setting is told of once, and its status is that of all."""
    with supervised("number == 1 and os._exit(2) or time.sleep(600)", tmp_path) as running:
        assert 2 == running.wait(PATIENCE)
        # One that was ended at its very beginning may not have written its id.
        others = [(tmp_path / name).read_text() for name in "02" if (tmp_path / name).exists()]
        assert not any(is_alive(int(process)) for process in others if process)


def test_who_fails_at_once_waits(tmp_path: Path) -> None:
    """A process that fails at its start is not begun again before its time; the others are meanwhile."""
    act = "number == 1 and os._exit(1) or time.sleep(600)"
    with supervised(act, tmp_path, lived=3600.0) as running:
        before = processes(tmp_path)
        # Its supervisor has taken note of its end.
        until(lambda: not Path(f"/proc/{before[1]}").exists())
        assert is_alive(before[0])
        assert before == processes(tmp_path)
        running.terminate()
        assert 0 == running.wait(PATIENCE)


def test_a_fault_is_told(tmp_path: Path) -> None:
    """A process that raises has its traceback in the log, and does nothing of what comes after its supervisor."""
    with supervised("raise RuntimeError('no good')", tmp_path, count=1, lived=3600.0) as running:
        processes(tmp_path, 1)
        assert running.stdout is not None
        told = running.stdout
        until(lambda: "no good" in told.readline())
        running.terminate()
        assert 0 == running.wait(PATIENCE)


@pytest.mark.skipif(sys.platform != "linux", reason="made with prctl")
def test_what_others_leave_behind_is_none_of_its_processes(tmp_path: Path) -> None:
    """The first process of a container is the parent of all whose parents have ended: their ends are nothing to it."""
    left = "number == 0 and os.fork() == 0 and (time.sleep(1), os._exit(0)); time.sleep(600)"
    with supervised(left, tmp_path, first="import ctypes; ctypes.CDLL(None).prctl(36, 1)") as running:
        before = processes(tmp_path)
        (orphan,) = children(before[0])
        os.kill(before[0], signal.SIGKILL)
        until(lambda: processes(tmp_path)[0] != before[0])
        assert running.pid == int(Path(f"/proc/{orphan}/stat").read_text().rpartition(")")[2].split()[1])
        until(lambda: not Path(f"/proc/{orphan}").exists())
        os.kill(before[1], signal.SIGKILL)
        until(lambda: processes(tmp_path)[1] != before[1])


def test_a_process_that_cannot_be_begun_is_tried_again(tmp_path: Path) -> None:
    """Where the system has no room for another process the others go on, and it is begun when there is."""
    first = """fork, tried = os.fork, []
        def sparing():
            tried.append(1)
            if len(tried) == 2:
                raise BlockingIOError(11, "Resource temporarily unavailable")
            return fork()
        os.fork = sparing"""
    with supervised(WAIT, tmp_path, lived=0.5, first=first):
        assert all(is_alive(process) for process in processes(tmp_path))
