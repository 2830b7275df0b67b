"""The text of a variant file, read into its tables: a file that cannot be is refused with one line that names the file,
the key and what is allowed there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from bot.engine.errors import VariantError
from bot.engine.variant_checks import first_fault
from bot.i18n import N_, _, listed_or

if TYPE_CHECKING:
    from pydantic import BaseModel

    from bot.engine.variant_tables import Tables

LONGEST: Final = 65_536
"""Letters that a file may have."""

DEEPEST: Final = 8
"""How deep its tables and lists may be nested."""

_MANY = "…"


def toml(text: str, file_name: str) -> dict[str, Any]:
    """What the text of a file says. A mark of the order of bytes, as editors on Windows write it, is passed over.

    Raises VariantError."""
    if len(text) > LONGEST:
        raise VariantError(
            f"{file_name}: {_('{count} characters; at most {most} are allowed').format(count=len(text), most=LONGEST)}"
        )
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(file_name, _short(str(error), 200)) from error
    except RecursionError:
        raise _too_deep(file_name) from None
    except ValueError as error:
        # Python turns no number of more than 4,300 digits into one.
        raise _not_toml(file_name, _("a number is too long")) from error
    level: list[Any] = [raw]
    for _depth in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise _too_deep(file_name)
    return raw


def _inside(value: object) -> Iterator[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (each for each in held if isinstance(each, dict | list))


def _too_deep(file_name: str) -> VariantError:
    return VariantError(f"{file_name}: {_('tables and lists are nested more than {most} deep').format(most=DEEPEST)}")


def _not_toml(file_name: str, why: str) -> VariantError:
    return VariantError(f"{file_name}: {_('not TOML: {why}').format(why=why)}")


def checked(raw: Mapping[str, Any], file_name: str) -> Tables:
    """The tables of a file, taken together too. Raises VariantError with the first fault."""
    try:
        tables = _validated(raw)
    except _Refused as refused:
        raise VariantError(_fault(refused.errors, file_name)) from refused
    if (fault := first_fault(tables)) is not None:
        raise VariantError(f"{file_name}: {fault}")
    return tables


def check_alone(raw: Mapping[str, Any], file_name: str) -> None:
    """Check one value of an option. That it does not go with the defaults of the others is no fault of the file's.

    Raises VariantError."""
    try:
        _validated(raw)
    except _Refused as refused:
        if faults := [each for each in refused.errors if each["type"] != "value_error"]:
            raise VariantError(_fault(faults, file_name)) from refused


def combined(raw: Mapping[str, Any]) -> Tables:
    """The tables with the values of options. Raises ValueError with why these do not go together."""
    try:
        tables = _validated(raw)
    except _Refused as refused:
        raise ValueError(str(refused.errors[0]["msg"]).removeprefix("Value error, ")) from refused
    if (fault := first_fault(tables)) is not None:
        raise ValueError(fault)
    return tables


class _Refused(Exception):  # noqa: N818 - what is wrong is told by its errors
    """The tables are not as they may be; ``errors`` are pydantic's."""

    def __init__(self, errors: Sequence[Any]) -> None:
        # They hold all that was written, which is not for a log.
        super().__init__()
        self.errors = errors


def _validated(raw: Mapping[str, Any]) -> Tables:
    """The tables, each by itself. Raises _Refused."""
    # They take a tenth of the bot's start to import, and no game is read before it is connected.
    from pydantic import ValidationError

    from bot.engine.variant_tables import TABLES

    try:
        return TABLES.validate_python(raw)
    except ValidationError as error:
        raise _Refused(error.errors()) from error


# Where a value may be of several kinds pydantic names each of them in the location, and has an error for each.
_KINDS = {
    "bool": N_("true or false"),
    "constrained-int": N_("a whole number"),
    "constrained-str": N_("a text"),
    "function-after[_plain(), constrained-str]": N_("a text"),
    "LineTable": N_("a table with says and when"),
    "OpeningTable": N_("a table with name and moves"),
}


