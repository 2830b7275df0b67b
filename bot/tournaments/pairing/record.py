"""The record of a tournament of two-player games: who met whom in each round, and what it was worth.

Pairing, tie-breaks and report files all read this one value. Rounds count from 1, players by starting number.
Points are exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from bot.support.frozen import frozen

HALF = Fraction(1, 2)


class Colour(StrEnum):
    """Who moves first has white, whatever the pieces look like."""

    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> Colour:
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Mark(StrEnum):
    """A player's result of one round, by the letters of the tournament report file (TRF16)."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    # Played, but too short to be rated.
    SHORT_WIN = "W"
    SHORT_DRAW = "D"
    SHORT_LOSS = "L"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    PAIRING_BYE = "U"
    FULL_BYE = "F"
    HALF_BYE = "H"
    ZERO_BYE = "Z"
    # Paired, and still being played.
    PENDING = "*"


PLAYED = frozenset({Mark.WIN, Mark.DRAW, Mark.LOSS, Mark.SHORT_WIN, Mark.SHORT_DRAW, Mark.SHORT_LOSS})
WON = frozenset({Mark.WIN, Mark.SHORT_WIN})
DRAWN = frozenset({Mark.DRAW, Mark.SHORT_DRAW})
BYES = frozenset({Mark.PAIRING_BYE, Mark.FULL_BYE, Mark.HALF_BYE, Mark.ZERO_BYE})
# What the opponent's entry of the same game may say.
ANSWERS: Mapping[Mark, frozenset[Mark]] = {
    Mark.WIN: frozenset({Mark.LOSS}),
    Mark.DRAW: frozenset({Mark.DRAW}),
    # Both may lose: a game that the director scores 0-0.
    Mark.LOSS: frozenset({Mark.WIN, Mark.LOSS}),
    Mark.SHORT_WIN: frozenset({Mark.SHORT_LOSS}),
    Mark.SHORT_DRAW: frozenset({Mark.SHORT_DRAW}),
    Mark.SHORT_LOSS: frozenset({Mark.SHORT_WIN, Mark.SHORT_LOSS}),
    Mark.FORFEIT_WIN: frozenset({Mark.FORFEIT_LOSS}),
    Mark.FORFEIT_LOSS: frozenset({Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS}),
    Mark.PENDING: frozenset({Mark.PENDING}),
}


def match_marks(games: Sequence[tuple[Mark, Mark]]) -> tuple[Mark, Mark]:
    """What two players' games of a round count as, by player: the one game as it is, of two the match, won by whoever
    has more points of them."""
    if len(games) == 1:
        return games[0]
    if any(mark is Mark.PENDING for game in games for mark in game):
        return Mark.PENDING, Mark.PENDING
    one, other = (game_points([game[player] for game in games]) for player in (0, 1))
    if not any(mark in PLAYED for game in games for mark in game):
        marks = Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS
        if one == other:
            return Mark.FORFEIT_LOSS, Mark.FORFEIT_LOSS
        return marks if one > other else marks[::-1]
    if one == other:
        return Mark.DRAW, Mark.DRAW
    return (Mark.WIN, Mark.LOSS) if one > other else (Mark.LOSS, Mark.WIN)


def game_points(marks: Iterable[Mark]) -> Fraction:
    """What games of a round add up to, by 1 and a half."""
    won = (*WON, Mark.FORFEIT_WIN)
    return sum((Fraction(1) if mark in won else HALF if mark in DRAWN else Fraction(0) for mark in marks), Fraction(0))


@frozen
class RoundEntry:
    """One player's round: the opponent's starting number (None: nobody), the colour, the result. ``games``: where two
    games are played in a round, the player's points of them, by 1 and a half."""

    opponent: int | None
    colour: Colour | None
    mark: Mark
    games: Fraction | None = None

    @property
    def played(self) -> bool:
        """Whether a game took place: only then it has given a colour, and may not be paired again."""
        return self.opponent is not None and self.mark in PLAYED

    @property
    def paired(self) -> bool:
        """Whether the player took part in the round's pairing: had an opponent, or the pairing's own bye."""
        return self.opponent is not None or self.mark in (Mark.PAIRING_BYE, Mark.FORFEIT_WIN)


