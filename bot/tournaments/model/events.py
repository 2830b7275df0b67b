"""What can happen in a tournament: its events, and how they are written down.

A tournament is its settings and the list of its events, of which all else is folded (see ``fold``). A mistake is
corrected by a later event. People are ids until it begins, then starting numbers, which are kept by a substitute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

from bot.support.frozen import frozen
from bot.tournaments.model.action_codec import Actions
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


@frozen
class TournamentSettings:
    """What is fixed when a tournament is created.

    ``limit``: how many can play (0: all); further entries wait. ``check_in``: only who checks in plays.
    ``rounds``: of a Swiss or of tables (0: as many as suit the field, decided when it begins). ``seeding``: how players
    are ordered at the start. ``late_until``: the last round that can still be joined (0: none after the start).
    ``late_bye``: what rounds before joining count as. ``rules``: the text that tie-breaks follow, for good.
    ``table_size``: how many sit at a table where it can be. Of an arena: ``streaks`` count double, and it lasts so many
    ``minutes`` from its start or until ``ends_at`` (UTC ms).
    ``openings``: what games begin from, with the ``secret`` of the ballots (bot.tournaments.model.openings). ``both``:
    two who meet play both colours of an opening, their games "in turn" or "at once"; "": they play one game."""

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
    openings: tuple[str, ...] = ()
    both: Literal["", "in turn", "at once"] = ""
    secret: str = ""
    seeding: str = "rating"

    def to_json(self) -> dict[str, Any]:
        """The settings as plain values; points are written as fractions (``1/2``)."""
        values = asdict(self)
        points = {name: None if value is None else str(value) for name, value in values["points"].items()}
        return values | {"points": points, "tie_breaks": ",".join(map(str, self.tie_breaks))}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> TournamentSettings:
        """The settings of plain values. Raises KeyError, TypeError or ValueError for what is none."""
        fields = dict(values)
        points = {name: None if v is None else Fraction(v) for name, v in fields.pop("points").items()}
        return cls(
            points=Points(**points),  # type: ignore[arg-type]  # None only where a default stands
            tie_breaks=parse(fields.pop("tie_breaks")),
            rules=RuleBook(fields.pop("rules")),
            late_bye=Mark(fields.pop("late_bye")),
            openings=tuple(fields.pop("openings", ())),
            **fields,
        )


@frozen
class Entered:
    """A person enters; after the start as a late entry, from the next round on, or ``waits`` for a place then."""

    person: int
    name: str = ""
    rating: int = 0
    waits: bool = False


@frozen
class CheckedIn:
    """Who has entered says, before the start, that they are there."""

    person: int


@frozen
class Left:
    """A person leaves: before the start the list of entries, afterwards the tournament after the last paired round."""

    person: int


@frozen
class Returned:
    """Who had left plays again from the next round on."""

    person: int


@frozen
class Paused:
    """A player of an arena is not paired until they return."""

    person: int


@frozen
class Substituted:
    """``substitute`` goes on in the place of ``person``, with the same number and all that was played."""

    person: int
    substitute: int
    name: str = ""
    rating: int = 0


@frozen
class Started:
    """Entries are closed. ``order``: those who play, by seed; they get the starting numbers 1, 2, ... Who is not named
    waits, and may join late.

    ``initial_colour``: drawn for the first player. ``lot``: the published seed, where the order was drawn. ``rounds``:
    how many there will be, where that is decided now."""

    order: tuple[int, ...]
    initial_colour: Colour = Colour.WHITE
    lot: str = ""
    rounds: int = 0


@frozen
class ByeAsked:
    """A player will not play a round: H for half a point, Z for none, F for a whole one by the director's grace."""

    number: int
    round: int
    mark: Mark = Mark.HALF_BYE


@frozen
class Forbade:
    """Two shall not be paired from now on."""

    one: int
    other: int


@frozen
class Allowed:
    """Two may be paired again."""

    one: int
    other: int


@frozen
class RoundPaired:
    """A round's pairing. With ``again`` it replaces the earlier one, and games that stay keep their results."""

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


@frozen
class Scored:
    """The result of a game of a round; given again, it corrects the earlier one."""

    round: int
    white: int
    black: int
    white_mark: Mark
    black_mark: Mark


