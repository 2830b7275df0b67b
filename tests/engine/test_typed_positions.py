"""Positions as people say them: words in several languages, first moves, handicaps; and what no game can begin from."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import typed_positions
from bot.engine.errors import BadPosition
from bot.engine.registry import rules_for
from bot.engine.rules import Rules
from bot.engine.ruleset import names
from bot.i18n import LANGUAGES, said, speaking


def read(game: str, text: str) -> str:
    """The position string of what a text says."""
    rules = rules_for(game)
    return rules.position(typed_positions.read(rules, text))


@pytest.mark.parametrize(
    ("game", "text", "means"),
    [
        ("pinoy", "W:Wc3,e3,Kd4:Bb8", "W:Wc3,Kd4,e3:Bb8"),
        ("pinoy", '[FEN "B:W1-3,K9:B30-32"]', "B:Wa1,Ka3,c1,e1:Bd8,f8,h8"),
        ("pinoy", "`W:Wc3:Bb8`", "W:Wc3:Bb8"),
        ("pinoy", "white: men c3 e3, king d4; black: b8; white to move", "W:Wc3,Kd4,e3:Bb8"),
        ("pinoy", "Blancas: peones c3 y e3, dama d4; negras: b8; juegan blancas", "W:Wc3,Kd4,e3:Bb8"),
        ("pinoy", "Puti: mga pitsa c3 at e3, dama d4; itim: b8; puti ang titira", "W:Wc3,Kd4,e3:Bb8"),
        ("pinoy", "titira: itim. Puti: hari b8; itim: piyesa h8", "B:WKb8:Bh8"),
        ("pinoy", "las negras juegan. Blancas: c3. Negras: rey b8 y peón d8", "B:Wc3:BKb8,d8"),
        ("pinoy", "Սպիտակներ՝ քարեր c3 և e3, դամկա d4։ Սևեր՝ b8։ Քայլում են սպիտակները։", "W:Wc3,Kd4,e3:Bb8"),
        ("pinoy", "սպիտակ՝ c3; սև՝ դամկա b8; քայլում է սև կողմը", "B:Wc3:BKb8"),
        ("pinoy", "սպիտակ՝ c3, դամկա d4; սև՝ b8; քայլում է սպիտակը", "W:Wc3,Kd4:Bb8"),
        ("pinoy", "քայլում է՝ սև. սպիտակ c3; սև b8", "B:Wc3:Bb8"),
        ("pinoy", "White c3, K d4 black b8 black to move", "B:Wc3,Kd4:Bb8"),
        ("pinoy", "white's turn\nWhite: Kd4\nBlack: b8", "W:WKd4:Bb8"),
        ("pinoy", "white 1-3 k9-10; black: 32; turn: white", "W:Wa1,Ka3,c1,Kc3,e1:Bh8"),
        ("pinoy", "White: men a1, c3. Black: man h6. White (ana) to move.", "W:Wa1,c3:Bh6"),
        ("americanas", "red c3; white king b8; red to move", "W:Wc3:BKb8"),
        ("americanas", "primeras c3; segundas b8; juegan segundas", "B:Wc3:Bb8"),
        ("tama", "white a2; black h7; white plays", "W:Wa2:Bh7"),
        ("chinese-checkers", "S: a1 b1; N: q1 p1; south to move", "1:S=a1,b1:N=p1,q1"),
        ("chinese-checkers", "sur: clavijas a1 b1; norte: q1 p1; juega norte", "2:S=a1,b1:N=p1,q1"),
        ("chinese-checkers", "1:S=a1,b1:N=p1,q1", "1:S=a1,b1:N=p1,q1"),
    ],
)
def test_ways_to_say_it(game: str, text: str, means: str) -> None:
    """A position may be pasted as a string or a tag, or be said in any of the languages, whatever the order."""
    assert read(game, text) == means


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        ("pinoy", "hello", "I do not understand 'hello'"),
        ("pinoy", "", "Name at least one piece"),
        ("pinoy", "white c3; black b8", "Say who is to move"),
        ("pinoy", "c3; white to move", "Say whose piece stands on c3"),
        ("pinoy", "white c3; black c3; white to move", "c3 is named twice"),
        ("pinoy", "white c3 d3; black b8; white to move", "d3 is not used in this game"),
        ("pinoy", "white c3; black a1; white to move", "a man of Black on a1 would be a king"),
        ("pinoy", "white 1-13; black 32; white to move", "White has 13 pieces here, and 12 in the game"),
        ("pinoy", "white a1; black b2 c3; white to move", "the game would be over: White has no legal move"),
        ("pinoy", "white c3; black; white to move", "the game would be over: Black has no piece left"),
        ("pinoy", "W:W9-16:B17-24", "neither side can move"),
        ("americanas", "W:WKa1:BKh8", "the game would be over: one king against one"),
        ("chinese-checkers", "1:S=q1:N=a1", "the game would be over"),
        ("chinese-checkers", "south a1 z9; north q1; south to move", "'z9' is not a hole of the star"),
        ("pinoy", "W" * 3_000, "this position is too long"),
    ],
)
def test_impossible(game: str, text: str, why: str) -> None:
    """What cannot be read, or no game can begin from, is refused with the reason."""
    with pytest.raises(BadPosition) as caught:
        read(game, text)
    assert why in caught.value.message


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_side_of_the_star_has_its_words(language: str) -> None:
    """With six players the pegs of each side, and a handicap, are read by the side's name in every language."""
    rules = rules_for("chinese-checkers", {"players": 6})
    for at, seat in enumerate(rules.seats):
        with speaking(language):
            name = said(seat.name)
        assert typed_positions.state_of(rules, f"{name} i5; {name} to move").seat == at
        assert typed_positions.handicap(rules, f"{name} 2").seat == at


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_shows_how(language: str) -> None:
    """What cannot be read is answered, in each language, with an example of this game, which can be."""
    for game in ("spanish", "tama", "chinese-checkers"):
        with speaking(language), pytest.raises(BadPosition) as caught:
            read(game, "nothing at all")
        string, words, handicap = caught.value.message.split("`")[1::2]
        rules = rules_for(game)
        assert rules.position(typed_positions.state_of(rules, string)) == rules.position(
            typed_positions.state_of(rules, words)
        )
        with speaking(language):
            assert 2 == len(typed_positions.handicap(rules, handicap).places)


