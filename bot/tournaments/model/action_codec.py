"""How the events of tournaments, leagues and team matches are written down."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar, get_args

from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.record import Colour, Mark


class Fields(Protocol):
    """Any dataclass: what has fields can be written down."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


A = TypeVar("A", bound=Fields)


class Actions(Generic[A]):
    """All that can happen in one kind of event: a union of dataclasses, each stored under its name with its fields."""

    def __init__(self, union: object) -> None:
        self._types: dict[str, type[A]] = {action.__name__: action for action in get_args(union)}

    def to_json(self, action: A) -> dict[str, Any]:
        """An action as plain values, for the store and for exports."""
        return {"action": type(action).__name__, **dataclasses.asdict(action)}

    def of(self, values: Mapping[str, Any]) -> A:
        """The action of plain values. Raises TournamentError for what is no action."""
        fields = dict(values)
        action_type = self._types.get(fields.pop("action", ""))
        if action_type is None:
            raise TournamentError(f"{values.get('action')!r} is no event of a tournament.")
        try:
            return action_type(**{name: _value(name, value) for name, value in fields.items()})
        except (TypeError, ValueError) as error:
            raise TournamentError(f"This is no {action_type.__name__}: {error}") from error


def _value(name: str, value: Any) -> Any:
    if name.endswith("mark"):
        return Mark(value)
    if name == "initial_colour":
        return Colour(value)
    return tuple(_value("", one) for one in value) if isinstance(value, list) else value
