"""What buttons carry of a result that is shown before it is written down."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.chat.tournaments.carried_results import CarriedPlaces, CarriedResult, decode
from bot.tournaments.formats.format import RESULTS

RESULTS_OF_PLAYERS = st.builds(
    CarriedResult,
    st.integers(1, 2**63),
    st.sampled_from(list(RESULTS)),
    st.integers(0, 10_000),
    st.from_regex(r"\A([WLF][1-9]-[1-9]|T|)\Z"),
)
PLACES = st.builds(
    CarriedPlaces,
    st.integers(0, 85),
    st.lists(st.integers(0, 6), min_size=2, max_size=6).map(tuple),
    st.integers(1, 200),
)


@given(RESULTS_OF_PLAYERS | PLACES)
def test_it_is_read_as_it_was_written(carried: CarriedResult | CarriedPlaces) -> None:
    """Of players and of tables."""
    assert carried == decode(carried.encode())


def test_buttons_posted_long_ago_mean_the_same() -> None:
    """The order of results is that in which their numbers were given."""
    assert CarriedResult(77, "drew", 3, "") == decode("77.1.3.")
    assert CarriedResult(77, "lost", 0, "W1-1") == decode("77.2.0.W1-1")
    assert CarriedPlaces(2, (1, 0, 2, 2), 4) == decode("t2.1022.4.")
    assert ["won", "drew", "lost"] == list(RESULTS)[:3]
