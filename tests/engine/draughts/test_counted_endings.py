"""Endings that are counted with men on the board, and what wins by another rule than most."""

from __future__ import annotations

from itertools import product
from typing import Literal

import pytest

from bot.engine import variants
from bot.engine.boards import square_board
from bot.engine.draughts.counted_endings import main_roads
from bot.engine.draughts.state import bits
from bot.engine.outcomes import reason_of
from bot.engine.registry import rules_of
from bot.engine.rules import Rules
from bot.i18n import said, speaking
from tests.support.engine.game_files import text_of
from tests.support.engine.questions import Play


def rules(game: str, *changes: tuple[str, str]) -> Rules:
    """A game of the tests, with parts of its file replaced."""
    text = text_of(game)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return rules_of(variants.read(text, f"{game}.toml"))


def endless(game: str) -> Rules:
    """A game in which positions may come back."""
    return rules(game, ("[draws]", "[draws]\nrepetition = false"))


def told(play: Play) -> str:
    return " ".join(play.state.notices) if play.outcome is None else f"{play.outcome.winner}: {play.outcome.reason}"


@pytest.mark.parametrize(
    ("game", "position", "sides", "moves"),
    [
        ("international", "W:WKc1,Ke1,Kg1:BKb10", "three kings against one", 16),
        ("international", "W:WKc1,Ke1,a5:BKb10", "two kings and one man against one king", 16),
        ("international", "W:WKc1,a3,a5:BKb10", "one king and two men against one king", 16),
        ("international", "W:WKc1,Ke1:BKb10", "two kings against one", 5),
        ("international", "W:WKc1,a5:BKb10", "one king and one man against one king", 5),
        ("russian", "W:WKa1,Kc1,Ke1,Kc3:BKb8", "four kings against one", 15),
        ("russian", "W:WKc1,a3:BKb8", "one king and one man against one king", 5),
        ("russian", "W:WKc1,a3:BKb8,h4", "one king and one man against one king and one man", 30),
        ("russian", "W:WKc1,a3,Ke1:BKb8,h4", "two kings and one man against one king and one man", 30),
        ("russian", "W:WKc1,a3,Ke1,a5:BKb8,h4", "two kings and two men against one king and one man", 60),
    ],
)
def test_so_many_moves_each(game: str, position: str, sides: str, moves: int) -> None:
    """The count is shown, and the move that completes it draws the game; not the one before."""
    # Without the draw by quiet moves, which would come first.
    quiet = f"\nquiet_moves = {rules(game).variant.options['quiet_moves']}"
    endings_alone = rules(game, ("[draws]", "[draws]\nrepetition = false"), (quiet, "\nquiet_moves = 0"))
    play = Play(endings_alone, position)
    corner = "b10-a9" if game == "international" else "b8-a7"
    back = "-".join(reversed(corner.split("-")))
    for index in range(moves):
        assert f"{sides}: drawn after {moves} moves each ({index} so far)" == told(play)
        play("c1-b2" if index % 2 == 0 else "b2-c1")
        assert f"{sides}: drawn after {moves} moves each ({index} so far)" == told(play)
        play(corner if index % 2 == 0 else back)
    assert f"None: {sides} after {moves} moves each" == told(play)


def test_a_crowning_begins_the_count_anew_or_not() -> None:
    """International: the 16 moves go on when a man is crowned; Russian: any change of the material begins anew."""
    play = Play(rules("international"), "W:WKa1,Kc1,a9:BKj4")
    play("c1-d2", "j4-i3")
    assert "(1 so far)" in told(play)
    play("a9-b10", "i3-j4")
    assert "three kings against one: drawn after 16 moves each (2 so far)" == told(play)
    play = Play(rules("russian"), "W:WKc1,a7:BKh4,h6")
    play("c1-b2", "h4-g3")
    assert "(1 so far)" in told(play)
    play("a7-b8", "h6-g5")
    assert "two kings against one king and one man: drawn after 30 moves each (0 so far)" == told(play)


