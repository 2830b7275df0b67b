from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import asyncpg
import pytest
import sqlalchemy as sa

from tests.crash.checks import all_said_once, held_against_store
from tests.crash.club import Club
from tests.crash.kept import InFile, InPostgreSQL, Kept

GONE, GONE_TOO, HERE = 60, 61, 70


def wrong_with(boards: list[tuple[str, int | None]], posts: dict[int, tuple[int, int]]) -> list[str]:
    """What is wrong with the boards of a game that went on in another channel, each with its state and the message
    that it is marked as. ``posts``: the messages that Discord has, each with the board that it was made for, and where
    it is."""
    said = [
        (number, 1, 255, "board", state, message and posts[message][1], message)
        for number, (state, message) in enumerate(boards, start=1)
    ]

    def query(statement: str) -> list[tuple[Any, ...]]:
        if "FROM announcements" in statement:
            return said
        return [(1, HERE, HERE, "running")] if "FROM games" in statement else []

    messages = {
        message: {"id": str(message), "nonce": f"{board}.ff", "channel_id": str(channel)}
        for message, (board, channel) in posts.items()
    }
    stand_in = SimpleNamespace(messages=messages, names={}, is_gone=lambda channel: channel != HERE)
    return all_said_once(query, cast(Club, SimpleNamespace(stand_in=stand_in, letters=[])), 0)


def test_a_board_may_be_given_up_that_had_arrived_in_a_channel_that_is_gone() -> None:
    """Before it was marked the channel was deleted, and the game went on elsewhere."""
    boards = [("sent", 101), ("dropped", None), ("sent", 103)]
    assert [] == wrong_with(boards, {101: (1, GONE), 102: (2, GONE), 103: (3, HERE)})


def test_what_was_posted_in_two_channels_may_have_lost_both() -> None:
    """A post is not noted, its channel is deleted, it is made in the next one, and that is deleted too."""
    assert [] == wrong_with([("sent", 8), ("sent", 9)], {7: (1, GONE), 8: (1, GONE_TOO), 9: (2, HERE)})
    assert 1 == len(wrong_with([("sent", 7), ("sent", 9)], {7: (1, GONE), 8: (1, GONE_TOO), 9: (2, HERE)}))


def test_two_boards_in_one_channel_are_one_too_many() -> None:
    """What was given up stands beside what was announced in its place."""
    boards = [("sent", 101), ("dropped", None), ("sent", 103)]
    (wrong,) = wrong_with(boards, {101: (1, GONE), 102: (2, HERE), 103: (3, HERE)})
    assert "announcement 2 (board) of game 1 is dropped, and was posted 1 times" in wrong


def test_a_board_that_is_taken_for_the_post_of_another_is_missing() -> None:
    """What is marked as said by a message that was made for something else was never posted."""
    (wrong,) = wrong_with([("sent", 101), ("dropped", None), ("sent", 102)], {101: (1, GONE), 102: (2, GONE)})[:1]
    assert "announcement 3 (board) of game 1 is sent, and was posted 0 times" in wrong


@pytest.mark.parametrize(("refused", "wrong"), [(71, []), (72, ["message 72 was played (c3-d4), and refused"])])
def test_a_message_is_played_or_refused(refused: int, wrong: list[str]) -> None:
    """One that comes twice is not told that it is another's turn after it was played."""

    def query(statement: str) -> list[tuple[Any, ...]]:
        return [(1, 1, "c3-d4", "m:72")] if "FROM turns" in statement else []

    table = SimpleNamespace(wrong=[], seen={}, told=[], refused=[refused], continued=[])
    quiet = SimpleNamespace(told=[])
    club = SimpleNamespace(all_tables=[table], events=[], tournaments=quiet, leagues=quiet, teams=quiet)
    assert wrong == held_against_store(query, cast(Club, club))


@pytest.mark.parametrize("postgresql", [False, True])
def test_checks_are_of_one_moment(postgresql: bool, tmp_path: Path) -> None:
    """What others store between two of their queries is seen by neither; before there are tables nothing is found."""
    kept: Kept = InPostgreSQL() if postgresql else InFile(tmp_path)
    try:
        with kept.at_one_moment() as query:
            assert [] == query("SELECT * FROM turns") == query("SELECT 1 FROM games")
        kept.run("CREATE TABLE turns (number integer)")
        with closing(sqlite3.connect(tmp_path / "damero.sqlite3")) as others:
            others.execute("PRAGMA journal_mode=WAL")
        with kept.at_one_moment() as query:
            assert [] == query("SELECT number FROM turns")
            _by_another(kept, "INSERT INTO turns VALUES (1)")
            assert [] == query("SELECT number FROM turns")
        assert [(1,)] == kept.query("SELECT number FROM turns")
    finally:
        kept.remove()


def test_checks_go_on_after_a_trouble() -> None:
    """A trouble cuts the connection of the checks too, and they are asked at once on another."""
    kept = InPostgreSQL()
    try:
        kept.run("CREATE TABLE turns (number integer)")
        for seed in range(12):
            kept.trouble(random.Random(seed))
            with kept.at_one_moment() as query:
                assert [] == query("SELECT number FROM turns")
            kept.trouble(random.Random(seed))
            assert [] == kept.query("SELECT number FROM turns")
        assert {"server killed", "connections cut"} == set(kept.troubles)
    finally:
        kept.remove()


def _by_another(kept: Kept, statement: str) -> None:
    """Run by a connection of its own."""
    if isinstance(kept, InFile):
        kept.run(statement)
    else:
        url = sa.make_url(kept.url)
        asyncio.run(_run_in_postgresql(url, statement))


async def _run_in_postgresql(url: sa.URL, statement: str) -> None:
    connection = await asyncpg.connect(host=url.query["host"], user=url.username, database=url.database)
    await connection.execute(statement)
    await connection.close()
