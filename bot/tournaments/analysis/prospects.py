"""What do I need: the best and the worst place after each result of a player's game that is still being played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from bot.i18n import _
from bot.support.frozen import frozen
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.registry import format_of
from bot.tournaments.model.state import Tournament
from bot.tournaments.pairing.record import Mark

# Up to so many ways in which the other games may end, all are tried; beyond, tie-breaks are left open.
_TRIED = 81
_ENDS = ((Mark.WIN, Mark.LOSS), (Mark.DRAW, Mark.DRAW), (Mark.LOSS, Mark.WIN))


@frozen
class Prospect:
    """``result``: the player's own (1, =, 0; None: no game is left to play). ``certain``: every way in which the other
    games may end was tried; otherwise a tie may go either way. ``game``: which game is meant, (round, white, black)."""

    result: Mark | None
    best: int
    worst: int
    certain: bool
    game: tuple[int, int, int] | None = None


def what_do_i_need(state: Tournament, number: int) -> tuple[Prospect, ...]:
    """Best and worst place after a win, a draw and a loss, whatever happens in the other unfinished games.

    Raises TournamentError for kinds without rounds of two, and for who does not play."""
    if not format_of(state.settings).has_record or number not in state.by_number:
        raise TournamentError(_("Places can be predicted only for players of a Swiss or a round robin."))
    mine = [game for game in state.unfinished if number in game[1:]]
    if not mine:
        return (_prospect(state, number, None),)
    game = mine[0]
    prospects = []
    for own in (Mark.WIN, Mark.DRAW, Mark.LOSS):
        marks = next(ends for ends in _ENDS if ends[game[1:].index(number)] is own)
        prospects.append(replace(_prospect(_with(state, {game: marks}), number, own), game=game))
    return tuple(prospects)


def _prospect(state: Tournament, number: int, own: Mark | None) -> Prospect:
    others = state.unfinished
    if 3 ** len(others) > _TRIED:
        best, worst = _by_points(state, number)
        return Prospect(own, best, worst, certain=False)
    ranks = []
    for ends in product(_ENDS, repeat=len(others)):
        after = _with(state, dict(zip(others, ends, strict=True)))
        ranks.append(
            next(line.rank for line in format_of(state.settings).ranking(after).lines if line.number == number)
        )
    return Prospect(own, min(ranks), max(ranks), certain=True)


def _by_points(state: Tournament, number: int) -> tuple[int, int]:
    """The places by points alone: each other game ends as it suits best, then as it hurts most."""
    score = {n: state.record.score(n) for n in state.by_number}
    own = score[number]
    best = worst = 1
    playing: set[int] = set()
    # Two games of two are one result.
    pairs = {(each, *sorted((white, black))) for each, white, black in state.unfinished}
    for _number, white, black in pairs:
        if number in (white, black):
            continue
        playing |= {white, black}
        ends = list(_scores_after(state, score[white], score[black]))
        best += min((a > own) + (b > own) for a, b in ends)
        worst += max((a >= own) + (b >= own) for a, b in ends)
    rest = [points for n, points in score.items() if n != number and n not in playing]
    return best + sum(points > own for points in rest), worst + sum(points >= own for points in rest)


def _scores_after(state: Tournament, white: Fraction, black: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    points = state.settings.points
    worth = {Mark.WIN: points.win, Mark.DRAW: points.draw, Mark.LOSS: points.loss}
    for first, second in _ENDS:
        yield white + worth[first], black + worth[second]


def _with(state: Tournament, ends: dict[tuple[int, int, int], tuple[Mark, Mark]]) -> Tournament:
    return replace(state, results={**state.results, **ends})
