"""Moments as Discord shows them: to each reader in the reader's own time."""

from __future__ import annotations

from bot.i18n import _


def moment(at: int, style: str = "R") -> str:
    """A moment (UTC, milliseconds) as Discord shows it to each reader in the reader's own time: "in 3 days"; with style
    "f" the date and time."""
    return f"<t:{at // 1000}:{style}>"


def until(due: int | None) -> str:
    """The deadline of whoever is to move, as a sentence; nothing without one."""
    if due is None:
        return ""
    return _("Time until {moment} ({from_now}).").format(moment=moment(due, "f"), from_now=moment(due))
