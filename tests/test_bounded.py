"""A mapping that does not grow for ever."""

from __future__ import annotations

from bot.support.bounded import Bounded


def test_what_was_set_longest_ago_goes_first() -> None:
    """Setting anew, and moving to the end, make an entry young again."""
    kept: Bounded[str, int] = Bounded(3)
    kept["a"], kept["b"], kept["c"] = 1, 2, 3
    kept["a"] = 4
    kept.move_to_end("b")
    kept["d"] = 5
    assert {"a": 4, "b": 2, "d": 5} == kept
    assert kept.get("c") is None
