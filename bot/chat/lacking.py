"""A word of warning in a private answer, where the public one cannot be posted."""

from __future__ import annotations

from typing import Any

import discord

from bot.chat import permissions
from bot.i18n import _


def with_warning(interaction: discord.Interaction[Any], text: str) -> str:
    """``text``, and what lacks in the channel of ``interaction`` where the bot may not post there."""
    channel = interaction.channel
    if channel is None:
        return text
    lacking = permissions.missing(interaction.app_permissions, thread=isinstance(channel, discord.Thread))
    if not lacking:
        return text
    warning = permissions.sentence(channel.id, lacking, asker=interaction.permissions)
    return f"{text} {_('It will be shown here once I may.')} {warning}"
