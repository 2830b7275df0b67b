"""What a director decides about players: who sits out, who does not meet whom, who starts where, who directs too."""

from __future__ import annotations

import discord

from bot.chat.components import ActionMenu, Press
from bot.chat.responses import source_of
from bot.chat.services import Services
from bot.chat.tournaments.group import number_of
from bot.chat.tournaments.manage.directors import directs_too
from bot.chat.tournaments.manage.manage_panel import (
    PanelAction,
    ask_for_players,
    chosen_people,
    chosen_person,
    chosen_value,
    done,
    in_entries,
    is_running,
    on,
    people_menu,
    players,
    show,
    task,
)
from bot.chat.wording.dates import moment
from bot.games.model.errors import Refused
from bot.i18n import N_, _, ngettext
from bot.tournaments.model.events import ByeAsked, Forbade
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.registration import Registration

_WORTH = {Mark.HALF_BYE: N_("half a point"), Mark.ZERO_BYE: N_("nothing")}


def _has_byes(tournament: StoredTournament) -> bool:
    more = tournament.state.rounds_paired < tournament.state.rounds_planned
    return is_running(tournament) and bool(tournament.format.byes) and more


@task("bye", N_("Give a bye"), N_("A player sits out a round that is not paired yet"), _has_byes)
async def _bye(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    await ask_for_players(interaction, services, tournament, "sits", _("Who sits out a round?"))


@on("sits")
async def _sits(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    person = chosen_person(interaction)
    number, state = number_of(tournament, person), tournament.state
    template = _("Round {round}, worth {worth}")
    options = [
        discord.SelectOption(
            label=template.format(round=round_number, worth=_(_WORTH[mark])), value=f"{round_number}.{mark}"
        )
        for round_number in range(state.rounds_paired + 1, state.rounds_planned + 1)
        for mark in tournament.format.byes
    ]
    carried, others = PanelAction("byeof", tournament.id, str(number)), _("later rounds when they are nearer")
    menu = ActionMenu.of(carried, _("Choose a round"), options, others=others)
    await show(interaction, tournament, _("Which round does <@{person}> sit out?").format(person=person), [menu])


@on("byeof", arg="[0-9]{1,4}")
async def _bye_of(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    round_number, __, worth = chosen_value(interaction, r"[0-9]{1,4}\.[A-Z]").partition(".")
    number, mark = int(action.arg), Mark(worth)
    asker = (tournament.id, interaction.user.id, source_of(interaction))
    tournament = await services.tournaments.direction.decide(*asker, ByeAsked(number, int(round_number), mark))
    text = _("{player} will sit out round {round}; it counts as {worth}.")
    fields = {"player": tournament.call(number), "round": round_number, "worth": _(_WORTH[mark])}
    await done(interaction, tournament, text.format(**fields))


def _can_forbid(tournament: StoredTournament) -> bool:
    return is_running(tournament) and tournament.format.can_forbid


@task("forbid", N_("Forbid a pairing"), N_("Two players will no longer be paired with each other"), _can_forbid)
async def _forbid(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    await ask_for_players(interaction, services, tournament, "apart", _("Which two should not meet?"), count=2)


@on("apart")
async def _apart(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    people = chosen_people(interaction)
    if len(people) != 2:
        raise Refused(_("Choose two different players."))
    one, other = (number_of(tournament, person) for person in people)
    asker = (tournament.id, interaction.user.id, source_of(interaction))
    tournament = await services.tournaments.direction.decide(*asker, Forbade(one, other))
    text = _("{player} and {other} will no longer be paired with each other.")
    await done(interaction, tournament, text.format(player=tournament.call(one), other=tournament.call(other)))


@task("seed", N_("Order of the players"), N_("See it, and give a player a place in it"), in_entries)
async def _seed(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    registration = services.tournaments.registration
    text = await _order(registration, tournament)
    items = []
    if there := players(tournament):
        items.append(await people_menu(services, tournament, PanelAction("whose", tournament.id), there))
    await show(interaction, tournament, text, items)


@on("whose")
async def _whose(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    person = chosen_person(interaction)
    count = len(await services.tournaments.registration.order(tournament))
    options = [discord.SelectOption(label=_("No fixed place"), value="0")]
    options += [
        discord.SelectOption(label=_("Place {place}").format(place=place), value=str(place))
        for place in range(1, count + 1)
    ]
    carried, others = PanelAction("place", tournament.id, str(person)), _("players without a fixed place fill the rest")
    menu = ActionMenu.of(carried, _("Choose a place"), options, others=others)
    await show(interaction, tournament, _("Which place does <@{person}> get?").format(person=person), [menu])


@on("place", arg="[0-9]{1,20}")
async def _place(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    registration, asker = services.tournaments.registration, (tournament.id, interaction.user.id)
    person, place = int(action.arg), int(chosen_value(interaction, "[0-9]{1,3}"))
    tournament = await registration.seed(*asker, source_of(interaction), person, place)
    await done(interaction, tournament, await _order(registration, tournament))


async def _order(registration: Registration, tournament: StoredTournament) -> str:
    order = await registration.order(tournament)
    marked = await registration.marked(tournament.state.by_person)
    lines = [_("**The order if it began now**")]
    for place, person in enumerate(order, start=1):
        remarks = _(" (by hand)") if person in tournament.state.seeds else ""
        if person in marked:
            missed, until = marked[person]
            text = ngettext("missed {count} game", "missed {count} games", missed)
            remarks += f" ⚠ {text.format(count=missed)} ({moment(until)})"
        lines.append(f"{place}. <@{person}>{remarks}")
    return "\n".join(lines)


@task("director", N_("Add a director"), N_("Someone else may direct it too"), lambda _tournament: True)
async def _director(
    _action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament
) -> None:
    menu = ActionMenu.of_people(PanelAction("directs", tournament.id), _("Choose a person"))
    await show(interaction, tournament, _("Who else directs it?"), [menu])


@on("directs")
async def _directs(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    person = chosen_person(interaction)
    me, source = interaction.user.id, source_of(interaction)
    direction = services.tournaments.direction
    tournament = await direction.add_director(tournament.id, person, me, source, manages=False)
    await done(interaction, tournament, directs_too(tournament, person))
