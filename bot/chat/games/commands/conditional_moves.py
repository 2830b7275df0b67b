"""`/plan`: conditional moves. All answers are private."""

from __future__ import annotations

from discord import app_commands

from bot.chat.components import Press
from bot.chat.features import ServiceCog
from bot.chat.games.room_checks import running_here
from bot.chat.responses import defer_if_slow, reply_privately, source_of
from bot.games.use_cases.conditional_moves import shown
from bot.i18n import _


class ConditionalMoveCommands(ServiceCog):
    """Answers to what the opponent may play, given beforehand."""

    plan = app_commands.Group(name="plan", description="Answers that are played at once when your opponent moves so")

    @plan.command(name="set", description="Plan answers in this channel's game, in place of an older plan")
    @app_commands.describe(lines="Such as f6-e5 d4xf6; b6-a5 c3-d4: your opponent's move, then yours; lines apart by ;")
    async def _set(self, interaction: Press, lines: app_commands.Range[str, 1, 4000]) -> None:
        game = await running_here(self.services, interaction.channel_id)
        work = self.services.games.conditional_moves.put(game.id, interaction.user.id, lines, source_of(interaction))
        kept = (await defer_if_slow(interaction, work))[1]
        await reply_privately(interaction, f"{_('Your plan, which nobody else sees:')}\n{shown(kept)}")

    @plan.command(name="show", description="What you have planned in this channel's game")
    async def _show(self, interaction: Press) -> None:
        game = await running_here(self.services, interaction.channel_id)
        kept = await self.services.games.conditional_moves.of(game.id, interaction.user.id)
        text = f"{_('Your plan:')}\n{shown(kept)}" if kept else _("You have no plan in this game.")
        await reply_privately(interaction, text)

    @plan.command(name="clear", description="Give up what you have planned in this channel's game")
    async def _clear(self, interaction: Press) -> None:
        game = await running_here(self.services, interaction.channel_id)
        await self.services.games.conditional_moves.drop(game.id, interaction.user.id, source_of(interaction))
        await reply_privately(interaction, _("You have no plan in this game any more."))
