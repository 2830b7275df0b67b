"""The draughts search returns what a plain minimax returns, and its table changes nothing but time."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.search_room import WIN, WON
from bot.computer.search import draughts
from bot.computer.search.draughts import Searcher, searcher_for
from bot.computer.search.limits import GameOverError, Limit
from bot.computer.search.think import think
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for, rules_of
from bot.engine.ruleset import shipped
from bot.engine.variants import read
from tests.support.computer.minimax import gone_on, minimax, playable
from tests.support.engine import slow_draughts
from tests.support.engine.game_files import LAWS, rules_of_file
from tests.support.engine.random_positions import GAMES, Options, by_placement, by_play, endings, few, name_of
from tests.support.thoroughness import THOROUGH

every_game = pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)


def searcher(game: str, options: Options) -> Searcher:
    rules = rules_for(game, options)
    assert isinstance(rules, DraughtsRules)
    return searcher_for(rules)


@every_game
def test_returns_what_minimax_returns(game: str, options: Options) -> None:
    """On random positions, at each depth: the same score, by a turn that has it."""
    found = searcher(game, options)
    law, random = slow_draughts.law_for(game, options), Random(f"search {game} {options}")
    # Whole boards of a game whose pieces go in all directions take the minimax long.
    deep = 3 if game != "tama" or THOROUGH > 1 else 2
    for make, depth, times in ((by_play, deep, 1), (by_placement, 2, 5), (endings, 2, 3)):
        for _ in range(times * THOROUGH):
            text = slow_draughts.write(make(law, random))
            state = playable(found.rules, text)
            if state is None:
                continue
            best = found.think(state, Limit(depth=depth, selective=False))
            expected = {
                turn: -minimax(found.rules, found.rules.play(state, turn), best.depth - 1, 1)
                for turn in found.rules.turns(state)
                if not turn.neglects
            }
            assert max(expected.values()) == best.score == expected[best.turn], text


@pytest.mark.parametrize("name", LAWS)
def test_returns_what_minimax_returns_by_the_rules_of_a_file(name: str) -> None:
    """So it does for what other games win by, for endings that are over at once with men on the board, for kings that
    rest after a run, and where captures go straight, count by value or end behind a king."""
    rules, random = rules_of_file(name), Random(f"search {name}")
    found = Searcher(rules, PLAIN)
    # Pieces that have many ways to go take the minimax long.
    many = THOROUGH == 1 and len(rules.board.played) > 32
    for make, depth, times in ((few, 2 if many else 3, 4), (by_placement, 2, 2), (by_play, 1 if many else 2, 2)):
        for _ in range(times * THOROUGH):
            state = playable(rules, slow_draughts.write(make(LAWS[name], random)))
            if state is None:
                continue
            state = gone_on(rules, state, random.randrange(12), random)
            best = found.think(state, Limit(depth=depth, selective=False))
            expected = {
                turn: -minimax(rules, rules.play(state, turn), best.depth - 1, 1) for turn in rules.turns(state)
            }
            assert max(expected.values()) == best.score == expected[best.turn], rules.position(state)


@pytest.mark.parametrize(("width", "height"), [(8, 9), (9, 8), (10, 7), (5, 6)])
def test_boards_whose_players_have_other_corners(width: int, height: int) -> None:
    """An own game on a board whose rows or columns are odd in number is searched as any other."""
    text = shipped("americanas").text.replace("[1, 2, 3]", "[1, 2]")
    text = text.replace("width = 8", f"width = {width}").replace("height = 8", f"height = {height}")
    rules = rules_of(read(text, "own.toml", {"neglect": "compulsory"}))
    assert isinstance(rules, DraughtsRules)
    found, random = Searcher(rules, PLAIN), Random(f"search {width} {height}")
    for _ in range(3):
        state = gone_on(rules, rules.start(), random.randrange(16), random)
        best = found.think(state, Limit(depth=2, selective=False))
        expected = {turn: -minimax(rules, rules.play(state, turn), best.depth - 1, 1) for turn in rules.turns(state)}
        assert max(expected.values()) == best.score == expected[best.turn], rules.position(state)


COUNTED = [
    ("international", "W:WKa1,a7:BKj8", "W:WKa1,Kc1:BKj8"),
    ("brazilian", "W:WKa1,Kc1:BKh6,g3", "W:WKa1,a7:BKh6"),
    ("russian", "W:WKc1,a5:BKh4", "B:WKg1,Kh4,a7:BKb2"),
    ("russian", "W:WKc1,a7:BKh4,h6", "B:WKg1,Kh4,Kh6:BKa1"),
]


@pytest.mark.parametrize(("name", "one", "other"), COUNTED)
def test_counted_moves_of_men(name: str, one: str, other: str) -> None:
    """So it does near the end of a count that goes on through moves and crownings of men, or needs a main road."""
    rules = rules_of_file(name)
    short = [ending.model_copy(update={"moves": min(ending.moves, 2)}) for ending in rules.tables.draws.endings]
    draws = rules.tables.draws.model_copy(update={"endings": short})
    rules = DraughtsRules(replace(rules.variant, tables=rules.tables.model_copy(update={"draws": draws})))
    found, random = Searcher(rules, PLAIN), Random(f"counted {name}")
    for text in (one, other):
        for turns in range(4 * THOROUGH):
            state = gone_on(rules, rules.start(text), turns % 4, random)
            best = found.think(state, Limit(depth=3, selective=False))
            expected = {
                turn: -minimax(rules, rules.play(state, turn), best.depth - 1, 1) for turn in rules.turns(state)
            }
            assert max(expected.values()) == best.score == expected[best.turn], (rules.position(state), state.since)


def test_a_king_that_will_rest() -> None:
    """White's king may go once more and then no longer: that a man must move then, and is lost, is seen."""
    scores = {}
    for longest in ("3", "0"):
        rules = rules_of_file("frisian", run=longest)
        state = rules.start("W:Wa3,Ka9:Bc5,j2,Kj4")
        for text in ("a9-b10", "j4-i5", "b10-a9", "i5-j4"):
            state = rules.play(state, rules.read(state, text))
        best = Searcher(rules, PLAIN).think(state, Limit(depth=3, selective=False, margin=5_000))
        expected = {turn.text: -minimax(rules, rules.play(state, turn), 2, 1) for turn in rules.turns(state)}
        assert {turn.text: score for turn, score in best.ranked} == expected
        scores[longest] = expected["6-1"]
    assert scores["3"] < scores["0"] - 100


