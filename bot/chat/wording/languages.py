"""Who is spoken to in which language: a person in their own, a server in that which its managers have chosen."""

from __future__ import annotations

import functools
from typing import Any, cast

import discord
from discord import app_commands

from bot.games.model.errors import NotStored
from bot.games.model.game import Game
from bot.games.service import Games
from bot.i18n import ENGLISH, known, said, speak, speaking
from bot.support.bounded import Bounded

_KEPT = 10_000
_Where = app_commands.TranslationContextLocation
_TRANSLATED = (_Where.command_description, _Where.group_description, _Where.parameter_description, _Where.choice_name)


class Languages:
    """Knows in which language a person or a server is spoken to, and who wants pictures written out."""

    def __init__(self, games: Games, client: discord.Client) -> None:
        self._games = games
        self._client = client
        self._locales: Bounded[int, discord.Locale] = Bounded(_KEPT)

    async def of_server(self, guild_id: int | None) -> str:
        """What a server reads: what its managers have chosen, else the language that Discord has for it."""
        if guild_id is None:
            return ENGLISH
        try:
            chosen = (await self._games.servers.load(guild_id)).language
        except NotStored:
            chosen = None
        guild = self._client.get_guild(guild_id)
        return chosen or (None if guild is None else known(str(guild.preferred_locale))) or ENGLISH

    async def written_out(self, guild_id: int | None) -> bool:
        """Whether a server wants what pictures show in words as well."""
        try:
            return (await self._games.servers.load(guild_id)).words
        except NotStored:
            return False

    async def of_game(self, game: Game, guild_id: int | None) -> str:
        """What is read where a game is played, on the server ``guild_id``: outside of servers that have the bot what
        whoever began the game reads."""
        if game.place.guild_id is None or game.place.answers_only:
            return await self.of_person(game.opener, None)
        return await self.of_server(guild_id)

    async def of_person(self, person: int, guild_id: int | None, locale: discord.Locale | None = None) -> str:
        """What a person reads: what they have chosen, else the ``locale`` that their Discord speaks (outside of servers
        with None what it spoke last), where that is known and spoken here, else what the server reads where they are
        met."""
        if guild_id is None:
            locale = locale or self._locales.get(person)
        try:
            chosen = (await self._games.preferences.load(person)).language
        except NotStored:
            chosen = None
        return chosen or (None if locale is None else known(str(locale))) or await self.of_server(guild_id)

    def remembered(self, interaction: discord.Interaction[Any]) -> str:
        """As ``of_person``, from memory alone: for what must be quick."""
        preferences = self._games.preferences.remembered(interaction.user.id)
        chosen = None if preferences is None else preferences.language
        return chosen or known(str(interaction.locale)) or ENGLISH

    async def answer(self, interaction: discord.Interaction[Any]) -> None:
        """Speak as whoever made ``interaction`` reads, until all of it is done."""
        self._locales[interaction.user.id] = interaction.locale
        speak(await self.of_person(interaction.user.id, interaction.guild_id, interaction.locale))


class Translator(app_commands.Translator):
    """What Discord shows of the commands, in the languages that it and the catalogues know. The names of commands and
    of what they take stay as they are: help texts, people and programs call them so."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        # Called for each text in each language of Discord's, some twenty thousand times.
        language = foreign(locale)
        if language is None or context.location not in _TRANSLATED:
            return None
        with speaking(language):
            translated = said(cast(str, string.extras.get("phrase", string.message)))
        return None if translated == string.message else translated


@functools.cache
def foreign(locale: discord.Locale) -> str | None:
    """The language of ``locale`` where texts are translated for it."""
    language = known(str(locale))
    return None if language == ENGLISH else language


def titled(phrase: str) -> app_commands.locale_str:
    """The name of a choice that is made of parts."""
    return app_commands.locale_str(str(phrase), phrase=phrase)
