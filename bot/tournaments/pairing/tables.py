"""A Swiss of tables, for games of three, four and six: near scores sit together, repeats and seats are balanced.

Points of a table are 5-3-2-1-0-0 from the first place on; who shares places shares their points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice, permutations

from bot.i18n import _
from bot.support.frozen import frozen
from bot.tournaments.errors import NoPairing, TournamentError

SIZES = (6, 4, 3)
POINTS = (5, 3, 2, 1, 0, 0)
# To sit with somebody again is as bad as to sit with somebody this many points away; a third time is worse still.
_REPEAT = Fraction(4)
# Shared points are halves to sixths: squares of their differences are whole numbers of these.
_WHOLE = 3600


@frozen
class TableResult:
    """A table that has been played: the players by seat, and each one's place (equal numbers: shared; 0: did not
    come, which gives no points, and counts neither as having sat there nor as having met the others)."""

    players: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def came(self) -> tuple[int, ...]:
        """Who has sat at the table, by seat."""
        return tuple(player for player, place in zip(self.players, self.places, strict=True) if place)

    def points(self) -> dict[int, Fraction]:
        """Each player's points; the places of a shared rank are added up and divided."""
        points = {}
        for player, place in zip(self.players, self.places, strict=True):
            better = sum(0 < other < place for other in self.places)
            alike = self.places.count(place)
            points[player] = Fraction(sum(POINTS[better : better + alike]), alike) if place else Fraction(0)
        return points


@frozen(slots=False)
class TableHistory:
    """What has been played, round by round; pairing a round reads only this."""

    rounds: tuple[tuple[TableResult, ...], ...] = ()

    def _tables(self) -> Iterable[TableResult]:
        return (table for tables in self.rounds for table in tables)

    def scores(self, players: Iterable[int]) -> dict[int, Fraction]:
        """Points of each player so far."""
        totals = dict.fromkeys(players, Fraction(0))
        for table in self._tables():
            for player, points in table.points().items():
                if player in totals:
                    totals[player] += points
        return totals

    def meetings(self) -> dict[frozenset[int], int]:
        """How often two have sat at one table."""
        counts: dict[frozenset[int], int] = {}
        for table in self._tables():
            for pair in map(frozenset, combinations(table.came, 2)):
                counts[pair] = counts.get(pair, 0) + 1
        return counts

    def seats(self, player: int) -> list[tuple[int, int]]:
        """(seat from 0, size) of each of the player's tables."""
        return [(t.players.index(player), len(t.players)) for t in self._tables() if player in t.came]


@frozen
class TablePairing:
    """The tables of a round, the leaders' first; each one's players by seat. ``bye``: a player left alone."""

    tables: tuple[tuple[int, ...], ...]
    bye: int | None = None


