"""What happens when a button is pressed. Every press checks everything anew: who, which game, which position."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord

from bot.chat import permissions
from bot.chat.games.buttons import GameButton, Press, move_of, view_of
from bot.chat.games.level_choice import level_text, level_view
from bot.chat.games.move_modal import move_form
from bot.chat.responses import acknowledge, failed, reply_privately, responding
from bot.chat.services import Services, services_of
from bot.games.model.computer_seats import persons
from bot.games.model.errors import NotRunning, NotSeated, NotYourTurn, Refused, StalePly
from bot.games.model.game import Game
from bot.games.model.preferences import ServerPreferences
from bot.games.model.seats import playing
from bot.games.use_cases.challenges import still_open
from bot.i18n import _, pgettext


async def pressed(button: GameButton, interaction: Press) -> None:
    """Do what ``button`` says, or tell whoever pressed it why not."""
    services = services_of(interaction)
    try:
        async with responding(interaction, services):
            act = ACTS.get(button.act)
            if act is None:
                raise Refused(_("This button belongs to an older version of the bot. See the board with `/board`."))
            await act(button, interaction, services)
    except Exception as error:
        await failed(interaction, error)


def source_of(interaction: Press) -> str:
    """What names ``interaction`` in the store."""
    return f"i:{interaction.id}"


async def at_ply(button: GameButton, interaction: Press, services: Services) -> tuple[Game, int]:
    """The game of a button and the seat of the person who pressed it, checked to be a player of it and the button to be
    of the position that stands. Raises Refused."""
    game = await services.games.game(button.game)
    seat = game.seat_of(interaction.user.id)
    if seat is None:
        raise NotSeated(_("You do not play in this game. Start one of your own with `/play`."), game)
    if game.status != "running":
        raise NotRunning(_("This game is over."), game)
    if game.ply != button.ply:
        raise StalePly(_("The game has gone on."), game)
    return game, seat


# Challenges


async def _accept(button: GameButton, interaction: Press, services: Services) -> None:
    game = await services.games.game(button.game)
    if game.status == "open":
        await check_room(interaction, services)
    await services.act(
        interaction, services.games.challenges.accept(button.game, interaction.user.id, source_of(interaction))
    )
    await acknowledge(interaction)


async def _decline(button: GameButton, interaction: Press, services: Services) -> None:
    await services.act(
        interaction, services.games.challenges.decline(button.game, interaction.user.id, source_of(interaction))
    )
    await acknowledge(interaction)


async def _withdraw(button: GameButton, interaction: Press, services: Services) -> None:
    await services.act(
        interaction, services.games.challenges.withdraw(button.game, interaction.user.id, source_of(interaction))
    )
    await acknowledge(interaction)


async def _rematch(button: GameButton, interaction: Press, services: Services) -> None:
    check_allowed(interaction)
    person, source = interaction.user.id, source_of(interaction)
    if persons((await services.games.game(button.game)).players) == (person,):
        # The computer needs no asking: the game begins at once.
        await check_room(interaction, services)
    game = await services.act(interaction, services.games.challenges.rematch(button.game, person, source))
    if game.status == "open" and game.opener != person:
        # Both want it: the second press accepts what the first one opened.
        await check_room(interaction, services)
        await services.act(interaction, services.games.challenges.accept(game.id, person, f"{source}:accept"))
    await acknowledge(interaction)


async def _computer(button: GameButton, interaction: Press, services: Services) -> None:
    game = await services.games.game(button.game)
    if game.status == "open" and game.opener != interaction.user.id:
        raise NotSeated(_("Only the one who made this challenge can let the computer play."), game)
    still_open(game)
    await reply_privately(interaction, level_text(game.rules.variant.family), view=level_view(game))


async def _level(button: GameButton, interaction: Press, services: Services) -> None:
    game = await services.games.game(button.game)
    if game.status == "open" and game.players.count(None) == 1:
        await check_room(interaction, services)
    person, level = interaction.user.id, int(button.arg)
    await services.act(interaction, services.games.computer.seat(button.game, person, level, source_of(interaction)))
    await replace(interaction, _("The computer plays, at level {level}.").format(level=level))


async def _leave(button: GameButton, interaction: Press, services: Services) -> None:
    await services.act(
        interaction, services.games.lobby.stand_up(button.game, interaction.user.id, source_of(interaction))
    )
    await acknowledge(interaction)


async def _begin(button: GameButton, interaction: Press, services: Services) -> None:
    await check_room(interaction, services)
    await services.act(
        interaction, services.games.lobby.start_early(button.game, interaction.user.id, source_of(interaction))
    )
    await acknowledge(interaction)


async def _colour(button: GameButton, interaction: Press, services: Services) -> None:
    person, source = interaction.user.id, source_of(interaction)
    await services.act(interaction, services.games.lobby.choose_colour(button.game, person, int(button.arg), source))
    await acknowledge(interaction)


async def check_room(interaction: Press, services: Services) -> None:
    """Raises Refused where a game could not be played: permissions lack, or the channel is busy and cannot have a
    thread."""
    channel = interaction.channel
    if channel is None or await services.games.running_in(channel.id) is None:
        check_allowed(interaction)
        return
    if not isinstance(channel, discord.TextChannel):
        raise Refused(_("A game is running here, and no thread can be opened here for another. Start it in a channel."))
    check_allowed(interaction, opens_thread=True)


def check_allowed(interaction: Press, *, opens_thread: bool = False) -> None:
    """Raises Refused, with what to do, where the bot lacks a permission in the channel of ``interaction``."""
    channel = interaction.channel
    if channel is None:
        return
    thread = isinstance(channel, discord.Thread)
    lacking = permissions.missing(interaction.app_permissions, thread=thread, opens_thread=opens_thread)
    if lacking:
        raise Refused(permissions.sentence(channel.id, lacking, asker=interaction.permissions))


def check_channel(interaction: Press, server: ServerPreferences) -> None:
    """Raises Refused where the server's managers want no games in the channel of ``interaction``."""
    channel = interaction.channel
    here = {channel.id, channel.parent_id} if isinstance(channel, discord.Thread) else {interaction.channel_id}
    if server.channels and not here & set(server.channels):
        where = ", ".join(f"<#{number}>" for number in server.channels)
        raise Refused(_("On this server games are played in {channels}.").format(channels=where))


