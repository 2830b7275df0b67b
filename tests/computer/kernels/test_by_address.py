"""Named tuples that compiled functions are handed as one address."""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

import pytest

from bot.computer.kernels.by_address import ByAddress

pytest.importorskip("numba")


class Things(NamedTuple):
    few: int
    words: Any
    bytes: Any
    many: int


class Others(NamedTuple):
    words: Any
    many: int


def add_up(t: Things, at: int) -> int:
    """Everything there is, and the last word becomes what is to be found."""
    found: int = t.few + t.many + t.words[at] + t.bytes[0]
    t.words[-1] = found
    return found


def compiled(function: Any) -> Any:
    return importlib.import_module("numba").njit(_nrt=False)(function)


def things(few: int, words: list[int], many: int) -> ByAddress:
    np = importlib.import_module("numpy")
    return ByAddress(Things(few, np.array(words, np.int64), np.array([200], np.uint8), many))


def test_fields_are_those_of_the_tuple() -> None:
    """A compiled function reads integers and arrays and writes into them, in the tuples that it is given."""
    function = compiled(add_up)
    one, other = things(1, [7, 8, 9], -(1 << 63)), things(-5, [4, 1 << 62], 3)
    assert function(one, 1) == 1 - (1 << 63) + 8 + 200
    assert function(other, 0) == -5 + 3 + 4 + 200
    assert list(one.words) == [7, 8, 209 - (1 << 63)]
    assert (other.few, list(other.words), list(other.bytes), other.many) == (-5, [4, 202], [200], 3)
    assert len(function.signatures) == 1


def test_tuples_with_other_fields_are_told_apart() -> None:
    """A function that is handed another tuple is compiled for its fields."""
    np = importlib.import_module("numpy")

    def first(t: Any) -> int:
        found: int = t.words[0] + t.many
        return found

    function = compiled(first)
    assert function(things(1, [7], 2)) == 9
    assert function(ByAddress(Others(np.array([5, 6], np.int32), 20))) == 25
    assert len(function.signatures) == 2


def test_a_field_that_is_not_there() -> None:
    """A function that reads what the tuple does not have cannot be compiled."""

    def wrong(t: Any) -> int:
        found: int = t.nothing
        return found

    numba = importlib.import_module("numba")
    with pytest.raises(numba.core.errors.TypingError):
        compiled(wrong)(things(1, [7], 2))
