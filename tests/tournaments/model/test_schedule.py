"""The events of times, limits and check-ins: whatever happens, the fold stands, and says what comes next."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.support.time_units import DAY, MINUTE
from bot.tournaments.formats.registry import FORMATS, fold
from bot.tournaments.model.events import (
    ACTIONS,
    Action,
    Cancelled,
    CheckedIn,
    CheckInOpened,
    DateTold,
    Entered,
    Event,
    Halted,
    Kind,
    Left,
    Limited,
    RoundPaired,
    Scheduled,
    Scored,
    Seeded,
    Started,
    TournamentSettings,
    Undone,
)
from bot.tournaments.model.schedule import StepKind, last_date, next_step, starts_at
from bot.tournaments.model.state import Phase
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing import seeding
from tests.support.tournaments import formats
from tests.support.tournaments.director import MARKS, Directed

TERMS: tuple[Action, ...] = (
    Scheduled(1_800_000_000_000, 30, 10, 7, True, False),
    Scheduled(),
    Limited(1000, 2000, 5, (1, 2), 4),
    Seeded(5, 1),
    CheckInOpened(),
    DateTold(2, True),
    Halted(2, "Nobody is left."),
    Cancelled(3, 4),
)


@pytest.mark.parametrize("action", TERMS)
def test_terms_are_kept_as_plain_values(action: Action) -> None:
    """Every action survives JSON."""
    assert action == ACTIONS.of(json.loads(json.dumps(ACTIONS.to_json(action))))


class Told:
    """A tournament told event by event, some minutes apart; what makes no sense is left out."""

    def __init__(self, plan: TournamentSettings) -> None:
        self.plan = plan
        self.events: list[Event] = []
        self.state = fold(plan, ())
        self.now = 1_000 * DAY

    def __call__(self, *actions: Action) -> Told:
        for action in actions:
            self.now += MINUTE
            if refusal(self.state, action) is None:
                self.events.append(Event(len(self.events) + 1, self.now, 7, action))
                self.state = fold(self.plan, self.events)
        return self


PEOPLE = st.integers(1, 7)
BEFORE = st.one_of(
    st.builds(Entered, PEOPLE),
    st.builds(Left, PEOPLE),
    st.builds(CheckedIn, PEOPLE),
    st.builds(Seeded, PEOPLE, st.integers(0, 8)),
    st.just(CheckInOpened()),
    st.builds(
        Scheduled,
        st.sampled_from((0, 1_001 * DAY, 1_100 * DAY)),
        st.sampled_from((0, 30)),
        st.sampled_from((None, 0, 10)),
        st.sampled_from((0, 3)),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(Limited, least=st.integers(0, 5)),
    st.builds(Undone, st.integers(1, 12)),
    st.just(Cancelled(1, 2)),
)


@settings(max_examples=150)
@given(st.lists(BEFORE, max_size=25), st.sampled_from((0, 3, 5)), st.integers(0, 99))
def test_whatever_is_said_before_the_start(actions: list[Action], limit: int, lot: int) -> None:
    """Places are for those who entered first and are there; seeds are kept; the next step is one that can be done."""
    told = Told(TournamentSettings(Kind.SWISS, 3, limit=limit))(*actions)
    state = told.state
    assert set(told.state.ignored) <= {event.number for event in told.events}
    starters = state.starters
    assert len(starters) <= (limit or len(starters))
    assert not set(starters) & set(state.waiting) or state.phase is not Phase.ENTRIES
    if state.check_in_open:
        assert all(state.by_person[person].checked_in for person in starters)
    elif state.phase is Phase.ENTRIES:
        assert set(starters) == set(state.by_person) - set(state.beyond)
    order = seeding.with_places(seeding.by_lot(starters, str(lot)), state.seeds)
    assert sorted(starters) == sorted(order)
    placed = {person: place for person, place in state.seeds.items() if person in starters}
    if all(place <= len(starters) for place in placed.values()):
        assert all(order[place - 1] == person for person, place in placed.items())
    step = next_step(state, told.events, ())
    if state.phase is not Phase.ENTRIES or not state.timing.start:
        assert step is None
        return
    assert step is not None
    if step.what is StepKind.CHECK_IN:
        assert refusal(state, CheckInOpened()) is None
    else:
        assert step.at == starts_at(state, told.events) >= state.timing.start
    assert state == fold(told.plan, told.events)


@settings(max_examples=40)
@given(
    st.integers(0, 10_000),
    st.integers(4, 9),
    st.sampled_from((Kind.SWISS, Kind.ROUND_ROBIN)),
    st.builds(Scheduled, pause=st.sampled_from((None, 0, 10)), days=st.sampled_from((0, 3)), carry=st.booleans()),
)
def test_a_tournament_runs_to_its_end_by_its_steps(seed: int, players: int, kind: Kind, timing: Scheduled) -> None:
    """Each step done when it is due leads to the end; none comes twice; games carried on and scored later give
    the same standings as if they had been scored at once."""
    lots = random.Random(seed)
    told = Told(TournamentSettings(kind, 3 if kind is Kind.SWISS else 0))
    told(timing, *(Entered(person) for person in range(101, 101 + players)))
    told(Started(tuple(range(101, 101 + players))))
    told(formats.next_round(told.state))
    done = []
    for _ in range(400):
        for number, white, black in told.state.unfinished:
            if not timing.days or lots.random() < 0.6:
                told(Scored(number, white, black, *MARKS[lots.choice("1=0")]))
        step = next_step(told.state, told.events, ())
        if step is None and told.state.unfinished:
            continue
        if step is None or step.what is StepKind.FINISH:
            break
        done.append((step.what, step.round))
        told.now = max(told.now, step.at)
        if step.what is StepKind.PAIR:
            told(formats.next_round(told.state, pending_as_draws=timing.carry))
        else:
            told(DateTold(step.round, step.what is StepKind.COME))
    assert len(done) == len(set(done))
    assert (StepKind.COME not in {what for what, _ in done}) or not timing.carry
    if not timing.by_itself:
        assert [] == done
        return
    assert told.state.rounds_paired == told.state.rounds_planned
    assert not told.state.unfinished
    # All results right after the pairing of their round: the same tournament.
    scores = [event.action for event in told.events if isinstance(event.action, Scored)]
    sooner: list[Action] = []
    for event in told.events:
        if isinstance(event.action, Scored):
            continue
        sooner.append(event.action)
        if isinstance(paired := event.action, RoundPaired):
            sooner += [score for score in scores if score.round == paired.round]
    again = fold(told.plan, [Event(number, 0, 7, action) for number, action in enumerate(sooner, start=1)])
    assert formats.ranking(told.state) == formats.ranking(again)


def test_last_dates() -> None:
    """A round's deadline counts from its first pairing, and moves with the days; without days there is none."""
    cup = Directed(TournamentSettings(Kind.SWISS, 3), 4)
    paired = cup.pair()
    at = cup.events[-1].at
    assert 0 == last_date(cup.state, cup.events, 1, ())
    cup(Scheduled(days=3))
    assert at + 3 * DAY == last_date(cup.state, cup.events, 1, ())
    cup(replace(paired, again=True), Scheduled(days=5))
    assert at + 5 * DAY == last_date(cup.state, cup.events, 1, ())
    assert 0 == last_date(cup.state, cup.events, 2, ())


