"""How the database can fail."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import StatementError

UNREADABLE: Final = (
    StatementError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""How reading a row fails in which others have written what is none of ours."""


class StoreError(Exception):
    """The database cannot be used; the text is a sentence for whoever runs the bot."""


def reason(error: BaseException) -> str:
    """What the log says of an error: where it was worded anew for people, what it was before."""
    if isinstance(error, TimeoutError):
        # Its cause is how it came about.
        return str(error) or "no answer in time"
    first = error.__cause__ or error
    return str(first) or type(first).__name__


class Changed(Exception):
    """What a transaction takes to stand in the database does not: nothing of it was stored."""


class Misplaced(StoreError):
    """There is no database where one was named. Trying again changes nothing: another place has to be named."""


class Unavailable(StoreError):
    """This transaction was not stored (disk full, read-only, locked, out of reach). Nothing is half done; a later one
    may succeed. ``in_doubt``: the connection was lost while it was being stored, so it may have been, whole."""

    def __init__(self, text: str, *, in_doubt: bool = False) -> None:
        super().__init__(text)
        self.in_doubt = in_doubt
