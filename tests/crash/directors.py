"""People who hold tournament after tournament: four of them, one of whom directs, by the commands and buttons of all.

What they see is what they believe, as at the other tables: the announcement and the rounds as they read now, the boards
in the games' threads, and the private answers.
"""

from __future__ import annotations

import random
import re
import time

from bot.chat.responses import LAST_MOMENT
from tests.crash.boards import VARIANT, Boards
from tests.crash.gateway import Json
from tests.crash.stand_in import StandIn

KINDS = ("swiss", "swiss", "roundrobin", "roundrobin", "knockout", "arena")
NAMES = ("Cup", "Cup", "Open *no. 1*")
# What the private answer says when a command has been done, and nothing else says.
DONE = {
    "create": "is announced below",
    "start": "has begun with",
    "pair": " is paired; ",
    "finish": "is over; the standings are final",
    "keep": "the result is entered|is undone",
}
# What the announcement says of how far the tournament is.
OVER, RUNNING, CANCELLED = "It is over.", "It is running.", ("has cancelled **", "** is cancelled: ")
_ANNOUNCED = re.compile(r"\(tournament ([0-9]+)\)")
_KEEP = re.compile(r"(tournament|mend):keep:[^'\"]+")
_NEXT = re.compile(r"The director goes on with \*(Pair next round|Finish)\*")
_EVENT = re.compile(r"'value': '([0-9]+)'")
_ACKNOWLEDGED = 6


