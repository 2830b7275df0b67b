"""What the bot must be allowed to do in a channel, and how to say what is missing to who can put it right."""

from __future__ import annotations

from typing import Any

import discord

from bot.chat.reach import on_server
from bot.i18n import N_, _, listed_and, ngettext

# As Discord's own settings call them.
_TITLES = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "attach_files": N_("Attach Files"),
    "read_message_history": N_("Read Message History"),
    "create_public_threads": N_("Create Public Threads"),
}


class MissingPermissions(Exception):  # noqa: N818 - a state of the channel, named for what it is
    """The bot may not post in a channel: ``titles`` are the missing permissions, as far as they are known."""

    def __init__(self, channel_id: int, titles: list[str]) -> None:
        super().__init__(f"missing permissions in channel {channel_id}")
        self.channel_id = channel_id
        self.titles = titles


def missing(allowed: discord.Permissions, *, thread: bool = False, opens_thread: bool = False) -> list[str]:
    """The permissions, by Discord's titles, that a game needs and ``allowed`` has not. ``thread``: the game is played
    in one. ``opens_thread``: a thread must be made there, and the game played in it."""
    if allowed.administrator:
        return []
    needed = ["view_channel", "send_messages_in_threads" if thread else "send_messages"]
    needed += ["attach_files", "read_message_history"]
    if opens_thread:
        needed += ["create_public_threads", "send_messages_in_threads"]
    return [_TITLES[name] for name in dict.fromkeys(needed) if not getattr(allowed, name)]


def missing_in(channel: object, *, opens_thread: bool = False) -> list[str]:
    """The titles of what is missing in ``channel``, as far as is known: nothing, where Discord has not told yet."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return []
    if channel.guild.me is None or (isinstance(channel, discord.Thread) and channel.parent is None):
        return []
    allowed = channel.permissions_for(channel.guild.me)
    return missing(allowed, thread=isinstance(channel, discord.Thread), opens_thread=opens_thread)


def sentence(channel_id: int, titles: list[str], *, asker: discord.Permissions | None = None) -> str:
    """What is missing where, and who can put it right. ``asker``: what the reader may do in that channel."""
    if titles:
        missed = ngettext(
            "I cannot play in {channel}: I need the permission {permissions} there.",
            "I cannot play in {channel}: I need the permissions {permissions} there.",
            len(titles),
        )
    else:
        missed = _("I cannot play in {channel}: I am not allowed to post there.")
    if asker is not None and (asker.administrator or asker.manage_roles or asker.manage_channels):
        advice = _("Allow it in the channel's settings under *Permissions*, then try again.")
    else:
        advice = _("Please ask someone who manages this server to allow it in the channel's settings, then try again.")
    listed = listed_and([f"**{_(title)}**" for title in titles])
    return f"{missed.format(channel=f'<#{channel_id}>', permissions=listed)} {advice}"


def warning(interaction: discord.Interaction[Any], *, opens_thread: bool = False) -> str:
    """What a game lacks in the channel of ``interaction``, and who can put it right; nothing where it lacks nothing.
    Permissions are of servers that have the bot: elsewhere it may answer, and write to whoever writes to it."""
    if not on_server(interaction):
        return ""
    channel = interaction.channel
    thread = isinstance(channel, discord.Thread)
    titles = missing(interaction.app_permissions, thread=thread, opens_thread=opens_thread)
    return "" if channel is None or not titles else sentence(channel.id, titles, asker=interaction.permissions)


def with_warning(interaction: discord.Interaction[Any], text: str) -> str:
    """``text``, and what is missing in the channel of ``interaction`` where the bot may not post there."""
    why = warning(interaction)
    return f"{text} {_('It will be shown here once I am allowed to.')} {why}" if why else text


# The link by which somebody adds the bot to a server

# Nothing that could touch what others write or own.
PERMISSIONS = discord.Permissions(**dict.fromkeys(_TITLES, True))
SCOPES = ("bot", "applications.commands")


def invite(application_id: int) -> str:
    """The link for an application by its id."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def own_invite(application_id: int) -> str:
    """The link by which somebody takes it along to wherever they are: it may answer them there, and no more."""
    return f"{discord.utils.oauth_url(application_id, scopes=SCOPES[1:])}&integration_type=1"
