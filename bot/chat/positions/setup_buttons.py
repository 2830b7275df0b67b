"""What the buttons under a position do. The position stands in the message, and is checked anew at each press."""

from __future__ import annotations

from bot.chat.components import ActionButton, Press, view_of
from bot.chat.features import Handlers
from bot.chat.games.buttons import LEVELS_IN_A_ROW, level_text
from bot.chat.games.opening_challenges import open_challenge
from bot.chat.positions.best_lines import analyse
from bot.chat.positions.set_up import SetUp, SetUpAction, set_up_view
from bot.chat.positions.setup_form import challenge_form, setup_form
from bot.chat.reach import on_server
from bot.chat.responses import open_form, replace, reply_privately, reply_to_all
from bot.chat.services import Services
from bot.games.model.computer_seats import LEVELS
from bot.games.model.errors import Refused
from bot.games.model.game import Side
from bot.i18n import _, speaking, spoken

press = Handlers(SetUpAction)


@press.on("computer")
async def _computer(_button: SetUpAction, interaction: Press, services: Services) -> None:
    set_up = await SetUp.of(interaction)
    levels = [
        ActionButton.of(SetUpAction("level", str(level)), str(level), row=(level - 1) // LEVELS_IN_A_ROW)
        for level in LEVELS
    ]
    text = f"{set_up.text()}\n{level_text(set_up.rules.variant)}"
    await reply_privately(interaction, text, view=view_of(levels))


@press.on("level", arg="[0-9]")
async def _level(button: SetUpAction, interaction: Press, services: Services) -> None:
    set_up = await SetUp.of(interaction)
    seats = len(set_up.rules.seats)
    # Whoever sets a position up plays the side that is to move.
    side: Side | None = None if seats > 2 else ("first", "second")[set_up.state.seat]
    computers = (int(button.arg),) * (seats - 1)
    variant, start = set_up.rules.variant, set_up.position
    text = await open_challenge(interaction, variant, opponent=None, side=side, computers=computers, start=start)
    await replace(interaction, text)


@press.on("challenge")
async def _challenge(_button: SetUpAction, interaction: Press, services: Services) -> None:
    await open_form(interaction, challenge_form(await SetUp.of(interaction)))


@press.on("analyse")
async def _analyse(_button: SetUpAction, interaction: Press, services: Services) -> None:
    await analyse(interaction, await SetUp.of(interaction))


@press.on("change")
async def _change(_button: SetUpAction, interaction: Press, services: Services) -> None:
    set_up = await SetUp.of(interaction)
    await open_form(interaction, setup_form(set_up.rules, set_up.state))


@press.on("share")
async def _share(_button: SetUpAction, interaction: Press, services: Services) -> None:
    set_up = await SetUp.of(interaction)
    if interaction.guild is not None and not interaction.permissions.send_messages:
        raise Refused(_("You may not write in this channel."))
    # As all that is posted, in the language of the server, where there is one.
    there = on_server(interaction)
    with speaking(await services.languages.of_server(interaction.guild_id) if there else spoken()):
        shown = _("{player} shows a position.").format(player=interaction.user.mention)
        picture = (await set_up.picture(services.pictures)).file()
        await reply_to_all(interaction, f"{shown}\n{set_up.text()}", view=set_up_view(shared=True), file=picture)
