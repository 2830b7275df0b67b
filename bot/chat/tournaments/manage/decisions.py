"""What changes the course of a tournament: begin, pair, finish, cancel, take a player out, let another play on. What
cannot simply be taken back is shown first; the button that does it knows how far the tournament was."""

from __future__ import annotations

import asyncio

import discord

from bot.chat.components import ActionButton, ActionMenu, ButtonStyle, Press, view_of
from bot.chat.responses import defer_if_slow, replace, reply_privately, source_of
from bot.chat.services import Services, services_of
from bot.chat.tournaments.buttons import STEPS, TournamentAction
from bot.chat.tournaments.buttons import press as presses
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.manage.directors import directors_menu, dismissal, dismissed
from bot.chat.tournaments.manage.manage_panel import (
    PanelAction,
    ask_for_players,
    back_button,
    chosen_person,
    directed_by,
    done,
    in_panel,
    is_not_over,
    is_running,
    on,
    players,
    show,
    task,
)
from bot.chat.tournaments.preview_texts import overtaken
from bot.chat.tournaments.schedule_texts import rounds_warning
from bot.games.model.errors import Refused
from bot.i18n import N_, _, ngettext, pgettext
from bot.support.frozen import frozen
from bot.tournaments.model.events import Substituted
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.direction import check_played, check_players


@frozen
class Decision:
    """What is to be done: start, pair, finish, cancel, withdraw, substitute or dismiss (a director); and whom it is
    about."""

    what: str
    person: int = 0
    other: int = 0

    def encode(self, last: int) -> str:
        """As a button carries it; ``last``: the number of the last event when it was shown."""
        return f"{last}.{self.what}.{self.person}.{self.other}"


_PATIENCE, _MOST_ASKED = 0.8, 100
"""How long Discord has to say who is on a server (s), and of how many it is asked at once."""

_CARRIED = r"[0-9]{1,9}\.[a-z]+\.[0-9]{1,20}\.[0-9]{1,20}"


@presses.on(*STEPS)
async def _step(button: TournamentAction, interaction: Press, services: Services) -> None:
    tournament = await directed_by(interaction, button.tournament)
    decision = Decision(button.act)
    if button.act == "start":
        check_players(tournament)
    gone = await not_here(interaction, tournament) if button.act == "pair" else ""
    if gone or (button.act == "start" and warning(tournament)):
        if in_panel(interaction):
            await _confirm(interaction, tournament, decision, gone)
        else:
            await ask(interaction, tournament, decision, gone)
    elif in_panel(interaction):
        tournament, text = await _done(interaction, services, tournament, decision)
        await done(interaction, tournament, text)
    else:
        await decide(interaction, tournament, decision)


async def _confirm(interaction: Press, tournament: StoredTournament, decision: Decision, first: str = "") -> None:
    """Ask in the panel, below what is said ``first``, whether that is meant."""
    text = f"{first}\n{question(tournament, decision, interaction.user.id)}".lstrip()
    await replace(interaction, text, _view(tournament, decision, with_back=True))


def warning(tournament: StoredTournament) -> str:
    """What its director should know before it begins."""
    few = rounds_warning(len(tournament.state.starters), tournament.settings.rounds)
    return " ".join(filter(None, [few, texts_of(tournament).start_warning(tournament)]))


async def not_here(interaction: Press, tournament: StoredTournament) -> str:
    """Who would be paired next and is not on the server any more, as a warning; "" for nobody, or where Discord does
    not say in time."""
    number, guild = tournament.state.rounds_paired + 1, interaction.guild
    people = [each.person for each in tournament.state.entrants if each.is_in(number) and each.number]
    asked = [person for person in people if person > 0]
    if guild is None or tournament.step_by_hand != "pair":
        return ""
    here: set[int] = set()
    try:
        async with asyncio.timeout(_PATIENCE):
            for start in range(0, len(asked), _MOST_ASKED):
                some = asked[start : start + _MOST_ASKED]
                found = await guild.query_members(user_ids=some, limit=_MOST_ASKED, cache=False)
                here |= {member.id for member in found}
    except (TimeoutError, OSError, discord.DiscordException):
        return ""
    gone = ", ".join(f"<@{person}>" for person in asked if person not in here)
    text = _("Not on this server any more: {people}. *Withdraw a player* takes them out before you pair.")
    return text.format(people=gone) if gone else ""


