"""What happens when a button is pressed. Every press checks everything anew: who, which game, which position."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.chat.board_pictures import own_view
from bot.chat.components import GameAction, Press, chosen, game_button, view_of
from bot.chat.features import OLDER, Handlers
from bot.chat.games.buttons import level_text, level_view, move_of
from bot.chat.games.posts import result_text
from bot.chat.games.room_checks import act_in, announce_unseen, check_allowed, check_room, looked
from bot.chat.games.tapped_moves import show_choice, show_played, side_text
from bot.chat.games.typed_moves import move_form
from bot.chat.reach import place_of
from bot.chat.responses import (
    acknowledge,
    act,
    defer_if_slow,
    is_private,
    open_form,
    replace,
    reply_privately,
    source_of,
)
from bot.chat.services import Services
from bot.chat.visibility import check_begun, reachable
from bot.games.model.computer_seats import is_computer, persons
from bot.games.model.errors import NotRunning, NotSeated, NotYourTurn, Refused, StalePly
from bot.games.model.game import Game, OfferKind, counts
from bot.games.model.places import came_to
from bot.games.model.seats import playing
from bot.games.use_cases.challenges import still_open
from bot.games.use_cases.computer import OPENER_ONLY
from bot.i18n import LANGUAGES, N_, _, known, pgettext

AGREED = N_("You agree. It takes effect once everyone else does.")

press = Handlers(GameAction, N_("This button belongs to an older version of the bot. See the board with `/board`."))

GameHandler = Callable[[GameAction, Game, Press, Services], Awaitable[None]]


def on_press(*acts: str, arg: str = ".*") -> Callable[[GameHandler], GameHandler]:
    """Register a handler for buttons of games, which is given the game: that of a button that is within reach of
    whoever presses it. ``acts``, ``arg``: as ``Handlers.on``."""

    def register(handler: GameHandler) -> GameHandler:
        @press.on(*acts, arg=arg)
        async def _within_reach(button: GameAction, interaction: Press, services: Services) -> None:
            await handler(button, await reachable(interaction, button.game), interaction, services)

        return handler

    return register


def check_ply(button: GameAction, game: Game, interaction: Press) -> int:
    """The seat of whoever presses a button of ``game``, which is of the position that stands. Raises Refused."""
    seat = game.seat_of(interaction.user.id)
    if seat is None:
        raise NotSeated(_("You are not playing in this game. Start your own with `/play`."), game)
    if game.status != "running":
        raise NotRunning(f"{_('This game is over.')} {result_text(game)}", game)
    if game.ply != button.ply:
        raise StalePly(_("The game has moved on."), game)
    return seat


def check_turn(button: GameAction, game: Game, interaction: Press) -> None:
    """As ``check_ply``, where whoever presses is to move. Raises Refused."""
    seat = check_ply(button, game, interaction)
    if seat != game.state.seat:
        raise NotYourTurn(_("It is {side}'s turn.").format(side=game.seat_name(game.state.seat)), game)


# Challenges


@on_press("accept")
async def _accept(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    if game.status == "open":
        await check_room(interaction, services)
    await act_in(interaction, button.game, services.games.challenges.accept)
    await acknowledge(interaction)


@on_press("decline", "withdraw", "leave")
async def _stand_back(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    use_cases = {
        "decline": services.games.challenges.decline,
        "withdraw": services.games.challenges.withdraw,
        "leave": services.games.lobby.stand_up,
    }
    await act_in(interaction, button.game, use_cases[button.act])
    await acknowledge(interaction)


@on_press("rematch")
async def _rematch(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_allowed(interaction)
    person, source = interaction.user.id, source_of(interaction)
    elsewhere, place = game.place.answers_only and interaction.channel_id != game.place.channel_id, None
    if persons(game.players) == (person,):
        # The computer needs no asking, and comes along: the game begins at once.
        await check_room(interaction, services)
        place = place_of(interaction) if elsewhere else None
    elif elsewhere:
        # Nobody else would see the offer.
        raise Refused(
            _("The others do not see this chat. Press a button under the board where you played: *Rematch* is there.")
        )
    game = await act(interaction, services.games.challenges.rematch(button.game, person, source, place))
    if game.status == "open" and game.opener != person:
        # Both want it: the second press accepts what the first one opened.
        await check_room(interaction, services)
        await act(interaction, services.games.challenges.accept(game.id, person, f"{source}:accept"))
    await acknowledge(interaction)


@on_press("computer")
async def _computer(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    if game.status == "open" and game.opener != interaction.user.id:
        raise NotSeated(_(OPENER_ONLY), game)
    still_open(game)
    await reply_privately(interaction, level_text(game.rules.variant), view=level_view(game))


@on_press("level", arg="[0-9]{1,2}")
async def _level(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    if game.status == "open" and game.players.count(None) == 1:
        await check_room(interaction, services)
    level = int(button.arg)
    await act_in(interaction, button.game, services.games.computer.seat, level)
    await replace(interaction, _("The computer plays, at level {level}.").format(level=level))


@on_press("begin")
async def _begin(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    await check_room(interaction, services)
    await act_in(interaction, button.game, services.games.lobby.start_early)
    await acknowledge(interaction)


@on_press("colour", arg="[0-9]{1,2}")
async def _colour(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    await act_in(interaction, button.game, services.games.lobby.choose_colour, int(button.arg))
    await acknowledge(interaction)


# A running game


@on_press("move")
async def _move(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_turn(button, game, interaction)
    await show_choice(interaction, services, game)
    await looked(interaction, game)


@on_press("choose", arg="([0-9]{1,6}-[0-9]{1,6})?")
async def _choose(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_turn(button, game, interaction)
    await show_choice(interaction, services, game, button.arg)


@on_press("listed")
async def _listed(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    # A choice of a menu carries what a button would.
    picked = GameAction.decode(next(iter(chosen(interaction)), ""))
    if picked is None or picked.act not in ("choose", "pick"):
        raise Refused(_(OLDER))
    await press.handle(picked, interaction, services)


@on_press("type")
async def _type(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_turn(button, game, interaction)
    await open_form(interaction, move_form(game))
    await looked(interaction, game)


@on_press("undo")
async def _undo(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    since = game.entries[button.ply :]
    # What the computer has answered goes back too.
    if not since or not all(is_computer(game.players[entry.seat]) for entry in since):
        check_ply(button, game, interaction)
    game = await act_in(interaction, button.game, services.games.moves.undo)
    await show_choice(interaction, services, game, first=_("Undone. It is your turn again."))


@on_press("side", arg="(first|second)?")
async def _side(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_begun(game)
    shown = await services.games.game(game.id, min(button.ply, game.ply))
    seen = own_view(shown, interaction.user.id, await services.games.preferences.load(interaction.user.id))
    if button.arg:
        seen = dataclasses.replace(seen, turned=button.arg == "second")
    name = f"g{shown.id}-m{shown.ply}-{'second' if seen.turned else 'first'}.png"
    file = await defer_if_slow(interaction, services.pictures.board(shown, name, seen))
    label = pgettext("button", "Turn the board")
    turn = game_button("side", shown, label, "first" if seen.turned else "second")
    if is_private(interaction):
        await replace(interaction, side_text(shown, seen, interaction.user.id), view_of([turn]), file)
    else:
        await reply_privately(interaction, side_text(shown, seen, interaction.user.id), view=view_of([turn]), file=file)
    await looked(interaction, game)


@on_press("show")
async def _show(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    if interaction.channel_id != game.place.channel_id and interaction.user.id not in (*game.players, game.opener):
        raise NotSeated(_("You are not playing in this game. Start your own with `/play`."))
    await announce_unseen(interaction, game)
    services.tokens.take(interaction, game)
    services.tokens.want(game.id)
    await acknowledge(interaction)


@on_press("language", arg="[a-z]{2,3}")
async def _language(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    language = known(button.arg)
    if language is None:
        raise Refused(_(OLDER))
    chosen_one = partial(dataclasses.replace, language=language)
    await services.games.preferences.change(interaction.user.id, chosen_one, source_of(interaction))
    await services.languages.answer(interaction)
    text = _(
        "From now on I speak {language} to you: in answers, forms and direct messages (`/me settings`). What everyone "
        "reads is in the server's language, which its managers choose with `/server settings language:`."
    )
    await reply_privately(interaction, text.format(language=LANGUAGES[language]))


@on_press("draw")
async def _draw(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_ply(button, game, interaction)
    await act_in(interaction, button.game, services.games.offers.offer_draw)
    await acknowledge(interaction)


@on_press("resign")
async def _resign(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_ply(button, game, interaction)
    await ask_resign(interaction, game)


async def ask_resign(interaction: Press, game: Game) -> None:
    """Ask once, before it is too late. Raises Refused where there is nothing to resign."""
    seat = playing(game, interaction.user.id)
    text = _("Resign this game? This cannot be undone.")
    if game.options.get("places") and not came_to(game, seat):
        text = _("You have not moved yet: leaving now counts as not showing up, with no points.") + "\n" + text
    buttons = [game_button("resignnow", game, pgettext("button", "Resign"), style=discord.ButtonStyle.danger)]
    if not counts(game):
        text = _("Not everyone has moved yet, so you can also call the game off: it will not count.") + "\n" + text
        buttons.insert(
            0, game_button("abort", game, pgettext("button", "Call it off"), style=discord.ButtonStyle.primary)
        )
    await reply_privately(interaction, text, view=view_of(buttons))


@on_press("resignnow")
async def _resign_now(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_ply(button, game, interaction)
    await act_in(interaction, button.game, services.games.moves.resign)
    await replace(interaction, _("You have resigned."))


@on_press("abort")
async def _abort(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_ply(button, game, interaction)
    await act_in(interaction, button.game, services.games.moves.abort)
    await replace(interaction, _("The game is called off."))


@on_press("soplar", "oblige")
async def _remedy(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    text = f"{button.act} {button.arg}".rstrip()
    game = await _play(button, interaction, services, text)
    if not is_private(interaction) or game.place.answers_only:
        await acknowledge(interaction)
    elif game.status == "running" and game.to_move == interaction.user.id:
        # Who huffs moves as well.
        await show_choice(interaction, services, game, first=_("Played: `{move}`.").format(move=text))
    else:
        await show_played(interaction, services, game)


@on_press("pick", arg="#[0-9]{1,6}|[^#].*")
async def _pick(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_turn(button, game, interaction)
    game = await _play(button, interaction, services, move_of(button, game))
    await show_played(interaction, services, game)


async def _play(button: GameAction, interaction: Press, services: Services, text: str) -> Game:
    person = interaction.user.id
    work = services.games.moves.turn(button.game, person, text, source_of(interaction), button.ply)
    return await act(interaction, work)


# Offers


@on_press("agree", "refuse", arg="(draw|takeback)-[0-9]{1,18}")
async def _answer_offer(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    agree = button.act == "agree"
    about, _dash, offer = button.arg.partition("-")
    kind: OfferKind = "draw" if about == "draw" else "takeback"
    person, source = interaction.user.id, source_of(interaction)
    game = await act(interaction, services.games.offers.answer(kind, button.game, person, agree, source, int(offer)))
    if agree and any(standing.id == int(offer) for standing in game.offers):
        await reply_privately(interaction, _(AGREED))
    else:
        await acknowledge(interaction)
