from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.model.clock import CONTROLS, FIRST_MOVE, Clock, Stop, begin, span, stopped
from bot.games.model.deadlines import moments, next_moment
from bot.support.time_units import DAY, HOUR, MINUTE, SECOND

NAMES = sorted(CONTROLS)
START = 1_800_000_000_000


def running(name: str, *left: int, seat: int = 0) -> Clock:
    """The clocks of a game in which everybody has moved."""
    return Clock(CONTROLS[name], left, (0,) * len(left), seat, START)


@pytest.mark.parametrize(
    ("name", "bank", "increment", "cap"),
    [
        ("3d", 3 * DAY, 3 * DAY, 3 * DAY),
        ("brisk", 3 * DAY, 12 * HOUR, 3 * DAY),
        ("steady", 7 * DAY, DAY, 7 * DAY),
        ("relaxed", 10 * DAY, 36 * HOUR, 10 * DAY),
        ("5+3", 5 * MINUTE, 3 * SECOND, None),
        ("20+10", 20 * MINUTE, 10 * SECOND, None),
    ],
)
def test_controls_give_what_they_are_called(name: str, bank: int, increment: int, cap: int | None) -> None:
    """Banks, increments and caps of the named clocks."""
    control = CONTROLS[name]
    assert (bank, increment, cap) == (control.bank, control.increment, control.cap)


def test_there_are_these_controls() -> None:
    """Plain ones of 1 to 14 days, three banked ones, three for an evening."""
    days = {f"{days}d" for days in (1, 2, 3, 5, 7, 10, 14)}
    assert days | {"brisk", "steady", "relaxed", "5+3", "10+5", "20+10"} == set(CONTROLS)


def test_a_plain_clock_is_full_again_after_each_move() -> None:
    """Three days a move are three days, whether the last move took a minute or all but a minute."""
    for used in (MINUTE, 3 * DAY - MINUTE):
        assert (3 * DAY, 3 * DAY) == running("3d", 3 * DAY, 3 * DAY).pressed(START + used, 1).left


def test_a_banked_clock_saves_up_to_its_cap() -> None:
    """What is not used is kept, but never more than the bank at the start."""
    assert (6 * DAY, 7 * DAY) == running("steady", 7 * DAY, 7 * DAY).pressed(START + 2 * DAY, 1).left
    assert (7 * DAY, 7 * DAY) == running("steady", 7 * DAY, 7 * DAY).pressed(START + HOUR, 1).left


def test_a_live_clock_may_grow() -> None:
    """Fischer's clock for an evening has no cap."""
    assert 5 * MINUTE + 2 * SECOND == running("5+3", 5 * MINUTE, 5 * MINUTE).pressed(START + SECOND, 1).left[0]


def test_the_first_move_has_48_hours_and_costs_nothing() -> None:
    """Until its first move a seat has its own time for it; after it, the whole bank."""
    clock = begin(CONTROLS["1d"], 2, 0, START)
    assert START + FIRST_MOVE == clock.due()

    clock = clock.pressed(START + 40 * HOUR, 1)

    assert (DAY, None) == clock.left
    assert START + 40 * HOUR + FIRST_MOVE == clock.due()


def test_time_stands_still_in_a_vacation() -> None:
    """The deadline moves by the vacation, and there is none while nobody knows how long it will be."""
    clock = running("3d", 3 * DAY, 3 * DAY)

    assert clock.due([(START + DAY, START + 3 * DAY)]) == START + 5 * DAY
    assert clock.due([(START + DAY, None)]) is None
    assert 2 * DAY == clock.remaining(START + 9 * DAY, [(START + DAY, None)])


def test_a_stop_after_the_end_does_not_save_anybody() -> None:
    """Whoever leaves when the time is up has lost all the same."""
    assert START + 3 * DAY == running("3d", 3 * DAY, 3 * DAY).due([(START + 3 * DAY, None)])


def test_stops_that_overlap_count_once() -> None:
    """An outage in a vacation gives nothing on top of it."""
    stops = [(START, START + 2 * DAY), (START + DAY, START + 3 * DAY)]
    assert 3 * DAY == stopped(stops, START, START + 9 * DAY)
    assert START + 6 * DAY == running("3d", 3 * DAY, 3 * DAY).due(stops)