def sizes(count: int, preferred: int = 4) -> tuple[int, ...]:
    """The table sizes for so many players, larger first: as many of the preferred size as can be.

    Three, four and six cover every field of three, four, or six and more; five sit as three and two, and two together.
    Raises TournamentError for a preferred size that is not one of them."""
    if preferred not in SIZES:
        raise TournamentError(f"Tables are for three, four or six, not for {preferred}.")
    if count < 3 or count == 5:
        return {0: (), 1: (), 2: (2,), 5: (3, 2)}[count]
    ways = (
        (6,) * sixes + (4,) * fours + (3,) * (rest // 3)
        for sixes in range(count // 6 + 1)
        for fours in range((count - 6 * sixes) // 4 + 1)
        if (rest := count - 6 * sixes - 4 * fours) % 3 == 0
    )
    return min(ways, key=lambda way: (-way.count(preferred), sum(abs(size - preferred) for size in way), way))


def pair_tables(players: Sequence[int], history: TableHistory, *, preferred: int = 4) -> TablePairing:
    """The tables of the next round; ``players`` by seed, those present only.

    Deterministic: the same history gives the same tables. Raises NoPairing when nobody is there."""
    if not players:
        raise NoPairing(_("There is nobody to seat."))
    scores = history.scores(players)
    order = sorted(players, key=lambda player: -scores[player])
    if len(order) == 1:
        return TablePairing((), order[0])
    shape = sizes(len(order), preferred)
    groups = _spread(order, shape) if not history.rounds else _in_order(order, shape)
    _improve(groups, scores, history.meetings())
    groups.sort(key=lambda group: sorted(-scores[player] for player in group))
    return TablePairing(tuple(_seated(group, history) for group in groups))


def _spread(order: Sequence[int], shape: Sequence[int]) -> list[list[int]]:
    """First round: the seeds are dealt to the tables to and fro, so that no table is the strongest."""
    groups: list[list[int]] = [[] for _ in shape]
    left = list(order)
    forth = True
    while left:
        indices = range(len(shape)) if forth else range(len(shape) - 1, -1, -1)
        for index in indices:
            if left and len(groups[index]) < shape[index]:
                groups[index].append(left.pop(0))
        forth = not forth
    return groups


def _in_order(order: Sequence[int], shape: Sequence[int]) -> list[list[int]]:
    players = iter(order)
    return [list(islice(players, size)) for size in shape]


def _improve(groups: list[list[int]], scores: Mapping[int, Fraction], met: Mapping[frozenset[int], int]) -> None:
    """Exchange two players of different tables as long as that makes the round better, the best exchange first."""
    players = [player for group in groups for player in group]
    weight: dict[tuple[int, int], int] = {(player, player): 0 for player in players}
    for a, b in combinations(players, 2):
        times = met.get(frozenset((a, b)), 0)
        unlike = (scores[a] - scores[b]) ** 2 + _REPEAT**2 * times * (times + 1) / 2
        weight[a, b] = weight[b, a] = int(unlike * _WHOLE)
    while True:
        at = [{player: sum(weight[player, other] for other in group) for player in players} for group in groups]
        best, exchange = 0, None
        for one, other in combinations(range(len(groups)), 2):
            for i, a in enumerate(groups[one]):
                for j, b in enumerate(groups[other]):
                    gain = at[one][a] + at[other][b] - at[one][b] - at[other][a] + 2 * weight[a, b]
                    if gain > best:
                        best, exchange = gain, (one, i, other, j)
        if exchange is None:
            return
        one, i, other, j = exchange
        groups[one][i], groups[other][j] = groups[other][j], groups[one][i]


def _seated(group: Sequence[int], history: TableHistory) -> tuple[int, ...]:
    """The seats of a table: who has moved early so far moves late now, and nobody always has the same seat."""
    past = {player: history.seats(player) for player in group}
    lead = {player: sum((_lead(seat, size) for seat, size in past[player]), Fraction(0)) for player in group}
    size = len(group)

    def unrest(player: int, seat: int) -> Fraction:
        again = sum(seat == before for before, _ in past[player])
        return (lead[player] + _lead(seat, size)) ** 2 + Fraction(again, 2)

    table = {(player, seat): unrest(player, seat) for player in group for seat in range(size)}
    return min(
        permutations(group), key=lambda order: (sum(table[player, seat] for seat, player in enumerate(order)), order)
    )


def _lead(seat: int, size: int) -> Fraction:
    """1 for who begins, -1 for who moves last."""
    return Fraction(size - 1 - 2 * seat, size - 1)


def table_values(players: Sequence[int], history: TableHistory) -> dict[int, tuple[Fraction, Fraction, Fraction]]:
    """What each player is ranked by: points, then first places, then the average points of those sat with."""
    scores = history.scores(players)
    everybody = history.scores({player for tables in history.rounds for table in tables for player in table.players})
    values = {}
    for player in players:
        mine = [table for tables in history.rounds for table in tables if player in table.came]
        others = [everybody[other] for table in mine for other in table.came if other != player]
        opposition = sum(others, Fraction(0)) / len(others) if others else Fraction(0)
        firsts = sum(table.places[table.players.index(player)] == min(filter(None, table.places)) for table in mine)
        values[player] = (scores[player], Fraction(firsts), opposition)
    return values
