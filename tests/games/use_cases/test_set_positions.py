"""Games that begin from a position: challenges, tables, rematches, files."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine import transcript
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from tests.support.games.club import ANA, BEN, CAT, HALL, Club

ENDING = "B:WKc3:BKb8,d8"


async def challenge(club: Club, start: str | None, variant: str = "pinoy", **more: Any) -> Game:
    """Ana challenges Ben to a game from ``start``."""
    values = {"clock": "none", "side": "first", "options": {}, "opponent": BEN, **more}
    return await club.games.challenges.open(
        source=club.source(),
        opener=ANA,
        variant=variant,
        place=HALL,
        start=start,
        **values,
    )


async def test_a_game_begins_from_its_position(club: Club) -> None:
    """Whoever is to move there moves, also after a restart, and the record holds."""
    game = await challenge(club, " b : W Kc3 : B d8, Kb8")
    assert ENDING == game.start == game.rules.position(game.state)
    game = await club.games.challenges.accept(game.id, BEN, club.source())
    assert (BEN, ENDING) == (game.to_move, game.rules.position(game.state))
    club.restart()
    game = await club.play(await club.games.game(game.id), "d8-c7")
    assert "W:WKc3:BKb8,c7" == game.rules.position(game.state)
    assert [] == await club.check()


@pytest.mark.parametrize(
    ("start", "more", "why"),
    [
        ("B:WKc3:B", {}, "The game would be over: Black has no piece left"),
        ("B:Wc3:Bz8", {}, "'z8' is not a square"),
        ("W:W1-13:Bb8", {}, "White has 13 pieces here"),
        (ENDING, {"rated": True, "clock": "3d", "side": "lot"}, "is not rated"),
    ],
)
async def test_what_cannot_be_begun_from(club: Club, start: str, more: dict[str, Any], why: str) -> None:
    """A position that cannot be, and a rated game from one, is refused; nothing is stored."""
    with pytest.raises(Refused, match=why):
        await challenge(club, start, **more)
    assert 0 == await club.count("games")


@pytest.mark.parametrize("start", ["2:S=a1,b1:N=p1,q1", None])
async def test_no_toss_takes_the_position_away(club: Club, start: str | None) -> None:
    """Where a toss decides who begins, a position says that itself; a rematch of a tossed game is tossed for."""
    game = await challenge(club, start, "chinese-checkers")
    game = await club.games.challenges.accept(game.id, BEN, club.source())
    assert (start is not None) is game.from_position
    assert game.start is not None
    await club.games.moves.resign(game.id, ANA, club.source())
    again = await club.games.challenges.rematch(game.id, BEN, club.source())
    assert start == again.start


async def test_a_rematch_is_from_the_same_position(club: Club) -> None:
    """The sides are swapped, the position is the same."""
    game = await challenge(club, ENDING)
    game = await club.games.challenges.accept(game.id, BEN, club.source())
    await club.games.moves.resign(game.id, ANA, club.source())
    again = await club.games.challenges.rematch(game.id, ANA, club.source())
    again = await club.games.challenges.accept(again.id, BEN, club.source())
    assert ((BEN, ANA), ENDING, ANA) == (again.players, again.start, again.to_move)


async def test_a_table_that_does_not_fit_the_position_is_not_begun_early(club: Club) -> None:
    """With fewer players than the position has, the table waits on, and the reason is told."""
    game = await challenge(
        club, "1:S=a1,b1:NW=i1:NE=i9", "chinese-checkers", options={"players": 3}, opponent=None, side=None
    )
    game = await club.games.challenges.accept(game.id, CAT, club.source())
    with pytest.raises(Refused, match="This position is for 3 players: wait until"):
        await club.games.lobby.start_early(game.id, ANA, club.source())
    game = await club.games.challenges.accept(game.id, BEN, club.source())
    assert ("running", "1:S=a1,b1:NW=i1:NE=i9") == (game.status, game.start)


@pytest.mark.parametrize(
    ("read", "write"), [(pdn_reader.loads, pdn_writer.write), (transcript.loads, transcript.write)]
)
async def test_it_goes_to_a_file_and_comes_back(club: Club, read: Any, write: Any) -> None:
    """An exported game says from which position it began, and is the same when it is read."""
    game = await challenge(club, ENDING)
    game = await club.play(await club.games.challenges.accept(game.id, BEN, club.source()), "d8-c7")
    await club.games.moves.resign(game.id, ANA, club.source())
    given = await club.games.archive.transcript(game.id)
    [back] = read(write([given]))
    assert (ENDING, ("d8-c7",)) == (back.start, tuple(step.text for step in back.steps if step.kind == "turn"))
