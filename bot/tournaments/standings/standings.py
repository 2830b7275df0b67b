"""Standings: players ranked by points and tie-breaks, direct encounter included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate

from bot.support.frozen import frozen
from bot.tournaments.pairing.record import Record
from bot.tournaments.standings.tiebreaks import CURRENT, RuleBook, Strengths, TieBreak


class Heading(StrEnum):
    """What a column of the standings holds where it is no tie-break."""

    POINTS = "Points"
    WINS = "Wins"
    GAMES = "Games"
    FIRSTS = "Firsts"
    OPPONENTS = "Opponents"


@frozen
class RankingLine:
    """A place in the standings. Who cannot be told apart has the same rank. ``values``: one for each heading; ``by``:
    which heading has put it before the next rank, where that is known."""

    rank: int
    number: int
    values: tuple[Fraction, ...]
    by: int | None = field(default=None, compare=False)


@frozen
class Ranking:
    """The standings. ``rules``: the text that tie-breaks follow, where there are any."""

    headings: tuple[Heading | TieBreak, ...]
    lines: tuple[RankingLine, ...]
    rules: str = ""


def standings(
    record: Record, tie_breaks: Sequence[TieBreak], *, rules: RuleBook = CURRENT, round_robin: bool | None = None
) -> Ranking:
    """Rank the players by the tie-breaks in their order, after all paired rounds.

    ``round_robin`` None: found by whether every pair is scheduled."""
    if round_robin is None:
        round_robin = all_play_all(record)
    strengths = Strengths(record, rules, round_robin)
    values: dict[int, list[Fraction]] = {number: [] for number in record.players}
    groups = [tuple(record.players)]
    # Between which places a tie-break was the first to tell players apart, by how many are above.
    parted: dict[int, int] = {}
    for at, tie_break in enumerate(tie_breaks):
        split: list[tuple[int, ...]] = []
        if tie_break.name == "DE":
            for group in groups:
                for number in group:
                    values[number].append(strengths.points_between(number, frozenset(group) - {number})[0])
                split += _by_direct_encounter(strengths, group)
        else:
            column = strengths.values(tie_break)
            for number, value in column.items():
                values[number].append(value)
            for group in groups:
                split += _by_value(group, column)
        groups = split
        for above in accumulate(map(len, groups[:-1])):
            parted.setdefault(above, at)
    lines, above = [], 0
    for group in groups:
        by = parted.get(above + len(group))
        lines += [RankingLine(above + 1, number, tuple(values[number]), by) for number in sorted(group)]
        above += len(group)
    return Ranking(tuple(tie_breaks), tuple(lines), rules)


def ranked(headings: tuple[Heading, ...], values: Mapping[int, tuple[Fraction, ...]], deciding: int) -> Ranking:
    """The standings by these values, more being better. Who is alike in the first ``deciding`` shares a rank."""
    by_place = sorted(values, key=lambda number: ([-value for value in values[number][:deciding]], number))
    lines = []
    for number in by_place:
        mine = values[number][:deciding]
        below = max((other[:deciding] for other in values.values() if other[:deciding] < mine), default=None)
        by = next((at for at in range(deciding) if below and below[at] != mine[at]), None)
        rank = 1 + sum(other[:deciding] > mine for other in values.values())
        lines.append(RankingLine(rank, number, values[number], by))
    return Ranking(headings, tuple(lines))


def all_play_all(record: Record) -> bool:
    """Whether every two players who were ever paired are scheduled against each other equally often."""
    scheduled: dict[frozenset[int], int] = {}
    entered = set()
    for number, player in record.players.items():
        for entry in player.rounds:
            if entry is not None and entry.opponent is not None:
                entered.add(number)
                pair = frozenset((number, entry.opponent))
                scheduled[pair] = scheduled.get(pair, 0) + 1
    pairs = len(entered) * (len(entered) - 1) // 2
    return len(entered) > 2 and len(scheduled) == pairs and len(set(scheduled.values())) == 1


def _by_value(group: tuple[int, ...], column: dict[int, Fraction]) -> list[tuple[int, ...]]:
    groups: dict[Fraction, list[int]] = {}
    for number in group:
        groups.setdefault(column[number], []).append(number)
    return [tuple(groups[value]) for value in sorted(groups, reverse=True)]


def _by_direct_encounter(strengths: Strengths, group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """A tied group taken apart by the games among its members (article 6).

    If all have met: by their points, and those still tied again among themselves. If not: whoever stays first whatever
    the missing games would bring is first; the others are looked at again without that player."""
    if len(group) < 2:
        return [group]
    members = frozenset(group)
    scored: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    for number in group:
        points, met = strengths.points_between(number, members - {number})
        missing = 0 if strengths.round_robin else len(group) - 1 - met
        scored[number] = points
        at_most[number] = points + missing * strengths.record.points.win
    if scored == at_most:
        split = _by_value(group, scored)
        if len(split) == 1:
            return split
        return [part for tied in split for part in _by_direct_encounter(strengths, tied)]
    first = max(group, key=lambda number: scored[number])
    others = tuple(number for number in group if number != first)
    if scored[first] > max(at_most[number] for number in others):
        return [(first,), *_by_direct_encounter(strengths, others)]
    return [group]