def test_who_loses_all_wins() -> None:
    """Where that wins, pieces are given away as fast as can be, and the last of them is a win."""
    rules = rules_of_file("give-away")
    best = Searcher(rules, PLAIN).think(rules.start("W:Wc3,a1:Be5,h8"), Limit(depth=8))
    assert best.score > WON
    assert best.turn.text == "c3-d4"


@every_game
def test_the_table_changes_nothing_but_time(game: str, options: Options) -> None:
    """With and without remembered positions a finished depth has the same score."""
    found = searcher(game, options)
    law, random = slow_draughts.law_for(game, options), Random(f"table {game} {options}")
    for make, depth, times in ((by_play, 5, 2), (endings, 4, 2)):
        for _ in range(times * THOROUGH):
            state = playable(found.rules, slow_draughts.write(make(law, random)))
            if state is None:
                continue
            quick = found.think(state, Limit(depth=depth if game != "tama" else 3, selective=False))
            plain = found.think(state, Limit(depth=quick.depth, selective=False, table=False))
            assert (plain.score, plain.depth) == (quick.score, quick.depth), found.rules.position(state)


def test_the_table_saves_time() -> None:
    """From the start it leaves fewer positions to look at."""
    found = searcher("pinoy", {})
    quick, plain = (found.think(found.rules.start(), Limit(depth=8, table=table)) for table in (True, False))
    assert quick.nodes < plain.nodes


def test_a_win_is_found_and_its_length_told() -> None:
    """A capture of the last piece is a win in one ply."""
    found = searcher("pinoy", {})
    best = found.think(found.rules.start("W:Wc3:Bd4"), Limit(depth=6))
    assert (best.turn.text, best.score) == ("c3xe5", WIN - 1)
    assert best.score > WON


