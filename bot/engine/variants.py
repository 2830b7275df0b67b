"""Variants: files of data in ``data/variants``, read, checked, and with the options of one game applied."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from bot.engine.errors import VariantError, echoed, no_option
from bot.engine.ruleset import Ruleset
from bot.engine.ruleset import is_shipped as is_shipped
from bot.engine.ruleset import names as names
from bot.engine.ruleset import shipped as shipped
from bot.engine.variant_reading import check_alone, checked, combined, toml
from bot.i18n import N_, Phrase, _, in_words_of, listed_or, phrase, sentence
from bot.support.frozen import frozen

if TYPE_CHECKING:
    from bot.engine.variant_tables import LineTable, OptionTable, Tables

OptionValue = str | bool | int


@frozen
class OptionSpec:
    """An option as people see it: ``default`` first among the ``values`` that are offered; ``bounds`` of a number;
    ``says`` what it is, in English (a message to be looked up)."""

    name: str
    default: OptionValue
    values: tuple[OptionValue, ...]
    bounds: tuple[int, int] | None
    says: str

    def read(self, value: OptionValue) -> OptionValue:
        """``value`` as the option's own type, from a TOML or JSON value or from text. Raises VariantError."""
        text = str(value).strip().lower()
        for allowed in self.values:
            if text == str(allowed).lower() or (isinstance(allowed, bool) and text in _WORDS[allowed]):
                return allowed
        if self.bounds and re.fullmatch("[0-9]{1,9}", text) and self.bounds[0] <= int(text) <= self.bounds[1]:
            return int(text)
        template = _("option {name} does not take {value}; it takes {allowed}")
        raise VariantError(template.format(name=self.name, value=repr(echoed(text)), allowed=self.allowed))

    @property
    def allowed(self) -> str:
        named = [show(v) for v in self.values if not self._inside(v)]
        if self.bounds:
            named.append(_("{least} to {most}").format(least=self.bounds[0], most=self.bounds[1]))
        return listed_or(named)

    def _inside(self, value: OptionValue) -> bool:
        return self.bounds is not None and not isinstance(value, str) and self.bounds[0] <= value <= self.bounds[1]


P = ParamSpec("P")
T = TypeVar("T")


def in_own_words(told: Callable[P, T]) -> Callable[P, T]:
    """``told`` speaks in the own words of the game that it is told of first: a variant, rules, or what has rules."""

    @wraps(told)
    def speaks(*args: P.args, **kwargs: P.kwargs) -> T:
        of: Any = getattr(args[0], "rules", args[0])
        variant: Variant = getattr(of, "variant", of)
        with in_words_of(variant.tables.vocabulary):
            return told(*args, **kwargs)

    return speaks


_WORDS = {True: ("yes", "on", "1"), False: ("no", "off", "0")}


# Values that options set, of which the rules in short do not tell.
_MEANINGS = {
    ("capture.removal", "at_once"): N_("captured pieces leave at once"),
    ("capture.removal", "at_end"): N_("captured pieces leave when the move is complete"),
    ("board.look", "lined"): N_("the board is drawn as points joined by lines"),
    ("board.look", "chequered"): N_("the board is drawn as squares"),
    ("draws.repetition", "False"): N_("the same position may come any number of times"),
    ("draws.quiet_moves", "0"): N_("any number of moves without a capture or a man's move may be made"),
    ("unused", "empty"): N_("triangles that nobody uses are empty"),
    ("unused", "filled"): N_("triangles that nobody uses hold pegs that nobody moves but anyone may hop over"),
}


def show(value: OptionValue) -> str:
    """An option's value as files, commands and the command line write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@frozen(eq=False)
class Variant:
    """One game's rules as data: a variant file with this game's options applied.

    ``options`` holds every option with the value in force, ``chosen`` those that differ from the default.
    """

    ruleset: Ruleset
    tables: Tables
    option_specs: Mapping[str, OptionSpec]
    options: Mapping[str, OptionValue]
    chosen: Mapping[str, OptionValue]

    @property
    def id(self) -> str:
        return self.ruleset.id

    @property
    def name(self) -> Phrase:
        return phrase(self.tables.name)

    @property
    @in_own_words
    def about(self) -> str:
        """What is particular about the game, in a line; nothing where its file does not say."""
        return _(self.tables.about) if self.tables.about else ""

    @property
    def family(self) -> Literal["draughts", "star"]:
        return self.tables.family

    @property
    def toss(self) -> bool:
        """Whether a toss decides which seat begins; else the first does."""
        return self.tables.begins == "toss"

    @property
    @in_own_words
    def rules_text(self) -> tuple[str, ...]:
        """The rules in short, as they are with the options in force."""
        return tuple(_(line if isinstance(line, str) else line.says) for line in self.tables.says if self._holds(line))

    @in_own_words
    def meaning(self, option: str) -> str:
        """What the value in force of an option means, as a sentence: the lines of the rules that stand for it alone,
        else what the option is about."""
        lines = [line for line in self.tables.says if not isinstance(line, str) and option in line.when]
        if holding := [_(line.says) for line in lines if self._holds(line)]:
            return " ".join(holding)
        value = self.options[option]
        if (meaning := _MEANINGS.get((self.tables.options[option].sets, str(value)))) is not None:
            return sentence(_(meaning))
        if self.tables.options[option].sets == "draws.quiet_moves":
            template = _("drawn after {count} moves by each side without a capture or a man's move")
            return sentence(template.format(count=value))
        about = _(self.option_specs[option].says)
        return sentence(_("not so: {rule}").format(rule=about) if value is False else about)

    def _holds(self, line: str | LineTable) -> bool:
        return isinstance(line, str) or all(self.options[name] == value for name, value in line.when.items())


def load(variant: str | Ruleset, options: Mapping[str, OptionValue] | None = None) -> Variant:
    """The variant of a ruleset, or the shipped one of an id, with ``options`` applied. Raises VariantError."""
    ruleset = variant if isinstance(variant, Ruleset) else shipped(variant)
    return read(ruleset.text, f"{ruleset.id}.toml", options)


def load_shipped() -> None:
    """Read the files of all shipped variants, a tenth of a second's work, so that it is done when one is wanted."""
    for name in names():
        load(name)


