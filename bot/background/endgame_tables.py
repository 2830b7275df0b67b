"""Endgame tables that are missing, made beside the running bot by a process of low priority."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path

import structlog

from bot.computer.endgames.lookup import file_for
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for

log = structlog.get_logger(__name__)

PATIENCE = 60.0
"""Seconds that a bot has to run before anything is made: one that is stopped again at once makes nothing."""
LOWEST = 19


def missing() -> list[str]:
    """The draughts games that have no tables with their rules when nothing is chosen, those that are offered first
    before the others."""
    names = sorted(variants.names(), key=lambda name: not variants.load(name).tables.featured)
    every = {name: rules_for(name) for name in names}
    return [name for name, rules in every.items() if isinstance(rules, DraughtsRules) and file_for(rules) is None]


async def make_missing(folder: Path, patience: float = PATIENCE) -> None:
    """Make what is missing, one game after the other. Cancelled, it ends the process; the next goes on from there."""
    await asyncio.sleep(patience)
    for name in await asyncio.to_thread(missing):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "endgames", name, "--folder", str(folder), "--until-input-ends",
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
