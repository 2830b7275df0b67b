"""What a huff and an oblige do to the clocks: soplar no es jugar."""

from __future__ import annotations

import pytest

from bot.games.model.game import Game
from bot.support.time_units import DAY, HOUR, SECOND
from tests.support.games.club import Club, payload


async def neglected(club: Club, clock: str, *, used: int) -> Game:
    """A game in which Ana, who took so long for it, has just neglected a capture."""
    game = await club.started("americanas", clock=clock)
    game = await club.play(game, "g3-h4", "h6-g5", "c3-d4", "b6-c5")
    await club.deliver()
    club.now += used
    game = await club.play(game, "e3-f4")
    assert game.rules.remedies(game.state)
    await club.deliver()
    return game


def left(game: Game, now: int) -> tuple[int | None, int]:
    """What the players have: the one who is not to move, and the one who is by now."""
    clock = game.clock
    assert clock is not None
    return clock.left[1 - clock.seat], clock.remaining(now)


@pytest.mark.parametrize(
    ("control", "wait", "increment"), [("1d", 20 * HOUR, DAY), ("steady", 20 * HOUR, DAY), ("5+3", 20 * SECOND, 3000)]
)
async def test_a_huff_gains_no_time(club: Club, control: str, wait: int, increment: int) -> None:
    """The deadline stays what it was, and an increment is given once, with the move after the huff."""
    game = await neglected(club, control, used=0)
    due, ben = await club.games.timeouts.due(game.id), game.state.seat
    club.now += wait
    before = left(game, club.now)
    game = await club.play(game, game.rules.remedies(game.state)[0].text)
    await club.deliver()
    assert (before, due) == (left(game, club.now), await club.games.timeouts.due(game.id))
    club.now += 1000
    game = await club.play(game, game.rules.turns(game.state)[0].text)
    assert game.clock is not None
    assert game.control is not None
    gained = before[1] - 1000 + increment
    assert min(gained, game.control.cap or gained) == game.clock.left[ben]
    assert [] == await club.check()


@pytest.mark.parametrize(("used", "stays"), [(20 * HOUR, 4 * HOUR), (24 * HOUR - 1000, HOUR)])
async def test_who_is_obliged_has_what_was_left(club: Club, used: int, stays: int) -> None:
    """The neglecting move gains nothing; an hour stays, as the other chose when to oblige. The obliger has a day."""
    game = await neglected(club, "1d", used=used)
    club.now += 20 * HOUR
    game = await club.play(game, "oblige")
    await club.deliver()
    assert (DAY, stays) == left(game, club.now)
    assert club.now + stays == await club.games.timeouts.due(game.id)
    assert [] == await club.check()


@pytest.mark.parametrize("control", ["3d", "brisk"])
async def test_a_huff_is_part_of_the_time_for_its_move(club: Club, control: str) -> None:
    """What was told at half of the time before a huff is not told again after it: four fifths come next."""
    game = await neglected(club, control, used=0)
    ben, start = game.to_move, club.now
    await club.pass_time(start + 40 * HOUR)
    game = await club.play(game, game.rules.remedies(game.state)[0].text)
    await club.deliver()
    for after, stages in ((57 * HOUR, ["half"]), (58 * HOUR, ["half", "most"]), (71 * HOUR, ["half", "most", "last"])):
        await club.pass_time(start + after)
        told = [payload(one) for one in await club.said(game) if one.kind == "reminder"]
        assert stages == [each["stage"] for each in told if each["to"] == ben]
