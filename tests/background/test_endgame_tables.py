"""Endgame tables that are missing are made beside the running bot."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import signal
import sys
from pathlib import Path

import pytest

from bot.background import endgame_tables
from bot.computer.endgames import lookup
from bot.computer.endgames.lookup import make
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for
from tests.support.engine.shipped import DRAUGHTS


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in Python's place that notes its arguments and ends as its last one says; where it notes them."""
    notes = tmp_path / "notes"
    notes.touch()
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\necho "$$ $@" >> {notes}\n[ "$4" = tama ] && exec sleep 600\n[ "$4" != pinoy ]\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    monkeypatch.setattr(lookup, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setenv(lookup.FOLDER, str(tmp_path))
    return notes


def test_what_is_missing(stand_in: Path) -> None:
    """Each shipped draughts game whose tables are not there is made, first those that are offered first; the star has
    none."""
    featured = ["americanas", "pinoy", "spanish", "tama"]
    others = [name for name in DRAUGHTS if name not in featured]
    assert [*featured, *others] == endgame_tables.missing()
    rules = rules_for("spanish")
    assert isinstance(rules, DraughtsRules)
    make(rules, stand_in.parent, 2)
    assert ["americanas", "pinoy", "tama", *others] == endgame_tables.missing()


def told(notes: Path) -> list[str]:
    return [line.split(maxsplit=1)[1] for line in notes.read_text().splitlines()]


async def test_one_after_the_other(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process of the lowest priority makes each; where one fails the next is made all the same."""
    monkeypatch.setattr(endgame_tables, "missing", lambda: ["pinoy", "spanish"])
    lowered: list[int] = []
    monkeypatch.setattr(os, "setpriority", lambda which, pid, priority: lowered.append(priority))
    await endgame_tables.make_missing(stand_in.parent, patience=0)
    assert [
        f"-m bot endgames {name} --folder {stand_in.parent} --until-input-ends" for name in ("pinoy", "spanish")
    ] == told(stand_in)
    assert [19, 19] == lowered


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="they are made with numba")
def test_who_wins_is_missing(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of who wins with five pieces are missing for the games offered first, but for the one in which that takes
    long; where nothing can be compiled none are."""
    assert [] == endgame_tables.missing_outcomes()
    monkeypatch.setenv("DAMERO_PLAIN", "0")
    assert {"americanas", "pinoy", "spanish"} == set(endgame_tables.missing_outcomes())


@pytest.mark.parametrize(("pieces", "count"), [(5, 2), (4, 1), (0, 0)])
async def test_how_much_is_made(stand_in: Path, monkeypatch: pytest.MonkeyPatch, pieces: int, count: int) -> None:
    """Behind all tables of four pieces come those of five; the setting leaves out these, or all."""
    monkeypatch.setattr(endgame_tables, "missing", lambda: ["spanish"])
    monkeypatch.setattr(endgame_tables, "missing_outcomes", lambda: ["americanas"])
    await endgame_tables.make_missing(stand_in.parent, pieces, patience=0)
    asked = f"--folder {stand_in.parent} --until-input-ends"
    both = [f"-m bot endgames spanish {asked}", f"-m bot endgames americanas {asked} --pieces 5"]
    assert both[:count] == told(stand_in)


async def test_it_ends_with_the_bot(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the bot stops, so does what makes tables."""
    monkeypatch.setattr(endgame_tables, "missing", lambda: ["tama"])
    begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    monkeypatch.setattr(os, "setpriority", lambda which, pid, priority: begun.set_result(pid))
    making = asyncio.create_task(endgame_tables.make_missing(stand_in.parent, patience=0))
    process = await begun
    making.cancel()
    await asyncio.gather(making, return_exceptions=True)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


# In Python's place: it makes one table for minutes, and says nothing.
_MAKER = """#!{python}
import sys, time
from bot.cli.command_line import main
from bot.cli import making

making.make = lambda *_about, **_more: time.sleep(600)
sys.exit(main(sys.argv[3:]))
"""
_BOT = """
import asyncio, os, sys
from pathlib import Path
from bot.background import endgame_tables

sys.executable = sys.argv[1] + "/maker"
endgame_tables.missing = lambda: ["tama"]
os.setpriority = lambda which, pid, priority: print(pid, flush=True)
asyncio.run(endgame_tables.make_missing(Path(sys.argv[1]), patience=0))
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells when somebody else's process ends")
async def test_it_ends_with_a_bot_that_is_killed(tmp_path: Path) -> None:
    """A bot that is killed leaves no process behind that makes tables for minutes."""
    (tmp_path / "maker").write_text(_MAKER.format(python=sys.executable))
    (tmp_path / "maker").chmod(0o755)
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _BOT, str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    assert bot.stdout is not None
    maker = int(await bot.stdout.readline())
    ends, ended = os.pidfd_open(maker), asyncio.Event()
    asyncio.get_running_loop().add_reader(ends, ended.set)

    bot.kill()
    await bot.wait()

    try:
        async with asyncio.timeout(60):
            await ended.wait()
    finally:
        asyncio.get_running_loop().remove_reader(ends)
        os.close(ends)
        with contextlib.suppress(ProcessLookupError):
            os.kill(maker, signal.SIGKILL)
