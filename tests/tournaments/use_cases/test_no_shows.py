"""How long it is shown that somebody did not come to games."""

from __future__ import annotations

from bot.tournaments.use_cases.no_shows import mark_of


def test_the_mark_of_a_no_show_fades() -> None:
    """One day, three, a week ... after the last; a game played clears it."""
    day = 86_400_000
    assert mark_of([], None) is None
    assert (1, 11 * day) == mark_of([10 * day], None)
    assert (2, 15 * day) == mark_of([10 * day, 12 * day], 9 * day)
    assert (1, 13 * day) == mark_of([10 * day, 12 * day], 11 * day)
    assert mark_of([10 * day, 12 * day], 13 * day) is None
    assert (8, 38 * day) == mark_of([day * n for n in range(1, 9)], None)
