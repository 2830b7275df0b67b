"""Soplar, the huff of Damas americanas: what may be done about a neglected capture, and what becomes of it."""

from __future__ import annotations

import pytest

from bot.engine.draughts.notation import read_move
from bot.engine.errors import AmbiguousMove, BadOrder, IllegalMove
from tests.support.engine.questions import Play, moves, refusal

# Red can take d4 with c3 or with e3, and may move g1 all the same.
TWO_COULD = "W:Wc3,e3,g1:Bd4,h8"


def test_an_ordinary_move_may_be_played_all_the_same() -> None:
    """ "A player who could capture may play an ordinary move all the same": it is listed and marked."""
    play = Play("americanas", TWO_COULD)
    neglect = {turn.text: turn.neglects for turn in play.rules.turns(play.state)}
    assert neglect == {
        "c3-b4": True,
        "c3xe5": False,
        "e3xc5": False,
        "e3-f4": True,
        "g1-f2": True,
        "g1-h2": True,
    }


def test_without_a_capture_nothing_is_neglected() -> None:
    """An ordinary move where no capture is there gives the opponent no right."""
    play = Play("americanas")
    assert not any(turn.neglects for turn in play.rules.turns(play.state))
    play("c3-d4")
    assert play.remedies == []


def test_a_capture_neglects_nothing() -> None:
    """Who captures with one piece need not fear for the other that could have."""
    assert Play("americanas", TWO_COULD)("c3xe5").remedies == []


def test_soplar() -> None:
    """ "Remove one of the pieces that could have captured (its choice if several could) and then make its own move"."""
    play = Play("americanas", TWO_COULD)("g1-h2")
    assert play.remedies == ["soplar c3", "soplar e3", "oblige"]
    play("soplar c3")
    assert play.position == "B:We3,h2:Bd4,h8"
    assert play.seat_to_move == "White"
    assert play.moves == ["d4-c3", "d4xf2", "h8-g7"]
    assert play.remedies == []


def test_a_huff_tells_what_was_removed() -> None:
    """The turn of a huff names its place, and the rules the piece that it takes off."""
    play = Play("americanas", TWO_COULD)("g1-h2")
    turn = play.rules.read(play.state, "soplar e3")
    names = play.rules.board.names
    assert (turn.kind, turn.text, [names[place] for place in turn.captured]) == ("huff", "soplar e3", ["e3"])
    [lost] = play.rules.lost(play("soplar e3").state).values()
    assert (lost.owner, lost.kind) == (0, "man")


def test_it_is_taken_off_where_it_now_stands() -> None:
    """The piece that could have captured and moved away instead "is taken off where it now stands"."""
    play = Play("americanas", TWO_COULD)("c3-b4")
    assert play.remedies == ["soplar b4", "soplar e3", "oblige"]
    assert play("soplar b4").position == "B:We3,g1:Bd4,h8"


def test_only_what_the_rule_of_choice_allows_could_have_captured() -> None:
    """ "Could have captured" means: had a capture that the rule of choice allows."""
    # c3 takes two, f2 only one.
    play = Play("americanas", "W:Wc3,f2,a1:Bd4,f6,g3,h6")
    assert [move for move in play.moves if "x" in move] == ["c3xe5xg7"]
    assert play("a1-b2").remedies == ["soplar c3", "oblige"]
    # A king could take as many as the man: the man could not have captured.
    play = Play("americanas", "W:Wc3,Kf2,a1:Bd4,Kg3")
    assert play("a1-b2").remedies == ["soplar f2", "oblige"]


def test_a_lesser_capture_is_refused_with_the_reason() -> None:
    """ "A capturing move must itself be a best one; a lesser capture is refused with the reason"."""
    assert refusal("americanas", "W:Wc3,e1,h2:Bd4,f2,f6,h6", "e1xg3").startswith("you must capture: c3xe5xg7 takes 2")
    assert refusal("americanas", "W:Wc3,Kf2:Bd4,Kg3", "c3xe5").startswith("a king must make this capture: f2x")


def test_oblige() -> None:
    """ "The neglecting move is taken back and its player must capture"."""
    play = Play("americanas", TWO_COULD)("g1-h2", "oblige")
    assert play.position == TWO_COULD
    assert play.seat_to_move == "Red"
    assert play.moves == ["c3xe5", "e3xc5"]
    assert play.remedies == []
    assert play.refusal("g1-h2") == "you must capture: c3xe5 takes 1 piece, your move takes none"
    play("e3xc5")
    assert play.remedies == []


def test_an_obliged_capture_tells_of_no_earlier_huff() -> None:
    """What a piece was huffed for is told with the huff, and not once more where the turn after it is taken back."""
    play = Play("americanas", TWO_COULD)("g1-h2", "soplar c3")
    assert "huffed for leaving a capture: c3xe5" in "".join(map(str, play.state.notices))
    play("h8-g7", "oblige")
    assert play.moves == ["d4xf2"]
    assert "huffed" not in "".join(map(str, play.state.notices))


