"""Endgame tables that are missing are made beside the running bot."""

from __future__ import annotations

import asyncio
import os
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
    assert [f"-m bot endgames {name} --folder {stand_in.parent}" for name in ("pinoy", "spanish")] == told(stand_in)
    assert [19, 19] == lowered


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
