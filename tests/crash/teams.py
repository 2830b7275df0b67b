"""People of two servers who play team matches against each other, one after the other, at two boards."""

from __future__ import annotations

import random
import re

from tests.crash.boards import Boards
from tests.crash.gateway import Json
from tests.crash.stand_in import StandIn

# What the private answer says when a command has been done.
TEAM_DONE = {
    "challenge": "is announced below",
    "accept": "is accepted. Name your",
    "lineup": "your lineup is in|both lineups are in",
    "cancelled": "is cancelled.",
}
# What a match's post says of how far it is.
UNACCEPTED, UNLINED, CALLED_OFF = "It is open: a manager", "Each side names its players", "cancelled the match."
_ANNOUNCED = re.compile(r"\*\*Match ([0-9]+)\*\* \(team match\)")
_CANCEL = re.compile(r"contest:calloff:[0-9]+(:[0-9]+)?")
_CODE = re.compile(r"/teams accept code:([0-9A-Za-z]+)")
_ENDED = re.compile(r"\*\*Match ([0-9]+)\*\* is over")


class Teams(Boards):
    """The channels of two servers, of which the first challenges the second, and challenges it again when the match is
    over. ``ends``: the posts, on either server, that told of a match's end."""

    def __init__(
        self, stand_in: StandIn, channels: tuple[int, int], teams: tuple[tuple[int, ...], ...], lots: random.Random
    ) -> None:
        super().__init__(stand_in, channels[0], (*teams[0], *teams[1]), lots)
        self.channels = channels
        self.ends = 0
        self._teams = teams
        self._announced: Json | None = None
        self._number = self._over = 0
        # By its name, which no other may have while it goes on, it is challenged to once.
        self._current = 1
        self._code: str | None = None
        self._cancels: tuple[Json, int, str] | None = None

    def _read(self, message: Json) -> None:
        if (found := _ANNOUNCED.search(message["content"])) and int(found[1]) > self._number:
            self._announced, self._number, self._code = message, int(found[1]), None
        elif ended := _ENDED.search(message["content"]):
            self._over = int(ended[1])
            self.ends += 1

    def _here(self, thread: int, people: list[int]) -> tuple[int, ...]:
        here = self._teams[
            [self.stand_in.guild_of(each) for each in self.channels].index(self.stand_in.guild_of(thread))
        ]
        return tuple(person for person in people if person in here)

    def answered(self, interaction: int, answer: Json) -> None:
        """The bot has answered ``interaction``."""
        asked = self._asked.get(interaction)
        said = (answer.get("data") or {}).get("content") or ""
        if asked in ("challenge", "standings") and (code := _CODE.search(said)):
            self._code = code[1]
        if asked in ("cancel", "cancelled") and (button := _CANCEL.search(str(answer))):
            self._cancels = (self.stand_in.private(self.channels[0], answer), self._teams[0][0], button[0])
        elif asked in TEAM_DONE and re.search(TEAM_DONE[asked], said):
            self.told.append((interaction, asked))

    async def _act(self) -> None:
        here = "" if self._announced is None else self._announced["content"]
        if CALLED_OFF in here or self._over == self._current:
            self._current, self._announced = self._current + 1, None
        if self._cancels is not None:
            pressed, self._cancels = self._cancels, None
            self._asked[await self.stand_in.press(*pressed)] = "cancelled"
        elif self._announced is None:
            options = {"name": f"Match {self._current}", "variant": self.variant, "clock": "3d", "boards": 2}
            await self._command(0, "challenge", options)
        elif UNACCEPTED in here and self._code is None:
            # Whoever did not hear it asks for it.
            await self._command(0, "standings", self._which)
        elif UNACCEPTED in here and self.lots.random() < 0.9:
            assert self._code is not None
            await self._command(1, "accept", {"code": self._code})
        elif (UNACCEPTED in here or UNLINED in here) and self.lots.random() < 0.05:
            await self._command(0, "cancel", self._which)
        elif UNLINED in here:
            side = self.lots.randrange(2)
            people = self.lots.sample(self._teams[side], 2)
            await self._command(side, "lineup", {"players": " ".join(f"<@{one}>" for one in people), **self._which})

    @property
    def _which(self) -> Json:
        return {"match": f"Match {self._number}"}

    async def _command(self, side: int, name: str, options: Json) -> None:
        who, channel = self._teams[side][0], self.channels[side]
        self._asked[await self.stand_in.command(channel, who, f"teams {name}", options)] = name
