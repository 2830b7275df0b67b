"""Refusals teach: each forbidden move changes nothing and gets the reason, in the rule's own terms."""

from __future__ import annotations

import pytest

from bot.engine.errors import AmbiguousMove, NotAMove
from tests.support.engine.questions import Play, refusal

CASES = [
    # What has to be captured, how many pieces it takes, and how many the typed move takes.
    ("pinoy", "W:Wc3:Bd4,f6,h8", "c3xe5", "you must capture: c3xe5xg7 takes 2 pieces, your move takes 1"),
    ("pinoy", "W:Wc3,g1:Bd4,f6,h8", "g1-h2", "you must capture: c3xe5xg7 takes 2 pieces, your move takes none"),
    ("tama", "W:Wc3:Bc4,h8", "c3-d4", "you must capture: c3xc5 takes 1 piece, your move takes none"),
    ("americanas", "W:Wc3,Kf2:Bd4,Kg3", "c3xe5", "a king must make this capture: f2xa7 takes 1 piece"),
    ("spanish", "W:Wc2,f3:Bd3,Kg4", "c2xe4", "the most kings: f3xh5 takes 1 king; your move takes none"),
    # How a man moves and captures.
    ("pinoy", "W:Wc3:Bh8", "c3-b2", "a man does not move backward"),
    ("tama", "W:Wc3:Bh8", "c3-c2", "a man does not move backward"),
    ("tama", "W:Wc3:Bh8", "c3-d2", "a man does not move backward"),
    ("spanish", "W:Wf3:Be2,g8", "f3xd1", "a man does not capture backward"),
    ("tama", "W:Wc3:Bd4,h8", "c3xe5", "a man does not capture diagonally"),
    ("tama", "W:Wc3:Bc2,h8", "c3xc1", "a man does not capture backward"),
    ("pinoy", "W:Wc3:Bh8", "c3-e5", "a man moves one square only"),
    ("pinoy", "W:Wa1:Bc3,h8", "a1xd4", "a man jumps only over the square next to it"),
    # What is in the way.
    ("pinoy", "W:Wc3,d4:Bh8", "c3-d4", "d4 is not empty"),
    ("pinoy", "W:Wc3,d4:Bh8", "d4", "d4 is not empty"),
    ("pinoy", "W:Wc3,d4:Bh8", "c3xe5", "d4 is your own piece"),
    ("pinoy", "W:WKa1,b2:Bh8", "a1-c3", "b2 is in the way"),
    ("pinoy", "W:WKa1:Bc3,d4,h6", "a1xe5", "one jump takes one piece"),
    ("pinoy", "W:Wc3:Bd4,e5,h8", "c3xe5", "e5 is not empty"),
    # Whose piece, which square.
    ("pinoy", "W:Wc3:Bh8", "h8-g7", "the piece on h8 is not yours: you play White"),
    ("pinoy", "W:Wc3:Bh8", "b2-c3", "b2 is empty"),
    ("pinoy", "W:Wc3:Bh8", "c3-c4", "c4 is not used in this game"),
    ("spanish", None, "c3-d4", "c3 is not used in this game"),
    ("pinoy", "W:Wc3:Bh8", "f6", "no piece of yours can go to f6"),
    ("pinoy", "W:Wc3:Bh8", "c3-f4", "they are not on one diagonal"),
    ("pinoy", "W:Wc3:Bh8", "c3-c5", "they are not on one diagonal"),
    ("tama", "W:Wc3:Bh8", "c3-d5", "they are not on one line"),
    ("pinoy", "W:WKc3:Bh8", "c3xe5xg3", "there is nothing to jump between c3 and e5"),
    # The course of a capture.
    ("tama", "W:WKc5:BKb5,Kd5", "c5xa5xe5", "the king may not turn straight back"),
    ("pinoy", "B:We5,Kg7:BKf6", "f6xd4xh8", "the king may not turn straight back"),
    ("spanish", "W:Wc6:Bd7,f7", "c6xe8xg6", "a man is crowned on the last row and stops there: the move ends on e8"),
    ("americanas", "W:Wc3:Bh8", "c3xe5", "there is no capture from c3 to e5"),
    # Games that are files.
    ("thai", "W:WKa1:Bd4,h2", "a1xg7", "a king lands on the square right behind the piece that it takes: on 15"),
    ("killer", "W:WKa1:BKd4,h2", "a1xg7", "a king that takes a king last lands on the square right behind it: on 28"),
    ("killer", "W:WKa1:Bd4,h2", "a1xg7", "you must capture: 46x28x50 takes 2 pieces, your move takes 1"),
    ("frisian", "W:Wc3,Kj2:Bd6,i9", "c3-c5", "a man does not move straight forward"),
    ("frisian", "W:Wc3,Kj2:Bd6,i9", "j2-f2", "a king does not move straight sideways"),
    ("frisian", "W:Wc3:Bc5,Kd4", "c3xc7", "a king counting 1.99: 37x28x26 counts 2.99, your move 1"),
    ("frisian", "W:Wc3,Ki1:Bc5,i7", "c3xc7", "a king must make this capture: 50x10 takes 1 piece"),
]


