"""Values: frozen dataclasses, of which there are hundreds.

Python's own compiles six methods for each class when its module is imported, which was a tenth of the bot's start. Here
all share theirs, and ``__init__``, which has to know its fields, is compiled when the first value of the class is made:
most are never made before somebody plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T]) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False, eq: bool = True, slots: bool = True) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Any] | None = None, *, kw_only: bool = False, eq: bool = True, slots: bool = True) -> Any:
    """As ``dataclass(frozen=True, slots=True)``, which is read there. Without ``slots`` a value may keep what was found
    of it once (``cached_property``)."""

    def made(cls: type[Any]) -> type[Any]:
        own = set(vars(cls))
        # Else the library puts the signature there, which takes as long as all the rest.
        cls.__doc__ = cls.__doc__ or cls.__name__
        value = dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
        kept = {**_SHARED, **(_OF_SLOTS if slots else {}), **(_comparing(value) if eq else {})}
        methods = {"__init__": _compiled_when_called(value), **kept}
        for name in methods.keys() - own:
            setattr(value, name, methods[name])
        return value

    return made if cls is None else made(cls)


def _compiled_when_called(value: type[Any]) -> Callable[..., None]:
    def first(self: Any, *given: Any, **named: Any) -> None:
        value.__init__ = _init(value)
        value.__init__(self, *given, **named)

    return first


def _init(value: type[Any]) -> Callable[..., None]:
    """``__init__`` of a class: it puts what it is given where it is kept, into the slots themselves or the value's own
    names, as nothing else can."""
    known: dict[str, Any] = {"MISSING": MISSING}
    ordered: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for each in fields(value):
        slot = getattr(value, each.name, None)
        if isinstance(slot, MemberDescriptorType):
            known[f"set_{each.name}"] = slot.__set__
            kept = f"set_{each.name}(self, {{}})"
        else:
            kept = f"self.__dict__[{each.name!r}] = {{}}"
        known[f"default_{each.name}"] = each.default if each.default_factory is MISSING else each.default_factory
        made = f"default_{each.name}"
        if each.default_factory is not MISSING:
            default, held = "=MISSING", f"{made}() if {each.name} is MISSING else {each.name}"
        else:
            default, held = "" if each.default is MISSING else f"={made}", each.name
        if each.init:
            (by_name if each.kw_only else ordered).append(f"{each.name}{default}")
            body.append(kept.format(held))
        elif default:
            body.append(kept.format(made if each.default_factory is MISSING else f"{made}()"))
    if hasattr(value, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join(["self", *ordered, *(["*", *by_name] if by_name else [])])
    exec("\n ".join([f"def __init__({arguments}):", *(body or ["pass"])]), known)  # noqa: S102 - names of fields alone
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{value.__qualname__}.__init__"
    return init


@recursive_repr()
def _shown(self: Any) -> str:
    parts = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _not_set(_self: Any, name: str, _value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(_self: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, held in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, held)


_SHARED = {
    "__repr__": _shown,
    "__setattr__": _not_set,
    "__delattr__": _not_deleted,
}
_OF_SLOTS = {"__getstate__": _state, "__setstate__": _set_state}


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
