"""One game between people, as a value: a record of entries, and what it adds up to.

Pure: no I/O, no clock, no lots. A game is the fold of its entries; entries are only ever appended. A takeback does not
remove turns, it is an entry that says after which entry the game stands again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, Literal

from bot.engine import outcomes
from bot.engine.errors import MoveError
from bot.engine.rules import Rules, State
from bot.engine.turns import Turn
from bot.engine.typed_positions import Handicap, handicap_of
from bot.engine.variants import OptionValue
from bot.games.model.clock import Clock, ClockReading, Control, begin
from bot.i18n import Phrase
from bot.support.frozen import frozen

Status = Literal["open", "running", "finished", "declined", "withdrawn", "aborted"]
Side = Literal["first", "second", "lot"]
EntryKind = Literal["turn", "takeback", "resign", "timeout", "draw", "abort"]
OfferKind = Literal["draw", "takeback"]


class BrokenRecord(Exception):
    """An entry that cannot follow the ones before it. ``number`` is the entry's, ``why`` a sentence's part."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"entry {number}: {why}")
        self.number = number
        self.why = why


@frozen
class Place:
    """Where a command was given. ``guild_id`` is None in a direct message or a group. ``answers_only``: the bot cannot
    post there, only answer what is pressed: a chat of people, or a server that has not installed it."""

    guild_id: int | None
    channel_id: int
    answers_only: bool = False

    @property
    def has_threads(self) -> bool:
        """Whether a second game can have a thread there."""
        return self.guild_id is not None and not self.answers_only


@frozen
class Mirror:
    """Where a game of two servers is played for the second time: by ``seat``, in a thread of ``place_channel_id``.
    ``channel_id`` is that thread, None until it is made."""

    seat: int
    guild_id: int
    place_channel_id: int
    channel_id: int | None = None


@frozen
class Origin:
    """A file from which a game came: its ``tags`` (event, names, dates), and whether it told when moves were made; of a
    game that goes on here, how many ``entries`` came with it."""

    tags: Mapping[str, str]
    timed: bool
    entries: int = 0


NOWHERE: Final = Place(None, 0)
"""Where games were played that came from a file."""


@frozen
class Entry:
    """One line of a game's record. ``number`` counts from 1 without gaps; ``seat`` is who did it (of a draw by
    agreement and a takeback: who offered or asked); ``text`` is the turn's canonical notation, of a takeback the number
    of the entry after which the game stands again ("0" is the start), else empty; ``at`` is UTC in milliseconds;
    ``source`` names what brought it in (a message or an interaction) and is unique in the store; None of an old entry,
    of which it is known no more. ``shown`` is what the clocks show after it, None in a game without one."""

    number: int
    kind: EntryKind
    seat: int
    text: str
    at: int
    source: str | None
    shown: ClockReading | None = None


@frozen
class Result:
    """How a finished game ended. ``winner`` is a seat's index, None for a draw; ``reason`` a sentence's part ("White
    resigned"), a phrase; ``places`` the seats in the order in which they came home, where the game is played on for
    places."""

    winner: int | None
    reason: str
    places: tuple[int, ...] = ()


@frozen
class Offer:
    """A standing offer. ``seat`` made it at ``ply``; ``agreed`` are the other seats that have said yes so far (all who
    still play must). ``back_to`` is, for a takeback, the number of the entry after which the game would stand."""

    id: int
    kind: OfferKind
    seat: int
    ply: int
    at: int
    back_to: int | None = None
    agreed: tuple[int, ...] = ()


