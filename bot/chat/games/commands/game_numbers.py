"""The option `number` of commands: the games that it may mean, suggested as one types."""

from __future__ import annotations

from discord import app_commands

from bot.chat.components import LONGEST_CHOICE, MOST_CHOICES, Press
from bot.chat.services import services_of
from bot.chat.visibility import is_listed
from bot.games.model.errors import NotStored
from bot.games.model.game import GameSummary
from bot.i18n import _, day

_MOST_LOOKED_AT = 100

GameId = app_commands.Range[int, 1, 2**53 - 1]


async def games_offered(interaction: Press, current: int | str) -> list[app_commands.Choice[int]]:
    """The games of whoever asks, here: those in progress, the most urgent first, then those that are over, the latest
    first; of them those whose number begins as is typed, or in whose line it stands."""
    return await _offered(interaction, current, running=True, over=True)


async def running_offered(interaction: Press, current: int | str) -> list[app_commands.Choice[int]]:
    """Of the same, those in progress."""
    return await _offered(interaction, current, running=True, over=False)


async def finished_offered(interaction: Press, current: int | str) -> list[app_commands.Choice[int]]:
    """Of the same, those that are over."""
    return await _offered(interaction, current, running=False, over=True)


async def _offered(
    interaction: Press, current: int | str, *, running: bool, over: bool
) -> list[app_commands.Choice[int]]:
    typed, choices = str(current).strip().casefold(), list[app_commands.Choice[int]]()
    lists, me, guild = services_of(interaction).games.lists, interaction.user.id, interaction.guild_id
    try:
        games = list[GameSummary]()
        if running:
            games += [game for game in await lists.games_of(me, guild_id=guild) if game.status == "running"]
        if over:
            games += await lists.history(me, guild_id=guild, most=_MOST_LOOKED_AT)
        for game in games:
            if len(choices) < MOST_CHOICES and await is_listed(interaction, game):
                line = _line(interaction, game)
                if str(game.id).startswith(typed) if typed.isdecimal() else typed in line.casefold():
                    choices.append(app_commands.Choice(name=line[:LONGEST_CHOICE], value=game.id))
    except NotStored:
        return []
    return choices


def _line(interaction: Press, game: GameSummary) -> str:
    names = services_of(interaction).names
    players = ", ".join(names.known(interaction.guild_id, player) for player in game.players if player is not None)
    status = _("in progress") if game.status == "running" else day(game.changed_at)
    return _("{number}: {game}, {players} ({status})").format(
        number=game.id, game=game.name, players=players, status=status
    )
