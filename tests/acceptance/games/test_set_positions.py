"""Games from positions and with handicaps, as people begin them with `/play`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.discord.world import World, said


async def test_a_game_from_a_position(here: World) -> None:
    """The challenge shows the position and says it; the game begins with whoever is to move there, and can be replayed
    and looked up."""
    await here.play(position="white: king c4; black: K a8 c8; black to move", side="first")
    assert "From a position, Red to move: `B:WKc4:BKa8,Kc8`" in here.last.content
    assert f"{here.alice.mention} plays White; Red begins." in here.last.content
    assert here.last.attachments

    await here.bob.click(here.last, label="Accept")

    game = await here.game()
    assert here.bob.id == game.to_move
    assert "From a position, Red to move" in here.last.content
    await here.mention(here.bob, "c8-e6")
    await here.restart()
    game = await here.game()
    assert "W:WKc4:BKa8,Ke6" == game.rules.position(game.state)
    for command, options in (("rules", {}), ("game show", {"number": game.id})):
        assert "`B:WKc4:BKa8,Kc8`" in said(await here.alice.slash(here.channel, command, **options))
    assert "the start" in said(await here.carol.slash(here.channel, "game replay", number=game.id))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"position": "white c4; black b8; white to move"}, "c4 is not used in this game"),
        ({"position": "white c3"}, "Say who is to move"),
        ({"position": "some 2"}, "Write a handicap like `white 2`"),
        ({"position": "W:Wc3:Bb8", "rated": True, "clock": "3d", "side": None}, "not rated"),
    ],
)
async def test_a_position_is_refused_with_the_reason(here: World, options: dict[str, Any], says: str) -> None:
    """What cannot be begun from is told to who asked, and nothing is posted."""
    answer = await here.play("pinoy", **options)
    assert says in said(answer)
    assert [] == here.posts()


async def test_a_handicap(here: World) -> None:
    """Who offers a handicap gives it, and the challenge and the first board name the squares; a rematch has it too."""
    await here.play("pinoy", side=None, position="white 2 men")
    assert "Handicap: White begins without a1 and c1." in here.last.content
    assert f"{here.alice.mention} plays White and begins." in here.last.content

    await here.bob.click(here.last, label="Accept")

    assert "Handicap: White begins without a1 and c1." in here.last.content
    game = await here.game()
    assert 22 == len(game.rules.pieces(game.state))
    await here.bot.services.games.moves.resign(game.id, here.bob.id, "m:1")
    again = await here.bot.services.games.challenges.rematch(game.id, here.bob.id, "m:2")
    assert (game.start, (here.bob.id, None)) == (again.start, again.players)


async def test_the_computer_gives_the_handicap(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the computer it is the computer that has fewer pieces, unless a side is chosen."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    await here.alice.slash(here.channel, "play", variant="tama", opponent=here.me, level=1, position="-a2 -b2 -c2")
    await here.thought()
    game = await here.game()
    assert 1 == game.seat_of(here.alice.id)
    assert here.alice.id == game.to_move


async def test_handicaps_are_suggested(here: World) -> None:
    """By side and number, for the game that is chosen."""
    offered = await here.alice.autocomplete(here.channel, "play", "position", "", variant="americanas")
    assert {"name": "Red: 1 piece less", "value": "red 1"} == {key: offered[0][key] for key in ("name", "value")}
    assert 6 == len(offered)