# A running game


async def _move(button: GameButton, interaction: Press, services: Services) -> None:
    game, seat = await at_ply(button, interaction, services)
    if seat != game.state.seat:
        raise NotYourTurn(_("It is {side}'s turn.").format(side=game.seat_name(game.state.seat)), game)
    await interaction.response.send_modal(move_form(game))
    await services.looked(game, interaction.user.id)


async def _draw(button: GameButton, interaction: Press, services: Services) -> None:
    await at_ply(button, interaction, services)
    await services.act(
        interaction, services.games.offers.offer_draw(button.game, interaction.user.id, source_of(interaction))
    )
    await acknowledge(interaction)


async def _resign(button: GameButton, interaction: Press, services: Services) -> None:
    game = (await at_ply(button, interaction, services))[0]
    await ask_resign(interaction, game)


async def ask_resign(interaction: Press, game: Game) -> None:
    """Ask once, before it is too late. Raises Refused where there is nothing to resign."""
    playing(game, interaction.user.id)
    view = view_of([GameButton.of("resignnow", game, pgettext("button", "Resign"), style=discord.ButtonStyle.danger)])
    await reply_privately(interaction, _("Do you resign this game? That cannot be undone."), view=view)


async def _resign_now(button: GameButton, interaction: Press, services: Services) -> None:
    await at_ply(button, interaction, services)
    await services.act(
        interaction, services.games.moves.resign(button.game, interaction.user.id, source_of(interaction))
    )
    await replace(interaction, _("You have resigned."))


async def _soplar(button: GameButton, interaction: Press, services: Services) -> None:
    await _play(button, interaction, services, f"soplar {button.arg}")
    await acknowledge(interaction)


async def _oblige(button: GameButton, interaction: Press, services: Services) -> None:
    await _play(button, interaction, services, "oblige")
    await acknowledge(interaction)


async def _pick(button: GameButton, interaction: Press, services: Services) -> None:
    game, seat = await at_ply(button, interaction, services)
    if seat != game.state.seat:
        raise NotYourTurn(_("It is {side}'s turn.").format(side=game.seat_name(game.state.seat)), game)
    text = move_of(button, game)
    await _play(button, interaction, services, text)
    await replace(interaction, _("Played: `{move}`.").format(move=text))


async def _play(button: GameButton, interaction: Press, services: Services, text: str) -> None:
    person = interaction.user.id
    await services.act(
        interaction, services.games.moves.turn(button.game, person, text, source_of(interaction), button.ply)
    )


async def replace(interaction: Press, text: str, view: discord.ui.View | None = None) -> None:
    """Answer by changing the message that holds the button; its buttons go, or are those of ``view``."""
    if interaction.response.is_done():
        await interaction.edit_original_response(content=text, view=view)
    else:
        await interaction.response.edit_message(content=text, view=view)


# Offers


async def _agree(button: GameButton, interaction: Press, services: Services) -> None:
    await _answer_offer(button, interaction, services, agree=True)


async def _refuse(button: GameButton, interaction: Press, services: Services) -> None:
    await _answer_offer(button, interaction, services, agree=False)


async def _answer_offer(button: GameButton, interaction: Press, services: Services, *, agree: bool) -> None:
    kind, _dash, offer = button.arg.partition("-")
    answer = services.games.offers.answer_draw if kind == "draw" else services.games.offers.answer_takeback
    work = answer(button.game, interaction.user.id, agree, source_of(interaction), int(offer))
    game = await services.act(interaction, work)
    if agree and any(standing.id == int(offer) for standing in game.offers):
        await reply_privately(interaction, _("You agree. It comes true when all the others do."))
    else:
        await acknowledge(interaction)


ACTS: dict[str, Callable[[GameButton, Press, Services], Awaitable[None]]] = {
    "accept": _accept,
    "decline": _decline,
    "withdraw": _withdraw,
    "leave": _leave,
    "begin": _begin,
    "colour": _colour,
    "rematch": _rematch,
    "computer": _computer,
    "level": _level,
    "move": _move,
    "draw": _draw,
    "resign": _resign,
    "resignnow": _resign_now,
    "soplar": _soplar,
    "oblige": _oblige,
    "pick": _pick,
    "agree": _agree,
    "refuse": _refuse,
}
