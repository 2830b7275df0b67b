"""Tables that several tests look into, made once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable

import pytest

from bot.computer.endgames import outcome_making
from bot.computer.endgames.files import EndgameFile
from bot.computer.endgames.lookup import Endgames, conversions_for, make
from bot.computer.endgames.material import fingerprint
from bot.computer.kernels.backends import PLAIN
from bot.computer.search.draughts import Searcher
from bot.engine.draughts.rules import DraughtsRules
from tests.support.computer.tiny_boards import HALVED, on_a_tiny_board
from tests.support.thoroughness import THOROUGH


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


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables are made in less time than it takes to compile what makes them."""
    if THOROUGH == 1:
        monkeypatch.setenv("DAMERO_PLAIN", "1")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Endgames]:
    """The tables of a game on its tiny board, plies of four pieces and who wins with five, made once."""
    known: dict[str, Endgames] = {}

    def once(game: str) -> Endgames:
        if game not in known:
            rules = on_a_tiny_board(game)
            with pytest.MonkeyPatch.context() as patch:
                # Small tables are made in less time than it takes to compile what makes them.
                if THOROUGH == 1:
                    patch.setenv("DAMERO_PLAIN", "1")
                if game in HALVED:
                    patch.setattr(outcome_making, "BOTH_MOST", 0)
                # On a small board nothing is far away.
                patch.setattr(outcome_making, "NEAR", -1)
                plies = make(rules, tmp_path_factory.mktemp(game), 4)
                outcomes = outcome_making.make(rules, plies, 5)
            far = conversions_for(rules, [plies.path.parent])
            known[game] = Endgames(plies, rules, Searcher(rules, PLAIN).plain, PLAIN, outcomes, far)
        return known[game]

    return once
