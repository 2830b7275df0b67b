"""The option `variant` of commands: games suggested as one types, and what was typed or chosen read as a game's id."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.chat.games.choices import LONGEST_CHOICE, MOST_CHOICES
from bot.chat.services import services_of
from bot.engine.errors import VariantError
from bot.engine.variant_search import Listing, find, search, shipped
from bot.engine.variants import Variant
from bot.games.model.errors import NotStored, Refused

_LONGEST_NAME = 100


class VariantTransformer(app_commands.Transformer):
    """A game by its id or any of its names; of one ``family``, where the command is for that alone."""

    def __init__(self, family: str | None = None) -> None:
        self._family = family

    @property
    def min_value(self) -> int:
        return 1

    @property
    def max_value(self) -> int:
        return _LONGEST_NAME

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> str:
        """The id of the game. Raises Refused."""
        try:
            return find(value, self._offered()).id
        except VariantError as error:
            raise Refused(error.message) from error

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: int | float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """The games that fit what is typed; while nothing is, those played here most before all others."""
        typed = str(value).strip()
        listings = search(typed, self._offered())
        if not typed:
            played = await _played_most(interaction)
            listings.sort(key=lambda each: played.index(each.id) if each.id in played else len(played))
        return [
            app_commands.Choice(name=each.title[:LONGEST_CHOICE], value=each.id) for each in listings[:MOST_CHOICES]
        ]

    def _offered(self) -> tuple[Listing, ...]:
        return tuple(each for each in shipped() if self._family in (None, each.variant.family))


VariantOption: TypeAlias = app_commands.Transform[str, VariantTransformer]
DraughtsOption: TypeAlias = app_commands.Transform[str, VariantTransformer("draughts")]


def typed_variant(interaction: discord.Interaction[Any]) -> Variant | None:
    """The game that stands in the option `variant` while another option is typed; None where there is none such."""
    try:
        return find(str(getattr(interaction.namespace, "variant", "")), shipped())
    except VariantError:
        return None


async def _played_most(interaction: discord.Interaction[Any]) -> list[str]:
    if interaction.guild_id is None:
        return []
    try:
        return await services_of(interaction).games.lists.variants_played(interaction.guild_id)
    except NotStored:
        return []
