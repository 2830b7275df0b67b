from __future__ import annotations

from tests.support.discord.world import World, labels, said


async def test_a_table_for_three_is_joined_and_played(here: World) -> None:
    """A game for three waits until all seats are taken, begins by lot, and goes on when one resigns."""
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", rules="players=3")
    table = here.last
    assert "opens a table for 3" in table.content
    assert "Anyone may join." in table.content
    assert ["Join", "Leave", "Start now", "Withdraw"] == labels(table)[:4]

    await here.bob.click(table, label="Join")
    assert f"At the table: {here.alice.mention} and {here.bob.mention}." in here.last.content
    assert "already" in said(await here.bob.click(table, label="Join"))
    await here.carol.click(table, label="Join")

    game = await here.game()
    assert {here.alice.id, here.bob.id, here.carol.id} == set(game.players)
    first = here.mover(game)
    await here.mention(first, game.rules.turns(game.state)[0].text)
    asked = await first.slash(here.channel, "game resign")
    assert asked.response is not None
    await first.click(asked.response, label="Resign")

    game = await here.game()
    assert "resigns; the others play on." in here.last.content
    assert game.to_move not in (None, first.id)
    assert [game.to_move] == here.sent()[-1]["allowed_mentions"]["users"]
