"""Boards that are drawn while their turns are being stored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, cast

import pytest

from bot.chat.games.drawn_ahead import DrawnAhead
from bot.chat.posting.picture_files import Picture
from bot.games.model.game import Game, Place
from bot.i18n import speaking, spoken
from bot.support.task_set import TaskSet
from tests.support.games.club import Club


class Drawer:
    """Draws boards, and reads on every server what ``reads`` says."""

    def __init__(self) -> None:
        self.reads, self.broken = "es", False
        self.drawn: list[int] = []

    async def of_game(self, game: Game, guild_id: int | None) -> str:
        return self.reads

    async def posted(self, game: Game) -> Picture:
        self.drawn.append(game.ply)
        if self.broken:
            raise OSError("no font")
        return Picture(f"{game.id}.png", b"", spoken())


@pytest.fixture
def drawer() -> Drawer:
    return Drawer()


@pytest.fixture
async def ahead(club: Club, drawer: Drawer) -> AsyncIterator[DrawnAhead]:
    tasks = TaskSet()
    ahead = DrawnAhead(cast(Any, drawer), cast(Any, drawer), tasks)
    club.games.signals.board_announced.connect(ahead.begin)
    yield ahead
    tasks.close()


async def test_a_board_is_drawn_once_in_the_language_of_its_server(
    club: Club, ahead: DrawnAhead, drawer: Drawer
) -> None:
    """It is begun by the turn, and there for whoever posts it; who speaks otherwise draws it anew."""
    game = await club.started()
    with speaking("es"):
        assert Picture(f"{game.id}.png", b"", "es") == await ahead.take(game)
        assert await ahead.take(game) is None
        game = await club.play(game, "c3-d4")
        assert await ahead.take(game) is not None
    assert [0, 1] == drawer.drawn
    game = await club.play(game, "h6-g5")
    with speaking("en"):
        assert await ahead.take(game) is None


async def test_another_board_is_not_taken_for_it(club: Club, ahead: DrawnAhead) -> None:
    """What was drawn of a turn that was not stored in the end is not posted with the one that was."""
    game = await club.started()
    ahead.begin(replace(game))
    with speaking("es"):
        assert await ahead.take(game) is None


async def test_what_cannot_be_drawn_is_left_to_whoever_posts_it(club: Club, ahead: DrawnAhead, drawer: Drawer) -> None:
    """They draw it anew, and say what is wrong."""
    drawer.broken = True
    with speaking("es"):
        assert await ahead.take(await club.started()) is None
    assert [0] == drawer.drawn


async def test_few_are_drawn_ahead(club: Club, ahead: DrawnAhead) -> None:
    """Of many boards at once the last sixteen; none where the bot may only answer."""
    games = [await club.started(place=Place(7, 100 + n)) for n in range(17)]
    answered = await club.started(place=Place(7, 200, answers_only=True))
    with speaking("es"):
        taken = [await ahead.take(game) is not None for game in [answered, *games]]
    assert [False, False, *[True] * 16] == taken
