"""Two people who play where the bot may only answer; one alone has installed it."""

from __future__ import annotations

import random
from typing import Any

from simcord.backend.models import Message
from simcord.builders import UserHandle
from simcord.results import InteractionResult

from bot.games.model.game import Game
from tests.support.discord.chats import EPHEMERAL, Chat, foreign_server, group, labels
from tests.support.discord.world import World


class Pair:
    """Ana, who has installed the bot, Ben, who has not, and Cleo, who looks on, in one place."""

    def __init__(self, here: World, where: str) -> None:
        self.here = here
        self.ana, self.ben, self.cleo = (here.env.create_user(name) for name in ("ana", "ben", "cleo"))
        make = group if where == "group" else foreign_server
        self.chat: Chat = make(here.env, [self.ana, self.ben, self.cleo], [self.ana])

    async def game(self) -> Game:
        """The game that runs there."""
        game = await self.here.bot.services.games.running_in(self.chat.id)
        assert game is not None
        return game

    async def start(self, variant: str = "spanish", **more: Any) -> Game:
        """Ana challenges Ben, who accepts."""
        await self.chat.slash(self.ana, "play", variant=variant, opponent=self.ben, side="first", **more)
        await self.chat.click(self.ben, self.chat.last, "Accept")
        return await self.game()

    def mover(self, game: Game) -> UserHandle:
        """Whoever is to move."""
        return self.ana if game.to_move == self.ana.id else self.ben

    def waiter(self, game: Game) -> UserHandle:
        """The other of the two."""
        return self.ben if self.mover(game) is self.ana else self.ana

    async def by_form(self, person: UserHandle, text: str, board: Message | None = None) -> InteractionResult:
        """Press *Move* under the board, then *Type it*, and write."""
        choice = await self.chat.click(person, board or self.chat.last, "Move")
        answered = board if board is not None and board.flags & EPHEMERAL else self.chat.private(choice)
        shown = await self.chat.click(person, answered, "Type it")
        return await self.chat.submit(person, shown, {"move": text})

    async def tap(self, person: UserHandle, turn: str) -> InteractionResult:
        """Press *Move* under the board, then the move, or its piece and where it goes."""
        choice = await self.chat.click(person, self.chat.last, "Move")
        shown = self.chat.private(choice)
        if turn not in labels(shown):
            start, end = turn.replace("x", "-").split("-")[:: turn.replace("x", "-").count("-")]
            await self.chat.click(person, shown, start)
            shown = self.chat.private(choice)
            turn = end if end in labels(shown) else turn
        return await self.chat.click(person, shown, turn)

    async def move(self, lots: random.Random | None = None) -> Game:
        """Whoever is to move plays the first legal turn, or one by lot. The game afterwards."""
        game = await self.game()
        turns = [*game.rules.turns(game.state), *game.rules.remedies(game.state)]
        turn = turns[0] if lots is None else lots.choice(turns)
        await self.by_form(self.mover(game), turn.text)
        after = await self.here.bot.services.games.game(game.id)
        assert after.ply == game.ply + 1
        return after

    def direct(self, person: UserHandle) -> list[Message]:
        """What the bot has written to somebody directly."""
        backend = self.here.env.backend
        channel = backend.dm_channels.get(person.id)
        return [] if channel is None else sorted(backend.messages[channel].values(), key=lambda each: each.id)
