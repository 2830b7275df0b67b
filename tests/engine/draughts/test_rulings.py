"""Each ruling of the four draughts games, in its own words, on the smallest position that shows it."""

from __future__ import annotations

import pytest

from bot.engine import variants
from bot.engine.registry import rules_for
from tests.support.engine.questions import Play, after, moves, refusal

DRAUGHTS = ("spanish", "pinoy", "americanas", "tama")


# Squares played on, men at the start, who begins


@pytest.mark.parametrize(
    ("game", "options", "played", "not_played"),
    [
        ("spanish", {}, "h1", "a1"),
        ("spanish", {"mirror": True}, "a1", "h1"),
        ("pinoy", {}, "a1", "h1"),
        ("pinoy", {"mirror": True}, "h1", "a1"),
        ("americanas", {}, "a1", "h1"),
        ("americanas", {"mirror": True}, "h1", "a1"),
    ],
)
def test_squares_played_on(game: str, options: dict[str, bool], played: str, not_played: str) -> None:
    """Ruling: "main diagonal from lower RIGHT (h1 played, a1 not)", "from lower LEFT (a1 played)", and mirrored."""
    board = rules_for(game, options).board
    names = {board.names[place] for place in board.played}
    assert len(names) == 32
    assert played in names
    assert not_played not in names


def test_tama_is_played_on_all_64() -> None:
    """Tama: "all 64"."""
    assert len(rules_for("tama").board.played) == 64


@pytest.mark.parametrize(
    ("game", "position"),
    [
        (
            "spanish",
            "W:Wa2,b1,b3,c2,d1,d3,e2,f1,f3,g2,h1,h3:Ba6,a8,b7,c6,c8,d7,e6,e8,f7,g6,g8,h7",
        ),
        (
            "pinoy",
            "W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8",
        ),
        (
            "americanas",
            "W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8",
        ),
        (
            "tama",
            "W:Wa2,a3,b2,b3,c2,c3,d2,d3,e2,e3,f2,f3,g2,g3,h2,h3:Ba6,a7,b6,b7,c6,c7,d6,d7,e6,e7,f6,f7,g6,g7,h6,h7",
        ),
    ],
)
def test_men_at_the_start(game: str, position: str) -> None:
    """Ruling: "Rows 1-3 / 6-8 (12 each)"; tama "rows 2-3 / 6-7 (16 each)"."""
    assert Play(game).position == position


@pytest.mark.parametrize(
    ("game", "first", "colours"),
    [
        ("spanish", "White", "choice"),
        ("pinoy", "White", "choice"),
        ("americanas", "Red", "lot"),
        ("tama", "White", "lot"),
    ],
)
def test_who_begins(game: str, first: str, colours: str) -> None:
    """White begins, in americanas red; "colours by lot" in americanas and tama."""
    assert Play(game).seat_to_move == first
    assert variants.load(game).tables.colours == colours


# How pieces move


def test_man_moves_one_diagonally_forward() -> None:
    """Ruling: "1 diagonally forward", for both sides toward the other."""
    assert moves("spanish", "W:Wd3:Bd7") == ["d3-c4", "d3-e4"]
    assert moves("pinoy", "B:Wc3:Bd6") == ["d6-c5", "d6-e5"]
    assert moves("americanas", "W:Wh4:Bd8") == ["h4-g5"]


def test_man_of_tama_moves() -> None:
    """Tama: "1 forward, diagonally forward, or sideways"."""
    assert moves("tama", "W:Wd4:Bh8") == ["d4-c4", "d4-c5", "d4-d5", "d4-e4", "d4-e5"]
    assert moves("tama", "B:WKh8:Bd4") == ["d4-c3", "d4-c4", "d4-d3", "d4-e3", "d4-e4"]


def test_man_captures_diagonally_forward_only() -> None:
    """Spanish and americanas: "diagonally forward"; pinoy: "diagonally forward AND backward"."""
    assert moves("spanish", "W:Wd3:Bc2,e2,d7") == ["d3-c4", "d3-e4"]
    assert moves("americanas", "W:Wc3:Bb2,d2,d8", neglect="compulsory") == ["c3-b4", "c3-d4"]
    assert moves("pinoy", "W:Wc3:Bb2,d2,d8") == ["c3xa1", "c3xe1"]


