"""Buttons of tournaments. Each carries its tournament, so that it works after a restart; every press checks anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import discord

from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, page_buttons, view_of
from bot.chat.features import Handlers
from bot.chat.posting.cards import Card
from bot.chat.responses import (
    acknowledge,
    defer_if_slow,
    edit_into_card,
    is_private,
    replace,
    reply_privately,
    reply_with_card,
    source_of,
)
from bot.chat.services import Services, services_of
from bot.chat.tournaments import texts
from bot.chat.tournaments.format_texts import round_beginning, texts_of
from bot.chat.tournaments.group import leaving_answer, leaving_question, quiet_hours_lines, roles_of
from bot.chat.tournaments.preview_texts import overtaken, preview
from bot.chat.tournaments.standings_cards import page_card
from bot.chat.visibility import visible_tournament
from bot.games.model.errors import Refused, about
from bot.i18n import N_, _
from bot.support.frozen import frozen
from bot.tournaments.analysis.prospects import what_do_i_need
from bot.tournaments.formats.format import RESULTS, game_of
from bot.tournaments.model.events import TableScored, Written
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.results import Preview, table_index
from bot.tournaments.use_cases.work import Overtaken, refusing


@frozen
class TournamentAction(CustomId):
    """A button of a tournament's post; ``arg`` is what it needs besides."""

    prefix = "tournament"
    act: str
    tournament: int
    arg: str = ""


press = Handlers(TournamentAction)

_RESULTS = tuple(RESULTS)
"""Each is carried by its place here, which it keeps."""


STEPS: Final[Mapping[str, str]] = {"start": N_("Start"), "pair": N_("Pair next round"), "finish": N_("Finish")}
"""What lets a tournament go on (``StoredTournament.step_by_hand``), and how the director's button is called."""


def _button(
    act: str,
    tournament: StoredTournament,
    label: str,
    arg: str = "",
    style: ButtonStyle = ButtonStyle.secondary,
    row: int | None = None,
) -> ActionButton:
    return ActionButton.of(TournamentAction(act, tournament.id, arg), label, style, row=row)


def announcement_view(tournament: StoredTournament) -> discord.ui.View:
    """Under the announcement: to join and to leave, as long as either may be, and what its directors do."""
    return view_of(button for row in announcement_rows(tournament) for button in row)


def announcement_rows(tournament: StoredTournament) -> tuple[list[ActionButton], list[ActionButton]]:
    """Its buttons: of players, and of directors."""
    buttons: list[ActionButton] = []
    state = tournament.state
    late = tournament.takes_late_entries
    if state.phase is Phase.ENTRIES or late:
        buttons.append(_button("join", tournament, _("Join"), style=ButtonStyle.success))
    elif _may_come_back(tournament):
        buttons.append(_button("join", tournament, _("Come back")))
    if state.phase is Phase.ENTRIES and state.check_in_open:
        buttons.append(_button("here", tournament, _("Check in"), style=ButtonStyle.primary))
    if late and tournament.format.pairs_who_waits:
        buttons.append(_button("pause", tournament, _("Pause")))
    if state.phase is Phase.OVER:
        return buttons, []
    return [*buttons, _button("leave", tournament, _("Leave"))], _of_directors(tournament)


def _of_directors(tournament: StoredTournament) -> list[ActionButton]:
    """What only directors may press, in a row of its own."""
    buttons = _next_step(tournament)
    if tournament.games and tournament.state.phase is Phase.RUNNING:
        buttons.append(_button("result", tournament, _("Enter a result"), row=1))
    return [*buttons, _button("manage", tournament, _("Manage"), row=1)]


def _next_step(tournament: StoredTournament) -> list[ActionButton]:
    step = tournament.step_by_hand
    return [_button(step, tournament, _(STEPS[step]), style=ButtonStyle.primary, row=1)] if step else []


def _may_come_back(tournament: StoredTournament) -> bool:
    """Whether somebody has left who can play again from the next round on."""
    state = tournament.state
    rounds = tournament.format.in_rounds and not state.timing.at_once
    has_more = state.phase is Phase.RUNNING and state.rounds_paired < state.rounds_planned
    return rounds and has_more and any(entrant.is_gone and entrant.number for entrant in state.entrants)


