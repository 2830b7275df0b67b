"""A tournament folded from its plan and its events: who plays, what is paired, what stands on the table.

The fold never fails: an event that no longer makes sense, because an earlier one was taken back, is left out and named
in ``ignored``. Whether an action makes sense now is asked before it is written down (``refusal``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from bot.tournaments import elimination
from bot.tournaments.elimination import Bracket, BracketState, Game
from bot.tournaments.events import (
    Action,
    Allowed,
    ArenaGame,
    ByeAsked,
    DidNotCome,
    Ended,
    Entered,
    Event,
    Forbade,
    Kind,
    Left,
    MatchGame,
    Plan,
    Returned,
    RoundPaired,
    Scored,
    Started,
    Substituted,
    TableScored,
    TablesSeated,
    Undone,
)
from bot.tournaments.record import ANSWERS, BYES, Colour, Mark, Player, Record, RoundEntry
from bot.tournaments.tables import SIZES, TableHistory, TableResult


class Phase(StrEnum):
    ENTRIES = "entries"
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Entrant:
    """``number``: the starting number, 0 before the start. ``joined``: the first round. ``spells``: the rounds after
    which the player left, and came back. ``before``: who played in this place earlier."""

    person: int
    name: str
    rating: int
    number: int = 0
    joined: int = 1
    spells: tuple[int, ...] = ()
    before: tuple[int, ...] = ()

    @property
    def is_gone(self) -> bool:
        return len(self.spells) % 2 == 1

    def is_in(self, round_number: int) -> bool:
        """Whether the player is there to be paired in a round."""
        return self.joined <= round_number and sum(after < round_number for after in self.spells) % 2 == 0


@dataclass(frozen=True)
class Tournament:
    """The state after all events. Only what belongs to the kind is filled. ``ignored``: events that make no sense."""

    plan: Plan
    phase: Phase = Phase.ENTRIES
    entrants: tuple[Entrant, ...] = ()
    initial_colour: Colour = Colour.WHITE
    lot: str = ""
    byes: Mapping[tuple[int, int], Mark] = field(default_factory=dict)
    forbidden: frozenset[frozenset[int]] = frozenset()
    paired: Mapping[int, RoundPaired] = field(default_factory=dict)
    results: Mapping[tuple[int, int, int], tuple[Mark, Mark]] = field(default_factory=dict)
    no_shows: tuple[DidNotCome, ...] = ()
    match_games: tuple[Game, ...] = ()
    seated: Mapping[int, TablesSeated] = field(default_factory=dict)
    table_results: Mapping[tuple[int, tuple[int, ...]], tuple[int, ...]] = field(default_factory=dict)
    arena_games: Mapping[int, ArenaGame] = field(default_factory=dict)
    ignored: tuple[int, ...] = ()

    @cached_property
    def by_number(self) -> Mapping[int, Entrant]:
        return {entrant.number: entrant for entrant in self.entrants if entrant.number}

    @cached_property
    def by_person(self) -> Mapping[int, Entrant]:
        return {entrant.person: entrant for entrant in self.entrants}

    @property
    def rounds_paired(self) -> int:
        return max((*self.paired, *self.seated), default=0)

    @property
    def rounds_planned(self) -> int:
        """How many rounds there will be, where that is known."""
        if self.plan.kind.all_play_all:
            count = len(self.by_number)
            return (count - 1 + count % 2) * (2 if self.plan.kind is Kind.DOUBLE_ROUND_ROBIN else 1)
        return self.plan.rounds

    @cached_property
    def record(self) -> Record:
        """The rounds of two as pairing and tie-breaks read them, byes asked for later rounds included."""
        players = {}
        for number, entrant in sorted(self.by_number.items()):
            rounds = [self._entry(entrant, round_number) for round_number in range(1, self._last_noted + 1)]
            while rounds and rounds[-1] is None:
                rounds.pop()
            players[number] = Player(number, entrant.name, entrant.rating, tuple(rounds))
        return Record(players, self.rounds_planned, self.plan.points, self.initial_colour, self.forbidden)

    @cached_property
    def bracket(self) -> BracketState:
        """The bracket of an elimination."""
        seeds = tuple(sorted(self.by_number))
        plan: Bracket
        if self.plan.kind is Kind.DOUBLE_ELIMINATION:
            plan = elimination.double(seeds)
        else:
            plan = elimination.single(seeds, third_place=self.plan.third_place)
        return elimination.fold(plan, self.match_games)

    @cached_property
    def tables(self) -> TableHistory:
        """The tables that have been played."""
        rounds = []
        for round_number in sorted(self.seated):
            noted = [
                (table, self.table_results.get((round_number, table))) for table in self.seated[round_number].tables
            ]
            rounds.append(tuple(TableResult(table, places) for table, places in noted if places is not None))
        return TableHistory(tuple(rounds))

    @property
    def unfinished(self) -> tuple[tuple[int, int, int], ...]:
        """(round, white, black) of the games that have no result yet."""
        return tuple(
            (number, white, black)
            for number, pairing in sorted(self.paired.items())
            for white, black in pairing.games
            if self._marks(number, white, black)[0] is Mark.PENDING
        )

    @property
    def _last_noted(self) -> int:
        return max((*self.paired, *(number for _, number in self.byes)), default=0)

    def _marks(self, round_number: int, white: int, black: int) -> tuple[Mark, Mark]:
        noted = self.results.get((round_number, white, black))
        if noted is not None:
            return noted
        if self.plan.kind.all_play_all:
            # Games of a round robin are fixed: who has left forfeits those that were still to come.
            white_in, black_in = (self.by_number[number].is_in(round_number) for number in (white, black))
            if not (white_in and black_in):
                return (
                    Mark.FORFEIT_WIN if white_in else Mark.FORFEIT_LOSS,
                    Mark.FORFEIT_WIN if black_in else Mark.FORFEIT_LOSS,
                )
        return Mark.PENDING, Mark.PENDING

    def _entry(self, entrant: Entrant, round_number: int) -> RoundEntry | None:
        number = entrant.number
        pairing = self.paired.get(round_number)
        if pairing is None:
            asked = self.byes.get((number, round_number))
            return None if asked is None else RoundEntry(None, None, asked)
        for white, black in pairing.games:
            if number in (white, black):
                marks = self._marks(round_number, white, black)
                if number == white:
                    return RoundEntry(black, Colour.WHITE, marks[0])
                return RoundEntry(white, Colour.BLACK, marks[1])
        if number == pairing.bye:
            # The free round of an odd round robin gives nothing.
            return None if self.plan.kind.all_play_all else RoundEntry(None, None, Mark.PAIRING_BYE)
        if (number, round_number) in self.byes:
            return RoundEntry(None, None, self.byes[number, round_number])
        return RoundEntry(None, None, self.plan.late_bye if round_number < entrant.joined else Mark.ZERO_BYE)


def fold(plan: Plan, events: Iterable[Event]) -> Tournament:
    """The tournament after these events, in the order of their numbers."""
    listed = sorted(events, key=lambda event: event.number)
    undone: set[int] = set()
    # A later taking-back may itself be taken back: the last word is read first.
    for event in reversed(listed):
        if isinstance(event.action, Undone) and event.number not in undone:
            undone.add(event.action.event)
    state = Tournament(plan)
    for event in listed:
        if event.number in undone or isinstance(event.action, Undone):
            continue
        if refusal(state, event.action) is None:
            state = _after(state, event.action)
        else:
            state = replace(state, ignored=(*state.ignored, event.number))
    return state


def refusal(state: Tournament, action: Action) -> str | None:
    """Why an action makes no sense now, as a sentence; None: it does."""
    running = state.phase is Phase.RUNNING
    match action:
        case Entered(person=person):
            if person in state.by_person:
                return "This player has entered already."
            if state.phase is Phase.OVER or (running and state.rounds_paired >= state.plan.late_until):
                return "Entries are closed."
        case Left(person=person) | Returned(person=person):
            entrant = state.by_person.get(person)
            if entrant is None:
                return "This player has not entered."
            if entrant.is_gone is not isinstance(action, Returned):
                return "This player has left already." if entrant.is_gone else "This player has not left."
        case Substituted(person=person, substitute=substitute):
            if person not in state.by_person:
                return "This player has not entered."
            if substitute in state.by_person:
                return "The substitute plays already."
        case Started(order=order):
            if state.phase is not Phase.ENTRIES:
                return "The tournament has begun already."
            if sorted(order) != sorted(state.by_person) or len(order) < 2:
                return "The order must name everybody who has entered, two at least."
        case Undone() | Ended():
            return None
        case _ if not running:
            return "The tournament is not running."
        case _:
            return _refusal_while_running(state, action)
    return None


def _refusal_while_running(state: Tournament, action: Action) -> str | None:
    numbers = set(state.by_number)
    match action:
        case ByeAsked(number=number, round=round_number, mark=mark):
            if number not in numbers or mark not in BYES - {Mark.PAIRING_BYE}:
                return "This is no bye of a player."
            if round_number in state.paired and _plays(state.paired[round_number], number):
                return "The player is paired in that round."
        case Forbade(one=one, other=other) | Allowed(one=one, other=other):
            if not {one, other} <= numbers or one == other:
                return "These are no two players."
        case RoundPaired():
            return _refusal_of_pairing(state, action)
        case Scored(round=round_number, white=white, black=black, white_mark=first, black_mark=second):
            pairing = state.paired.get(round_number)
            if pairing is None or (white, black) not in pairing.games:
                return "These two do not play each other so in that round."
            if second not in ANSWERS.get(first, ()):
                return "These two results do not go together."
        case DidNotCome(number=number, round=round_number):
            pairing = state.paired.get(round_number)
            if pairing is None or not any(number in game for game in pairing.games):
                return "The player has no game in that round."
        case MatchGame(match=match, white=white, black=black, winner=winner):
            found = state.bracket.matches.get(match) if state.plan.kind.knocks_out else None
            if found is None or {white, black} != set(found.players):
                return "These two do not meet in that match."
            if winner not in (white, black, None):
                return "The winner is none of the two."
        case TablesSeated(round=round_number, tables=tables, bye=bye):
            seats = [number for table in tables for number in table] + ([] if bye is None else [bye])
            if not 1 <= round_number <= state.rounds_paired + 1 or len(seats) != len(set(seats)):
                return "That is no next round of tables, or somebody sits twice."
            if not set(seats) <= numbers or any(len(table) not in (*SIZES, 2) for table in tables):
                return "Somebody there is no player, or a table has not two, three, four or six seats."
        case TableScored(round=round_number, table=table, places=places):
            if round_number not in state.seated or table not in state.seated[round_number].tables:
                return "There is no such table in that round."
            if len(places) != len(table) or not all(1 <= place <= len(table) for place in places):
                return "Each seat has one place, from 1."
        case ArenaGame(white=white, black=black, white_mark=first, black_mark=second):
            if not {white, black} <= numbers or white == black or second not in ANSWERS.get(first, ()):
                return "This is no game of two players."
    return None


def _refusal_of_pairing(state: Tournament, action: RoundPaired) -> str | None:
    places = [number for game in action.games for number in game] + ([] if action.bye is None else [action.bye])
    if not state.plan.kind.in_rounds_of_two:
        return "This tournament is not paired in rounds of two."
    if not 1 <= action.round <= state.rounds_paired + 1:
        return f"The next round to be paired is {state.rounds_paired + 1}."
    if len(places) != len(set(places)) or not set(places) <= set(state.by_number):
        return "Somebody is paired twice, or is no player."
    if not state.plan.kind.all_play_all:
        absent = [number for number in places if not state.by_number[number].is_in(action.round)]
        if absent:
            return f"{absent[0]} is not there in that round."
    return None


def _plays(pairing: RoundPaired, number: int) -> bool:
    return number == pairing.bye or any(number in game for game in pairing.games)


def _after(state: Tournament, action: Action) -> Tournament:
    """The state after one action that makes sense."""
    match action:
        case Entered(person=person, name=name, rating=rating):
            late = state.phase is Phase.RUNNING
            number = max(state.by_number, default=0) + 1 if late else 0
            entrant = Entrant(person, name, rating, number, state.rounds_paired + 1 if late else 1)
            return replace(state, entrants=(*state.entrants, entrant))
        case Left(person=person) if state.phase is Phase.ENTRIES:
            return replace(state, entrants=tuple(e for e in state.entrants if e.person != person))
        case Left(person=person) | Returned(person=person):
            entrant = state.by_person[person]
            return _with(state, person, replace(entrant, spells=(*entrant.spells, state.rounds_paired)))
        case Substituted(person=person, substitute=substitute, name=name, rating=rating):
            entrant = state.by_person[person]
            in_place = replace(entrant, person=substitute, name=name, rating=rating, before=(*entrant.before, person))
            return _with(state, person, in_place)
        case Started(order=order, initial_colour=initial, lot=lot):
            entrants = tuple(replace(state.by_person[person], number=i) for i, person in enumerate(order, start=1))
            return replace(state, phase=Phase.RUNNING, entrants=entrants, initial_colour=initial, lot=lot)
        case ByeAsked(number=number, round=round_number, mark=mark):
            return replace(state, byes={**state.byes, (number, round_number): mark})
        case Forbade(one=one, other=other):
            return replace(state, forbidden=state.forbidden | {frozenset((one, other))})
        case Allowed(one=one, other=other):
            return replace(state, forbidden=state.forbidden - {frozenset((one, other))})
        case RoundPaired(round=round_number, games=games):
            results = {key: marks for key, marks in state.results.items() if key[0] != round_number or key[1:] in games}
            return replace(state, paired={**state.paired, round_number: action}, results=results)
        case Scored(round=round_number, white=white, black=black, white_mark=first, black_mark=second):
            return replace(state, results={**state.results, (round_number, white, black): (first, second)})
        case DidNotCome(number=number, round=round_number):
            game = next(pair for pair in state.paired[round_number].games if number in pair)
            noted = state.results.get((round_number, *game), (Mark.PENDING, Mark.PENDING))
            # Should neither come, both lose.
            alone = noted[1 - game.index(number)] is not Mark.FORFEIT_LOSS
            theirs = Mark.FORFEIT_WIN if alone else Mark.FORFEIT_LOSS
            marks = (Mark.FORFEIT_LOSS, theirs) if number == game[0] else (theirs, Mark.FORFEIT_LOSS)
            results = {**state.results, (round_number, *game): marks}
            return replace(state, results=results, no_shows=(*state.no_shows, action))
        case MatchGame():
            played = Game(action.match, action.game, action.white, action.black, action.winner)
            return replace(state, match_games=(*state.match_games, played))
        case TablesSeated(round=round_number):
            return replace(state, seated={**state.seated, round_number: action})
        case TableScored(round=round_number, table=table, places=places):
            return replace(state, table_results={**state.table_results, (round_number, table): places})
        case ArenaGame():
            return replace(state, arena_games={**state.arena_games, action.game: action})
        case Ended():
            return replace(state, phase=Phase.OVER)
        case _:
            return state


def _with(state: Tournament, person: int, entrant: Entrant) -> Tournament:
    return replace(state, entrants=tuple(entrant if e.person == person else e for e in state.entrants))
