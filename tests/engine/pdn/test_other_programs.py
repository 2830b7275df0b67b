from __future__ import annotations

from random import Random

import pytest

from bot.engine.pdn import pdn_reader, pdn_writer
from bot.engine.registry import rules_for
from bot.engine.ruleset import Ruleset, shipped
from bot.engine.transcript import Transcript, TranscriptError
from tests.support.engine import mutated_pdn
from tests.support.thoroughness import THOROUGH

SPANISH = '[GameType "24"]\n'


def one(text: str, variant: str = "") -> Transcript:
    """The only game of a file."""
    (game,) = pdn_reader.loads(text, variant)
    return game


def texts(game: Transcript) -> list[str]:
    """What was done, in the order of the record: moves by their squares, ends by their kind."""
    return [step.text or step.kind for step in game.steps]


@pytest.mark.parametrize(
    "text",
    [
        '% a comment\n[GameType "24"]\n% [Event "x"]\n1. 10-14 % another\n23-20 *',
        SPANISH + "1. 10 - 14 23- 20 *",
        SPANISH + "1. 10-14 1. ... 23-20 *",
        SPANISH + "1. 10-14 ! 23-20 (?!) *",
        SPANISH + "1. 1014 2320 *",
        SPANISH + '/FEN "W:W1-12:B21-32"/ 1. 10-14 23-20 *',
        '[GameType "24"]\n[FEN "?:B21-32:W1-12."]\n1. 10-14 23-20 *',
        '[GameType "24"]\n[Variant "Spanish"]\n1. 10-14 23-20 *',
        '[White-Elo "1900"]\n[GameType "24,W,8,8,N1,1"]\n1.10-14 23-20 *\x1a',
        '[GameType "24,W,8,8,N2,1"]\n1. 23-19 10-13 *',
        "1. 10-14 23-20 *",
        # A large site says one numbering and uses the usual one.
        '[GameType "24,W,8,8,N0,0"]\n1. 10-14 23-20 *',
        "{Before the tags}\n" + SPANISH + "1. 10-14 {who} 23\N{EN DASH}20",
        SPANISH + "1. f3-e4 c6b5 *",
        SPANISH + "1. 10x14 23x20 *",
    ],
)
def test_one_game_in_many_hands(text: str) -> None:
    """Comments of lines, blanks and marks in and behind moves, dots for the other's move, set-ups, other numbers: all
    are read as the same two moves."""
    assert ["f3-e4", "c6-b5"] == texts(one(text, "spanish"))


@pytest.mark.parametrize(
    ("result", "end", "last", "winner"),
    [
        ("1-0", "*", "resign", 0),
        ("0-2", "", "resign", 1),
        ("1/2-1/2", "*", "draw", None),
        ("?", "1-1", "draw", None),
        ("*", "0-1", "resign", 1),
        ("0-0", "0-0", "abort", None),
    ],
)
def test_the_result_is_told_by_tag_or_end(result: str, end: str, last: str, winner: int | None) -> None:
    """PDN 3.0 ends a game with an asterisk and tells the result in its tag; others do it the other way round."""
    game = one(f'{SPANISH}[Result "{result}"]\n1. 10-14 {end}')
    assert ([("f3-e4"), last], winner) == (texts(game), game.winner)


@pytest.mark.parametrize(("result", "winner"), [("1-0", "Black"), ("0-1", "White")])
def test_in_results_who_begins_is_first(result: str, winner: str) -> None:
    """Books and bases of checkers, in which Black begins, say 1-0 where Black wins."""
    game = one(f'[Event "A shot"]\n[Result "{result}"]\n1. 11-15 23-19 {{{winner} wins}} {result}', "english")
    assert game.winner is not None
    assert winner == rules_for("english").seats[game.winner].name
    assert f'[Result "{result}"]' in pdn_writer.dumps(game)


def test_time_forfeit_is_a_loss_on_time() -> None:
    """The tag Termination may say so."""
    game = one(f'{SPANISH}[Result "1-0"]\n[Termination "time forfeit"]\n1. 10-14 *')
    assert ["f3-e4", "timeout"] == texts(game)