def text_button(tournament: StoredTournament) -> ActionButton:
    """To the same in words as pictures show."""
    return _button("text", tournament, _("As text"))


def check_in_view(tournament: StoredTournament) -> discord.ui.View:
    """Under the call to the check-in."""
    button = _button("here", tournament, _("Check in"), style=ButtonStyle.primary)
    return view_of([button] if tournament.state.phase is Phase.ENTRIES else [])


def podium_rows(tournament: StoredTournament) -> list[list[ActionButton]]:
    """Under what says that all games are over: what its directors do next."""
    return [_of_directors(tournament)] if tournament.step_by_hand == "finish" else []


def round_rows(tournament: StoredTournament, number: int) -> list[list[ActionButton]]:
    """Under a round."""
    why = _button("why", tournament, _(texts_of(tournament).why_label), str(number))
    need = [_button("need", tournament, _("What do I need?"))] if tournament.format.has_record else []
    last = number == tournament.state.rounds_paired
    return [row for row in ([why, *need], _next_step(tournament) if last else []) if row]


def confirm_view(
    tournament: StoredTournament, shown: Preview, carried: CarriedResult | CarriedPlaces
) -> discord.ui.View:
    """Under a preview: keep the rounds that are played, or pair them again where that is asked; nothing where nothing
    would change."""
    if shown.repeats:
        return view_of([])
    arg = encode(shown.last, carried)
    tables = tournament.format.by_places
    if not shown.change.open_rounds:
        return view_of([_button("keep", tournament, _("Save it"), arg, ButtonStyle.primary)])
    keep = _("Keep the tables") if tables else _("Keep the pairings")
    again = _("Seat again") if tables else _("Pair again")
    keep_button = _button("keep", tournament, keep, arg, ButtonStyle.primary)
    return view_of([keep_button, _button("again", tournament, again, arg, ButtonStyle.danger)])


@press.on("join")
async def _join(button: TournamentAction, interaction: Press, services: Services) -> None:
    await visible_tournament(interaction, button.tournament)
    person = interaction.user
    registration = services.tournaments.registration
    tournament = await registration.join(button.tournament, person.id, source_of(interaction), *roles_of(person))
    beyond = tournament.state.beyond
    told = []
    if person.id in beyond:
        text = _("**{event}** is full. You are number {place} on the waiting list.")
        told.append(text.format(event=tournament.name, place=beyond.index(person.id) + 1))
    if told := [*told, *await quiet_hours_lines(tournament, person.id, services)]:
        await reply_privately(interaction, " ".join(told))
    else:
        await acknowledge(interaction)


@press.on("here")
async def _check_in(button: TournamentAction, interaction: Press, services: Services) -> None:
    await visible_tournament(interaction, button.tournament)
    me, source = interaction.user.id, source_of(interaction)
    tournament = await services.tournaments.registration.check_in(button.tournament, me, source)
    if me in tournament.state.beyond:
        text = _("You are checked in for **{event}** and will play if a place becomes free.")
    else:
        text = _("You are checked in for **{event}**.")
    await reply_privately(interaction, text.format(event=tournament.name))


@press.on("leave", arg="(yes|no)?")
async def _leave(button: TournamentAction, interaction: Press, services: Services) -> None:
    tournament = await visible_tournament(interaction, button.tournament)
    if button.arg == "no":
        await replace(interaction, _("Nothing has changed."))
        return
    await leave(interaction, tournament, sure=bool(button.arg))


async def leave(interaction: Press, tournament: StoredTournament, *, sure: bool = False) -> None:
    """Let whoever asks leave; first ask them, unless they are ``sure``, where they lose games by it. Raises Refused."""
    me = interaction.user.id
    if not sure and tournament.loses_by_leaving(me):
        sentences = leaving_question(tournament, me)
        yes = _button("leave", tournament, _("Leave"), "yes", ButtonStyle.danger)
        view = view_of([yes, _button("leave", tournament, _("Stay"), "no")])
        await reply_privately(interaction, " ".join(sentences), view=view)
        return
    registration = services_of(interaction).tournaments.registration
    left = await registration.leave(tournament.id, me, me, source_of(interaction))
    sentences = leaving_answer(tournament, left, me)
    await (replace if sure else reply_privately)(interaction, " ".join(sentences))