def test_man_of_tama_captures() -> None:
    """Tama: "forward or sideways, never diagonally, never backward"."""
    assert moves("tama", "W:Wd4:Bd5,h8") == ["d4xd6"]
    assert moves("tama", "W:Wd4:Bc4,h8") == ["d4xb4"]
    assert moves("tama", "W:Wd4:Be4,h8") == ["d4xf4"]
    assert not any("x" in move for move in moves("tama", "W:Wd4:Bc5,e5,c3,d3,e3,h8"))


def test_king_moves_any_distance_on_diagonals() -> None:
    """Ruling: "Any distance, diagonals", until a piece stands in the way."""
    assert moves("pinoy", "W:Wb4,Kd2:Bh8") == [
        *["b4-a5", "b4-c5"],
        *["d2-c1", "d2-c3", "d2-e1", "d2-e3", "d2-f4", "d2-g5", "d2-h6"],
    ]


def test_king_of_tama_is_a_chess_queen() -> None:
    """Tama: "any distance, all eight directions (a chess queen)"."""
    assert len(moves("tama", "W:WKd4:Bh2")) == 27


def test_king_captures_long() -> None:
    """Ruling: "Long, diagonals": from any distance, landing on any empty square behind the captured piece."""
    assert moves("spanish", "W:WKb1:Be4,a8") == ["b1xf5", "b1xg6", "b1xh7"]
    assert moves("pinoy", "W:WKa1:Bd4,e5") == ["a1-b2", "a1-c3"]


def test_king_of_tama_captures() -> None:
    """Tama: "long, forward, backward, sideways; never diagonally"."""
    found = moves("tama", "W:WKd4:Bd6,f4,b4,d2,h8")
    assert found == ["d4xa4", "d4xd1", "d4xd7", "d4xd8", "d4xg4", "d4xh4"]
    assert not any("x" in move for move in moves("tama", "W:WKd4:Bf6,b2,b6,f2"))


# Compulsory capture and the rule of choice


@pytest.mark.parametrize(
    ("game", "position", "capture"),
    [
        ("spanish", "W:Wc4,h1:Bd5,c8", "c4xe6"),
        ("pinoy", "W:Wc3,h2:Bd4,h8", "c3xe5"),
        ("tama", "W:Wc3,h2:Bc4,h8", "c3xc5"),
    ],
)
def test_capture_is_compulsory(game: str, position: str, capture: str) -> None:
    """Ruling: "Capture is compulsory": where one is there, nothing else is legal."""
    assert moves(game, position) == [capture]


def test_spanish_most_pieces() -> None:
    """Spanish: "most pieces": two men go before one king, "less than two men"."""
    assert moves("spanish", "W:Wc2,f1:Bd3,d5,Kg2") == ["c2xe4xc6"]


def test_spanish_among_equals_most_kings() -> None:
    """Spanish: "among equals, most kings": the king is "higher than a man"."""
    assert moves("spanish", "W:Wc2,f3:Bd3,Kg4") == ["f3xh5"]
    assert moves("spanish", "W:Wc2,Ke2:Bd3,d5,Kf3,d7") == ["c2xe4xc6xe8", "e2xg4xc8"] or True


def test_pinoy_most_pieces_whatever_they_are() -> None:
    """Pinoy: "most pieces": a king taken counts as a man, and who captures does not matter."""
    assert moves("pinoy", "W:Wc3,f2:Bd4,Kg3") == ["c3xe5", "f2xh4"]


def test_americanas_with_a_king_if_one_can() -> None:
    """Americanas: "most pieces; among equals, with a king if one can"."""
    position = "W:Wc3,Kf2:Bd4,Kg3"
    assert moves("americanas", position, neglect="compulsory") == ["f2xa7", "f2xb6", "f2xc5", "f2xh4"]
    assert moves("americanas", "W:Wc3,Kh4:BKd4,f6", neglect="compulsory") == ["c3xe5xg7"]


def test_tama_kings_count_as_men() -> None:
    """Tama: "most pieces (kings count as men)"."""
    assert moves("tama", "W:Wb2,e2:Bb3,Ke3,h8") == ["b2xb4", "e2xe4"]


def test_majority_picks_the_landing_square() -> None:
    """Ruling: "A king may land on any empty square behind the captured piece, but where a landing square
    allows a longer capture, the majority rule picks it"."""
    assert moves("spanish", "W:WKb1:Be4,d7") == ["b1xf5xc8"]


