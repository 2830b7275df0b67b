"""A server in the simulated Discord, with the bot in it and people who play: what acceptance tests speak in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.components import walk_components
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage

from bot.chat.client import Damero
from bot.chat.sharding import create_bot
from bot.games.model.game import Game
from bot.settings import Settings

BUTTON, TEXT, GALLERY = 2, 10, 12
"""What Discord calls components by."""


class World:
    """The simulated Discord. ``expected_errors`` names the events that the bot may log as errors in this test."""

    def __init__(self, env: Env, settings: Settings) -> None:
        self.env = env
        self.settings = settings
        self.expected_errors: set[str] = set()
        self.guild: GuildHandle = env.create_guild("The club")
        self.channel = self.guild.create_text_channel("draughts")
        self.alice = self.person("alice")
        self.bob = self.person("bob")
        self.carol = self.person("carol")

    def person(self, name: str) -> MemberActor:
        """Somebody new on the server."""
        return self.guild.add_member(self.env.create_user(name))

    @property
    def bot(self) -> Damero:
        assert isinstance(self.env.bot, Damero)
        return self.env.bot

    @property
    def last(self) -> discord.Message:
        """The newest message of the channel."""
        message = self.channel.last_message
        assert message is not None
        return message

    async def restart(self, settings: Settings | None = None) -> None:
        """Another bot on the same database, as after a crash or an update, or with other ``settings``."""
        await self.env.restart_bot(create_bot(settings or self.settings))

    # The computer

    @property
    def me(self) -> MemberActor:
        """The bot as somebody on the server."""
        assert self.bot.user is not None
        return MemberActor(self.env, self.guild, UserHandle(self.env, self.env.backend.bot_user))

    async def thought(self) -> None:
        """The computer has done all that it has to do, and it has been said."""
        await self.bot.services.computer.idle()
        await self.env.settle()

    # Playing

    async def play(
        self, variant: str = "spanish", *, side: str | None = "first", rules: str | None = None, **more: Any
    ) -> InteractionResult:
        """Alice challenges Bob."""
        options: dict[str, Any] = {"variant": variant, "opponent": self.bob, **more}
        options |= {name: value for name, value in (("side", side), ("rules", rules)) if value is not None}
        return await self.alice.slash(self.channel, "play", **options)

    async def start(self, variant: str = "spanish", *, rules: str | None = None) -> Game:
        """Alice and Bob begin a game, Alice as the first player unless the lot decides."""
        await self.play(variant, rules=rules)
        await self.bob.click(self.last, label="Accept")
        return await self.game()

    async def game(self, channel: ChannelHandle | None = None) -> Game:
        """The running game of a channel."""
        game = await self.bot.services.games.running_in((channel or self.channel).id)
        assert game is not None
        return game

    async def until(self, condition: Callable[[], Awaitable[bool]]) -> None:
        """Workers take real time, and what the bot begins in a context of its own is not waited for when it settles:
        look again until something is so."""
        for _ in range(600):
            await self.env.settle()
            if await condition():
                return
            await asyncio.sleep(0.05)
        pytest.fail("it never came")

    def mover(self, game: Game) -> MemberActor:
        """Whoever is to move."""
        return next(person for person in (self.alice, self.bob, self.carol) if person.id == game.to_move)

    def waiter(self, game: Game) -> MemberActor:
        """Of Alice and Bob, the one who is not to move."""
        return self.bob if self.mover(game) is self.alice else self.alice

    async def form(self, person: MemberActor) -> InteractionResult:
        """Open the form under the newest board in which a move is typed: two taps."""
        shown = await person.click(self.boards()[-1], label="Move")
        assert shown.response is not None
        return await person.click(shown.response, label="Type it")

    async def rated_game(self) -> Game:
        """Alice and Bob play a rated game, which Bob resigns."""
        await self.play("pinoy", side=None, clock="3d", rated=True)
        await self.bob.click(self.last, label="Accept")
        for _ in range(2):
            game = await self.game()
            await self.mention(self.mover(game), game.rules.turns(game.state)[0].text)
        asked = await self.bob.slash(self.channel, "game resign")
        assert asked.response is not None
        await self.bob.click(asked.response, label="Resign")
        return await self.bot.services.games.game(game.id)

    async def mention(self, person: MemberActor, text: str, channel: ChannelHandle | None = None) -> discord.Message:
        """Say ``text`` to the bot with a mention."""
        return await person.send(channel or self.channel, f"{self.at()} {text}")

    def drop(self, person: MemberActor, text: str, channel: ChannelHandle | None = None) -> int:
        """A message that arrives without waiting for what comes of it (``env.settle()`` does); its id."""
        return self.env.backend.create_message((channel or self.channel).id, person.id, text).id

    def deliver_again(self, message_id: int, channel: ChannelHandle | None = None) -> None:
        """Discord delivers a message a second time."""
        message = self.env.backend.get_message((channel or self.channel).id, message_id)
        self.env.backend.emit("MESSAGE_CREATE", message_payload(self.env.backend, message))

    def at(self) -> str:
        """The bot's mention."""
        assert self.bot.user is not None
        return self.bot.user.mention

    # Looking

    def posts(self, channel: ChannelHandle | None = None) -> list[discord.Message]:
        """What the bot has posted for all to see, oldest first."""
        me = self.bot.user
        return [
            message for message in (channel or self.channel).history() if me is not None and message.author.id == me.id
        ]

    def boards(self, channel: ChannelHandle | None = None) -> list[discord.Message]:
        """The posts with a picture."""
        # Discord shows no attachments of a card.
        return [each for each in self.posts(channel) if each.attachments and not each.flags.components_v2]

    def sent(self, method: str = "POST", ending: str = "/messages") -> list[dict[str, Any]]:
        """The bodies of the requests whose path ends so."""
        return [
            entry.json or {}
            for entry in self.env.http_requests
            if entry.method == method and entry.path.endswith(ending)
        ]


