from __future__ import annotations

import contextlib
import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import transcript, variants
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.engine.registry import rules_for
from bot.engine.transcript import CannotFollow, Replay, Step, Transcript, TranscriptError
from tests.support.thoroughness import THOROUGH

DRAUGHTS = [name for name in variants.names() if variants.load(name).family == "draughts"]
AT = 1_800_000_000_000


def told(replay: Replay, variant: str, options: dict[str, variants.OptionValue] | None = None) -> Transcript:
    """What a replay adds up to, with its steps timed."""
    steps = [replace(step, at=AT + 1000 * n, left=5_000 * n) for n, step in enumerate(replay.steps)]
    return Transcript(
        variant_id=variant,
        options=replay.rules.variant.options,
        start=None,
        steps=tuple(steps),
        over=replay.over,
        winner=replay.winner,
        reason=replay.reason,
        players=(1_234_567_890_123_456_789, None),
        clock="steady",
        began=AT,
        tags={"Event": 'The "club"', "White": "?", "Black": "?", "Site": "?", "Date": "2027.01.15", "Round": "3"},
    )


def played(variant: str, *texts: str, **options: variants.OptionValue) -> Replay:
    replay = Replay(rules_for(variant, options), None)
    for text in texts:
        replay.add(Step("turn", replay.state.seat, text))
    return replay


def random_game(variant: str, lots: random.Random) -> Replay:
    """Turns, huffs, obliges, takebacks, and one of the ends."""
    replay = Replay(rules_for(variant), None)
    for _ in range(lots.randrange(120)):
        if replay.over:
            return replay
        if lots.random() < 0.08 and replay.line:
            replay.add(Step("takeback", lots.randrange(2), str(lots.choice([0, *replay.line[-3:]]))))
            continue
        choices = [*replay.rules.turns(replay.state), *replay.rules.remedies(replay.state) * 3]
        replay.add(Step("turn", replay.state.seat, lots.choice(choices).text))
    end = lots.choice(["resign", "timeout", "draw", "abort", None])
    if not replay.over and end is not None:
        replay.add(Step(end, lots.randrange(2)))  # type: ignore[arg-type]
    return replay


@pytest.mark.parametrize("variant", DRAUGHTS)
@settings(max_examples=10 * THOROUGH)
@given(lots=st.randoms(use_true_random=False))
def test_a_game_survives_pdn_and_json(variant: str, lots: random.Random) -> None:
    """Whatever happened in a game (huffs, obliges, takebacks, ends), writing and reading it gives it back, as PDN and
    as one line of JSON, this to the millisecond."""
    game = told(random_game(variant, lots), variant)
    assert [game] == list(pdn_reader.loads(pdn_writer.dumps(game)))
    game = replace(game, steps=tuple(replace(step, left=123_456_789) for step in game.steps))
    text = transcript.dumps(game)
    assert "\n" not in text
    assert [game] == list(transcript.loads(text))


def test_spanish_draughts_has_its_game_type_and_numbers() -> None:
    """GameType 24, squares numbered from h1; the other games say their name alone."""
    text = pdn_writer.dumps(told(played("spanish", "d3-e4", "c6-d5", "e4xc6"), "spanish"))
    assert '[GameType "24,W,8,8,N1,1"]' in text
    assert '[Variant "spanish"]' in text
    words = re.sub(r"\{[^}]*\}", "", text.split("\n\n")[1]).split()
    rules = rules_for("spanish")
    numbers = rules.board.numbers
    assert f"{numbers[rules.board.index['d3']]}-{numbers[rules.board.index['e4']]}" == words[1]
    for variant in ("pinoy", "americanas", "tama"):
        assert "GameType" not in pdn_writer.dumps(told(Replay(rules_for(variant), None), variant))


def test_captures_by_the_sign_of_the_game() -> None:
    """Where PDN's table has - between the squares of a capture, it is written, and read as a capture."""
    replay = Replay(rules_for("thai"), "B:Wd4,f6,h8:Bc3,h2")
    replay.add(Step("turn", 0, "c3xe5xg7"))
    game = replace(told(replay, "thai"), start=replay.start)
    text = pdn_writer.dumps(game)
    assert "\n1. 22-8 {" in text
    assert [game] == list(pdn_reader.loads(text))
    for written in ("22-15-8", "22x8"):
        assert [game] == list(pdn_reader.loads(text.replace("22-8", written)))


