"""Position strings: written in one way, read back to the same, refused with what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.errors import BadPosition
from bot.engine.registry import rules_for
from tests.support.engine import slow_draughts
from tests.support.engine.lockstep import Pair
from tests.support.engine.questions import Play, moves
from tests.support.engine.random_positions import GAMES, Options, name_of, placements


@pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
def test_round_trip(game: str, options: Options) -> None:
    """What is written is read back to the same pieces, and written again is the same text."""
    pair = Pair.of(game, options)

    @settings(max_examples=40, database=None)
    @given(placements(pair.law, 40))
    def there_and_back(position: slow_draughts.Position) -> None:
        text = pair.rules.position(pair.rules.start(slow_draughts.write(position)))
        assert text == slow_draughts.write(position)
        state = pair.rules.start(text)
        assert pair.rules.position(state) == text
        board = pair.rules.board
        pieces = {board.names[place]: piece for place, piece in pair.rules.pieces(state).items()}
        assert {square: ("WB"[piece.owner], piece.kind == "king") for square, piece in pieces.items()} == {
            square: (piece.side, piece.king) for square, piece in position.pieces
        }

    there_and_back()


def test_squares_are_written_by_file_then_rank() -> None:
    """ "Squares are written sorted by file, then rank", K before a king, in whatever order they were read."""
    assert Play("pinoy", "W:Wc3,e3,Kd4:Bb8,Ka3").position == "W:Wc3,Kd4,e3:BKa3,b8"


@pytest.mark.parametrize(
    "text",
    ["B:BKb8,d6:Wc3,e3", "b:wC3,E3:bkb8,D6", "  B:W c3, e3:B Kb8 ,d6 ", "B:Wc3,e3:BKb8,d6.", "B:W10,11:BK29,22"],
)
def test_other_ways_to_write_it(text: str) -> None:
    """Read are also: the sides the other way round, any case, spaces, a full stop, numbered squares."""
    assert Play("pinoy", text).position == "B:Wc3,e3:BKb8,d6"


def test_ranges() -> None:
    """Numbers may be ranges, as PDN's grammar has them; a K before a range is of all its squares."""
    assert Play("spanish", "W:W1-3,K9-10:BK30,31-31").position == "W:Wd1,f1,Kf3,h1,Kh3:Bc8,Ke8"


@pytest.mark.parametrize(("text", "says"), [("W:W3-1:Bb8", "smaller number first"), ("W:W1-33:Bb8", "'33' is not")])
def test_no_ranges(text: str, says: str) -> None:
    """A range that runs backward, or beyond the board, is refused."""
    with pytest.raises(BadPosition, match=says):
        rules_for("pinoy").start(text)


def test_a_side_without_pieces() -> None:
    """ "A side without pieces is W or B alone"; whoever is to move without a piece has lost."""
    play = Play("pinoy", "W:W:Bc3")
    assert play.position == "W:W:Bc3"
    assert play.outcome is not None
    assert play.outcome.winner == 1
    assert Play("pinoy", "B:WKc3:B").position == "B:WKc3:B"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a position is written like W:Wc3,e3,Kd4:Bb8"),
        ("hello", "cannot read the position 'hello'"),
        ("W:Wc3", "cannot read"),
        ("W:Wc3:Wb8", "cannot read"),
        ("X:Wc3:Bb8", "cannot read"),
        ("W:Wc3:Bb8:Bd8", "cannot read"),
        ("W:Wc3,z9:Bb8", "'z9' is not a square of this board"),
        ("W:Wc3,:Bb8", "is not a square"),
        ("W:Wc3,c3:Bb8", "c3 is named twice"),
        ("W:Wc3:Bc3", "c3 is named twice"),
        ("W:Wc3,Kc3:Bb8", "c3 is named twice"),
        ("W:Wc4:Bb8", "c4 is not used in this game"),
        ("W:Wb8:Bd8", "on b8"),
        ("W:Wc3:Ba1", "on a1"),
        ("W:Wc3:B33", "'33' is not a square of this board"),
        ("W:WKKc3:Bb8", "is not a square"),
        ("W:W" + "c3," * 500 + ":B", "c3 is named twice"),
    ],
)
def test_refused(text: str, says: str) -> None:
    """A bad position string is refused with what is wrong in it."""
    with pytest.raises(BadPosition) as caught:
        rules_for("pinoy").start(text)
    assert says in caught.value.message
    assert len(caught.value.message) < 250


@given(st.text(st.sampled_from("WBKabcdefgh12345678,:. ") | st.characters(), max_size=60))
@settings(max_examples=400)
def test_any_text(text: str) -> None:
    """Any text is a position or a BadPosition, and what is read is read again from what is written."""
    for game in ("spanish", "tama"):
        rules = rules_for(game)
        try:
            state = rules.start(text)
        except BadPosition:
            continue
        assert rules.position(rules.start(rules.position(state))) == rules.position(state)


def test_the_side_to_move() -> None:
    """The first letter is the side to move; W is always the first player, red in americanas."""
    assert Play("americanas", "W:Wc3:Bd6").seat_to_move == "Red"
    assert Play("americanas", "B:Wc3:Bd6").seat_to_move == "White"
    assert moves("americanas", "B:Wc3:Bd6") == ["d6-c5", "d6-e5"]