def test_the_third_time_is_a_draw_to_the_search() -> None:
    """A turn that brings a position for the third time is worth a draw, however good it looks; for the second time what
    it is worth otherwise."""
    found = searcher("pinoy", {})
    rules = found.rules
    state = rules.start("W:WKe1,Kh2,a1:BKb8")
    for moves, third in (("e1-d2 b8-a7 d2-c1 a7-b8", False), ("c1-d2 b8-a7 d2-c1 a7-b8", True)):
        for text in moves.split():
            state = rules.play(state, rules.read(state, text))
        ranked = {turn.text: score for turn, score in found.think(state, Limit(depth=1, margin=5000)).ranked}
        assert (ranked["c1-d2"] == 0) is third
        assert ranked["c1-d2"] >= 0 < ranked["h2-g1"]


@pytest.mark.parametrize(
    ("game", "position", "moves", "third", "good"),
    [
        ("tama", "W:Wc3:BKb2,Kc2", "c3-d3 c2-b1 d3-c3 b1-c2 c3-d3 c2-b1 d3-c3", "b1-c2", False),
        ("turkish", "W:Wg6:BKa6,Kc7", "g6-h6 a6-a7 h6-g6 a7-a6 g6-h6 a6-a7 h6-g6", "a7-a6", False),
        ("tama", "B:We2:BKd6,Kf4", "f4-g5 e2-f2 g5-f4 f2-e2 f4-g5 e2-f2 g5-f4", "f2-e2", True),
        ("turkish", "B:Wg3:BKc6,Kd6", "d6-d3 g3-h3 d3-d6 h3-g3 d6-d3 g3-h3 d3-d6", "h3-g3", True),
    ],
)
def test_the_third_time_is_seen_where_men_go_sideways(
    game: str, position: str, moves: str, third: str, good: bool
) -> None:
    """Who wins does not play it, and who loses does."""
    found = searcher(game, {})
    state = found.rules.start(position)
    for text in moves.split():
        state = found.rules.play(state, found.rules.read(state, text))
    assert found.rules.play(state, found.rules.read(state, third)).outcome is not None
    result = found.think(state, Limit(depth=3, margin=200_000))
    assert {turn.text: score for turn, score in result.ranked}[third] == 0
    assert (result.turn.text == third) is good
    assert (result.score == 0) is good


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("W:Wa7,Kb4,b6,d4,Ke5,Kg1:BKc1", "e5-f6 c1-b2 f6-e5"),
        ("W:Wc5,Kc7,e7,Kf2,Kg1,g3:BKe1", "c7-b8 e1-d2 b8-c7"),
    ],
)
def test_a_lost_game_is_no_draw_once_a_position_may_come_back(position: str, moves: str) -> None:
    """Who is lost after to and fro is told so: the other side need not play to and fro again."""
    found = searcher("pinoy", {})
    state = found.rules.start(position)
    for text in moves.split():
        state = found.rules.play(state, found.rules.read(state, text))
    assert found.think(state, Limit(nodes=3_000, endgames=False)).score < -500


def test_the_end_of_a_count_is_a_draw_to_the_search() -> None:
    """Three kings against one are worth nothing once the count is about to run out."""
    found = searcher("pinoy", {})
    rules = found.rules
    state = rules.start("W:WKa1,Kc1,Ke1:BKh6")
    score = found.think(state, Limit(depth=4)).score
    assert score > 300
    rng = Random("count")
    while state.outcome is None and state.quiet < 23:
        quiet = [turn for turn in rules.turns(state) if not turn.captured]
        safe = [turn for turn in quiet if not any(reply.captured for reply in rules.turns(rules.play(state, turn)))]
        if not safe:
            state = rules.start("W:WKa1,Kc1,Ke1:BKh6")
            continue
        following = rules.play(state, rng.choice(safe))
        state = following if following.outcome is None else rules.start("W:WKa1,Kc1,Ke1:BKh6")
    assert state.outcome is None
    assert found.think(state, Limit(depth=4)).score == 0