@pytest.mark.parametrize("game", names())
def test_every_game(game: str) -> None:
    """In each game positions are read back as they are written, from names and from numbers, and handicaps are told."""
    rules, rng = rules_for(game), Random(7)
    state = rules.start()
    for _ in range(30):
        turns = rules.turns(state)
        if not turns:
            break
        position = rules.position(state)
        assert rules.position(typed_positions.state_of(rules, position)) == position
        assert rules.position(typed_positions.state_of(rules, rules.board.numbered(position))) == position
        state = rules.play(state, rng.choice(turns))
    for seat, side in ((0, "first"), (1, "second")):
        given = typed_positions.handicap(rules, f"{side} 2")
        assert (seat, 2) == (given.seat, len(given.places))
        assert typed_positions.handicap_of(rules, given.state) == given


def test_the_form() -> None:
    """Each side's pieces and who is to move, said apart, are one position."""
    rules = rules_for("spanish")
    state = typed_positions.put_together(rules, ("K1, 2-3", "dama 32 peones 30 31"), "negras")
    assert rules.position(state) == "B:Wd1,f1,Kh1:BKa8,c8,e8"


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("9-13 22-18", "W:Wa1,b2,b4,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c5,c7,d8,e7,f6,f8,g7,h6,h8"),
        ("1. a3-b4 d6-c5", "W:Wa1,b2,b4,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c5,c7,d8,e7,f6,f8,g7,h6,h8"),
        ("W:Wc3:Bh8", "W:Wc3:Bh8"),
    ],
)
def test_openings(text: str, means: str) -> None:
    """An opening is its moves from the set-up, with or without numbers, or a position."""
    rules = rules_for("pinoy")
    assert rules.position(typed_positions.opening(rules, text)) == means


def test_an_opening_that_cannot_be_played() -> None:
    """The move that the rules refuse is named with their reason."""
    with pytest.raises(BadPosition, match="move 2 of this opening, '9-14': a3 is empty"):
        typed_positions.opening(rules_for("pinoy"), "9-13 9-14")


def test_an_opening_is_short() -> None:
    """A whole game is none."""
    with pytest.raises(BadPosition, match="at most 40 moves"):
        typed_positions.opening(rules_for("pinoy"), "9-13 " * 41)


@pytest.mark.parametrize(
    ("game", "text", "seat", "off"),
    [
        ("pinoy", "white 2 men", 0, "a1 c1"),
        ("pinoy", "White gives 2", 0, "a1 c1"),
        ("pinoy", "las negras dan 1 peón", 1, "h8"),
        ("pinoy", "-c1 -e1", 0, "c1 e1"),
        ("pinoy", "-1 -3", 0, "a1 e1"),
        ("pinoy", "black -b8", 1, "b8"),
        ("pinoy", "white without c1", 0, "c1"),
        ("pinoy", "handicap white: 2", 0, "a1 c1"),
        ("tama", "first 2 men", 0, "a2 b2"),
        ("chinese-checkers", "south 2", 0, "a1 b1"),
        ("chinese-checkers", "-q1", 1, "q1"),
    ],
)
def test_handicaps(game: str, text: str, seat: int, off: str) -> None:
    """Pieces are taken off by their squares, or so many of a side from its own edge; the rest stands as ever."""
    rules = rules_for(game)
    given = typed_positions.handicap(rules, text)
    assert typed_positions.is_handicap(rules, text)
    assert (seat, off) == (given.seat, " ".join(rules.board.names[place] for place in given.places))
    there = rules.pieces(rules.start())
    assert rules.pieces(given.state) == {at: piece for at, piece in there.items() if at not in given.places}


