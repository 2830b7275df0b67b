"""What processes on one PostgreSQL tell each other: that something has changed, by NOTIFY."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection

CHANNEL: Final = "damero"
_TELL: Final = sa.text("SELECT pg_notify(CAST(:channel AS text), CAST(:told AS text))")


class Word(NamedTuple):
    """What a process tells the others: that something (``about``) with an id has changed."""

    about: str
    id: int = 0


EVERYTHING_MISSED: Final = Word("everything")
"""Told by a process to itself: for a while nothing was heard, so anything may have changed."""


class Notifications:
    """Those of one process, whose sign is in what it tells: it does not hear itself."""

    def __init__(self, sign: str) -> None:
        self._sign = sign
        self._ears: list[Callable[[Word], None]] = []

    async def tell(self, tx: AsyncConnection, words: Iterable[Word]) -> None:
        """Let the other processes hear, when ``tx`` is committed."""
        for word in words:
            told = f"{self._sign} {word.id} {word.about}"
            await tx.execute(_TELL, {"channel": CHANNEL, "told": told})

    def hear(self, told: Callable[[Word], None]) -> None:
        """Let ``told`` be called with what other processes tell, from now on."""
        self._ears.append(told)

    def received(self, _driven: object, _process: int, _channel: str, told: object) -> None:
        """What the driver calls with each notification on CHANNEL."""
        sign, number, about = str(told).split(" ", 2)
        if sign != self._sign:
            self.say(Word(about, int(number)))

    def say(self, word: Word) -> None:
        """To who hears in this process."""
        for told in self._ears:
            told(word)
