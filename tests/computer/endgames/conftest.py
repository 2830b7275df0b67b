"""Tables that several tests look into, made once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable

import pytest

from bot.computer.endgames.files import EndgameFile
from bot.computer.endgames.lookup import make
from bot.computer.endgames.material import fingerprint
from bot.engine.draughts.rules import DraughtsRules


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[DraughtsRules, int], EndgameFile]:
    """Tables of just so many pieces, made once by all processes that share these tests among them."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "endgames"

    def once(rules: DraughtsRules, pieces: int) -> EndgameFile:
        # In one folder a file for more pieces would do for fewer, and it is much more to look through.
        folder = shared / f"{pieces}-pieces"
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{fingerprint(rules.tables)}.making").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return make(rules, folder, pieces)

    return once