@pytest.mark.parametrize(("own", "foe"), ["WB", "BW"])
def test_a_capture_in_the_midst_of_a_count(own: str, foe: str) -> None:
    """International: five moves are counted from when there is a king against two pieces or one; when one of the two is
    taken the count goes on, whoever had them."""
    play = Play(rules("international"), f"{own}:{own}Ka1,Kj10:{foe}Kg1")
    play("a1-b2", "g1-h2", "b2-a1", "h2-g1", "a1-d4", "g1xb6")
    assert "one king against one: drawn after 5 moves each (3 so far)" == told(play)


def test_the_main_road() -> None:
    """Russian: three against a king that holds the main road are given five moves each, counted while it holds it."""
    play = Play(endless("russian"), "B:WKg1,Kh4,Kh6:BKa1")
    road = "three kings against one on the main road"
    for index, texts in enumerate([("a1-b2", "g1-h2"), ("b2-a1", "h2-g1")] * 2):
        assert f"{road}: drawn after 5 moves each ({index} so far)" == told(play)
        play(*texts)
    away = Play(play.rules, play.position)("a1-b2", "g1-h2", "b2-c3", "h2-g1")
    assert f"{road}: drawn after 5 moves each (2 so far)" == told(away)
    away("c3-b4")
    assert "three kings against one: drawn after 15 moves each (2 so far)" == told(away)
    play("a1-b2", "g1-h2")
    assert f"None: {road} after 5 moves each" == told(play)


def test_no_main_road_where_others_stand_on_it() -> None:
    """A road on which another piece stands is nobody's."""
    play = Play(rules("russian"), "B:WKg1,Kh4,Kh8:BKa1")
    assert "three kings against one: drawn after 15 moves each (0 so far)" == told(play)


def test_two_main_roads() -> None:
    """Where the board is wider than it is high there is one from each player's corner."""
    wide = ("width = 8", "width = 10"), ("[pdn]", "[pdn]\n#"), ('game_type = "25,W,8,8,A0,0"', "")
    for king in ("a1", "j8", "c1"):
        assert "on the main road: drawn after 5 moves each (0 so far)" in told(
            Play(rules("russian", *wide), f"W:WKg1,Kb4,Kb6:BK{king}")
        )
    assert "main road" not in told(Play(rules("russian", *wide), "W:WKg1,Kb4,Kb6:BKh2"))


@pytest.mark.parametrize("corner", ["left", "right"])
@pytest.mark.parametrize("squares", ["all", "diagonal"])
def test_main_roads_of_every_board(squares: Literal["all", "diagonal"], corner: Literal["left", "right"]) -> None:
    """Each goes from a lower corner, as one of the players sees it, over squares that are played on; where the
    rows are odd in number the other player has that corner on the other hand."""
    for width, height in product(range(4, 17), repeat=2):
        board = square_board(width, height, squares, corner)
        played = {board.places[place] for place in board.played}
        roads = [{board.places[place] for place in bits(road)} for road in main_roads(board)]
        for road in roads:
            assert road <= played
            assert len(road) == min(width, height)
            assert 1 in (len({y - x for x, y in road}), len({y + x for x, y in road}))
        rows = {y for y in (0, height - 1) for x in (0, width - 1) if (x, y) in played}
        begun = {y for road in roads for x, y in road if x in (0, width - 1) and y in (0, height - 1)}
        assert begun == rows
        assert len(roads) == (1 if width == height else len(rows))


