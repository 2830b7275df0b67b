"""Each shipped draughts game has exact endgame tables: with the moves that it counts, the kings that rest, and whatever
wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from bot.computer.adjudication import Judge, plies_of
from bot.computer.analysis import SetPosition, best_lines
from bot.computer.endgames import lookup
from bot.computer.endgames.files import EndgameFile
from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.search_room import WIN, WON
from bot.computer.levels import choose
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from tests.support.computer.solved_endings import Book, alone, counted_so, in_all_counts, one_ply, small, some, wrong
from tests.support.engine.game_files import LAWS, rules_of_file
from tests.support.engine.shipped import DRAUGHTS, FIRST
from tests.support.thoroughness import THOROUGH


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables are made in less time than it takes to compile what makes them."""
    if THOROUGH == 1:
        monkeypatch.setenv("DAMERO_PLAIN", "1")


Made = Callable[[DraughtsRules, int], EndgameFile]

LIKE_OTHERS = {"antidraughts", "canadian", "frysk"}
"""On a board of a few squares these are games that are looked at anyway."""
SMALL = ["frisian", "poddavki", "russian", *(["brazilian"] if THOROUGH > 1 else [])]
"""They differ most in what they count, and in what wins."""
SHORT = 2
"""Moves after which an ending is over in a short test: more of them are there while it is played."""


@pytest.mark.parametrize("name", [*sorted({*DRAUGHTS, *LAWS} - LIKE_OTHERS)])
def test_all_of_two_pieces_by_brute_force(name: str, made: Made) -> None:
    """On four squares by four each position, after any moves that count, is worth what the rules make of it."""
    rules = small(name, 4, SHORT)
    book = Book(rules, made(rules, 2))
    assert [] == wrong(book, book.endgames.file.layout.classes)


@pytest.mark.parametrize("name", SMALL)
def test_all_of_three_pieces_by_brute_force(name: str, made: Made) -> None:
    """So it is where a man is crowned or a king taken in the midst of an ending, and where kings rest beside men."""
    rules = small(name, 4, 1)
    book = Book(rules, made(rules, 3))
    assert [] == wrong(book, book.endgames.file.layout.classes)


def test_a_main_road_by_brute_force(made: Made) -> None:
    """So it is where a count begins whenever a lone king comes to the main road, beside the count of the material."""
    rules = small("russian", 4)
    # The road's count is over first, the material's before long.
    endings = [e.model_copy(update={"moves": 1 if e.main_road else 3}) for e in rules.tables.draws.endings]
    draws = rules.tables.draws.model_copy(update={"endings": endings})
    rules = DraughtsRules(replace(rules.variant, tables=rules.tables.model_copy(update={"draws": draws})))
    book = Book(rules, made(rules, 4))
    assert [] == wrong(book, [(0, 1, 1, 2), (0, 1, 0, 3)] if THOROUGH > 1 else [(0, 1, 0, 3)])


@pytest.mark.parametrize("height", [5, 7])
def test_rows_that_are_odd_in_number(height: int, made: Made) -> None:
    """So it is where the main roads, and the players' corners, lie opposite each other."""
    rules = alone(rules_of_file("russian"), SHORT, width=4, height=height)
    book = Book(rules, made(rules, 2))
    assert [] == wrong(book, book.endgames.file.layout.classes)


@pytest.mark.skipif(THOROUGH == 1, reason="takes minutes")
@pytest.mark.parametrize("name", DRAUGHTS)
def test_more_by_brute_force(name: str, made: Made) -> None:
    """Three pieces on four squares by four and two on six by six, with each game's own counts."""
    for size, pieces in ((4, 3), (6, 2)):
        if pieces == 3 and rules_of_file(name).tables.board.squares == "all":
            continue
        rules = small(name, size)
        book = Book(rules, made(rules, pieces))
        assert [] == wrong(book, book.endgames.file.layout.classes)


@pytest.mark.parametrize(
    "name", [name for name in DRAUGHTS if name not in FIRST and (THOROUGH > 1 or name not in LIKE_OTHERS)]
)
def test_two_pieces_follow_from_one_another(name: str, made: Made) -> None:
    """On a game's own board a position is worth one ply more than the best of what its moves lead to."""
    rules = alone(rules_of_file(name))
    book = Book(rules, made(rules, 2))
    one_ply(book, some(rules, book.endgames.file.layout, Random(name), 30 * THOROUGH))


@pytest.mark.parametrize("name", SMALL)
def test_three_pieces_follow_from_one_another(name: str, made: Made) -> None:
    """So it is for three pieces, after any moves that count, on six squares by six."""
    rules = small(name, 6)
    book = Book(rules, made(rules, 3))
    one_ply(book, some(rules, book.endgames.file.layout, Random(f"three {name}"), 40 * THOROUGH))


@pytest.mark.skipif(THOROUGH == 1, reason="takes minutes, compiled")
@pytest.mark.parametrize("name", [name for name in DRAUGHTS if name not in (*FIRST, "canadian")])
def test_three_pieces_on_the_whole_board(name: str, made: Made) -> None:
    """A sample of the positions of three pieces on a game's own board."""
    rules = alone(rules_of_file(name))
    book = Book(rules, made(rules, 3))
    one_ply(book, some(rules, book.endgames.file.layout, Random(f"whole {name}"), 100 * THOROUGH))


@pytest.fixture
def found(made: Made, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Book]:
    """Tables of three pieces on six squares by six that searches find."""

    def look(name: str) -> Book:
        rules = small(name, 6)
        file = made(rules, 3)
        monkeypatch.setenv(lookup.FOLDER, str(file.path.parent))
        return Book(rules, file)

    return look


