"""How long captures are searched for: counted in steps, so that every machine finds the same."""

from __future__ import annotations

from typing import Final

QUICK: Final = 4_000
"""Steps of the search for captures that take some 10 ms; positions of real games take some tens."""
MOST: Final = 400_000
"""Steps after which a search for captures breaks off, some seconds' work. Of the games that are shipped Canadian
draughts needs most, in positions made to be slow; a file may describe a game in which it would never end."""


class SearchLimitError(Exception):
    """A position has more captures than could be searched in the steps that were allowed."""


class Budget:
    """How many steps a search for captures may still take, of all pieces together: a place looked around from is one,
    and so is each landing. When they are used up a ``strict`` search raises SearchLimitError; any other breaks off, and
    the captures are those found by then, as far as they go."""

    def __init__(self, steps: int | None = None, *, strict: bool = False) -> None:
        """``steps``: MOST where it is not said."""
        self.left = MOST if steps is None else steps
        self._strict = strict

    def spend(self, steps: int) -> bool:
        """Take so many steps. Whether they were there."""
        self.left -= steps
        if self.left < 0 and self._strict:
            raise SearchLimitError
        return self.left >= 0
