"""What the messages of leagues and team matches hold: words and buttons, by the kind of message."""

from __future__ import annotations

import discord

from bot.chat.competitions import league_texts, team_texts
from bot.chat.competitions.buttons import league_view
from bot.chat.competitions.match_text import match_text, teams_of
from bot.chat.services import Services
from bot.tournaments.model.live_messages import LiveMessage


async def content_of(client: discord.Client, services: Services, post: LiveMessage) -> tuple[str, discord.ui.View]:
    """Words and buttons of a message, as the competition stands now."""
    view = discord.ui.View(timeout=None)
    if post.kind in ("match", "result"):
        match = await services.team_matches.load(post.owner)
        if post.kind == "result":
            return team_texts.result_text(match, teams_of(client, match)), view
        return await match_text(client, services, match), view
    league = await services.leagues.load(post.owner)
    if post.kind == "season":
        return league_texts.season_text(league, post.number), view
    if post.kind == "ended":
        return league_texts.ended_text(league, post.number), view
    return league_texts.announcement(league), league_view(league)