@press.on("direct")
async def _direct(button: TournamentAction, interaction: Press, services: Services) -> None:
    await visible_tournament(interaction, button.tournament)
    me, source, manages = interaction.user.id, source_of(interaction), interaction.permissions.manage_guild
    tournament = await services.tournaments.direction.add_director(button.tournament, me, me, source, manages=manages)
    text = _("You now direct **{event}**, too.").format(event=tournament.name)
    await replace(interaction, text, view_of([_button("manage", tournament, _("Manage"))]))


def take_over_view(tournament: StoredTournament) -> discord.ui.View:
    """For whoever manages the server: to direct a tournament of others, or of nobody any more."""
    return view_of([_button("direct", tournament, _("Direct it too"), style=ButtonStyle.primary)])


@press.on("pause")
async def _pause(button: TournamentAction, interaction: Press, services: Services) -> None:
    await visible_tournament(interaction, button.tournament)
    me = interaction.user.id
    tournament = await services.tournaments.arenas.pause(button.tournament, me, source_of(interaction))
    text = _("You are paused in **{event}**. Press *Join* to play again.")
    if tournament.is_playing(me):
        text = _("You will be paused in **{event}** after this game. Press *Join* to play again.")
    await reply_privately(interaction, text.format(event=tournament.name))


@press.on("why", arg="[0-9]{0,4}")
async def _why(button: TournamentAction, interaction: Press, services: Services) -> None:
    await tell_why(interaction, await visible_tournament(interaction, button.tournament), int(button.arg or 0))


@press.on("need")
async def _need(button: TournamentAction, interaction: Press, services: Services) -> None:
    await tell_prospects(interaction, await visible_tournament(interaction, button.tournament))


@press.on("text", arg="[0-9]{0,3}")
async def _text(button: TournamentAction, interaction: Press, services: Services) -> None:
    card = standings_page(await visible_tournament(interaction, button.tournament), interaction, int(button.arg or 0))
    if button.arg and is_private(interaction):
        await acknowledge(interaction)
        await edit_into_card(interaction, card)
    else:
        await reply_with_card(interaction, card)


def standings_page(tournament: StoredTournament, interaction: Press, page: int = 0) -> Card:
    """A page of the standings in words, counted from 0, with buttons to the others."""
    pages = texts.standings_pages(tournament)
    page = min(page, pages - 1)

    def to(number: int) -> TournamentAction:
        return TournamentAction("text", tournament.id, str(number))

    return page_card(tournament, interaction.user.id, page, page_buttons(to, page, pages) if pages > 1 else [])


@frozen
class CarriedResult:
    """What a person did. ``number``: in which round, or in which game of an arena; 0 in an elimination, where ``match``
    says it. Where two games are played in a round, ``match`` is which of them."""

    person: int
    result: str
    number: int
    match: str


@frozen
class CarriedPlaces:
    """The places of those at a table, by seat. ``table``: which of its round, from 0."""

    table: int
    places: tuple[int, ...]
    round: int


_ONE = rf"[0-8]?[0-9]{{1,18}}\.[0-{len(_RESULTS) - 1}]\.[0-9]{{1,9}}\..*"
_TABLE = r"t[0-9]{1,3}\.[0-9]+\.[0-9]{1,4}\."
CARRIED = rf"[0-9]{{1,9}}\.({_ONE}|{_TABLE})"
"""How ``encode`` writes, as a regular expression."""


def encode(last: int, carried: CarriedResult | CarriedPlaces) -> str:
    """As it stands in a custom id."""
    match carried:
        case CarriedResult(person, result, number, match):
            return f"{last}.{person}.{_RESULTS.index(result)}.{number}.{match}"
        case CarriedPlaces(table, places, number):
            return f"{last}.t{table}.{''.join(map(str, places))}.{number}."


