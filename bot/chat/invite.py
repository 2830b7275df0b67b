"""The link by which somebody adds the bot to a server, with what it asks to be allowed there."""

from __future__ import annotations

import discord

# View Channel, Send Messages, Attach Files, Read Message History; and for a game in a thread of its own, Create Public
# Threads and Send Messages in Threads. Nothing that could touch what others write or own.
PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    read_message_history=True,
    create_public_threads=True,
    send_messages_in_threads=True,
)
SCOPES = ("bot", "applications.commands")


def invite(application_id: int) -> str:
    """The link for an application by its id."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)