@pytest.mark.parametrize(
    ("words", "moves", "rest"),
    [
        ("1. 10-14 23-20 2. - - 22-19", ["f3-e4", "c6-b5"], "- - 22-19"),
        ('1. 10-14 /FEN "W:W1-12:B21-32"/ 9-13', ["f3-e4"], '/FEN "W:W1-12:B21-32"/ 9-13'),
        ("1. ... 23-20", [], "... 23-20"),
    ],
)
def test_what_cannot_be_followed_is_kept_beside(words: str, moves: list[str], rest: str) -> None:
    """Unknown moves and positions set up in the middle end the line; the result stands, the rest is in a tag."""
    game = one(f'{SPANISH}[Result "0-1"]\n{words} *')
    assert ([*moves, "resign"], 1, rest) == (texts(game), game.winner, game.tags["PlayedOn"])


FORK = '[Variant "spanish"]\n[FEN "W:WKf1,d5:Bb7,c4,c6,e4,e6"]\n1. f1xb1 {rest} *'
"""White takes four pieces on the way from f1 to b1, with b7 or c6 among them."""


@pytest.mark.parametrize(("rest", "meant"), [("b7-a6", "f1xb5xd7xf5xb1"), ("c6xe4", "f1xa6xc8xf5xb1")])
def test_a_capture_in_short_is_what_the_rest_bears_out(rest: str, meant: str) -> None:
    """Many programs name first and last square only; which pieces left, later moves tell."""
    assert [meant, rest] == texts(one(FORK.format(rest=rest)))


def test_a_capture_in_short_that_nothing_bears_out() -> None:
    """Where several go with the rest they are told, but at the end of a game, whose result stands without the move;
    where none does, what goes wrong last is told."""
    with pytest.raises(TranscriptError, match="column 4: entry 1, 'f7xh5': more than one move fits"):
        one('[Variant "spanish"]\n[FEN "W:WKf7:Bb3,d3,e4,e6,g4"]\n1. f7xh5 b3-a2 *')
    with pytest.raises(TranscriptError, match="column 10: entry 2, 'e6-d5'"):
        one(FORK.format(rest="e6-d5"))
    for end, steps, winner in (("1-0", ["resign"], 0), ("1/2-1/2", ["draw"], None), ("*", [], None)):
        game = one(FORK.format(rest="").replace("*", end))
        assert (steps, winner, "f1xb1") == (texts(game), game.winner, game.tags["PlayedOn"])


def test_dots_after_which_nothing_comes_are_no_moves() -> None:
    """A game that was broken off before the first player's move may be written with the dots of the move before."""
    game = one(f"{SPANISH}1. d3-e4 c6-b5 2. ... *")
    assert ["d3-e4", "c6-b5"] == texts(game)
    assert "PlayedOn" not in game.tags


def test_not_all_readings_of_a_file_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdn_reader, "_MOST_READINGS", 1)

    with pytest.raises(TranscriptError, match="more than one move fits"):
        one(FORK.format(rest="b7-a6"))


def test_players_play_on_where_the_rules_draw() -> None:
    """One king against one is drawn by itself. That they went on is kept; where the file knows a winner, the loser
    resigned before the move that drew."""
    begun = '[Variant "americanas"]\n[FEN "W:WKa1:Bd4,Kh2"]\n[Result "{result}"]\n'
    moves = "1. a1xg7 h2-g1 2. g7-h8 *"
    drawn = one(begun.format(result="1/2-1/2") + moves)
    assert (["a1xg7"], None, "h2-g1 g7-h8") == (texts(drawn), drawn.winner, drawn.tags["PlayedOn"])
    assert "one king against one" == drawn.reason
    won = one(begun.format(result="1-0") + moves)
    assert (["resign"], 0, "a1xg7 h2-g1 g7-h8") == (texts(won), won.winner, won.tags["PlayedOn"])
    again = list(pdn_reader.loads(pdn_writer.write([drawn, won])))
    assert [drawn.steps, won.steps] == [game.steps for game in again]
    assert [drawn.tags["PlayedOn"], won.tags["PlayedOn"]] == [game.tags["PlayedOn"] for game in again]


def test_a_range_of_kings() -> None:
    """The K goes with the whole range (PDN 3.0, FEN)."""
    assert "W:WKd1,Kf1,Kh1:Be8" == one(f'{SPANISH}[FEN "W:WK1-3:B30"]\n*').start


