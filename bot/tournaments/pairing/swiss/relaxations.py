"""What had to be given up where no legal pairing was left: kept in English, said to each in its own language."""

from __future__ import annotations

from typing import Final

from bot.i18n import N_, recognised

NO_PAIRING: Final = N_("No legal pairing is left.")
FORBIDDEN: Final = N_("{one} and {other} meet although they should not.")
AGAIN: Final = N_("{one} and {other} meet again.")
COLOURS: Final = N_("{one} and {other} are both due the same colour.")
BYE: Final = N_("{one} has a bye again.")


def relaxation_of(text: str) -> str:
    """The relaxation that an English text stands for, so that it can be said in other languages."""
    return recognised(text, FORBIDDEN, AGAIN, COLOURS, BYE)
