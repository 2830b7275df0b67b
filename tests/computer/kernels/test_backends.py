"""The compiled search does what the plain one does, move for move and node for node. Skipped without numba."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.computer.kernels.backends import PLAIN, Backend, backend_for, for_one_game
from bot.computer.kernels.lookup_tables import signed
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for
from tests.support.computer.minimax import gone_on, playable
from tests.support.engine import slow_draughts
from tests.support.engine.game_files import LAWS, rules_of_file
from tests.support.engine.random_positions import GAMES, Options, by_placement, by_play, crowded, endings, few, name_of
from tests.support.thoroughness import THOROUGH


@pytest.fixture(scope="module")
def compiled() -> Backend:
    pytest.importorskip("numba")
    found = backend_for(64)
    if found is PLAIN:
        pytest.skip("DAMERO_PLAIN is set")
    return found


@pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
def test_same_moves_scores_and_nodes(game: str, options: Options, compiled: Backend) -> None:
    """On random positions both find the same turns with the same scores after the same number of nodes."""
    rules = rules_for(game, options)
    assert isinstance(rules, DraughtsRules)
    fast, plain = Searcher(rules, compiled), Searcher(rules, PLAIN)
    law, random = slow_draughts.law_for(game, options), Random(f"compiled {game} {options}")
    for make, times in ((by_play, 6), (by_placement, 6), (crowded, 4), (endings, 4)):
        for _ in range(times * THOROUGH):
            state = playable(rules, slow_draughts.write(make(law, random)))
            if state is not None:
                limit = Limit(nodes=3000, selective=random.random() < 0.5, margin=random.choice((0, 80)))
                limit = replace(limit, fading=random.random() < 0.5)
                assert fast.think(state, limit) == plain.think(state, limit), rules.position(state)


@pytest.mark.parametrize("name", LAWS)
def test_the_same_by_the_rules_of_a_file(name: str, compiled: Backend) -> None:
    """So they do for a game that is only a file."""
    rules, random = rules_of_file(name), Random(f"compiled {name}")
    fast, plain = Searcher(rules, compiled), Searcher(rules, PLAIN)
    for make, times in ((by_play, 2), (few, 4), (crowded, 2)):
        for _ in range(times * THOROUGH):
            state = playable(rules, slow_draughts.write(make(LAWS[name], random)))
            if state is not None:
                state = gone_on(rules, state, random.randrange(12), random)
                limit = Limit(nodes=2000, selective=random.random() < 0.5, margin=random.choice((0, 80)))
                assert fast.think(state, limit) == plain.think(state, limit), rules.position(state)


@pytest.mark.parametrize("game", ["spanish", "americanas", "tama"])
def test_the_same_compiled_for_one_game(game: str, compiled: Backend) -> None:
    """So they do where a game's tables are written into what is compiled."""
    rules = rules_for(game)
    assert isinstance(rules, DraughtsRules)
    fast = Searcher(rules, compiled)
    with for_one_game():
        alone = Searcher(rules)
    assert alone.negamax is not fast.negamax
    law, random = slow_draughts.law_for(game, {}), Random(f"for {game} alone")
    for make, times in ((by_play, 6), (by_placement, 6), (crowded, 4), (endings, 6)):
        for _ in range(times * THOROUGH):
            state = playable(rules, slow_draughts.write(make(law, random)))
            if state is not None:
                limit = Limit(nodes=3000, selective=random.random() < 0.5, margin=random.choice((0, 80)))
                limit = replace(limit, fading=random.random() < 0.5)
                assert alone.think(state, limit) == fast.think(state, limit), rules.position(state)


def test_bits_with_a_sign() -> None:
    """The last of 64 bits is the sign of a compiled integer."""
    assert signed(1 << 63) == -(1 << 63)
    assert signed((1 << 64) - 1) == -1
    assert signed(5) == 5
    assert signed(-1) == -1


def test_plain_python_is_kept_to_where_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """DAMERO_PLAIN keeps numba out, and boards of more than 64 squares are never compiled."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    assert backend_for(64) is PLAIN
    monkeypatch.delenv("DAMERO_PLAIN")
    assert backend_for(72) is PLAIN


def test_nothing_is_counted(compiled: Backend) -> None:
    """The compiled search does not count who holds its arrays, which took a third of its time."""
    rules = rules_for("spanish")
    assert isinstance(rules, DraughtsRules)
    searcher = Searcher(rules, compiled)
    searcher.think(rules.start(), Limit(depth=2))
    (code,) = searcher.negamax.__wrapped__.inspect_llvm().values()  # type: ignore[attr-defined]
    assert "NRT_" not in code
