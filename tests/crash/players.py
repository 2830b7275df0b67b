"""People who play on through everything: at each table two of them, or one and the computer, who say their move again
when nothing comes of it.

What they see is what they believe: the boards that were posted, and the private answers that a move was played.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from typing import Any

from bot.engine.registry import rules_for
from bot.engine.rules import State
from tests.crash.gateway import ME
from tests.crash.stand_in import StandIn
from tests.crash.waits import waited, within

Json = dict[str, Any]

VARIANTS = ("pinoy", "spanish", "americanas", "tama", "chinese-checkers")
COMPUTERS_VARIANT = "pinoy"
# How often the channel of a table is deleted.
LOSES_CHANNEL = 0.03
# Seconds, while all is well.
LONGEST_TO_GO_ON = 30.0
_FILE = re.compile(r"g([0-9]+)-m([0-9]+)\.png")
_TURN = re.compile(r": \*\*([^*]+)\*\*")
_HUFF = re.compile(r"huffs \(soplar\): the piece on \*\*([^*]+)\*\*")
TAKEN_BACK = ("takes back the last turn", "turns are taken back", "has undone a slip")
OBLIGED = "obliges: the last move is taken back"
PLAYED = "Played: "
NOT_YOURS = "It is not your turn"
CONTINUES = "The game continues in this channel."
GOES_ON = "The game goes on here."
# What a direct message says of a turn that waits.
REMINDS = "time for this move is"
_PLAYED = re.compile(PLAYED + "`([^`]+)`")
_BACK = re.compile("|".join(TAKEN_BACK))
# The button under what the rules refuse.
_MOVE = "damero:move:"
_ACCEPT = re.compile(r"damero:accept:([0-9]+):[0-9]+")
_REMATCH = re.compile(r"damero:rematch:([0-9]+):[0-9]+")
_AGREE = re.compile(r"damero:agree:([0-9]+):[0-9]+:takeback-[0-9]+")
_PLAYS = re.compile(r"(?:<@|\bu)([0-9]+)>? plays ")


class Table:
    """One channel and its two players. ``seen``: of each game the entries that its boards showed, in order (None: a
    turn was taken back); ``told``: the turns that were said to be played, with the interaction that asked for them;
    ``refused``: the messages that were answered with its being another's turn, or with what the rules forbid;
    ``continued``: the interactions by which a game was said to go on in another channel, with the game;
    ``wrong``: what must not be. With ``evening`` they play with live clocks, too, and may go away in the middle, until
    the time of one of them has run out."""

    def __init__(
        self, stand_in: StandIn, channel: int, people: tuple[int, int], lots: random.Random, variant: str
    ) -> None:
        self.stand_in = stand_in
        self.channel = channel
        self.people = people
        self.lots = lots
        self.variant = variant
        self.rules = rules_for(variant)
        self.seen: dict[int, list[str | None]] = {}
        self.planned = self.went_on = 0
        self.told: list[tuple[int, str]] = []
        self.refused: list[int] = []
        self.continued: list[tuple[int, int]] = []
        self.wrong: list[str] = []
        self.evening = False
        self.game: int | None = None
        self.over = True
        # None: they have gone.
        self._live: bool | None = False
        self._rematch: tuple[Json, str] | None = None
        self._states: dict[int, list[State]] = {}
        self._seats: dict[int, tuple[int, ...]] = {}
        self._where = channel
        self._challenge: tuple[Json, str] | None = None
        self._offer: tuple[Json, str] | None = None
        self._mover: int | None = None
        self._pressed: int | None = None
        self._asked: set[int] = set()
        # The game whose channel was deleted, and those that were left because of that.
        self._lost: int | None = None
        self._left: set[int] = set()
        self._continues: dict[int, int] = {}
        self._last_said = ""
        self._news = asyncio.Event()

    def posted(self, message: Json) -> None:
        """The bot has posted ``message`` in this channel."""
        if message["answers"] and (NOT_YOURS in message["content"] or _MOVE in str(message["components"])):
            self.refused.append(message["answers"])
        if accept := _ACCEPT.search(str(message["components"])):
            self._challenge = (message, accept[0])
        if agree := _AGREE.search(str(message["components"])):
            self._offer = (message, agree[0])
        if rematch := _REMATCH.search(str(message["components"])):
            self._rematch = (message, rematch[0])
        # Of a board in words alone only what it is of is not to be seen.
        for file in message["attachments"] or message["refused"]:
            if found := _FILE.fullmatch(file["filename"]):
                self._board(int(found[1]), int(found[2]), message)
        self._news.set()

    def _seated(self, content: str) -> tuple[int, ...]:
        return tuple(map(int, _PLAYS.findall(content)))

    def _is_over(self, mover: int | None) -> bool:
        return mover is None

    def _board(self, game: int, ply: int, message: Json) -> None:
        content = message["content"]
        turns = self.seen.get(game)
        if game in self._left:
            return
        if GOES_ON in content and ply != len(turns or ()):
            # Something has happened that nobody saw.
            self._leave(game)
            return
        if GOES_ON in content and turns is not None:
            self._where, self._lost = int(message["channel_id"]), None
            self.went_on += 1
            return
        if turns is None:
            turns = self.seen[game] = []
            if ply != 0:
                self.wrong.append(f"game {game} begins with board {ply}")
            self._states[game] = [self.rules.start()]
            self._seats[game] = self._seated(content)
        elif ply != len(turns) + (new := max(1, len(_TURN.findall(content)))):
            where = message["channel_id"]
            self.wrong.append(f"game {game}: board {ply} after board {len(turns)} in channel {where}: {content}")
            return
        elif new > 1:
            self.planned += 1
        mover = re.search(r"(?:<@|\bu)([0-9]+)>?, it is your turn", content)
        if ply:
            self._follow(game, content, None if mover is None else int(mover[1]))
        # Of several games that were begun they play the one that was heard of last.
        self._mover = None if mover is None else int(mover[1])
        self._offer = None
        self.game, self._where, self._challenge = game, int(message["channel_id"]), None
        self.over = self._is_over(self._mover)

    def _follow(self, game: int, content: str, mover: int | None) -> None:
        """Play what a board says on this side too."""
        turns, states = self.seen[game], self._states[game]
        if _BACK.search(content):
            turns.append(None)
            states.pop()
            while mover is not None and self._seats[game][states[-1].seat] != mover:
                states.pop()
            return
        texts = [f"soplar {huffed[1]}"] if (huffed := _HUFF.search(content)) else _TURN.findall(content)
        texts = ["oblige"] if OBLIGED in content else texts
        for text in texts:
            states.append(self.rules.play(states[-1], self.rules.read(states[-1], text)))
        turns += texts or [""]

    def answered(self, interaction: int, answer: Json) -> None:
        """The bot has answered ``interaction``."""
        said = (answer.get("data") or {}).get("content") or ""
        if interaction in self._continues:
            self._last_said = said
            if CONTINUES in said:
                self.continued.append((interaction, self._continues[interaction]))
        if said and interaction == self._pressed:
            # It was accepted already, when the bot was killed before it could say so.
            self._challenge = None
        if interaction in self._asked and (played := _PLAYED.match(said)):
            # Not as it was asked for: in the position of the bot the same move may be spelt otherwise.
            self.told.append((interaction, played[1]))

    async def play_on(self) -> None:
        """Play game after game."""
        while True:
            await self.stand_in.up_in(self.channel).wait()
            self._news.clear()
            await self._act()
            await waited(self._news)

    async def _act(self) -> None:
        if self._lost is not None:
            await self._continue(self._lost)
        elif self.game is not None and self.lots.random() < LOSES_CHANNEL:
            await self._lose_channel()
        elif self.over and self._challenge is not None:
            message, custom_id = self._challenge
            self._pressed = await self.stand_in.press(message, self.people[1], custom_id)
        elif self.over:
            await self._begin()
        elif self._has_gone():
            return
        elif self.lots.random() < 0.25:
            await self._other()
        else:
            await self._move()

    async def _lose_channel(self) -> None:
        """Their channel is deleted, and there is another."""
        self.channel = self._where = await self.stand_in.replace(self.channel)
        self._challenge = self._offer = self._rematch = None
        self._lost = None if self.over else self.game

    async def _continue(self, game: int) -> None:
        """Go on with their game in the channel that there is now; or leave it, at last."""
        if self.lots.random() < 0.01:
            self._leave(game)
        else:
            await self._ask_for(game)

    async def _ask_for(self, game: int) -> None:
        asked = await self.stand_in.command(self._where, self.people[0], "game continue", {"number": game})
        self._continues[asked] = game

    async def go_on_elsewhere(self) -> list[str]:
        """Their channel is deleted, unless it was already, and they ask for their game in the one that there is now:
        what is wrong, where it is not said to go on, or its board is not posted there."""
        if self._lost is None:
            await self._lose_channel()
        game, said = self._lost, len(self.continued)
        assert game is not None
        try:
            async with within(LONGEST_TO_GO_ON, f"game {game} to go on in {self.channel}"):
                while self._lost is not None or len(self.continued) == said:
                    self._news.clear()
                    if len(self.continued) == said:
                        await self._ask_for(game)
                    await waited(self._news)
        except TimeoutError as error:
            return [f"{error}, {len(self.continued) - said} times said to, and last: {self._last_said}"]
        return []

    def _leave(self, game: int) -> None:
        self._left.add(game)
        self._lost, self.over = None, True

    def _has_gone(self) -> bool:
        """Whether they have left a game with a live clock, which ends by itself then."""
        if self._live and len(self.seen.get(self.game or 0, ())) > 2 and self.lots.random() < 0.1:
            self._live = None
        return self._live is None

    async def _begin(self) -> None:
        rematch, self._rematch = self._rematch, None
        if rematch is not None and self.lots.random() < 0.5:
            message, custom_id = rematch
            await self.stand_in.press(message, self.people[0], custom_id)
            return
        clock = self.lots.choice(["none", "3d", "3d", "steady", *(["5+3"] if self.evening else [])])
        self._live = clock == "5+3"
        options = {"variant": self.variant, "side": "lot", "clock": clock}
        await self.stand_in.command(self.channel, self.people[0], "play", options, {"opponent": self.people[1]})

    async def _other(self) -> None:
        """What is no turn: plans, slips, takebacks, vacations. Much of it is refused, as it would be."""
        assert self._mover is not None
        assert self.game is not None
        states = self._states[self.game]
        waiting = next(person for person in self.people if person != self._mover)
        # What was huffed or obliged comes back in more ways than the boards tell.
        simple = self.variant != "americanas"
        match self.lots.choice(("plan", "plan", "undo", "takeback", "vacation")):
            case "plan":
                if reply := self._reply(states[-1]):
                    await self.stand_in.command(self._where, waiting, "game plan set", {"lines": reply})
            case "undo" if simple:
                await self.stand_in.command(self._where, waiting, "game undo", {})
            case "takeback" if simple and self._offer is not None:
                message, custom_id = self._offer
                await self.stand_in.press(message, self._mover, custom_id)
            case "takeback" if simple:
                await self.stand_in.command(self._where, waiting, "game takeback", {})
            case "vacation":
                how = self.lots.choice(("start", "stop", "stop", "stop"))
                await self.stand_in.command(self._where, waiting, f"me vacation {how}", {})

    def _reply(self, state: State) -> str | None:
        """A plan of one line, to what is the likeliest move here."""
        # Who has no move may huff, or oblige.
        if not (turns := self.rules.turns(state)):
            return None
        turn = turns[0]
        after = self.rules.play(state, turn)
        if after.outcome is not None or after.seat == state.seat or not (answers := self.rules.turns(after)):
            return None
        return f"{turn.text} {self.lots.choice(answers).text}"

    async def _move(self) -> None:
        assert self._mover is not None
        assert self.game is not None
        state = self._states[self.game][-1]
        # Who has no move may huff, or oblige.
        turns = self.rules.turns(state) or self.rules.remedies(state)
        # The first move oftener than the others: it is the one that is planned for.
        turn = turns[0].text if self.lots.random() < 0.4 else self.lots.choice(turns).text
        if self.lots.random() < 0.5:
            await self.stand_in.say(self._where, self._mover, f"<@{ME}> {turn}")
        else:
            self._asked.add(await self.stand_in.command(self._where, self._mover, "move", {"move": turn}))


def reminded_once(letters: list[Json]) -> list[str]:
    """What is wrong with direct messages: of no turn, which its deadline names, the same is said twice."""
    said = Counter((letter["channel_id"], letter["content"]) for letter in letters if REMINDS in letter["content"])
    return [f"reminded {count} times: {what}" for what, count in said.items() if count > 1]


class ComputersTable(Table):
    """One channel, a person and the computer, which answers every turn by itself."""

    def __init__(self, stand_in: StandIn, channel: int, person: int, lots: random.Random, variant: str) -> None:
        super().__init__(stand_in, channel, (person, ME), lots, variant)

    def _seated(self, content: str) -> tuple[int, ...]:
        return self.people

    def _is_over(self, mover: int | None) -> bool:
        return mover is None and self.game is not None and self._states[self.game][-1].outcome is not None

    async def _begin(self) -> None:
        options = {"variant": self.variant, "side": "first", "level": 1}
        await self.stand_in.command(self.channel, self.people[0], "play", options, {"opponent": ME})

    async def _act(self) -> None:
        if self.over:
            await self._begin()
        elif self._mover is not None and self.lots.random() < 0.1:
            await self.stand_in.command(self._where, self._mover, "game undo", {})
        elif self._mover is not None:
            await self._move()
