"""A league over two seasons, on the injected clock."""

from __future__ import annotations

import asyncio

import discord
from simcord.actors import MemberActor

from bot.chat.competitions.live_messages import CompetitionMessages
from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.support.time_units import DAY
from bot.tournaments.leagues.model import League
from bot.tournaments.use_cases.competitions import Competition
from tests.support.discord.parts import part
from tests.support.discord.world import World, labels, said


class Club:
    """A director and players; games are decided by resignation: who has come later to the league resigns."""

    def __init__(self, here: World, players: int) -> None:
        self.here = here
        role = here.guild.create_role("events", permissions=discord.Permissions(manage_events=True))
        self.director = here.guild.add_member(here.env.create_user("director"), roles=[role])
        self.players = [here.person(f"player{number}") for number in range(1, players + 1)]

    async def create(self, **more: object) -> str:
        options = {"name": "Autumn", "variant": "pinoy", "clock": "14d", "size": 4, "rise": 1, "fall": 1, **more}
        return said(await self.director.slash(self.here.channel, "league create", **options))

    def post(self, start: str) -> discord.Message:
        (found,) = [m for m in self.here.posts() if m.content.startswith(start)]
        return found

    @property
    def announcement(self) -> discord.Message:
        return self.post("**Autumn** (league")

    async def direct(self, command: str, **options: object) -> str:
        return said(await self.director.slash(self.here.channel, f"league {command}", **options))

    async def league(self) -> Competition[League]:
        return await self.here.bot.services.leagues.load(1)

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
        self.here.bot.timers.heartbeat = self.here.bot.services.games.outages.heartbeat = 30 * DAY
        await self.quiet()


async def test_a_league_of_two_seasons(here: World) -> None:
    """Six in two divisions, a restart, a season that ends with its last game and one that ends by its date, promotion
    and relegation, somebody who leaves and somebody who comes."""
    club = Club(here, 6)
    assert "announced below" in await club.create(days=10, pause=3)
    assert ["Join", "Leave"] == labels(club.announcement)
    for person in club.players:
        await person.click(club.announcement, label="Join")
    assert "6 members" in club.announcement.content
    assert "already" in said(await club.players[0].click(club.announcement, label="Join"))
    refused = await club.players[0].slash(here.channel, "league start")
    assert "Only a director" in said(refused)
    assert "Season 1 has begun with 2 divisions" in await club.direct("start")
    await club.quiet()
    season = (await club.league()).state.season
    assert season is not None
    assert [4, 2] == [len(people) for people in season.divisions]
    assert club.post("**Autumn, season 1** has begun")
    assert "A season is being played" in await club.direct("start")

    # With its last game the season is over; the bot was away in between.
    await club.play(club.players[0])
    assert (await club.league()).state.is_playing
    assert "▼" in said(await here.alice.slash(here.channel, "league standings"))
    await club.play()
    await here.env.advance_time(60)
    await club.quiet()
    state = (await club.league()).state
    assert not state.is_playing
    assert f"Division 1: 1. <@{club.players[0].id}>" in club.post("**Autumn, season 1** is over").content
    assert "Season 2 begins" in club.announcement.content

    # One leaves, one comes; the next season begins by itself after the pause.
    await club.players[1].click(club.announcement, label="Leave")
    await here.carol.slash(here.channel, "league join")
    club.players.append(here.carol)
    await here.env.advance_time(3 * 86_400)
    await club.quiet()
    state = (await club.league()).state
    assert state.is_playing
    assert state.season is not None
    assert 2 == state.season.number
    told = club.post("**Autumn, season 2** has begun").content
    best_of_second = club.players[4].id
    assert best_of_second in state.season.divisions[0]
    assert f"<@{best_of_second}> → 1" in told
    there = {person for division in state.season.divisions for person in division}
    assert club.players[1].id not in there
    assert here.carol.id in state.season.divisions[-1]

    # The second season ends by its date: games that go on are drawn, who has not moved at all has forfeited and is not
    # enrolled again.
    begun, absent = club.players[2], club.players[5]
    await club.play(begun, absent)
    await club.play(absent, moves=2)
    await here.env.advance_time(10 * 86_400 + 60)
    await club.quiet()
    state = (await club.league()).state
    assert begun.id in state.members
    assert absent.id not in state.members
    assert 2 == len([season for season in state.seasons if season.ended_at])
    assert "winners by division" in said(await here.alice.slash(here.channel, "league history"))
    for season in state.seasons:
        for number in season.tournaments:
            tournament = await here.bot.services.tournaments.load(number)
            assert tournament.status == "over"
            assert "running" not in {link.status for link in tournament.games}
    assert "no further season" in await club.direct("close")
    assert [] == labels(club.announcement)
    assert "over" in await club.direct("list")


async def test_who_may_hold_a_league(here: World) -> None:
    """Creating needs a permission and a clock by days; directing needs the director's word."""
    club = Club(here, 2)
    refused = await here.alice.slash(here.channel, "league create", name="X", variant="pinoy", clock="14d")
    assert "Manage Events" in said(refused)
    assert "More players go up and down" in await club.create(rise=3, fall=3)
    await club.create()
    for command in ("close", "start"):
        assert "Only a director" in said(await here.alice.slash(here.channel, f"league {command}"))
    assert "Two players at least" in await club.direct("start")
    assert "directs **Autumn** too" in await club.direct("director", person=here.alice)
    assert "no further season" in said(await here.alice.slash(here.channel, "league close"))
    assert "closed" in said(await here.bob.slash(here.channel, "league join"))