@pytest.mark.parametrize(
    ("game", "position", "end"),
    [
        ("turkish", "W:WKa1:Bh7", "0: one king against one man"),
        ("turkish", "B:Wb2:BKh8", "1: one king against one man"),
        ("turkish", "W:WKa1:Ba3", ""),
        ("turkish", "W:WKa1:BKh8", "None: one king against one"),
        ("turkish", "W:WKa1:Bh7,h6", ""),
        ("killer", "W:WKa1:BKj8", "None: one king against one"),
        ("killer", "W:WKa1:BKe5", ""),
        ("give-away", "W:W:Bh4", "0: White has no piece left"),
        ("give-away", "W:Wa3:Bb4,c5", "0: White has no legal move"),
        ("give-away", "B:Wa3,c3:Bb4", ""),
        ("breakthrough", "B:WKa1,c3:Bh4", "0: White has the first king"),
        ("breakthrough", "W:WKa1:BKh8", "1: Black has the first king"),
        ("last-piece", "B:Wa1,c1:Bh8", "0: Black has one piece left"),
        ("last-piece", "B:Wa1:Bh8", "0: Black has one piece left"),
        ("last-piece", "B:Wa1,c1:Bh8,f8", ""),
    ],
)
def test_what_the_pieces_decide(game: str, position: str, end: str) -> None:
    """Who has won, or that the game is drawn, at once."""
    assert end == told(Play(rules(game), position))


def test_who_crowns_first_wins() -> None:
    """The man that comes to the last row ends the game, where kings decide; and where one piece left loses, the
    capture that leaves it."""
    play = Play(rules("breakthrough"), "W:Wa7,c3:Bh4,f6")("a7-b8")
    assert "0: White has the first king" == told(play)
    assert play.moves == []
    assert "0: Black has one piece left" == told(Play(rules("last-piece"), "W:Wc3,a1:Bd4,h8")("c3xe5"))


def test_men_on_single_squares() -> None:
    """A set-up may name its squares; on the mirrored board they are mirrored."""
    assert "W:Wa1,c1,d2,e1,g1:Bb8,d8,e7,f8,h8" == rules("last-piece").opening()
    mirrored = rules("last-piece", ("[start]", "mirror = true\n\n[start]"))
    assert "W:Wb1,d1,e2,f1,h1:Ba8,c8,d7,e8,g8" == mirrored.opening()


@pytest.mark.parametrize(
    ("kings", "says"), [(6, "6 kings against one"), (12, "12 kings against one"), (5, "five kings against one")]
)
def test_more_kings_than_there_are_words(kings: int, says: str) -> None:
    """An ending of any number of kings is told, in digits where there is no word."""
    ending = f"[draws]\nendings = [{{kings = [{kings}, 1], moves = 7, counted = 'lone', capture_first = false}}]\n"
    game = rules("give-away", ("[start]", f"{ending}\n[start]"))
    squares = ["a1", "c1", "e1", "g1", "b2", "d2", "f2", "h2", "a3", "c3", "e3", "g3"][:kings]
    play = Play(game, f"B:W{','.join('K' + square for square in squares)}:BKh8")
    assert f"{says}: drawn after 7 moves of the lone king (0 so far)" == told(play)


@pytest.mark.parametrize(
    ("kept", "spanish"),
    [
        ("two kings and one man against one king after 16 moves each",
         "dos damas y un peón contra una dama tras 16 jugadas de cada bando"),
        ("three kings against one on the main road after 5 moves each",
         "tres damas contra una en la diagonal mayor tras 5 jugadas de cada bando"),
        ("7 kings against one", "7 damas contra una"),
        ("one king against one man", "una dama contra un peón"),
        ("8 kings and 6 men against two men", "8 damas y 6 peones contra dos peones"),
        ("three kings against one after 12 moves of the lone king",
         "tres damas contra una tras 12 jugadas de la dama sola"),
        ("White has one piece left", "Blancas con una sola pieza"),
        ("Black has the first king", "Negras con la primera dama"),
    ],
)  # fmt: skip
def test_what_was_kept_is_said_in_any_language(kept: str, spanish: str) -> None:
    """Reasons are stored in English and known again."""
    assert kept == reason_of(kept)
    with speaking("es"):
        assert spanish == said(reason_of(kept))
