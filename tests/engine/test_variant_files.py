"""Variants are files: a new game needs no code, and a bad file names itself, the key and what is allowed there."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.registry import rules_for, rules_of
from bot.engine.variants import OptionValue
from tests.support.engine import slow_draughts
from tests.support.engine.game_files import LAWS, rules_of_file, text_of
from tests.support.engine.lockstep import Pair
from tests.support.engine.random_positions import by_placement, crowded, few
from tests.support.thoroughness import THOROUGH


@pytest.mark.parametrize("game", LAWS)
def test_another_game_is_a_new_file(game: str) -> None:
    """The games of the files agree with the slow generator on random positions: board sizes, short kings, kings that
    land on the next square, free choice, crowning that goes on, four criteria of choice."""
    pair = Pair(game, LAWS[game], rules_of_file(game))
    random = Random(game)
    assert slow_draughts.parse(pair.rules.position(pair.rules.start())) == slow_draughts.start(pair.law)
    for index in range(120 * THOROUGH):
        make = crowded if index % 3 == 0 else by_placement
        pair.check_position(make(pair.law, random), random)


@pytest.mark.parametrize("game", LAWS)
def test_games_of_files(game: str) -> None:
    """Whole games of them agree turn by turn, with what wins and what is counted with men on the board."""
    random = Random(f"games {game}")
    for index in range(12 * THOROUGH):
        repetition = index % 2 == 0
        text = text_of(game).replace("[draws]", f"[draws]\nrepetition = {str(repetition).lower()}")
        law = replace(LAWS[game], repetition=repetition or "[draws]" not in text)
        pair = Pair(game, law, rules_of(variants.read(text, f"{game}.toml")))
        start = slow_draughts.start(law) if index % 12 == 0 else few(law, random)
        pair.play_out(start, random, 60 if index % 12 == 0 else 120)


def test_shipped_variants() -> None:
    """The four draughts games are there, and every shipped variant can be loaded."""
    assert {"spanish", "pinoy", "americanas", "tama"} <= set(variants.names())
    for name in variants.names():
        assert variants.load(name).id == name


def test_unknown_variant() -> None:
    """An unknown variant is refused with the list of what there is."""
    with pytest.raises(VariantError, match=r"no variant 'chess'.*americanas.*pinoy.*spanish.*tama"):
        rules_for("chess")


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        (
            "spanish",
            {"removal": "at_once"},
            r"Dama \(Spanish draughts\) has no option 'removal'; its options are: mirror, quiet_moves",
        ),
        (
            "pinoy",
            {"neglect": "soplar"},
            r"Pinoy Dama \(Filipino draughts\) has no option 'neglect'.*mirror.*quiet_moves.*removal.*repetition",
        ),
        ("tama", {"mirror": True}, r"Tama.* has no option 'mirror'"),
        ("tama", {"huff": True}, r"Tama.* has no option 'huff'; .*; there is no huffing \(soplar\) in this game"),
        ("americanas", {"huff": True}, r"; huffing \(soplar\) is the rule in this game, unless .* neglect=compulsory"),
        ("spanish", {"turn_back": True}, r"Dama \(Spanish draughts\) has no option 'turn_back'"),
        ("pinoy", {"removal": "never"}, r"removal does not take 'never'; it takes at_once or at_end"),
        ("americanas", {"neglect": "maybe"}, r"neglect does not take 'maybe'; it takes soplar or compulsory"),
        ("pinoy", {"quiet_moves": 5}, r"quiet_moves does not take '5'; it takes 0 or 10 to 100"),
        ("pinoy", {"quiet_moves": 101}, r"10 to 100"),
        ("pinoy", {"quiet_moves": -1}, r"10 to 100"),
        ("pinoy", {"quiet_moves": "9" * 5000}, r"10 to 100"),
        ("pinoy", {"mirror": "perhaps"}, r"mirror does not take 'perhaps'; it takes false or true"),
    ],
)
def test_refused_options(game: str, options: dict[str, str | bool | int], says: str) -> None:
    """An option that a game does not have, or a value that it does not take, is refused with what there is."""
    with pytest.raises(VariantError, match=says):
        variants.load(game, options)


OPTIONS_BY_NAME: dict[str, dict[str, list[OptionValue]]] = {
    "spanish": {"mirror": [False, True], "quiet_moves": [0]},
    "pinoy": {
        "removal": ["at_once", "at_end"],
        "mirror": [False, True],
        "repetition": [True, False],
        "quiet_moves": [0],
    },
    "americanas": {
        "removal": ["at_end", "at_once"],
        "mirror": [False, True],
        "neglect": ["soplar", "compulsory"],
        "repetition": [True, False],
        "quiet_moves": [0],
    },
    "tama": {"turn_back": [False, True], "repetition": [True, False], "quiet_moves": [0]},
}


@pytest.mark.parametrize("game", OPTIONS_BY_NAME)
def test_options_by_name(game: str) -> None:
    """Each game has the options of "Options by name", the default first; a picture's look may come beside."""
    specs = variants.load(game).option_specs
    for name, values in OPTIONS_BY_NAME[game].items():
        assert list(specs[name].values)[: len(values)] == values
        assert specs[name].default == values[0]
        assert specs[name].says
    assert set(specs) - set(OPTIONS_BY_NAME[game]) <= {"board"}


@pytest.mark.parametrize("value", [10, 40, 100, "40", 0, "0"])
def test_quiet_moves_takes(value: int | str) -> None:
    """Option quiet_moves: 0 (off), 10 to 100, as a number or as text."""
    assert variants.load("tama", {"quiet_moves": value}).options["quiet_moves"] == int(value)


