"""Forms (modals): the one in which a move is typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from bot.chat import typed_text
from bot.chat.actions import Handlers
from bot.chat.components import CustomId, Press, typed_value
from bot.chat.responses import acknowledge, act, source_of
from bot.chat.services import Services
from bot.games.model.game import Game
from bot.i18n import _, pgettext

_LONGEST_PLACEHOLDER = 100


@dataclass(frozen=True, slots=True)
class MoveForm(CustomId):
    """The form in which a move is typed, for a position."""

    prefix = "damero:say"
    game: int
    ply: int


def move_form(game: Game) -> discord.ui.Modal:
    """The form behind the button *Move*."""
    turns = game.rules.turns(game.state)
    example = turns[0].text if turns else "c3-d4"
    modal = discord.ui.Modal(title=_("Your move"), custom_id=MoveForm(game.id, game.ply).encode())
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id="move", placeholder=example[:_LONGEST_PLACEHOLDER], min_length=1, max_length=typed_text.LONGEST
    )
    modal.add_item(
        discord.ui.Label(
            text=pgettext("button", "Move"),
            description=_("Where from and where to; of several jumps, every landing"),
            component=box,
        )
    )
    # A form that nobody waits for is not kept in memory; what is sent in arrives by its custom id, restarts or not.
    modal.stop()
    return modal


form = Handlers(MoveForm)


@form.on()
async def _sent_in(sent: MoveForm, interaction: Press, services: Services) -> None:
    text = typed_text.clean(typed_value(interaction, "move"))
    source = source_of(interaction)
    await act(interaction, services.games.moves.turn(sent.game, interaction.user.id, text, source, sent.ply))
    await acknowledge(interaction)
