"""The standings as a card, at their longest."""

from __future__ import annotations

import pytest
from simcord.components import component_mentions, validate_message_state

from bot.chat.posting.cards import Card
from bot.chat.posting.picture_files import Picture
from bot.chat.tournaments import texts
from bot.chat.tournaments.buttons import announcement_rows, text_button
from bot.chat.tournaments.standings_cards import beginning, page_card, picture_card, text_card
from bot.i18n import LANGUAGES, speaking
from bot.tournaments.model.events import Kind, TournamentSettings
from tests.support.tournaments.cup import Cup

NAME = "\\_" * 80
FIRST = 10**18
DRAWN = [Picture(f"standings-1-{page}.png", b"png", "w" * 1024) for page in range(10)]
SWISS = TournamentSettings(Kind.SWISS, rounds=5)


def cup_of(count: int, settings: TournamentSettings = SWISS) -> Cup:
    """So many with the longest ids, in a tournament of the longest name."""
    return Cup(settings, count, name=NAME, first=FIRST)


def shown(card: Card) -> str:
    """The words that Discord shows; it takes the card."""
    components = card.view().to_components()  # type: ignore[no-untyped-call]
    validate_message_state(components, flags=1 << 15, content=None, embeds=[])
    return component_mentions(components)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [2, 9, 64])
async def test_the_standings_fit_in_every_language(language: str, count: int) -> None:
    """Words, ten pictures with the longest alt texts, both, all written out: Discord takes each, the event's name comes
    first, and what is cut says so."""
    cup = cup_of(count)
    cup.round()
    cup.round(pending=1)
    tournament = cup.tournament
    with speaking(language):
        rows = announcement_rows(tournament)
        card = picture_card(tournament, DRAWN, text_button(tournament), words=True)
        told = [text_card(tournament, rows), picture_card(tournament, DRAWN, text_button(tournament)), card]
        for each in told:
            assert shown(each).startswith(beginning(tournament))
            assert each.text == shown(each)
        assert [True, False, True] == [f"<@{FIRST // 100}" in each.text for each in told]
        assert "w" * 1024 not in shown(card)
        assert "-# " in shown(card.written_out()).rpartition("\n")[2]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("settings", [SWISS, TournamentSettings(Kind.ARENA, minutes=60)])
def test_every_place_stands_on_a_page(language: str, settings: TournamentSettings) -> None:
    """The standings of a hundred in words: each on just one page, whole, with the reader's own place on every page."""
    cup = cup_of(100, settings)
    if settings is SWISS:
        cup.round()
    tournament = cup.tournament
    last = tournament.ranking.lines[-1]
    me = tournament.state.by_number[last.number].person
    with speaking(language):
        pages = [page_card(tournament, me, page, announcement_rows(tournament)[0][:2]) for page in range(4)]
        told = [shown(card) for card in pages]
        own = texts.own_place(tournament, me)
        assert all(own in text and f"{last.rank}" in own for text in told)
        for number, entrant in tournament.state.by_number.items():
            assert 1 == sum(f"<@{entrant.person}>" in text for text in told), number
        assert all(card.text == text for card, text in zip(pages, told, strict=True))
        drawn = shown(picture_card(tournament, DRAWN, text_button(tournament), person=me))
        assert own in drawn
        assert own not in shown(picture_card(tournament, DRAWN, text_button(tournament)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION])
async def test_an_elimination_tells_what_is_played(language: str, kind: Kind) -> None:
    """Below the brackets stand the matches that are played now, of as many as can enter."""
    tournament = cup_of(64, TournamentSettings(kind)).tournament
    with speaking(language):
        card = picture_card(tournament, DRAWN[:4], text_button(tournament))
        assert sum(line.count("<@") == 2 for line in shown(card).splitlines()) >= 30
