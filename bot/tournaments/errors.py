"""Why something in a tournament cannot be done: one sentence for the person who asked."""

from __future__ import annotations


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
