"""The standings as a card, at their longest."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from simcord.components import component_mentions, validate_message_state

from bot.chat.posting.cards import Card, Section
from bot.chat.posting.picture_files import Picture
from bot.chat.tournaments import pictures, texts
from bot.chat.tournaments.buttons import announcement_rows, round_rows, text_button
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.history import audit
from bot.chat.tournaments.standings_cards import beginning, page_card, picture_card, podium_card, round_card, text_card
from bot.chat.tournaments.thread_links import no_link
from bot.chat.wording.message_text import LONGEST
from bot.i18n import LANGUAGES, speaking
from bot.tournaments.model.events import Kind, Scored, TournamentSettings
from bot.tournaments.pairing.record import Mark
from bot.tournaments.standings.standings import Heading, Ranking, RankingLine
from bot.tournaments.standings.tiebreaks import TieBreak
from data.queries.tournaments import TournamentGame
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


@pytest.mark.parametrize(("count", "words", "offered"), [(9, False, 1), (9, True, 0), (64, True, 1)])
def test_words_are_offered_where_they_do_not_stand(count: int, words: bool, offered: int) -> None:
    """*As text* stands beside pictures, and beside words only if these have further pages."""
    cup = cup_of(count)
    cup.round()
    card = picture_card(cup.tournament, DRAWN, text_button(cup.tournament), words=words)
    assert offered == sum(isinstance(part, Section) for part in card.parts)


def test_a_column_is_written_in_one_way() -> None:
    """With halves as fractions, or where one value has quarters with decimals in the whole column, and in no other."""
    values = [(Fraction(5, 2), Fraction(17, 2), Fraction(4)), (Fraction(2), Fraction(43, 4), Fraction(3))]
    lines = tuple(RankingLine(at, at, row) for at, row in enumerate(values, start=1))
    ranking = Ranking((Heading.POINTS, TieBreak("BH"), Heading.GAMES), lines)
    assert ["**2½** · BH 8.5, Games 4", "**2** · BH 10.75, Games 3"] == texts.values_texts(ranking, lines)


def test_what_the_places_are_by_is_told_if_it_is_not_the_points() -> None:
    """Points need no word; anything else that decides has one."""
    assert [] == texts.ranked_by(Ranking((Heading.POINTS, Heading.WINS), ()))
    assert ["Ranked by: Wins"] == texts.ranked_by(Ranking((Heading.WINS, Heading.POINTS), ()))


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("count", "linked"), [(24, 12), (26, 13), (60, 30), (101, 25)])
def test_a_round_links_its_games_until_it_is_over(language: str, count: int, linked: int) -> None:
    """Up to the longest results every game is linked, also of sixty; of a hundred players at least the first boards."""
    cup = cup_of(count)
    cup.round(pending=count)
    games = cup.tournament.state.paired[1].games
    links = tuple(
        TournamentGame(number, 1, 1, "", white, black, "running", FIRST + number)
        for number, (white, black) in enumerate(games, start=1)
    )
    for results in (0, len(games) // 2, len(games)):
        for white, black in games[:results]:
            cup.add(Scored(1, white, black, Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS))
        tournament = replace(cup.tournament, games=links)
        with speaking(language):
            told = texts.round_text(tournament, 1)
            if count > 24:
                told = shown(round_card(tournament, 1, round_rows(tournament, 1)))
        assert len(told) <= (4000 if count > 24 else LONGEST)
        there = [number for number in range(1, len(games) + 1) if str(FIRST + number) in told]
        assert [*range(1, linked + 1)] == there[:linked]
        assert texts.has_long_rounds(tournament) is (count > 24)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_of_a_hundred_says_what_comes_after_its_games(language: str) -> None:
    """As many games as one message holds, how many there are besides, and then the end of the round's post."""
    cup = cup_of(101)
    cup.round()
    tournament = cup.tournament
    with speaking(language):
        told = texts.round_text(tournament, 1)
        *_lines, after = texts_of(tournament).round_text(tournament, 1, no_link)
    assert len(told) <= LONGEST
    assert told.endswith(after)
    assert after
    games = re.findall(r"^\d+\. ", told, re.MULTILINE)
    (left,) = re.findall(r"(\d+).*`/tournament standings`", told)
    assert 50 == len(games) + int(left)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_history_of_a_hundred_fits(language: str) -> None:
    """However long the name: what leads to earlier events stands at its end."""
    with speaking(language):
        assert len(audit(cup_of(100).tournament)) <= LONGEST


@pytest.mark.parametrize("kind", [Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION])
def test_a_bracket_of_a_hundred_shows_the_finals(kind: Kind) -> None:
    """Of more pictures than a message takes those are left out that were decided first; pictures stay small."""
    cup = cup_of(100, TournamentSettings(kind))
    cup.matches()
    tournament = cup.tournament
    parts = pictures.bracket(tournament, dict.fromkeys(tournament.state.by_number, "W" * 32))
    assert len(parts) <= 10
    assert len(parts[-1].words) <= 1024
    assert "Final: " in parts[-1].words
    assert all(len(part.png) < 100_000 for part in parts)
    shown(picture_card(tournament, parts, text_button(tournament), words=True))
    shown(podium_card(tournament, parts[-1:], ()))
