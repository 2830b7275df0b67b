"""A typed message as a move in the game of its channel."""

from __future__ import annotations

import discord

from bot.chat.games.buttons import move_of, picked_of
from bot.chat.services import Services
from bot.chat.typed_text import TypedText
from bot.games.model.errors import NotStored, Refused
from bot.i18n import N_, _

NO_GAME = N_("No game is running in this channel. Start one with `/play`; `/help` says how.")


async def typed(message: discord.Message, words: TypedText, me: int, services: Services) -> bool:
    """Play the move that ``message`` may hold. Raises Refused."""
    person = message.author
    try:
        game = await services.games.running_in(message.channel.id)
    except NotStored:
        if words.addressed:
            raise
        return True
    if game is None:
        raise Refused(_(NO_GAME))
    if not words.addressed and game.to_move != person.id:
        return True
    services.names.learn(person)
    text, ply = words.text, None
    if words.addressed and (picked := picked_of(message, me)) is not None and picked.game == game.id:
        text, ply = move_of(picked, game), picked.ply
    services.games_changed.send(await services.games.moves.turn(game.id, person.id, text, f"m:{message.id}", ply))
    return True
