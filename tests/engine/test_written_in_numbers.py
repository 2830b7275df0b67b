"""Games whose players call squares by numbers: everything that is written of them is in numbers, and letters are
understood. What is expected stands here as people of these games write it."""

from __future__ import annotations

import re

import pytest

from bot.engine import typed_positions, variants
from bot.engine.errors import BadPosition, MoveError, VariantError
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.engine.registry import rules_for
from bot.engine.rules import State
from bot.engine.transcript import Replay, Step, Transcript, dumps, loads
from bot.engine.variant_tables import DraughtsTables
from bot.presentation.alt_text import alt_text
from bot.presentation.board_scene import ShownPosition, scene_of
from tests.support.engine.shipped import DRAUGHTS

BY_NUMBER = tuple(name for name in DRAUGHTS if rules_for(name).board.by_number)


def after(game: str, *moves: str, position: str | None = None) -> State:
    rules = rules_for(game)
    state = rules.start(position)
    for move in moves:
        state = rules.play(state, rules.read(state, move))
    return state


def texts(game: str, state: State) -> list[str]:
    return [turn.text for turn in rules_for(game).turns(state)]


def refused(game: str, state: State, text: str) -> str:
    with pytest.raises(MoveError) as error:
        rules_for(game).read(state, text)
    return error.value.sentence


def test_who_writes_numbers() -> None:
    """The games whose GameType says N, and those of the same boards that have none; of the five first games none."""
    assert BY_NUMBER == (
        *("antidraughts", "canadian", "english", "frisian", "frysk", "international", "italian", "killer", "pool"),
        *("portuguese", "thai"),
    )
    for name in DRAUGHTS:
        tables = variants.load(name).tables
        assert isinstance(tables, DraughtsTables)
        if tables.pdn.game_type and name != "spanish":
            assert (name in BY_NUMBER) == (",N" in tables.pdn.game_type)


def test_lists_go_by_number() -> None:
    """The moves from the set-up of the international game, as its books list them, and of English draughts."""
    assert texts("international", after("international")) == (
        ["31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30"]
    )
    assert texts("english", after("english")) == ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]


def test_a_game_is_written_in_numbers() -> None:
    """Turns, captures and positions; a capture names every square on which it lands."""
    assert texts("english", after("english", "11-15", "22-18")) == ["15x22"]
    assert texts("international", after("international", "32-28", "19-23")) == ["28x19"]
    state = after("international", position="W:W28,K50:B22,12")
    assert texts("international", state) == ["28x17x8"]
    assert rules_for("international").position(state) == "W:W28,K50:B12,22"
    assert rules_for("canadian").position(after("canadian", position="B:WK1,68:BK72,6")) == "B:WK1,68:B6,K72"


@pytest.mark.parametrize("typed", ["32-28", "32 28", "28", "d4-e5", "d4e5", "D4 E5"])
def test_letters_are_understood(typed: str) -> None:
    """A move may be typed by numbers or by letters, and by its last square where only one piece can go there."""
    position = "W:W32:B5"
    assert rules_for("international").read(after("international", position=position), typed).text == "32-28"


def test_refusals_are_in_numbers() -> None:
    """What is wrong with a move, and how one is typed, also where letters were typed."""
    state = after("english")
    assert refused("english", state, "22-18") == "The piece on 22 is not yours: you play Black."
    assert refused("english", state, "c3-c4") == ("c4 is not used in this game. Type a move such as 9-13.")
    assert refused("english", state, "go") == "I cannot read that as a move. Type a move such as 9-13."
    assert "28x17x8 takes 2 pieces" in refused(
        "international", after("international", position="W:W28:B22,12"), "e5-f6"
    )


@pytest.mark.parametrize("game", BY_NUMBER)
def test_examples_are_of_the_game(game: str) -> None:
    """The move that is shown to who typed none leads from square to square as a man of the game goes; the position that
    is shown can be read."""
    said = refused(game, after(game), "go")
    start, end = re.findall(r"such as ([0-9]+)-([0-9]+)", said)[0]
    rules = rules_for(game)
    own, other = (seat.key for seat in rules.seats)
    lone = f"{own}:{own}{start}:{other}K{len(rules.board.played) // 2 + 3}"
    assert f"{start}-{end}" in texts(game, after(game, position=lone))
    with pytest.raises(BadPosition) as error:
        rules.start("?")
    rules.start(error.value.message.rpartition(" ")[2].rstrip("."))


def test_positions_are_read_and_written() -> None:
    """Ranges, words, letters; a handicap of so many men is no handicap of a square."""
    rules = rules_for("international")
    assert rules.position(rules.start("W:Wd4,Ki1:Bb10,8")) == "W:W32,K50:B1,8"
    state = typed_positions.read(rules, "white: men 31-33, king 50; black: 1 8; black to move")
    assert rules.position(state) == "B:W31,32,33,K50:B1,8"
    with pytest.raises(BadPosition, match="`W:W46:B16,K17`, or like `white: 46; black: 16, king 17"):
        typed_positions.read(rules, "white: 31; black: 1")
    assert len(typed_positions.handicap(rules, "white 2").places) == 2
    [off] = typed_positions.handicap(rules, "-46").places
    assert rules.board.names[off] == "46"


@pytest.mark.parametrize("game", BY_NUMBER)
def test_games_are_read_again(game: str) -> None:
    """A game from a position, as PDN and as JSON, which have its moves in numbers; with letters it is the same game."""
    rules = rules_for(game)
    begun = after(game, texts(game, after(game))[0])
    replay = Replay(rules, rules.position(begun))
    for _ in range(6):
        replay.add(Step("turn", replay.state.seat, rules.turns(replay.state)[-1].text))
    written = Transcript(
        variant_id=game, options=rules.variant.options, start=replay.start, steps=tuple(replay.steps), over=False
    )
    pdn = pdn_writer.dumps(written)
    moves = pdn.split("\n\n")[1]
    assert re.findall("[a-w][0-9]", moves) == []
    [again] = pdn_reader.loads(pdn)
    assert [step.text for step in again.steps] == [step.text for step in replay.steps]
    assert again.start == replay.start
    [from_json] = loads(dumps(written))
    assert from_json.steps == written.steps
    letters = [f"{chr(ord('a') + x)}{y + 1}" for x, y in rules.board.places]
    in_letters = [Step("turn", step.seat, rules.board.renamed(step.text, letters.__getitem__)) for step in replay.steps]
    older = Replay(rules, rules.board.renamed(rules.position(begun), letters.__getitem__))
    for step in in_letters:
        older.add(step)
    assert older.steps == replay.steps


def test_what_is_seen_and_heard() -> None:
    """The picture has the numbers in its squares and no letters beside them; its description has numbers."""
    rules = rules_for("english")
    shown = ShownPosition(rules, after("english", "c3-d4"))
    scene = scene_of(shown, ())
    assert (len(scene.numbers), scene.names) == (32, False)
    assert ((2, 2), 11) in scene.numbers
    words = alt_text(shown)
    assert "Black 11-15." in words
    assert "men 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15." in words
    letters = rules_for("russian")
    scene = scene_of(ShownPosition(letters, letters.start()), ())
    assert (scene.numbers, scene.names) == ((), True)


def test_a_file_says_from_where() -> None:
    """Numbers need to begin somewhere."""
    text = variants.load("turkish").ruleset.text.replace("[board]\n", '[board]\nnotation = "numbers"\n')
    with pytest.raises(VariantError, match=r"board\.notation: needs numbered_from too"):
        variants.read(text, "mine.toml")