def read(text: str, file_name: str, options: Mapping[str, OptionValue] | None = None) -> Variant:
    """A variant from the text of a variant file; its id is the file's name without ``.toml``.

    Raises VariantError, which names the file, the key and what is allowed there.
    """
    variant_id = file_name.rsplit("/", 1)[-1].removesuffix(".toml")
    raw, default, specs = _without_options(text, file_name)
    values: dict[str, OptionValue] = {name: spec.default for name, spec in specs.items()}
    for name, value in (options or {}).items():
        if name not in specs:
            raise no_option(phrase(default.name), name, specs)
        values[name] = specs[name].read(value)
    chosen = {name: value for name, value in values.items() if value != specs[name].default}
    tables = default
    if chosen:
        changed = raw
        for name, value in chosen.items():
            changed = _with(changed, default.options[name].sets.split("."), value)
        try:
            tables = combined(changed)
        except ValueError as error:
            raise VariantError(_("these options do not go together: {why}").format(why=error)) from error
    ruleset = Ruleset(variant_id, text)
    return Variant(ruleset, tables, MappingProxyType(specs), MappingProxyType(values), MappingProxyType(chosen))


@lru_cache(maxsize=256)
def _without_options(text: str, file_name: str) -> tuple[dict[str, Any], Tables, dict[str, OptionSpec]]:
    """What a file says before options are applied: read once, however many games are played by it."""
    raw = toml(text, file_name)
    default = checked(raw, file_name)
    specs = {name: _spec(name, table, raw, default, file_name) for name, table in default.options.items()}
    _check_lines(default, specs, file_name)
    return raw, default, specs


def _spec(name: str, table: OptionTable, raw: dict[str, Any], default: Tables, file_name: str) -> OptionSpec:
    where, keys, sets = f"{file_name}: options.{name}", table.sets.split("."), repr(table.sets)
    value: Any = default
    for key in keys:
        if key not in getattr(type(value), "model_fields", ()):
            raise VariantError(f"{where}.sets: {_('there is no key {key} to set').format(key=sets)}")
        value = getattr(value, key)
    if not isinstance(value, bool | int | str) or keys[0] in _FIXED:
        raise VariantError(f"{where}.sets: {_('an option cannot set {key}').format(key=sets)}")
    if any(default.options[other].sets == table.sets for other in itertools.takewhile(name.__ne__, default.options)):
        raise VariantError(f"{where}.sets: {_('another option sets {key} already').format(key=sets)}")
    values = [*table.values, *([] if table.offered is None else [table.offered])]
    if any(type(each) is not type(value) for each in values) or (table.range and type(value) is not int):
        template = _("{key} is {value}, and its other values must be of that kind")
        raise VariantError(f"{where}: {template.format(key=table.sets, value=show(value))}")
    if len(set(values)) < len(values):
        raise VariantError(f"{where}.values: {_('a value is named twice')}")
    bounds = (table.range[0], table.range[1]) if table.range else None
    if bounds and bounds[0] > bounds[1]:
        raise VariantError(f"{where}.range: {_('the least first, then the most')}")
    if table.offered is not None and not (bounds and bounds[0] <= table.offered <= bounds[1]):
        raise VariantError(f"{where}.offered: {_('a number within the range')}")
    if value not in values and not (bounds and isinstance(value, int) and bounds[0] <= value <= bounds[1]):
        template, allowed = _("{key} is {value}, allowed are {allowed}"), ", ".join(show(v) for v in values)
        raise VariantError(f"{where}: {template.format(key=table.sets, value=show(value), allowed=allowed)}")
    ordered = (value, *(v for v in values if v != value))
    for other in (*ordered, *(bounds or ())):
        check_alone(_with(raw, keys, other), file_name)
    return OptionSpec(name=name, default=value, values=ordered, bounds=bounds, says=table.says)


# What a game is called and known by.
_FIXED = ("name", "family", "first", "pdn")


def _check_lines(default: Tables, specs: Mapping[str, OptionSpec], file_name: str) -> None:
    for number, line in enumerate(default.says):
        for name, value in line.when.items() if not isinstance(line, str) else ():
            where = f"{file_name}: says.{number}.when.{name}"
            if name not in specs:
                template = _("there is no such option; there are {names}")
                raise VariantError(f"{where}: {template.format(names=', '.join(specs) or '-')}")
            if value not in specs[name].values:
                allowed = ", ".join(show(v) for v in specs[name].values)
                template = _("{given} is not allowed; allowed are {allowed}")
                raise VariantError(f"{where}: {template.format(given=show(value), allowed=allowed)}")


def _with(raw: dict[str, Any], keys: list[str], value: object) -> dict[str, Any]:
    head, *rest = keys
    return {**raw, head: _with(raw.get(head, {}), rest, value) if rest else value}
