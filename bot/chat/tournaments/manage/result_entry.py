"""A result entered or corrected by taps: which game, what came of it, and what that changes."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.chat.components import ActionButton, ActionMenu, ButtonStyle, Press, chosen
from bot.chat.features import OLDER
from bot.chat.responses import defer_if_slow, replace, reply_privately
from bot.chat.services import Services
from bot.chat.tournaments.bracket_texts import match_title
from bot.chat.tournaments.buttons import CarriedPlaces, TournamentAction, confirm_view, result_of
from bot.chat.tournaments.buttons import press as presses
from bot.chat.tournaments.manage.manage_panel import (
    MOST_LISTED,
    PanelAction,
    back_button,
    chosen_value,
    directed_by,
    in_panel,
    on,
    paging,
    show,
    takes_results,
    task,
)
from bot.chat.tournaments.preview_texts import preview
from bot.chat.wording.message_text import fitting
from bot.games.model.errors import Refused, about
from bot.i18n import N_, _, labelled
from bot.tournaments.formats.format import NOT_COME, RESULTS, OpenGame, game_missed, game_of, result_text
from bot.tournaments.model.events import DidNotCome, Written
from bot.tournaments.model.fold import taken_back
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored_tournament import StoredTournament, nameless

_WORDS = tuple(RESULTS)
_OF_WHITE = (
    ("won", N_("{white} wins")),
    ("drew", N_("Draw")),
    ("lost", N_("{black} wins")),
    ("won by forfeit", N_("{black} did not come")),
    ("did not come", N_("{white} did not come")),
    ("both forfeit", N_("Neither came")),
)
"""The results of White, with what each is called."""


@presses.on("result")
async def _result(button: TournamentAction, interaction: Press, services: Services) -> None:
    tournament = await directed_by(interaction, button.tournament)
    text, items = await _which(services, tournament, 0)
    if in_panel(interaction):
        await show(interaction, tournament, text, items)
        return
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    await reply_privately(interaction, f"**{tournament.name}**\n{text}", view=view)


@task("result", N_("Enter a result"), N_("Or correct one; you will see what changes first"), takes_results)
async def _enter(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    await show(interaction, tournament, *await _which(services, tournament, 0))


@on("games", arg="[0-9]{1,4}")
async def _more(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    await show(interaction, tournament, *await _which(services, tournament, int(action.arg)))


async def _which(
    services: Services, tournament: StoredTournament, page: int
) -> tuple[str, list[ActionButton | ActionMenu]]:
    """The games, those that are being played first, the latest before all others."""
    with about(tournament.name):
        tournament.check_takes_results()
    known, results = _known(tournament)
    if not known:
        raise Refused(_("No game has begun in this tournament yet."))
    shown = known[page * MOST_LISTED : (page + 1) * MOST_LISTED]
    options = []
    for at, game in enumerate(shown, start=page * MOST_LISTED):
        names = await _names(services, tournament, game)
        place = _place(tournament, game)
        outcome = results.get(game.key) or (_("over") if game.key in results else _("in progress"))
        label = labelled(place, " - ".join(names))[:100]
        options.append(discord.SelectOption(label=label, value=f"{at}.{_sign(game)}", description=outcome))
    menu = ActionMenu.of(PanelAction("game", tournament.id), _("Choose a game"), options)
    return _("Which game?"), [menu, *paging(tournament, "games", page, len(known))]


def _place(tournament: StoredTournament, game: OpenGame) -> str:
    """Where in a tournament a game belongs: its match, its round, or in an arena its number."""
    if game.match:
        return match_title(tournament.state.bracket.bracket, game.match)
    place = _("Round {round}") if tournament.format.in_rounds else _("Game {round}")
    return place.format(round=game.round)


def _known(tournament: StoredTournament) -> tuple[list[OpenGame], dict[object, str]]:
    """The games whose results can be entered or corrected, and the results of those that have one."""
    undone, results = taken_back(tournament.events), {}
    games = {}
    for link in tournament.games:
        game = open_game_of(link)
        # Others may have played a match while an earlier result was another one.
        if not game.match or set(game.seats) == set(tournament.state.bracket.matches[game.match].players):
            games[game.match or game.key] = game
    for event in tournament.events:
        if event.number in undone:
            continue
        if isinstance(event.action, Written):
            results[game_of(event.action).key] = result_text(event.action)
        elif isinstance(event.action, DidNotCome) and (missed := game_missed(tournament.state, event.action)):
            results[missed.key] = _("by forfeit")
    playing = {game.key for game in tournament.open_games}
    newest = list(games.values())[::-1]
    known = [game for game in newest if game.key in playing]
    known += [game for game in newest if game.key not in playing and game.key in results]
    return known, {key: text for key, text in results.items() if key not in playing}


def _sign(game: OpenGame) -> str:
    """What a game is found again by, if others have begun since it was listed."""
    return f"{game.round}.{game.match or '-'}.{'.'.join(map(str, game.seats))}"


def _game(tournament: StoredTournament, sign: str) -> OpenGame:
    found = next((game for game in _known(tournament)[0] if _sign(game) == sign), None)
    if found is None:
        raise Refused(_("That game is no longer in progress. Choose again."))
    return found


async def _names(services: Services, tournament: StoredTournament, game: OpenGame) -> list[str]:
    players = [(number, tournament.sits_at(game, number)) for number in game.seats]
    return [
        await services.names.of(tournament.guild_id, person) if person > 0 else nameless(number)
        for number, person in players
    ]


@on("game")
async def _chosen(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    sign = chosen_value(interaction, r"[0-9]+\..+").partition(".")[2]
    game = _game(tournament, sign)
    if game.by_places:
        table = tournament.state.seated[game.round].tables.index(game.seats)
        await _ask_place(interaction, services, tournament, CarriedPlaces(table, (0,) * len(game.seats), game.round))
        return
    white, black = await _names(services, tournament, game)
    buttons = []
    for at, (word, label) in enumerate(_OF_WHITE):
        if word == "both forfeit" and game.match:
            continue
        text = _(label).format(white=white, black=black)[:80]
        style = ButtonStyle.primary if at < 3 else ButtonStyle.secondary
        carried = PanelAction("came", tournament.id, f"{_WORDS.index(word)}.{sign}")
        buttons.append(ActionButton.of(carried, text, style, row=at // 3))
    title = " - ".join(tournament.call_in(game, number) for number in game.seats)
    await show(interaction, tournament, _("{game}: what is the result?").format(game=title), buttons)


@on("came", arg=r"[0-5]\.[0-9]{1,9}\.[-A-Z0-9]+\.[0-9.]+")
async def _came(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    at, __, sign = action.arg.partition(".")
    game, result = _game(tournament, sign), _WORDS[int(at)]
    white, black = (tournament.state.by_number[number].person for number in (game.white, game.black))
    # Said of who was away: then they are marked for it, whichever side they had.
    person, result = (black, NOT_COME) if result == "won by forfeit" else (white, result)
    match = game.match
    if not match and tournament.settings.both:
        match = str(tournament.state.which_game(game.round, game.white, game.black))
    number = None if game.match else game.round
    results = services.tournaments.results
    work = results.preview(tournament.id, interaction.user.id, person, result, number, match or None)
    shown = await defer_if_slow(interaction, work)
    view = confirm_view(tournament, shown, result_of(tournament, person, result, shown.action))
    view.add_item(back_button(tournament))
    await replace(interaction, fitting(f"**{tournament.name}**\n{preview(tournament, shown)}"), view)


async def _ask_place(
    interaction: Press, services: Services, tournament: StoredTournament, carried: CarriedPlaces
) -> None:
    """Ask who has the next place at a table; when all have one, show what that changes."""
    seats = tournament.state.seated[carried.round].tables[carried.table]
    names = await _names(services, tournament, OpenGame(carried.round, seats, by_places=True))
    left = [at for at, place in enumerate(carried.places) if not place]
    if len(left) <= 1 and len(seats) > 1:
        places = tuple(place or len(seats) for place in carried.places)
        action = PanelAction("absent", tournament.id, _code(carried))
        absent = [ActionButton.of(action, _absent_text(names[at])) for at in left]
        all_placed = CarriedPlaces(carried.table, places, carried.round)
        await _preview_places(interaction, services, tournament, all_placed, absent)
        return
    place, code = len(seats) - len(left) + 1, _code(carried)
    options = [discord.SelectOption(label=names[at][:100], value=str(at)) for at in left]
    asked = _("Choose who has place {place}").format(place=place)
    menu = ActionMenu.of(PanelAction("placed", tournament.id, code), asked, options, at_most=len(options))
    buttons: Sequence[ActionButton] = ()
    if len(left) < len(seats):
        carried_on = PanelAction("absent", tournament.id, code)
        buttons = (ActionButton.of(carried_on, _("The others did not come")),)
    text = _("Who has place {place}? Choose more than one if they share it.").format(place=place)
    placed = ", ".join(f"{carried.places[at]}. {names[at]}" for at in range(len(seats)) if carried.places[at])
    await show(interaction, tournament, f"{text}\n{placed}".rstrip(), [menu, *buttons])


_TABLE = r"[0-9]{1,4}\.[0-9]{1,3}\.[0-6]{2,6}"


def _code(carried: CarriedPlaces) -> str:
    return f"{carried.round}.{carried.table}.{''.join(map(str, carried.places))}"


def _carried(code: str, tournament: StoredTournament) -> CarriedPlaces:
    number, table, places = code.split(".")
    seated = tournament.state.seated.get(int(number))
    tables = () if seated is None else seated.tables
    if int(table) >= len(tables) or len(tables[int(table)]) != len(places):
        raise Refused(_("That game is no longer in progress. Choose again."))
    return CarriedPlaces(int(table), tuple(map(int, places)), int(number))


@on("placed", arg=_TABLE)
async def _placed(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    carried = _carried(action.arg, tournament)
    place = sum(1 for each in carried.places if each) + 1
    shared = {int(at) for at in chosen(interaction) if at.isdecimal()}
    if not shared:
        raise Refused(_(OLDER))
    places = tuple(place if at in shared else was for at, was in enumerate(carried.places))
    await _ask_place(interaction, services, tournament, CarriedPlaces(carried.table, places, carried.round))


@on("absent", arg=_TABLE)
async def _absent(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    await _preview_places(interaction, services, tournament, _carried(action.arg, tournament))


def _absent_text(name: str) -> str:
    return _("{white} did not come").format(white=name)[:80]


async def _preview_places(
    interaction: Press,
    services: Services,
    tournament: StoredTournament,
    carried: CarriedPlaces,
    others: Sequence[ActionButton] = (),
) -> None:
    """What the places would change, to be saved; ``others``: what may have been meant instead."""
    table = (carried.round, carried.table, carried.places)
    work = services.tournaments.results.preview_table(tournament.id, interaction.user.id, *table)
    shown = await defer_if_slow(interaction, work)
    view = confirm_view(tournament, shown, carried)
    for button in (*others, back_button(tournament)):
        view.add_item(button)
    await replace(interaction, fitting(f"**{tournament.name}**\n{preview(tournament, shown)}"), view)
