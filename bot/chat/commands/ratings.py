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
from bot.tournaments.rated import EVERYWHERE, of_row

_MOST = 20


class Ratings(commands.Cog):
    """Ratings of games of two, from rated tournaments."""

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
            now = self.desk.tournaments.now
            lines = [
                f"- {variants.load(row.variant_id).name}{_pace(row.correspondence)}: **{of_row(row).shown(now)}** "
                f"(±{round(of_row(row).live_deviation(now))}, {row.games} {'game' if row.games == 1 else 'games'})"
                for row in rows
            ]
            if not lines:
                raise Refused("No rated game yet. Games of rated tournaments change ratings.")
            where = "all servers" if everywhere else "this server"
            await tell(interaction, "\n".join([f"Ratings of <@{person}> on {where}:", *lines]))

    @app_commands.command(description="The strongest players of a game here")
    @app_commands.describe(
        variant="The game", live="Of live games; left out, of games by days", everywhere="Of all servers"
    )
    @app_commands.choices(variant=VARIANT_CHOICES)
    async def leaderboard(
        self, interaction: discord.Interaction[Any], variant: str, live: bool = False, everywhere: bool = False
    ) -> None:
        async with answering(interaction, self.desk):
            server = EVERYWHERE if everywhere else interaction.guild_id or EVERYWHERE
            now = self.desk.tournaments.now
            rows = await self.desk.tournaments.ratings_in(variant, not live, server)
            ranked = [row for row in rows if of_row(row).is_ranked(now)]
            lines = [
                f"{place}. <@{row.person}> **{of_row(row).shown(now)}** ({row.games} games)"
                for place, row in enumerate(ranked[:_MOST], start=1)
            ]
            title = f"**{variants.load(variant).name}**{_pace(not live)}"
            if not lines:
                lines = ["Nobody is ranked yet: that takes five rated games, and some certainty."]
            elif len(rows) > len(ranked):
                lines.append(f"{len(rows) - len(ranked)} more are not ranked yet.")
            await tell(interaction, "\n".join([title, *lines]))


def _pace(correspondence: bool) -> str:
    return " by days" if correspondence else " live"
