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
    """Who offers a handicap gives it, and the challenge and the first board name the squares; in a rematch the same
    person gives it again, and its post says so."""
    await here.play("pinoy", side=None, position="white 2 men")
    assert "Handicap: White begins without a1 and c1." in here.last.content
    assert f"{here.alice.mention} plays White and begins." in here.last.content

    await here.bob.click(here.last, label="Accept")

    assert "Handicap: White begins without a1 and c1." in here.last.content
    game = await here.game()
    assert 22 == len(game.rules.pieces(game.state))
    await here.bot.services.games.moves.resign(game.id, here.bob.id, "m:1")
    again = await here.bot.services.games.challenges.rematch(game.id, here.bob.id, "m:2")
    assert (game.start, (None, here.bob.id)) == (again.start, again.players)
    here.bot.services.games_changed.send(again)
    await here.env.settle()
    assert f"{here.bob.mention} plays Black; White begins." in here.last.content
    assert f"The sides stay as they were: {here.alice.mention} gives the handicap again." in here.last.content


async def test_a_handicap_on_the_star(here: World) -> None:
    """Fewer pegs are sooner home: whoever offers the handicap plays the side with all of them, as the text says; at a
    table for more the lot decides."""
    for text, side, other in (("south 2", "North", "South"), ("north 1", "South", "North")):
        await here.play("chinese-checkers", side=None, position=text)
        assert f"{here.alice.mention} plays {side}" in here.last.content
        assert f"Handicap: {other} begins without" in here.last.content
        assert "which is an advantage in this game." in here.last.content
        await here.alice.click(here.last, label="Withdraw")
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=3, position="south 2")
    assert "Handicap: South begins without a1 and b1, which is an advantage in this game." in here.last.content
    [board] = here.last.attachments
    assert "alice" not in str(board.description)


async def test_the_computer_gives_the_handicap_on_the_star(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """There the person has fewer pegs."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", level=1, position="north 2")
    await here.thought()
    assert 1 == (await here.game()).seat_of(here.alice.id)


async def test_a_handicap_is_a_position_wherever_one_is_asked_for(here: World) -> None:
    """`/setup` shows it; what is wrong with one is said there as `/play` says it."""
    shown = await here.alice.slash(here.channel, "setup", variant="pinoy", position="white 2")
    assert "`W:Wa3,b2,c3,d2,e1,e3,f2,g1,g3,h2:B" in said(shown)
    for command in ("setup", "play"):
        wrong = await here.alice.slash(here.channel, command, variant="pinoy", position="-c1 -b8")
        assert said(wrong).startswith("Take pieces off one side alone. Write a handicap like `white 2`")


async def test_whose_sides_are_to_be_drawn_bears_no_names(here: World) -> None:
    """The picture of an open challenge does not say that its opener has a side."""
    await here.play("pinoy", side="lot", position="W:Wc3:Bb8")
    [board] = here.last.attachments
    assert "White to move" in str(board.description)


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
    assert {"name": "Red: 1 piece fewer", "value": "red 1"} == {key: offered[0][key] for key in ("name", "value")}
    assert 6 == len(offered)