@pytest.mark.parametrize(("game", "position", "typed", "reason"), CASES, ids=[f"{c[0]} {c[2]}" for c in CASES])
def test_reason(game: str, position: str | None, typed: str, reason: str) -> None:
    """The refusal of a move names the rule that forbids it."""
    assert reason in refusal(game, position, typed)


def test_lesser_capture_over_where_a_taken_piece_stood() -> None:
    """Where captured pieces leave at once, a route over such a square is told that it takes fewer, not that it jumps
    a piece twice: g4 and f5 are empty when c8xh3 passes them."""
    options: dict[str, str | bool] = {"removal": "at_once", "neglect": "compulsory", "mirror": True}
    said = refusal("americanas", "W:WKe6:BKb5,Kb7,d7,Kf3,Kf5,f7", "e6xg4xe2xa6xc8xh3", **options)
    assert said == "you must capture: e6xc8xa6xe2xg4xe6xg8 takes 6 pieces, your move takes 5"


@pytest.mark.parametrize(("typed", "takes"), [("c3xc3", "6"), ("c3xc7", "6"), ("c3xe5", "1")])
def test_capture_broken_off_and_typed_by_its_ends(typed: str, takes: str) -> None:
    """A capture that is ended too early is told how many it takes also where its two ends alone are typed, even where
    it comes home to the square where it began."""
    said = refusal("pinoy", "B:WKb4,b6,Kd2,Kd4,d6,f2,f4,f6:Bc3", typed, removal="at_end")
    assert said == f"you must capture: c3xa5xc7xe5xc3xe1xg3xe5xg7 takes 8 pieces, your move takes {takes}"


def test_jumped_once_only() -> None:
    """ "A piece may be jumped once only": said where the typed route jumps one twice."""
    said = refusal("pinoy", "W:WKd8:Bb2,Kd6,Ke3,e7", "d8xg5xc1xa3xf8", removal="at_end")
    assert said.startswith("you must capture: d8xg5xc1xa3 takes 3 pieces")
    assert "the piece on e7 has been jumped already: a piece may be jumped only once" in said


def test_the_capture_named_fits_the_typed_piece() -> None:
    """Of several captures that fit, one by the typed piece is named."""
    play = Play("pinoy", "W:Wa3,e1,g3:Bb4,f4,h8")
    assert play.refusal("g3-h4") == "you must capture: g3xe5 takes 1 piece, your move takes none"
    assert play.refusal("a3-b2") == "you must capture: a3xc5 takes 1 piece (a man does not move backward)"
    assert play.refusal("e1-d2") == "you must capture: a3xc5 takes 1 piece, your move takes none"


def test_a_king_that_rests() -> None:
    """A king that has made its run is named beside the board, its moves are refused with the number, and it may move
    again when another piece has. One that captures rests no longer, and one without men never does."""
    play = Play("frisian", "W:Wa3,Ka9:Bj2,Kj4")("a9-b10", "j4-i5", "b10-a9", "i5-j4", "a9-b10", "j4-i5")
    assert play.state.notices == ("the king on 1 has made 3 moves in a row: it may only capture now",)
    assert "this king has made 3 moves in a row: it must capture, or another piece must move" in play.refusal("b10-a9")
    assert play.moves == ["36-31"]
    play("a3-b4")
    assert play.state.notices == ("the king on 30 has made 3 moves in a row: it may only capture now",)
    assert "1-6" in play("j2-i1").moves
    alone = Play("frisian", "W:WKa9:Bj2,Kj4")("a9-b10", "j4-i5", "b10-a9", "i5-j4", "a9-b10", "j4-i5")
    assert "1-6" in alone.moves
    assert "30-24" not in alone("b10-a9").moves


def test_a_king_that_rests_may_capture() -> None:
    """At the end of its run it must capture like any other."""
    play = Play("frisian", "W:Wa3,Ka9:Bf8,j8")("a9-b10", "j8-i7", "b10-a9", "i7-h6", "a9-b10", "f8-e7")
    assert all(move.startswith("1x") for move in play.moves)


def test_a_finished_game_takes_no_move() -> None:
    """Nothing is legal in a game that is over."""
    assert refusal("pinoy", "W:W:Bc3", "c3-d4") == "the game is over"


@pytest.mark.parametrize(
    "typed", ["", "   ", "hello", "c", "c9", "i3-j4", "c3-", "-", "c3--", "x", "c3 or d4", "1", "c3+d4"]
)
def test_not_a_move(typed: str) -> None:
    """What is not written as a move at all is told how to write one."""
    play = Play("pinoy")
    with pytest.raises(NotAMove) as caught:
        play.rules.read(play.state, typed)
    assert "such as a3-b4." in caught.value.message


def test_more_than_one_fits() -> None:
    """More than one move fits: all of them are listed, in the order of their notation, and none is chosen."""
    play = Play("pinoy", "W:WKc3,Kg1:Bh8")
    with pytest.raises(AmbiguousMove) as caught:
        play.rules.read(play.state, "d4")
    assert [turn.text for turn in caught.value.candidates] == ["c3-d4", "g1-d4"]
    assert caught.value.message == "more than one move fits: c3-d4, g1-d4"
    for candidate in caught.value.candidates:
        assert play.rules.read(play.state, candidate.text) == candidate
