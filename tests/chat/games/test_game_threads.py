"""What the threads of games are called."""

from __future__ import annotations

import pytest

from bot.chat.games.game_threads import thread_name


@pytest.mark.parametrize(
    ("head", "names", "expected"),
    [
        ("Autumn", ["dan", "eva"], "Autumn: dan, eva"),
        ("A" * 80, ["dan", "eva"], f"{'A' * 80}: dan, eva"),
        ("A" * 80, ["d" * 20, "e" * 20], f"{'A' * 49}…: {'d' * 20}, {'e' * 20}"),
        ("A" * 80, ["d" * 32] * 6, f"{'A' * 29}…: {'d' * 32}, {'d' * 28}"),
    ],
)
def test_a_thread_names_the_event_and_who_plays(head: str, names: list[str], expected: str) -> None:
    """What is too long is cut from the event first, of which 30 letters stay; the whole is never too long."""
    assert expected == thread_name(head, names, 94)
    assert len(expected) <= 94
