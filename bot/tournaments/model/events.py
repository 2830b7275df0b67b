"""What can happen in a tournament: its events, and how they are written down.

A tournament is its settings and the list of its events; everything else is folded from these (see ``fold``).
Nothing is ever taken out of the list: a mistake is corrected by a later event. People are ids until the tournament
begins; from then on they are starting numbers, which keep their place when somebody substitutes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from bot.tournaments.model.action_codec import Actions
from bot.tournaments.model.schedule_events import Term
from bot.tournaments.pairing.record import CHESS, Colour, Mark, Points
from bot.tournaments.standings.tiebreaks import CURRENT, RuleBook, TieBreak, parse


class Kind(StrEnum):
    """The names that formats are stored under; see bot.tournaments.formats."""

    SWISS = "swiss"
    ROUND_ROBIN = "round robin"
    DOUBLE_ROUND_ROBIN = "double round robin"
    SINGLE_ELIMINATION = "single elimination"
    DOUBLE_ELIMINATION = "double elimination"
    ARENA = "arena"
    TABLES = "tables"


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """What is fixed when a tournament is created.

    ``limit``: how many can play (0: all); further entries wait. ``check_in``: only who checks in plays.
    ``rounds``: of a Swiss. ``late_until``: the last round that can still be joined (0: none after the start).
    ``late_bye``: what rounds before joining count as. ``rules``: the text that tie-breaks follow, for good.
    ``table_size``: how many sit at a table where it can be. Of an arena: ``streaks`` count double, and it lasts so many
    ``minutes`` from its start or until ``ends_at`` (UTC ms)."""

    kind: str
    rounds: int = 0
    points: Points = CHESS
    tie_breaks: tuple[TieBreak, ...] = parse("PTS,BH-C1,BH,SB,WIN,DE")
    rules: RuleBook = CURRENT
    late_until: int = 0
    late_bye: Mark = Mark.ZERO_BYE
    table_size: int = 4
    third_place: bool = False
    streaks: bool = True
    minutes: int = 0
    ends_at: int = 0
    limit: int = 0
    check_in: bool = False


@dataclass(frozen=True, slots=True)
class Entered:
    """A person enters; after the start as a late entry, from the next round on."""

    person: int
    name: str = ""
    rating: int = 0


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """Who has entered says, before the start, that they are there."""

    person: int


@dataclass(frozen=True, slots=True)
class Left:
    """A person leaves: before the start the list of entries, afterwards the tournament after the last paired round."""

    person: int


@dataclass(frozen=True, slots=True)
class Returned:
    """Who had left plays again from the next round on."""

    person: int


@dataclass(frozen=True, slots=True)
class Paused:
    """A player of an arena is not paired until they return."""

    person: int


@dataclass(frozen=True, slots=True)
class Substituted:
    """``substitute`` goes on in the place of ``person``, with the same number and all that was played."""

    person: int
    substitute: int
    name: str = ""
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Started:
    """Entries are closed. ``order``: those who play, by seed; they get the starting numbers 1, 2, ... Who is not named
    waits, and may join late.

    ``initial_colour``: drawn for the first player. ``lot``: the published seed, where the order was drawn."""

    order: tuple[int, ...]
    initial_colour: Colour = Colour.WHITE
    lot: str = ""


@dataclass(frozen=True, slots=True)
class ByeAsked:
    """A player will not play a round: H for half a point, Z for none, F for a whole one by the director's grace."""

    number: int
    round: int
    mark: Mark = Mark.HALF_BYE


@dataclass(frozen=True, slots=True)
class Forbade:
    """Two shall not be paired from now on."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Allowed:
    """Two may be paired again."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """A round's pairing, by the engine or by the director's hand. With ``again`` it replaces the earlier pairing.

    Results of games that stay as they were stay; those of games that are gone count no more."""

    round: int
    games: tuple[tuple[int, int], ...]
    bye: int | None = None
    system: str = ""
    notes: tuple[str, ...] = ()
    by_hand: bool = False
    again: bool = False

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Who plays together."""
        return self.games


@dataclass(frozen=True, slots=True)
class Scored:
    """The result of a game of a round; given again, it corrects the earlier one."""

    round: int
    white: int
    black: int
    white_mark: Mark
    black_mark: Mark


@dataclass(frozen=True, slots=True)
class DidNotCome:
    """A player did not come to a round: the game is forfeited, and the player marked."""

    number: int
    round: int


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of an elimination match; ``winner`` None: drawn."""

    match: str
    game: int
    white: int
    black: int
    winner: int | None


@dataclass(frozen=True, slots=True)
class TablesSeated:
    """The tables of a round, each by seat. With ``again`` they replace the earlier ones."""

    round: int
    tables: tuple[tuple[int, ...], ...]
    bye: int | None = None
    by_hand: bool = False
    again: bool = False

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Who plays together."""
        return self.tables


@dataclass(frozen=True, slots=True)
class TableScored:
    """The places at a table of a round, by seat (0: did not come); given again, they correct the earlier ones."""

    round: int
    table: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """A game of an arena, by its number from 1: pending at first, then with a result; given again, it is corrected."""

    game: int
    white: int
    black: int
    white_mark: Mark
    black_mark: Mark


@dataclass(frozen=True, slots=True)
class PoolClosed:
    """No further game of an arena begins; those that are going on are played to their end, and count."""


@dataclass(frozen=True, slots=True)
class Undone:
    """An earlier event is taken back, as if it had not happened."""

    event: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The tournament is over."""


Action: TypeAlias = (
    Entered
    | CheckedIn
    | Left
    | Returned
    | Paused
    | Substituted
    | Started
    | ByeAsked
    | Forbade
    | Allowed
    | RoundPaired
    | Scored
    | DidNotCome
    | MatchGame
    | TablesSeated
    | TableScored
    | ArenaGame
    | PoolClosed
    | Undone
    | Ended
    | Term
)

PairedRound: TypeAlias = RoundPaired | TablesSeated
"""A round whose games are known."""

Written: TypeAlias = Scored | MatchGame | TableScored | ArenaGame
"""A result that a director can write down."""

ACTIONS: Final = Actions[Action](Action)


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the list: its number from 1, when (UTC ms), by whom (0: the service itself), what, and why."""

    number: int
    at: int
    by: int
    action: Action
    reason: str = ""
