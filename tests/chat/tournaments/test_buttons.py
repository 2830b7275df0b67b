"""What buttons carry of a result that is shown before it is written down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.tournaments.buttons import CarriedPlaces, CarriedResult, decode, encode
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


@given(st.integers(0, 10**6), RESULTS_OF_PLAYERS | PLACES)
def test_it_is_read_as_it_was_written(last: int, carried: CarriedResult | CarriedPlaces) -> None:
    """Of players and of tables; it fits, with what stands before it."""
    text = encode(last, carried)

    assert (last, carried) == decode(text)
    assert len(f"tournament:again:1000000:{text}") <= 100


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("12.77.1.3.", CarriedResult(77, "drew", 3, "")),
        ("12.77.2.0.W1-1", CarriedResult(77, "lost", 0, "W1-1")),
        ("12.77.5.9.", CarriedResult(77, "both forfeit", 9, "")),
        ("12.t2.1022.4.", CarriedPlaces(2, (1, 0, 2, 2), 4)),
    ],
)
def test_buttons_posted_long_ago_mean_the_same(text: str, carried: CarriedResult | CarriedPlaces) -> None:
    """What is written and what is read stays, sign for sign."""
    assert text == encode(12, carried)
    assert (12, carried) == decode(text)
