"""Every draw that the rules give, at the very move that gives it."""

from __future__ import annotations

import pytest

from bot.engine.errors import VariantError
from tests.support.engine.questions import Play

# Four kings against one that keep out of each other's way, and moves to and fro.
QUIET: dict[str, tuple[str, tuple[str, str, str, str]]] = {
    "spanish": ("W:WKd1,Ke8,Kf1,Kg8:BKa8", ("g8-h7", "a8-b7", "h7-g8", "b7-a8")),
    "pinoy": ("W:WKb8,Kc1,Kd8,Ke1:BKh8", ("b8-a7", "h8-g7", "a7-b8", "g7-h8")),
    "americanas": ("W:WKb8,Kc1,Kd8,Ke1:BKh8", ("b8-a7", "h8-g7", "a7-b8", "g7-h8")),
    "tama": ("W:WKb1,Kc4,Kd2,Ke3:BKh8", ("b1-a1", "h8-g7", "a1-b1", "g7-h8")),
}


def drawn(play: Play) -> bool:
    return play.outcome is not None and play.outcome.winner is None


@pytest.mark.parametrize("game", QUIET)
def test_third_time(game: str) -> None:
    """The same position with the same side to move for the third time: drawn, the position of the start included."""
    position, shuffle = QUIET[game]
    play = Play(game, position)
    play(*shuffle, *shuffle[:3])
    assert not drawn(play)
    play(shuffle[3])
    assert drawn(play)
    assert play.moves == []


def test_third_time_with_the_same_side_to_move() -> None:
    """The same pieces with the other side to move are another position."""
    play = Play("tama", "W:WKa1,Kb1:BKh8,Kg8")
    play("a1-a3", "h8-h7", "a3-a2", "h7-h8", "a2-a1")  # now as at the start, but Black to move
    play("h8-h7", "a1-a3", "h7-h8", "a3-a1")  # Black to move for the second time
    assert not drawn(play)
    play("h8-h7", "a1-a3", "h7-h8", "a3-a1")
    assert drawn(play)


@pytest.mark.parametrize("game", ["pinoy", "americanas", "tama"])
def test_repetition_can_be_switched_off(game: str) -> None:
    """Option repetition: off, a position may come back any number of times."""
    position, shuffle = QUIET[game]
    assert not drawn(Play(game, position, repetition=False)(*shuffle * 5))


def test_repetition_cannot_be_switched_off_in_spanish() -> None:
    """The Spanish text is not silent about repetition: there is no such option."""
    with pytest.raises(VariantError, match=r"repetition.*mirror, quiet_moves"):
        Play("spanish", repetition=False)


def test_three_kings_against_one_counts_the_lone_king() -> None:
    """Pinoy: only the lone king's moves are counted, and the count is shown to both players."""
    play = Play("pinoy", "B:WKb8,Kd8,Ke1:BKh8", repetition=False)
    play("h8-g7")
    [notice] = play.state.notices
    assert notice == "three kings against one: drawn after 12 moves of the lone king (1 so far)"
    play("b8-a7")
    assert "(1 so far)" in play.state.notices[0]
    play("g7-h8")
    assert "(2 so far)" in play.state.notices[0]


def test_three_kings_against_one_starts_when_it_arises() -> None:
    """Pinoy: "no other piece", and the count "starts anew if the material changes"."""
    play = Play("pinoy", "W:WKb8,Kd8,Ke1:BKh8,a5", repetition=False)
    play("b8-a7", "h8-g7")
    assert not play.state.notices
    play("a7-b8", "a5-b4", "e1xa5")
    assert "(0 so far)" in play.state.notices[0]


def test_three_kings_against_one_black_has_three() -> None:
    """Pinoy: the lone king may be either side's."""
    play = Play("pinoy", "B:BKb8,Kd8,Ke1:WKh8", repetition=False)
    for index in range(12):
        assert not drawn(play)
        play(*(("b8-a7", "h8-g7") if index % 2 == 0 else ("a7-b8", "g7-h8")))
    assert drawn(play)


def test_one_king_against_one() -> None:
    """Americanas: one king against one is drawn at once."""
    assert drawn(Play("americanas", "W:WKa1:BKd8"))


def test_one_king_against_one_captures_first() -> None:
    """Americanas: "a side that can capture at once plays that capture first"."""
    play = Play("americanas", "W:WKa1:BKd4")
    assert play.outcome is None
    play("a1xe5")
    assert play.outcome is not None
    assert play.outcome.winner == 0


@pytest.mark.parametrize(("position", "moves_each"), [("W:WKb8,Kd8:BKh8", 5), ("W:WKb8,Kd8,Ke1:BKh8", 20)])
def test_kings_against_one(position: str, moves_each: int) -> None:
    """Americanas: two kings against one drawn unless won within 5 moves of each side, three against one within 20."""
    play = Play("americanas", position, repetition=False)
    for index in range(moves_each):
        first, second = ("b8-a7", "h8-g7") if index % 2 == 0 else ("a7-b8", "g7-h8")
        play(first)
        assert not drawn(play)
        assert f"after {moves_each} moves each ({index} so far)" in play.state.notices[0]
        play(second)
    assert drawn(play)


def test_kings_against_one_captures_first() -> None:
    """Americanas: after the fifth move of each side a capture that waits is played first, and may win."""
    play = Play("americanas", "W:WKb8,Kd8:BKh8", repetition=False)
    play(*QUIET["americanas"][1] * 2, "d8-e7", "h8-f6")
    assert play.outcome is None
    play("e7xg5")
    assert play.outcome is not None
    assert play.outcome.winner == 0


def wander(play: Play, turns: int) -> None:
    """Play kings' moves that bring back no position and offer no capture."""
    seen = {play.position}
    for _ in range(turns):
        for turn in play.rules.turns(play.state):
            if play.rules.pieces(play.state)[turn.path[0]].kind == "man":
                continue
            following = play.rules.play(play.state, turn)
            replies = play.rules.turns(following)
            if play.rules.position(following) not in seen and not any(reply.captured for reply in replies):
                break
        play.state = following
        seen.add(play.position)


@pytest.mark.parametrize("game", QUIET)
def test_quiet_moves(game: str) -> None:
    """Option quiet_moves: drawn after N moves by each side without a capture or a man's move."""
    play = Play(game, QUIET[game][0], quiet_moves=10)
    wander(play, 19)
    assert not drawn(play)
    wander(play, 1)
    assert play.outcome is not None
    assert play.outcome.winner is None
    assert "10 moves each" in play.outcome.reason


def test_quiet_moves_start_anew() -> None:
    """A man's move or a capture starts the count of quiet moves anew; without the option nothing is counted."""
    play = Play("pinoy", "W:Wa3,Kb8,Kc1,Kd8,Ke1:BKh8", quiet_moves=10, repetition=False)
    play(*(QUIET["pinoy"][1] * 5)[:18], "a3-b4")
    wander(play, 19)
    assert not drawn(play)
    wander(play, 1)
    assert drawn(play)
    play = Play("pinoy", QUIET["pinoy"][0], repetition=False)
    assert not drawn(play(*QUIET["pinoy"][1] * 30))