@frozen
class DidNotCome:
    """A player did not come to a round: the game is forfeited, and the player marked. ``game``: which of two."""

    number: int
    round: int
    game: int = 1


@frozen
class MatchGame:
    """A game of an elimination match; ``winner`` None: drawn. ``forfeit``: the other did not come."""

    match: str
    game: int
    white: int
    black: int
    winner: int | None
    forfeit: bool = False


@frozen
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


@frozen
class TableScored:
    """The places at a table of a round, by seat (0: did not come); given again, they correct the earlier ones."""

    round: int
    table: tuple[int, ...]
    places: tuple[int, ...]


@frozen
class ArenaGame:
    """A game of an arena, by its number from 1: pending at first, then with a result; given again, it is corrected."""

    game: int
    white: int
    black: int
    white_mark: Mark
    black_mark: Mark


@frozen
class PoolClosed:
    """No further game of an arena begins; those that are going on are played to their end, and count."""


@frozen
class Undone:
    """An earlier event is taken back, as if it had not happened."""

    event: int


@frozen
class Ended:
    """The tournament is over."""


@frozen
class Scheduled:
    """What happens when; said again, it is changed. ``start``: when it begins (0: by hand). ``check_in``: so many
    minutes before that one must say to be there (0: not at all). ``pause``: minutes from the end of a round to the next
    (None: by hand). ``days``: the deadline of a round is so many days after its pairing (0: no date). ``carry``: games
    that are not over then go on, and count as drawn for pairing alone; else the director decides them first.
    ``at_once``: all games of all rounds begin together."""

    start: int = 0
    check_in: int = 0
    pause: int | None = None
    days: int = 0
    carry: bool = False
    at_once: bool = False

    @property
    def by_itself(self) -> bool:
        """Whether rounds follow each other without the director."""
        return self.pause is not None or self.days > 0


@frozen
class Limited:
    """Who may enter from now on: ratings from and to (0: any), so many rated games at least, one of these roles of the
    server. ``least``: with fewer players it does not begin by itself."""

    rating_from: int = 0
    rating_to: int = 0
    games: int = 0
    roles: tuple[int, ...] = ()
    least: int = 0


@frozen
class Seeded:
    """Who has entered shall have this starting number, whatever the order is else; 0: as everybody."""

    person: int
    place: int


@frozen
class CheckInOpened:
    """From now on people can say that they are there; who does not until the start is left out."""


@frozen
class DateTold:
    """The directors are told of games that are not over: the round's deadline is near, or has ``come``."""

    round: int
    come: bool


@frozen
class Halted:
    """The round after ``round`` could not be begun by itself (0: nor could the tournament): a director must."""

    round: int
    why: str


@frozen
class Cancelled:
    """It does not take place. ``there``, ``needed``: players that there were and had to be; 0: a director's word."""

    there: int = 0
    needed: int = 0


@frozen
class SettingsChanged:
    """From now on these are its settings (``TournamentSettings.to_json``); once it runs, late entries alone."""

    settings: Mapping[str, Any]


@frozen
class DirectorChanged:
    """A person directs it from now on, or, ``removed``, no more. Who does stands with the tournament."""

    person: int
    removed: bool = False


ScheduleEvent: TypeAlias = (
    Scheduled | Limited | Seeded | CheckInOpened | DateTold | Halted | Cancelled | SettingsChanged | DirectorChanged
)
"""How a tournament runs by itself, who may enter, who directs it. Times are UTC in ms, spans in minutes and days."""

PairedRound: TypeAlias = RoundPaired | TablesSeated
"""A round whose games are known."""

Written: TypeAlias = Scored | MatchGame | TableScored | ArenaGame
"""A result that a director can write down."""

Participation: TypeAlias = Entered | CheckedIn | Left | Returned | Paused
Action: TypeAlias = (
    Participation
    | Substituted
    | Started
    | ByeAsked
    | Forbade
    | Allowed
    | PairedRound
    | Written
    | DidNotCome
    | PoolClosed
    | Undone
    | Ended
    | ScheduleEvent
)

ACTIONS: Final = Actions[Action](Action)


@frozen
class Event:
    """One entry of the list: its number from 1, when (UTC ms), by whom (0: the service itself), what, and why."""

    number: int
    at: int
    by: int
    action: Action
    reason: str = ""
