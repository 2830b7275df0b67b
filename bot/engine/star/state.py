"""Where a game of Chinese checkers stands."""

from __future__ import annotations

from bot.engine.star.movegen import Pegs, StarTurn
from bot.engine.turns import Outcome
from bot.support.frozen import frozen


@frozen
class StarState:
    """A game of Chinese checkers at one moment.

    ``home``: the seats that came home, in that order; with ``places`` the others play on. ``left``: the seats that
    resigned or ran out of time, ``reasons`` why, each a sentence's part. ``passed``: the seats that had no legal move
    and were passed over just now.
    """

    pegs: Pegs
    seat: int
    outcome: Outcome | None = None
    last: StarTurn | None = None
    notices: tuple[str, ...] = ()
    home: tuple[int, ...] = ()
    left: frozenset[int] = frozenset()
    reasons: tuple[str, ...] = ()
    passed: tuple[int, ...] = ()
