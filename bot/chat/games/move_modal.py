"""Forms (modals): the one in which a move is typed."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.chat.games import typed_text
from bot.chat.responses import acknowledge, failed, responding
from bot.chat.services import services_of
from bot.games.model.game import Game
from bot.i18n import _, pgettext

_LONGEST_PLACEHOLDER = 100
_SAY = re.compile(r"damero:say:([0-9]+):([0-9]+)")


def move_form(game: Game) -> discord.ui.Modal:
    """The form behind the button *Move*."""
    turns = game.rules.turns(game.state)
    example = turns[0].text if turns else "c3-d4"
    form = discord.ui.Modal(title=_("Your move"), custom_id=f"damero:say:{game.id}:{game.ply}")
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id="move", placeholder=example[:_LONGEST_PLACEHOLDER], min_length=1, max_length=typed_text.LONGEST
    )
    form.add_item(
        discord.ui.Label(
            text=pgettext("button", "Move"),
            description=_("Where from and where to; of several jumps, every landing"),
            component=box,
        )
    )
    # A form that nobody waits for is not kept in memory; what is sent in arrives by its custom id, restarts or not.
    form.stop()
    return form


async def sent_in(interaction: discord.Interaction[Any]) -> None:
    """A form was sent in. Forms that are not ours are left alone."""
    data: dict[str, Any] = dict(interaction.data or {})
    match = _SAY.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    services = services_of(interaction)
    try:
        async with responding(interaction, services):
            game_id, ply = int(match[1]), int(match[2])
            text = typed_text.clean(value_of(data.get("components", []), "move"))
            person = interaction.user.id
            await services.act(
                interaction, services.games.moves.turn(game_id, person, text, f"i:{interaction.id}", ply)
            )
            await acknowledge(interaction)
    except Exception as error:
        await failed(interaction, error)


def value_of(components: list[dict[str, Any]], custom_id: str) -> str:
    """What was written into the box ``custom_id``, wherever it lies in the form."""
    for component in components:
        if component.get("custom_id") == custom_id:
            return str(component.get("value", ""))
        inner = list(component.get("components", []))
        if "component" in component:
            inner.append(component["component"])
        if inner and (found := value_of(inner, custom_id)):
            return found
    return ""
