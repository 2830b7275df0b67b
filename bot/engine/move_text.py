"""What the typed moves of every game have in common: dashes and crosses made plain, and the one turn that fits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from bot.engine.errors import AmbiguousMove, BadOrder, MoveError
from bot.engine.turns import Turn
from bot.i18n import _

HUFF = "soplar|soplo|sopla|huff"
"""A pattern of the words that take a piece off which could have captured."""

# What phones and word processors make of a dash and of a cross.
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2192\u2794"), "-")
DASHES |= dict.fromkeys(map(ord, "\u00d7\u2715\u2716"), "x")


# A turn's number before it, as game records have it: "1. c3-d4", "1... b6-a5".
_NUMBER = re.compile(r"[0-9]{1,3}\.{1,3} *(?=[a-q][0-9]|[0-9]+ *[-x:])")
# What people write before and between two squares; between two numbers a comma or a stroke may be anything.
_TO = " +(?:to|a|hasta|sa|hanggang|դեպի) +(?=[a-q]?[0-9])"
_FROM = re.compile(f"(?:from|de|desde|mula sa) +(?=[a-q]?[0-9]{{1,2}}{_TO})")
_BETWEEN = f"(?<=[0-9]){_TO}|(?:(?<=[a-q][0-9])|(?<=[a-q][0-9]{{2}})) *[,/] *(?=[a-q][0-9])"


def plain(text: str) -> str:
    """``text`` in lower case, with one kind of dash and of cross, and squares that words or strokes part parted by
    spaces; without its number, quoting and marks of comment around it."""
    folded = unicodedata.normalize("NFKC", text.translate(DASHES).replace(">", "-")).lower().strip()
    stripped = folded.strip("`*_~\"'").rstrip("!?.,;+#").strip()
    for before in (_NUMBER, _FROM):
        stripped = stripped[found.end() :] if (found := before.match(stripped)) else stripped
    return re.sub(_BETWEEN, " ", stripped)


def with_example(error: MoveError, turns: Iterable[Turn]) -> MoveError:
    """``error`` of a text that could not be read, with moves after it that may be played: one and, where there is one
    of several jumps or hops, that."""
    listed = list(turns)
    if not listed or isinstance(error, BadOrder):
        return error
    chain = next((turn.text for turn in listed if len(turn.path) > 2), None)
    step = next((turn.text for turn in listed if len(turn.path) == 2), None)
    if step is not None and chain is not None:
        how = _("Type a move such as {move} or {chain}.").format(move=step, chain=chain)
    else:
        how = _("Type a move such as {move}.").format(move=step or chain)
    return type(error)(f"{error.sentence} {how}")


def one(fits: tuple[Turn, ...]) -> Turn:
    """The one turn that fits. Raises AmbiguousMove where there are more."""
    if len(fits) > 1:
        listed = ", ".join(turn.text for turn in fits[:12]) + (", ..." if len(fits) > 12 else "")
        raise AmbiguousMove(_("more than one move fits: {moves}").format(moves=listed), fits)
    return fits[0]
