"""What a server may write as a variant of its own, and what it is told where that cannot be."""

from __future__ import annotations

import pytest

from bot.engine import own_variants, variants
from bot.engine.errors import VariantError
from bot.engine.own_variants import imitated, own_variant
from bot.engine.ruleset import MOST_BYTES, server_of

SHIPPED = variants.shipped("tama").text
HOUSE = SHIPPED.replace('name = "Tama (Armenian draughts)"', 'name = "House dama"')


def test_a_file_becomes_a_variant_of_its_server() -> None:
    """Its id tells whose it is; its name is what the file says."""
    variant = own_variant(HOUSE, "house", 1234)
    assert ("house@1234", "House dama", HOUSE) == (variant.id, str(variant.name), variant.ruleset.text)
    assert (1234, None, None) == (server_of(variant.id), server_of("tama"), server_of("a@b"))


@pytest.mark.parametrize("name", ["", "House", "house dama", "-house", "h" * 33, "ho@use", "../x", "tama", "häuser"])
def test_names_that_it_cannot_have(name: str) -> None:
    """A variant's short name is plain, and none that is shipped."""
    with pytest.raises(VariantError, match=r"Name a variant with lower-case letters|is one of the built-in games"):
        own_variant(HOUSE, name, 1)


@pytest.mark.parametrize(
    "name",
    [
        "Tama",
        "TAMA",
        "T\u0430m\u0430",
        "\u0422\u0430\u043c\u0430",
        "T a m a",
        "Dama: Spanish draughts",
        "P1noy Dama",
        "pinoy",
    ],
)
def test_names_that_imitate_games_of_everybody(name: str) -> None:
    """Whatever looks like a name of a shipped game, in whichever letters, is taken for it."""
    assert imitated(name) is not None


@pytest.mark.parametrize("name", ["House dama", "Tama of the club", "Дамка", "Our checkers"])
def test_names_of_its_own(name: str) -> None:
    """Others are free."""
    assert imitated(name) is None
    own_variant(HOUSE.replace("House dama", name), "house", 1)


@pytest.mark.parametrize(
    "name",
    [
        "@everyone", "<@123>", "<#1>", "**bold**", "_it_", "`code`", "~~x~~", "||x||", "# big", "> quote", "[a](b)",
        "http://x.y", "a\\nb", "a\\u202Eb", "a\\u0000b", "{0}", "\\u200b", " ", "x" * 41, "H\u0430us",
        "e\\u0301\\u0301\\u0301",
    ],
)  # fmt: skip
def test_texts_of_which_discord_makes_something(name: str) -> None:
    """No mention, link, markdown, hidden sign, or letter of another alphabet in a word; in no text of the file."""
    for before, key in (("House dama", "name"), ("White", "sides"), ("Kings move like a chess queen", "says")):
        if key == "says" and (len(name) > own_variants.LONGEST_NAME or not name.strip()):
            continue
        with pytest.raises(VariantError, match=rf"(`{key}`|toml: {key}(\.[0-9]+)?): "):
            own_variant(HOUSE.replace(before, name), "house", 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x" * (MOST_BYTES + 1), "too long: 16,384 bytes at most"),
        ("\x00", "."),
        ("a = " + "[" * 5000, "."),
        ("a = " + "9" * 5000, "."),
        (HOUSE.replace("says = [", 'aliases = ["Tama"]\nsays = ['), "`aliases`: “Tama” is one of the built-in games"),
        (
            HOUSE.replace("says = [", f"aliases = {[f'n{i}' for i in range(11)]}\nsays = [".replace("'", '"')),
            "10 at most",
        ),
        (HOUSE.replace('"White", "Black"', '"White", "white"'), "sides: the two need different names"),
        (HOUSE.replace('"White", "Black"', '"White", "Wh1te"'), "`sides`: the sides need names"),
        (HOUSE.replace("says = [", "says = [" + '"a", ' * 30), "`says`: 30 at most, not 38"),
    ],
)
def test_files_that_ask_for_too_much(text: str, says: str) -> None:
    """Each is one sentence, and nothing is begun with it."""
    with pytest.raises(VariantError, match=says) as refused:
        own_variant(text, "house", 1)
    assert "\n" not in refused.value.message


def test_options_are_counted() -> None:
    """Ten options of twelve values; what each of them makes is tried, so there are not many."""
    settable = {
        "draws.repetition": "true, false",
        "capture.turn_back": "false, true",
        "man.captures_kings": "true, false",
        "board.look": '"plain", "lined"',
        "board.palette": '"white-black", "red-white"',
        "king.reach": '"long", "short"',
        "king.lands": '"any", "next"',
        "capture.removal": '"at_once", "at_end"',
        "capture.crowning": '"goes-on", "stops"',
        "capture.neglect": '"compulsory", "soplar"',
        "colours": '"lot", "choice"',
    }
    options = [
        f'\n[options.o{number}]\nsets = "{key}"\nvalues = [{values}]\nsays = "x"\n'
        for number, (key, values) in enumerate(settable.items())
    ]
    plain = HOUSE[: HOUSE.index("\n[options.")].replace("{ when", "# { when")
    own_variant(plain + "".join(options[: own_variants.MOST_OPTIONS]), "house", 1)
    with pytest.raises(VariantError, match="`options`: 10 at most, not 11"):
        own_variant(plain + "".join(options), "house", 1)


def test_a_game_that_cannot_begin_is_refused() -> None:
    """Where the first player has no move, nobody is asked to accept a challenge to it."""
    stuck = HOUSE.replace('moves = ["forward", "forward-diagonal", "sideways"]', "moves = []")
    assert stuck != HOUSE
    with pytest.raises(VariantError):
        own_variant(stuck, "house", 1)