@frozen(kw_only=True)
class Game:
    """A game and all that people may ask about it. Values: a change gives another Game.

    ``players`` holds one person's id for each seat, None where the seat is free. While the game is open and
    ``side`` is "lot", the order is that of joining; seats are drawn when the game starts. ``invited`` holds, by seat,
    whom the free seat is kept for (None: anyone). ``ply`` is the number of the last entry, so it only grows.
    ``line`` are the entries that lead to ``state``: the turns that stand (those taken back are in ``entries`` alone)
    and the resignations between them. ``left`` are the seats that resigned or ran out of time. ``place`` is where the
    challenge was made, or where the game was continued as its channel was gone; ``channel_id`` where it is played: None
    until it starts, and after that until it has a thread. ``colours`` are those that players picked for their pegs, by
    seat, where a game has pegs of many colours. ``casual`` is every game but a tournament's; ``rated``, one whose
    result changes ratings. ``mirror``: where it is played for the second time, of a game between two servers.
    ``origin``: the file that it came from, None of a game that was played here."""

    id: int
    rules: Rules
    variant_id: str
    options: Mapping[str, OptionValue]
    start: str | None
    place: Place
    opener: int
    side: Side
    players: tuple[int | None, ...]
    invited: tuple[int | None, ...]
    status: Status
    state: State
    entries: tuple[Entry, ...] = ()
    line: tuple[Entry, ...] = ()
    left: frozenset[int] = frozenset()
    result: Result | None = None
    channel_id: int | None = None
    rematch_of: int | None = None
    offers: tuple[Offer, ...] = ()
    colours: tuple[int | None, ...] = ()
    opened_at: int = 0
    started_at: int | None = None
    ended_at: int | None = None
    control: Control | None = None
    casual: bool = True
    rated: bool = False
    mirror: Mirror | None = None
    origin: Origin | None = None

    @property
    def clock(self) -> Clock | None:
        """The clocks after the last entry; None in a game without one, or before it starts."""
        return self.clock_after(self.ply)

    def clock_after(self, ply: int) -> Clock | None:
        """The clocks after entry ``ply`` (0: at the start); the seat to move is the one that is to move now."""
        if self.control is None or self.started_at is None:
            return None
        last = self.entries[ply - 1] if ply else None
        if last is None or last.shown is None:
            return begin(self.control, len(self.players), self.state.seat, self.started_at)
        return Clock(self.control, last.shown.left, last.shown.spent, self.state.seat, last.at)

    @property
    def ply(self) -> int:
        """The number of the last entry; 0 before the first."""
        return len(self.entries)

    @property
    def to_move(self) -> int | None:
        """The id of the player to move; None unless the game is running."""
        return self.players[self.state.seat] if self.status == "running" else None

    @property
    def from_position(self) -> bool:
        """Whether it begins from a position that somebody has set. (What a toss decides is kept as one, too.)"""
        if self.start is None or not self.rules.variant.toss:
            return self.start is not None
        return all(self.start != self.rules.opening(seat) for seat in range(len(self.rules.seats)))

    @property
    def handicap(self) -> Handicap | None:
        """The handicap that it begins with, if it does."""
        return handicap_of(self.rules, self.rules.start(self.start)) if self.from_position else None

    @property
    def opponent(self) -> int | None:
        """Of a game for two: who sits, or is invited to sit, opposite the opener; None when anyone may."""
        for player, invited in zip(self.players, self.invited, strict=True):
            person = player if player is not None else invited
            if person is not None and person != self.opener:
                return person
        return None

    @property
    def needs_thread(self) -> bool:
        """The game has started in a channel where another is running, and has no place of its own yet."""
        return self.status == "running" and self.channel_id is None

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that still play for something: neither resigned, nor out of time, nor home."""
        return tuple(seat for seat in self.rules.playing(self.state) if seat not in self.left)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left: those that still play, and those that came home."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.left)

    @property
    def turns(self) -> tuple[str, ...]:
        """The texts of the turns that stand, in order."""
        return tuple(entry.text for entry in self.line if entry.kind == "turn")

    @property
    def turn_number(self) -> int:
        """How many turns stand."""
        return sum(entry.kind == "turn" for entry in self.line)

    def seat_of(self, player: int) -> int | None:
        """The seat where ``player`` sits, or None."""
        return self.players.index(player) if player in self.players else None

    def channel_on(self, guild_id: int | None) -> int | None:
        """Where it is played, of a game of two servers on ``guild_id``; None: there is no channel (yet)."""
        if self.mirror is not None and self.mirror.guild_id == guild_id:
            return self.mirror.channel_id
        return self.channel_id

    def seat_name(self, seat: int) -> str:
        """The seat as people say it ("White")."""
        return self.rules.seats[seat].name


@frozen(kw_only=True)
class GameSummary:
    """A line of a list of games, from the cached columns: nothing is replayed for it. ``name``: what its rules
    call the game; ``due``: when the player to move must have moved; ``winner`` and ``reason`` of a game that is
    over, as in Result; ``changed_at``: of a game that is over, when it ended; ``casual`` as in Game; ``left``:
    how the person who is asked about left it before its end."""

    id: int
    variant_id: str
    name: Phrase
    status: Status
    place: Place
    channel_id: int | None
    opener: int
    players: tuple[int | None, ...]
    invited: tuple[int | None, ...]
    to_move: int | None
    ply: int
    changed_at: int
    due: int | None = None
    winner: int | None = None
    reason: str | None = None
    casual: bool = True
    left: EntryKind | None = None


def blank_of(game: Game) -> Game:
    """A game that has started, as it was before its first entry."""
    state = game.rules.start(game.start)
    return replace(game, status="running", state=state, entries=(), line=(), left=frozenset(), result=None, offers=())


def fold(game: Game, entries: Iterable[Entry]) -> Game:
    """``game`` with ``entries`` appended, which must go on from its last number.

    Raises BrokenRecord when an entry cannot follow: a gap, a turn that the rules refuse, an entry after the end."""
    for entry in entries:
        game = append(game, entry)
    return game


def append(game: Game, entry: Entry, turn: Turn | None = None) -> Game:
    """``game`` with one more entry. ``turn`` is what the entry's text means, where that has been read already.

    Raises BrokenRecord when the entry cannot follow."""
    if entry.number != game.ply + 1:
        raise BrokenRecord(entry.number, f"follows entry {game.ply}")
    if game.status != "running":
        raise BrokenRecord(entry.number, f"the game is {game.status}")
    if entry.seat not in game.present:
        raise BrokenRecord(entry.number, f"nobody plays at seat {entry.seat}")
    entries = (*game.entries, entry)
    match entry.kind:
        case "turn":
            if entry.seat != game.state.seat:
                raise BrokenRecord(entry.number, f"seat {game.state.seat} is to move, not {entry.seat}")
            state = game.rules.play(game.state, turn or _canonical(game.rules, game.state, entry))
            return _arrived(replace(game, entries=entries, line=(*game.line, entry), state=state))
        case "resign" | "timeout":
            state = game.rules.leave(game.state, entry.seat, left_reason(game, entry.seat, entry.kind))
            left = game.left | {entry.seat}
            return _arrived(replace(game, entries=entries, line=(*game.line, entry), state=state, left=left))
        case "takeback":
            line = _line_to(game, entry)
            return replace(game, entries=entries, line=line, state=replay(game, line))
        case "draw":
            return _arrived(replace(game, entries=entries, state=game.rules.agree(game.state)))
        case "abort":
            return replace(game, entries=entries, status="aborted")


def replay(game: Game, line: Iterable[Entry]) -> State:
    """The state to which the entries of a line lead from the game's start. Raises BrokenRecord."""
    state = game.rules.start(game.start)
    for entry in line:
        if entry.kind == "turn":
            state = game.rules.play(state, _canonical(game.rules, state, entry))
        else:
            state = game.rules.leave(state, entry.seat, left_reason(game, entry.seat, entry.kind))
    return state


