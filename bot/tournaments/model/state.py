"""What a tournament is at one moment: who plays, what is paired, what has been scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from bot.support.frozen import frozen
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, PairedRound, TournamentSettings
from bot.tournaments.pairing import elimination
from bot.tournaments.pairing.elimination import Bracket, BracketGame, BracketState
from bot.tournaments.pairing.record import Colour, Mark, Player, Record, RoundEntry, game_points, match_marks
from bot.tournaments.pairing.tables import TableHistory, TableResult


class Phase(StrEnum):
    """What a tournament waits for: players, results, or nothing more. Its row keeps it as the status."""

    ENTRIES = "entries"
    RUNNING = "running"
    OVER = "over"


@frozen
class Entrant:
    """``number``: the starting number, 0 before the start. ``joined``: the first round. ``spells``: the rounds after
    which the player left, and came back. ``before``: who played in this place earlier.
    """

    person: int
    name: str
    rating: int
    number: int = 0
    joined: int = 1
    spells: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    checked_in: bool = False
    paused: bool = False

    @property
    def is_gone(self) -> bool:
        return len(self.spells) % 2 == 1

    def is_in(self, round_number: int) -> bool:
        """Whether the player is there to be paired in a round."""
        return self.joined <= round_number and sum(after < round_number for after in self.spells) % 2 == 0


class FormatRules(Protocol):
    """What the events ask of a tournament's format; all that it is asked besides is in bot.tournaments.formats."""

    in_rounds: bool = False
    """Whether it goes by rounds, which are paired, posted and dated one by one."""
    pairs_who_waits: bool = False
    """Whether who waits is paired at any time, until its pool is closed."""
    is_fixed: bool = False
    """Whether all games are known from the start: who leaves forfeits them, and who is free in a round has nothing."""
    has_draws: bool = False
    """Whether games that are not over can be taken for drawn in pairing the next round."""
    most_at_once: int = 0
    """How many can play where all games begin together; 0: they cannot."""

    def rounds_planned(self, settings: TournamentSettings, players: int) -> int:
        """How many rounds there will be; 0 where that is not known."""

    def bracket(self, settings: TournamentSettings, seeds: Sequence[int]) -> Bracket:
        """The bracket that these play. Raises TournamentError where there is none."""

    def takes_entries(self, state: Tournament) -> bool:
        """Whether one may enter now that it runs."""

    def lets_in(self, state: Tournament, person: int) -> bool:
        """Whether this one may enter now that it runs."""

    def can_open_entries(self, state: Tournament) -> bool:
        """Whether a director can say, now that it runs, until when one may enter."""

    def is_played_out(self, state: Tournament) -> bool:
        """Whether no game is being played, and none follows from those that were."""

    def refusal(self, state: Tournament, action: Action) -> str | None:
        """Why a round, a game or a result makes no sense while it runs, as a sentence; None: it does."""


