"""Endgame tables hold what the rules say, by brute force and by the search."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest

from bot.computer.adjudication import EndgameVerdict, Judge
from bot.computer.endgames import lookup
from bot.computer.endgames.files import EndgameFile
from bot.computer.kernels.backends import PLAIN, backend_for
from bot.computer.kernels.search_room import WIN, WON
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import GameOverError, Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from tests.support.computer.solved_endings import (
    Book,
    draughts,
    in_all_counts,
    on_a_small_board,
    one_ply,
    positions,
    solved,
    some,
    state_of,
)
from tests.support.engine import slow_draughts
from tests.support.engine.random_positions import GAMES, Options, name_of
from tests.support.thoroughness import THOROUGH


def signed(byte: int) -> int:
    """A byte as ``solved`` tells it: wins above zero, losses below."""
    return byte if byte % 2 == 0 else -byte


SMALL = [
    ("spanish", {}),
    ("pinoy", {"removal": "at_end"}),
    *([("pinoy", {}), ("americanas", {"neglect": "compulsory"}), ("tama", {})] if THOROUGH > 1 else []),
]


@pytest.mark.parametrize(("game", "options"), SMALL, ids=name_of)
def test_all_of_two_pieces_by_brute_force(
    game: str, options: Options, made: Callable[[DraughtsRules, int], EndgameFile]
) -> None:
    """Every position of two pieces is worth what the rules alone make of it, ply for ply."""
    rules = draughts(game, options)
    book = Book(rules, made(rules, 2))
    found = solved(rules, book.endgames.file.layout.classes)
    for material in book.endgames.file.layout.classes:
        for position in positions(rules, material):
            for state in in_all_counts(rules, state_of(rules, position)):
                played = sum(state.since)
                told = signed(book.byte(position, played))
                assert told == found.get((position, played, 0, None, False), 0), (rules.position(state), played)


def test_where_captures_may_be_neglected(made: Callable[[DraughtsRules, int], EndgameFile]) -> None:
    """With soplar every position of two pieces is won, drawn or lost as if capturing were compulsory: huffs, obliging
    and waiving, all played out, change the length of a game but not its end."""
    rules = draughts("americanas", {})
    book = Book(rules, made(rules, 2))
    found = solved(rules, book.endgames.file.layout.classes)
    assert any(before is not None for _, _, _, before, _ in found)
    for material in book.endgames.file.layout.classes:
        for position in positions(rules, material):
            told, by_force = signed(book.byte(position)), found.get((position, 0, 0, None, False), 0)
            assert (told > 0) - (told < 0) == (by_force > 0) - (by_force < 0), position


@pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
def test_two_pieces_follow_from_one_another(
    game: str, options: Options, made: Callable[[DraughtsRules, int], EndgameFile]
) -> None:
    """With all options a position is worth one ply more than the best of what its moves lead to."""
    rules = draughts(game, options)
    book = Book(rules, made(rules, 2))
    one_ply(book, some(rules, book.endgames.file.layout, Random(f"two {game} {options}"), 150 * THOROUGH))


COMPILED = backend_for(64) is not PLAIN
THREE = ["spanish", "pinoy", "americanas", "tama"] if COMPILED or THOROUGH > 1 else ["spanish"]
"""In plain Python the other two take a minute each."""


@pytest.mark.parametrize("game", THREE)
def test_three_pieces_follow_from_one_another(game: str, made: Callable[[DraughtsRules, int], EndgameFile]) -> None:
    """Where each position is worth one ply more than the best of what its moves lead to, all are exact: a sample of
    those of three pieces, all of them in a long run."""
    rules = draughts(game, {})
    book = Book(rules, made(rules, 3))
    layout = book.endgames.file.layout
    one_ply(book, some(rules, layout, Random(f"three {game}"), 400))
    if THOROUGH >= 25:
        for material in layout.classes:
            one_ply(book, (state_of(rules, position) for position in positions(rules, material)), all_counts=True)


@pytest.mark.skipif(not COMPILED or THOROUGH == 1, reason="takes minutes, compiled")
@pytest.mark.parametrize("game", ["spanish", "pinoy", "americanas", "tama"])
def test_four_pieces_follow_from_one_another(game: str, made: Callable[[DraughtsRules, int], EndgameFile]) -> None:
    """A sample of the positions of four pieces, as those of three."""
    rules = draughts(game, {})
    book = Book(rules, made(rules, 4))
    one_ply(book, some(rules, book.endgames.file.layout, Random(f"four {game}"), 200 * THOROUGH))


@pytest.mark.skipif(not COMPILED, reason="four pieces take too long in plain Python")
def test_three_kings_against_one(made: Callable[[DraughtsRules, int], EndgameFile]) -> None:
    """A lone king that holds the long diagonal draws; where one of the three holds it they win, in 13 moves at most;
    all but a few where somebody is taken at once."""
    rules = draughts("spanish", {})
    book = Book(rules, made(rules, 4))
    long = sum(1 << rules.board.index[name] for name in ("a8", "b7", "c6", "d5", "e4", "f3", "g2", "h1"))
    told: dict[tuple[bool, bool], list[int]] = {}
    for position in positions(rules, (0, 3, 0, 1)):
        if position.turn == 0 and not rules.kernel.capturers(0, position.forces()):
            held = bool(position.kings[0] & long), bool(position.kings[1] & long)
            told.setdefault(held, []).append(book.byte(position))
    alone, three, both = told[False, True], told[True, False], told[True, True]
    assert alone.count(0) > 0.95 * len(alone)
    assert sum(1 for byte in three if byte and byte % 2 == 0) > 0.98 * len(three)
    assert max(three) == 26
    assert all(byte and byte % 2 == 0 for byte in both)
    assert book.byte(rules.start("W:WKc8,Ke8,Kg8:BKa8").position) == 0


COUNTED = [("americanas", 2, 5)] * (COMPILED or THOROUGH > 1) + [("pinoy", 3, 12)] * (COMPILED and THOROUGH > 1)
"""So many kings against one, and after how many moves that is drawn."""


@pytest.mark.parametrize(("game", "kings", "moves"), COUNTED)
def test_counted_moves_run_out(
    game: str, kings: int, moves: int, made: Callable[[DraughtsRules, int], EndgameFile]
) -> None:
    """Where kings against one are drawn after so many moves, a win turns into a draw as they are played, never back."""
    rules = draughts(game, {})
    book = Book(rules, made(rules, kings + 1))
    slow_wins = [
        position
        for position in islice(positions(rules, (0, kings, 0, 1)), 30000)
        if (byte := book.byte(position)) % 2 == 0 and byte > moves + 1
    ]
    assert slow_wins
    for position in Random(game).sample(slow_wins, 20):
        wins = [book.byte(position, played) > 0 for played in range(2 * moves + 1)]
        assert wins == sorted(wins, reverse=True)
        assert wins[0]
        # As many plies are left then, and the fastest win takes more.
        assert not any(wins[moves:])
        one_ply(book, [state_of(rules, position)])


@pytest.mark.parametrize("game", THREE)
def test_agree_with_the_search(game: str, made: Callable[[DraughtsRules, int], EndgameFile]) -> None:
    """A search that looks far enough finds what the tables say, without looking into them."""
    rules = draughts(game, {})
    book = Book(rules, made(rules, 3))
    searcher = Searcher(rules)
    depth = 3 if game == "tama" else 5
    for state in some(rules, book.endgames.file.layout, Random(f"search {game}"), 40 * THOROUGH):
        byte = book.byte(state.position)
        if state.outcome is not None or byte < 0:
            continue
        found = searcher.think(state, Limit(depth=depth, selective=False, endgames=False))
        plies = byte - 1
        if 0 <= plies <= depth:
            assert found.score == (WIN - plies if plies % 2 else plies - WIN), rules.position(state)
        elif abs(found.score) > WON:
            # Captures are followed beyond the depth.
            assert plies > depth, rules.position(state)
            assert (found.score > 0) == (plies % 2 == 1), rules.position(state)


@pytest.fixture
def looked_up(
    made: Callable[[DraughtsRules, int], EndgameFile], monkeypatch: pytest.MonkeyPatch
) -> Callable[[DraughtsRules], Book]:
    """Tables of three pieces that searches find."""

    def find(rules: DraughtsRules) -> Book:
        file = made(rules, 3)
        monkeypatch.setenv(lookup.FOLDER, str(file.path.parent))
        return Book(rules, file)

    return find


@pytest.mark.parametrize("game", THREE)
def test_the_search_looks_into_them(game: str, looked_up: Callable[[DraughtsRules], Book]) -> None:
    """With tables a search of one ply knows how it ends: the shortest way to win, the longest to lose."""
    rules = draughts(game, {})
    book = looked_up(rules)
    searcher = Searcher(rules, PLAIN)
    for state in some(rules, book.endgames.file.layout, Random(f"one {game}"), 40 * THOROUGH):
        if state.outcome is None:
            plies = book.byte(state.position) - 1
            found = searcher.think(state, Limit(depth=1))
            assert found.score == (0 if plies < 0 else WIN - plies if plies % 2 else plies - WIN), rules.position(state)


@pytest.mark.parametrize("game", THREE)
def test_played_out_a_win_takes_as_long_as_they_say(game: str, looked_up: Callable[[DraughtsRules], Book]) -> None:
    """Both sides play what a search of one ply chooses: the game ends by its rules, after just as many plies."""
    rules = draughts(game, {})
    book = looked_up(rules)
    searcher = Searcher(rules, PLAIN)
    for state in some(rules, book.endgames.file.layout, Random(f"out {game}"), 25 * THOROUGH):
        plies = book.byte(state.position) - 1
        here, winner = state, state.seat if plies % 2 else 1 - state.seat
        for _ in range(max(plies, 0)):
            here = rules.play(here, searcher.think(here, Limit(depth=1)).turn)
        if plies >= 0:
            assert here.outcome is not None, rules.position(state)
            assert here.outcome.winner == winner, rules.position(state)


@pytest.mark.skipif(not COMPILED, reason="numba is not there")
@pytest.mark.parametrize("game", THREE)
def test_same_nodes_compiled(game: str, looked_up: Callable[[DraughtsRules], Book]) -> None:
    """Plain and compiled, a search that comes to known endings finds the same after the same number of nodes."""
    rules = draughts(game, {})
    looked_up(rules)
    law, random = slow_draughts.law_for(game, {}), Random(f"nodes {game}")
    fast, plain = Searcher(rules, backend_for(64)), Searcher(rules, PLAIN)
    for _ in range(8 * THOROUGH):
        squares = random.sample(slow_draughts.squares(law), random.randint(3, 6))
        board = {s: slow_draughts.Piece(random.choice("WB"), random.random() < 0.4) for s in squares}
        board = {
            s: slow_draughts.Piece(p.side, p.king or slow_draughts.is_last_row(law, p.side, s))
            for s, p in board.items()
        }
        state = rules.start(slow_draughts.write(slow_draughts.Position("W", frozenset(board.items()))))
        if state.outcome is None:
            limit = Limit(nodes=2000)
            assert fast.think(state, limit) == plain.think(state, limit), rules.position(state)


def test_quiet_moves_are_left_to_the_search(looked_up: Callable[[DraughtsRules], Book]) -> None:
    """A win that takes longer than quiet moves may last is not taken from the tables, nor is a verdict on it sure."""
    rules = draughts("spanish", {"quiet_moves": 10})
    book = looked_up(rules)
    judge = Judge(rules, book.endgames.file)
    late = next(
        state
        for material in ((0, 2, 0, 1), (0, 2, 1, 0))
        for position in positions(rules, material)
        if position.turn == 0 and (state := state_of(rules, position)).outcome is None
        and book.byte(position) % 2 == 0 and book.byte(position) >= 6
    )  # fmt: skip
    plies = book.byte(late.position) - 1
    told = judge.verdict(late)
    assert told == EndgameVerdict(0, plies, sure=True)
    spent = DraughtsState(late.position, (late.position,) * 16, quiet=20 - plies + 1)
    assert judge.verdict(spent) == EndgameVerdict(0, plies, sure=False)
    searcher = Searcher(rules, PLAIN)
    assert searcher.think(late, Limit(depth=1)).score == WIN - plies
    assert searcher.think(spent, Limit(depth=1)).score < WON


def test_verdicts(looked_up: Callable[[DraughtsRules], Book]) -> None:
    """Who wins and in how many plies; nothing where too many pieces are left; no verdict on a game that is over."""
    rules = draughts("pinoy", {})
    judge = Judge(rules, looked_up(rules).endgames.file)
    assert judge.verdict(rules.start("W:Wc3:Bd4")) == EndgameVerdict(0, 1, sure=True)
    assert judge.verdict(rules.start("B:Wc3:Bb8,d8,f8")) is None
    drawn = judge.verdict(rules.start("W:WKa1:BKc1"))
    assert drawn == EndgameVerdict(None, 0, sure=True)
    with pytest.raises(GameOverError):
        judge.verdict(rules.leave(rules.start(), 0, "White resigned"))


def test_verdict_on_a_neglected_capture(looked_up: Callable[[DraughtsRules], Book]) -> None:
    """While a capture that was neglected may still be huffed or obliged, the verdict counts with that."""
    rules = on_a_small_board("americanas")
    judge = Judge(rules, looked_up(rules).endgames.file)
    state = rules.start("W:Wc3,e1:Bd4")
    neglected = rules.play(state, rules.read(state, "e1-f2"))
    huffed = rules.play(neglected, rules.read(neglected, "soplar c3"))
    alone, told = judge.verdict(huffed), judge.verdict(neglected)
    assert alone is not None
    assert told is not None
    obliged = rules.play(neglected, rules.read(neglected, "oblige"))
    after_all = judge.verdict(obliged)
    assert after_all == EndgameVerdict(0, 1, sure=True)
    # Black may oblige and lose at once, or huff; it takes what is best for it.
    order = {1: 2, None: 1, 0: 0}
    assert order[told.winner] >= order[alone.winner]
