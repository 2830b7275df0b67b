"""Games are found by what people call them, however many there are."""

from __future__ import annotations

import pytest

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.variant_search import Listing, find, folded, listing, search, shipped
from bot.i18n import LANGUAGES, speaking
from tests.support.engine.game_files import text_of

TEXT = text_of("give-away")


def forty() -> list[Listing]:
    """Forty games: the international one, which has other names, and numbered ones."""
    text = TEXT.replace('name = "Give-away"', 'name = "{name}"\naliases = [{aliases}]')
    spelt = '"internacional", "dammen", "Միջազգային շաշկի", "Стоклеточные шашки"'
    made = [text.replace("{name}", "International draughts (Polish draughts)").replace("{aliases}", spelt)]
    made += [text.replace("{name}", f"House game {n}").replace("{aliases}", "") for n in range(1, 40)]
    return [listing(variants.read(each, f"game-{number}.toml")) for number, each in enumerate(made)]


@pytest.mark.parametrize(
    "typed",
    ["game-0", "Game 0", "international", "POLISH dr", "internácional", "dammen", "շաշկի", "шашки", "стокл", "dam int"],
)
def test_a_game_is_found_in_every_language(typed: str) -> None:
    """By id, name, second name, another language's name, a word of one, parts of several; without regard to accents."""
    assert "game-0" == search(typed, forty())[0].id


def test_what_is_typed_exactly_comes_first() -> None:
    """`House game 1` is more like what is typed than `House game 10`."""
    found = [each.id for each in search("house game 1", forty())][:11]

    assert ["game-1", *(f"game-{n}" for n in range(10, 20))] == found
    assert [] == search("chess", forty())
    assert 40 == len(search("8x8", forty())) == len(search("", forty()))


@pytest.mark.parametrize("typed", ["game-0", " Polish Draughts", "DAMMEN", "international draughts · 8x8", "game 0"])
def test_what_is_typed_by_hand_is_the_game_that_it_names(typed: str) -> None:
    """Ids and names are taken as they stand, and so is what the list shows."""
    assert "game-0" == find(typed, forty()).id


def test_an_unknown_name_is_refused_in_a_sentence() -> None:
    """With the nearest where something is like it, else with where to look."""
    with pytest.raises(VariantError, match=r"^There is no game 'am' here\. Do you mean .*, .* or .*\?$"):
        find("am", forty())
    with pytest.raises(VariantError, match=r"^There is no game 'chess' here\. Choose one of those"):
        find("chess", forty())
    with pytest.raises(VariantError) as long:
        find("x" * 5000, forty())
    assert len(long.value.message) < 200


def test_a_part_of_a_name_that_one_game_alone_has() -> None:
    """Who typed it and pressed Enter meant that game."""
    assert "game-0" == find("polish", forty()).id


def test_a_name_of_two_games_is_refused() -> None:
    """Nothing is guessed."""
    with pytest.raises(VariantError, match=r"^More than one game is called 'dammen': .*`game-0`.* or .*`other`"):
        find("dammen", [*forty(), twin()])


def twin() -> Listing:
    text = TEXT.replace("family =", 'aliases = ["dammen"]\nfamily =')
    return listing(variants.read(text, "other.toml"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_game_is_found_by_its_own_name(language: str) -> None:
    """In each language; also by its names in English and in the others."""
    with speaking(language):
        for each in shipped():
            for name in (f"{each.variant.name}", each.variant.tables.name, each.title):
                assert each.id == find(name, shipped()).id
            for name in (f"{each.variant.name}", each.variant.tables.name):
                assert each.id == search(name, shipped())[0].id
    for each in shipped():
        with speaking(language):
            name = f"{each.variant.name}"
        assert each.id in [found.id for found in search(name, shipped())[:2]]


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        *(
            ("տամա", "tama"),
            ("հայկական", "tama"),
            ("haykakan", "tama"),
            ("Filipino", "pinoy"),
            ("filipinyan", "pinoy"),
        ),
        *(
            ("damas espanolas", "spanish"),
            ("իսպանական", "spanish"),
            ("amerikyan", "americanas"),
            ("perdegana", "poddavki"),
        ),
        *(
            ("դամա", "spanish"),
            ("չինական", "chinese-checkers"),
            ("chinakan", "chinese-checkers"),
            ("միջազգային", "international"),
        ),
    ],
)
def test_games_are_found_as_their_people_type_them(typed: str, game: str) -> None:
    """In their own letters and in Latin ones, whatever language is spoken."""
    assert game in [each.id for each in search(typed, shipped())[:2]]


def test_the_first_games_are_offered_first() -> None:
    """What is featured comes in its order before the others, these by kind of board and size."""
    offered = shipped()
    first = [each for each in offered if each.variant.tables.featured]

    assert sorted(variants.names()) == sorted(each.id for each in offered)
    assert ["spanish", "pinoy", "americanas", "tama", "chinese-checkers"] == [each.id for each in first]
    assert [*first] == [*offered[: len(first)]]
    assert "Tama (Armenian draughts) · 8x8" == next(each for each in offered if each.id == "tama").title


def test_words_are_compared_without_what_people_leave_out() -> None:
    """Capitals, accents, hyphens, brackets."""
    assert "dama espanola 8x8" == folded(" Dama-Española (8x8)! ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_says_what_is_particular_about_each_game(language: str) -> None:
    """No two games say the same, and a menu has room for all of it."""
    with speaking(language):
        told = [each.variant.about for each in shipped()]

    assert len(told) == len(set(told) - {""})
    assert [] == [line for line in told if len(line) > 100]