class Tournaments(Boards):
    """The channel in which tournaments are held."""

    def __init__(self, stand_in: StandIn, channel: int, people: tuple[int, ...], lots: random.Random) -> None:
        super().__init__(stand_in, channel, people, lots)
        self._director = people[0]
        self._announced: Json | None = None
        self._number = 0
        self._round: Json | None = None
        self._shown: tuple[Json, int, str] | None = None
        self._pressed_at: dict[int, float] = {}
        # The panel, whose next menu is for this, with what is to be chosen in it.
        self._menu: tuple[Json, str, str] | None = None

    def _read(self, message: Json) -> None:
        if (found := _ANNOUNCED.search(message["content"])) and int(found[1]) > self._number:
            # Of several that were announced they hold the newest.
            self._announced, self._number, self._round, self._shown, self._menu = (
                message,
                int(found[1]),
                None,
                None,
                None,
            )
        elif f"'tournament:why:{self._number}:" in str(message["components"]):
            self._round = message

    def answered(self, interaction: int, answer: Json) -> None:
        """The bot has answered ``interaction``."""
        asked = self._asked.get(interaction)
        said = (answer.get("data") or {}).get("content") or ""
        if asked in ("result", "undoes") and (keep := _KEEP.search(str(answer))):
            self._shown = (self.stand_in.private(self.channel, answer), self._director, keep[0])
        elif asked == "manage" and "damero-manage:task" in str(answer):
            self._menu = (self.stand_in.private(self.channel, answer), "task", "undo")
        elif asked == "task" and "damero-manage:undoes" in str(answer) and (event := _EVENT.search(str(answer))):
            self._menu = (self.stand_in.private(self.channel, answer), "undoes", event[1])
        # To join or leave is seen in the channel: nothing is said but that it is done. What is late may be no more than
        # that the bot is at it.
        late = time.monotonic() - self._pressed_at.get(interaction, 0.0) >= LAST_MOMENT
        seen = asked in ("join", "leave") and answer["type"] == _ACKNOWLEDGED and not late
        if asked is not None and (seen or re.search(DONE.get(asked, "^\0"), said)):
            self.told.append((interaction, asked))

    async def _act(self) -> None:
        here = None if self._announced is None else self._announced["content"]
        if here is not None and OVER in here and self.lots.random() < 0.3:
            await self._undo()
        elif here is None or OVER in here or any(why in here for why in CANCELLED):
            await self._create()
        elif RUNNING in here:
            await self._direct()
        else:
            await self._enter(here)

    async def _create(self) -> None:
        kind = self.lots.choice(KINDS)
        clock = "5+3" if kind == "arena" else "3d"
        options: Json = {"name": self.lots.choice(NAMES), "variant": VARIANT, "clock": clock}
        if kind == "arena":
            # Longer than it is played: the director ends it.
            options["minutes"] = 60
        elif kind == "swiss":
            options |= {"rounds": self.lots.choice((2, 3))}
            if self.lots.random() < 0.4:
                options["break_minutes"] = 0
        elif self.lots.random() < 0.3:
            options["double"] = True
        if self.lots.random() < 0.3:
            options["start"] = str(int(self.stand_in.now()) + 12)
        if self.lots.random() < 0.3:
            options["rated"] = False
        await self._command(f"create {kind}", options)

    async def _enter(self, here: str) -> None:
        """Join, most of them; leave again, sometimes; and begin when all are there."""
        assert self._announced is not None
        entered = next(line for line in here.splitlines() if "entered**" in line)
        missing = [person for person in self.people if f"<@{person}>" not in entered]
        for person in missing:
            if self.lots.random() < 0.9:
                await self._press(self._announced, person, "join")
        if not missing and self.lots.random() < 0.1:
            await self._press(self._announced, self.lots.choice(self.people), "leave")
        elif not missing:
            await self._command("start", {})

    async def _direct(self) -> None:
        """What the director does while it runs: mostly nothing, as long as games are played."""
        read = "" if self._round is None else self._round["content"]
        going_on = any(not board.is_over for board in self.boards.values())
        if self._shown is not None or self._menu is not None or self.lots.random() < 0.04:
            await self._undo()
        elif self.lots.random() < 0.06:
            person, how = self.lots.choice(self.people), self.lots.choice(("won", "drew", "lost", "both forfeit"))
            await self._command("result", {"result": how}, {"player": person})
        elif self.lots.random() < 0.04:
            assert self._announced is not None
            await self._press(
                self._announced, self.lots.choice(self.people), self.lots.choice(("leave", "join", "join"))
            )
        elif not going_on and (named := _NEXT.search(read)):
            await self._go_on("pair" if named[1].startswith("Pair") else "finish")
        elif (not going_on and self.lots.random() < 0.3) or (self._is_arena and self.lots.random() < 0.04):
            # Of an elimination and an arena no round says it. What cannot be is refused.
            await self._go_on("finish")

    @property
    def _is_arena(self) -> bool:
        return self._announced is not None and "arena" in self._announced["content"]

    async def _go_on(self, step: str) -> None:
        """The next round by command, the end by its button."""
        assert self._announced is not None
        if step == "pair":
            await self._command("pair", {})
        else:
            await self._press(self._announced, self._director, "finish")

    async def _undo(self) -> None:
        """Take the newest event back; or do what is shown, a result or that, as the button says."""
        pressed, self._shown = self._shown, None
        menu, self._menu = self._menu, None
        if pressed is not None:
            self._asked[await self.stand_in.press(*pressed)] = "keep"
        elif menu is not None:
            message, act, value = menu
            custom_id = f"menu:damero-manage:{act}:{self._number}"
            self._asked[await self.stand_in.choose(message, self._director, custom_id, value)] = act
        else:
            await self._command("manage", {})

    async def _command(self, name: str, options: Json, people: Json | None = None) -> None:
        which = {} if name.startswith("create") else {"tournament": str(self._number)}
        given = which | options
        number = await self.stand_in.command(self.channel, self._director, f"tournament {name}", given, people)
        self._asked[number] = name.split()[0]

    async def _press(self, announced: Json, person: int, act: str) -> None:
        pressed_at = time.monotonic()
        number = await self.stand_in.press(announced, person, f"tournament:{act}:{self._number}")
        self._asked[number], self._pressed_at[number] = act, pressed_at