_TYPES = {
    "bool_type": N_("true or false"),
    "int_type": N_("a whole number"),
    "int_from_float": N_("a whole number"),
    "float_type": N_("a number"),
    "string_type": N_("a text"),
    "list_type": N_("a list"),
    "dict_type": N_("a table"),
    "model_type": N_("a table"),
}


def _fault(errors: Sequence[Any], file_name: str) -> str:
    """The first fault of a variant file: the file, the key and what is allowed there. A key that is not known goes
    before those that are missing: it may be one of them, misspelt."""
    error = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
    location = error["loc"]
    if location and location[-1] in _KINDS and error["type"].endswith("_type"):
        same_place = [each for each in errors if each["loc"][: len(location) - 1] == location[:-1]]
        of_its_kind = [e for e in same_place if len(e["loc"]) > len(location) or not e["type"].endswith("_type")]
        if of_its_kind:
            return _fault(of_its_kind, file_name)
        kinds = listed_or([_(_KINDS[each["loc"][-1]]) for each in same_place])
        error = {**error, "type": "kinds", "msg": kinds}
    shown = [str(part) for part in location if part not in ("draughts", "star", "[key]", *_KINDS)]
    given = _short(repr(error["input"]))
    told = error.get("ctx", {})
    match error["type"]:
        case "literal_error":
            allowed = listed_or(re.split(", | or ", told["expected"]))
            what = _("{given} is not allowed; allowed are {allowed}").format(given=given, allowed=allowed)
        case "extra_forbidden":
            what = _("there is no such key; allowed are {allowed}").format(allowed=", ".join(_keys(location)))
        case "missing":
            what = _("this key is missing")
        case "union_tag_invalid" | "union_tag_not_found":
            shown, what = ["family"], _("must be 'draughts' or 'star'")
        case "value_error":
            what = str(error["msg"]).removeprefix("Value error, ")
        case "kinds":
            what = _("{given}: must be {what}").format(given=given, what=error["msg"])
        case "too_short":
            what = _("{given}: a list of {count} at least").format(given=given, count=told["min_length"])
        case "too_long":
            what = _("{given}: a list of {count} at most").format(given=given, count=told["max_length"])
        case "string_too_short":
            what = _("a text that is not empty")
        case "string_too_long":
            what = _("{given}: a text of {count} letters at most").format(given=given, count=told["max_length"])
        case "string_pattern_mismatch":
            of_key, of_type = (
                _("{given}: a name of lower-case letters, digits and _"),
                _("{given}: written like {example}"),
            )
            template = of_key if location[-1] == "[key]" else of_type
            what = template.format(given=given, example="20,W,10,10,N2,0")
        case "greater_than_equal" | "less_than_equal":
            least_or_most = _("{given}: {number} at least") if "ge" in told else _("{given}: {number} at most")
            what = least_or_most.format(given=given, number=told.get("ge", told.get("le")))
        case kind if kind in _TYPES:
            what = _("{given}: must be {what}").format(given=given, what=_(_TYPES[kind]))
        case _other:
            what = f"{given}: {error['msg']}"
    where = _short(".".join(shown), 100)
    return f"{file_name}: {where}: {what}" if where else f"{file_name}: {what}"


def _short(text: str, most: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most] + _MANY


def _keys(location: tuple[str | int, ...]) -> list[str]:
    """The keys that are allowed in the table in which ``location`` lies."""
    from bot.engine.variant_tables import DraughtsTables, StarTables

    families: dict[str, type[BaseModel]] = {"draughts": DraughtsTables, "star": StarTables}
    model = families[str(location[0])]
    for part in location[1:-1]:
        field = model.model_fields.get(str(part))
        model = next(_models(field.annotation), model) if field is not None else model
    return sorted(model.model_fields)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The tables that a type is made of."""
    if hasattr(annotation, "model_fields"):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models(inner)
