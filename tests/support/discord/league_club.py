"""A club that holds a league on a simulated Discord."""

from __future__ import annotations

import asyncio

import discord
from simcord.actors import MemberActor

from bot.chat.competitions.live_messages import CompetitionMessages
from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.tournaments.leagues.model import League
from bot.tournaments.persistence.stored_competition import Competition
from tests.support.discord.parts import part
from tests.support.discord.world import World, said

SMALL = {"division_size": 4, "promoted": 1, "relegated": 1}


class LeagueClub:
    """A director and players; games are decided by resignation: who has come later to the league resigns."""

    def __init__(self, here: World, players: int) -> None:
        self.here = here
        role = here.guild.create_role("events", permissions=discord.Permissions(manage_events=True))
        self.director = here.guild.add_member(here.env.create_user("director"), roles=[role])
        self.players = [here.person(f"player{number}") for number in range(1, players + 1)]

    async def create(self, **more: object) -> str:
        options = {"name": "Autumn", "variant": "pinoy", "clock": "14d", **SMALL, **more}
        options = {name: value for name, value in options.items() if value is not None}
        return said(await self.director.slash(self.here.channel, "league create", **options))

    async def started(self, **more: object) -> None:
        """Create the league, let everybody join, and begin its first season."""
        await self.create(**more)
        for person in self.players:
            await person.click(self.announcement, label="Join")
        await self.direct("start")
        await self.quiet()

    def post(self, start: str) -> discord.Message:
        (found,) = [m for m in self.here.posts() if m.content.startswith(start)]
        return found

    @property
    def announcement(self) -> discord.Message:
        return self.post("**Autumn** (league")

    async def direct(self, command: str, **options: object) -> str:
        return said(await self.director.slash(self.here.channel, f"league {command}", **options))

    async def league(self) -> Competition[League]:
        return await self.here.bot.services.leagues.competitions.load(1)

    async def quiet(self) -> None:
        """Until the bot has said all that there is to say."""
        bot = self.here.bot
        while tasks := {
            *part(bot, TournamentMessages).tasks,
            *part(bot, Delivery).tasks,
            *part(bot, CompetitionMessages).tasks,
        }:
            await asyncio.wait(tasks)
            await asyncio.sleep(0)

    def strength(self, person: int) -> int:
        return next(i for i, one in enumerate(self.players) if one.id == person)

    async def play(self, *but: MemberActor, moves: int = 0) -> None:
        """Play all games of the season but those of ``but``, to their ends or so many moves; then the bot is started
        anew."""
        games = self.here.bot.services.games
        season = (await self.league()).state.season
        assert season is not None
        idle = {one.id for one in but}
        for number in season.tournaments:
            for link in (await self.here.bot.services.tournaments.load(number)).games:
                game = await games.game(link.game_id)
                if link.status != "running" or idle & set(game.players):
                    continue
                for ply in range(2):
                    assert game.to_move is not None
                    text = game.rules.turns(game.state)[0].text
                    game = await games.moves.turn(game.id, game.to_move, text, f"t:{game.id}:{ply}")
                if moves:
                    self.here.bot.services.games_changed.send(game)
                    continue
                loser = max((p for p in game.players if p is not None), key=self.strength)
                self.here.bot.services.games_changed.send(await games.moves.resign(game.id, loser, f"t:{game.id}:end"))
        await self.quiet()
        # The bot's own clock is the simulated one: what was set from here is taken up by the next bot.
        await self.here.restart()
        await self.quiet()
