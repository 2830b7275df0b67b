"""Numbers of points, and places, as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bot.i18n import _, decimal


def amount(value: Fraction) -> str:
    """A number of points: ``3½``, or with a point where halves do not do."""
    whole, rest = divmod(value, 1)
    if rest == 0:
        return str(whole)
    return f"{whole or ''}½" if rest == Fraction(1, 2) else decimal(float(value))


def columns(rows: Sequence[Sequence[Fraction]]) -> list[tuple[str, ...]]:
    """The amounts of a table, those of a column in one way: with decimals throughout where halves do not do for all."""
    halves = [all(value * 2 == int(value * 2) for value in column) for column in zip(*rows, strict=True)]
    write = [amount if each else lambda value: decimal(float(value)) for each in halves]
    return [tuple(each(value) for each, value in zip(write, row, strict=True)) for row in rows]


def place_name(place: int) -> str:
    """One of the first three places as people say it: "1st"."""
    return (_("1st"), _("2nd"), _("3rd"))[place - 1]
