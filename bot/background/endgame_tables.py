"""Endgame tables that are missing, made beside the running bot by a process of low priority."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path

import structlog

from bot.computer.endgames import outcome_making
from bot.computer.endgames.lookup import conversions_for, file_for, outcomes_for
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for

log = structlog.get_logger(__name__)

PATIENCE = 60.0
"""Seconds that a bot has to run before anything is made: one that is stopped again at once makes nothing."""
LOWEST = 19
OUTCOMES = 5
"""Up to how many pieces who wins is solved."""


def missing() -> list[str]:
    """The draughts games that have no tables with their rules when nothing is chosen, those that are offered first
    before the others."""
    names = sorted(variants.names(), key=lambda name: not variants.load(name).tables.featured)
    every = {name: rules_for(name) for name in names}
    return [name for name, rules in every.items() if isinstance(rules, DraughtsRules) and file_for(rules) is None]


def missing_outcomes() -> list[str]:
    """The games offered first that have no tables of who wins with five pieces, or not of how far wins are from a
    conversion, which are made in minutes where numba is."""
    every = {each.id: rules_for(each.id) for each in map(variants.load, variants.names()) if each.tables.featured}
    return [
        name
        for name, rules in every.items()
        if isinstance(rules, DraughtsRules) and outcome_making.soon_made(rules, OUTCOMES) and not _has_outcomes(rules)
    ]


def _has_outcomes(rules: DraughtsRules) -> bool:
    plies = file_for(rules)
    if plies is None or outcomes_for(rules, plies) is None:
        return False
    if not outcome_making.convertible(rules.tables):
        return True
    far = conversions_for(rules)
    return far is not None and far.is_whole()


async def make_missing(folder: Path, pieces: int = OUTCOMES, patience: float = PATIENCE) -> None:
    """Make what is missing for up to so many pieces, none with 0, one game after the other. Cancelled, it ends the
    process; the next goes on from there."""
    await asyncio.sleep(patience)
    if pieces:
        for name in await asyncio.to_thread(missing):
            await _made(name, folder)
    if pieces >= OUTCOMES:
        for name in await asyncio.to_thread(missing_outcomes):
            await _made(name, folder, "--pieces", str(OUTCOMES))


async def _made(name: str, folder: Path, *more: str) -> None:
    """Have a process make the tables of a game."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "endgames", name, "--folder", str(folder), "--until-input-ends", *more,
        # It ends with the bot, however that ends.
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        with contextlib.suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST)
        log.info("making endgame tables", variant=name)
        _, output = await process.communicate()
        (log.info if process.returncode == 0 else log.warning)(
            "endgame tables",
            variant=name,
            status=process.returncode,
            output=output.decode().rpartition("\n")[0][-200:],
        )
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
