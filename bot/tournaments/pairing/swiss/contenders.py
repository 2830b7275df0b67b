"""What a Swiss round is paired from, and what a paired round is.

The articles are those of C.04.3, the Dutch system, as in force since 2026.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from fractions import Fraction

from bot.support.frozen import frozen
from bot.tournaments.pairing.record import Colour, Mark, Record
from bot.tournaments.pairing.swiss.colour_allocation import ColourHistory, Due, clash, colour_of, due

SYSTEM = "Dutch system (C.04.3, 2026)"


class Float(Enum):
    """Whether a player met a lower (down) or a higher (up) scored one in a round (article 1.4)."""

    NONE = "none"
    DOWN = "down"
    UP = "up"


@frozen
class Contender:
    """A player to be paired. ``floats`` has one for each paired round; ``byes``: pairing byes, whatever they
    are worth, and other rounds that gave a win unplayed."""

    side: ColourHistory
    due: Due
    met: frozenset[int]
    floats: tuple[Float, ...]
    byes: int

    @property
    def number(self) -> int:
        return self.side.number

    @property
    def score(self) -> Fraction:
        return self.side.score

    @property
    def may_have_bye(self) -> bool:
        """Not after a pairing bye, or a win's points without playing (criterion C.2)."""
        return not self.byes


@frozen
class RoundPairing:
    """A paired round: (white, black) in board order, the pairing bye, how it was found, and what was given up."""

    games: tuple[tuple[int, int], ...]
    bye: int | None
    system: str
    relaxations: tuple[str, ...] = ()


@frozen
class Swiss:
    """One round to be paired: the contenders by rank, and the rules for this round."""

    round_number: int
    last: bool
    initial_colour: Colour
    contenders: tuple[Contender, ...]
    forbidden: frozenset[frozenset[int]]
    points_of_win: Fraction

    def by_number(self) -> Mapping[int, Contender]:
        return {contender.number: contender for contender in self.contenders}

    def is_topscorer(self, contender: Contender) -> bool:
        """More than half of what could be scored, in the last round (article 1.8)."""
        return self.last and contender.score > self.points_of_win * (self.round_number - 1) / 2

    def colours_clash(self, one: Contender, other: Contender) -> bool:
        """Criterion C.3: two absolute preferences for one colour; a topscorer of the last round may break it."""
        return clash(one.due, other.due) and not self.is_topscorer(one) and not self.is_topscorer(other)

    def may_meet(self, one: Contender, other: Contender) -> bool:
        """Whether the absolute criteria let the two meet (C.1, C.3), and the director has not forbidden it."""
        return (
            other.number not in one.met
            and not self.colours_clash(one, other)
            and frozenset((one.number, other.number)) not in self.forbidden
        )

    def on_boards(
        self, pairs: Iterable[tuple[int, int]], bye: int | None, system: str, relaxations: tuple[str, ...] = ()
    ) -> RoundPairing:
        """Pairs with their colours, by board: the higher score of a pair, then the other's, then the higher's rank."""
        known = self.by_number()
        placed = []
        for a, b in pairs:
            one, other = sorted((known[a].side, known[b].side), key=lambda side: side.rank)
            white = one if colour_of(one, other, self.initial_colour) is Colour.WHITE else other
            black = other if white is one else one
            placed.append(((-one.score, -other.score, one.number), (white.number, black.number)))
        return RoundPairing(tuple(game for _, game in sorted(placed)), bye, system, relaxations)


def floats_of(record: Record, number: int) -> tuple[Float, ...]:
    """The player's floats, one for each paired round (articles 1.4.2 and 1.4.3)."""
    floats = []
    player = record.players[number]
    for round_number in range(1, record.rounds_paired + 1):
        entry = player.entry(round_number)
        if entry is None or entry.opponent is None or not entry.played:
            unplayed_gain = entry is not None and record.points.of(entry) > record.points.loss
            floats.append(Float.DOWN if unplayed_gain else Float.NONE)
            continue
        before = record.scores[number][round_number - 1]
        theirs = record.scores[entry.opponent][round_number - 1]
        floats.append(Float.DOWN if before > theirs else Float.UP if before < theirs else Float.NONE)
    return tuple(floats)


def orders(record: Record, present: Collection[int]) -> dict[int, int]:
    """The pairing numbers of those who have entered the tournament, from 1.

    Who has not been paired yet and is not now (a late entry still to come) has no number and shifts nobody's.
    """
    entered = [
        number
        for number, player in record.players.items()
        if number in present or any(e is not None and e.paired for e in player.rounds[: record.rounds_paired])
    ]
    return {number: order for order, number in enumerate(entered, start=1)}


def initial_colour(record: Record) -> Colour:
    """The colour drawn before round 1: as the record says, or as round 1 shows; white when nothing tells it."""
    if record.initial_colour is not None:
        return record.initial_colour
    for round_number in range(1, record.rounds_paired + 1):
        order = 0
        for player in record.players.values():
            if any(entry is not None and entry.paired for entry in player.rounds[:round_number]):
                order += 1
                entry = player.entry(round_number)
                if entry is not None and entry.colour is not None:
                    return entry.colour if order % 2 else entry.colour.other
    return Colour.WHITE


def swiss_round(record: Record, absent: Collection[int] = ()) -> Swiss:
    """The next round of a record. Not paired are ``absent`` and who has a bye noted for that round."""
    next_round = record.rounds_paired + 1
    present = {
        number for number, player in record.players.items() if number not in absent and player.entry(next_round) is None
    }
    order = orders(record, present)
    contenders = []
    for number in present:
        player = record.players[number]
        colours = record.colours(number)
        unplayed = [e for e in player.rounds[: record.rounds_paired] if e is not None and not e.played]
        side = ColourHistory(number, order[number], record.score(number), colours)
        contenders.append(
            Contender(
                side=side,
                due=due(colours),
                met=record.met(number),
                floats=floats_of(record, number),
                byes=sum(e.mark is Mark.PAIRING_BYE or record.points.of(e) >= record.points.win for e in unplayed),
            )
        )
    contenders.sort(key=lambda contender: contender.side.rank)
    return Swiss(
        round_number=next_round,
        last=bool(record.rounds) and next_round >= record.rounds,
        initial_colour=initial_colour(record),
        contenders=tuple(contenders),
        forbidden=record.forbidden,
        points_of_win=max(record.points.win, record.points.draw),
    )
