"""A tournament folded from its settings and its events.

The fold never fails: an event that no longer makes sense, because an earlier one was taken back, is left out and named
in ``ignored``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.tournaments.model import events
from bot.tournaments.model.events import Action, Event, TournamentSettings, Undone
from bot.tournaments.model.state import Entrant, Phase, Tournament
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing.elimination import BracketGame
from bot.tournaments.pairing.record import Mark


def folded(state: Tournament, history: Iterable[Event]) -> Tournament:
    """``state``, of which nothing is known yet, after these events in the order of their numbers."""
    listed = sorted(history, key=lambda event: event.number)
    undone = taken_back(listed)
    for event in listed:
        if event.number not in undone and not isinstance(event.action, Undone):
            state = _taken(state, event)
    return state


def taken_back(history: Sequence[Event]) -> set[int]:
    """The numbers of the events that are taken back."""
    undone: set[int] = set()
    # A later taking-back may itself be taken back: the last word is read first.
    for event in reversed(history):
        if isinstance(event.action, Undone) and event.number not in undone:
            undone.add(event.action.event)
    return undone


def further(state: Tournament, history: Sequence[Event]) -> Tournament:
    """The tournament after these events, all but the last of which have led to ``state``: the same as their fold, and
    a long list is not read again for each event that is added."""
    if isinstance(history[-1].action, Undone):
        return folded(Tournament(state.announced or state.settings, state.format), history)
    return _taken(state, history[-1])


def foreseen(state: Tournament, history: Sequence[Event], action: Action) -> Tournament:
    """The tournament as it would stand after one more event; ``history``: those that have led to ``state``."""
    number = history[-1].number + 1 if history else 1
    return further(state, (*history, Event(number, 0, 0, action)))


def _taken(state: Tournament, event: Event) -> Tournament:
    if refusal(state, event.action) is None:
        return _after(state, event.action)
    return replace(state, ignored=(*state.ignored, event.number))


def _after(state: Tournament, action: Action) -> Tournament:
    """The state after one action that makes sense."""
    match action:
        case events.Entered(person=person, name=name, rating=rating, waits=waits):
            late = state.phase is Phase.RUNNING and not waits
            number = max(state.by_number, default=0) + 1 if late else 0
            entrant = Entrant(person, name, rating, number, state.rounds_paired + 1 if late else 1, checked_in=waits)
            # Who has waited so far comes in now.
            others = tuple(e for e in state.entrants if e.person != person)
            return replace(state, entrants=(*others, entrant))
        case events.CheckedIn(person=person):
            return _with(state, person, replace(state.by_person[person], checked_in=True))
        case events.Left(person=person) if not state.by_person[person].number:
            return replace(state, entrants=tuple(e for e in state.entrants if e.person != person))
        case events.Left(person=person) | events.Returned(person=person):
            entrant = state.by_person[person]
            came_back = isinstance(action, events.Returned)
            if came_back and not entrant.is_gone:
                return _with(state, person, replace(entrant, paused=False))
            return _with(state, person, replace(entrant, spells=(*entrant.spells, state.rounds_paired), paused=False))
        case events.Paused(person=person):
            return _with(state, person, replace(state.by_person[person], paused=True))
        case events.Substituted(person=person, substitute=substitute, name=name, rating=rating):
            entrant = state.by_person[person]
            in_place = replace(entrant, person=substitute, name=name, rating=rating, before=(*entrant.before, person))
            # Who has waited so far plays now.
            others = tuple(e for e in state.entrants if e.person != substitute)
            return _with(replace(state, entrants=others), person, in_place)
        case events.Started(order=order, initial_colour=initial, lot=lot, rounds=rounds):
            numbers = {person: number for number, person in enumerate(order, start=1)}
            entrants = tuple(replace(e, number=numbers.get(e.person, 0)) for e in state.entrants)
            begun = replace(state, phase=Phase.RUNNING, entrants=entrants, initial_colour=initial, lot=lot, halted=None)
            return _changed(begun, replace(state.settings, rounds=rounds)) if rounds else begun
        case events.ByeAsked(number=number, round=round_number, mark=mark):
            return replace(state, byes={**state.byes, (number, round_number): mark})
        case events.Forbade(one=one, other=other):
            return replace(state, forbidden=state.forbidden | {frozenset((one, other))})
        case events.Allowed(one=one, other=other):
            return replace(state, forbidden=state.forbidden - {frozenset((one, other))})
        case events.RoundPaired(round=round_number, games=games):
            stay = {game for pair in games for game in state.games_of(*pair)}
            results = {key: marks for key, marks in state.results.items() if key[0] != round_number or key[1:] in stay}
            return replace(state, paired={**state.paired, round_number: action}, results=results, halted=None)
        case events.Scored(round=round_number, white=white, black=black, white_mark=first, black_mark=second):
            return replace(state, results={**state.results, (round_number, white, black): (first, second)})
        case events.DidNotCome(round=round_number) if round_number in state.seated:
            return replace(state, no_shows=(*state.no_shows, action))
        case events.DidNotCome(number=number, round=round_number, game=which):
            pair = next(pair for pair in state.paired[round_number].games if number in pair)
            game = state.games_of(*pair)[which - 1]
            known = state.results.get((round_number, *game), (Mark.PENDING, Mark.PENDING))
            # Should neither come, both lose.
            alone = known[1 - game.index(number)] is not Mark.FORFEIT_LOSS
            theirs = Mark.FORFEIT_WIN if alone else Mark.FORFEIT_LOSS
            marks = (Mark.FORFEIT_LOSS, theirs) if number == game[0] else (theirs, Mark.FORFEIT_LOSS)
            results = {**state.results, (round_number, *game): marks}
            return replace(state, results=results, no_shows=(*state.no_shows, action))
        case events.MatchGame():
            played = BracketGame(
                action.match, action.game, action.white, action.black, action.winner, forfeit=action.forfeit
            )
            return replace(state, match_games=(*state.match_games, played))
        case events.TablesSeated(round=round_number):
            return replace(state, seated={**state.seated, round_number: action}, halted=None)
        case events.TableScored(round=round_number, table=table, places=places):
            return replace(state, table_results={**state.table_results, (round_number, table): places})
        case events.ArenaGame():
            return replace(state, arena_games={**state.arena_games, action.game: action})
        case events.PoolClosed():
            return replace(state, pool_closed=True)
        case events.Ended():
            return replace(state, phase=Phase.OVER)
        case events.Scheduled():
            return replace(state, timing=action, dates_told=frozenset(), halted=None)
        case events.Limited():
            return replace(state, limits=action)
        case events.Seeded(person=person, place=place):
            others_seeded = {who: at for who, at in state.seeds.items() if who != person}
            return replace(state, seeds=others_seeded | ({person: place} if place else {}))
        case events.CheckInOpened():
            return replace(state, check_in_open=True)
        case events.DateTold(round=round_number, come=come):
            return replace(state, dates_told=state.dates_told | {(round_number, come)})
        case events.Halted():
            return replace(state, halted=action)
        case events.Cancelled():
            return replace(state, phase=Phase.OVER, cancelled=action)
        case events.SettingsChanged(settings=settings):
            return _changed(state, TournamentSettings.of(settings))
        case _:
            return state


def _changed(state: Tournament, settings: TournamentSettings) -> Tournament:
    return replace(state, settings=settings, announced=state.announced or state.settings)


def _with(state: Tournament, person: int, entrant: Entrant) -> Tournament:
    return replace(state, entrants=tuple(entrant if e.person == person else e for e in state.entrants))
