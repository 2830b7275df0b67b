"""Which colour begins, from where squares are numbered, and what files are made of both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.computer.endgames.material import fingerprint
from bot.engine import variants
from bot.engine.boards import Corner, Side, square_board
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import BadPosition
from bot.engine.pdn import pdn_reader, pdn_squares, pdn_writer
from bot.engine.pdn.pdn_squares import game_type_of
from bot.engine.registry import rules_for, rules_of
from bot.engine.ruleset import Ruleset
from bot.engine.transcript import Replay, Step, Transcript
from bot.presentation.board_scene import ShownPosition, look_of, scene_of
from tests.support.engine.game_files import text_of


def file(name: str, **changes: str) -> str:
    return changed(text_of(name), changes)


def changed(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def rules_from(text: str) -> DraughtsRules:
    rules = rules_of(variants.read(text, "mine.toml"))
    assert isinstance(rules, DraughtsRules)
    return rules


# From a player's own side the numbers run as PDN's GameType says: first square, and the one that ends the first row.
@pytest.mark.parametrize(
    ("size", "corner", "numbered_from", "numbered_side", "numbers"),
    [
        (10, "left", "left", "second", {1: "b10", 5: "j10", 6: "a9", 46: "a1", 50: "i1", 32: "d4", 28: "e5"}),  # 20, N2
        (8, "left", "right", "first", {1: "g1", 4: "a1", 5: "h2", 29: "h8", 32: "b8"}),  # 21, N1
        (8, "right", "left", "second", {1: "a8", 4: "g8", 5: "b7", 32: "h1"}),  # 22, N2 and the other corner
        (8, "right", "right", "first", {1: "h1", 4: "b1", 5: "g2", 32: "a8"}),  # 24, N1 and the other corner
        (12, "left", "left", "second", {1: "b12", 7: "a11", 72: "k1"}),  # 27, N2
    ],
)
def test_numbers_of_the_fields_games(
    size: int, corner: Corner, numbered_from: Corner, numbered_side: Side, numbers: dict[int, str]
) -> None:
    """Rows are counted from either player's side, and begin at either end (PDN 3.0, GameType)."""
    board = square_board(size, size, "diagonal", corner, numbered_from, numbered_side)
    assert numbers == {number: board.names[board.number_index[number]] for number in numbers}


def test_the_most_played_first_move() -> None:
    """International draughts is typed as its players write it."""
    rules = rules_from(file("international"))
    state = rules.start()
    assert rules.read(state, "d4-e5").text == "32-28"
    assert rules.read(rules.play(state, rules.read(state, "32-28")), "g7-f6").text == "19-23"


def test_black_begins() -> None:
    """Where Black begins, Black is the first player: below, first to move, and B in position strings."""
    rules = rules_from(file("english"))
    state = rules.start()
    assert [("B", "Black"), ("W", "White")] == [(seat.key, str(seat.name)) for seat in rules.seats]
    assert rules.position(state).startswith("B:W21,22,23,")
    assert rules.opening() == rules.position(state)
    assert rules.opening(1).startswith("W:W")
    assert rules.read(state, "c3-d4").text == "11-15"
    after = rules.play(state, rules.read(state, "11-15"))
    assert rules.position(after).startswith("W:W")
    assert rules.position(rules.start(rules.position(after))) == rules.position(after)
    assert rules.start("B:W:Ba1").seat == 0


def test_black_begins_and_is_drawn_black() -> None:
    """The palette names the first player's men first; the picture shows them so."""
    rules = rules_from(file("english"))
    assert look_of(rules.variant) == ("chequered", "ivory", True)
    scene = scene_of(ShownPosition(rules, rules.start()), ["", ""])
    ebony = 1
    assert {ebony} == {piece.side for piece in scene.pieces if piece.place[1] < 3}


@pytest.fixture
def checkers(monkeypatch: pytest.MonkeyPatch) -> str:
    """A shipped variant in which Black begins, with a game type and results in twos."""
    text = file("english", **{"[pdn]": '[pdn]\nresults = "2-0"'})
    made, read = Ruleset("test-checkers", text), variants.shipped
    monkeypatch.setattr(variants, "shipped", lambda name: made if name == made.id else read(name))
    monkeypatch.setattr(pdn_squares, "_known", lambda: {"test-checkers": game_type_of("21,B,8,8,N1,0")})
    return "test-checkers"


