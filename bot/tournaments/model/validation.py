"""Whether an action makes sense now; asked before it is written down, and again whenever the list is folded."""

from __future__ import annotations

from bot.i18n import _
from bot.tournaments.errors import BEGUN, NOT_ENTERED, NOT_RUNNING
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, ScheduleEvent
from bot.tournaments.model.schedule import refusal_of_schedule_event
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import BYES, Mark


def refusal(state: Tournament, action: Action) -> str | None:
    """Why an action makes no sense now, as a sentence; None: it does."""
    running = state.phase is Phase.RUNNING
    match action:
        case events.Entered(person=person):
            known = state.by_person.get(person)
            if known is not None and (known.number or not running):
                return _("This player has already entered.")
            if state.phase is Phase.OVER:
                return _("Entries are closed.")
            if running and not state.format.lets_in(state, person):
                if state.format.can_open_entries(state):
                    return _("Entries are closed. Ask a director to let you in: *Manage*, *Late entries*.")
                return _("Entries are closed. A director can let you play on for somebody who stops.")
        case events.CheckedIn(person=person):
            if person not in state.by_person:
                return _(NOT_ENTERED)
            if state.phase is not Phase.ENTRIES or not (state.settings.check_in or state.check_in_open):
                return _("There is no check-in now.")
        case events.Left(person=person) | events.Returned(person=person):
            entrant = state.by_person.get(person)
            if entrant is None:
                return _(NOT_ENTERED)
            if isinstance(action, events.Returned) and entrant.paused and not entrant.is_gone:
                return None
            if entrant.is_gone is not isinstance(action, events.Returned):
                return _("This player has already left.") if entrant.is_gone else _("This player has not left.")
        case events.Paused(person=person):
            player = state.by_person.get(person)
            if player is None or player.is_gone or not running:
                return _("This player does not play in a running arena.")
            if not state.format.pairs_who_waits:
                return _("Only in an arena can a player pause.")
            if player.paused:
                return _("This player is already paused.")
        case events.Substituted(person=person, substitute=substitute):
            if person not in state.by_person:
                return _(NOT_ENTERED)
            # Whoever waits for a place is the first that one would take.
            if substitute in state.by_person and (substitute == person or substitute not in state.waiting):
                return _("The substitute is already playing.")
        case events.Started(order=order):
            if state.phase is not Phase.ENTRIES:
                return _(BEGUN)
            if len(order) < 2 or len(set(order)) != len(order) or not set(order) <= set(state.by_person):
                return _("The order must name at least two entered players, each once.")
        case events.Undone() | events.Ended():
            return None
        case _ if isinstance(action, ScheduleEvent):
            return refusal_of_schedule_event(state, action)
        case events.Scored(round=number, white=white, black=black) if state.phase is Phase.OVER:
            # What a league or a team match has ended is corrected as it stands.
            if state.cancelled is not None and (number, white, black) not in state.results:
                return _("That game was called off, so it has no result.")
            return state.format.refusal(state, action)
        case _ if not running:
            return _(NOT_RUNNING)
        case _:
            return _refusal_while_running(state, action)
    return None


def _refusal_while_running(state: Tournament, action: Action) -> str | None:
    numbers = set(state.by_number)
    match action:
        case events.ByeAsked(number=number, round=round_number, mark=mark):
            if number not in numbers or mark not in BYES - {Mark.PAIRING_BYE}:
                return _("Choose a player of this tournament, and a kind of bye.")
            paired = state.paired.get(round_number)
            if paired is not None and (number == paired.bye or any(number in game for game in paired.games)):
                return _("The player is paired in that round.")
        case events.Forbade(one=one, other=other) | events.Allowed(one=one, other=other):
            if not {one, other} <= numbers or one == other:
                return _("Choose two different players.")
        case events.PoolClosed():
            if not state.format.pairs_who_waits or state.pool_closed:
                return _("This is not a running arena.")
        case _:
            return state.format.refusal(state, action)
    return None
