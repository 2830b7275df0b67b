"""Every bad variant file is refused with one line that names the file, the key and what is allowed there.

``DAMERO_THOROUGH=10`` mutates ten times as many files.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from bot.engine import ruleset, variants
from bot.engine.errors import VariantError
from bot.engine.registry import rules_of
from bot.engine.variant_reading import LONGEST
from bot.i18n import speaking
from tests.support.thoroughness import THOROUGH

TESTS = Path(__file__).parent / "variants"
SHIPPED = Path(variants.__file__).parents[2] / "data" / "variants"
FILES = [*sorted(TESTS.glob("*.toml")), *sorted(SHIPPED.glob("*.toml"))]
TEXTS = {f"{path.parents[1].name}/{path.name}": path.read_text("utf-8") for path in FILES}

PLAIN = """name = "Brazilian draughts"
family = "draughts"
sides = ["White", "Black"]
colours = "choice"
says = ["Brazilian draughts: the international rules on 64 squares."]

[board]
width = 8
height = 8
squares = "diagonal"
corner = "left"

[start]
rows = [1, 2, 3]

[man]
moves = ["forward-diagonal"]
captures = ["forward-diagonal", "backward-diagonal"]

[king]
moves = ["forward-diagonal", "backward-diagonal"]
captures = ["forward-diagonal", "backward-diagonal"]
reach = "long"

