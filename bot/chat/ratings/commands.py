"""`/rating` and `/leaderboard`: how strong people are here. Answers are private."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.features import ServiceCog
from bot.chat.games.choices import VARIANT_CHOICES
from bot.chat.posting.picture_files import Picture
from bot.chat.ratings.pictures import games_text, graph, leaderboard, pool_text
from bot.chat.responses import defer_if_slow, reply_privately
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.ratings.leaderboards import RatingEntry
from bot.ratings.pools import EVERYWHERE, RatingPool

_MOST = 20


class RatingCommands(ServiceCog):
    """Shows ratings from rated games and tournaments, of a person and of the strongest."""

    @app_commands.command(description="Your ratings, or another player's")
    @app_commands.describe(
        player="Whose ratings; left out, your own",
        everywhere="Of all servers, not of this one",
        variant="The game of the graph; left out, the one most played",
    )
    @app_commands.choices(variant=VARIANT_CHOICES)
    async def rating(
        self,
        interaction: Press,
        player: discord.Member | discord.User | None = None,
        everywhere: bool = False,
        variant: str | None = None,
    ) -> None:
        person = interaction.user.id if player is None else player.id
        server = EVERYWHERE if everywhere else interaction.guild_id or EVERYWHERE
        all_of_them = await self.services.ratings.of_person(person, server)
        lines = [_line(each) for each in all_of_them]
        if not lines:
            raise Refused(
                _("No rated game yet. Games begun with `/play rated:True`, and those of rated events, are rated.")
            )
        template = _("Ratings of {player} on all servers:") if everywhere else _("Ratings of {player} on this server:")
        text = "\n".join([template.format(player=f"<@{person}>"), *lines])
        of_game = [each for each in all_of_them if variant in (None, each.pool.variant)]
        if not of_game:
            await reply_privately(interaction, text)
            return
        most = max(of_game, key=lambda each: each.games)
        drawn = await defer_if_slow(interaction, self._graph(interaction.guild_id, most))
        await reply_privately(interaction, text, file=None if drawn is None else drawn.file())

    async def _graph(self, guild_id: int | None, each: RatingEntry) -> Picture | None:
        points = await self.services.ratings.history(each.person, each.pool)
        return await graph(self.services, guild_id, each, points, _where(each.pool.server)) if points else None

    @app_commands.command(description="The strongest players of a game here")
    @app_commands.describe(
        variant="The game",
        live="Of live games; left out, of games by days",
        table="Of tables of three to six; left out, of games of two",
        everywhere="Of all servers",
    )
    @app_commands.choices(variant=VARIANT_CHOICES)
    async def leaderboard(
        self, interaction: Press, variant: str, live: bool = False, table: bool = False, everywhere: bool = False
    ) -> None:
        server = EVERYWHERE if everywhere else interaction.guild_id or EVERYWHERE
        pool = RatingPool(variant, not live, table, server)
        all_of_them = await self.services.ratings.in_pool(pool)
        ranked = [each for each in all_of_them if each.ranked]
        lines = [
            f"{place}. <@{each.person}> **{each.shown}** ({games_text(each.games)})"
            for place, each in enumerate(ranked[:_MOST], start=1)
        ]
        title = pool_text(pool)
        if not lines:
            lines = [_("Nobody is ranked yet: that takes five rated games, and some certainty.")]
        elif len(all_of_them) > len(ranked):
            lines.append(_("{count} more are not ranked yet.").format(count=len(all_of_them) - len(ranked)))
        text = "\n".join([f"**{title}**", *lines])
        if not ranked:
            await reply_privately(interaction, text)
            return
        drawing = leaderboard(self.services, interaction.guild_id, ranked[:_MOST], title, _where(server))
        await reply_privately(interaction, text, file=(await defer_if_slow(interaction, drawing)).file())


def _where(server: int) -> str:
    return _("all servers") if server == EVERYWHERE else _("this server")


def _line(each: RatingEntry) -> str:
    name = pool_text(each.pool)
    return f"- {name}: **{each.shown}** (±{each.spread}, {games_text(each.games)})"