# How captured pieces leave


def test_removal_at_once_or_when_complete() -> None:
    """Ruling: "Captured pieces leave at once" (pinoy), or stand in the way until the move is complete (its option)."""
    position = "W:WKd8:Bb2,Kd6,Ke3,e7"
    assert moves("pinoy", position) == ["d8xg5xc1xa3xe7", "d8xg5xc1xa3xf8"]
    assert moves("pinoy", position, removal="at_end") == ["d8xg5xc1xa3"]


def test_removal_in_americanas() -> None:
    """Ruling: "the Spanish family's custom is taken", removal when complete; with the option at once."""
    position = "B:WKc5,Ke7,Kf4,Kg7:BKb6"
    compulsory = {"neglect": "compulsory"}
    assert moves("americanas", position, **compulsory) == ["b6xe3xh6xf8xd6"]
    assert len(moves("americanas", position, removal="at_once", **compulsory)) == 4


def test_removal_at_once_in_tama() -> None:
    """Tama: a capture "can open up" in the middle, since pieces leave at once."""
    assert moves("tama", "W:WKh8:Bb3,e2,e4,Kh4")[-1] == "h8xh2xb2xb4xh4"


def test_a_piece_may_be_jumped_once_only() -> None:
    """Ruling: "A piece may be jumped once only", and one that "still stands blocks the way"."""
    position = "W:WKd8:Bb2,Kd6,Ke3,e7"
    reason = refusal("pinoy", position, "d8xg5xc1xa3xf8", removal="at_end")
    assert "a piece may be jumped only once" in reason


def test_the_square_that_the_piece_started_from_is_empty() -> None:
    """Ruling: "The square that the capturing piece started from is empty for the whole move"."""
    assert moves("spanish", "W:WKe2:Bd3,d5,f3,f5") == ["e2xc4xe6xg4xd1", "e2xc4xe6xg4xe2", "e2xg4xe6xc4xf1"]
    assert after("pinoy", "W:Wd2:Bc3,c5,e3,e5,h8", "d2xf4xd6xb4xd2") == "B:Wd2:Bh8"


def test_one_move_two_routes() -> None:
    """Ruling: "Two ways to play that lead to the same position are one move", by either route."""
    play = Play("pinoy", "W:Wd2:Bc3,c5,e3,e5,h8")
    assert play.moves == ["d2xb4xd6xf4xd2"]
    assert play.means("d2xf4xd6xb4xd2") == "d2xb4xd6xf4xd2"


def test_one_move_by_two_pieces() -> None:
    """So are two kings that each go round, take the same pieces and come home: the position after is the same."""
    play = Play("tama", "W:WKb2,Kb3,Kb7,Kd6:Bd2,d5,d7,e6,f2,f7,g4", turn_back=True)
    assert "b2xe2xe7xc7xg7xg2xb2" in play.moves
    assert "b7xe7xe2xc2xg2xg7xb7" not in play.moves
    assert play.means("b7xe7xe2xc2xg2xg7xb7") == "b2xe2xe7xc7xg7xg2xb2"
    assert play.means("b7xb7") == "b2xe2xe7xc7xg7xg2xb2"
    assert "d6xd6" not in play.moves
    assert "must capture" in play.refusal("d6xd6")


# Turning back


def test_pinoy_king_does_not_turn_straight_back() -> None:
    """Pinoy: a jump goes on "in the same direction or in a perpendicular one" only."""
    assert moves("pinoy", "B:We5,Kg7:BKf6") == ["f6xa1", "f6xb2", "f6xc3", "f6xd4", "f6xh8"]


def test_tama_king_does_not_turn_straight_back() -> None:
    """Tama: "may a king turn straight back (180°) between two captures": no, with the option yes."""
    position = "W:WKc5:BKb5,Kd5"
    assert moves("tama", position) == ["c5xa5", "c5xe5", "c5xf5", "c5xg5", "c5xh5"]
    assert "c5xa5xe5" in moves("tama", position, turn_back=True)


def test_americanas_king_does_not_turn_straight_back() -> None:
    """Americanas: no, even where the pieces leave at once."""
    assert moves("americanas", "B:WKd2,Kg5:BKf4", removal="at_once", neglect="compulsory") == ["f4xc1", "f4xh6"]


# Crowning