[capture]
neglect = "compulsory"
choice = ["most-pieces"]
removal = "at_end"
turn_back = false
crowning = "passes"
"""
ENDING = """[draws]
[[draws.endings]]
strong = { pieces = [3, 3], kings = [1, 3] }
weak = { pieces = [1, 1], kings = [1, 1] }
moves = 16
counted = "both"
capture_first = false
"""
OPTION = """[options.quiet]
sets = "draws.quiet_moves"
values = [0]
range = [10, 100]
offered = 40
says = "quiet"
"""


def refusal(text: str, file_name: str = "mine.toml") -> str:
    """The one line that a file gets. Raises Failed where it is accepted."""
    with pytest.raises(VariantError) as refused:
        variants.read(text, file_name)
    message = refused.value.message
    assert message.startswith(f"{file_name}: ")
    assert "\n" not in message
    assert len(message) < 500
    return message.removeprefix(f"{file_name}: ")


@pytest.mark.parametrize(
    ("game", "old", "new", "says"),
    [
        ("plain", 'moves = ["forward-diagonal"]', "moves = []", "man.moves: []: a list of 1 at least"),
        ("plain", 'moves = ["forward-diagonal"]', 'moves = ["forward-diagonal", "forward-diagonal"]',
         "man.moves.1: 'forward-diagonal' is named twice"),
        ("plain", 'moves = ["forward-diagonal"]', 'moves = ["forward"]', "man.moves.0: the board has no 'forward'"),
        ("plain", 'captures = ["forward-diagonal", "backward-diagonal"]', 'captures = ["sideways"]',
         "man.captures.0: the board has no 'sideways'"),
        ("turkish", 'captures = ["forward", "sideways"]', 'captures = ["forward-straight"]',
         "man.captures.0: the board has no 'forward-straight'"),
        ("plain", 'captures = ["forward-diagonal", "backward-diagonal"]', "captures = []",
         "man.captures: at least one piece must be able to capture"),
        ("plain", 'choice = ["most-pieces"]', 'choice = ["most-pieces", "most-pieces"]', "capture.choice.1:"),
        ("plain", 'choice = ["most-pieces"]', 'choice = ["most-pieces"]\nking_value = 1.5', "capture.king_value:"),
        ("plain", "turn_back =", "king_value = nan\nturn_back =", "capture.king_value: nan"),
        ("plain", 'sides = ["White", "Black"]', 'sides = ["White", "white"]', "sides: the two need different"),
        ("plain", 'sides = ["White", "Black"]', 'sides = ["White", " "]', "sides.1: a text that is not empty"),
        ("plain", "name = ", 'name = "@everyone" #', "name: a text in one line, without @"),
        ("plain", "name = ", r'name = "a\nb" #', "name: a text in one line, without U+000A"),
        ("plain", "name = ", r'name = "a\u202Eb" #', "name: a text in one line, without U+202E"),
        ("plain", "name = ", 'name = "" #', "name: a text that is not empty"),
        ("plain", "name = ", f'name = "{"n" * 101}" #', "a text of 100 letters at most"),
        ("plain", "says = [", f'says = ["{"n" * 501}", ', "a text of 500 letters at most"),
        ("plain", "says = [", "says = [3, ", "says.0: 3: must be a text or a table with says and when"),
        ("plain", "says = [", "says = [] #", "says: []: a list of 1 at least"),
        ("plain", "rows = [1, 2, 3]", "rows = [1, 1]", "start.rows: a row is named twice"),
        ("plain", "rows = [1, 2, 3]", "rows = []", "start: either rows or squares"),
        ("plain", "rows = [1, 2, 3]", "rows = [1]\nsquares = [['a3'], ['b6']]", "start: either rows or squares"),
        ("plain", "rows = [1, 2, 3]", "rows = [0]", "start.rows: each row must be from 1 to 4"),
        ("plain", "rows = [1, 2, 3]", "squares = [['a3']]", "start.squares: a list for either side"),
        ("plain", "rows = [1, 2, 3]", "squares = [['a3'], []]", "start.squares: a list for either side"),
        ("plain", "rows = [1, 2, 3]", "squares = [['a2'], ['b6']]", "start.squares.0.0: 'a2' is not a square"),
        ("plain", "rows = [1, 2, 3]", "squares = [['z99'], ['b6']]", "start.squares.0.0: 'z99' is not a square"),
        ("plain", "rows = [1, 2, 3]", "squares = [['a3'], ['b6', 'a3']]", "start.squares.1.1: 'a3' is named twice"),
        ("plain", "rows = [1, 2, 3]", "squares = [['b8'], ['b6']]", "start.squares.0.0: a man on 'b8' would be"),
        ("plain", "rows = [1, 2, 3]", "rows = [1, 2, 3, 4]", "start: nobody can move from here"),
        ("plain", 'corner = "left"', 'corner = "left"\nnumbered_side = "second"', "board.numbered_side: needs"),
        ("turkish", 'squares = "all"', 'squares = "all"\nmirror = true', "board.mirror: only for boards"),
        ("plain", "width = 8", "width = 200", "board.width: 200: 16 at most"),
        ("plain", "width = 8", f"width = {'9' * 5000}", "not TOML: a number is too long"),
        ("plain", "width = 8", f"width = {'9' * 4000}", "board.width: 9999"),
        ("plain", "removal =", "removl =", "capture.removl: there is no such key; allowed are choice, crowning,"),
        ("plain", "[start]", "[strt]", "strt: there is no such key; allowed are about, aliases, ballots, begins,"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_meaning(game: str, old: str, new: str, says: str) -> None:
    """A file whose values are right one by one and make no game, or none that could be played."""
    text = PLAIN if game == "plain" else TEXTS[f"data/{game}.toml"]
    assert old in text
    assert says in refusal(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("strong =", "kings = [3, 1]\nstrong =", "draws.endings.0: either kings, or strong and weak"),
        ("weak = { pieces = [1, 1], kings = [1, 1] }\n", "", "draws.endings.0: either kings, or strong and weak"),
        ("pieces = [3, 3]", "pieces = [3, 2]", "draws.endings.0.strong.pieces: the least and the most"),
        ("pieces = [3, 3]", "pieces = [0, 3]", "draws.endings.0.strong.pieces: the least and the most, 1 at least"),
        ("pieces = [3, 3]", "pieces = [3]", "draws.endings.0.strong.pieces: [3]: a list of 2 at least"),
        ("kings = [1, 3]", "kings = [4, 5]", "draws.endings.0.strong.kings: the least and the most, no more than"),
        ("{ pieces = [3, 3], kings = [1, 3] }", "3", "draws.endings.0.strong: 3: must be a table"),
        ("moves = 16", "moves = -1", "draws.endings.0.moves: -1"),
        ("moves = 16", "moves = 9999", "draws.endings.0.moves: 9999"),
        ("moves = 16", "moves = 16\ntotal = [5, 6]", "draws.endings.0.total: the least and the most, within 4 to 4"),
        ("moves = 16", 'moves = 16\nresult = "win"', "draws.endings.0.result: a win is at once, with moves = 0"),
        ('counted = "both"', 'counted = "lone"', ""),
        ("weak = { pieces = [1, 1]", "weak = { pieces = [1, 2]", ""),
        ("capture_first", "main_road = true\ncapture_first", ""),
    ],
)
def test_endings_that_cannot_be(old: str, new: str, says: str) -> None:
    """An ending that never comes, or whose count or winner nobody could tell; those without a fault are read."""
    text = PLAIN + "\n" + ENDING.replace(old, new)
    assert old in ENDING
    if says:
        assert says in refusal(text)
    else:
        assert variants.read(text, "mine.toml")


def test_endings_against_each_other() -> None:
    """Not twice, in the right order, and counted by a lone king where there is one."""
    text = PLAIN + "\n"
    kings = '[[draws.endings]]\nkings = [{}]\nmoves = 12\ncounted = "{}"\ncapture_first = false\n'
    assert "draws.endings.0.kings: the greater number first" in refusal(text + kings.format("1, 2", "both"))
    assert "draws.endings.0.kings: the greater number first" in refusal(text + kings.format("0, 0", "both"))
    assert "draws.endings.0.counted: only for endings with one king" in refusal(text + kings.format("3, 2", "lone"))
    assert "draws.endings.1: this ending is named twice" in refusal(text + kings.format("3, 1", "lone") * 2)
    two = ENDING.replace("[1, 1], kings = [1, 1]", "[1, 2], kings = [0, 2]")
    assert "draws.endings.0.counted: only for endings with one king" in refusal(text + two.replace('"both"', '"lone"'))
    assert "draws.endings.0.main_road: only for endings with one king" in refusal(text + two + "main_road = true\n")
    turkish = TEXTS["data/turkish.toml"].replace("kings = [1, 1]\nmoves", "kings = [2, 1]\nmain_road = true\nmoves")
    assert "draws.endings.1.main_road: only for boards that are played on one colour" in refusal(turkish)
    same = TEXTS["data/turkish.toml"].replace("kings = [0, 0]", "kings = [1, 1]")
    assert "draws.endings.0.result: both sides have the same" in refusal(same)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("options.quiet]", 'options."a b=c"]', "options.a b=c: 'a b=c': a name of lower-case letters, digits and _"),
        ('"draws.quiet_moves"', '"draws.model_fields"', "options.quiet.sets: there is no key 'draws.model_fields'"),
        ('"draws.quiet_moves"', '"__class__"', "options.quiet.sets: there is no key '__class__' to set"),
        ('"draws.quiet_moves"', '"draws"', "options.quiet.sets: an option cannot set 'draws'"),
        ('"draws.quiet_moves"', '"name"', "options.quiet.sets: an option cannot set 'name'"),
        ('"draws.quiet_moves"', '"man.moves"', "options.quiet.sets: an option cannot set 'man.moves'"),
        ("values = [0]", "values = [0, 0]", "options.quiet.values: a value is named twice"),
        ("values = [0]", "values = [true]", "options.quiet: draws.quiet_moves is 0, and its other values must be"),
        (
            "values = [0]",
            "values = [1.5]",
            "options.quiet.values.0: 1.5: must be true or false, a whole number or a text",
        ),
        ("range = [10, 100]", "range = [100, 10]", "options.quiet.range: the least first, then the most"),
        ("range = [10, 100]", "range = [10, 1000]", "draws.quiet_moves: 1000: 500 at most"),
        ("offered = 40", "offered = 4000", "options.quiet.offered: a number within the range"),
        ('"draws.quiet_moves"', '"draws.repetition"', "its other values must be of that kind"),
    ],
)
def test_options_that_cannot_be(old: str, new: str, says: str) -> None:
    """An option has a name that can be typed, and sets one value of the file to others of its kind."""
    assert old in OPTION
    assert says in refusal(PLAIN + "\n" + OPTION.replace(old, new))


def test_two_options_for_one_key() -> None:
    """Whichever came last would win."""
    text = PLAIN + "\n" + OPTION + OPTION.replace("options.quiet", "options.silent")
    assert "options.silent.sets: another option sets 'draws.quiet_moves' already" in refusal(text)


@pytest.mark.parametrize(
    ("game_type", "says"),
    [
        ("26,B,8,8,A0,0", "B in it must be W: who begins"),
        ("26,W,10,8,A0,0", "10 in it must be 8: the board's width"),
        ("26,W,8,8,N2,0", "N2 in it must be A0: where the squares' numbers begin"),
        ("26,W,8,8,A0,1", "1 in it must be 0: which corner is played on"),
        ("26", "'26': written like 20,W,10,10,N2,0"),
    ],
)
def test_a_game_type_of_another_board(game_type: str, says: str) -> None:
    """PDN's type says again what the file says: files of both would be read wrongly where they differ."""
    text = PLAIN + f'\n[pdn]\ngame_type = "{game_type}"\n'
    assert f"pdn.game_type: {says}" in refusal(text) or says in refusal(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "family: must be 'draughts' or 'star'"),
        ("a = " + "[" * 5000 + "]" * 5000, "tables and lists are nested more than 8 deep"),
        (".".join("a" * 3000) + " = 1", "tables and lists are nested more than 8 deep"),
        ("[" + ".".join("a" * 3000) + "]", "tables and lists are nested more than 8 deep"),
        ("#" * (LONGEST + 1), "65537 characters; at most 65536 are allowed"),
        ("\x00", "not TOML: Invalid statement"),
        ("family = 'draughts'\nname = 1979-05-27T07:32:00Z", "name: datetime.datetime("),
    ],
)
def test_files_that_are_none(text: str, says: str) -> None:
    """Depth and size are bounded, and nothing ends in a traceback."""
    assert says in refusal(text)