def test_a_takeback_gives_no_thinking_back() -> None:
    """Whoever thinks for two days, moves and takes it back has one day left of three; the other loses nothing."""
    then = running("3d", 3 * DAY, 3 * DAY)
    moved = then.pressed(START + 2 * DAY, 1)

    back = moved.taken_back(START + 2 * DAY + HOUR, then, seat=0, to=0)

    assert (DAY, 3 * DAY) == back.left
    assert 0 == back.seat
    assert START + 3 * DAY + HOUR == back.due()


def test_a_takeback_leaves_time_to_move() -> None:
    """Also where the taken turns took all there was, an hour is left."""
    then = running("3d", 3 * DAY, 3 * DAY)
    now = then.pressed(START + 2 * DAY, 1).pressed(START + 3 * DAY, 0)

    assert HOUR == now.taken_back(START + 5 * DAY, then, seat=0, to=0).left[0]


@pytest.mark.parametrize(
    ("length", "words"),
    [(DAY, "1 day"), (36 * HOUR, "36 hours"), (90 * MINUTE, "90 minutes"), (3 * SECOND, "3 seconds"), (0, "0 seconds")],
)
def test_lengths_in_words(length: int, words: str) -> None:
    """The largest unit that is even."""
    assert words == span(length)


def test_controls_in_words() -> None:
    """Plain and banked ones."""
    assert "3 days per move" == CONTROLS["3d"].text
    assert "7 days to start, plus 1 day per move, up to 7 days" == CONTROLS["steady"].text


# Whatever happens

gaps = st.integers(0, 20 * DAY)
steps = st.lists(st.tuples(st.sampled_from(["press", "pass", "back"]), gaps), max_size=30)
intervals: st.SearchStrategy[list[Stop]] = st.lists(
    st.tuples(st.integers(0, 40 * DAY), st.none() | st.integers(0, 20 * DAY)).map(
        lambda pair: (START + pair[0], None if pair[1] is None else START + pair[0] + pair[1])
    ),
    max_size=5,
)


@given(st.sampled_from(NAMES), steps, intervals)
def test_a_clock_never_gains_time_from_nothing(name: str, story: list[tuple[str, int]], stops: list[Stop]) -> None:
    """A seat's time grows by its own moves alone, by the increment at most and never above the cap; standing still
    neither gives nor takes; a takeback leaves nobody more than at the moment to which the game returns."""
    control = CONTROLS[name]
    clock, now = begin(control, 2, 0, START), START
    past = [clock]
    for what, gap in story:
        now += gap
        due = clock.due(stops)
        assert (clock.remaining(now, stops) > 0) == (due is None or now < due)
        before, mover = clock, clock.seat
        if what == "back" and len(past) > 1:
            then = past[-2]
            clock = before.taken_back(now, then, then.seat, then.seat, stops)
            for seat in (0, 1):
                assert (clock.left[seat] or 0) <= (then.left[seat] or 0)
            assert clock.spent[then.seat] >= before.spent[then.seat]
            past = past[:-1]
        else:
            clock = before.pressed(now, 1 - mover, stops) if what == "press" else before.passed(now, mover, stops)
            old, new = before.left[mover], clock.left[mover]
            allowed = 0 if what != "press" else control.bank if old is None else control.increment
            assert (new or 0) <= max(0, (old or 0) - before.used(now, stops)) + allowed
            assert control.cap is None or (new or 0) <= control.cap
            assert before.left[1 - mover] == clock.left[1 - mover]
            assert clock.spent[mover] - before.spent[mover] == before.used(now, stops) >= 0
            past.append(clock)
        past[-1] = clock


@given(st.integers(0, 20 * DAY), st.integers(0, 60 * DAY), intervals)
def test_standing_still_is_neither_given_nor_taken(left: int, later: int, stops: list[Stop]) -> None:
    """Time used and time stood still add up to the time that has passed."""
    clock = running("14d", left, left)
    at = START + later
    assert later == clock.used(at, stops) + stopped(stops, START, at)
    assert 0 <= stopped(stops, START, at) <= later


def test_a_clock_without_time_left_is_due_at_once() -> None:
    """Who has nothing left when the turn comes has run out of time then, not an hour later."""
    clock = running("5+3", 0, MINUTE)
    assert [(START, "end")] == moments(clock, MINUTE, ())
    assert (START, "end") == next_moment(moments(clock, MINUTE, ()), START + SECOND)