def left_reason(game: Game, seat: int, kind: EntryKind) -> str:
    """Why a seat plays no longer, as a sentence's part."""
    return (outcomes.resigned if kind == "resign" else outcomes.out_of_time)(game.seat_name(seat))


def moved(game: Game) -> frozenset[int]:
    """The seats of which a turn stands."""
    return frozenset(entry.seat for entry in game.line if entry.kind == "turn")


def counts(game: Game) -> bool:
    """Whether the game can no longer be called off: it belongs to a tournament, or all who play have moved."""
    return not game.casual or moved(game) >= set(game.playing)


def last_turn_number(game: Game, seat: int) -> int:
    """The number of the last turn that a seat has entered, taken back or not; 0 when it has none."""
    return max((entry.number for entry in game.entries if entry.kind == "turn" and entry.seat == seat), default=0)


def before_last_turn(game: Game, seat: int) -> int | None:
    """The number of the entry after which the game stands again when ``seat`` takes its last turn back (0: the start);
    None when it has no turn to take back. A huff is part of the turn that follows it.

    Takes as long as replaying the game."""
    at = max((i for i, entry in enumerate(game.line) if entry.kind == "turn" and entry.seat == seat), default=None)
    if at is None:
        return None
    while at > 0 and game.line[at - 1].kind == "turn" and game.line[at - 1].seat == seat:
        before = replay(game, game.line[:at]).last
        if before is None or before.kind != "huff":
            break
        at -= 1
    return game.line[at - 1].number if at else 0


def _canonical(rules: Rules, state: State, entry: Entry) -> Turn:
    if state.outcome is not None:
        raise BrokenRecord(entry.number, f"the game is over: {state.outcome.reason}")
    try:
        turn = rules.read(state, entry.text)
    except MoveError as error:
        raise BrokenRecord(entry.number, f"{entry.text}: {error.message}") from error
    if turn.text != entry.text:
        raise BrokenRecord(entry.number, f"{entry.text} is written {turn.text}")
    return turn


def _line_to(game: Game, takeback: Entry) -> tuple[Entry, ...]:
    """The line as it stands after ``takeback``."""
    numbers = {entry.number for entry in game.line}
    back_to = int(takeback.text) if takeback.text.isdecimal() else -1
    if back_to != 0 and back_to not in numbers:
        raise BrokenRecord(takeback.number, f"there is no entry {takeback.text!r} to go back to")
    if any(entry.number > back_to and entry.kind != "turn" for entry in game.line):
        raise BrokenRecord(takeback.number, "somebody has left since")
    return tuple(entry for entry in game.line if entry.number <= back_to)


def _arrived(game: Game) -> Game:
    """``game`` with its end, if its state has come to one."""
    outcome = game.state.outcome
    if outcome is None:
        return game
    return replace(game, status="finished", result=Result(outcome.winner, outcome.reason, outcome.places))