def decode(text: str) -> tuple[int, CarriedResult | CarriedPlaces]:
    """What ``encode`` has written."""
    last, whose, what, number, match = text.split(".", 4)
    if whose.startswith("t"):
        return int(last), CarriedPlaces(int(whose[1:]), tuple(map(int, what)), int(number))
    return int(last), CarriedResult(int(whose), _RESULTS[int(what)], int(number), match)


def result_of(tournament: StoredTournament, person: int, result: str, action: Written) -> CarriedResult:
    """A person's result, with its very game."""
    game = game_of(action)
    match = game.match
    if not match and tournament.settings.both:
        match = str(tournament.state.which_game(game.round, game.white, game.black))
    return CarriedResult(person, result, 0 if game.match else game.round, match)


def places_of(tournament: StoredTournament, action: TableScored) -> CarriedPlaces:
    """The places at a table."""
    return CarriedPlaces(table_index(tournament.state, action), action.places, action.round)


@press.on("keep", "again", arg=CARRIED)
async def _write(button: TournamentAction, interaction: Press, services: Services) -> None:
    last, carried = decode(button.arg)
    me, number = interaction.user.id, (await visible_tournament(interaction, button.tournament)).id
    shown = await defer_if_slow(interaction, _previewed(carried, number, me, services))
    try:
        if shown.last != last:
            raise Overtaken
        source, again = source_of(interaction), button.act == "again"
        work = services.tournaments.results.write_down(number, me, source, shown, again=again)
        await defer_if_slow(interaction, work)
    except Overtaken:
        shown = await defer_if_slow(interaction, _previewed(carried, number, me, services))
        tournament = await services.tournaments.load(number)
        view = confirm_view(tournament, shown, carried)
        await replace(interaction, preview(tournament, shown, overtaken(tournament, last)), view)
    else:
        tournament = await services.tournaments.load(number)
        text = _("**{event}**: the result is entered, and the standings are up to date.")
        more = [_button("result", tournament, _("Enter a result")), _button("manage", tournament, _("Manage"))]
        await replace(interaction, text.format(event=tournament.name), view_of(more))


async def _previewed(carried: CarriedResult | CarriedPlaces, number: int, me: int, services: Services) -> Preview:
    """What a result that a button carries changes now. Raises Refused."""
    if isinstance(carried, CarriedPlaces):
        table = (carried.round, carried.table, carried.places)
        return await services.tournaments.results.preview_table(number, me, *table)
    result = (carried.person, carried.result, carried.number or None, carried.match or None)
    return await services.tournaments.results.preview(number, me, *result)


async def tell_why(interaction: Press, tournament: StoredTournament, number: int) -> None:
    """Tell a player why they meet whom in a round (0: the last one). Raises Refused."""
    shown = number or tournament.state.rounds_paired
    head = round_beginning(tournament, shown)
    await _tell(interaction, tournament, lambda me: [head, *texts_of(tournament).why(tournament, shown, me)])


async def tell_prospects(interaction: Press, tournament: StoredTournament) -> None:
    """Tell a player which places they may still get. Raises Refused."""
    head = _("**{name}**, after round {number}:").format(name=tournament.name, number=tournament.state.rounds_paired)
    await _tell(
        interaction,
        tournament,
        lambda me: [head, *texts.prospects(tournament, me, what_do_i_need(tournament.state, me))],
    )


async def _tell(interaction: Press, tournament: StoredTournament, lines_for: Callable[[int], Sequence[str]]) -> None:
    """Tell whoever asks, by their starting number, what may take a while to find out."""
    entrant = tournament.state.by_person.get(interaction.user.id)
    if entrant is None or not entrant.number:
        raise Refused(_("You are not playing in this tournament."), event=tournament.name)
    with about(tournament.name), refusing():
        lines = await defer_if_slow(interaction, asyncio.to_thread(lines_for, entrant.number))
    await reply_privately(interaction, "\n".join(lines))