def test_waive() -> None:
    """ "Simply make its own move": the right is gone with it."""
    play = Play("americanas", TWO_COULD)("g1-h2", "h8-g7")
    assert play.position == "W:Wc3,e3,h2:Bd4,g7"
    # Black in its turn neglected to take with d4.
    assert play.remedies == ["soplar d4", "oblige"]
    play("c3-b4")
    assert play.refusal("soplar h2") == "h2 could not have captured; you may huff b4 or e3"


def test_obliged_after_waiving() -> None:
    """Who waived by neglecting a capture itself, and is obliged, must capture and may no longer huff."""
    play = Play("americanas", TWO_COULD)("g1-h2", "h8-g7", "oblige")
    assert play.position == "B:Wc3,e3,h2:Bd4,h8"
    assert play.moves == ["d4xb2", "d4xf2"]
    assert play.remedies == []


def test_the_last_piece_blown_away() -> None:
    """ "A side whose last piece is blown away has no move and loses"."""
    play = Play("americanas", "W:Wc3:Bd4,h8")("c3-b4", "soplar b4")
    assert play.outcome is not None
    assert play.outcome.winner == 1
    assert play.moves == []


def test_blocked_by_the_neglecting_move_one_may_still_huff() -> None:
    """Who has no move but a neglected capture to answer has not lost yet."""
    play = Play("americanas", "B:We7:BKc7,f8")("c7-d8")
    assert play.outcome is None
    assert play.moves == []
    assert play.remedies == ["soplar f8", "oblige"]
    assert play("soplar f8").moves == ["e7-f8"]


def test_written_in_other_words() -> None:
    """Typed as "soplar c3", "huff c3", by the square's number, or alone where one piece could have captured; "oblige"
    in any case."""
    play = Play("americanas", TWO_COULD)("g1-h2")
    assert play.means("soplar 10") == "soplar c3"
    assert play.means("huff c3") == "soplar c3"
    assert play.means("SOPLAR C3") == "soplar c3"
    assert play.means("Oblige") == "oblige"
    for text in (
        "soplo la ficha de c3",
        "sopla la de c3",
        "huff the piece on c3",
        "soplo la dama c3",
        "soplo el peón c3",
    ):
        assert play.means(text) == "soplar c3"
    for text in ("soplar no c3", "soplar e3 f4-g5"):
        with pytest.raises(BadOrder, match="give its square: `soplar c3`"):
            play.rules.read(play.state, text)
    with pytest.raises(AmbiguousMove) as caught:
        play.rules.read(play.state, "soplar")
    assert [turn.text for turn in caught.value.candidates] == ["soplar c3", "soplar e3"]
    assert Play("americanas", "W:Wc3,g1:Bd4,h8")("g1-h2").means("soplar") == "soplar c3"


def test_a_position_string_carries_no_right() -> None:
    """Soplar and oblige are refused where no capture was neglected in the last move."""
    assert refusal("americanas", "B:Wc3,e3,h2:Bd4,h8", "soplar c3") == "no capture was neglected in the last move"
    assert refusal("americanas", "B:Wc3,e3,h2:Bd4,h8", "oblige") == "no capture was neglected in the last move"


@pytest.mark.parametrize("order", ["soplar", "huff g1", "oblige"])
def test_huffed_once(order: str) -> None:
    """Who has huffed is told so, and not that nothing was neglected."""
    play = Play("americanas", TWO_COULD)("g1-h2")("soplar c3")
    with pytest.raises(IllegalMove, match="the neglected capture has been huffed already"):
        play.rules.read(play.state, order)


def test_compulsory() -> None:
    """ "With neglect = compulsory the bot refuses the move, as in the other games"."""
    assert moves("americanas", TWO_COULD, neglect="compulsory") == ["c3xe5", "e3xc5"]
    reason = refusal("americanas", TWO_COULD, "g1-h2", neglect="compulsory")
    assert reason == "you must capture: c3xe5 takes 1 piece, your move takes none"


@pytest.mark.parametrize(("game", "square"), [("spanish", "b3"), ("pinoy", "c3"), ("tama", "c3")])
def test_no_huffing_elsewhere(game: str, square: str) -> None:
    """Pinoy: "aquí no existe la acción de «soplar»"; nor in the others."""
    for order in (f"soplar {square}", "soplar xx", "huff z", "soplar 99", "oblige", "oblige now"):
        assert "no huffing" in refusal(game, None, order)


@pytest.mark.parametrize("text", ["soplar z9", "soplar c33", "soplar please"])
def test_a_square_that_there_is_not(text: str) -> None:
    """Who names no square of the board is told what a square looks like."""
    with pytest.raises(BadOrder, match=r"give its square: `soplar [a-h][1-8]`\."):
        read_move(text, Play("americanas").rules.board)
