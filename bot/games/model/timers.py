"""The timers of games, people and servers: their kinds, of each of which a subject has one at most, and what those say
that say anything. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.games.model.deadlines import Stage
from bot.games.model.game import Status
from bot.support.frozen import frozen

CLOCK: Final = "clock"
"""Each running game with a clock has one: when there is next anything to do about the player to move."""

PING: Final = "ping"
"""Of a game in which notifications are held back."""

DIGEST: Final = "digest"
"""Of a person: the next daily digest."""

BACK: Final = "back"
"""Of a person: the end of their vacation."""

SERVER: Final = "server"
"""Of a server that has removed the bot: when its settings are deleted."""


@frozen
class ClockTimer:
    """What a CLOCK is set for: the ``stage`` that is reached then, and when the player to move must have moved (None
    while time stands still)."""

    stage: Stage = "end"
    due: int | None = None

    @staticmethod
    def of(payload: Mapping[str, Any]) -> ClockTimer:
        """What is stored, as a value."""
        return ClockTimer(payload.get("stage", "end"), payload.get("due"))

    def to_json(self) -> dict[str, Any]:
        return {"stage": self.stage, "due": self.due}


@frozen
class HeldBack:
    """What a PING is set for: ``people`` with the ends of their quiet hours; how the game stood when there was last
    news for them, and ``since`` when there is."""

    people: Mapping[int, int]
    ply: int
    status: Status
    since: int

    @staticmethod
    def of(payload: Mapping[str, Any], at: int) -> HeldBack:
        """What is stored of a timer that is set for ``at``, as a value; the first versions kept one person's."""
        people = payload.get("people", {payload.get("person", 0): at})
        until = {int(person): int(end) for person, end in people.items()}
        return HeldBack(until, payload["ply"], payload.get("status", "running"), payload.get("since", 0))

    def to_json(self) -> dict[str, Any]:
        people = {str(person): end for person, end in self.people.items()}
        return {"ply": self.ply, "status": self.status, "since": self.since, "people": people}
