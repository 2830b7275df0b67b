"""Where somebody is who uses the bot, and what the bot may do there: post, or only answer what is pressed.

Who presses need not be who has installed the bot, so nothing is read from that (``Interaction.is_user_integration()``
compares the two): what counts is whether the bot itself is there."""

from __future__ import annotations

from bot.chat.components import Press
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import _


def answers_only(interaction: Press) -> bool:
    """Whether the bot may only answer where ``interaction`` was made: in a chat of people, or on a server that it is no
    member of."""
    if interaction.guild_id is not None:
        return interaction.client.get_guild(interaction.guild_id) is None
    return not alone_with_me(interaction)


def alone_with_me(interaction: Press) -> bool:
    """Whether ``interaction`` was made in the direct messages of a person with the bot, who is all that sees them."""
    return interaction.guild_id is None and interaction.context.dm_channel


def seen_by_all(interaction: Press) -> bool:
    """Whether all who are where ``interaction`` was made see what the bot answers: some servers show what apps of
    people answer to nobody else."""
    return interaction.guild_id is None or interaction.permissions.use_external_apps


def on_server(interaction: Press) -> bool:
    """Whether ``interaction`` was made on a server that has the bot."""
    return interaction.guild_id is not None and not answers_only(interaction)


def place_of(interaction: Press) -> Place:
    """The place of ``interaction``. Raises Refused where Discord does not say which it is."""
    if interaction.channel_id is None:
        raise Refused(_("I cannot play here. Try it in a channel, or in a chat."))
    return Place(interaction.guild_id, interaction.channel_id, answers_only(interaction))