def test_the_mirrored_board_has_no_game_type() -> None:
    """On the squares of the other colour the numbers of the game type would mean other squares."""
    replay = Replay(rules_for("spanish", {"mirror": True}), None)
    text = pdn_writer.dumps(told(replay, "spanish"))
    assert "GameType" not in text
    assert '[Options "mirror=true"]' in text


def test_clocks_are_comments() -> None:
    """What the mover's clock showed stands behind the move, in hours, minutes and seconds."""
    replay = played("pinoy", "c3-d4")
    game = replace(told(replay, "pinoy"), steps=(replace(replay.steps[0], left=601_261_999),))
    assert "c3-d4 {[%clk 167:01:01]}" in pdn_writer.dumps(game)


def test_lines_are_short() -> None:
    """PDN's lines are at most 80 characters, as far as a word allows."""
    lots = random.Random(3)
    text = pdn_writer.dumps(told(random_game("pinoy", lots), "pinoy"))
    assert all(len(line) <= 80 for line in text.split("\n\n")[1].splitlines())


def test_a_start_is_a_fen() -> None:
    """A game from another position has SetUp and FEN, with numbers where the game has them."""
    start = "W:Wd3,Kb1:Be8"
    rules = rules_for("spanish")
    game = replace(told(Replay(rules, start), "spanish"), start=rules.position(rules.start(start)), steps=())
    text = pdn_writer.dumps(game)
    assert '[SetUp "1"]' in text
    assert re.search(r'\[FEN "W:WK\d+,\d+:B\d+"\]', text)
    assert [game] == list(pdn_reader.loads(text))


def test_ranges_in_a_fen() -> None:
    """Other programs write 1-12 for twelve squares."""
    (game,) = pdn_reader.loads('[GameType "24,W,8,8,N1,1"]\n[FEN "B:W1-12:B21-32"]\n*')
    assert game.start is not None
    assert game.start.startswith("B:W")
    assert 24 == game.start.count(",") + 2


FOREIGN = """; from another program
[Event "Open {1}"]
[GameType "24"]
[Result "0-1"]

1. 10-14! $1 (1. 9-13 23-20 (23-19)) 23-20 {good} 2. 9-13?? 0-1
[Event "Second"]
[GameType "24"]
1. 10-14 *
"""


def test_files_of_other_programs() -> None:
    """Without our tags: the game by its type, variations and signs passed over, the loser of the result resigned."""
    first, second = pdn_reader.loads(FOREIGN)
    assert ("turn", "turn", "turn", "resign") == tuple(step.kind for step in first.steps)
    assert 1 == first.winner
    assert "Open {1}" == first.tags["Event"]
    assert not second.over


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('[Event "x"]\n\n1. c3-d4 *', 1, "no tag says which game"),
        ('[GameType "49,W,8,8,A0,0"]\n*', 1, "game type 49 is not played here"),
        ('[Event "x"]\n[Variant "go"]\n*', 2, "there is no variant 'go'"),
        ('[Variant "chinese-checkers"]\n*', 1, ""),
        ('[Variant "pinoy"]\n[Options "kings"]\n*', 2, "name=value"),
        ('[Variant "pinoy"]\n[Options "kings=4"]\n*', 2, "no option 'kings'"),
        ('[Variant "pinoy"]\n[FEN "W:Wz9:B"]\n*', 2, "not a square"),
        ('[Variant "pinoy"]\n[FEN "' + "1-999," * 20_000 + '"]\n*', 2, "too long"),
        ('[Variant "pinoy"]\n[Options "quiet_moves=' + "9" * 5000 + '"]\n*', 2, "10 to 100"),
        ('[Variant "pinoy"]\n\n1. c3-d4 f6-e5\n2. d4-c5 *', 4, "you must capture"),
        ('[Variant "pinoy"]\n\n1. c3-d4 hello *', 3, "entry 2, 'hello'"),
        ('[Variant "pinoy"]\n\n1. c3-d4 (1. a3-b4 *', 3, "variation is not closed"),
        ('[Variant "pinoy"]\n\n1. c3-d4 ) *', 3, "closes nothing"),
        ('[Variant "pinoy"]\n\n1. c3-d4 {to be\ncontinued', 3, "comment is not closed"),
        ("[Variant pinoy]\n\n1. c3-d4 *", 1, "a tag is written"),
        ('[Variant "pinoy"]\n[Result "1-0"]\n\n1. c3-d4 0-1', 2, "the game ends with 0-1 (line 4)"),
        ('[Variant "pinoy"]\n[Began "999999999999999"]\n*', 2, "Began: 999999999999999 is too large"),
        ('[Variant "pinoy"]\n1. c3-d4 {[%aside back:7:B]} *', 2, "no turn '7'"),
        ('[Variant "pinoy"]\n1. c3-d4 {[%aside resign:B]} f6-e5 1-0', 2, "the game is over"),
        ('[Variant "pinoy"]\n1. c3-d4 {[%aside resign:B]} 0-1', 2, "but by its moves: Black resigned"),
    ],
)
def test_a_bad_file_says_where_and_what(text: str, line: int, why: str) -> None:
    """The line, and what is wrong there."""
    with pytest.raises(TranscriptError) as caught:
        list(pdn_reader.loads(text))
    assert line == caught.value.line
    assert why in caught.value.why