def labels(message: discord.Message | ResponseMessage) -> list[str]:
    """The buttons of a message."""
    return [part.get("label") or "" for part in parts_of(message) if part["type"] == BUTTON]


def words_of(message: discord.Message | ResponseMessage) -> str:
    """What a message says: its content, or the words of a card."""
    shown = [part["content"] for part in parts_of(message) if part["type"] == TEXT]
    assert not (shown and message.content)
    return "\n".join(shown) if shown else message.content


def pictures_of(message: discord.Message | ResponseMessage) -> list[tuple[str, str]]:
    """The name of each picture of a message and what stands behind it: of a card those of its galleries, as Discord
    tells of no attachments there."""
    if message.flags.components_v2:
        galleries = [part for part in parts_of(message) if part["type"] == GALLERY]
        items = [item for gallery in galleries for item in gallery["items"]]
        return [(item["media"]["url"].rpartition("/")[2].partition("?")[0], item["description"]) for item in items]
    return [(file.filename, file.description or "") for file in message.attachments]


def parts_of(message: discord.Message | ResponseMessage) -> list[dict[str, Any]]:
    """The components of a message, from top to bottom, as Discord has them."""
    return list(walk_components([part if isinstance(part, dict) else part.to_dict() for part in message.components]))


def said(answer: InteractionResult) -> str:
    """What the bot answered privately."""
    assert answer.response is not None
    assert answer.ephemeral or answer.response.ephemeral
    return words_of(answer.response)


async def start_in(here: World, channel: ChannelHandle, clock: str, opponent: MemberActor | None = None) -> Game:
    """A game of Alice, who begins, in a channel of its own."""
    other = opponent or here.bob
    await here.alice.slash(channel, "play", variant="pinoy", opponent=other, side="first", clock=clock)
    message = channel.last_message
    assert message is not None
    await other.click(message, label="Accept")
    return await here.game(channel)
