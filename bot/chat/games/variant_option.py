"""The option `variant` of commands: games suggested as one types, and what was typed or chosen read as a game. Beside
the games of everybody these are the variants of the server's own, in that server alone."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.chat.components import LONGEST_CHOICE, MOST_CHOICES
from bot.chat.services import services_of
from bot.engine.errors import VariantError
from bot.engine.ruleset import OF_SERVER
from bot.engine.variant_search import Listing, find, listing, search, shipped
from bot.engine.variants import Variant
from bot.games.model.errors import NotStored, Refused
from bot.i18n import _, spoken

_LONGEST_NAME = 100


class VariantTransformer(app_commands.Transformer):
    """A game by its id or any of its names; of one ``family``, where the command is for that alone. ``own``: whether
    the server's own variants are meant too."""

    def __init__(self, family: str | None = None, *, own: bool = True) -> None:
        self._family = family
        self._own = own

    @property
    def min_value(self) -> int:
        return 1

    @property
    def max_value(self) -> int:
        return _LONGEST_NAME

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> Variant:
        """The game. Raises Refused."""
        try:
            return find(value, await self._offered(interaction))
        except VariantError as error:
            raise Refused(await self._why_not(interaction, value) or error.sentence) from error

    async def _why_not(self, interaction: discord.Interaction[Any], value: str) -> str | None:
        """Where ``value`` is a game that the command is not for."""
        if self._family is None:
            return None
        try:
            other = find(value, await offered_here(interaction))
        except VariantError:
            return None
        return _("This is only for draughts games, not for {game}.").format(game=other.name)

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: int | float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """The games that fit what is typed; while nothing is, those played here most before all others."""
        typed = str(value).strip()
        listings = search(typed, await self._offered(interaction))
        if not typed:
            played = await _played_most(interaction)
            listings.sort(key=lambda each: played.index(each.id) if each.id in played else len(played))
        return [
            app_commands.Choice(name=each.title[:LONGEST_CHOICE], value=each.id) for each in listings[:MOST_CHOICES]
        ]

    async def _offered(self, interaction: discord.Interaction[Any]) -> list[Listing]:
        own = await offered_here(interaction) if self._own else shipped()
        return [each for each in own if self._family in (None, each.variant.family)]


class TypedVariantTransformer(VariantTransformer):
    """A game as it was typed: read with all else, so that a refusal can give everything back."""

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> Any:
        return value


VariantOption: TypeAlias = app_commands.Transform[Variant, VariantTransformer]
DraughtsOption: TypeAlias = app_commands.Transform[Variant, VariantTransformer("draughts")]
ShippedDraughtsOption: TypeAlias = app_commands.Transform[Variant, VariantTransformer("draughts", own=False)]
TypedVariant: TypeAlias = app_commands.Transform[str, TypedVariantTransformer]
TypedShippedVariant: TypeAlias = app_commands.Transform[str, TypedVariantTransformer(own=False)]


async def offered_here(interaction: discord.Interaction[Any]) -> tuple[Listing, ...]:
    """The games that can be played where ``interaction`` was made: the server's own, then those of everybody, of which
    the game of those who speak the language spoken now comes first."""
    try:
        own = await services_of(interaction).games.variants.of(interaction.guild_id)
    except NotStored:
        own = ()
    everybodys = sorted(shipped(), key=lambda each: each.variant.tables.language != spoken())
    return (*(listing(each.variant) for each in own if each.variant is not None), *everybodys)


async def variant_here(interaction: discord.Interaction[Any], variant_id: str) -> Variant:
    """The game of an id that a button, a form or a message carries, if it is played where that is; of a server's own
    its name there is enough. Raises Refused."""
    for each in await offered_here(interaction):
        if variant_id in (each.id, each.id.partition(OF_SERVER)[0]):
            return each.variant
    raise Refused(_("That game is no longer offered here."))


async def typed_variant(interaction: discord.Interaction[Any]) -> Variant | None:
    """The game that stands in the option `variant` while another option is typed; None where there is none such."""
    try:
        return find(str(getattr(interaction.namespace, "variant", "")), await offered_here(interaction))
    except VariantError:
        return None


async def _played_most(interaction: discord.Interaction[Any]) -> list[str]:
    if interaction.guild_id is None:
        return []
    try:
        return await services_of(interaction).games.lists.variants_played(interaction.guild_id)
    except NotStored:
        return []