def test_bytes_that_are_no_text() -> None:
    """A file is UTF-8; the mark that editors on Windows put before it is passed over."""
    with pytest.raises(VariantError, match=r"^mine.toml: not UTF-8 \(line 2\); save it as UTF-8$"):
        ruleset.text_of(b"# a\n# \xff", "mine.toml")
    text = ruleset.text_of(b"\xef\xbb\xbf" + TEXTS["data/tama.toml"].encode(), "mine.toml")
    assert variants.read(text, "mine.toml").tables == variants.load("tama").tables
    assert variants.read("\ufeff" + text, "mine.toml").tables == variants.load("tama").tables


def test_a_folder_and_a_link_to_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is named like a variant's file and cannot be read is named as well."""
    (tmp_path / "variants" / "folder.toml").mkdir(parents=True)
    (tmp_path / "variants" / "nowhere.toml").symlink_to(tmp_path / "gone")
    monkeypatch.setattr(ruleset, "files", lambda _: tmp_path)
    monkeypatch.setattr(ruleset, "_shipped", lambda: frozenset({"folder", "nowhere"}))
    for name, why in (("folder", "is a directory"), ("nowhere", "no such file or directory")):
        with pytest.raises(VariantError, match=f"^{name}.toml: cannot be read: {why}$"):
            ruleset.shipped.__wrapped__(name)