async def ask(interaction: Press, tournament: StoredTournament, decision: Decision, first: str = "") -> None:
    """Show what a decision would mean, below what is said ``first``, with the button that takes it."""
    tournament.check_directed(interaction.user.id)
    text = f"{first}\n{question(tournament, decision, interaction.user.id)}".lstrip()
    await reply_privately(interaction, text, view=_view(tournament, decision))


def _view(tournament: StoredTournament, decision: Decision, *, with_back: bool = False) -> discord.ui.View:
    style = ButtonStyle.success if decision.what in STEPS else ButtonStyle.danger
    carried = PanelAction("do", tournament.id, decision.encode(tournament.last))
    button = ActionButton.of(carried, pgettext("button", "Confirm"), style)
    return view_of([button, back_button(tournament)] if with_back else [button])


def question(tournament: StoredTournament, decision: Decision, me: int) -> str:
    """What a decision would mean, for the director ``me``."""
    state, fields = tournament.state, _fields(tournament, decision)
    match decision.what:
        case "start":
            count = len(state.starters)
            text = ngettext(
                "Begin **{event}** with {count} player?", "Begin **{event}** with {count} players?", count
            ).format(**fields, count=count)
            return " ".join(filter(None, [text, warning(tournament)]))
        case "pair":
            text = _("Pair round {round} of **{event}**?")
            return text.format(**fields, round=state.rounds_paired + 1)
        case "finish":
            text = _("Finish **{event}**? Its standings will be final.")
            if tournament.state.rounds_paired < tournament.state.rounds_planned:
                text = _(
                    "Finish **{event}** early, after round {paired} of {planned}? No more rounds will be played, and "
                    "its standings will be final."
                )
            return text.format(**fields, paired=state.rounds_paired, planned=state.rounds_planned)
        case "cancel":
            if count := len(tournament.open_games):
                text = ngettext(
                    "Cancel **{event}**? {count} game in progress will be called off. This cannot be undone.",
                    "Cancel **{event}**? {count} games in progress will be called off. This cannot be undone.",
                    count,
                )
                return text.format(**fields, count=count)
            return _("Cancel **{event}**? This cannot be undone.").format(**fields)
        case "withdraw":
            asked = _("Withdraw {player} from **{event}**?")
            barred = _("{player} can come back only if you undo that.")
            lost = texts_of(tournament).lost_by_leaving(tournament, decision.person)
            return " ".join([asked.format(**fields), *lost, barred.format(**fields)])
        case "dismiss":
            return dismissal(tournament, decision.person, me)
        case _other:
            return _("Let {other} take over from {player} in **{event}**, with all points so far?").format(**fields)


def _fields(tournament: StoredTournament, decision: Decision) -> dict[str, str]:
    return {"event": tournament.name, "player": f"<@{decision.person}>", "other": f"<@{decision.other}>"}