@pytest.mark.parametrize(
    ("outages", "moved"),
    [
        (((-3, -1),), 0),
        (((-1, 1),), 1),
        (((1, 2),), 1),
        (((1, 2), (5, 7)), 1),
        # Within the days that the first one has added.
        (((1, 3), (4, 8)), 6),
        (((10, 12), (1, 3)), 2),
        (((3, 6),), 0),
        # One that was noted while it lasted, and then as a whole.
        (((1, 2), (1, 4)), 3),
    ],
)
def test_outages_move_last_dates(outages: tuple[tuple[int, int], ...], moved: int) -> None:
    """As long as nobody could move between the pairing and the date (here three days), so much later it is."""
    cup = Directed(TournamentSettings(Kind.SWISS, 3), 4)
    cup.pair()
    at = cup.events[-1].at
    cup(Scheduled(days=3))
    away = [(at + start * DAY, at + until * DAY) for start, until in outages]
    assert at + (3 + moved) * DAY == last_date(cup.state, cup.events, 1, away)
    step = next_step(cup.state, cup.events, away)
    assert step is not None
    assert (StepKind.NEAR, at + (3 + moved) * DAY - 3 * DAY // 4) == (step.what, step.at)


@pytest.mark.parametrize(
    ("kind", "timing", "said"),
    [
        (Kind.SWISS, Scheduled(check_in=5), "needs a start time"),
        (Kind.SWISS, Scheduled(at_once=True), "Only in a round robin"),
        (Kind.ROUND_ROBIN, Scheduled(at_once=True), "up to 16"),
        (Kind.DOUBLE_ROUND_ROBIN, Scheduled(at_once=True), "up to 11"),
        (Kind.SINGLE_ELIMINATION, Scheduled(days=3), "Only tournaments with rounds have dates for them"),
        (Kind.TABLES, Scheduled(days=3, carry=True), "no draws"),
        (Kind.SWISS, Scheduled(pause=-1), "negative"),
    ],
)
def test_schedules_that_make_no_sense(kind: Kind, timing: Scheduled, said: str) -> None:
    """Each is refused in words."""
    assert said in (refusal(fold(TournamentSettings(kind), ()), timing) or "")


def test_how_many_games_begin_together() -> None:
    """A hundred and twenty at most."""
    assert (16, 11) == tuple(FORMATS[kind].most_at_once for kind in (Kind.ROUND_ROBIN, Kind.DOUBLE_ROUND_ROBIN))


def test_a_check_in_cannot_be_taken_back() -> None:
    """Who has checked in stays so when the start is moved; the check-in may not be dropped once it is open."""
    told = Told(TournamentSettings(Kind.SWISS, 3))(
        Scheduled(2_000 * DAY, 30), Entered(1), Entered(2), CheckInOpened(), CheckedIn(1)
    )
    assert (1,) == told(Scheduled(2_001 * DAY, 30)).state.starters
    assert "already" in (refusal(told.state, Scheduled(2_001 * DAY)) or "")
    assert "There is no check-in to open" in (refusal(told.state, CheckInOpened()) or "")


def test_over_is_over() -> None:
    """A tournament that was called off takes no more times, entries or check-ins."""
    told = Told(TournamentSettings(Kind.SWISS, 3))(Entered(1), Cancelled())
    assert Phase.OVER is told.state.phase
    for action in (
        Scheduled(),
        Limited(),
        Seeded(1, 1),
        CheckInOpened(),
        DateTold(1, True),
        Halted(1, ""),
        Cancelled(),
    ):
        assert refusal(told.state, action) is not None
