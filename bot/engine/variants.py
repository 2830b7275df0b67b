"""Variants: files of data in ``data/variants``, read, checked, and with the options of one game applied."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from textwrap import shorten
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from bot.engine.errors import VariantError, no_option
from bot.engine.ruleset import Ruleset
from bot.engine.ruleset import is_shipped as is_shipped
from bot.engine.ruleset import names as names
from bot.engine.ruleset import shipped as shipped
from bot.engine.variant_tables import TABLES, DraughtsTables, LineTable, OptionTable, StarTables, Tables
from bot.i18n import Phrase, _, listed_or, phrase

OptionValue = str | bool | int


@dataclass(frozen=True, slots=True)
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
        raise VariantError(template.format(name=self.name, value=repr(shorten(text, 100)), allowed=self.allowed))

    @property
    def allowed(self) -> str:
        named = [show(v) for v in self.values if not self._inside(v)]
        if self.bounds:
            named.append(_("{least} to {most}").format(least=self.bounds[0], most=self.bounds[1]))
        return listed_or(named)

    def _inside(self, value: OptionValue) -> bool:
        return self.bounds is not None and not isinstance(value, str) and self.bounds[0] <= value <= self.bounds[1]


_WORDS = {True: ("yes", "on", "1"), False: ("no", "off", "0")}


def show(value: OptionValue) -> str:
    """An option's value as files, commands and the command line write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True, eq=False)
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
    def family(self) -> Literal["draughts", "star"]:
        return self.tables.family

    @property
    def toss(self) -> bool:
        """Whether a toss decides which seat begins; else the first does."""
        return self.tables.begins == "toss"

    @property
    def rules_text(self) -> tuple[str, ...]:
        """The rules in short, as they are with the options in force."""
        return tuple(_(line if isinstance(line, str) else line.says) for line in self.tables.says if self._holds(line))

    def _holds(self, line: str | LineTable) -> bool:
        return isinstance(line, str) or all(self.options[name] == value for name, value in line.when.items())


def load(variant: str | Ruleset, options: Mapping[str, OptionValue] | None = None) -> Variant:
    """The variant of a ruleset, or the shipped one of an id, with ``options`` applied. Raises VariantError."""
    ruleset = variant if isinstance(variant, Ruleset) else shipped(variant)
    return read(ruleset.text, f"{ruleset.id}.toml", options)


def _toml(text: str, file_name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"{file_name}: not TOML: {error}") from error


def read(text: str, file_name: str, options: Mapping[str, OptionValue] | None = None) -> Variant:
    """A variant from the text of a variant file; its id is the file's name without ``.toml``.

    Raises VariantError, which names the file, the key and what is allowed there.
    """
    variant_id = file_name.rsplit("/", 1)[-1].removesuffix(".toml")
    raw, default, specs = _without_options(text, file_name)
    values: dict[str, OptionValue] = {name: spec.default for name, spec in specs.items()}
    for name, value in (options or {}).items():
        if name not in specs:
            raise no_option(variant_id, name, specs)
        values[name] = specs[name].read(value)
    chosen = {name: value for name, value in values.items() if value != specs[name].default}
    tables = default
    if chosen:
        changed = raw
        for name, value in chosen.items():
            changed = _with(changed, default.options[name].sets.split("."), value)
        try:
            tables = TABLES.validate_python(changed)
        except ValidationError as error:
            why = "; ".join(str(e["msg"]).removeprefix("Value error, ") for e in error.errors())
            raise VariantError(_("these options do not go together: {why}").format(why=why)) from error
    ruleset = Ruleset(variant_id, text)
    return Variant(ruleset, tables, MappingProxyType(specs), MappingProxyType(values), MappingProxyType(chosen))


@lru_cache(maxsize=256)
def _without_options(text: str, file_name: str) -> tuple[dict[str, Any], Tables, dict[str, OptionSpec]]:
    """What a file says before options are applied: read once, however many games are played by it."""
    raw = _toml(text, file_name)
    default = _checked(raw, file_name)
    specs = {name: _spec(name, table, raw, default, file_name) for name, table in default.options.items()}
    _check_lines(default, specs, file_name)
    return raw, default, specs


