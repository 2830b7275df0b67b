"""People who play on through everything: at each table two of them, who say their move again when nothing comes of it.

What they see is what they believe: the boards that were posted, and the private answers that a move was played.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
from typing import Any

from bot.engine.catalogue import rules_for
from bot.engine.rules import State
from tests.crash.stand_in import ME, StandIn

Json = dict[str, Any]

PATIENCE = 1.0
_FILE = re.compile(r"g([0-9]+)-m([0-9]+)\.png")
_TURN = re.compile(r": \*\*([^*]+)\*\*")
_ACCEPT = re.compile(r"damero:accept:([0-9]+):[0-9]+")


class Table:
    """One channel and its two players. ``seen``: of each game the turns that its boards showed, in order; ``told``:
    the turns that were said to be played, with the interaction that asked for them; ``wrong``: what must not be."""

    def __init__(self, stand_in: StandIn, channel: int, people: tuple[int, int], lots: random.Random) -> None:
        self.stand_in = stand_in
        self.channel = channel
        self.people = people
        self.lots = lots
        self.rules = rules_for("pinoy")
        self.seen: dict[int, list[str]] = {}
        self.told: list[tuple[int, str]] = []
        self.wrong: list[str] = []
        self.game: int | None = None
        self.over = True
        self._states: dict[int, State] = {}
        self._where = channel
        self._challenge: tuple[Json, str] | None = None
        self._mover: int | None = None
        self._pressed: int | None = None
        self._asked: dict[int, str] = {}
        self._news = asyncio.Event()

    def posted(self, message: Json) -> None:
        """The bot has posted ``message`` in this channel."""
        if accept := _ACCEPT.search(str(message["components"])):
            self._challenge = (message, accept[0])
        for file in message["attachments"]:
            if found := _FILE.fullmatch(file["filename"]):
                self._board(int(found[1]), int(found[2]), message)
        self._news.set()

    def _board(self, game: int, ply: int, message: Json) -> None:
        content = message["content"]
        turns = self.seen.get(game)
        if turns is None:
            turns = self.seen[game] = []
            if ply != 0:
                self.wrong.append(f"game {game} begins with board {ply}")
            self._states[game] = self.rules.start()
        elif ply != len(turns) + 1:
            self.wrong.append(f"game {game}: board {ply} after board {len(turns)}")
            return
        if ply:
            turn = _TURN.search(content)
            text = "" if turn is None else turn[1]
            if turn is not None:
                self._states[game] = self.rules.play(self._states[game], self.rules.read(self._states[game], text))
            turns.append(text)
        # Of several games that were begun they play the one that was heard of last.
        mover = re.search(r"<@([0-9]+)>, it is your turn", content)
        self._mover = None if mover is None else int(mover[1])
        self.game, self._where, self.over, self._challenge = game, int(message["channel_id"]), mover is None, None

    def answered(self, interaction: int, answer: Json) -> None:
        """The bot has answered ``interaction``."""
        said = (answer.get("data") or {}).get("content") or ""
        if said and interaction == self._pressed:
            # It was accepted already, when the bot was killed before it could say so.
            self._challenge = None
        asked = self._asked.get(interaction)
        if asked is not None and said.startswith("Played"):
            self.told.append((interaction, asked))

    async def play_on(self) -> None:
        """Play game after game."""
        while True:
            await self.stand_in.up.wait()
            self._news.clear()
            if self.over and self._challenge is not None:
                message, custom_id = self._challenge
                self._pressed = await self.stand_in.press(message, self.people[1], custom_id)
            elif self.over:
                options = {"variant": "pinoy", "side": "lot", "clock": self.lots.choice(["none", "3d", "steady"])}
                await self.stand_in.command(self.channel, self.people[0], "play", options, self.people[1])
            else:
                await self._move()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), PATIENCE)

    async def _move(self) -> None:
        assert self._mover is not None
        assert self.game is not None
        turn = self.lots.choice(self.rules.turns(self._states[self.game])).text
        if self.lots.random() < 0.5:
            await self.stand_in.say(self._where, self._mover, f"<@{ME}> {turn}")
        else:
            number = await self.stand_in.command(self._where, self._mover, "move", {"move": turn})
            self._asked[number] = turn
