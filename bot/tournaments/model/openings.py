"""From which positions the games of a tournament begin: one for all (its theme), or one of many that is drawn by ballot
for each round or match, and that two who meet play with both colours. Pure.

What is drawn follows from a secret, which is told when the tournament is over; until then its fingerprint (SHA-256) is.
The seed of a draw is the first 16 digits of the SHA-256 of ``secret:3`` for round 3, of ``secret:W1-1.2`` for the
second two games of match W1-1. The seed, modulo the number of openings, plus 1, is the opening's number in the list.
Nobody can know a draw before it is made, and everybody can check it afterwards."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Final

from bot.support.frozen import frozen
from bot.tournaments.model.events import TournamentSettings

_SEED: Final = 16


@frozen
class Opening:
    """An opening that a game begins with: its ``text``, moves or a position, and its name, "" where it has none. Of one
    drawn by ballot: its ``number`` in the list, and the ``seed`` that it follows from."""

    text: str
    name: str = ""
    number: int = 0
    seed: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.text}" if self.name else self.text

    @classmethod
    def of(cls, written: str) -> Opening:
        """An opening as settings keep it, and directors write it: ``Edinburgh: 9-13 22-18 11-15``."""
        # In a position no blank follows a colon.
        name, __, text = written.rpartition(": ")
        return cls(text.strip(), name.strip())


def drawn(settings: TournamentSettings, what: str) -> Opening | None:
    """The opening of a round or of two games of a match, "3" or "W1-1.2"; None where games begin as ever."""
    if not settings.openings:
        return None
    if len(settings.openings) == 1:
        return Opening.of(settings.openings[0])
    seed = sha256(f"{settings.secret}:{what}".encode()).hexdigest()[:_SEED]
    number = int(seed, 16) % len(settings.openings)
    opening = Opening.of(settings.openings[number])
    return replace(opening, number=number + 1, seed=seed)


def fingerprint(settings: TournamentSettings) -> str:
    """What is told of the secret before the end."""
    return sha256(settings.secret.encode()).hexdigest()
