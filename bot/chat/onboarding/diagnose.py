"""`/server diagnose`: what the bot may do in each channel of a server, and how it is faring, for its managers."""

from __future__ import annotations

from collections.abc import Collection

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.permissions import invite, missing_in
from bot.chat.responses import reply_privately
from bot.chat.services import services_of
from bot.chat.settings.variant_commands import managed
from bot.chat.wording.dates import moment
from bot.chat.wording.message_text import fitting
from bot.i18n import _, listed_and, ngettext
from data.queries import key_values, timers

_MOST_CHANNELS = 15


@app_commands.command(description="What I may do in each channel, what I can read, and whether my timers run")
async def diagnose(interaction: Press) -> None:
    managed(interaction)
    guild = interaction.guild
    lines = [_("**How I am set up on this server**")]
    if guild is None or guild.me is None:
        lines.append(
            _("- Only my commands are installed here; I am not a member. Add me with {link}.").format(
                link=_link(interaction)
            )
        )
    else:
        allowed = (await services_of(interaction).games.servers.load(guild.id)).channels
        lines += _channels(interaction, guild, allowed)
    lines += [_intent(interaction), *await _state(interaction)]
    await reply_privately(interaction, fitting("\n".join(lines)))


def _channels(interaction: Press, guild: discord.Guild, allowed: Collection[int]) -> list[str]:
    """What is missing where games are ``allowed`` (empty: everywhere)."""
    channels = sorted(guild.text_channels, key=lambda each: (each.position, each.id))
    if allowed:
        channels = [channel for channel in channels if channel.id in allowed]
    lacking = [(channel, titles) for channel in channels if (titles := missing_in(channel, opens_thread=True))]
    good = len(channels) - len(lacking)
    lines = [ngettext("- I can play in {count} channel.", "- I can play in {count} channels.", good)]
    lines[0] = lines[0].format(count=good)
    if allowed:
        listed = ", ".join(f"<#{number}>" for number in allowed)
        lines.insert(0, _("- Games are allowed in these channels only: {channels}.").format(channels=listed))
    template = _("- {channel}: I need {permissions}.")
    for channel, titles in lacking[:_MOST_CHANNELS]:
        listed = listed_and([f"**{_(title)}**" for title in titles])
        lines.append(template.format(channel=channel.mention, permissions=listed))
    if more := len(lacking) - _MOST_CHANNELS:
        lines += [_("- {count} more channels need permissions.").format(count=more)] if more > 0 else []
    if lacking:
        lines.append(
            _("Allow it in the channel's settings under *Permissions*, or for all with {link}.").format(
                link=_link(interaction)
            )
        )
    return lines


def _link(interaction: Press) -> str:
    return f"<{invite(interaction.application_id)}>"


def _intent(interaction: Press) -> str:
    if services_of(interaction).settings.message_content:
        return _("- I read plain messages: in a game's channel, typing the move is enough.")
    return _("- I do not read plain messages: players reply to a board, mention me, or use buttons and commands.")


async def _state(interaction: Press) -> list[str]:
    """The database and the timers."""
    services = services_of(interaction)
    wrong = await key_values.unwritable(services.store)
    lines = [
        _("- I can save games.") if wrong is None else _("- I cannot save anything right now: {why}").format(why=wrong)
    ]
    async with services.store.read() as tx:
        late = await timers.due(tx, services.clock() - _LATE, 1)
        soonest = await timers.next_at(tx, services.clock())
    if late:
        lines.append(
            _(
                "- Timers are running late, so clocks and reminders are delayed. The bot's host will "
                "find the reason in the log."
            )
        )
    elif soonest is None:
        lines.append(_("- Timers are running; nothing is due."))
    else:
        lines.append(_("- Timers are running; the next one is due {moment}.").format(moment=moment(soonest)))
    return lines


_LATE = 60_000
