"""What charts show: brackets, podiums, tables and graphs, before they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T")
COLUMNS = 4
"""Of a bracket, at most in one picture."""
PAGE = 24
"""Lines on one page of a table at most; more players are spread evenly over several pages."""


class Slot(NamedTuple):
    """A place in a match: who stands there, or (``known`` false) in words where that player comes from. ``score``:
    games won, where more than one was played. ``won``, ``out``: how the match ended. ``fallback`` stands in for a name
    that cannot be written."""

    name: str
    fallback: str = ""
    score: str = ""
    won: bool = False
    out: bool = False
    known: bool = True


class Match(NamedTuple):
    """A match, or a bye. ``key`` is written above it; ``live``: it is being played."""

    key: str
    slots: tuple[Slot, Slot]
    live: bool = False


class Bracket(NamedTuple):
    """One picture of a bracket. ``columns``: up to four, the first round first, matches from above; a column has half
    the matches of the one before it (two of them lead to one), or as many (one leads to one). ``heads``: one for each
    column. ``third``: a match below the last one that nothing leads to. ``champion``: who has won it all."""

    title: str
    note: str
    heads: tuple[str, ...]
    columns: tuple[tuple[Match, ...], ...]
    third: Match | None = None
    third_head: str = ""
    champion: str = ""


class Step(NamedTuple):
    """Who has a ``place``, 1 to 3, each with what stands in for a name that cannot be written; ``note``: with what."""

    place: int
    names: tuple[tuple[str, str], ...]
    note: str = ""


class Podium(NamedTuple):
    """The steps on which anybody stands."""

    title: str
    note: str
    steps: tuple[Step, ...]


class Line(NamedTuple):
    """A player's line. ``medal``: 1 to 3, 0 for none. ``change``: places gained (negative: lost) since the table
    before; None where there was none. ``faded``: who has left. ``fallback`` stands in for a name that cannot be
    written, the table's ``player`` and the rank where there is none."""

    rank: int
    name: str
    values: tuple[str, ...]
    medal: int = 0
    change: int | None = None
    faded: bool = False
    fallback: str = ""


class Table(NamedTuple):
    """Standings or a leaderboard. ``headings``: one for each value; the first is what lines are ranked by.
    ``player``: the heading of names."""

    title: str
    note: str
    player: str
    headings: tuple[str, ...]
    lines: tuple[Line, ...]


Kind = Literal["won", "drawn", "lost", "free", "self", ""]


class Cell(NamedTuple):
    """A player's round, or the games against another player. ``result``: "1", "½", "0", "+", "1 0"; ``opponent``: the
    number of the opponent's line ("12"; "" in a table of everybody against everybody); ``colour``: the player's own."""

    result: str = ""
    kind: Kind = ""
    opponent: str = ""
    colour: Literal["white", "black", "red", ""] = ""


class CrossLine(NamedTuple):
    """A player's line of a cross-table, with a cell for each heading. ``fallback``: as in Line."""

    rank: int
    name: str
    points: str
    cells: tuple[Cell, ...]
    medal: int = 0
    fallback: str = ""


class CrossTable(NamedTuple):
    """Who played whom. ``headings``: rounds, or the numbers of the lines. ``player``, ``points``: those headings."""

    title: str
    note: str
    player: str
    points: str
    headings: tuple[str, ...]
    lines: tuple[CrossLine, ...]


class Turning(NamedTuple):
    """A turn to be marked: its ply (1 for the first turn) and what is written beside it (``c3-d4?``; may be empty)."""

    ply: int
    label: str = ""


class Evaluation(NamedTuple):
    """How a finished game went.

    ``values``: one for each position, the start first, after each turn another, from -1 (the second player has won) by
    0 (even) to 1 (the first player has won). None where nothing is known: the line goes straight on. ``names``: both
    players', in turn order; ``notes``: a short text after each name, such as the accuracy. ``sides``: what the two are
    called where a name cannot be written ("White"). ``title``, ``note``: the lines above, may be empty. ``axis``: the
    words under the graph ("Turns 1 to 44"); ``better``: what it means that the line is high, and low, may be empty."""

    values: tuple[float | None, ...]
    names: tuple[str, str]
    sides: tuple[str, str]
    notes: tuple[str, str] = ("", "")
    turnings: tuple[Turning, ...] = ()
    title: str = ""
    note: str = ""
    axis: str = ""
    better: tuple[str, str] = ("", "")


class Race(NamedTuple):
    """How a finished game of several went.

    ``values``: for each position, the start first, how far each player had come, from 0 (nowhere) to 1 (home).
    ``names``: the players', in turn order; ``sides``: what they are called where a name cannot be written; ``notes``: a
    short text after each name. ``turnings``: marked on the line of the player who is named beside each, by number.
    ``title``, ``axis``: the line above and the word under the graph."""

    values: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    sides: tuple[str, ...]
    notes: tuple[str, ...]
    turnings: tuple[tuple[Turning, int], ...] = ()
    title: str = ""
    axis: str = ""


class RatingPoint(NamedTuple):
    """A rating after a game: when (UTC, any unit), the value, and the deviation (0: not shown)."""

    at: float
    value: float
    deviation: float = 0.0


class RatingCurve(NamedTuple):
    """A rating over time, oldest first. ``first`` and ``last`` are the dates to be written at the ends; ``now`` is
    what is written beside the last point ("1643")."""

    points: tuple[RatingPoint, ...]
    title: str
    note: str = ""
    first: str = ""
    last: str = ""
    now: str = ""


def page_count(lines: int) -> int:
    """How many pages so many lines take; one where there are none."""
    return max(1, -(-lines // PAGE))


def paged(lines: Sequence[T]) -> list[Sequence[T]]:
    """Lines in as few pages as there must be, all nearly as long."""
    count = page_count(len(lines))
    size = max(1, -(-len(lines) // count))
    return [lines[at : at + size] for at in range(0, max(1, len(lines)), size)]
