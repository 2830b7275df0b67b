"""A variant's file that goes away while games of it run: they are listed, shown, moved in and resigned all the same."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from tests.support.discord.world import World, said


async def rewrite(here: World, statement: str) -> None:
    """Change the store behind the bot's back, and start it anew."""
    async with here.bot.services.store.write() as tx:
        await tx.execute(sa.text(statement))
    await here.restart()


async def test_a_game_goes_on_though_its_file_is_gone(here: World) -> None:
    """Nobody ships `gone` any more: its players see their games by name, move and resign."""
    await here.start("spanish")
    await rewrite(here, "UPDATE games SET variant_id = 'gone'")
    assert "Dama (Spanish draughts), game 1" in said(await here.alice.slash(here.channel, "me games"))
    await here.alice.slash(here.channel, "move", move="b3-a4")
    assert 1 == (await here.game()).ply
    assert "Dama (Spanish draughts)" in said(await here.bob.slash(here.channel, "rules"))
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")
    assert "Red resigned" in here.last.content


@pytest.mark.parametrize("hash", ["NULL", "'0'"])
async def test_games_of_unknown_rules_are_listed(here: World, hash: str) -> None:
    """Where not even the text of its rules is known, the game stands in the list by its variant's id, beside others."""
    await here.start("spanish")
    await rewrite(here, f"UPDATE games SET variant_id = 'gone', rules_hash = {hash}")
    text = said(await here.alice.slash(here.channel, "me games"))
    assert "gone, game 1" in text
