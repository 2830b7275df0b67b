"""Leagues and team matches in this bot: their use cases, their posts, their timers, their commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import discord

from bot.chat import league_texts
from bot.chat.contest_buttons import league_view
from bot.chat.contest_posts import ContestPosts
from bot.chat.desk import Desk
from bot.games.service import Games
from bot.tournaments.league_service import Leagues
from data.contests import ContestPostRow
from data.store import Store
from data.timers import TimerRow

if TYPE_CHECKING:
    from discord.ext import commands


class ContestHouse:
    """One for each running bot."""

    def __init__(
        self,
        client: discord.Client,
        desk: Desk,
        store: Store,
        games: Games,
        changed: Callable[[int, Sequence[int]], None],
    ) -> None:
        """``changed`` is told of tournaments, and their games, that have something to say."""
        self.leagues = desk.leagues = Leagues(store, games, asyncio.to_thread)
        content = {"league": self._league, "season": self._season, "ended": self._ended}
        self.posts = ContestPosts(
            client, self.leagues.contest_wanted, self.leagues.contest_said, content, desk.speech.of_server
        )
        self.leagues.changed = changed
        self.leagues.contest_changed = self.posts.wake

    async def act(self, row: TimerRow) -> None:
        """What the timer of a contest does."""
        if await self.leagues.is_one(row.subject):
            await self.leagues.time_passed(row.subject)

    def cogs(self, desk: Desk) -> list[commands.Cog]:
        """The commands."""
        from bot.chat.commands.league import LeagueCommands

        return [LeagueCommands(desk)]

    async def start(self) -> None:
        """Say what was left unsaid."""
        await self.posts.start()

    async def close(self) -> None:
        await self.posts.close()

    async def _league(self, post: ContestPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.leagues.contest(post.contest_id)
        return league_texts.announcement(contest), league_view(contest)

    async def _season(self, post: ContestPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.leagues.contest(post.contest_id)
        return league_texts.season_text(contest, post.number), discord.ui.View(timeout=None)

    async def _ended(self, post: ContestPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.leagues.contest(post.contest_id)
        return league_texts.ended_text(contest, post.number), discord.ui.View(timeout=None)