def test_clocks_of_others() -> None:
    """A clock may be one's own, or both with their colours' letters; a number of a player is no id of ours."""
    game = one('[GameType "24"]\n[WhiteId "abc"]\n1. 10-14 {[%clock w1:00:10 B0:00:05]} 23-20 {[%clk 0:49:11]} *')
    assert [3_610_000, 2_951_000] == [step.left for step in game.steps]
    assert ((None, None), "abc") == (game.players, game.tags["WhiteId"])


@pytest.mark.parametrize(
    ("encoding", "event"),
    [("cp1251", "Чемпионат Ёлки"), ("cp1252", "Bertè, Gérard 40°"), ("utf-8", "Кубок è"), ("utf-16", "Кубок è")],
)
def test_letters_of_east_and_west(encoding: str, event: str) -> None:
    text = pdn_reader.decoded(f'[Event "{event}"]\n{SPANISH}1. 10-14 *'.encode(encoding))

    assert event == one(text).tags["Event"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(end: str) -> None:
    text = SPANISH + "1. 10-14 ; a comment\n23-20 % another\n2. 1-32 *"

    with pytest.raises(TranscriptError, match="line 4, column 4"):
        one(text.replace("\n", end))


def test_tags_in_italian() -> None:
    game = one('[GameType "22"]\n[Bianco "A"]\n[Nero "B"]\n[Risultato "1-0"]\n1. 21-17 12-15')

    assert ("A", "B", 0) == (game.tags["White"], game.tags["Black"], game.winner)


def test_one_bad_game_holds_up_no_other() -> None:
    """Each of the bad ones is named with its line and column, whatever is wrong with it."""
    good = SPANISH + "1. 10-14 *\n\n"
    bad = ["1. 10-15 *\n\n", "1. 10-14 {open\n\n", "1. 10-14 (1. 9-13\n\n", "1. 10-14 . *\n\n", "1. 10-14 } *\n\n"]
    found = list(pdn_reader.read(good + "".join(SPANISH + words + good for words in bad)))
    wrong = [game for game in found if isinstance(game, TranscriptError)]
    assert (len(bad) + 1, len(bad)) == (len(found) - len(wrong), len(wrong))
    assert "line 5, column 4: entry 1, '10-15'" in str(wrong[0])
    assert ["a comment is not closed", "a variation is not closed"] == [error.why for error in wrong[1:3]]


def test_a_header_that_is_wrong_spoils_its_own_game() -> None:
    """Its moves are not taken for those of a game without tags."""
    found = list(pdn_reader.read(f'[Variant pinoy]\n[Event "x"]\n\n1. c3-d4 *\n\n{SPANISH}1. 10-14 *'))
    assert [TranscriptError, Transcript] == [type(game) for game in found]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[GameType "24,W,10,10,N1,1"]\n1. 10-14 *', "played on a board of 8x8"),
        ('[GameType "49"]\n[Event "x"]\n*', "the game type 49 is not played here"),
        (SPANISH + "1. 10-14 4-6\n", "entry 2, '4-6'"),
        (SPANISH + "1. 10-99 *", "there is no square 99"),
        (SPANISH + '[Result "4-6"]\n1. 10-14 23-20 4-6', "the result '4-6' names no winner and no draw"),
        (SPANISH + "1. 10x15 *", "entry 1, '10x15'"),
        (SPANISH + '[FEN "B::."]\n*', "a FEN names the pieces of both sides"),
        (SPANISH + '[FEN "X:W1:B32"]\n*', "a FEN begins with W, B or ?"),
        (SPANISH + '[FEN "W:W1-99:B32"]\n*', "'1-99' is not a square"),
    ],
)
def test_what_is_refused(text: str, why: str) -> None:
    """With the reason in its own terms."""
    with pytest.raises(TranscriptError, match=why):
        list(pdn_reader.loads(text))


@pytest.mark.parametrize("kind", mutated_pdn.kinds())
def test_files_with_faults(kind: str) -> None:
    """Games are read or named with their line, and what is read can be written and read again."""
    text, lots = mutated_pdn.kinds()[kind], Random(7)
    assert 0 < sum(sum(mutated_pdn.check(mutated_pdn.mutated(text, lots)).values()) for _ in range(15 * THOROUGH))


