"""Team matches as values: what any sequence of events adds up to, who plays whom, the score."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from bot.tournaments.team_matches.model import (
    Accepted,
    Began,
    CalledOff,
    CancelAsked,
    CancelDropped,
    Finished,
    LinedUp,
    MatchAction,
    MatchPlan,
    TeamMatch,
    after,
    is_away,
    match_points,
    pairing,
    score,
)

_PEOPLE = st.lists(st.integers(1, 20), min_size=1, max_size=4, unique=True).map(tuple)
_ACTIONS = st.one_of(
    st.builds(Accepted, st.integers(1, 9)),
    st.builds(LinedUp, st.booleans(), _PEOPLE),
    st.builds(Began, st.integers(1, 9)),
    st.builds(Finished, st.just("5/2"), st.just("1/2")),
    st.builds(CancelAsked, st.booleans()),
    st.builds(CancelDropped, st.booleans()),
    st.just(CalledOff()),
)


@example(1, [LinedUp(True, (1,)), LinedUp(False, (2,)), Began(1), LinedUp(False, (3,))])
@example(1, [LinedUp(True, (1,)), LinedUp(False, (2,)), Began(1), *[Finished("5/2", "1/2")] * 2])
@given(st.integers(1, 4), st.lists(_ACTIONS, max_size=20))
def test_any_events_make_a_match(count: int, actions: list[MatchAction]) -> None:
    """Nothing begins before both teams are lined up, only a line-up changes one, also later (a substitute), and nothing
    what is over, but for a result that is corrected; a match that has begun is called off only while a side waits for
    the other's word on that."""
    before = TeamMatch(MatchPlan(count))
    for action in actions:
        match = after(before, action)
        assert all(len(team) in (0, count) for team in (match.home, match.away))
        assert not match.tournament or (match.home and match.away)
        assert match.score is None or match.tournament
        if match.called_off and not before.called_off and match.tournament:
            assert before.asking is not None
        if before.is_over or not isinstance(action, LinedUp):
            assert (before.home, before.away) == (match.home, match.away)
        if before.is_over:
            corrected = isinstance(action, Finished) and not before.called_off
            assert match == (replace(before, corrected=True) if corrected else before)
        before = match


@given(st.integers(1, 20))
def test_colours_change_from_board_to_board(count: int) -> None:
    """Each board has one of both teams, strongest against strongest; the home team has white on the odd boards."""
    games = pairing(count).games
    assert [{2 * board - 1, 2 * board} for board in range(1, count + 1)] == [set(game) for game in games]
    assert [bool(board % 2) for board in range(count)] == [is_away(white) for white, _ in games]


def test_the_score() -> None:
    """Board points of both sides, and match points by who has more."""
    points = {1: Fraction(1), 2: Fraction(0), 3: Fraction(1, 2), 4: Fraction(1, 2)}
    assert (Fraction(3, 2), Fraction(1, 2)) == score(points)
    assert ((2, 0), (1, 1), (0, 2)) == (
        match_points(score(points)),
        match_points((Fraction(1), Fraction(1))),
        match_points((Fraction(0), Fraction(1))),
    )