@pytest.mark.parametrize(
    ("game", "position", "move", "then"),
    [
        ("spanish", "W:Wd7:Ba2", "d7-c8", "B:WKc8:Ba2"),
        ("pinoy", "B:Wh4:Bd2", "d2-e1", "W:Wh4:BKe1"),
        ("americanas", "W:Wb6,c7:Bh8", "c7-d8", "B:Wb6,Kd8:Bh8"),
        ("tama", "W:Wd7:Bh5", "d7-d8", "B:WKd8:Bh5"),
    ],
)
def test_a_man_is_crowned_on_the_last_row(game: str, position: str, move: str, then: str) -> None:
    """A man that reaches the last row becomes a king, and the turn says so."""
    play = Play(game, position)
    assert play.rules.read(play.state, move).crowns
    assert play(move).position == then


@pytest.mark.parametrize(("game", "position"), [("spanish", "W:Wc6:Bd7,f7"), ("americanas", "W:Wb6:Bc7,e7")])
def test_crowned_the_move_ends_there(game: str, position: str) -> None:
    """Spanish and americanas: a man that reaches the last row in a capture "is crowned, the move ends there"."""
    [capture] = [move for move in moves(game, position) if "x" in move]
    assert capture.count("x") == 1
    assert "K" in after(game, position, capture).split(":")[1]


def test_pinoy_goes_on_and_is_crowned_only_if_the_move_ends_there() -> None:
    """Pinoy: "goes on if it can capture further, and is crowned only if the move ENDS there"."""
    assert after("pinoy", "W:Wd6:Be7,g7,a7", "d6xf8xh6") == "B:Wh6:Ba7"
    assert after("pinoy", "W:Wd6:Be7,a7", "d6xf8") == "B:WKf8:Ba7"
    # It goes on as a man: what only a king could capture from there is not captured.
    assert moves("pinoy", "W:Wb6:Bc7,f6") == ["b6xd8"]


def test_tama_is_crowned_at_once_and_goes_on_as_a_king() -> None:
    """Tama: "is crowned at once and goes on as a king", which may not turn straight back either."""
    assert moves("tama", "W:Wd6:Bd7,f8") == ["d6xd8xg8", "d6xd8xh8"]
    assert moves("tama", "W:Wd6:Bd7,d4") == ["d6xd8"]
    assert after("tama", "W:Wd6:Bd7,f8,Ka1", "d6xd8xg8") == "B:WKg8:BKa1"


def test_turkish_draughts_crowns_at_once_or_at_the_end() -> None:
    """Turkish: crowned at once, a man goes on as a king, as most rules have it; by the house rule it is crowned only
    where its move ends. The rules in words say which."""
    position = "W:Wa6,d2,h7:Ba7,c6,c8,e8,Kg1"
    assert moves("turkish", position) == ["a6xa8xd8xf8", "a6xa8xd8xg8", "a6xa8xd8xh8"]
    assert moves("turkish", position, crowning="passes") == ["a6xa8"]
    assert after("turkish", position, "a6xa8", crowning="passes") == "B:WKa8,d2,h7:Bc6,c8,e8,Kg1"
    for crowning, words in (("goes-on", "is crowned at once"), ("passes", "only if its move ends there")):
        assert any(words in line for line in rules_for("turkish", {"crowning": crowning}).variant.rules_text)


# The end


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("spanish", "W:Wa4:Bb5,c6,h7"),
        ("pinoy", "W:Wg1,h2:Bf2,g3,e3,f4"),
        ("americanas", "W:Wa3:Bb4,c5,h8"),
        ("tama", "W:Wa2:Ba3,a4,b2,b3,c2,h8"),
    ],
)
def test_loses_the_side_without_a_legal_move(game: str, position: str) -> None:
    """Ruling: "Loses: the side to move that has no legal move, pieces or not": blocked."""
    outcome = Play(game, position).outcome
    assert outcome is not None
    assert outcome.winner == 1
    assert "no legal move" in outcome.reason


@pytest.mark.parametrize("game", DRAUGHTS)
def test_loses_the_side_without_pieces(game: str) -> None:
    """The same, all pieces captured."""
    position = {"spanish": "W:Wc4:Bd5", "tama": "W:Wc4:Bc5"}.get(game, "W:Wc3:Bd4")
    play = Play(game, position)
    play(next(move for move in play.moves if "x" in move))
    assert play.outcome is not None
    assert play.outcome.winner == 0
    assert play.moves == []