def _spec(name: str, table: OptionTable, raw: dict[str, Any], default: Tables, file_name: str) -> OptionSpec:
    value: Any = default
    for key in table.sets.split("."):
        if not hasattr(value, key) or not isinstance(value, BaseModel):
            raise VariantError(f"{file_name}: options.{name}.sets: there is no key {table.sets!r} to set")
        value = getattr(value, key)
    bounds = (table.range[0], table.range[1]) if table.range else None
    values = [*table.values, *([] if table.offered is None else [table.offered])]
    if value not in values and not (bounds and isinstance(value, int) and bounds[0] <= value <= bounds[1]):
        allowed = ", ".join(show(v) for v in values)
        raise VariantError(f"{file_name}: options.{name}: {table.sets} is {show(value)}, allowed are: {allowed}")
    ordered = (value, *(v for v in values if v != value))
    for other in ordered:
        _check_alone(_with(raw, table.sets.split("."), other), file_name)
    return OptionSpec(name=name, default=value, values=ordered, bounds=bounds, says=table.says)


def _check_lines(default: Tables, specs: Mapping[str, OptionSpec], file_name: str) -> None:
    for number, line in enumerate(default.says):
        for name, value in line.when.items() if isinstance(line, LineTable) else ():
            where = f"{file_name}: says.{number}.when.{name}"
            if name not in specs:
                raise VariantError(f"{where}: there is no such option; there are {', '.join(specs) or 'none'}")
            if value not in specs[name].values:
                allowed = ", ".join(show(v) for v in specs[name].values)
                raise VariantError(f"{where}: {show(value)} is not allowed; allowed are {allowed}")


def _with(raw: dict[str, Any], keys: list[str], value: object) -> dict[str, Any]:
    head, *rest = keys
    return {**raw, head: _with(raw.get(head, {}), rest, value) if rest else value}


def _checked(raw: dict[str, Any], file_name: str) -> Tables:
    try:
        return TABLES.validate_python(raw)
    except ValidationError as error:
        raise VariantError("; ".join(_fault(e, file_name) for e in error.errors())) from error


def _check_alone(raw: dict[str, Any], file_name: str) -> None:
    """Check one value of an option. That it does not go with the defaults of the others is no fault of the file's."""
    try:
        TABLES.validate_python(raw)
    except ValidationError as error:
        if faults := [e for e in error.errors() if e["type"] != "value_error"]:
            raise VariantError("; ".join(_fault(e, file_name) for e in faults)) from error


def _fault(error: Any, file_name: str) -> str:
    """One fault of a variant file: the file, the key and what is allowed there."""
    where = ".".join(str(part) for part in error["loc"] if part not in ("draughts", "star"))
    match error["type"]:
        case "literal_error":
            what = f"{error['input']!r} is not allowed; allowed are {error['ctx']['expected']}"
        case "extra_forbidden":
            what = f"there is no such key; allowed are {', '.join(_keys(error['loc']))}"
        case "missing":
            what = "this key is missing"
        case "union_tag_invalid" | "union_tag_not_found":
            where, what = "family", "must be 'draughts' or 'star'"
        case "value_error":
            what = str(error["msg"]).removeprefix("Value error, ")
        case _:
            what = f"{error['input']!r}: {str(error['msg'])[0].lower()}{str(error['msg'])[1:]}"
    return f"{file_name}: {where}: {what}" if where else f"{file_name}: {what}"


def _keys(location: tuple[str | int, ...]) -> list[str]:
    """The keys that are allowed in the table in which ``location`` lies."""
    model: Any = {"draughts": DraughtsTables, "star": StarTables}[str(location[0])]
    for part in location[1:-1]:
        if isinstance(part, str) and part in getattr(model, "model_fields", {}):
            annotation = model.model_fields[part].annotation
            inner = [a for a in getattr(annotation, "__args__", ()) if isinstance(a, type) and issubclass(a, BaseModel)]
            model = inner[-1] if inner else annotation
    return sorted(getattr(model, "model_fields", {}))
