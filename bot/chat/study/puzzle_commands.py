"""`/puzzle`, and `/puzzle-daily` for those who manage a server. All answers are private."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

import render
from bot.chat.games.typed_text import clean
from bot.chat.responses import reply_privately, responding
from bot.chat.services import Services
from bot.chat.study import puzzle_texts as texts
from bot.chat.study.daily_puzzle import DailyPuzzle
from bot.engine import variants
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.study.puzzles import PuzzleAttempt

CHOICES = [
    app_commands.Choice(name=variants.load(name).name, value=name)
    for name in variants.names()
    if variants.load(name).family == "draughts"
]


class PuzzleCommands(commands.Cog):
    """Puzzles."""

    def __init__(self, services: Services, house: DailyPuzzle, clock: Callable[[], int]) -> None:
        self.services, self.house, self._clock = services, house, clock
        services.puzzle_press, services.puzzle_answer = self._press, self._answer

    @app_commands.command(description="A puzzle to solve, near your rating; or the answer to the one you have")
    @app_commands.describe(
        variant="The game (left out: any)",
        answer="Your move in the puzzle that you were given last, such as c3-d4",
    )
    @app_commands.choices(variant=CHOICES)
    async def puzzle(
        self,
        interaction: discord.Interaction[Any],
        variant: str | None = None,
        answer: app_commands.Range[str, 1, 300] | None = None,
    ) -> None:
        async with responding(interaction, self.services):
            person = interaction.user.id
            if answer is not None:
                task = await self.services.puzzles.open_task(person)
                await self._answer(interaction, task.row.id, clean(answer))
                return
            task = await self.services.defer_if_slow(interaction, self.services.puzzles.give(person, variant))
            stands = texts.solver_text(await self.services.puzzles.solver(person), self._clock())
            await self._show(interaction, task, f"{texts.asked_text(task)}\n{stands}")

    @app_commands.command(name="puzzle-daily", description="Post a puzzle of the day in a channel, or stop it")
    @app_commands.describe(
        channel="Where it is to be posted (left out: no more)",
        variant="The game (left out: any)",
        hour="The hour of the day at which it is posted, in your time zone of /settings (left out: 12)",
    )
    @app_commands.choices(variant=CHOICES)
    @app_commands.default_permissions(manage_guild=True)
    async def puzzle_daily(
        self,
        interaction: discord.Interaction[Any],
        channel: discord.TextChannel | None = None,
        variant: str | None = None,
        hour: app_commands.Range[int, 0, 23] = 12,
    ) -> None:
        async with responding(interaction, self.services):
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                raise Refused(_("Only those who manage the server can do that."))
            if channel is None:
                await self.house.stop(interaction.guild_id)
                await reply_privately(interaction, _("No puzzle of the day is posted any more."))
                return
            allowed = channel.permissions_for(channel.guild.me)
            if not (allowed.send_messages and allowed.attach_files and allowed.view_channel):
                says = _(
                    "I may not write with pictures in {channel}. Allow me to send messages and attach files there."
                )
                raise Refused(says.format(channel=channel.mention))
            preferences = await self.services.games.members.preferences(interaction.user.id)
            at = await self.house.begin(interaction.guild_id, channel.id, variant, hour, preferences.zone)
            says = _("A puzzle a day is posted in {channel}, the first one <t:{at}:R>.")
            await reply_privately(interaction, says.format(channel=channel.mention, at=at // 1000))

    # Answers

    async def _answer(
        self, interaction: discord.Interaction[Any], number: int, text: str, step: int | None = None
    ) -> None:
        source = f"i:{interaction.id}"
        answered = await self.services.puzzles.answer(interaction.user.id, number, text, step=step, source=source)
        await self._show(interaction, answered.task, texts.answered_text(answered, self._clock()))

    async def _press(self, interaction: discord.Interaction[Any], number: int, act: str) -> None:
        person = interaction.user.id
        if act == "solution":
            answered = await self.services.puzzles.give_up(person, number)
            await self._show(interaction, answered.task, texts.answered_text(answered, self._clock()))
            return
        before = await self.services.puzzles.task(person, number)
        task = await self.services.puzzles.give(person, before.row.variant_id)
        await self._show(interaction, task, texts.asked_text(task))

    async def _show(self, interaction: discord.Interaction[Any], task: PuzzleAttempt, text: str) -> None:
        """A private answer with the board as it stands."""
        more = texts.more_of(task, await self._picture(task))
        await reply_privately(interaction, text, **more)

    async def _picture(self, task: PuzzleAttempt) -> bytes:
        return await self.services.drawn(partial(render.draw, texts.scene_of(task)))
