"""Games that are part of something: each in a thread of its own under one channel, played to an end soon."""

from __future__ import annotations

import asyncio
import random
import re

from tests.crash.gateway import Json
from tests.crash.players import Table
from tests.crash.stand_in import StandIn
from tests.crash.waits import waited

VARIANT = "spanish"
# What a game's thread says when its tournament decides it.
DECIDED = ("so this game is called off", "entered the result of this game", "This game is over")
_RESIGN = re.compile(r"damero:resignnow:[^'\"]+")
_DRAWN = re.compile(r"damero:agree:[0-9]+:[0-9]+:draw-[0-9]+")
_PLAYS = re.compile(r"(?:<@|\bu)([0-9]+)>? plays ")
_DECIDED = re.compile("|".join(DECIDED))


class Board(Table):
    """A game of a tournament, in its thread. It ends soon, in one way or another, and is played no more then. ``here``:
    who of its people is on the thread's server."""

    def __init__(
        self, stand_in: StandIn, thread: int, people: tuple[int, int], here: tuple[int, ...], lots: random.Random
    ) -> None:
        super().__init__(stand_in, thread, people, lots, VARIANT)
        self._here = here
        self._resigns: tuple[Json, int, str] | None = None
        self._draw: tuple[Json, str] | None = None
        self._asks: dict[int, int] = {}

    @property
    def is_over(self) -> bool:
        """Whether a board has said so."""
        return self.game is not None and self.over

    def posted(self, message: Json) -> None:
        super().posted(message)
        if message["attachments"] or message["refused"]:
            self._draw = None
        elif agree := _DRAWN.search(str(message["components"])):
            self._draw = (message, agree[0])
        elif _DECIDED.search(message["content"]):
            self.over = True

    def answered(self, interaction: int, answer: Json) -> None:
        super().answered(interaction, answer)
        if interaction in self._asks and (button := _RESIGN.search(str(answer))):
            self._resigns = (self.stand_in.private(self._where, answer), self._asks[interaction], button[0])

    async def play_on(self) -> None:
        """Play until the game is over."""
        while not self.is_over:
            self._news.clear()
            await self._act()
            await waited(self._news)
            await self.stand_in.up_in(self.channel).wait()

    async def _act(self) -> None:
        lot = self.lots.random()
        if self._resigns is not None:
            pressed, self._resigns = self._resigns, None
            await self.stand_in.press(*pressed)
        elif self._draw is not None and self._mover in self._here and lot < 0.5:
            message, custom_id = self._draw
            assert self._mover is not None
            await self.stand_in.press(message, self._mover, custom_id)
        elif lot < 0.3:
            person = self.lots.choice(self._here)
            self._asks[await self.stand_in.command(self._where, person, "game resign", {})] = person
        elif lot < 0.4:
            for waiting in (person for person in self._here if person != self._mover):
                await self.stand_in.command(self._where, waiting, "game draw", {})
        elif lot < 0.5 and len(self._here) > 1:
            await self._other()
        elif self._mover in self._here:
            await self._move()


class Boards:
    """The channel in which people hold something that has games. ``boards``: by their threads; ``told``: the
    interactions that were said to be done, and what they asked for; ``wrong``: what must not be."""

    variant = VARIANT

    def __init__(self, stand_in: StandIn, channel: int, people: tuple[int, ...], lots: random.Random) -> None:
        self.stand_in = stand_in
        self.channel = channel
        self.channels: tuple[int, ...] = (channel,)
        self.people = people
        self.lots = lots
        self.boards: dict[int, Board] = {}
        self.told: list[tuple[int, str]] = []
        self.wrong: list[str] = []
        self._asked: dict[int, str] = {}
        self._news = asyncio.Event()
        self._playing: asyncio.TaskGroup | None = None

    def posted(self, message: Json) -> None:
        """The bot has posted ``message``, here or in a thread of this channel."""
        thread = int(message["channel_id"])
        if thread in self.channels:
            self._read(message)
        else:
            self._of_board(thread, message)
        self._news.set()

    def edited(self, message: Json) -> None:
        """The bot has edited ``message``, which reads as it does now."""
        self._news.set()

    def answered(self, interaction: int, answer: Json) -> None:
        """The bot has answered ``interaction``."""

    def _read(self, message: Json) -> None:
        """Of a message in the channel itself."""

    async def _act(self) -> None:
        """Do something."""

    def _here(self, thread: int, people: list[int]) -> tuple[int, ...]:
        """Who of a game's people is on the server of a thread of it."""
        return tuple(people)

    def _of_board(self, thread: int, message: Json) -> None:
        board = self.boards.get(thread)
        if board is None:
            people = [int(person) for person in _PLAYS.findall(message["content"])]
            if len(people) != 2:
                self.wrong.append(f"thread {thread} does not begin with a game: {message['content']}")
                return
            here = self._here(thread, people)
            board = Board(self.stand_in, thread, (people[0], people[1]), here, random.Random(self.lots.random()))
            self.boards[thread] = board
            if self._playing is not None:
                self._playing.create_task(board.play_on())
        board.posted(message)

    async def play_on(self) -> None:
        """Hold one after the other."""
        async with asyncio.TaskGroup() as playing:
            self._playing = playing
            try:
                while True:
                    await self.stand_in.up_in(self.channel).wait()
                    self._news.clear()
                    await self._act()
                    await waited(self._news)
            finally:
                self._playing = None
