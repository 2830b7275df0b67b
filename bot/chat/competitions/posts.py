"""Leagues and team matches in this bot: their use cases, their posts, their timers, their commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.chat.competitions import league_texts, team_texts
from bot.chat.competitions.buttons import league_view
from bot.chat.competitions.live_messages import CompetitionMessages
from bot.chat.services import Services
from bot.i18n import _
from bot.tournaments.competitions import Competition
from bot.tournaments.team_matches.model import TeamMatch
from data.queries.competitions import CompetitionPostRow
from data.queries.timers import TimerRow

if TYPE_CHECKING:
    from discord.ext import commands


class CompetitionPosts:
    """One for each running bot."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self.leagues, self.teams = services.leagues, services.teams
        content = {"league": self._league, "season": self._season, "ended": self._ended}
        content |= {"match": self._match, "result": self._result}
        self.posts = CompetitionMessages(
            client,
            self.leagues.pending,
            self.leagues.mark_posted,
            content,
            services.speech.of_server,
            self.leagues.is_known,
            lambda: services.games.now,
        )
        self.leagues.changed.connect(self.posts.wake)
        self.teams.changed.connect(self.posts.wake)
        self._client = client
        self._names = services.names
        services.contests = self

    async def act(self, row: TimerRow) -> None:
        """What the timer of a contest does."""
        if await self.leagues.exists(row.subject):
            await self.leagues.time_passed(row.subject)
        elif await self.teams.exists(row.subject):
            await self.teams.time_passed(row.subject)

    def cogs(self, services: Services) -> list[commands.Cog]:
        """The commands."""
        from bot.chat.competitions.league_commands import LeagueCommands
        from bot.chat.competitions.team_commands import TeamCommands

        return [LeagueCommands(services), TeamCommands(services)]

    async def start(self) -> None:
        """Say what was left unsaid."""
        await self.posts.start()

    async def close(self) -> None:
        await self.posts.close()

    async def _league(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.leagues.load(post.contest_id)
        return league_texts.announcement(contest), league_view(contest)

    async def _season(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.leagues.load(post.contest_id)
        return league_texts.season_text(contest, post.number), discord.ui.View(timeout=None)

    async def _ended(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.leagues.load(post.contest_id)
        return league_texts.ended_text(contest, post.number), discord.ui.View(timeout=None)

    # Team matches

    async def match_text(self, contest: Competition[TeamMatch]) -> str:
        """How a team match stands, with people's names: who reads it may not be on both servers."""
        tournament = await self.teams.tournament_of(contest)
        names: dict[int, str] = {}
        if tournament is not None:
            row = contest.row
            for number, entrant in tournament.state.by_number.items():
                guild = row.guild_id if number % 2 else row.other_guild_id
                name = await self._names.of(guild, entrant.person) if entrant.person > 0 else _("a player")
                names[number] = discord.utils.escape_markdown(name)
        return team_texts.match_text(contest, tournament, self._teams(contest), names)

    def _teams(self, contest: Competition[TeamMatch]) -> team_texts.Teams:
        return self._called(contest.row.guild_id), self._called(contest.row.other_guild_id)

    def _called(self, guild_id: int | None) -> str:
        guild = None if guild_id is None else self._client.get_guild(guild_id)
        return _("another server") if guild is None else discord.utils.escape_markdown(guild.name)

    async def _match(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.teams.load(post.contest_id)
        return await self.match_text(contest), discord.ui.View(timeout=None)

    async def _result(self, post: CompetitionPostRow) -> tuple[str, discord.ui.View]:
        contest = await self.teams.load(post.contest_id)
        return team_texts.result_text(contest, self._teams(contest)), discord.ui.View(timeout=None)