def test_a_servers_own_game_is_no_game_type() -> None:
    """A game whose rules a server has changed is not written as the type of the game that they were copied from."""
    text = shipped("spanish").text.replace('reach = "long"', 'reach = "short"')
    own = Transcript(variant_id="house@1", rules=text, options={}, start=None, steps=(), over=False)
    assert "GameType" not in pdn_writer.dumps(own)
    assert f'[Rules "{Ruleset("house@1", text).hash}"]' in pdn_writer.dumps(own)


def test_a_servers_own_game_is_read_by_its_rules() -> None:
    """They are found by their fingerprint, and only for games of servers' own: nobody makes another Spanish draughts of
    them."""
    rules = Ruleset("house@1", shipped("spanish").text.replace('reach = "long"', 'reach = "short"'))
    start = "W:WKb1:Ba8"
    text = f'[Variant "{{name}}"]\n[Rules "{rules.hash}"]\n[FEN "{start}"]\n1. {{move}} *'
    assert {rules.hash} == pdn_reader.rules_named(text)
    (own,) = pdn_reader.loads(text.format(name="house@1", move="b1-c2"), texts={rules.hash: rules.text})
    assert (rules.text, "house@1") == (own.rules, own.variant_id)
    (shipped_one,) = pdn_reader.loads(text.format(name="spanish", move="b1-e4"), texts={rules.hash: rules.text})
    assert shipped_one.rules is None
    for texts in ({}, {"": "name = 3"}):
        with pytest.raises(TranscriptError, match=r"line 1, column 1: .*house@1|name"):
            list(pdn_reader.loads(text.format(name="house@1", move="b1-c2"), texts=texts))
    with pytest.raises(TranscriptError, match="entry 1, 'b1-e4'"):
        list(pdn_reader.loads(text.format(name="house@1", move="b1-e4"), texts={"": rules.text}))


def test_shipped_rules_have_no_fingerprint() -> None:
    """They are known by their id."""
    own = Transcript(variant_id="spanish", options={}, start=None, steps=(), over=False)
    assert "Rules" not in pdn_writer.dumps(own)
    assert "GameType" in pdn_writer.dumps(own)


@pytest.mark.parametrize(
    "huff", ["soplar d4", "huff d4", "Soplo  d4", "soplar\nd4", "sopla, d4.", "soplar: d4", "soplar"]
)
def test_a_huff_between_moves_is_one_turn(huff: str) -> None:
    """With its square, and no move is made up of that; without one where only one piece can be huffed. Another square
    is refused as where it is typed."""
    game = '[Variant "americanas"]\n[Result "1-0"]\n1. c3-d4 b6-c5 2. g3-h4 {} 3. a7-b6 1-0'
    try:
        read = one(game.format(huff))
    except TranscriptError as error:
        raise AssertionError(str(error)) from error
    assert ["c3-d4", "b6-c5", "g3-h4", "soplar d4", "a7-b6", "resign"] == texts(read)
    with pytest.raises(TranscriptError, match="entry 4, 'soplar c3': c3 could not have captured; you may huff d4"):
        one(game.format("soplar c3"))
    with pytest.raises(TranscriptError, match="entry 5, 'd4': a move says from which square it goes, and to which"):
        one(game.format("soplar {that one} d4"))


def test_a_huff_without_a_square_before_a_capture() -> None:
    """The capture's first square is not the huff's; which piece is huffed, it tells."""
    text = '[Variant "americanas"]\n[FEN "W:Wc3,e3,h2:Ba7,d4,h8"]\n1. h2-g3 {} d4xb2 *'
    for huff in ("soplar e3", "soplar"):
        assert ["h2-g3", "soplar e3", "d4xb2"] == texts(one(text.format(huff)))


def test_letters_of_a_file_without_a_game_type() -> None:
    """They are those that the game is shown with here; or, where these make no sense, those of its type."""
    text = '[Variant "jamaican"]\n[Result "2-0"]\n1. {} 2-0'
    assert ["b3-c4", "resign"] == texts(one(text.format("b3-c4"))) == texts(one(text.format("g3-f4")))
    typed = '[GameType "23,W,8,8,A1,1"]\n' + text
    assert ["b3-c4", "resign"] == texts(one(typed.format("g3-f4")))
    with pytest.raises(TranscriptError, match="is not used in this game"):
        one(typed.format("b3-c4"))
