"""A round that is paired by hand as the buttons under its preview carry it, each a part: a custom id has room for 100
characters, and a round of 256 players needs up to 130 with all that one of them can say.

Discord counts characters, not bytes. The code's are ideographs, of which there are many: letters that nothing folds,
trims or turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_FIRST: Final = 0x4E00
_CHARACTERS: Final = 20_000
_COUNTED: Final = 1 << 10
"""More than there are players, groups, or players in a group."""


def encode(groups: Sequence[Sequence[int]]) -> str:
    """The code of a round: its games, tables and byes, each a group of starting numbers. Nobody is in it twice."""
    largest, most = max(map(len, groups)), max(map(max, groups))
    # Each digit with its base: first what the others are read by.
    digits = [(len(groups), _COUNTED), (largest, _COUNTED), (most, _COUNTED)]
    digits += [(len(group) - 1, largest) for group in groups]
    left = list(range(1, most + 1))
    for number in [number for group in groups for number in group]:
        digits.append((left.index(number), len(left)))
        left.remove(number)
    value = 0
    for digit, base in reversed(digits):
        value = value * base + digit
    characters = []
    while value:
        value, digit = divmod(value, _CHARACTERS)
        characters.append(chr(_FIRST + digit))
    return "".join(characters)


def decode(code: str) -> tuple[tuple[int, ...], ...]:
    """The round of a code. Raises ValueError where it is none."""
    value = 0
    for character in reversed(code):
        value = value * _CHARACTERS + ord(character) - _FIRST

    def take(base: int) -> int:
        nonlocal value
        value, digit = divmod(value, base)
        return digit

    count, largest, most = take(_COUNTED), take(_COUNTED), take(_COUNTED)
    left = list(range(1, most + 1))
    try:
        sizes = [take(largest) + 1 for _ in range(count)]
        return tuple(tuple(left.pop(take(len(left))) for _ in range(size)) for size in sizes)
    except (ZeroDivisionError, IndexError) as error:
        raise ValueError("this is no code of a round") from error


def parts(code: str, count: int) -> list[str]:
    """A code in so many parts, the last ones perhaps empty."""
    size = -(-len(code) // count)
    return [code[at * size : (at + 1) * size] for at in range(count)]
