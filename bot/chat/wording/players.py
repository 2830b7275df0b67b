"""Players in sentences, as Discord writes them."""

from __future__ import annotations

import discord

from bot.games.model.computer_seats import called
from bot.games.model.game import Game
from bot.games.model.transcripts import name_in_file
from bot.i18n import _


def mention(person: int | None) -> str:
    """A person as Discord writes one, a computer by its name."""
    return f"{called(person)}"


def player_at(game: Game, seat: int) -> str:
    """Who plays, or has played, at a seat; of a game from a file whoever that names."""
    person = game.players[seat]
    name = name_in_file(game, seat) if person is None else ""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(name)) or mention(person)


def stand_in(number: int) -> str:
    """What a player is called in pictures whose font cannot write the name: the same in each of a tournament."""
    return f"{_('Player')} {number}"
