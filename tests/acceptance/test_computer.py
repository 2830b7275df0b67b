"""Games against the computer: it moves, waits, resigns and offers like anybody, and never twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.games.computers import computer_of
from tests.acceptance.world import World, labels, said


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers start at once, without compiling their search."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    yield


async def against(here: World, variant: str = "pinoy", level: int = 1, **more: object) -> None:
    """Alice begins a game against the computer, which has moved where it begins."""
    options = {"side": "first", **more}
    answer = await here.alice.slash(
        here.channel, "play", variant=variant, opponent=here.me, level=level, **{k: v for k, v in options.items() if v}
    )
    assert "begins" in said(answer)
    await here.thought()


async def test_the_computer_answers(here: World) -> None:
    """`/play opponent:@Damero level:3` begins at once; after a move it thinks for all to see, and moves once."""
    await against(here, level=3)
    game = await here.game()
    assert (here.alice.id, computer_of(3)) == game.players
    assert f"{here.alice.mention} plays White and Damero (level 3) plays Black" in here.last.content

    await here.mention(here.alice, "c3-b4")
    assert "Damero (level 3) is thinking" in here.boards()[1].content
    await here.thought()

    assert 2 == (await here.game()).ply
    assert 3 == len(here.boards())
    assert f"{here.alice.mention}, it is your turn" in here.last.content
    assert [] == await here.bot.desk.games.check()
    assert "Accept" not in labels(here.last)
