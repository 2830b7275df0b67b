from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from tests.crash.checks import all_said_once
from tests.crash.club import Club

GONE, HERE = 60, 70


def nonce(announcement: int) -> str:
    """What a post is known by that was made for an announcement of the moment 255."""
    return f"{announcement}.ff"


def wrong_with(said: list[tuple[Any, ...]], posts: dict[int, int]) -> list[str]:
    """What is wrong with the announcements of a game that went on in another channel. ``posts``: the messages that
    Discord has, each with the announcement that it was made for."""

    def query(statement: str) -> list[tuple[Any, ...]]:
        if "FROM announcements" in statement:
            return said
        return [(1, HERE, HERE, "running")] if "FROM games" in statement else []

    messages = {number: {"id": str(number), "nonce": nonce(made_for)} for number, made_for in posts.items()}
    stand_in = SimpleNamespace(messages=messages, names={}, is_gone=lambda channel: channel == GONE)
    return all_said_once(query, cast(Club, SimpleNamespace(stand_in=stand_in, letters=[])), 0)


FIRST = (1, 1, 255, "board", "sent", GONE, 101)
GIVEN_UP = (2, 1, 255, "board", "dropped", None, None)


def test_a_board_that_was_given_up_and_had_arrived_is_the_one_that_is_made_anew() -> None:
    """The bot finds it in the channel when it is to be posted again, and posts no second one."""
    assert [] == wrong_with([FIRST, GIVEN_UP, (3, 1, 255, "board", "sent", HERE, 102)], {101: 1, 102: 2})


def test_a_board_that_is_taken_for_the_post_of_another_is_missing() -> None:
    """What is marked as said by a message that says something else was never said."""
    (wrong,) = wrong_with([FIRST, GIVEN_UP, (3, 1, 255, "board", "sent", HERE, 101)], {101: 1, 102: 2})
    assert "announcement 3 (board) of game 1 is sent, and was posted 0 times" in wrong
