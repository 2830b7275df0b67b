"""A club that holds tournaments on a simulated Discord."""

from __future__ import annotations

import asyncio

import discord
from simcord.actors import MemberActor

from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.tournaments.persistence.stored_tournament import StoredTournament
from tests.support.discord.parts import part
from tests.support.discord.world import World, said


class Club:
    """A director and players; games are decided by resignation: the higher starting number resigns."""

    def __init__(self, here: World, players: int) -> None:
        self.here = here
        role = here.guild.create_role("events", permissions=discord.Permissions(manage_events=True))
        self.director = here.guild.add_member(here.env.create_user("director"), roles=[role])
        self.players = [here.person(f"player{number}") for number in range(1, players + 1)]

    async def create(self, kind: str, **more: object) -> None:
        options = {"name": "Autumn", "kind": kind, "variant": "pinoy", "clock": "3d", "order": "entry", **more}
        await self.director.slash(self.here.channel, "tournament create", **options)

    @property
    def announcement(self) -> discord.Message:
        return next(m for m in self.here.posts() if m.content.startswith("**Autumn** (tournament"))

    def post(self, start: str) -> discord.Message:
        """The one message that begins so."""
        (found,) = [m for m in self.here.posts() if m.content.startswith(start)]
        return found

    async def join(self, *people: MemberActor) -> None:
        for person in people:
            await person.click(self.announcement, label="Join")

    async def started(self, kind: str, **more: object) -> None:
        """A tournament that all players have joined is started."""
        await self.create(kind, **more)
        await self.join(*self.players)
        await self.direct("start")
        await self.quiet()

    async def direct(self, command: str, **options: object) -> str:
        return said(await self.director.slash(self.here.channel, f"tournament {command}", **options))

    async def load(self) -> StoredTournament:
        return await self.here.bot.services.tournaments.load(1)

    async def quiet(self) -> None:
        """Until the bot has said all that there is to say."""
        bot = self.here.bot
        while tasks := {*part(bot, TournamentMessages).tasks, *part(bot, Delivery).tasks}:
            await asyncio.wait(tasks)
            await asyncio.sleep(0)

    async def play(self, *but: int) -> None:
        """Play all games that are going on but those of the numbers ``but``, each in its thread."""
        while True:
            tournament = await self.load()
            running = [g for g in tournament.games if g.status == "running" and not {g.white, g.black} & set(but)]
            if not running:
                return
            for link in running:
                games = self.here.bot.services.games
                for ply in range(3):
                    game = await games.game(link.game_id)
                    loser = tournament.state.by_number[max(link.white, link.black)].person
                    if ply < 2:
                        assert game.to_move is not None
                        text = game.rules.turns(game.state)[0].text
                        game = await games.moves.turn(game.id, game.to_move, text, f"t:{game.id}:{ply}")
                    else:
                        game = await games.moves.resign(game.id, loser, f"t:{game.id}:{ply}")
                    self.here.bot.services.games_changed.send(game)
                await self.quiet()


async def give_up(club: Club, game_id: int, person: int) -> None:
    """A player resigns in a game's thread, and is asked once."""
    game = await club.here.bot.services.games.game(game_id)
    thread = next(each for each in club.here.channel.threads if each.id == game.channel_id)
    player = next(each for each in club.players if each.id == person)
    asked = await player.slash(thread, "game resign")
    assert asked.response is not None
    await player.click(asked.response, label="Resign")
