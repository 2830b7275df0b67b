"""Round robins by the Berger tables (C.05 annex)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import _
from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.swiss.contenders import RoundPairing

SYSTEM = "Berger tables"


def berger(players: Sequence[int], cycles: int = 1) -> tuple[RoundPairing, ...]:
    """All rounds of a round robin; ``players`` in the order of their lots.

    In an odd field the free player is the round's bye. In a second cycle colours are reversed; the last two rounds of
    the first change places, so that nobody has one colour three times running. Raises TournamentError for fewer than
    two players."""
    if len(players) < 2 or len(set(players)) != len(players):
        raise TournamentError(_("A round robin needs at least two different players."))
    first = [_round(players, number) for number in range(1, len(players) + len(players) % 2)]
    if cycles == 1:
        return tuple(first)
    back = [RoundPairing(tuple((black, white) for white, black in r.games), r.bye, SYSTEM) for r in first]
    rounds = [*first[:-2], *reversed(first[-2:])]
    for cycle in range(1, cycles):
        rounds += back if cycle % 2 else first
    return tuple(rounds)


def _round(players: Sequence[int], number: int) -> RoundPairing:
    """Round ``number`` from 1: all walk around the last player, who stays."""
    count = len(players) + len(players) % 2
    turning = count - 1
    # Who meets the last player: twice its lot is the round's number plus one, counted around.
    pivot = next(lot for lot in range(1, count) if (2 * lot - number - 1) % turning == 0)
    first = (pivot, count) if pivot <= count // 2 else (count, pivot)
    others = [((pivot + step - 1) % turning + 1, (pivot - step - 1) % turning + 1) for step in range(1, count // 2)]
    games, bye = [], None
    for white, black in (first, *others):
        if max(white, black) > len(players):
            bye = players[min(white, black) - 1]
        else:
            games.append((players[white - 1], players[black - 1]))
    return RoundPairing(tuple(games), bye, SYSTEM)