@frozen
class Player:
    """``rounds[r - 1]`` is the entry of round r; None or beyond the end: nothing is noted (absent)."""

    number: int
    name: str = ""
    rating: int = 0
    rounds: tuple[RoundEntry | None, ...] = ()

    def entry(self, round_number: int) -> RoundEntry | None:
        return self.rounds[round_number - 1] if round_number <= len(self.rounds) else None


@frozen
class Points:
    """What results are worth. A pairing bye, full-point bye or forfeit win is worth a win unless said otherwise."""

    win: Fraction = Fraction(1)
    draw: Fraction = HALF
    loss: Fraction = Fraction(0)
    absent: Fraction = Fraction(0)
    pairing_bye: Fraction | None = None
    full_bye: Fraction | None = None
    half_bye: Fraction | None = None
    forfeit_win: Fraction | None = None
    forfeit_loss: Fraction | None = None

    def of(self, entry: RoundEntry | None) -> Fraction:
        """The points of one entry; a game still being played has none yet."""
        match None if entry is None else entry.mark:
            case Mark.WIN | Mark.SHORT_WIN:
                return self.win
            case Mark.DRAW | Mark.SHORT_DRAW:
                return self.draw
            case Mark.LOSS | Mark.SHORT_LOSS:
                return self.loss
            case Mark.FORFEIT_WIN:
                return self.win if self.forfeit_win is None else self.forfeit_win
            case Mark.FORFEIT_LOSS:
                return self.absent if self.forfeit_loss is None else self.forfeit_loss
            case Mark.PAIRING_BYE:
                return self.win if self.pairing_bye is None else self.pairing_bye
            case Mark.FULL_BYE:
                return self.win if self.full_bye is None else self.full_bye
            case Mark.HALF_BYE:
                return self.draw if self.half_bye is None else self.half_bye
            case Mark.PENDING:
                return Fraction(0)
            case _:
                return self.absent


CHESS = Points()
# Points as draughts players count them.
DRAUGHTS = Points(win=Fraction(2), draw=Fraction(1))


@frozen(slots=False)
class Record:
    """``rounds``: how many are planned, 0 when nobody has said. ``forbidden``: pairs that shall not meet."""

    players: Mapping[int, Player]
    rounds: int = 0
    points: Points = CHESS
    initial_colour: Colour | None = None
    forbidden: frozenset[frozenset[int]] = field(default_factory=frozenset)

    @cached_property
    def rounds_paired(self) -> int:
        """The last round in which anybody was paired; byes noted ahead do not count."""
        return max(
            (
                number
                for player in self.players.values()
                for number, entry in enumerate(player.rounds, start=1)
                if entry is not None and entry.paired
            ),
            default=0,
        )

    @cached_property
    def scores(self) -> Mapping[int, tuple[Fraction, ...]]:
        """Each player's points after 0, 1, 2, ... paired rounds."""
        scores: dict[int, tuple[Fraction, ...]] = {}
        for player in self.players.values():
            sums = [Fraction(0)]
            for number in range(1, self.rounds_paired + 1):
                sums.append(sums[-1] + self.points.of(player.entry(number)))
            scores[player.number] = tuple(sums)
        return scores

    def score(self, number: int) -> Fraction:
        """A player's points after all paired rounds."""
        return self.scores[number][-1]

    def met(self, number: int) -> frozenset[int]:
        """Whom the player has played; forfeited games do not count, they may be paired again (C.04.1)."""
        entries = self.players[number].rounds[: self.rounds_paired]
        return frozenset(
            entry.opponent for entry in entries if entry is not None and entry.opponent is not None and entry.played
        )

    def colours(self, number: int) -> tuple[Colour, ...]:
        """The colours of the player's games, in order; forfeited games have none."""
        entries = self.players[number].rounds[: self.rounds_paired]
        return tuple(entry.colour for entry in entries if entry is not None and entry.played and entry.colour)


def ordered(players: Iterable[Player]) -> dict[int, Player]:
    """Players by starting number, in that order."""
    return {player.number: player for player in sorted(players, key=lambda player: player.number)}


def drawn_pending(record: Record) -> Record:
    """The record as if every unfinished game were drawn."""
    players = {}
    for number, player in record.players.items():
        rounds = tuple(
            replace(entry, mark=Mark.DRAW) if entry is not None and entry.mark is Mark.PENDING else entry
            for entry in player.rounds
        )
        players[number] = replace(player, rounds=rounds)
    return replace(record, players=players)
