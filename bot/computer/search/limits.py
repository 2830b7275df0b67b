"""What a search is given and what it answers, for every family of games."""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.errors import EngineError
from bot.engine.turns import Turn
from bot.support.frozen import frozen

FEWEST_BITS = 10
"""Of 2 to the power of so many positions a search remembers what they are worth, however small its limit."""


class GameOverError(EngineError):
    """There is no turn to find."""

    def __init__(self) -> None:
        super().__init__("the game is over: there is no move to find")


@frozen
class Limit:
    """How long a search may take, in seconds, positions (``nodes``) and plies (``depth``): what is spent first ends it.
    One ply is always searched, unless that alone takes half a second longer than ``seconds``: then the turn that wins
    most is taken. So it is at draughts with a ``depth`` of 0, which looks at no reply.

    ``margin``: turns that are worse than the best by no more than this get their exact score too (0: only the best
    does). ``selective``: late moves are searched less deep, which finds more in the same time; without it a finished
    depth is a plain minimax. ``table``: whether positions are remembered, which changes nothing but time.
    ``endgames``: whether endgame tables are looked into where there are any. ``without``: turns that are passed over,
    by their notation. ``continued``: whether what an earlier search of the same game found is of use to this one and
    this one's to the next; what is found then depends on those, too. ``fading``: whether a lead counts for less the
    fewer pieces are left then, in games where that wins more (see evaluation.share); scores are told in hundredths of a
    man among as many pieces as there are now.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: int = 0
    selective: bool = True
    table: bool = True
    endgames: bool = True
    without: tuple[str, ...] = ()
    continued: bool = False
    fading: bool = False

    def slots(self, most_bits: int, most_in_a_second: int) -> int:
        """How many positions a search remembers, 2 to the power of ``most_bits`` at most: a small limit needs no large
        table, which has to be made anew each turn. ``most_in_a_second``: more positions than it looks at."""
        if not self.table:
            return 0
        nodes = self.nodes
        if nodes is None and self.seconds is not None:
            nodes = int(self.seconds * most_in_a_second)
        bits = most_bits if nodes is None else (4 * nodes).bit_length()
        return 1 << min(max(bits, FEWEST_BITS), most_bits)


class SearchResult(NamedTuple):
    """The best turn and its score in hundredths of a man (of a row, on a star) for the player to move; the depth that
    was finished, the positions looked at, and the turns at the root with their scores, the best first. ``unfinished``:
    the notations of those that were not searched as deep as the best one, which their scores do not pass. Where all
    that were searched deepest lose, the best is one of the others, with its score of a ply less."""

    turn: Turn
    score: int
    depth: int
    nodes: int
    ranked: tuple[tuple[Turn, int], ...]
    unfinished: frozenset[str] = frozenset()
