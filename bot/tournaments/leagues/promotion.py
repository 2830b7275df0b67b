"""The divisions of a league from season to season: promotion and relegation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.i18n import _
from bot.tournaments.errors import TournamentError


@dataclass(frozen=True, slots=True)
class Ladder:
    """``size``: players of a division; ``up`` and ``down``: how many change between two neighbouring divisions."""

    size: int = 10
    up: int = 2
    down: int = 2


def next_season(
    finished: Sequence[Sequence[int]],
    ladder: Ladder,
    *,
    leaving: Collection[int] = (),
    newcomers: Sequence[int] = (),
) -> tuple[tuple[int, ...], ...]:
    """The divisions of the next season, the highest first, each in the order in which its players are seeded.

    ``finished``: each division's players in the order of its final standings. All go on by themselves, but who is
    leaving. A place that becomes free saves the best of those who would go down; newcomers begin at the bottom. Raises
    TournamentError for a ladder that moves more players than a division has."""
    if ladder.size < 2 or ladder.up < 0 or ladder.down < 0 or ladder.up + ladder.down > ladder.size:
        raise TournamentError(_("A division must be larger than what goes up and down from it."))
    staying = [[player for player in division if player not in leaving] for division in finished]
    last = len(staying) - 1
    rising = [players[: ladder.up] if level else [] for level, players in enumerate(staying)]
    falling = [
        players[max(len(rising[level]), len(players) - ladder.down) :] if level < last else []
        for level, players in enumerate(staying)
    ]
    order: list[int] = []
    for level, players in enumerate(staying):
        order += players[len(rising[level]) : len(players) - len(falling[level])]
        # At the border those who rise stand first: an exchange of equally many changes both divisions.
        order += [*(rising[level + 1] if level < last else []), *falling[level]]
    known = set(order)
    order += [player for player in newcomers if player not in known]
    return _cut(order, ladder.size)


def _cut(order: Sequence[int], size: int) -> tuple[tuple[int, ...], ...]:
    """Divisions of the size; a last one of less than half of it is joined to the one above."""
    divisions = [tuple(order[begin : begin + size]) for begin in range(0, len(order), size)]
    if len(divisions) > 1 and 2 * len(divisions[-1]) < size:
        divisions[-2:] = [divisions[-2] + divisions[-1]]
    return tuple(divisions)
