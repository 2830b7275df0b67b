"""A game on a simulated Discord whose time passes."""

from __future__ import annotations

import discord
from simcord.actors import MemberActor

from tests.support.discord.world import World


async def begin(here: World, clock: str = "3d") -> int:
    """A game of Alice and Bob in which both have moved; its id."""
    await here.play("pinoy", clock=clock)
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    for text in ("c3-d4", "b6-a5"):
        await here.mention(here.mover(await here.game()), text)
    return game.id


def direct(person: MemberActor) -> list[discord.Message]:
    """What the bot has said to a person alone."""
    return person.user.dm_channel.history()


async def wait(here: World, hours: float) -> None:
    await here.env.advance_time(hours * 3600)
