"""What a server may write as a variant of its own: how long and how large its file is, and how it may call itself.

A file that anybody wrote is read on everybody's machine. Its tables are held to bot.engine.variant_tables as those of
any file; here stand the bounds that the files that are shipped need not be told of.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from bot.engine import variants
from bot.engine.errors import EngineError, VariantError
from bot.engine.registry import rules_of
from bot.engine.ruleset import MOST_BYTES, OF_SERVER, Ruleset, names
from bot.engine.variant_search import folded, shipped
from bot.engine.variants import Variant
from bot.i18n import _, ngettext

LONGEST_ID: Final = 32
LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 300
MOST_LINES: Final = 30
MOST_ALIASES: Final = 10
MOST_OPTIONS: Final = 10
MOST_VALUES: Final = 12
MOST_ENDINGS: Final = 20
MOST_BALLOTS: Final = 200

_ID = rf"[a-z][a-z0-9-]{{0,{LONGEST_ID - 1}}}"
_OPTION = r"[a-z][a-z0-9_]{0,19}"
# No sign that Discord makes something of: no mention, link, code, bold, heading, quote, spoiler.
_IN_NAMES = frozenset(" -'’.,()!&+·")  # noqa: RUF001
_IN_LINES = _IN_NAMES | frozenset(':;?"%=–—…×½“”«»¿¡')  # noqa: RUF001
_MOST_MARKS = 2

# Letters of other scripts that look like Latin ones, and digits that do.
_LOOKS: Final = dict(
    zip(
        map(ord, "авеёікмнорстухѕјһαβεικμορτυχոսօ01i"),  # noqa: RUF001
        "abeelkmhopctyxsjhabelkmoptuxnuooll",
        strict=True,
    )
)


def own_variant(text: str, name: str, server: int) -> Variant:
    """The variant that a server writes as ``text`` and calls ``name``. It is playable as it stands, with every value of
    its options. Takes some tenths of a second: call it beside the event loop.

    Raises VariantError with a sentence for whoever wrote it."""
    if not re.fullmatch(_ID, name):
        template = _(
            "Name a variant with lower-case letters, digits and hyphens, at most {most}, such as `house-dama`."
        )
        raise VariantError(template.format(most=LONGEST_ID))
    if name in names():
        raise VariantError(_("{name} is one of the built-in games. Choose another name.").format(name=f"`{name}`"))
    if len(text.encode()) > MOST_BYTES:
        raise VariantError(_("The file is too long: {most} bytes at most.").format(most=f"{MOST_BYTES:,}"))
    try:
        variants.read(text, f"{name}.toml")  # a fault is told by the name that people know
        variant = variants.load(Ruleset(f"{name}{OF_SERVER}{server}", text))
    except (RecursionError, ValueError) as error:
        raise VariantError(_("This is not valid TOML: {why}.").format(why=error)) from error
    for fault in _faults(variant):
        raise VariantError(fault)
    _play(variant)
    return variant


def imitated(name: str) -> str | None:
    """The id of the shipped game that ``name`` could be taken for; None where it is a name of its own."""
    looks = _looks(name)
    return next((each.id for each in shipped() if looks in map(_looks, each.names)), None)


def _looks(name: str) -> str:
    """What a name looks like: letters that look alike are one."""
    return folded(folded(name).translate(_LOOKS)).replace(" ", "")


def _faults(variant: Variant) -> Iterator[str]:
    """What is wrong with a file whose tables are right, as sentences."""
    tables = variant.tables
    sides = tables.sides if tables.family == "draughts" else []
    lines = [line if isinstance(line, str) else line.says for line in tables.says]
    lines += [option.says for option in tables.options.values()]
    bounds = {
        "aliases": (len(tables.aliases), MOST_ALIASES),
        "says": (len(tables.says), MOST_LINES),
        "options": (len(tables.options), MOST_OPTIONS),
        "options.values": (max((len(each.values) for each in tables.options.values()), default=0), MOST_VALUES),
    }
    if tables.family == "draughts":
        bounds["draws.endings"] = (len(tables.draws.endings), MOST_ENDINGS)
        bounds["ballots.openings"] = (len(tables.ballots.openings) if tables.ballots else 0, MOST_BALLOTS)
    for key, (count, most) in bounds.items():
        if count > most:
            template = ngettext("{key}: {most} at most, not {count}.", "{key}: {most} at most, not {count}.", most)
            yield template.format(key=f"`{key}`", most=most, count=count)
    named = [("name", tables.name), *(("aliases", alias) for alias in tables.aliases), *(("sides", s) for s in sides)]
    for key, name in named:
        yield from _text_faults(key, name, LONGEST_NAME, _IN_NAMES)
        if key != "sides" and (game := imitated(name)) is not None:
            yield _("{key}: {name} is one of the built-in games ({game}). Choose another name for yours.").format(
                key=f"`{key}`", name=f"“{name}”", game=f"`{game}`"
            )
    if len(set(map(_looks, sides))) < len(sides):
        yield _("{key}: the sides need names that can be told apart.").format(key="`sides`")
    for line in lines:
        yield from _text_faults("says", line, LONGEST_LINE, _IN_LINES)
    for option in tables.options:
        if not re.fullmatch(_OPTION, option):
            yield _("{key}: only lower-case letters, digits and _, at most 20.").format(key="`options`")


def _text_faults(key: str, text: str, longest: int, signs: frozenset[str]) -> Iterator[str]:
    key = f"`{key}`"
    if not text.strip() or len(text) > longest:
        yield _("{key}: between 1 and {longest} characters.").format(key=key, longest=longest)
    marks = 0
    for character in text:
        kind = unicodedata.category(character)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > _MOST_MARKS or not (kind[0] in "LMN" or character in signs):
            shown = character if character.isprintable() and character != "`" else f"U+{ord(character):04X}"
            yield _("{key}: letters, digits and common punctuation, not {sign}.").format(key=key, sign=f"`{shown}`")
            return
    for word in text.split():
        scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}
        if len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN"}) > 1:
            yield _("{key}: use one alphabet within a word.").format(key=key)


def _play(variant: Variant) -> None:
    """Raises VariantError where the game cannot begin, as it stands or with a value of an option."""
    for name, spec in [("", None), *variant.option_specs.items()]:
        for value in (None,) if spec is None else spec.values:
            options = {} if value is None else {name: value}
            where = "" if value is None else f"`{name}={variants.show(value)}`: "
            try:
                rules = rules_of(variants.load(variant.ruleset, options))
                state = rules.start()
                if state.outcome is not None or not rules.quick(state) or not rules.turns(state):
                    raise VariantError(
                        where + _("the game would be over before it begins, or its moves cannot be worked out.")
                    )
            except EngineError as error:
                raise VariantError(where + error.message) from error
