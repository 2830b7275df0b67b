"""Whether an action makes sense now; asked before it is written down, and again whenever the list is folded."""

from __future__ import annotations

from bot.i18n import _
from bot.tournaments.model.events import (
    Action,
    Allowed,
    ArenaGame,
    ByeAsked,
    CheckedIn,
    DidNotCome,
    Ended,
    Entered,
    Forbade,
    Kind,
    Left,
    MatchGame,
    Paused,
    PoolClosed,
    Returned,
    RoundPaired,
    Scored,
    Started,
    Substituted,
    TableScored,
    TablesSeated,
    Undone,
)
from bot.tournaments.model.schedule import refusal_of_term
from bot.tournaments.model.schedule_events import Cancelled, CheckInOpened, DateTold, Halted, Limited, Scheduled, Seeded
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import ANSWERS, BYES, Mark
from bot.tournaments.pairing.tables import SIZES


def refusal(state: Tournament, action: Action) -> str | None:
    """Why an action makes no sense now, as a sentence; None: it does."""
    running = state.phase is Phase.RUNNING
    match action:
        case Entered(person=person):
            known = state.by_person.get(person)
            if known is not None and (known.number or not running):
                return _("This player has entered already.")
            fixed = state.plan.kind.knocks_out or state.plan.kind.all_play_all
            late = running and (fixed or state.rounds_paired >= state.plan.late_until)
            if state.phase is Phase.OVER or (late and state.plan.kind is not Kind.ARENA) or state.pool_closed:
                return _("Entries are closed.")
        case CheckedIn(person=person):
            if person not in state.by_person:
                return _("This player has not entered.")
            if state.phase is not Phase.ENTRIES or not (state.plan.check_in or state.check_in_open):
                return _("There is no check-in now.")
        case Left(person=person) | Returned(person=person):
            entrant = state.by_person.get(person)
            if entrant is None:
                return _("This player has not entered.")
            if isinstance(action, Returned) and entrant.paused and not entrant.is_gone:
                return None
            if entrant.is_gone is not isinstance(action, Returned):
                return _("This player has left already.") if entrant.is_gone else _("This player has not left.")
        case Paused(person=person):
            player = state.by_person.get(person)
            if player is None or player.is_gone or not running:
                return _("This player does not play in a running arena.")
            if state.plan.kind is not Kind.ARENA:
                return _("Only in an arena can a player pause.")
            if player.paused:
                return _("This player pauses already.")
        case Substituted(person=person, substitute=substitute):
            if person not in state.by_person:
                return _("This player has not entered.")
            if substitute in state.by_person:
                return _("The substitute plays already.")
        case Started(order=order):
            if state.phase is not Phase.ENTRIES:
                return _("The tournament has begun already.")
            if len(order) < 2 or len(set(order)) != len(order) or not set(order) <= set(state.by_person):
                return _("The order must name two at least who have entered, each once.")
        case Undone() | Ended():
            return None
        case Scheduled() | Limited() | Seeded() | CheckInOpened() | DateTold() | Halted() | Cancelled():
            return refusal_of_term(state, action)
        case _ if not running:
            return _("The tournament is not running.")
        case _:
            return _refusal_while_running(state, action)
    return None


def _refusal_while_running(state: Tournament, action: Action) -> str | None:
    numbers = set(state.by_number)
    match action:
        case ByeAsked(number=number, round=round_number, mark=mark):
            if number not in numbers or mark not in BYES - {Mark.PAIRING_BYE}:
                return _("This is no bye of a player.")
            if round_number in state.paired and _plays(state.paired[round_number], number):
                return _("The player is paired in that round.")
        case Forbade(one=one, other=other) | Allowed(one=one, other=other):
            if not {one, other} <= numbers or one == other:
                return _("These are no two players.")
        case RoundPaired():
            return _refusal_of_pairing(state, action)
        case Scored(round=round_number, white=white, black=black, white_mark=first, black_mark=second):
            pairing = state.paired.get(round_number)
            if pairing is None or (white, black) not in pairing.games:
                return _("These two do not play each other so in that round.")
            if second not in ANSWERS.get(first, ()):
                return _("These two results do not go together.")
        case DidNotCome(number=number, round=round_number):
            pairing = state.paired.get(round_number)
            seated = state.seated.get(round_number)
            if seated is not None and any(number in table for table in seated.tables):
                return None
            if pairing is None or not any(number in game for game in pairing.games):
                return _("The player has no game in that round.")
        case MatchGame(match=match, white=white, black=black, winner=winner):
            found = state.bracket.matches.get(match) if state.plan.kind.knocks_out else None
            if found is None or {white, black} != set(found.players):
                return _("These two do not meet in that match.")
            if winner not in (white, black, None):
                return _("The winner is none of the two.")
        case TablesSeated(round=round_number, tables=tables, bye=bye):
            seats = [number for table in tables for number in table] + ([] if bye is None else [bye])
            if round_number in state.seated and not action.again:
                return _("The tables of round {round} are known already.").format(round=round_number)
            if not 1 <= round_number <= state.rounds_paired + 1 or len(seats) != len(set(seats)):
                return _("That is no next round of tables, or somebody sits twice.")
            if not set(seats) <= numbers or any(len(table) not in (*SIZES, 2) for table in tables):
                return _("Somebody there is no player, or a table has not two, three, four or six seats.")
        case TableScored(round=round_number, table=table, places=places):
            if round_number not in state.seated or table not in state.seated[round_number].tables:
                return _("There is no such table in that round.")
            if len(places) != len(table) or not all(0 <= place <= len(table) for place in places):
                return _("Each seat has one place, from 1.")
        case PoolClosed():
            if state.plan.kind is not Kind.ARENA or state.pool_closed:
                return _("The arena is over, or this tournament is none.")
        case ArenaGame(game=game, white=white, black=black, white_mark=first, black_mark=second):
            known = state.arena_games.get(game)
            if known is not None and {known.white, known.black} != {white, black}:
                return _("Others have played that game.")
            if not {white, black} <= numbers or white == black or second not in ANSWERS.get(first, ()):
                return _("This is no game of two players.")
    return None


def _refusal_of_pairing(state: Tournament, action: RoundPaired) -> str | None:
    places = [number for game in action.games for number in game] + ([] if action.bye is None else [action.bye])
    if not state.plan.kind.in_rounds_of_two:
        return _("This tournament is not paired in rounds of two.")
    if not 1 <= action.round <= state.rounds_paired + 1:
        return _("The next round to be paired is {round}.").format(round=state.rounds_paired + 1)
    if action.round in state.paired and not action.again:
        return _("Round {round} is paired already.").format(round=action.round)
    if len(places) != len(set(places)) or not set(places) <= set(state.by_number):
        return _("Somebody is paired twice, or is no player.")
    if not state.plan.kind.all_play_all:
        absent = [number for number in places if not state.by_number[number].is_in(action.round)]
        if absent:
            return _("{player} is not there in that round.").format(player=absent[0])
    return None


def _plays(pairing: RoundPaired, number: int) -> bool:
    return number == pairing.bye or any(number in game for game in pairing.games)