@pytest.mark.parametrize("game", names())
def test_a_position_is_no_handicap(game: str) -> None:
    """Nothing that is written as a position, as a string or in words, is taken for a handicap."""
    rules = rules_for(game)
    words = "white: king c3; black: b8; white to move"
    for text in (rules.position(rules.start()), words, "white c3", "blancas 31, negras 20 juegan blancas", "W:W3:B20"):
        assert not typed_positions.is_handicap(rules, text)


def test_pegs_are_counted_on_the_star() -> None:
    """Of a side of the star it is said how many pegs it has."""
    with pytest.raises(BadPosition, match=r"^South has 10 pegs, and must keep one\."):
        typed_positions.handicap(rules_for("chinese-checkers"), "south 10")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2 men", "Say which side begins with fewer."),
        ("white men", "Say which pieces, or how many."),
        ("white 2 -c1", "Say which pieces, or how many, not both."),
        ("c1 b8", "Take pieces off one side alone."),
        ("white 0", "Take at least one piece off."),
        ("a lot", "I do not understand 'a'."),
        ("white 12", "White has 12 pieces, and must keep one."),
        ("white 120", "White has 12 pieces, and must keep one."),
        ("-c5", "No piece stands on c5 at the beginning."),
        ("-c9", "There is no c9 on this board."),
        ("-99", "There is no 99 on this board."),
        ("white 2; black 1", "Take pieces off one side alone."),
        ("white: 2; black: 1", "Take pieces off one side alone."),
        ("white 2 and 3", "Say one number: how many pieces are taken off."),
        ("white minus two", "I do not understand 'two'."),
        ("handicap: 2", "Say which side begins with fewer."),
        ("south 2; north 1", "I do not understand 'south'."),
    ],
)
def test_no_handicaps(text: str, why: str) -> None:
    """What is no handicap is refused with what is wrong, and with how one is written, wherever a position is read."""
    told = f"{why} Write a handicap like `white 2` (that many pieces fewer) or `-a1` (without that piece)."
    readers: list[Callable[[Rules, str], object]] = [typed_positions.handicap]
    if typed_positions.is_handicap(rules_for("pinoy"), text):
        readers += [typed_positions.read, typed_positions.opening]
    for reader in readers:
        with pytest.raises(BadPosition) as caught:
            reader(rules_for("pinoy"), text)
        assert told == caught.value.sentence


def test_two_sides_with_numbers_are_no_position() -> None:
    """Where holes have letters; where squares are numbers, the answer names both that it may be."""
    with pytest.raises(BadPosition, match=r"^Take pieces off one side alone\. Write a handicap like `south 2`"):
        typed_positions.read(rules_for("chinese-checkers"), "south 2; north 1")
    with pytest.raises(BadPosition, match=r"^Say who is to move\. .* white to move`; a handicap like `white 2`"):
        typed_positions.read(rules_for("international"), "white 2; black 1")


@pytest.mark.parametrize(
    ("game", "text", "giver"),
    [
        ("pinoy", "white 2", 0),
        ("pinoy", "-b8", 1),
        ("chinese-checkers", "south 2", 1),
        ("chinese-checkers", "north 1", 0),
        ("poddavki", "white 2", 1),
    ],
)
def test_who_gives_a_handicap(game: str, text: str, giver: int) -> None:
    """The side that has the worse of it: that with more, where fewer have to come home or all are to be lost."""
    assert giver == typed_positions.handicap(rules_for(game), text).giver


_WORDS = st.sampled_from(
    ["white", "negras", "juegan", "to move", "dama", "W:W", ":B", "c3", "K12", "1-9", ";", "2", "x"]
)


@given(st.lists(_WORDS | st.text(max_size=5), max_size=12).map(" ".join))
@settings(max_examples=300)
def test_any_text(text: str) -> None:
    """Any text is a position, an opening, a handicap, or a refusal."""
    for game in ("spanish", "chinese-checkers"):
        rules = rules_for(game)
        for reader in (typed_positions.read, typed_positions.opening, typed_positions.handicap):
            with suppress(BadPosition):
                reader(rules, text)