def test_one_ply_is_searched_whatever_the_budget() -> None:
    """No budget is too small to get a move; and a search of so many positions stops soon after them."""
    found = searcher("pinoy", {})
    state = found.rules.start()
    assert found.think(state, Limit(nodes=1)).depth == 1
    assert found.think(state, Limit(seconds=0.0)).depth >= 1
    assert 500 <= found.think(state, Limit(nodes=500)).nodes <= 505


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("spanish", "W:WKa6:Ba4,Kc8,h3"),
        ("spanish", "B:WKd3,Ke2:BKa8,h5"),
        ("americanas", "B:WKe5,Kg1:BKc5,Kd8"),
    ],
)
def test_nothing_is_given_up_before_all_was_looked_at(game: str, position: str) -> None:
    """A search that is broken off when its favourite has turned out to lose takes what was good a ply before, and does
    not call the position lost."""
    found = searcher(game, {})
    state = found.rules.start(position)
    assert found.think(state, Limit(nodes=50_000, endgames=False)).score > -1000
    for nodes in range(80, 140, 5):
        result = found.think(state, Limit(nodes=nodes, endgames=False))
        assert result.score > -WON
        assert result.turn.text not in result.unfinished


def test_time_begins_with_the_request() -> None:
    """What making room for a search takes is part of its time, and a short search makes little room."""
    rules = searcher("americanas", {}).rules
    plain = Searcher(rules, PLAIN)
    thought = draughts._DraughtsSearch(plain, rules.start(), Limit(seconds=3.0))
    thought.bell.started -= 3.0
    assert 1 <= thought.result().depth <= 8
    short = draughts._DraughtsSearch(plain, rules.start(), Limit(seconds=0.05))
    assert short.work.slots < thought.work.slots == 1 << draughts.TABLE_BITS


@pytest.mark.parametrize("variant", ["tama", "chinese-checkers"])
def test_turns_that_are_passed_over(variant: str) -> None:
    """Without the best one the second best is found, and where nothing is left there is no move."""
    rules = rules_for(variant)
    best, second, *_ = think(rules, rules.start(), Limit(depth=2, margin=5000)).ranked
    found = think(rules, rules.start(), Limit(depth=2, without=(best[0].text,)))
    assert (second[1], False) == (found.score, found.turn.text == best[0].text)
    every = tuple(turn.text for turn in rules.turns(rules.start()))
    with pytest.raises(GameOverError):
        think(rules, rules.start(), Limit(depth=2, without=every))


def test_no_move_is_found_after_the_end() -> None:
    """A game that is over has nothing to search."""
    found = searcher("pinoy", {})
    with pytest.raises(GameOverError):
        found.think(found.rules.start("W:Wc3:B"), Limit(depth=2))


def test_soplar_is_played_with_sense() -> None:
    """A bait is not obliged where huffing wins more, and captures are not neglected by the computer."""
    found = searcher("americanas", {})
    rules = found.rules
    state = rules.start("W:Wc3,a1:Bd4,h8")
    assert found.think(state, Limit(depth=6)).turn.captured
    neglected = rules.play(state, rules.read(state, "a1-b2"))
    best = found.think(neglected, Limit(depth=6))
    expected = {}
    for remedy in rules.remedies(neglected):
        after = rules.play(neglected, remedy)
        sign = 1 if remedy.kind == "huff" else -1
        expected[remedy.text] = sign * minimax(rules, after, 5 if remedy.kind == "oblige" else 6, 1)
    for turn in rules.turns(neglected):
        if not turn.neglects:
            expected[turn.text] = -minimax(rules, rules.play(neglected, turn), 5, 1)
    plain = found.think(neglected, Limit(depth=6, selective=False))
    assert plain.score == max(expected.values())
    assert best.turn.kind in ("huff", "move", "oblige")


def test_single_replies_are_looked_beyond() -> None:
    """Black has one move only, and then White crowns: a selective search of two plies sees the king, a plain one of
    three."""
    found = searcher("spanish", {})
    state = found.rules.start("W:Wc6:Bh5")

    def score(depth: int, *, selective: bool) -> int:
        return found.think(state, Limit(depth=depth, selective=selective, endgames=False)).score

    assert score(2, selective=False) < score(2, selective=True) == score(3, selective=False)
