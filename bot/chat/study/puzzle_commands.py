"""`/puzzle`, and `/server puzzle` for those who manage a server. All answers are private."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.variant_option import DraughtsOption
from bot.chat.responses import defer_if_slow, reply_privately
from bot.chat.services import services_of
from bot.chat.study import puzzle_buttons
from bot.chat.study import puzzle_texts as texts
from bot.chat.typed_text import clean
from bot.chat.wording.dates import moment
from bot.computer.puzzle_themes import THEMES
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.study.model import DailyHour


@app_commands.command(description="A puzzle near your rating, or the answer to the one you have")
@app_commands.describe(
    variant="The game (default: one played here)",
    answer="Your move in your latest puzzle",
    theme="What it is about (default: anything)",
)
@app_commands.choices(theme=[app_commands.Choice(name=name, value=theme) for theme, name in THEMES.items()])
async def puzzle(
    interaction: Press,
    variant: DraughtsOption | None = None,
    answer: app_commands.Range[str, 1, 300] | None = None,
    theme: str | None = None,
) -> None:
    services = services_of(interaction)
    person = interaction.user.id
    if answer is not None:
        task = await services.puzzles.open_task(person)
        await puzzle_buttons.answer(interaction, services, task.number, clean(answer))
        return
    meant = None if variant is None else variant.id
    giving = services.puzzles.give(person, meant, interaction.guild_id, theme=theme)
    task = await defer_if_slow(interaction, giving)
    stands = texts.solver_text(await services.puzzles.solver(person), services.clock())
    await puzzle_buttons.show(interaction, services, task, f"{texts.asked_text(task)}\n{stands}")


_USUAL_HOUR: Final = 12


@app_commands.command(name="puzzle", description="Post a puzzle of the day in a channel, or stop it")
@app_commands.describe(
    channel="Where to post it (with nothing else either: stop posting)",
    variant="The game (at first: any)",
    hour="The hour to post it, in your time zone of /me settings (at first: 12)",
)
async def puzzle_daily(
    interaction: Press,
    channel: discord.TextChannel | None = None,
    variant: DraughtsOption | None = None,
    hour: app_commands.Range[int, 0, 23] | None = None,
) -> None:
    services = services_of(interaction)
    guild = interaction.guild
    if guild is None or not interaction.permissions.manage_guild:
        raise Refused(_("Only those who manage the server can do that."))
    if channel is None and variant is None and hour is None:
        if not await services.puzzles.drop_daily(guild.id):
            raise Refused(_("No puzzle of the day is posted here. Choose a `channel` for it."))
        await reply_privately(interaction, _("The puzzle of the day is no longer posted."))
        return
    meant, when = None if variant is None else variant.id, None
    if (plan := await services.puzzles.daily_plan(guild.id)) is not None:
        # What is not said stays as it is.
        there = guild.get_channel(plan.channel_id)
        channel = channel or (there if isinstance(there, discord.TextChannel) else None)
        meant, when = meant or plan.variant_id, plan.when if hour is None else None
        if channel is None:
            raise Refused(_("The channel of the puzzle of the day is gone. Choose a `channel` for it."))
    if channel is None:
        raise Refused(_("No puzzle of the day is posted here. Choose a `channel` for it."))
    allowed = channel.permissions_for(channel.guild.me)
    if not (allowed.send_messages and allowed.attach_files and allowed.view_channel):
        template = _("I cannot post pictures in {channel}. Allow me to send messages and attach files there.")
        raise Refused(template.format(channel=channel.mention))
    preferences = await services.games.preferences.load(interaction.user.id)
    when = when or DailyHour(_USUAL_HOUR if hour is None else hour, preferences.zone)
    at = await services.puzzles.set_daily(guild.id, channel.id, meant, when)
    template = _("A puzzle will be posted in {channel} every day, starting {at}.")
    await reply_privately(interaction, template.format(channel=channel.mention, at=moment(at)))
