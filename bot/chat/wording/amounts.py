"""Numbers of points, and places, as they are written."""

from __future__ import annotations

from fractions import Fraction

from bot.i18n import _, decimal


def amount(value: Fraction) -> str:
    """A number of points: ``3½``, or with a point where halves do not do."""
    whole, rest = divmod(value, 1)
    if rest == 0:
        return str(whole)
    return f"{whole or ''}½" if rest == Fraction(1, 2) else decimal(float(value))


def place_name(place: int) -> str:
    """One of the first three places as people say it: "1st"."""
    return (_("1st"), _("2nd"), _("3rd"))[place - 1]
