"""The plain search with a game's tables written into it, and how every form of the search keeps to its time."""

from __future__ import annotations

import time
from random import Random

import pytest

from bot.computer.kernels import alphabeta
from bot.computer.kernels.backends import PLAIN, Backend, backend_for
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import Position
from bot.engine.registry import rules_for
from tests.support.computer.minimax import gone_on, playable
from tests.support.engine import slow_draughts
from tests.support.engine.game_files import LAWS, rules_of_file
from tests.support.engine.random_positions import (
    GAMES,
    Options,
    by_placement,
    by_play,
    crowded,
    endings,
    few,
    name_of,
)

AS_IT_STANDS = PLAIN._replace(search=lambda tables: alphabeta.negamax)

# A king of the first side that can capture in a great many ways once the other side has moved.
MANY_WAYS = (5, 10, 14, 17, 19, 24, 26, 31, 34, 38, 40, 41, 44, 51, 53, 60)
KING = 32


@pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
def test_the_same_search_as_its_source(game: str, options: Options) -> None:
    """Written out or as it stands in its modules: the same turns, scores and nodes on random positions."""
    rules = rules_for(game, options)
    assert isinstance(rules, DraughtsRules)
    source, written = Searcher(rules, AS_IT_STANDS), Searcher(rules, PLAIN)
    law, random = slow_draughts.law_for(game, options), Random(f"written {game} {options}")
    for make in (by_play, by_placement, crowded, endings):
        state = playable(rules, slow_draughts.write(make(law, random)))
        if state is not None:
            limit = Limit(nodes=1500, selective=random.random() < 0.5, margin=random.choice((0, 80)))
            assert written.think(state, limit) == source.think(state, limit), rules.position(state)


@pytest.mark.parametrize("name", LAWS)
def test_the_same_search_by_the_rules_of_a_file(name: str) -> None:
    """So it is for a game that is only a file."""
    rules, random = rules_of_file(name), Random(f"written {name}")
    source, written = Searcher(rules, AS_IT_STANDS), Searcher(rules, PLAIN)
    for make in (by_play, few, by_placement):
        state = playable(rules, slow_draughts.write(make(LAWS[name], random)))
        if state is not None:
            state = gone_on(rules, state, random.randrange(12), random)
            limit = Limit(nodes=1000, selective=random.random() < 0.5)
            assert written.think(state, limit) == source.think(state, limit), rules.position(state)


@pytest.mark.parametrize("backend", [PLAIN, backend_for(64)], ids=lambda backend: backend.name)
def test_very_many_ways_to_capture_take_no_longer(backend: Backend) -> None:
    """A turn comes in time though the opponent's captures cannot all be looked at."""
    rules = rules_for("tama", {"turn_back": True})
    assert isinstance(rules, DraughtsRules)
    searcher = Searcher(rules, backend)
    searcher.think(rules.start(), Limit(depth=1))
    position = Position(1, (0, sum(1 << place for place in MANY_WAYS)), (1 << KING, 0))
    state = rules.start()
    state = type(state)(position, (position,))
    # This thread's own: others may have the processor meanwhile.
    started = time.thread_time()
    found = searcher.think(state, Limit(seconds=0.1))
    assert found.turn in rules.turns(state)
    assert time.thread_time() - started < 5


def test_a_man_crowned_in_a_capture_goes_on_the_same_in_every_form() -> None:
    """A man of Tama that is crowned in the middle of a capture goes on as a king, in the search written out too."""
    rules = rules_for("tama")
    assert isinstance(rules, DraughtsRules)
    limit = Limit(depth=4, selective=False, endgames=False, table=False, margin=3000)
    state = rules.start("W:Wa2,a3,b2,b3,b4,d2,e2,e3,Ke8,f2,g2,h2,h3:Ba6,a7,b6,b7,c5,f6,f7,g4,g7,h7")
    assert Searcher(rules, PLAIN).think(state, limit) == Searcher(rules, AS_IT_STANDS).think(state, limit)
