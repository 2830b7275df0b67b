"""Whether a game can be played in a channel, which one is, and how whoever asks sees it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVarTuple

import discord

from bot.chat import permissions
from bot.chat.board_pictures import BoardView, view_for
from bot.chat.components import Press
from bot.chat.reach import answers_only, place_of
from bot.chat.responses import act, source_of
from bot.chat.services import Services, services_of
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.preferences import ServerPreferences
from bot.games.use_cases.challenges import ONE_AT_A_TIME
from bot.i18n import _

Args = TypeVarTuple("Args")
UseCase = Callable[[int, int, *Args, str], Coroutine[Any, Any, Game]]
"""What a person does in a game: their numbers, what the use case is told besides, and the source."""


async def running_here(interaction: Press) -> Game:
    """The running game of the channel of ``interaction``. Raises Refused where there is none."""
    game = await services_of(interaction).games.running_in(interaction.channel_id or 0)
    if game is None:
        raise Refused(_("No game is running in this channel. Start one with `/play`, or see yours with `/me games`."))
    services_of(interaction).tokens.take(interaction, game)
    return game


async def shown_here(interaction: Press) -> Game:
    """The game of the channel of ``interaction`` whose board is asked for: the running one; where the bot may only
    answer, so that time cannot change what stands there, else the one of whoever asks that ended last. Raises
    Refused."""
    try:
        return await running_here(interaction)
    except Refused:
        last = None
        if answers_only(interaction):
            last = await services_of(interaction).games.lists.last_in(interaction.channel_id or 0, interaction.user.id)
        if last is None:
            raise
        return last


async def act_in(interaction: Press, game_id: int, use_case: UseCase[*Args], *args: *Args) -> Game:
    """Do ``use_case`` in a game, for whoever made ``interaction``. Raises Refused."""
    return await act(interaction, use_case(game_id, interaction.user.id, *args, source_of(interaction)))


async def act_here(interaction: Press, use_case: UseCase[*Args], *args: *Args) -> Game:
    """The same in the running game of the channel."""
    game = await running_here(interaction)
    return await act_in(interaction, game.id, use_case, *args)


def played_by(interaction: Press, game: Game) -> str:
    """The turn that ``interaction`` has brought, as it is written in the record; what was planned for it may have been
    played since. Empty where it has brought none."""
    source = source_of(interaction)
    return next((entry.text for entry in game.line if entry.source == source), "")


async def board_view_of(interaction: Press, game: Game) -> BoardView:
    """How whoever made ``interaction`` wants to see ``game``."""
    person = interaction.user.id
    return view_for(game, person, await services_of(interaction).games.preferences.load(person))


async def looked(interaction: Press, game: Game) -> None:
    """Whoever made ``interaction`` is looking at the board of ``game``: no reminder is needed for a while."""
    if game.control is not None and game.to_move == interaction.user.id:
        with suppress(Refused):
            await services_of(interaction).games.timeouts.looked_at(game.id, interaction.user.id)


async def announce_unseen(interaction: Press, game: Game) -> None:
    """A board that nobody could be shown, where the bot may only answer, is announced anew: there is a press now."""
    services = services_of(interaction)
    for again in await services.games.channels.shown_nowhere(game.id):
        services.tokens.take(interaction, again)
        services.games_changed.send(again)


async def check_room(interaction: Press, services: Services) -> None:
    """Raises Refused where permissions are missing, or the channel is busy and cannot have a thread."""
    channel = interaction.channel
    if channel is None or await services.games.running_in(channel.id) is None:
        check_allowed(interaction)
        return
    if not place_of(interaction).has_threads:
        raise Refused(_(ONE_AT_A_TIME))
    if not isinstance(channel, discord.TextChannel):
        raise Refused(_("A game is running here, and I cannot open a thread here for another. Start it in a channel."))
    check_allowed(interaction, opens_thread=True)


def check_allowed(interaction: Press, *, opens_thread: bool = False) -> None:
    """Raises Refused, with what to do, where a permission is missing in the channel of ``interaction``."""
    if warning := permissions.warning(interaction, opens_thread=opens_thread):
        raise Refused(warning)


def check_channel(interaction: Press, server: ServerPreferences) -> None:
    """Raises Refused where the server's managers want no games in the channel of ``interaction``."""
    channel = interaction.channel
    channels = {channel.id, channel.parent_id} if isinstance(channel, discord.Thread) else {interaction.channel_id}
    if server.channels and not channels & set(server.channels):
        allowed = ", ".join(f"<#{number}>" for number in server.channels)
        raise Refused(_("On this server, games are played in {channels}.").format(channels=allowed))