def test_options_as_text() -> None:
    """Options may come as text, as the command line and Discord give them."""
    variant = variants.load("pinoy", {"removal": "at_end", "mirror": "true", "repetition": "false"})
    assert variant.chosen == {"removal": "at_end", "mirror": True, "repetition": False}


BAD_FILES = [
    # (what is replaced, by what, what the error must tell beside the file's name)
    ('removal = "at_end"', 'removal = "later"', ["capture.removal", "'later'", "'at_once'", "'at_end'"]),
    ('removal = "at_end"', "", ["capture.removal", "missing"]),
    ('removal = "at_end"', "removal = 3", ["capture.removal", "'at_once'", "'at_end'"]),
    ('choice = ["most-pieces"]', 'choice = ["the-prettiest"]', ["capture.choice", "'the-prettiest'", "'most-kings'"]),
    ('crowning = "passes"', 'crowning = "sometimes"', ["capture.crowning", "'stops'", "'passes'", "'goes-on'"]),
    ("turn_back = false", 'turn_back = "no"', ["capture.turn_back", "'no'", "true or false"]),
    ('reach = "long"', 'reach = "endless"', ["king.reach", "'short'", "'long'"]),
    ("width = 8", "width = 3", ["board.width", "3: 4 at least"]),
    ("width = 8", 'width = "eight"', ["board.width", "'eight'", "a whole number"]),
    ("width = 8", "width = 8\ndepth = 2", ["board.depth", "no such key", "corner", "squares", "width"]),
    ('moves = ["forward-diagonal"]', 'moves = ["up"]', ["man.moves", "'up'", "'forward-diagonal'"]),
    ('sides = ["White", "Black"]', 'sides = ["White"]', ["sides", "a list of 2 at least"]),
    ('family = "draughts"', 'family = "chess"', ["family", "'draughts'", "'star'"]),
    ('family = "draughts"', "", ["family"]),
    ("rows = [1, 2, 3]", "rows = [1, 2, 5]", ["start.rows", "from 1 to 4"]),
    ("[start]", "[start", ["not TOML"]),
    ("[start]", "[beginning]", ["beginning", "no such key", "start"]),
    ("[start]\nrows = [1, 2, 3]", "", ["start", "missing"]),
]


@pytest.mark.parametrize(("old", "new", "told"), BAD_FILES, ids=[str(index) for index in range(len(BAD_FILES))])
def test_a_bad_file(old: str, new: str, told: list[str]) -> None:
    """ "A bad variant file names the file, the key and what is allowed"."""
    text = text_of("brazilian")
    assert old in text
    with pytest.raises(VariantError) as caught:
        variants.read(text.replace(old, new), "mine.toml")
    for part in ["mine.toml", *told]:
        assert part in caught.value.message


OPTION = """
[options.removal]
sets = "capture.removal"
values = ["at_end", "at_once"]
says = "when captured pieces leave"
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('sets = "capture.removal"', 'sets = "capture.gone"', ["options.removal", "capture.gone"]),
        ('"at_once"]', '"later"]', ["removal", "'later'", "'at_once'"]),
        ('["at_end", "at_once"]', '["at_once"]', ["options.removal", "at_end", "at_once"]),
        ('\nsays = "when', '\ntells = "when', ["options.removal", "says"]),
    ],
)
def test_a_bad_option_of_a_file(old: str, new: str, told: list[str]) -> None:
    """So does a file whose option sets what is not there, or to what is not allowed."""
    text = text_of("brazilian") + OPTION
    assert variants.read(text, "mine.toml", {"removal": "at_once"}).chosen == {"removal": "at_once"}
    with pytest.raises(VariantError) as caught:
        variants.read(text.replace(old, new), "mine.toml")
    for part in ["mine.toml", *told]:
        assert part in caught.value.message


def test_rules_in_short_follow_the_options() -> None:
    """What `says` tells of an option is told of the value in force, and nothing that it makes untrue."""
    for variant, options, told, untold in (
        ("americanas", {"neglect": "compulsory"}, "Capturing is compulsory", "huffed"),
        ("americanas", {}, "may huff", "compulsory"),
        ("tama", {"turn_back": True}, "may turn straight back", "may not turn"),
        ("chinese-checkers", {"blocked": "none"}, "is blocked for you", "swapped"),
        (
            "chinese-checkers",
            {"blocked": "filled"},
            "You also win when your pegs fill every hole of your target that no oth",
            "swapped",
        ),
        ("chinese-checkers", {"places": True}, "other places", "your three sets"),
        ("chinese-checkers", {"sets": 3}, "three sets", "other places"),
    ):
        text = "\n".join(variants.load(variant, options).rules_text)
        assert told in text
        assert untold not in text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{ when = { gone = true }, says = "x" }', ["says.0.when.gone", "removal"]),
        ('{ when = { removal = "never" }, says = "x" }', ["says.0.when.removal", "never", "at_end, at_once"]),
        ('{ when = { removal = "at_end" } }', ["says.0", "missing"]),
        ("3", ["says.0", "3"]),
    ],
)
def test_a_bad_line_of_a_file(line: str, told: list[str]) -> None:
    """A line of the rules that holds for an option which is not there, or not so, is found too."""
    text = text_of("brazilian") + OPTION
    start, end = text.index("says = ["), text.index("]", text.index("says = ["))
    with pytest.raises(VariantError) as caught:
        variants.read(f"{text[:start]}says = [{line}{text[end:]}", "mine.toml")
    for part in ["mine.toml", *told]:
        assert part in caught.value.message
