"""The post with which the bot comes to a server, once: what to press for a first game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection

import discord
import structlog

from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.features import Handlers
from bot.chat.onboarding import first_game, tutorial
from bot.chat.responses import is_private, replace, reply_privately
from bot.chat.services import Services
from bot.chat.wording.languages import Languages
from bot.i18n import N_, _, pgettext, speaking
from bot.support.frozen import frozen
from data.queries import key_values
from data.store import Store, StoreError

log = structlog.get_logger(__name__)

MET = "servers met"
"""The key under which it is kept which servers need no welcome any more; where there are several shards, how the keys
of each begin, as each may be another process's."""
_TEXT = (
    N_("**Hello! Play draughts and Chinese checkers with me, right here.**"),
    N_("- **Play the computer**: your first game starts at once."),
    N_("- **Find an opponent**: post a challenge that anyone here can accept."),
    N_("- **Learn a game**: try its rules in six short positions."),
    N_("Later on, `/play` starts any game and `/help` explains the rest."),
    N_("-# Managers: `/server settings` sets where games are played, `/server diagnose` checks my permissions."),
)


@frozen
class WelcomeAction(CustomId):
    """A button of the post, or the menu of games behind it. ``arg``: that a game was chosen."""

    prefix = "damero-welcome"
    act: str
    arg: str = ""


press = Handlers(WelcomeAction)


def welcome_text() -> str:
    """What is posted."""
    return "\n".join(_(line) for line in _TEXT)


def welcome_view() -> discord.ui.View:
    """Under it: three ways to begin."""
    return view_of([computer_button(), anyone_button(), learn_button()])


def computer_button() -> ActionButton:
    """To a first game against the computer."""
    return ActionButton.of(WelcomeAction("computer"), pgettext("button", "Play the computer"), ButtonStyle.success)


def anyone_button() -> ActionButton:
    """To a challenge that anyone may accept."""
    return ActionButton.of(WelcomeAction("anyone"), pgettext("button", "Find an opponent"), ButtonStyle.primary)


def learn_button() -> ActionButton:
    """To the tutorial."""
    return ActionButton.of(WelcomeAction("learn"), pgettext("button", "Learn a game"))


@press.on("computer", "anyone", "learn")
async def _pressed(button: WelcomeAction, interaction: Press, _services: Services) -> None:
    if not button.arg:
        menu = await first_game.game_menu(interaction, WelcomeAction(button.act, "chosen"), "/play variant:")
        await reply_privately(interaction, _("Which game?"), view=view_of([menu]))
        return
    variant = await first_game.chosen_game(interaction)
    if button.act == "learn":
        await tutorial.begin(interaction, variant)
        return
    begin = first_game.play_the_computer if button.act == "computer" else first_game.challenge_anyone
    text = await begin(interaction, variant)
    if is_private(interaction):
        await replace(interaction, text)
    else:
        await reply_privately(interaction, text)


class Welcomes:
    """Welcomes each server that takes the bot in, once; those that had it before there was a welcome get none."""

    def __init__(self, client: discord.Client, store: Store, languages: Languages) -> None:
        self._client, self._store, self._languages = client, store, languages
        # The servers that need no welcome any more; none are known before the start.
        self._met: set[int] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def start(self) -> None:
        """Connected: welcome who has come meanwhile."""
        here, own = {guild.id for guild in self._client.guilds}, self._store.shards.ids
        async with self._one_at_a_time:
            try:
                async with self._store.read() as tx:
                    kept = await key_values.beginning(tx, MET)
                known = {number for numbers in kept.values() for number in json.loads(numbers)}
                began = {shard for shard in own if self._key(shard) not in kept}
                met = {number for number in here if number in known or self._store.shards.of(number) in began}
                await self._meet(met | {number for number in sorted(here - met) if await self._welcome(number)}, own)
            except StoreError as error:
                log.warning("welcomes not looked at", error=str(error))

    async def close(self) -> None:
        """Nothing is left to be done."""

    async def joined(self, guild: discord.Guild) -> None:
        """A server has taken the bot in, or is in reach again."""
        async with self._one_at_a_time:
            if self._met is None or guild.id in self._met:
                return
            try:
                if await self._welcome(guild.id):
                    await self._meet(self._met | {guild.id}, {self._store.shards.of(guild.id)})
            except StoreError as error:
                log.warning("not welcomed", guild=guild.id, error=str(error))

    async def left(self, guild: discord.Guild) -> None:
        """A server has removed the bot: if it comes back, that is another invitation."""
        async with self._one_at_a_time:
            # At the start it is seen that it is not there.
            if self._met is None:
                return
            try:
                await self._meet(self._met - {guild.id}, {self._store.shards.of(guild.id)})
            except StoreError as error:
                log.warning("not forgotten", guild=guild.id, error=str(error))

    async def _welcome(self, guild_id: int) -> bool:
        """Post it in the first channel where that may be. Whether that is done with: where there is no such channel, it
        is tried again at the next start."""
        guild = self._client.get_guild(guild_id)
        channel = None if guild is None else first_open(guild)
        if channel is None:
            log.info("nowhere to welcome", guild=guild_id)
            return False
        with speaking(await self._languages.of_server(guild_id)):
            text, view = welcome_text(), welcome_view()
        try:
            # Discord makes one message of two tries, should the bot end before it has noted the first.
            await channel.send(text, view=view, nonce=f"w{guild_id}")
        except discord.HTTPException as error:
            log.warning("not welcomed", guild=guild_id, channel=channel.id, code=error.code)
        return True

    async def _meet(self, servers: set[int], changed: Collection[int]) -> None:
        """Remember ``servers``, of which those of the shards ``changed`` are not kept yet."""
        self._met = servers
        async with self._store.write() as tx:
            for shard in sorted(changed):
                of_shard = sorted(number for number in servers if self._store.shards.of(number) == shard)
                await key_values.put(tx, self._key(shard), json.dumps(of_shard))

    def _key(self, shard: int) -> str:
        count = self._store.shards.count
        return MET if count == 1 else f"{MET}, shard {shard} of {count}"


def first_open(guild: discord.Guild) -> discord.TextChannel | None:
    """The first channel, from the top, in which the bot may write."""
    for channel in sorted(guild.text_channels, key=lambda each: (each.position, each.id)):
        allowed = None if guild.me is None else channel.permissions_for(guild.me)
        if allowed is not None and allowed.view_channel and allowed.send_messages:
            return channel
    return None
