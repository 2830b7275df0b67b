"""How a tournament stands, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from bot.tournaments.standings.standings import RankingLine
from bot.tournaments.standings.tiebreaks import TieBreak


class Heading(StrEnum):
    """What a column of the standings holds where it is no tie-break."""

    POINTS = "Points"
    WINS = "Wins"
    GAMES = "Games"
    FIRSTS = "Firsts"
    OPPONENTS = "Opponents"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The standings. ``rules``: the text that tie-breaks follow, where there are any."""

    headings: tuple[Heading | TieBreak, ...]
    lines: tuple[RankingLine, ...]
    rules: str = ""


def ranked(headings: tuple[Heading, ...], values: Mapping[int, tuple[Fraction, ...]], deciding: int) -> Ranking:
    """The standings by these values of each player, more being better. Who is alike in the first ``deciding`` of them
    shares a rank."""
    by_place = sorted(values, key=lambda number: ([-value for value in values[number][:deciding]], number))
    lines = []
    for number in by_place:
        mine = values[number][:deciding]
        lines.append(RankingLine(1 + sum(other[:deciding] > mine for other in values.values()), number, values[number]))
    return Ranking(headings, tuple(lines))
