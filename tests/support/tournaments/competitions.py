"""A club with leagues and team matches, over a store."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.variants import shipped
from bot.games.model.game import Place
from bot.tournaments.leagues.model import League, LeaguePlan
from bot.tournaments.leagues.service import Leagues
from bot.tournaments.persistence.stored import NewCompetition
from bot.tournaments.persistence.stored_competition import Competition
from bot.tournaments.team_matches.model import TeamMatch
from bot.tournaments.team_matches.service import TeamMatches
from data.store import Store
from tests.support.games.club import HALL
from tests.support.tournaments.event import DIRECTOR, Event

ELSEWHERE = Place(guild_id=8, channel_id=80)


NEW = NewCompetition(
    director=DIRECTOR, name="Match", ruleset=shipped("pinoy"), options={}, clock="3d", rated=True, place=HALL
)


class CompetitionClub(Event):
    """A club with leagues and team matches."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.leagues = Leagues(self.tournaments.work)
        self.teams = TeamMatches(self.tournaments.work)

    async def league(self, *people: int, **plan: int) -> Competition[League]:
        made = await self.leagues.create(replace(NEW, name="League"), LeaguePlan(**plan), self.source())
        for person in people:
            made = await self.leagues.join(made.id, person, self.source())
        return made

    async def match(self, boards: int = 2, **more: int) -> Competition[TeamMatch]:
        made = await self.teams.challenge(NEW, boards, more.get("server"), self.source())
        assert made.code is not None
        return await self.teams.accept(made.code, 2, ELSEWHERE, self.source())

    async def line_up(
        self, match: Competition[TeamMatch], place: Place, by: int, *people: int
    ) -> Competition[TeamMatch]:
        assert place.guild_id is not None
        source = self.source()
        return await self.teams.line_up(match.id, place.guild_id, by, people, source, manages=False)
