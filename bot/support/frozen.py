"""Values: dataclasses that nobody changes, of which there are hundreds.

A frozen dataclass of Python's library compiles six methods when its module is imported, which was a sixth of the bot's
start. Here all share theirs, but for ``__init__``, and the type checker is who sees to it that nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T]) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Any] | None = None, *, kw_only: bool = False, eq: bool = True) -> Any:
    """As ``dataclass(frozen=True, slots=True)``, which is read there."""

    def made(cls: type[Any]) -> type[Any]:
        own = set(vars(cls))
        value = dataclass(slots=True, repr=False, eq=False, kw_only=kw_only)(cls)
        methods = {"__repr__": _shown, **(_comparing(value) if eq else {})}
        for name in methods.keys() - own:
            setattr(value, name, methods[name])
        return value

    return made if cls is None else made(cls)


def _shown(self: Any) -> str:
    parts = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _comparing(value: type[Any]) -> dict[str, Callable[..., Any]]:
    """What makes those of ``value`` equal that hold the same."""
    names = [each.name for each in fields(value) if each.compare]
    # It makes a tuple of two names and more.
    held: Callable[[Any], object] = attrgetter(*names, names[0]) if names else lambda _value: ()

    def equal(self: Any, other: object) -> bool:
        return held(self) == held(other) if type(self) is type(other) else NotImplemented

    def hashed(self: Any) -> int:
        return hash(held(self))

    return {"__eq__": equal, "__hash__": hashed}