@frozen(slots=False)
class Tournament:
    """The state after all events. Only what belongs to the kind is filled. ``ignored``: events that make no sense;
    ``announced``: its settings before events changed them, None where none has."""

    settings: TournamentSettings
    format: FormatRules
    phase: Phase = Phase.ENTRIES
    entrants: tuple[Entrant, ...] = ()
    initial_colour: Colour = Colour.WHITE
    lot: str = ""
    byes: Mapping[tuple[int, int], Mark] = field(default_factory=dict)
    forbidden: frozenset[frozenset[int]] = frozenset()
    paired: Mapping[int, events.RoundPaired] = field(default_factory=dict)
    results: Mapping[tuple[int, int, int], tuple[Mark, Mark]] = field(default_factory=dict)
    no_shows: tuple[events.DidNotCome, ...] = ()
    match_games: tuple[BracketGame, ...] = ()
    seated: Mapping[int, events.TablesSeated] = field(default_factory=dict)
    table_results: Mapping[tuple[int, tuple[int, ...]], tuple[int, ...]] = field(default_factory=dict)
    arena_games: Mapping[int, events.ArenaGame] = field(default_factory=dict)
    pool_closed: bool = False
    timing: events.Scheduled = field(default_factory=events.Scheduled)
    limits: events.Limited = field(default_factory=events.Limited)
    seeds: Mapping[int, int] = field(default_factory=dict)
    check_in_open: bool = False
    dates_told: frozenset[tuple[int, bool]] = frozenset()
    halted: events.Halted | None = None
    cancelled: events.Cancelled | None = None
    ignored: tuple[int, ...] = ()
    announced: TournamentSettings | None = None

    @cached_property
    def by_number(self) -> Mapping[int, Entrant]:
        return {entrant.number: entrant for entrant in self.entrants if entrant.number}

    @property
    def starters(self) -> tuple[int, ...]:
        """Who would play if it began now, in the order of entry: checked in where that is asked, up to the limit."""
        asked = self.settings.check_in or self.check_in_open
        there = [e.person for e in self.entrants if e.checked_in or not asked]
        return tuple(there[: self.settings.limit or None])

    @property
    def waiting(self) -> tuple[int, ...]:
        """Persons who have entered and do not play: beyond the limit, or left over at the start."""
        playing = set(self.starters) if self.phase is Phase.ENTRIES else {e.person for e in self.by_number.values()}
        return tuple(entrant.person for entrant in self.entrants if entrant.person not in playing)

    @property
    def without_check_in(self) -> tuple[int, ...]:
        """After the start: who waits because they did not check in."""
        if self.phase is Phase.ENTRIES or not (self.settings.check_in or self.check_in_open):
            return ()
        return tuple(person for person in self.waiting if not self.by_person[person].checked_in)

    @property
    def beyond(self) -> tuple[int, ...]:
        """Who waits for a place to become free, in the order of entry; after the start while one may enter."""
        if not self.settings.limit or self.phase is Phase.OVER:
            return ()
        if self.phase is Phase.ENTRIES:
            return tuple(entrant.person for entrant in self.entrants[self.settings.limit :])
        missed = self.without_check_in
        return tuple(one for one in self.waiting if one not in missed) if self.format.takes_entries(self) else ()

    @property
    def is_full(self) -> bool:
        """Whether it runs and all its places are taken: who has left has none."""
        return 0 < self.settings.limit <= sum(not entrant.is_gone for entrant in self.by_number.values())

    @cached_property
    def by_person(self) -> Mapping[int, Entrant]:
        return {entrant.person: entrant for entrant in self.entrants}

    @property
    def rounds(self) -> Mapping[int, PairedRound]:
        """Every round that is paired, of two or of tables."""
        return {**self.paired, **self.seated}

    @property
    def rounds_paired(self) -> int:
        return max(self.rounds, default=0)

    @property
    def rounds_planned(self) -> int:
        """How many rounds there will be, where that is known."""
        return self.format.rounds_planned(self.settings, len(self.by_number))

    @cached_property
    def record(self) -> Record:
        """The rounds of two as pairing and tie-breaks read them, byes asked for later rounds included."""
        players = {}
        for number, entrant in sorted(self.by_number.items()):
            rounds = [self._entry(entrant, round_number) for round_number in range(1, self._last_noted + 1)]
            while rounds and rounds[-1] is None:
                rounds.pop()
            players[number] = Player(number, entrant.name, entrant.rating, tuple(rounds))
        return Record(players, self.rounds_planned, self.settings.points, self.initial_colour, self.forbidden)

    @cached_property
    def bracket(self) -> BracketState:
        """The bracket of an elimination."""
        return elimination.fold(self.format.bracket(self.settings, sorted(self.by_number)), self.match_games)

    @cached_property
    def tables(self) -> TableHistory:
        """The tables that have been played."""
        rounds = []
        for number, seated in sorted(self.seated.items()):
            results = [(table, self.table_results.get((number, table))) for table in seated.tables]
            rounds.append(tuple(TableResult(table, places) for table, places in results if places is not None))
        return TableHistory(tuple(rounds))

    def games_of(self, white: int, black: int) -> tuple[tuple[int, int], ...]:
        """The games of two who are paired, each with its white and black: one, or one with either colour."""
        return ((white, black), (black, white)) if self.settings.both else ((white, black),)

    def which_game(self, round_number: int, white: int, black: int) -> int:
        """Which of the games of the two it is, from 1."""
        paired = self.paired.get(round_number)
        return 1 if paired is None or (white, black) in paired.games else 2

    @property
    def unfinished(self) -> tuple[tuple[int, int, int], ...]:
        """(round, white, black) of the games that have no result yet."""
        return tuple(
            (number, white, black)
            for number, pairing in sorted(self.paired.items())
            for pair in pairing.games
            for white, black in self.games_of(*pair)
            if self.marks(number, white, black)[0] is Mark.PENDING
        )

    @property
    def _last_noted(self) -> int:
        return max((*self.paired, *(number for _, number in self.byes)), default=0)

    def marks(self, round_number: int, white: int, black: int) -> tuple[Mark, Mark]:
        """What a game of a round counts as for its two."""
        marks = self.results.get((round_number, white, black))
        if marks is not None:
            return marks
        if self.format.is_fixed:
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
                marks = [self.marks(round_number, *game) for game in self.games_of(white, black)]
                # Of two games the colours change places.
                both = [(pair if at == 0 else pair[::-1]) for at, pair in enumerate(marks)]
                mine = (white, black).index(number)
                other, colour = ((black, Colour.WHITE), (white, Colour.BLACK))[mine]
                games = game_points(marks[mine] for marks in both) if self.settings.both else None
                return RoundEntry(other, colour, match_marks(both)[mine], games)
        if number == pairing.bye:
            return None if self.format.is_fixed else RoundEntry(None, None, Mark.PAIRING_BYE)
        if (number, round_number) in self.byes:
            return RoundEntry(None, None, self.byes[number, round_number])
        return RoundEntry(None, None, self.settings.late_bye if round_number < entrant.joined else Mark.ZERO_BYE)
