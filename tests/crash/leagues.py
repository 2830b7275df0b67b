"""People who play in leagues: four of them, one of whom directs, season after season."""

from __future__ import annotations

import random
import re

from tests.crash.boards import Boards
from tests.crash.gateway import Json
from tests.crash.stand_in import StandIn

# What the private answer says when a command has been done.
LEAGUE_DONE = {
    "create": "is announced below",
    "join": "You are in **",
    "leave": "You will not play in any more seasons of",
    "start": "has begun with",
    "closed": "will have no more seasons",
}
# What the announcement says of how far the league is.
CLOSED, NOT_BEGUN = "The league is closed.", "The director starts the first season"
SEASON = "Season {number} ends"
_ANNOUNCED = re.compile(r"contest:join:([0-9]+)")
_CLOSE = re.compile(r"contest:close:[0-9]+")
_MEMBERS = re.compile(r"members?\*\*: (.*)")


class Leagues(Boards):
    """The channel of a league: it is begun when all are in it, closed some time in its second season, and followed by
    another. ``seasons``: how many of all were seen to begin."""

    def __init__(self, stand_in: StandIn, channel: int, people: tuple[int, ...], lots: random.Random) -> None:
        super().__init__(stand_in, channel, people, lots)
        self.seasons = 0
        self._announced: Json | None = None
        self._number = 0
        self._closes: tuple[Json, int, str] | None = None

    def _read(self, message: Json) -> None:
        if (found := _ANNOUNCED.search(str(message))) and int(found[1]) > self._number:
            self._announced, self._number = message, int(found[1])
        elif ", season " in message["content"].split("\n", 1)[0]:
            self.seasons += " has begun." in message["content"]

    def answered(self, interaction: int, answer: Json) -> None:
        """The bot has answered ``interaction``."""
        asked = self._asked.get(interaction)
        said = (answer.get("data") or {}).get("content") or ""
        if asked == "close" and (button := _CLOSE.search(str(answer))):
            self._closes = (self.stand_in.private(self.channel, answer), self.people[0], button[0])
        elif asked is not None and asked != "close" and LEAGUE_DONE[asked] in said:
            self.told.append((interaction, asked))

    async def _act(self) -> None:
        here = "" if self._announced is None else self._announced["content"]
        members = (_MEMBERS.search(here) or ["", ""])[1]
        missing = [person for person in self.people if f"<@{person}>" not in members]
        if self._announced is None or CLOSED in here:
            await self._command("create", {"name": "Ladder", "variant": self.variant, "clock": "1d", **_SMALL})
        elif self._closes is not None:
            pressed, self._closes = self._closes, None
            self._asked[await self.stand_in.press(*pressed)] = "closed"
        elif missing and self.lots.random() < 0.9:
            await self._press(self._announced, missing[0], "join")
        elif NOT_BEGUN in here:
            await self._command("start", {"league": str(self._number)})
        elif self.lots.random() < 0.03:
            await self._press(self._announced, self.lots.choice(self.people), "leave")
        elif "Season 2" in here and self.lots.random() < 0.03:
            await self._command("close", {"league": str(self._number)})

    async def _command(self, name: str, options: Json) -> None:
        number = await self.stand_in.command(self.channel, self.people[0], f"league {name}", options)
        self._asked[number] = name

    async def _press(self, announced: Json, person: int, act: str) -> None:
        self._asked[await self.stand_in.press(announced, person, f"contest:{act}:{self._number}")] = act


_SMALL = {"division_size": 3, "promoted": 1, "relegated": 1, "season_days": 1, "break_days": 0}
