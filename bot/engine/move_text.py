"""What the typed moves of every game have in common: dashes and crosses made plain, and the one turn that fits."""

from __future__ import annotations

import unicodedata

from bot.engine.errors import AmbiguousMove
from bot.engine.turns import Turn
from bot.i18n import _

# What phones and word processors make of a dash and of a cross.
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2192\u2794"), "-")
DASHES |= dict.fromkeys(map(ord, "\u00d7\u2715\u2716"), "x")


def plain(text: str) -> str:
    """``text`` in lower case, with one kind of dash and of cross, without quoting and marks of comment around it."""
    folded = unicodedata.normalize("NFKC", text.translate(DASHES).replace(">", "-")).lower().strip()
    return folded.strip("`*_~\"'").rstrip("!?.,;+#").strip()


def one(fits: tuple[Turn, ...]) -> Turn:
    """The one turn that fits. Raises AmbiguousMove where there are more."""
    if len(fits) > 1:
        listed = ", ".join(turn.text for turn in fits[:12]) + (", ..." if len(fits) > 12 else "")
        raise AmbiguousMove(_("more than one move fits: {moves}").format(moves=listed), fits)
    return fits[0]
