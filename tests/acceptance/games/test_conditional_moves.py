from __future__ import annotations

from tests.support.discord.world import World, said


async def test_a_plan_is_private_and_played_with_one_post(here: World) -> None:
    """Set, shown, and played at once when it comes true: one post for the pair, one ping."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    assert "if b6-a5, then d4-e5" in said(await here.alice.slash(here.channel, "game plan set", lines="b6-a5 d4-e5"))
    assert "if b6-a5" in said(await here.alice.slash(here.channel, "game plan show"))
    assert "no plan" in said(await here.bob.slash(here.channel, "game plan show"))
    before = len(here.posts())

    await here.mention(here.bob, "b6-a5")

    assert before + 1 == len(here.posts())
    assert "Black: **b6-a5**\nWhite: **d4-e5** (as planned)" in here.last.content
    assert [here.bob.id] == here.sent()[-1]["allowed_mentions"]["users"]


async def test_who_plays_is_told_of_their_own_move(here: World) -> None:
    """What was planned for it is played with it, and is in the post; the private answer names the move itself."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    await here.alice.slash(here.channel, "game plan set", lines="b6-a5 d4-e5")
    assert "Played: `b6-a5`." == said(await here.bob.slash(here.channel, "move", move="b6a5"))
    assert 3 == (await here.game()).ply


async def test_a_line_begins_with_the_opponents_move(here: World) -> None:
    """Who writes a move of their own first is told whose turn it is there, not that their piece is not theirs."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    refused = said(await here.alice.slash(here.channel, "game plan set", lines="e3-f4 b6-a5"))
    assert "Line 1, e3-f4: it is your opponent's turn there. A line begins with your opponent's move" in refused
    assert "Line 1, b6-b5: " in (refused := said(await here.alice.slash(here.channel, "game plan set", lines="b6-b5")))
    assert "begins with" not in refused


async def test_a_plan_is_given_up(here: World) -> None:
    """Cleared, it is not played."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    await here.alice.slash(here.channel, "game plan set", lines="b6-a5 d4-e5")
    assert "is deleted" in said(await here.alice.slash(here.channel, "game plan clear"))
    assert "You have no plan in this game." == said(await here.alice.slash(here.channel, "game plan clear"))
    await here.mention(here.bob, "b6-a5")
    assert 2 == (await here.game()).ply
