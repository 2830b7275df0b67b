"""The text of a variant file, read into its tables: a file that cannot be is refused with one line that names the file,
the key and what is allowed there."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from bot.engine.errors import VariantError
from bot.engine.variant_checks import first_fault
from bot.engine.variant_tables import TABLES, DraughtsTables, StarTables, Tables

LONGEST: Final = 65_536
"""Letters that a file may have."""

DEEPEST: Final = 8
"""How deep its tables and lists may be nested."""

_MANY = "…"


def toml(text: str, file_name: str) -> dict[str, Any]:
    """What the text of a file says. A mark of the order of bytes, as editors on Windows write it, is passed over.

    Raises VariantError."""
    if len(text) > LONGEST:
        raise VariantError(f"{file_name}: {len(text)} letters; {LONGEST} at most are allowed")
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"{file_name}: not TOML: {_short(str(error), 200)}") from error
    except RecursionError:
        raise _too_deep(file_name) from None
    except ValueError as error:
        # Python turns no number of more than 4,300 digits into one.
        raise VariantError(f"{file_name}: not TOML: a number is too long") from error
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
    return VariantError(f"{file_name}: tables and lists are nested more than {DEEPEST} deep")


def checked(raw: Mapping[str, Any], file_name: str) -> Tables:
    """The tables of a file, taken together too. Raises VariantError with the first fault."""
    tables = _validated(raw, file_name)
    if (fault := first_fault(tables)) is not None:
        raise VariantError(f"{file_name}: {fault}")
    return tables


def check_alone(raw: Mapping[str, Any], file_name: str) -> None:
    """Check one value of an option. That it does not go with the defaults of the others is no fault of the file's.

    Raises VariantError."""
    try:
        TABLES.validate_python(raw)
    except ValidationError as error:
        if faults := [each for each in error.errors() if each["type"] != "value_error"]:
            raise VariantError(_fault(faults, file_name)) from error


def combined(raw: Mapping[str, Any]) -> Tables:
    """The tables with the values of options. Raises ValueError with why these do not go together."""
    try:
        tables = TABLES.validate_python(raw)
    except ValidationError as error:
        raise ValueError(str(error.errors()[0]["msg"]).removeprefix("Value error, ")) from error
    if (fault := first_fault(tables)) is not None:
        raise ValueError(fault)
    return tables


def _validated(raw: Mapping[str, Any], file_name: str) -> Tables:
    try:
        return TABLES.validate_python(raw)
    except ValidationError as error:
        raise VariantError(_fault(error.errors(), file_name)) from error


# Where a value may be of several kinds pydantic names each of them in the location, and has an error for each.
_KINDS = {
    "bool": "true or false",
    "constrained-int": "a whole number",
    "constrained-str": "a text",
    "function-after[_plain(), constrained-str]": "a text",
    "LineTable": "a table with says and when",
    "OpeningTable": "a table with name and moves",
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
        kinds = " or ".join(_KINDS[each["loc"][-1]] for each in same_place)
        error = {**error, "type": "value_error", "msg": f"{_short(repr(error['input']))}: must be {kinds}"}
    shown = [str(part) for part in location if part not in ("draughts", "star", *_KINDS)]
    given = _short(repr(error["input"]))
    match error["type"]:
        case "literal_error":
            what = f"{given} is not allowed; allowed are {error['ctx']['expected']}"
        case "extra_forbidden":
            what = f"there is no such key; allowed are {', '.join(_keys(location))}"
        case "model_type" | "dict_type":
            what = f"{given}: must be a table"
        case "missing":
            what = "this key is missing"
        case "union_tag_invalid" | "union_tag_not_found":
            shown, what = ["family"], "must be 'draughts' or 'star'"
        case "value_error":
            what = str(error["msg"]).removeprefix("Value error, ")
        case _:
            what = f"{given}: {str(error['msg'])[0].lower()}{str(error['msg'])[1:]}"
    where = _short(".".join(shown), 100)
    return f"{file_name}: {where}: {what}" if where else f"{file_name}: {what}"


def _short(text: str, most: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most] + _MANY


def _keys(location: tuple[str | int, ...]) -> list[str]:
    """The keys that are allowed in the table in which ``location`` lies."""
    families: dict[str, type[BaseModel]] = {"draughts": DraughtsTables, "star": StarTables}
    model = families[str(location[0])]
    for part in location[1:-1]:
        field = model.model_fields.get(str(part))
        model = next(_models(field.annotation), model) if field is not None else model
    return sorted(model.model_fields)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The tables that a type is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models(inner)