def test_names_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variant is called as its file, which can be typed."""
    names = (".", ".hidden", "Big", "a b", "ñ")
    monkeypatch.setattr(ruleset, "_shipped", lambda: frozenset(names))
    for name in names:
        with pytest.raises(
            VariantError, match=r"\.toml: the name of a file has lower-case letters, digits and hyphens$"
        ):
            ruleset.shipped.__wrapped__(name)


def test_refusals_in_the_readers_language() -> None:
    """Who writes a file is told in their own language; keys and values stay as files have them."""
    text = PLAIN.replace('moves = ["forward-diagonal"]', 'moves = ["forward"]')
    with speaking("es"):
        assert refusal(text).startswith("man.moves.0: el tablero no tiene 'forward'")
        assert "turn_back: 'no': debe ser true o false" in refusal(PLAIN.replace("back = false", 'back = "no"'))
        assert refusal(PLAIN.replace("[start]", "[start")).startswith("no es TOML: ")


def mutated(text: str, random: Random) -> str:
    """The text with a few small things changed: letters, words, lines, numbers, tables."""
    others = list(TEXTS.values())
    for _ in range(random.randint(1, 4)):
        lines = text.split("\n")
        at = random.randrange(len(lines))
        match random.randrange(10):
            case 0:
                del lines[at]
            case 1:
                lines.insert(random.randrange(len(lines)), lines[at])
            case 2:
                lines.insert(at, random.choice(random.choice(others).split("\n")))
            case 3:
                number = random.choice(["0", "-1", "7", "99", "1e9", "true", '""', "[]", "{}", "nan", "2" * 40])
                lines[at] = lines[at].partition("=")[0] + "= " + number
            case 4:
                words = lines[at].split(" ")
                random.shuffle(words)
                lines[at] = " ".join(words)
            case 5:
                lines[at] = lines[at].replace("[", random.choice(["", "[[", "{", "["]), 1)
            case 6:
                lines[at] = lines[at].replace("8", str(random.choice([3, 4, 7, 9, 10, 16, 17, -8])))
            case 7:
                lines[at] = lines[at].replace("forward", random.choice(["backward", "sideways", "forward-straight"]))
            case 8:
                lines[at] = lines[at].replace('"', random.choice(["", "'", '"""']), 1)
            case _:
                cut = random.randrange(len(lines[at]) + 1)
                lines[at] = (
                    lines[at][:cut] + chr(random.choice([0, 9, 0x7F, 0x202E, 0x1F600, 34, 61])) + lines[at][cut:]
                )
        text = "\n".join(lines)
    return text


def outcome_of(text: str) -> str:
    """The line that refuses a file; "" where it makes a game that begins."""
    try:
        variant = variants.read(text, "mine.toml")
    except VariantError as error:
        return error.message
    rules = rules_of(variant)
    state = rules.start()
    if variant.family == "draughts" and not rules.moves(state):
        return "a game without a move"
    return "" if rules.position(rules.start(rules.position(state))) == rules.position(state) else "another position"


def test_mutated_files() -> None:
    """Whatever a file has come to be, it is refused in one line, or makes a game; neither takes a second."""
    random = Random("mutated files")
    count = 200 * THOROUGH
    accepted = 0
    for number in range(count):
        text = mutated(random.choice(list(TEXTS.values())), random)
        began = time.process_time()
        says = outcome_of(text)
        assert time.process_time() - began < 1, (number, text)
        assert not says or says.startswith("mine.toml: "), (number, says, text)
        assert len(says) < 500, (number, says)
        assert "\n" not in says, (number, says)
        accepted += not says
    assert 0.05 < accepted / count < 0.6, accepted
