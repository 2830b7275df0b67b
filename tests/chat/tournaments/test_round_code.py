"""A round by hand in the custom ids of buttons."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.tournaments import round_code


@st.composite
def rounds(draw: st.DrawFn) -> list[list[int]]:
    """Groups of starting numbers, nobody in two of them, not everybody in one."""
    numbers = draw(st.lists(st.integers(1, 256), min_size=1, max_size=256, unique=True))
    groups = []
    while numbers:
        size = draw(st.integers(1, 6))
        groups.append(numbers[:size])
        numbers = numbers[size:]
    return groups


@given(rounds(), st.integers(1, 5))
def test_a_round_is_read_as_it_was_written(groups: list[list[int]], count: int) -> None:
    """Whoever plays, whoever does not, in whatever order; from its parts, too."""
    parts = round_code.parts(round_code.encode(groups), count)

    assert count == len(parts)
    assert tuple(map(tuple, groups)) == round_code.decode("".join(parts))


@pytest.mark.parametrize(("players", "size"), [(256, 2), (255, 2), (256, 3), (256, 6)])
def test_the_largest_rounds_fit_two_buttons(players: int, size: int) -> None:
    """With room for what stands before them, of tournaments and events with long numbers."""
    numbers = list(range(1, players + 1))
    random.Random(players + size).shuffle(numbers)
    code = round_code.encode([numbers[at : at + size] for at in range(0, players, size)])

    for part in round_code.parts(code, 2):
        assert len(f"mend:cancel:100000:10000:round:200:{part}") <= 100


def test_a_code_is_made_of_letters() -> None:
    """Each stays as it is under every folding; and a code that was posted is read for ever."""
    code = round_code.encode([[1, 2], [4, 3], [5]])

    assert "囃秺侵" == code
    assert code.isalpha()
    assert all(code == unicodedata.normalize(form, code) for form in ("NFC", "NFD", "NFKC", "NFKD"))
