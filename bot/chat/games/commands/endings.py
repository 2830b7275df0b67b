"""How a game ends, or goes back, by word: `/game resign`, `draw`, `takeback`, `undo`, `abort`."""

from __future__ import annotations

from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.button_handlers import AGREED, ask_resign
from bot.chat.games.room_checks import act_here, running_here
from bot.chat.permissions import with_warning
from bot.chat.responses import reply_privately
from bot.chat.services import services_of
from bot.games.model.errors import NotSeated
from bot.i18n import _


@app_commands.command(description="Resign this channel's game (I will ask you to confirm)")
async def resign(interaction: Press) -> None:
    game = await running_here(interaction)
    if game.seat_of(interaction.user.id) is None:
        raise NotSeated(_("You are not playing in this game."), game)
    await ask_resign(interaction, game)


@app_commands.command(description="Offer a draw, or accept one")
async def draw(interaction: Press) -> None:
    game = await act_here(interaction, services_of(interaction).games.offers.offer_draw)
    seat = game.seat_of(interaction.user.id)
    text = _("Your draw offer is posted.")
    if game.status == "finished":
        text = _("The game is drawn.")
    elif any(offer.kind == "draw" and seat in offer.agreed for offer in game.offers):
        text = _(AGREED)
    await reply_privately(interaction, with_warning(interaction, text))


@app_commands.command(description="Take back your last turn, if your opponent agrees")
async def takeback(interaction: Press) -> None:
    game = await act_here(interaction, services_of(interaction).games.offers.ask_takeback)
    asked = any(offer.kind == "takeback" for offer in game.offers)
    text = _("Undone. It is your turn again.")
    if asked:
        text = _("I have asked your opponent.") if len(game.present) == 2 else _("I have asked the others.")
    await reply_privately(interaction, with_warning(interaction, text))


@app_commands.command(description="Undo a slip: your own last move, within a minute and before your opponent moves")
async def undo(interaction: Press) -> None:
    await act_here(interaction, services_of(interaction).games.moves.undo)
    await reply_privately(interaction, with_warning(interaction, _("Undone. It is your turn again.")))


@app_commands.command(description="Call the game off before everyone has moved")
async def abort(interaction: Press) -> None:
    await act_here(interaction, services_of(interaction).games.moves.abort)
    await reply_privately(interaction, with_warning(interaction, _("The game is called off.")))
