"""The worked examples of seed 000 (docs/rules.md), pieces A to E. Its figures are not in the text: the positions fit
what it says."""

from __future__ import annotations

from tests.support.engine.questions import Play, moves


def test_how_men_move() -> None:
    """ "La ficha blanca A no tiene ningún movimiento, la ficha B tiene dos y la ficha C solo uno": A b2, B e3, C h4."""
    found = moves("pinoy", "W:Wa3,b2,c3,e3,h4:Bd8,f8,h8")
    assert [move for move in found if move.startswith("b2")] == []
    assert [move for move in found if move.startswith("e3")] == ["e3-d4", "e3-f4"]
    assert [move for move in found if move.startswith("h4")] == ["h4-g5"]


def test_the_greatest_number_of_captures() -> None:
    """A takes E and then B backward, so neither D (E alone) nor C (B alone) may play, nor may anything merely move."""
    play = Play("pinoy", "W:Wc3,c5,g5:Bd4,f4,h8")  # A c3, D c5, C g5; E d4, B f4
    assert play.moves == ["c3xe5xg3"]
    assert play.refusal("c5xe3") == "you must capture: c3xe5xg3 takes 2 pieces, your move takes 1"
    assert play.refusal("g5xe3") == "you must capture: c3xe5xg3 takes 2 pieces, your move takes 1"
    assert play.refusal("c5-b6") == "you must capture: c3xe5xg3 takes 2 pieces, your move takes none"
    # Without the others in the way, D and C would capture just that.
    assert moves("pinoy", "W:Wc5,g5:Bd4,f4,h8") == ["c5xe3", "g5xe3"]


def test_a_king_lands_where_it_can_take_more() -> None:
    """King B must take A, land on the second point behind it and take D, although C could take E and be crowned."""
    play = Play("pinoy", "W:Wc7,f6,Kh2:Bc5,f4,g7")  # king B h2, C f6; A f4, D c5, E g7
    assert play.moves == ["h2xd6xa3", "h2xd6xb4"]
    assert play.refusal("f6xh8") == "you must capture: h2xd6xa3 takes 2 pieces, your move takes 1"


def test_without_the_second_piece_the_king_lands_at_will() -> None:
    """ "Si no estuviera la ficha D el rey B podría aterrizar a voluntad"; then C may take E too."""
    assert moves("pinoy", "W:Wc7,f6,Kh2:Bf4,g7") == ["f6xh8", "h2xd6", "h2xe5"]


def test_passing_through_the_last_row() -> None:
    """C takes E, reaches the last row, must take B backward from there and is not crowned in this turn."""
    play = Play("pinoy", "W:Wd6:Ba7,e7,g7")  # C d6; E e7, B g7
    assert play.moves == ["d6xf8xh6"]
    assert not play.rules.read(play.state, "d6xf8xh6").crowns
    assert play("d6xf8xh6").position == "B:Wh6:Ba7"


def test_a_captured_piece_that_still_stands_is_in_the_way() -> None:
    """ "Una pieza capturada, pero no retirada, impida el paso" to what could be taken if it had left."""
    position = "W:WKd8:Bb2,Kd6,Ke3,e7"
    assert {len(move.split("x")) - 1 for move in moves("pinoy", position)} == {4}
    assert {len(move.split("x")) - 1 for move in moves("pinoy", position, removal="at_end")} == {3}


def test_three_kings_against_one() -> None:
    """ "Tres reyes y el otro un rey": the lone king's moves are counted, and after the twelfth the game is drawn."""
    play = Play("pinoy", "W:WKb8,Kd8,Ke1:BKh8", repetition=False)
    for _ in range(5):
        play("b8-a7", "h8-g7", "a7-b8", "g7-h8")
    play("b8-a7", "h8-g7", "a7-b8")
    assert play.outcome is None
    play("g7-h8")
    assert play.outcome is not None
    assert play.outcome.winner is None
