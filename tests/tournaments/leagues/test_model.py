"""Leagues as values: what any sequence of events adds up to, who goes up and down, and who fills a free place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.support.time_units import DAY
from bot.tournaments.leagues.model import (
    Closed,
    Joined,
    League,
    LeagueAction,
    LeaguePlan,
    Quit,
    SeasonBegan,
    SeasonEnded,
    TooFew,
    after,
    moves,
    next_season,
)

THREE = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))
PLAN = LeaguePlan(size=4, up=1, down=1)


class Written:
    """A league whose events are written one after the other, an hour apart."""

    def __init__(self, plan: LeaguePlan) -> None:
        self.state = League(plan)
        self.now = 0

    def __call__(self, action: LeagueAction) -> None:
        self.now += 3_600_000
        self.state = after(self.state, action, self.now)


@given(st.data())
def test_any_league_keeps_its_members(data: st.DataObject) -> None:
    """Whatever happens: a season holds each member once and nobody else, in divisions of the right size; one season is
    played at a time; who has left is in no further one."""
    league = Written(LeaguePlan(size=data.draw(st.integers(3, 6)), up=1, down=data.draw(st.integers(0, 2))))
    for _ in range(data.draw(st.integers(1, 25))):
        state = league.state
        match data.draw(st.sampled_from(("join", "join", "leave", "begin", "end"))):
            case "join":
                league(Joined(data.draw(st.integers(1, 30))))
            case "leave":
                league(Quit(data.draw(st.integers(1, 30))))
            case "begin" if not state.is_playing and len(state.members) > 1:
                divisions = state.next_divisions()
                number = len(state.seasons) + 1
                assert sorted(state.members) == sorted(person for each in divisions for person in each)
                assert all(len(each) <= state.plan.size * 3 // 2 for each in divisions)
                assert all(len(each) > 1 for each in divisions)
                league(SeasonBegan(number, divisions, tuple(range(len(divisions))), 0))
                assert league.state.is_playing
            case "end" if state.is_playing:
                assert state.season is not None
                finals = tuple(tuple(data.draw(st.permutations(each))) for each in state.season.divisions)
                league(SeasonEnded(state.season.number, finals))
                assert not league.state.is_playing
        assert len(set(league.state.members)) == len(league.state.members)
        assert [season.number for season in league.state.seasons] == [*range(1, len(league.state.seasons) + 1)]


def test_the_first_rise_and_the_last_fall() -> None:
    """Two divisions of four: the best of the second changes places with the last of the first."""
    league = Written(LeaguePlan(size=4, up=1, down=1, pause=2))
    for person in range(1, 9):
        league(Joined(person))
    first = league.state.next_divisions()
    assert ((1, 2, 3, 4), (5, 6, 7, 8)) == first
    league(SeasonBegan(1, first, (1, 2), 0))
    assert league.state.next_at is None
    league(SeasonEnded(1, ((2, 1, 3, 4), (8, 5, 6, 7))))
    second = league.state.next_divisions()
    assert ({1, 2, 3, 8}, {4, 5, 6, 7}) == (set(second[0]), set(second[1]))
    moved = moves(first, second)
    assert (((8, 1),), ((4, 2),)) == (moved.up, moved.down)
    assert league.now + 2 * DAY == league.state.next_at


def test_a_league_that_waits_and_one_that_is_closed() -> None:
    """With too few members it waits until somebody comes; closed, nothing more begins."""
    league = Written(LeaguePlan())
    league(Joined(1))
    league(Joined(2))
    league(SeasonBegan(1, ((1, 2),), (1,), 0))
    league(Quit(1))
    league(SeasonEnded(1, ((2, 1),)))
    league(TooFew(1))
    assert league.state.waits
    assert league.state.next_at is None
    league(Joined(3))
    assert not league.state.waits
    league(Closed())
    assert league.state.next_at is None


def test_who_was_forgotten_is_enrolled_no_more() -> None:
    """The number that stands in the place of a person is no member."""
    league = Written(LeaguePlan())
    for person in (1, -2, 3):
        league(Joined(person))
    assert (1, 3) == league.state.members


def test_up_and_down() -> None:
    """The first goes up, the last goes down; the highest and the lowest have one border only."""
    assert ((1, 2, 3, 5), (4, 6, 7, 9), (8, 10, 11, 12)) == next_season(THREE, PLAN)


def test_leaving_and_newcomers() -> None:
    """A free place saves who would go down, newcomers begin at the bottom, a small last division is joined."""
    assert ((1, 3, 5, 4), (6, 7, 9, 8), (10, 11, 12, 13)) == next_season(THREE, PLAN, leaving=[2], newcomers=[13])
    assert ((1, 2, 3, 5), (4, 6, 7, 9), (8, 10, 11, 12, 13)) == next_season(THREE, PLAN, newcomers=[13, 1])
    assert ((1, 2, 3),) == next_season([(1, 2, 3)], PLAN)
    assert ((7, 8),) == next_season([], PLAN, newcomers=[7, 8])


@given(
    st.integers(1, 5),
    st.integers(3, 8),
    st.integers(0, 2),
    st.sets(st.integers(0, 39), max_size=10),
    st.integers(0, 6),
)
def test_any_league(levels: int, size: int, moving: int, leaving: set[int], new: int) -> None:
    """Everybody who stays has one place, nobody who leaves has one, divisions are full but for the last."""
    moving = min(moving, size // 2)
    finished = [tuple(range(level * size, (level + 1) * size)) for level in range(levels)]
    newcomers = tuple(range(100, 100 + new))
    divisions = next_season(finished, LeaguePlan(size, moving, moving), leaving=leaving, newcomers=newcomers)
    players = [player for division in divisions for player in division]
    assert sorted(players) == sorted({*range(levels * size)} - leaving | {*newcomers})
    assert all(len(division) == size for division in divisions[:-2])
    if not leaving and levels > 1:
        assert set(finished[1][:moving]) <= set(divisions[0])
        assert set(finished[0][size - moving :]) <= set(divisions[1])


def test_a_league_of_too_few_waits_however_many_come() -> None:
    """A newcomer alone does not end the wait, and the next season has no date; a second one does."""
    league = League(LeaguePlan(size=3, pause=1))
    for action, at in (
        (Joined(1), 1),
        (SeasonBegan(1, ((1, 2),), (1,), 5), 2),
        (SeasonEnded(1, ((1, 2),)), 3),
        (Quit(1), 4),
        (Quit(2), 5),
        (TooFew(1), 10),
        (Joined(3), 11),
    ):
        league = after(league, action, at)
    assert league.waits
    assert league.next_at is None
    assert not after(league, Joined(4), 12).waits
