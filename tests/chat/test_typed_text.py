from __future__ import annotations

import pytest

from bot.chat import typed_text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("c3-d4", "c3-d4"),
        ("  c3   d4 ", "c3 d4"),
        ("`c3-d4`", "c3-d4"),
        ("**c3-d4!**", "c3-d4"),
        ("c3\u2013d4", "c3-d4"),
        ("c3\u00d7e5", "c3xe5"),
        ("c3-d4 ?!", "c3-d4"),
        ("||c3-d4||", "c3-d4"),
        ("31|26", "31 26"),
        ("c3\u200b-d4.", "c3-d4"),
    ],
)
def test_marks_and_typography_do_not_matter(text: str, cleaned: str) -> None:
    """A move in code marks, with a typographic dash or a proud exclamation mark is the move."""
    assert cleaned == typed_text.clean(text)


def test_a_mention_is_not_part_of_the_move() -> None:
    """The bot's mention may stand before or behind the move."""
    assert "c3-d4" == typed_text.without_mention("<@42> c3-d4", 42)
    assert "c3-d4" == typed_text.without_mention("c3-d4 <@!42>", 42)
    assert "<@43> c3-d4" == typed_text.without_mention("<@43> c3-d4", 42)


@pytest.mark.parametrize(
    "text",
    [
        "<@42>, captures",
        "<@42>: captures",
        "captures, <@42>",
        "<@42> \u2014 captures",
        "<@42> - captures",
        "captures \u2013 <@42>",
        "<@42>- captures",
        "captures, - <@42>",
        "<@42>. captures",
        "<@42>! captures",
        "<@42>!captures",
        "<@42>.captures",
        "<@42> . captures",
        "<@42>\u2026 captures",
        "<@42>. <@42>: captures",
    ],
)
def test_marks_beside_a_mention_belong_to_it(text: str) -> None:
    """Who calls the bot as people call each other is understood: "@Damero, captures"."""
    assert "captures" == typed_text.without_mention(text, 42)


@pytest.mark.parametrize(
    "text", ["c3-d4", "C3 D4", "c3xe5xg7", "d4", "22-18", "soplar c3", "huff c3", "oblige", "obligo"]
)
def test_what_looks_like_a_move_is_worth_reading(text: str) -> None:
    """All forms that players type pass the sieve for plain messages."""
    assert typed_text.may_be_move(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "12",
        "18",
        "see you at 9",
        "nice move",
        "c3-d4 was better",
        "g",
        "ok",
        "d4?? no way " * 20,
        "soplara",
    ],
)
def test_talk_is_not_worth_reading(text: str) -> None:
    """Talk, and a number alone, is sieved out before anything is looked up."""
    assert not typed_text.may_be_move(typed_text.clean(text))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("what about c3-d4 ?", ["c3-d4"]),
        ("c3xe5xg7, or 22-17?", ["c3xe5xg7", "22-17"]),
        ("I would huff: soplar d4", ["soplar d4"]),
        ("see you at 9, in room b2", []),
        ("c3 d4", []),
    ],
)
def test_moves_are_found_in_talk(text: str, moves: list[str]) -> None:
    """After the whole text, what names one place after another; a place alone is talk."""
    assert [text, *moves] == typed_text.moves_in(text)