@pytest.mark.parametrize("comment", ["[%aside " * 100_000, "[%" + "a" * 100_000, "[%aside" + " " * 100_000])
def test_comments_are_read_in_one_pass(comment: str) -> None:
    """Long comments that never close a command are passed over, in a time that grows with their length alone."""
    [game] = pdn_reader.loads(f'[Variant "pinoy"]\n1. c3-d4 {{{comment}}} *')
    assert ["c3-d4"] == [step.text for step in game.steps]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": "other"}, "this is not a game"),
        ({"variant": "go"}, "no variant 'go'"),
        ({"variant": 7}, "variant: a text is needed"),
        ({"options": {"removal": None}}, "options: their values"),
        ({"options": {"kings": 3}}, "no option 'kings'"),
        ({"start": "W:"}, "position"),
        ({"record": [{"kind": "turn", "seat": 0, "text": "a1-a2"}]}, "record, entry 1:"),
        ({"record": [{"kind": "turn", "seat": 1, "text": "c3-d4"}]}, "White is to move"),
        ({"record": [{"kind": "jump", "seat": 0}]}, "kind: one of turn"),
        ({"record": [{"kind": "turn", "seat": True, "text": "c3-d4"}]}, "seat: a whole number"),
        ({"record": [{"kind": "resign", "seat": 9}]}, "there is no seat 9"),
        ({"record": [{"kind": "draw", "seat": 0}, {"kind": "draw", "seat": 0}]}, "entry 2: the game is over"),
        ({"result": {"winner": 0, "reason": "x"}}, "is not over"),
        ({"players": [{"id": "x1"}, {}]}, "not an id"),
        ({"players": [{}]}, "this game has 2"),
        ({"began": 1 << 70}, "too large"),
        ({"began": 1 << 50}, "began: this is no time"),
        ({"began": -1}, "began: this is no time"),
        ({"record": [{"kind": "resign", "seat": 0, "at": 1 << 50}]}, "entry 1: this is no time"),
        ({"players": [{"id": "0" * 20 + "9" * 20}, {}]}, "not an id"),
        ({"tags": {"White": "\ud800"}}, "half of a character"),
    ],
)
def test_a_bad_line_of_json_says_where_and_what(change: dict[str, object], why: str) -> None:
    """The line of the object, the key, and what is wrong."""
    good = json.loads(transcript.dumps(told(played("pinoy", "c3-d4"), "pinoy")))
    text = "\n".join([json.dumps(good), "", json.dumps(good | change)])
    with pytest.raises(TranscriptError) as caught:
        list(transcript.loads(text))
    assert 3 == caught.value.line
    assert why in caught.value.why


@given(st.text(max_size=200) | st.from_regex(r'(\[Variant "pinoy"\])?[ 1-9a-h\-x.{}()%\[\]"*\n]{0,80}'))
def test_no_text_breaks_the_readers(text: str) -> None:
    """Any text is either games or an error with a line."""
    for read in (pdn_reader.loads, transcript.loads):
        with contextlib.suppress(TranscriptError):
            list(read(text))


def test_a_takeback_goes_back_to_turns_that_stand() -> None:
    """Entry 2 was taken back by entry 3: nobody returns to it."""
    replay = played("pinoy", "c3-d4", "f6-g5")
    replay.add(Step("takeback", 1, "1"))
    with pytest.raises(CannotFollow):
        replay.add(Step("takeback", 0, "2"))