@on("do", arg=_CARRIED)
async def _do(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    last, what, person, other = action.arg.split(".")
    decision = Decision(what, int(person), int(other))
    if tournament.state.phase is Phase.OVER:
        over = _("The tournament is over.") if tournament.state.cancelled is None else _("**{event}** is cancelled.")
        raise Refused(over.format(event=tournament.name), event=tournament.name)
    if int(last) != tournament.last:
        await _confirm(interaction, tournament, decision, overtaken(tournament, int(last)))
        return
    tournament, text = await _done(interaction, services, tournament, decision)
    if tournament.is_director(interaction.user.id):
        await done(interaction, tournament, text)
    else:
        await replace(interaction, text)


async def decide(interaction: Press, tournament: StoredTournament, decision: Decision) -> None:
    """Do it, and say so. Raises Refused."""
    _tournament, text = await _done(interaction, services_of(interaction), tournament, decision)
    await reply_privately(interaction, text)


async def _done(
    interaction: Press, services: Services, tournament: StoredTournament, decision: Decision
) -> tuple[StoredTournament, str]:
    asker = (tournament.id, interaction.user.id, source_of(interaction))
    tournaments, fields = services.tournaments, _fields(tournament, decision)
    match decision.what:
        case "start":
            now = await defer_if_slow(interaction, tournaments.direction.start(*asker, before=tournament))
            count = len(now.state.by_number)
            text = ngettext(
                "**{event}** has begun with {count} player.", "**{event}** has begun with {count} players.", count
            )
            if now.settings.rounds and not tournament.settings.rounds:
                rounds = ngettext("It has {count} round.", "It has {count} rounds.", now.settings.rounds)
                text = f"{text} {rounds.format(count=now.settings.rounds)}"
            return now, text.format(**fields, count=count)
        case "pair":
            now = await defer_if_slow(interaction, tournaments.direction.pair(*asker, before=tournament))
            text = _("**{event}**: round {round} is paired; its games are open.")
            return now, text.format(**fields, round=now.state.rounds_paired)
        case "finish":
            now = await tournaments.direction.finish(*asker)
            text = _("**{event}** is over; the standings are final.")
            if now.state.phase is Phase.RUNNING:
                text = _("**{event}**: no new games start. It is over when the games in progress are finished.")
            return now, text.format(**fields)
        case "cancel":
            now = await tournaments.administration.cancel(*asker)
            return now, _("**{event}** is cancelled.").format(**fields)
        case "withdraw":
            now = await tournaments.registration.leave(tournament.id, decision.person, asker[1], asker[2])
            text = _("{player} is withdrawn from **{event}**.")
            if lost := texts_of(tournament).lost_by_leaving(tournament, decision.person):
                text = " ".join([text, *lost])
            elif tournament.is_playing(decision.person):
                text = _("{player} is withdrawn from **{event}**. The game in progress must still be played.")
            return now, text.format(**fields)
        case "dismiss":
            now = await tournaments.direction.remove_director(tournament.id, decision.person, asker[1], asker[2])
            return now, dismissed(now, decision.person)
        case "substitute":
            change = Substituted(decision.person, decision.other)
            now = await tournaments.direction.decide(*asker, change)
            text = _("**{event}**: {other} takes over from {player}; a game in progress is still {player}'s.")
            if now.state.timing.at_once:
                text = _(
                    "**{event}**: {other} takes over from {player}. Games in which nobody has moved yet begin anew; "
                    "the others stay {player}'s."
                )
            return now, text.format(**fields)
    raise Refused(_("That cannot be done."))


def _has_players(tournament: StoredTournament) -> bool:
    return is_not_over(tournament) and any(player.person > 0 for player in players(tournament))


@task("withdraw", N_("Withdraw a player"), N_("Take a player out of the tournament"), _has_players)
async def _withdraw(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    await ask_for_players(interaction, services, tournament, "out", _("Who do you want to withdraw?"))


@on("out")
async def _out(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    await _confirm(interaction, tournament, Decision("withdraw", chosen_person(interaction)))


@task("substitute", N_("Substitute a player"), N_("Someone else takes over, with all points so far"), _has_players)
async def _substitute(
    action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament
) -> None:
    await ask_for_players(interaction, services, tournament, "stops", _("Who stops playing?"))


@on("stops")
async def _stops(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    person = chosen_person(interaction)
    menu = ActionMenu.of_people(PanelAction("goeson", tournament.id, str(person)), _("Choose a substitute"))
    await show(interaction, tournament, _("Who takes over from <@{person}>?").format(person=person), [menu])


@on("goeson", arg="[0-9]{1,20}")
async def _goes_on(action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    decision = Decision("substitute", int(action.arg), chosen_person(interaction))
    await _confirm(interaction, tournament, decision)


def _has_more_directors(tournament: StoredTournament) -> bool:
    return is_not_over(tournament) and tournament.competition_id is None and len(tournament.directors) > 1


@task("dismiss", N_("Remove a director"), N_("Or stop directing it yourself"), _has_more_directors)
async def _dismiss(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    menu = await directors_menu(services, tournament, PanelAction("dismissed", tournament.id), _("Choose a person"))
    await show(interaction, tournament, _("Who should no longer direct it?"), [menu])


@on("dismissed")
async def _dismissed(
    _action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament
) -> None:
    await _confirm(interaction, tournament, Decision("dismiss", chosen_person(interaction)))


@task("finish", N_("Finish the tournament"), N_("The standings become final"), is_running)
async def _finish(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    if not tournament.format.pairs_who_waits:
        check_played(tournament)
    await _confirm(interaction, tournament, Decision("finish"))


def _can_be_cancelled(tournament: StoredTournament) -> bool:
    return is_not_over(tournament) and tournament.competition_id is None


@task("cancel", N_("Cancel the tournament"), N_("It ends without a winner"), _can_be_cancelled)
async def _cancel(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    await _confirm(interaction, tournament, Decision("cancel"))
