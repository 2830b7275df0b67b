"""Keeps the messages of leagues and team matches as they are wanted: posted once in each channel, then edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import discord

from bot.chat.competitions import league_texts, team_texts
from bot.chat.competitions.league_commands import league_view
from bot.chat.competitions.team_commands import request_view
from bot.chat.posting.live_messages import Content, LiveMessages
from bot.chat.wording.languages import Languages
from bot.chat.wording.message_text import fitting
from bot.chat.wording.names import Names
from bot.i18n import speaking
from bot.support.signals import Signal
from bot.tournaments.leagues.service import Leagues
from bot.tournaments.team_matches.service import TeamMatches
from bot.tournaments.use_cases.work import TournamentChanged
from data.queries.live_messages import LiveMessage


@dataclass(eq=False)
class CompetitionMessages(LiveMessages):
    """The messages of leagues and team matches, in each of their channels."""

    owner = "competition"
    leagues: Leagues
    team_matches: TeamMatches
    languages: Languages
    names: Names
    tournament_changed: Signal[[TournamentChanged]]
    # Tournaments speak after what their competition says of them.
    _tournaments: dict[int, list[TournamentChanged]] = field(init=False, default_factory=dict)

    def changed(self, owner: int, tournaments: Sequence[TournamentChanged]) -> None:
        """A competition may have something to say, and then tournaments of it."""
        self._tournaments.setdefault(owner, []).extend(tournaments)
        self.wake(owner)

    async def _say_all(self, owner: int) -> None:
        try:
            await self._say_pending(owner)
        finally:
            for change in self._tournaments.pop(owner, ()):
                self.tournament_changed.send(change)

    async def _say_pending(self, owner: int) -> None:
        failed = None
        for post in await self.posts.pending(owner):
            try:
                with speaking(await self.languages.of_server(post.guild_id)):
                    content = await self._content(post)
                    # A card is put into words as it is shown.
                    await self._show(post, post.guild_id, post.channel_id, content)
            except discord.HTTPException as error:
                # One server out of reach keeps the other from nothing.
                failed = error
        if failed is not None:
            raise failed

    async def _content(self, post: LiveMessage) -> Content:
        """What a message shows, as the competition stands now."""
        client, matches = self.client, self.team_matches
        view = discord.ui.View(timeout=None)
        people: Sequence[int] = ()
        if post.kind == "match":
            competition = await matches.competitions.load(post.owner)
            text = await team_texts.match_text(client, matches, self.names, competition, post.guild_id)
            start = team_texts.start_of_match(competition)
        elif post.kind in ("began", "cancelled"):
            competition = await matches.competitions.load(post.owner)
            begun = post.kind == "began"
            games = await matches.tournament_of(competition)
            text = team_texts.news_text(client, competition, games, begun=begun)
            start = team_texts.start_of_news(competition, begun=begun)
        elif post.kind == "result":
            competition = await matches.competitions.load(post.owner)
            text, start = team_texts.result_text(client, competition), team_texts.start_of_result(competition)
        elif post.kind == "ask":
            competition = await matches.competitions.load(post.owner)
            text, start = (
                team_texts.request_text(client, competition, post.number),
                team_texts.start_of_request(competition),
            )
            people = await self.posts.awake(team_texts.asked(competition, post.number))
            view = request_view(competition, post.number)
        elif post.kind == "declined":
            competition = await matches.competitions.load(post.owner)
            text = team_texts.declined_text(client, competition, post.number)
            start = team_texts.start_of_declined(competition)
        elif post.kind == "substitute":
            competition = await matches.competitions.load(post.owner)
            text = await team_texts.substitute_text(client, matches, self.names, competition, post.number)
            start = text
        else:
            league = await self.leagues.competitions.load(post.owner)
            if post.kind == "season":
                text = league_texts.season_text(league, post.number)
            elif post.kind == "ended":
                divisions = await self.leagues.divisions(league, post.number)
                text = league_texts.ended_text(league, post.number, divisions)
            else:
                text, view = league_texts.announcement(league), league_view(league)
            # The first line names the league, and its season.
            start = text.split("\n", 1)[0]
        return Content(fitting(text), view, lambda message: message.content.startswith(start), people=people)