@pytest.mark.parametrize(("loser", "result"), [(0, "0-2"), (1, "2-0"), (None, "1-1")])
def test_pdn_where_black_begins(checkers: str, loser: int | None, result: str) -> None:
    """PDN's White is White, the second player here; results name who begins first; its numbers are the squares'."""
    replay = Replay(rules_for(checkers), None)
    for step in (Step("turn", 0, "11-15"), Step("turn", 1, "23-19"), Step("draw", 0)):
        replay.add(step if step.kind == "turn" or loser is None else Step("resign", loser))
    game = Transcript(
        variant_id=checkers, options={}, start=None, steps=tuple(replay.steps), over=True, winner=replay.winner,
        reason=replay.reason, players=(11, 22), tags={"White": "who begins", "Black": "the other", "Ruling": "0-0"},
    )  # fmt: skip
    text = pdn_writer.dumps(game)
    for line in (
        '[Result "0-0"]',
        f'[PlayedResult "{result}"]',
        '[White "the other"]',
        '[Black "who begins"]',
        '[BlackId "11"]',
        '[WhiteId "22"]',
        '[GameType "21,B,8,8,N1,0"]',
    ):
        assert line in text
    assert "\n1. 11-15 23-19 {" in text
    assert text.endswith("} *\n")
    [again] = pdn_reader.loads(text)
    assert (game.winner, game.players) == (again.winner, again.players)
    assert ("who begins", "the other", "0-0") == tuple(again.tags[name] for name in ("White", "Black", "Ruling"))
    assert [again] == list(pdn_reader.loads(text.replace('[Variant "test-checkers"]\n', "")))
    start = rules_for(checkers).position(replay.state)
    [from_there] = pdn_reader.loads(
        pdn_writer.dumps(replace(game, start=start, steps=(), over=False, winner=None, reason=None))
    )
    assert start == from_there.start


UNNUMBERED = {
    'numbered_from = "left"\nnumbered_side = "second"\nnotation = "numbers"\n': "",
    'game_type = "27,W,12,12,N2,0"\n': "",
}


def test_a_file_named_k() -> None:
    """On boards of eleven files and more, a small k is the file and K a king."""
    rules = rules_from(file("canadian"))
    start = rules.position(rules.start())
    assert start == rules.position(rules.start(start))
    for text, expected in (
        ("W:Wk1:Bb12", "W:W72:B1"),
        ("W:Wk1:Bl12,b8", "W:W72:B6,25"),
        ("W:WKk1:Bb8", "W:WK72:B25"),
        ("W:Wkk1,ka1:Bb8", "W:WK67,K72:B25"),
        ("W:WK67:BK6", "W:WK67:BK6"),
        ("W:Wk3:BK6", "W:W60:BK6"),
    ):
        assert expected == rules.position(rules.start(text))
    with pytest.raises(BadPosition, match="Black on 72 would be a king"):
        rules.start("W:Wa1:Bk1")
    names = rules_from(file("canadian", **UNNUMBERED))
    assert names.position(names.start("W:WK1:Bb8")) == "W:Wk1:Bb8"


def test_other_names() -> None:
    """A file may say under which other names people look for its game."""
    assert {"Internacional", "Dammen"} < set(variants.load("international").tables.aliases)
    assert [] == variants.load("pinoy").tables.aliases


def test_endgame_files_that_were_made_stay_good() -> None:
    """Keys that files have come to have change nothing about the tables of the games that do not use them."""
    shipped = ("spanish", "pinoy", "americanas", "tama")
    made = {"spanish": "ef1333e2", "pinoy": "4bec0a90", "americanas": "549cdd30", "tama": "333cde6b"}
    rules = {name: rules_for(name) for name in shipped}
    assert made == {
        name: fingerprint(each.tables)[:8] for name, each in rules.items() if isinstance(each, DraughtsRules)
    }
