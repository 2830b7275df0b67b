"""An analysis as a card and its pages, at their longest."""

from __future__ import annotations

import pytest
from simcord.components import component_mentions, validate_message_state

from bot.chat.posting.cards import LONGEST, Card
from bot.chat.posting.picture_files import Picture
from bot.chat.study.analysis_commands import analysis_card, page_card
from bot.chat.study.analysis_texts import PAGE
from bot.computer.analysis import LINE, TURNING, JudgedTurn, SearchedTurn, TurnVerdict
from bot.engine.registry import rules_for
from bot.games.model.game import Game, Place
from bot.i18n import LANGUAGES, _, speaking
from bot.study.analyses import LONGEST as MOST_TURNS
from bot.study.analyses import Analysis

FIRST = 10**18
CHAIN = "-".join(["m13"] * 20)
"""Longer than any turn that was met in a game."""
PICTURE = Picture("g999999999-turn400.png", b"png", "w" * 1024)
BOARDS = [PICTURE] * TURNING


def longest(variant: str, options: dict[str, str | int]) -> Analysis:
    """A game of as many turns as are looked over, each the longest and a blunder with the longest better line."""
    rules = rules_for(variant, options)
    people = tuple(range(FIRST, FIRST + len(rules.seats)))
    place = Place(FIRST, FIRST)
    game = Game(
        id=10**9 - 1,
        rules=rules,
        variant_id=variant,
        options=options,
        start=None,
        place=place,
        opener=FIRST,
        side="lot",
        players=people,
        invited=people,
        status="finished",
        state=rules.start(),
    )
    judged = [
        JudgedTurn(
            number,
            SearchedTurn(number % len(people), CHAIN, 9999, CHAIN, -9999, 99, 30, (CHAIN,) * LINE, 0.9),
            TurnVerdict.BLUNDER,
            0.0,
            1.0,
        )
        for number in range(1, MOST_TURNS + 1)
    ]
    return Analysis(game, tuple(judged))


def shown(card: Card) -> str:
    """The words that Discord shows; it takes the card."""
    components = card.view().to_components()  # type: ignore[no-untyped-call]
    validate_message_state(components, flags=1 << 15, content=None, embeds=[])
    return component_mentions(components)


GAMES: list[tuple[str, dict[str, str | int]]] = [
    ("spanish", {}),
    ("spantsiretti", {}),
    ("chinese-checkers", {"players": 6}),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("variant", "options"), GAMES, ids=[name for name, _options in GAMES])
async def test_the_longest_analysis_fits_in_every_language(
    variant: str, options: dict[str, str | int], language: str
) -> None:
    """Nothing of it is cut off: accuracies of all seats, the turning points each with its better line; with pictures
    written out Discord takes it, and what is cut says so."""
    analysis = longest(variant, options)
    with speaking(language):
        card = analysis_card(analysis, PICTURE, BOARDS)
        words = shown(card)
        cut = f"-# {_('Not everything fits in one message.')}"
        assert card.text == words
        assert len(words) <= LONGEST
        assert all(f"<@{person}>" in words for person in analysis.game.players)
        assert TURNING * (LINE + 1) == words.count(CHAIN)
        assert cut == shown(card.written_out()).rpartition("\n")[2]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_longest_page_of_turns_fits_in_every_language(language: str) -> None:
    """Each turn of it stands there with what had been better, however long: better lines are shortened before a turn
    is cut off."""
    analysis = longest(*GAMES[-1])
    with speaking(language):
        for page in (0, MOST_TURNS // PAGE):
            words = shown(page_card(analysis, page))
            assert len(words) <= LONGEST
            for judged in analysis.judged[page * PAGE : (page + 1) * PAGE]:
                assert f"\n{judged.number}. " in words
            assert 2 * len(analysis.judged[page * PAGE : (page + 1) * PAGE]) <= words.count(CHAIN)
