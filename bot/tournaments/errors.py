"""Why something in a tournament cannot be done: one sentence for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.i18n import N_

# What is said in several places.
NOT_RUNNING: Final = N_("The tournament is not running.")
BEGUN: Final = N_("The tournament has begun already.")
NOT_ENTERED: Final = N_("This player has not entered.")
NO_RESULTS: Final = N_("There are games without a result. Wait for them, or enter the results.")
NO_RETURN: Final = N_("In an elimination, players who have left cannot come back.")
IS_OVER: Final = N_("The tournament is over. Undo its end first: `/tournament manage`.")
NOT_IN_A_MATCH: Final = N_(
    "In a team match each side names its own players. Change them with `/teams lineup` as long as nobody has moved on "
    "their board; after that enter the result."
)
NO_ROUNDS: Final = N_("Rounds are paired by hand in a Swiss, in a round robin and at tables.")


class TournamentError(Exception):
    """Base of all refusals; ``message`` is a sentence for people."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NoPairing(TournamentError):
    """The round cannot be paired, whatever is given up."""


class TrfError(TournamentError):
    """A tournament report file that cannot be read; ``line`` and ``column`` count from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
