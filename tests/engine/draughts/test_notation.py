"""What players may type: every form of "What players may type", and what each means by the slow generator's reading."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from bot.engine.errors import AmbiguousMove, IllegalMove, NotAMove
from bot.engine.registry import rules_for
from tests.support.engine import slow_draughts
from tests.support.engine.lockstep import Pair
from tests.support.engine.questions import Play
from tests.support.engine.random_positions import GAMES, Options, by_placement, by_play, crowded, name_of
from tests.support.thoroughness import THOROUGH

LONG = "W:Wc3,g1:Bd4,f6,h8"  # c3xe5xg7 is the one legal move


@pytest.mark.parametrize(
    "typed",
    [
        "c3-d4",
        "c3 d4",
        "c3d4",
        "C3-D4",
        "C3d4",
        " c3 - d4 ",
        "c3  d4",
        "c 3 d 4",
        "c3\u2013d4",
        "c3\u2014d4",
        "c3->d4",
        "`c3-d4`",
        "c3-d4!",
    ],
)
def test_forms_of_a_move(typed: str) -> None:
    """ "c3-d4, c3 d4, c3d4: any case, spaces free"; and as keyboards and chats change them."""
    assert Play("pinoy").means(typed) == "c3-d4"


@pytest.mark.parametrize(
    "typed",
    [
        *["c3xe5xg7", "c3:e5:g7", "c3 e5 g7", "c3e5g7", "C3XE5XG7", "c3 x e5 x g7", "c3\u00d7e5\u00d7g7", "c3-e5-g7"],
        *["c3xg7", "c3:g7", "c3 g7", "c3g7", "g7", "G7"],
    ],
)
def test_forms_of_a_capture(typed: str) -> None:
    """ "c3xe5xg7, c3:e5:g7, c3 e5 g7", and "c3xg7 when only one capture fits", "d4 alone"."""
    assert Play("pinoy", LONG).means(typed) == "c3xe5xg7"


@pytest.mark.parametrize(
    ("game", "options", "first", "last", "typed", "means"),
    [
        ("spanish", {}, ["h1", "f1", "d1", "b1", "g2", "e2", "c2", "a2"], "a8", "9-13", "h3-g4"),
        ("pinoy", {}, ["a1", "c1", "e1", "g1", "b2", "d2", "f2", "h2"], "h8", "9-13", "a3-b4"),
        ("americanas", {}, ["a1", "c1", "e1", "g1", "b2", "d2", "f2", "h2"], "h8", "12-16", "g3-h4"),
        ("pinoy", {"mirror": True}, ["b1", "d1", "f1", "h1", "a2", "c2", "e2", "g2"], "g8", "9-13", "b3-a4"),
        ("spanish", {"mirror": True}, ["g1", "e1", "c1", "a1", "h2", "f2", "d2", "b2"], "b8", "12-16", "a3-b4"),
    ],
)
def test_numbered_squares(
    game: str, options: dict[str, str | bool | int], first: list[str], last: str, typed: str, means: str
) -> None:
    """ "Numbered squares are accepted too": 1-8 and 32, and a move typed with them."""
    play = Play(game, None, **options)
    board = play.rules.board
    by_number = {number: board.names[place] for place, number in enumerate(board.numbers) if number is not None}
    assert [by_number[number] for number in range(1, 9)] == first
    assert by_number[32] == last
    assert play.means(typed) == means
    assert play.means(typed.replace("-", " - ")) == means


def test_numbered_captures() -> None:
    """A capture by numbers, with x, :, - or spaces, in full or by its ends."""
    play = Play("pinoy", LONG)
    number = {name: play.rules.board.numbers[place] for name, place in play.rules.board.index.items()}
    c3, e5, g7 = number["c3"], number["e5"], number["g7"]
    for typed in (f"{c3}x{e5}x{g7}", f"{c3}:{g7}", f"{c3}-{g7}", f"{c3} x {g7}", f"{c3}  {e5} {g7}", f"{c3} {g7}"):
        assert play.means(typed) == "c3xe5xg7"


@pytest.mark.parametrize("typed", ["9", "913", "9 13 c3", "9 x", "9 -"])
def test_not_a_move_by_numbers(typed: str) -> None:
    """A number alone is never a move, nor are digits run together or mixed with letters."""
    play = Play("pinoy", None)
    with pytest.raises(NotAMove):
        play.rules.read(play.state, typed)


def test_tama_has_no_numbers() -> None:
    """Numbers are for "the diagonal boards"."""
    assert all(number is None for number in rules_for("tama").board.numbers)


def test_the_bot_never_guesses() -> None:
    """ "Where several moves fit, the bot lists them": two ways to one square, and one more stop tells."""
    play = Play("americanas", "W:We1:Bd2,d4,f2,f4,h8", neglect="compulsory")
    for typed in ("e1xe5", "e1 e5", "e5", "3x19"):
        with pytest.raises(AmbiguousMove) as caught:
            play.rules.read(play.state, typed)
        assert [turn.text for turn in caught.value.candidates] == ["e1xc3xe5", "e1xg3xe5"]
    assert play.means("e1 g3 e5") == "e1xg3xe5"


def test_dash_and_cross_tell_apart() -> None:
    """With soplar, a king may reach a square by taking and by merely moving: - and x tell, and a space asks."""
    position = "W:WKf8:Bc3,c5,e3,a7"
    play = Play("americanas", position)
    both = {(turn.path[0], turn.path[-1]) for turn in play.rules.turns(play.state) if turn.captured} & {
        (turn.path[0], turn.path[-1]) for turn in play.rules.turns(play.state) if not turn.captured
    }
    assert both
    for start, end in both:
        names = play.rules.board.names[start], play.rules.board.names[end]
        assert play.means("-".join(names)) == "-".join(names)
        assert "x" in play.means("x".join(names))
        with pytest.raises(AmbiguousMove):
            play.rules.read(play.state, " ".join(names))


# Any text of squares, against the slow generator


def fitting(
    moves: dict[slow_draughts.Position, slow_draughts.Move], squares: Sequence[str], sign: str
) -> set[slow_draughts.Position]:
    """The positions that a text of squares can mean: by moving, by a capture that it tells in full, else abridged."""

    def abridges(route: slow_draughts.Route) -> bool:
        if len(squares) == 1:
            return route[-1] == squares[0]
        rest = iter(route[1:-1])
        ends = (route[0], route[-1]) == (squares[0], squares[-1])
        return ends and all(square in rest for square in squares[1:-1])

    found = {position for position, move in moves.items() if any(map(abridges, move.routes))}
    captures = {position for position in found if all(moves[position].routes.values())}
    whole = {position for position in captures if tuple(squares) in moves[position].routes}
    moving = found - captures
    captures = whole or captures
    if sign in ("x", ":"):
        return captures
    return moving or captures if sign == "-" else moving | captures


@pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
def test_any_text_of_squares(game: str, options: Options) -> None:
    """A text of squares means the one move that fits it, lists all that fit, or is refused."""
    pair, random = Pair.of(game, options), Random(f"texts {game} {options}")
    for index in range(20 * THOROUGH):
        position = (by_play, by_placement, crowded)[index % 3](pair.law, random)
        state = pair.rules.start(slow_draughts.write(position))
        if state.outcome is not None:
            continue
        moves = slow_draughts.moves(pair.law, position)
        routes = [route for move in moves.values() for route in move.routes]
        for _ in range(25):
            route = random.choice(routes)
            stops = sorted(random.sample(range(len(route)), random.randint(1, len(route))))
            squares = [route[stop] for stop in stops]
            if random.random() < 0.2:
                squares[random.randrange(len(squares))] = random.choice(slow_draughts.squares(pair.law))
            sign = random.choice(["-", "x", ":", " ", ""])
            text = sign.join(squares)
            expected = fitting(moves, squares, sign if len(squares) > 1 else "")
            told = f"{pair.name}, position {slow_draughts.write(position)}, typed {text}"
            try:
                found = {pair.rules.read(state, text)}
            except AmbiguousMove as error:
                found = set(error.candidates)
                assert len(found) > 1, told
            except IllegalMove:
                found = set()
            reached = {slow_draughts.parse(pair.rules.position(pair.rules.play(state, turn))) for turn in found}
            assert reached == expected, told
