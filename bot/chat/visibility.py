"""What somebody may be shown: what stands in a channel is for those who see it, and for those who take part."""

from __future__ import annotations

from typing import Final

import discord

from bot.chat.components import Press
from bot.chat.reach import on_server
from bot.chat.services import services_of
from bot.games.model.errors import NoSuchGame, Refused
from bot.games.model.game import Game, GameSummary
from bot.i18n import _
from bot.tournaments.persistence.stored_tournament import NoSuchTournament, StoredTournament

ABOUT: Final = "about"
"""Under this key an interaction's extras have the name of the tournament that it is about."""


def sees(interaction: Press, channel_id: int) -> bool | None:
    """Whether whoever made ``interaction`` sees a channel or thread of its server; None where Discord has not told of
    it, as of a thread that rests, or of one that was deleted."""
    if channel_id in (interaction.channel_id, getattr(interaction.channel, "parent_id", None)):
        return True
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member) or not on_server(interaction):
        return False
    channel = guild.get_channel_or_thread(channel_id)
    if channel is None or (isinstance(channel, discord.Thread) and channel.parent is None):
        return None
    allowed = channel.permissions_for(member)
    if isinstance(channel, discord.Thread) and channel.is_private() and not allowed.manage_threads:
        return None
    return allowed.view_channel


async def may_see(interaction: Press, channel_id: int) -> bool:
    """``sees``, with a question to Discord where it has not told."""
    seen = sees(interaction, channel_id)
    if seen is not None or interaction.guild is None:
        return bool(seen)
    try:
        channel = await interaction.guild.fetch_channel(channel_id)
        if not isinstance(channel, discord.Thread):
            return False
        if channel.is_private():
            await channel.fetch_member(interaction.user.id)
    except (discord.HTTPException, discord.InvalidData):
        return False
    return bool(sees(interaction, channel.parent_id))


async def is_listed(interaction: Press, game: GameSummary) -> bool:
    """Whether a list shows a game: to its players, and to those who see where it was begun and where it is played."""
    if interaction.user.id in game.players:
        return True
    if not on_server(interaction):
        return _in_this_chat(interaction, game)
    if game.place.guild_id != interaction.guild_id or game.place.answers_only:
        # The guests' side of a match of two servers, whose channels a summary does not name.
        return await _is_open_to(interaction, await services_of(interaction).games.game(game.id))
    return bool(sees(interaction, game.place.channel_id)) and _not_hidden(interaction, game.channel_id)


def _in_this_chat(interaction: Press, game: Game | GameSummary) -> bool:
    """Outside of servers that have the bot: whether a game is played where ``interaction`` was made. Whoever is there
    sees it; nobody else does."""
    here = game.place.channel_id == interaction.channel_id
    return here and game.place.guild_id == interaction.guild_id


def _not_hidden(interaction: Press, channel_id: int | None) -> bool:
    return channel_id is None or sees(interaction, channel_id) is not False


async def visible(interaction: Press, game_id: int) -> Game:
    """A game that whoever made ``interaction`` may see: an own one, or one of this server that stands in a channel that
    this person sees or is of a tournament that they take part in. Raises Refused, in the same words where there is no
    such game at all."""
    game = await reachable(interaction, game_id)
    check_begun(game)
    return game


def check_begun(game: Game) -> None:
    """Refuse to show a challenge that nobody has accepted. Raises Refused."""
    if game.started_at is None:
        raise Refused(_("Game {number} has not begun.").format(number=game.id))


async def reachable(interaction: Press, game_id: int) -> Game:
    """The same of a game or challenge that may not have begun; an own one is also that which somebody has opened, or is
    invited to."""
    here = _("There is no game {number} here.")
    none = here if interaction.guild_id is None else _("There is no game {number} on this server.")
    try:
        game = await services_of(interaction).games.game(game_id)
    except NoSuchGame:
        raise Refused(none.format(number=game_id)) from None
    own = game.players if game.started_at is not None else (*game.players, *game.invited, game.opener)
    if interaction.user.id not in own and not await _is_open_to(interaction, game):
        raise Refused(none.format(number=game_id))
    return game


async def _is_open_to(interaction: Press, game: Game) -> bool:
    if not on_server(interaction):
        return _in_this_chat(interaction, game)
    if game.place.answers_only:
        # Begun before the server had the bot, and shown to nobody who was not there.
        return game.place.channel_id == interaction.channel_id
    places = {game.place.guild_id: (game.place.channel_id, game.channel_id)}
    if game.mirror is not None:
        places[game.mirror.guild_id] = (game.mirror.place_channel_id, game.mirror.channel_id)
    if interaction.guild_id is None or interaction.guild_id not in places:
        return False
    place, channel = places[interaction.guild_id]
    if await may_see(interaction, place) and _not_hidden(interaction, channel):
        return True
    return not game.casual and takes_part(interaction, await services_of(interaction).tournaments.of_game(game.id))


async def visible_tournament(interaction: Press, number: int) -> StoredTournament:
    """A tournament of this server that whoever asks takes part in, or whose channel they see. Raises Refused, in the
    same words where there is no such tournament at all."""
    none = _("There is no tournament {number} on this server.").format(number=number)
    try:
        tournament = await services_of(interaction).tournaments.load(number)
    except NoSuchTournament:
        raise Refused(none) from None
    here = tournament.guild_id == interaction.guild_id
    if not here or not (takes_part(interaction, tournament) or await may_see(interaction, tournament.channel_id)):
        raise Refused(none)
    # What is refused from now on names it.
    interaction.extras[ABOUT] = tournament.name
    return tournament


def takes_part(interaction: Press, tournament: StoredTournament) -> bool:
    """Whether whoever made ``interaction`` plays in a tournament or directs it."""
    return interaction.user.id in tournament.state.by_person or tournament.is_director(interaction.user.id)
