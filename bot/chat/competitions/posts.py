"""What the messages of leagues and team matches hold: words and buttons, by the kind of message."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.chat.competitions import league_texts, team_texts
from bot.chat.competitions.buttons import league_view
from bot.chat.competitions.live_messages import WordsAndButtons
from bot.chat.competitions.match_text import match_text, teams_of
from bot.chat.services import Services
from data.queries.competitions import CompetitionPostRow


class CompetitionPosts:
    """Gives the content of each message as the competition stands now."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client, self._services = client, services

    @property
    def content(self) -> Mapping[str, WordsAndButtons]:
        """What gives the content, by the kind of message."""
        return {
            "league": self._league,
            "season": self._season,
            "ended": self._ended,
            "match": self._match,
            "result": self._result,
        }

    async def _league(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        competition = await self._services.leagues.load(post.contest_id)
        return league_texts.announcement(competition), league_view(competition)

    async def _season(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        competition = await self._services.leagues.load(post.contest_id)
        return league_texts.season_text(competition, post.number), discord.ui.View(timeout=None)

    async def _ended(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        competition = await self._services.leagues.load(post.contest_id)
        return league_texts.ended_text(competition, post.number), discord.ui.View(timeout=None)

    async def _match(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        competition = await self._services.team_matches.load(post.contest_id)
        return await match_text(self._client, self._services, competition), discord.ui.View(timeout=None)

    async def _result(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        competition = await self._services.team_matches.load(post.contest_id)
        return team_texts.result_text(competition, teams_of(self._client, competition)), discord.ui.View(timeout=None)
