"""What is done about a post that could not be made: whether and when it is tried again, and who is told."""

from __future__ import annotations

from enum import Enum

import aiohttp
import discord
import structlog

from bot.chat import permissions
from bot.chat.posting.deleted_channels import UNKNOWN_CHANNEL
from bot.chat.posting.live_messages import FINAL_STATUSES
from bot.chat.unforeseen import kind_told
from bot.chat.wording.languages import Languages
from bot.chat.wording.links import guild_of, plays_away
from bot.games.model.computer_seats import person_of, persons
from bot.games.model.game import Game
from bot.i18n import _, speaking

log = structlog.get_logger(__name__)

# Seconds until the next try; discord.py has already tried five times over some seconds by itself.
PAUSES = (10, 30, 120, 600, 1800, 3600)
# While a permission is missing, a try costs no request: it is looked up first.
PAUSES_FOR_PERMISSION = (30, 60, 120, 300, 600)

NOT_REACHED = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
"""Discord says no, or nothing."""

_THREAD_CLOSED = (50083, 160005)  # archived and locked: as if a permission were missing


class Trouble(Enum):
    """Why a post could not be made."""

    CLOSED = "the channel is closed to the bot"
    GONE = "the channel was deleted"
    PASSING = "Discord is in trouble, or out of reach"
    REFUSED = "Discord will never take it as it is"


def trouble_of(error: Exception) -> Trouble:
    """What an error means: MissingPermissions, or one of NOT_REACHED."""
    if isinstance(error, permissions.MissingPermissions | discord.Forbidden) or is_locked(error):
        return Trouble.CLOSED
    if not isinstance(error, discord.HTTPException) or error.status not in FINAL_STATUSES:
        # A token that is being replaced (401) too, or what nobody knows yet.
        return Trouble.PASSING
    return Trouble.GONE if error.code == UNKNOWN_CHANNEL else Trouble.REFUSED


def is_locked(error: Exception) -> bool:
    """Whether what closes the channel is that it is a locked thread."""
    return isinstance(error, discord.HTTPException) and error.code in _THREAD_CLOSED


def retry_in(trouble: Trouble, attempts: int, *, mirrored: bool) -> int | None:
    """Seconds until the next try after so many; None for none. ``mirrored``: on the second server of a game of two,
    another thread is opened where one is gone."""
    if trouble is Trouble.REFUSED or (trouble is Trouble.GONE and not mirrored):
        return None
    pauses = PAUSES_FOR_PERMISSION if trouble is Trouble.CLOSED else PAUSES
    return pauses[min(attempts, len(pauses) - 1)]


class ChannelNotices:
    """Tells people by direct message that a game's channel is gone or closed; once, until something is posted again."""

    def __init__(self, client: discord.Client, languages: Languages) -> None:
        self._client = client
        self._languages = languages
        self._told: set[tuple[int, bool, int]] = set()

    def forget(self, game_id: int, *, mirrored: bool) -> None:
        """Something was posted, of a game of two servers on one of them: what was told of that is over."""
        self._told = {each for each in self._told if each[:2] != (game_id, mirrored)}

    async def gone(self, game: Game, *, mirrored: bool) -> None:
        """The channel of a game was deleted: tell its players, of a game of two servers those of that server, how to go
        on. Nobody's time runs meanwhile."""
        channel_id = game.channel_id or game.place.channel_id
        if mirrored and game.mirror is not None:
            channel_id = game.mirror.place_channel_id
        if game.status != "running" or not self._is_first(game.id, mirrored, channel_id):
            return
        for person in persons(game.players):
            if plays_away(game, person) is not mirrored:
                continue
            with speaking(await self._languages.of_person(person, guild_of(game, mirrored=mirrored))):
                text = _(
                    "**{game}, game {number}**: its channel was deleted. Continue in another channel of that "
                    "server: `/game continue {number}`\nThe clock is stopped until then."
                ).format(game=game.rules.variant.name, number=game.id)
            await self._send(person, text)

    async def closed(self, game: Game, by: int | None, error: Exception, *, mirrored: bool) -> None:
        """The channel is closed to the bot: tell the person whose act could not be shown."""
        unknown = permissions.MissingPermissions(game.channel_id or game.place.channel_id, [])
        missing = error if isinstance(error, permissions.MissingPermissions) else unknown
        log.warning("missing permissions", game=game.id, channel=missing.channel_id, titles=missing.titles)
        person = person_of(by)
        if person is None or not self._is_first(game.id, mirrored, missing.channel_id):
            return
        with speaking(await self._languages.of_person(person, game.place.guild_id)):
            text = permissions.sentence(missing.channel_id, missing.titles)
            if is_locked(error):
                template = _("The thread {thread} is closed. Please ask a moderator to unlock it.")
                text = template.format(thread=f"<#{missing.channel_id}>")
            text += f"\n{_('What you did is saved, and will be posted once I am allowed to.')}"
        await self._send(person, text)

    def _is_first(self, game_id: int, mirrored: bool, channel_id: int) -> bool:
        key = (game_id, mirrored, channel_id)
        if key in self._told:
            return False
        self._told.add(key)
        return True

    async def _send(self, person: int, text: str) -> None:
        try:
            direct = await self._client.create_dm(discord.Object(person))
            await direct.send(text)
        except NOT_REACHED as error:
            log.info("could not tell of a channel", person=person, error=kind_told(error))
