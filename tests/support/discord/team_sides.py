"""Two servers that play a team match on a simulated Discord."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.results import ResponseMessage

from bot.chat.competitions.live_messages import CompetitionMessages
from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.games.model.game import Game
from tests.support.discord.parts import part
from tests.support.discord.world import World, said


class Side:
    """A server with a captain and a team. ``here`` is the home team's."""

    def __init__(self, here: World, guild: GuildHandle, channel: ChannelHandle, team: str) -> None:
        self.here = here
        self.guild = guild
        self.channel = channel
        role = guild.create_role("events", permissions=discord.Permissions(manage_events=True))
        self.captain = guild.add_member(here.env.create_user(f"{team} captain"), roles=[role])
        self.players = [guild.add_member(here.env.create_user(f"{team} {board}")) for board in (1, 2)]

    async def says(self, command: str, **options: Any) -> str:
        return said(await self.captain.slash(self.channel, f"teams {command}", **options))

    async def asked_to_cancel(self, **options: Any) -> ResponseMessage:
        """The question whether a match is to be cancelled."""
        answer = await self.captain.slash(self.channel, "teams cancel", **options)
        assert answer.response is not None
        return answer.response

    async def confirms(self, question: ResponseMessage) -> str:
        return said(await self.captain.click(question, label="Cancel the match"))

    async def line_up(self, *players: MemberActor) -> str:
        return await self.says("lineup", players=" ".join(f"<@{player.id}>" for player in players))

    def post(self, start: str) -> str:
        """The one message of the channel that begins so."""
        (found,) = [m for m in self.channel.history() if m.content.startswith(start)]
        return found.content


async def quiet(here: World) -> None:
    """Until the bot has said all that there is to say."""
    bot = here.bot
    while tasks := {
        *part(bot, TournamentMessages).tasks,
        *part(bot, Delivery).tasks,
        *part(bot, CompetitionMessages).tasks,
    }:
        await asyncio.wait(tasks)
        await asyncio.sleep(0)


async def challenged(here: World, **more: object) -> tuple[Side, Side, str]:
    """Two servers, and the code of a challenge of two boards."""
    home = Side(here, here.guild, here.channel, "home")
    other = here.env.create_guild("The guests")
    away = Side(here, other, other.create_text_channel("draughts"), "guests")
    options = {"name": "Autumn", "variant": "pinoy", "clock": "3d", "boards": 2, **more}
    answer = await home.says("challenge", **options)
    found = re.search(r"code:([0-9A-F]+)", answer)
    assert found is not None
    return home, away, found[1]


async def begun(here: World, **more: object) -> tuple[Side, Side]:
    """Two servers with a match of two boards, whose games have begun."""
    home, away, code = await challenged(here, **more)
    await away.says("accept", code=code)
    for side in (home, away):
        await side.line_up(*side.players)
    await quiet(here)
    return home, away


async def resigned(here: World, game: Game, loser: MemberActor) -> None:
    """Two moves are made in a game, and one of its players resigns."""
    games = here.bot.services.games
    for ply in range(2):
        assert game.to_move is not None
        text = game.rules.turns(game.state)[0].text
        game = await games.moves.turn(game.id, game.to_move, text, f"t:{game.id}:{ply}")
    here.bot.services.games_changed.send(await games.moves.resign(game.id, loser.id, f"t:{game.id}:end"))
    await quiet(here)


async def games_of(here: World) -> list[Game]:
    match = await here.bot.services.team_matches.competitions.load(1)
    tournament = await here.bot.services.team_matches.tournament_of(match)
    assert tournament is not None
    return [await here.bot.services.games.game(link.game_id) for link in tournament.games]


async def home_moves(here: World, home: Side) -> Game:
    """The home team's player makes the first move of a match of one board: the game afterwards."""
    (game,) = await games_of(here)
    await here.mention(home.players[0], game.rules.turns(game.state)[0].text, thread_of(home, game.channel_id))
    await quiet(here)
    (game,) = await games_of(here)
    return game


async def one_board(here: World, **more: object) -> tuple[Side, Side]:
    """Two servers with a match of one board, whose game has begun."""
    home, away, code = await challenged(here, boards=1, **more)
    home.players, away.players = home.players[:1], away.players[:1]
    await away.says("accept", code=code)
    await home.line_up(*home.players)
    await away.line_up(*away.players)
    await quiet(here)
    return home, away


def thread_of(side: Side, channel_id: int | None) -> ChannelHandle:
    return next(thread for thread in side.channel.threads if thread.id == channel_id)


def boards(side: Side) -> list[str]:
    """What is said in the threads of a server."""
    return [message.content for thread in side.channel.threads for message in thread.history()]