def in_play(book: Book, name: str, number: int) -> list[DraughtsState]:
    states = some(book.rules, book.endgames.file.layout, Random(f"play {name}"), number)
    return [state for state in states if state.outcome is None]


@pytest.mark.parametrize("name", SMALL)
def test_played_out_it_ends_as_they_say(name: str, found: Callable[[str], Book]) -> None:
    """From any counts both sides play what a search of one ply chooses: a win is won by the rules, in as many plies as
    were told and before any count has run out; in a draw nobody wins."""
    book = found(name)
    rules, searcher = book.rules, Searcher(book.rules, PLAIN)
    random, decided = Random(f"counts {name}"), 0
    for begun in in_play(book, name, 20 * THOROUGH):
        state = random.choice([state for state in in_all_counts(rules, begun) if state.outcome is None])
        byte = book.of_state(state)
        score = searcher.think(state, Limit(depth=1)).score
        plies = plies_of(rules, byte)
        assert score == (0 if not byte else plies - WIN if byte % 2 else WIN - plies), rules.position(state)
        here = state
        for _ in range(plies if byte else 20):
            if here.outcome is None:
                here = rules.play(here, searcher.think(here, Limit(depth=1)).turn)
        winner = None if not byte else 1 - state.seat if byte % 2 else state.seat
        assert (here.outcome is not None) or not byte, rules.position(state)
        assert (here.outcome.winner if here.outcome else None) == winner, rules.position(state)
        decided += byte > 0
    assert decided > 5


@pytest.mark.parametrize("name", SMALL)
def test_agree_with_the_search(name: str, found: Callable[[str], Book]) -> None:
    """A search that looks far enough finds what the tables say, without looking into them."""
    book = found(name)
    rules, searcher, depth = book.rules, Searcher(book.rules, PLAIN), 5
    for state in in_play(book, name, 20 * THOROUGH):
        byte = book.of_state(state)
        plies = plies_of(rules, byte)
        score = searcher.think(state, Limit(depth=depth, selective=False, endgames=False)).score
        if byte and plies <= depth:
            assert score == (plies - WIN if byte % 2 else WIN - plies), rules.position(state)
        elif abs(score) > WON:
            # Captures are followed beyond the depth.
            assert plies > depth, rules.position(state)
            assert (score > 0) == (byte % 2 == 0), rules.position(state)


def test_no_win_is_told_that_a_count_makes_a_draw(found: Callable[[str], Book]) -> None:
    """Of positions that are won with all moves before them, the verdict is a draw as soon as too few are left; so it is
    for the search."""
    book = found("russian")
    rules, judge, searcher = book.rules, Judge(book.rules, book.endgames.file), Searcher(book.rules, PLAIN)
    late = 0
    for state in in_play(book, "counts", 120 * THOROUGH):
        verdict = judge.verdict(state)
        assert verdict is not None
        if verdict.winner is None or [c.ending.moves for c in rules.endings.standing(state)] != [5]:
            continue
        worths = [judge.verdict(counted_so(rules, state, played, 0)) for played in range(10)]
        winners = [worth.winner for worth in worths if worth is not None]
        drawn = winners.index(None) if None in winners else 10
        assert winners == [verdict.winner] * drawn + [None] * (10 - drawn)
        if drawn < 10:
            late += 1
            tired = counted_so(rules, state, drawn, 0)
            assert searcher.think(tired, Limit(depth=1)).score == 0
            assert abs(searcher.think(tired, Limit(depth=6, selective=False, endgames=False)).score) < WON
    assert late > 3


@pytest.mark.parametrize("name", ["poddavki", "turkish"])
def test_analyses_and_hints_know_them(name: str, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the longest win of two pieces an analysis and the level that gives hints tell the length, and a turn that is
    the first of as many plies."""
    rules = rules_of_file(name)
    file = made(rules, 2)
    monkeypatch.setenv(lookup.FOLDER, str(file.path.parent))
    book = Book(rules, file)
    states = some(rules, file.layout, Random(f"analysed {name}"), 300)
    won = [state for state in states if state.outcome is None and book.of_state(state) > 4]
    state = max((state for state in won if book.of_state(state) % 2 == 0), key=book.of_state)
    plies = plies_of(rules, book.of_state(state))
    best, *_ = best_lines(SetPosition(rules.variant.ruleset, {}, rules.position(state), seconds=30.0))
    hint = choose(rules, state, 8, 0)
    assert best.score == hint.result.score == WIN - plies
    for text in (best.turns[0], hint.turn.text):
        after = rules.play(state, rules.read(state, text))
        assert plies_of(rules, book.of_state(after)) == plies - 1


def test_the_search_knows_which_kings_rest(found: Callable[[str], Book]) -> None:
    """Where it makes a difference that a king of the other side has made its run, a search of one ply sees it in the
    tables."""
    book = found("frisian")
    rules, searcher = book.rules, Searcher(book.rules, PLAIN)
    told = [
        state
        for begun in in_play(book, "rests", 300)
        for state in in_all_counts(rules, begun)
        if state.outcome is None and state.position.runs[1 - begun.seat] and not state.position.runs[begun.seat]
        if book.of_state(state) != book.of_state(begun)
    ]
    assert told
    for state in told[: 20 * THOROUGH]:
        byte = book.of_state(state)
        plies = plies_of(rules, byte)
        score = searcher.think(state, Limit(depth=1)).score
        assert score == (0 if not byte else plies - WIN if byte % 2 else WIN - plies), state.position
