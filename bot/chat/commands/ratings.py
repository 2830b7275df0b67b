"""`/rating` and `/leaderboard`: how strong people are here. Answers are private."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import answering, tell
from bot.chat.commands.play import VARIANT_CHOICES
from bot.chat.desk import Desk
from bot.engine import variants
from bot.games.refused import Refused
from bot.language import _, ngettext
from bot.tournaments.rated import EVERYWHERE
from bot.tournaments.rating_lists import Listed

_MOST = 20


class Ratings(commands.Cog):
    """Ratings from rated games and events."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @app_commands.command(description="Your ratings, or another player's")
    @app_commands.describe(player="Whose ratings; left out, your own", everywhere="Of all servers, not of this one")
    async def rating(
        self,
        interaction: discord.Interaction[Any],
        player: discord.Member | discord.User | None = None,
        everywhere: bool = False,
    ) -> None:
        async with answering(interaction, self.desk):
            person = interaction.user.id if player is None else player.id
            server = EVERYWHERE if everywhere else interaction.guild_id or EVERYWHERE
            rows = await self.desk.tournaments.ratings_of(person, server)
            lines = [_line(self.desk.tournaments.listed(row)) for row in rows]
            if not lines:
                raise Refused(
                    _("No rated game yet. Games begun with `/play rated:True`, and those of rated events, are rated.")
                )
            says = _("Ratings of {player} on all servers:") if everywhere else _("Ratings of {player} on this server:")
            await tell(interaction, "\n".join([says.format(player=f"<@{person}>"), *lines]))

    @app_commands.command(description="The strongest players of a game here")
    @app_commands.describe(
        variant="The game",
        live="Of live games; left out, of games by days",
        table="Of tables of three to six; left out, of games of two",
        everywhere="Of all servers",
    )
    @app_commands.choices(variant=VARIANT_CHOICES)
    async def leaderboard(
        self,
        interaction: discord.Interaction[Any],
        variant: str,
        live: bool = False,
        table: bool = False,
        everywhere: bool = False,
    ) -> None:
        async with answering(interaction, self.desk):
            server = EVERYWHERE if everywhere else interaction.guild_id or EVERYWHERE
            rows = await self.desk.tournaments.ratings_in(variant, not live, server, table=table)
            all_of_them = [self.desk.tournaments.listed(row) for row in rows]
            ranked = [each for each in all_of_them if each.ranked]
            lines = [
                f"{place}. <@{each.person}> **{each.shown}** ({games_text(each.games)})"
                for place, each in enumerate(ranked[:_MOST], start=1)
            ]
            title = f"**{pool_text(variant, correspondence=not live, table=table)}**"
            if not lines:
                lines = [_("Nobody is ranked yet: that takes five rated games, and some certainty.")]
            elif len(rows) > len(ranked):
                lines.append(_("{count} more are not ranked yet.").format(count=len(rows) - len(ranked)))
            await tell(interaction, "\n".join([title, *lines]))


def _line(each: Listed) -> str:
    name = pool_text(each.variant_id, correspondence=each.correspondence, table=each.table)
    return f"- {name}: **{each.shown}** (±{each.spread}, {games_text(each.games)})"


def games_text(count: int) -> str:
    """How many games."""
    return ngettext("{count} game", "{count} games", count).format(count=count)


def pool_text(variant_id: str, *, correspondence: bool, table: bool) -> str:
    """A pool in words."""
    name = variants.load(variant_id).name
    if table:
        text = _("{game}, three and more, by days") if correspondence else _("{game}, three and more, live")
    else:
        text = _("{game} by days") if correspondence else _("{game} live")
    return text.format(game=name)
