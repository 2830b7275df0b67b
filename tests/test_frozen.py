"""Values: what a frozen dataclass of Python's library does, done with fewer methods of their own."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import pytest

from bot.support.frozen import frozen


@dataclass(frozen=True, slots=True)
class Read:
    """A value of Python's library."""

    name: str
    line: int = field(default=0, compare=False)
    parts: tuple[int, ...] = field(default=(), repr=False)


@frozen
class Ours:
    """The same."""

    name: str
    line: int = field(default=0, compare=False)
    parts: tuple[int, ...] = field(default=(), repr=False)


@frozen
class Longer(Ours):
    """One that has more."""

    end: int = 0


@frozen
class Made:
    """One with a value that is made anew for each, and one that nobody gives."""

    given: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list, init=False)
    fixed: int = field(default=7, init=False)


@frozen
class Checked:
    """One that looks at what it is given."""

    name: str

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("no name")


@frozen
class Empty:
    """One that holds nothing."""


@frozen(kw_only=True)
class Named:
    """One whose values are given by name."""

    value: float


@frozen(eq=False)
class Itself:
    """One that is equal to nothing else."""

    name: str


@frozen(slots=False)
class Keeping:
    """One that keeps what was found of it."""

    name: str
    parts: list[int] = field(default_factory=list)

    @cached_property
    def found(self) -> object:
        return object()


@frozen(kw_only=True, slots=False)
class KeepingMore(Keeping):
    """One that has more."""

    end: int


ALIKE = [("a",), ("a", 1), ("b",), ("a", 0, (1, 2))]


@pytest.mark.parametrize("one", ALIKE)
@pytest.mark.parametrize("other", ALIKE)
def test_values_are_equal_as_those_of_the_library(one: tuple[str], other: tuple[str]) -> None:
    """By the fields that are compared, and their hashes with them."""
    assert (Read(*one) == Read(*other)) == (Ours(*one) == Ours(*other))
    if Ours(*one) == Ours(*other):
        assert hash(Ours(*one)) == hash(Ours(*other))


def test_values_are_shown_as_those_of_the_library() -> None:
    """By name and fields, but for those that are kept out."""
    assert repr(Read("a", 1, (2,))).replace("Read", "Ours") == repr(Ours("a", 1, (2,)))
    assert "Empty()" == repr(Empty())


def test_only_values_of_one_class_are_equal() -> None:
    """One with more fields is another value, and so is anything that is none."""
    assert Ours("a") != Longer("a")
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert Named(value=1.0) == Named(value=1.0)
    itself = Itself("a")
    assert itself == itself
    assert itself != Itself("a")
    assert {itself} == {itself}


def test_values_have_no_room_for_more() -> None:
    """An attribute that was not declared cannot be set."""
    with pytest.raises(AttributeError):
        Ours("a").other = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", [Ours("a"), Longer("a"), Named(value=1.0), Itself("a"), Empty(), Keeping("a")])
def test_values_cannot_be_changed(value: Ours | Named | Itself | Empty | Keeping) -> None:
    """Neither set nor deleted, with the library's error for it."""
    for name in ("name", "value", "other"):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(value, name, "b")
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(value, name)


def test_values_are_given_as_to_those_of_the_library() -> None:
    """In order or by name, with what is left out as it was declared; all else is refused."""
    assert Ours("a", 0, ()) == Ours(name="a")
    assert (7, []) == (Made().fixed, Made().kept)
    assert Made().given is not Made().given
    assert [1] == Made([1]).given
    kinds: tuple[tuple[type[Any], tuple[Any, ...], dict[str, Any]], ...] = (
        (Ours, (), {}),
        (Ours, ("a", 1, (), 2), {}),
        (Ours, ("a",), {"end": 1}),
        (Named, (1.0,), {}),
        (Made, (), {"fixed": 1}),
    )
    for kind, given, named in kinds:
        with pytest.raises(TypeError, match="__init__"):
            kind(*given, **named)
    with pytest.raises(ValueError, match="no name"):
        Checked("")


def test_the_library_takes_values_for_its_own() -> None:
    """They are copied, replaced, pickled and taken apart as any dataclass is."""
    value = Longer("a", 1, (2,), 3)
    assert Longer("a", 1, (2,), 4) == replace(value, end=4)
    assert {"name": "a", "line": 1, "parts": (2,), "end": 3} == asdict(value)
    assert value == copy.deepcopy(value) == pickle.loads(pickle.dumps(value))
    match value:
        case Longer(name, _line, parts):
            assert ("a", (2,)) == (name, parts)


def test_values_without_slots_keep_what_was_found() -> None:
    """It is found once, is no part of what they are, and is not taken over by another value."""
    value = KeepingMore("a", [1], end=2)
    found = value.found
    assert found is value.found
    assert value == KeepingMore("a", [1], end=2) != Keeping("a", [1])
    assert found is not replace(value, end=3).found
    assert {"name": "a", "parts": [1], "end": 2} == asdict(value)
    assert value == copy.deepcopy(value)
    assert "KeepingMore(name='a', parts=[1], end=2)" == repr(value)
