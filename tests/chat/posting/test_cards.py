from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from simcord.components import validate_message_state, walk_components

from bot.chat.components import ActionButton, GameAction
from bot.chat.posting.cards import LONGEST, MOST, ButtonRow, Card, Divider, Gallery, Part, Section
from bot.chat.posting.picture_files import TOLD, Picture
from tests.support.discord import openapi

CARDS = 1 << 15
PNG = Picture("board.png", b"png", "White: men a1")


def button(number: int) -> ActionButton:
    return ActionButton.of(GameAction("move", number, 0), f"Button {number}")


@dataclass
class Posted:
    """The request that posts a message."""

    json: dict[str, Any]
    method: str = "POST"
    path: str = "/channels/1465/messages"
    params: dict[str, Any] = field(default_factory=dict)


def sent(card: Card) -> list[dict[str, Any]]:
    """The components that Discord gets, once it has found nothing wrong with them."""
    components: list[dict[str, Any]] = card.view().to_components()  # type: ignore[no-untyped-call]
    files = [file.to_dict(number) for number, file in enumerate(card.files())]
    validate_message_state(components, flags=CARDS, content=None, embeds=[])
    if (contract := openapi.contract()) is not None:
        assert [] == contract.problems([Posted({"components": components, "flags": CARDS, "attachments": files})])
    return list(walk_components(components))


def texts(card: Card) -> list[str]:
    return [part["content"] for part in sent(card) if part["type"] == 10]


async def test_a_card_is_laid_out_in_its_order() -> None:
    """Words, a button beside words, a picture with its alt text, a line and a row of buttons, beside the colour."""
    card = Card(
        ["one", Section("two", button(1)), Gallery([PNG]), Divider(), ButtonRow([button(2), button(3)])], 0xB07E55
    )
    box, *parts = sent(card)
    assert (17, 0xB07E55) == (box["type"], box["accent_color"])
    assert [10, 9, 10, 2, 12, 14, 1, 2, 2] == [part["type"] for part in parts]
    (item,) = parts[4]["items"]
    assert ("attachment://board.png", "White: men a1") == (item["media"]["url"], item["description"])
    assert ["board.png"] == [file.filename for file in card.files()]


async def test_a_card_as_an_ordinary_message() -> None:
    """The same words, buttons and files."""
    text, view, files = Card(["one", Section("two", button(1)), Gallery([PNG]), ButtonRow([button(2)])]).plain()
    assert "one\ntwo" == text
    assert ["damero:move:1:0", "damero:move:2:0"] == [getattr(item, "custom_id", "") for item in view.children]
    assert ["White: men a1"] == [file.description for file in files]


async def test_pictures_written_out() -> None:
    """What a picture shows stands below it; without pictures nothing is left of them."""
    card = Card(["one", Gallery([PNG, PNG]), "two"])
    assert ["one", "White: men a1\nWhite: men a1", "two"] == texts(card.written_out())
    assert ["one", "two"] == texts(card.without_pictures())
    assert [] == card.without_pictures().files()


@pytest.mark.parametrize("lengths", [(LONGEST,), (1000, 3000), (3999, 1), (1, 2, 3)])
async def test_words_that_fit_are_not_cut(lengths: tuple[int, ...]) -> None:
    """Up to 4,000 characters in all."""
    assert list(lengths) == [len(text) for text in texts(Card(["x" * length for length in lengths]))]


@pytest.mark.parametrize("count", [(81,), (79, 2), (60, 60, 60), (4,) * 25])
@pytest.mark.parametrize("in_section", [True, False])
async def test_too_many_words_are_cut_with_a_sentence(count: tuple[int, ...], in_section: bool) -> None:
    """At a line's end, once, and what follows is left out; buttons and pictures stay."""
    lines = ["\n".join(["x" * 49] * each) for each in (*count[:-1], count[-1] + 10)]
    parts: list[Part] = [*lines[:-1], Section(lines[-1], button(1)) if in_section else lines[-1]]
    card = Card([*parts, Gallery([PNG]), ButtonRow([button(2)])])
    shown = texts(card)
    assert "-# Not everything fits in one message." == shown[-1].rpartition("\n")[2]
    cut = [line for text in shown for line in text.split("\n")][:-1]
    assert set(cut) == {"x" * 49}
    assert 70 <= len(cut) <= 80
    assert 1 == sum(part["type"] == 12 for part in sent(card))
    assert 1 + in_section == sum(part["type"] == 2 for part in sent(card))


async def test_one_long_line_is_cut_within() -> None:
    """Where no line ends, something is better than nothing."""
    (text,) = texts(Card(["y" * 5000]))
    assert text.startswith("y" * 3900)


async def test_no_card_has_more_parts_than_discord_takes() -> None:
    """What is too much is left out, never refused: 40 components, ten pictures."""
    sections: list[Part] = [Section(str(number), button(number)) for number in range(30)]
    assert MOST >= len(sent(Card(sections)))
    pictures = [Picture(f"{number}.png", b"png", str(number)) for number in range(12)]
    card = Card([Gallery(pictures[:7]), Gallery(pictures[7:]), Gallery(pictures[11:])])
    assert [7, 3] == [len(part["items"]) for part in sent(card) if part["type"] == 12]
    assert 10 == len(card.files())


@pytest.mark.parametrize(("text", "described"), [("told", TOLD), ("line\n" * (LONGEST // 5 + 1), PNG.words)])
def test_a_picture_is_described_once(text: str, described: str) -> None:
    """Where a card's words tell what a picture shows, its description does not do so again; where they are cut, it
    does."""
    card = Card([text, Gallery([PNG], told=True)])
    assert [described] == [each["items"][0]["description"] for each in sent(card) if each["type"] == 12]
    assert [described] == [file.description for file in card.files()]
