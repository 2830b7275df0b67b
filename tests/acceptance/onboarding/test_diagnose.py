"""`/server diagnose`: what is missing where."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import SetupError

from tests.support.discord.world import World, said


async def test_managers_are_told_what_is_missing(here: World) -> None:
    """By channel, with the link that gives it; what is read, and that timers and store are well. Others do not see the
    command."""
    role = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    boss = here.guild.add_member(here.env.create_user("boss"), roles=[role])
    silent: dict[Any, discord.PermissionOverwrite] = {
        here.guild.default_role: discord.PermissionOverwrite(send_messages=False)
    }
    closed = here.guild.create_text_channel("closed", overwrites=silent)

    told = said(await boss.slash(here.channel, "server diagnose"))

    assert "I can play in 1 channel." in told
    assert f"<#{closed.id}>: I need **Send Messages**" in told
    assert "permissions=309237746688" in told
    assert "I do not read plain messages" in told
    assert "I can save games." in told
    assert "Timers are running" in told
    await boss.slash(here.channel, "server settings", add_channel=closed)
    told = said(await boss.slash(here.channel, "server diagnose"))
    assert f"Games are allowed in these channels only: <#{closed.id}>." in told
    assert "I can play in 0 channels." in told
    with pytest.raises(SetupError, match="not visible"):
        await here.alice.slash(here.channel, "server diagnose")
