"""What a search of a game hands to the next one of it, and to nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.lookup_tables import Ints
from bot.computer.levels import LEVELS, limit_of
from bot.computer.search import carried_over
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for

ONCE, CONTINUED = Limit(depth=7), Limit(depth=7, continued=True)


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    carried_over._kept.clear()
    yield
    carried_over._kept.clear()


def spanish() -> Searcher:
    rules = rules_for("spanish")
    assert isinstance(rules, DraughtsRules)
    return Searcher(rules, PLAIN)


def looked_at(limit: Limit) -> list[int]:
    """How many positions the searches of a game look at, one after the other."""
    searcher = spanish()
    state, nodes = searcher.rules.start(), []
    for _ in range(5):
        nodes.append(searcher.think(state, limit).nodes)
        for _ply in range(2):
            state = searcher.rules.play(state, searcher.think(state, Limit(depth=3)).turn)
    return nodes


def test_the_next_search_of_a_game_looks_at_less() -> None:
    """The first as if it were asked alone; two plies on, to the same depth, at fewer positions."""
    anew, continued = looked_at(ONCE), looked_at(CONTINUED)
    assert continued[0] == anew[0]
    assert sum(continued[1:]) < 0.9 * sum(anew[1:])


def test_a_search_is_the_same_whatever_came_before() -> None:
    """Unless it is asked to go on: then neither looks at a table that others have filled."""
    searcher = spanish()
    state = searcher.rules.start()
    first = searcher.think(state, ONCE)
    searcher.think(state, CONTINUED)
    assert searcher.think(state, ONCE) == first


def test_games_do_not_share() -> None:
    """A game in which the position of the earlier search never stood begins with an empty table."""
    searcher = spanish()
    rules = searcher.rules
    one, other = rules.turns(rules.start())[:2]
    here, there = rules.play(rules.start(), one), rules.play(rules.start(), other)
    anew = searcher.think(there, ONCE)
    searcher.think(here, CONTINUED)
    assert searcher.think(there, CONTINUED) == anew


def test_who_takes_a_table_has_it_alone() -> None:
    """It is handed out once, to who asks for one of its kind, and the oldest goes where there are too many."""
    state = spanish().rules.start()
    tables = [[number] for number in range(carried_over.MOST_KEPT + 1)]
    for table in tables:
        carried_over.keep(table, state, ("kind",))

    def taken(kind: str) -> Ints:
        return carried_over.taken(state, (kind,), 2, lambda count: [0] * count)

    assert taken("another kind") == [0, 0]
    for table in tables[:0:-1]:
        assert taken("kind") is table
    assert taken("kind") == [0, 0]


def test_a_third_time_is_seen_coming() -> None:
    """A turn after which the other side can bring a position back for the third time is worth no more than a draw,
    though an earlier search of the game, when it had stood there once, found more."""
    rules = rules_for("americanas")
    assert isinstance(rules, DraughtsRules)
    searcher, limit = Searcher(rules, PLAIN), Limit(depth=5, margin=5_000, continued=True)
    state, worth = rules.start("W:Wc1,Ke3,f2,g1,h6:Bb8,Kc3,d8,h4"), dict[str, int]()
    for text in ("e3-b6", "c3-h8", "b6-e3", "h8-c3", "e3-b6", "c3-h8"):
        if state.seat == 0:
            searcher.think(state, limit)
        state = rules.play(state, rules.read(state, text))
        if state.seat == 0:
            worth = {turn.text: score for turn, score in searcher.think(state, limit).ranked}
    assert worth["b6-e3"] <= 0
    assert max(worth.values()) > 0


class Filled(list[int]):
    """A table as the compiled search has them."""

    def fill(self, value: int) -> None:
        self[:] = [value] * len(self)


def test_memory_is_used_again() -> None:
    """Another game's table that would be dropped next is handed out empty, if it is as large as one is asked for."""
    state = spanish().rules.start()
    made: list[int] = []

    def room(count: int) -> Ints:
        made.append(count)
        return Filled([0] * count)

    tables = [Filled([5, number]) for number in range(carried_over.MOST_KEPT)]
    for table in tables:
        carried_over.keep(table, state, ("one game",))
    assert carried_over.taken(state, ("another",), 3, room) == [0, 0, 0]
    assert made == [3]
    again = carried_over.taken(state, ("another",), 2, room)
    assert again is tables[0]
    assert again == [0, 0]
    carried_over.taken(state, ("another",), 2, room)
    assert made == [3, 2]


def test_the_highest_level_goes_on() -> None:
    """The others look so far and no further, whatever they have seen."""
    rules = rules_for("spanish")
    assert [level for level in LEVELS if limit_of(rules, level).continued] == [LEVELS[-1]]


@pytest.mark.parametrize("game", ["spanish", "pinoy", "tama"])
def test_what_is_finished_is_a_minimax_all_the_same(game: str) -> None:
    """A search that is not selective finds the scores of one that begins anew, all through a game."""
    rules = rules_for(game)
    assert isinstance(rules, DraughtsRules)
    searcher, state, random = Searcher(rules, PLAIN), rules.start(), Random(f"carried over {game}")
    for _ in range(40):
        if state.outcome is not None:
            break
        limit = Limit(depth=3, selective=False)
        anew, continued = searcher.think(state, limit), searcher.think(state, replace(limit, continued=True))
        assert (continued.depth, continued.score) == (anew.depth, anew.score)
        state = rules.play(state, random.choice(rules.turns(state)))
