from __future__ import annotations

import aiohttp
import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType

from tests.support.discord.world import World, said


def forbid(here: World, *names: str) -> ChannelHandle:
    """A channel in which the bot lacks permissions."""
    assert here.guild.me is not None
    overwrite = discord.PermissionOverwrite(**dict.fromkeys(names, False))
    return here.guild.create_text_channel("closed", overwrites={here.guild.me: overwrite})


def deny(here: World, *names: str) -> None:
    """From now on the bot lacks these permissions in the channel, and no others."""
    assert here.bot.user is not None
    bits = discord.Permissions(**dict.fromkeys(names, True)).value
    overwrite = Overwrite(target_id=here.bot.user.id, type=OverwriteType.MEMBER, allow=0, deny=bits)
    here.env.backend.set_overwrite(here.channel.id, overwrite)


@pytest.mark.parametrize(
    ("permission", "title"),
    [
        ("send_messages", "Send Messages"),
        ("attach_files", "Attach Files"),
        ("read_message_history", "Read Message History"),
    ],
)
async def test_a_challenge_where_the_bot_may_not_play_names_what_lacks(
    here: World, permission: str, title: str
) -> None:
    """The challenger is told the channel and the permission, and nothing is opened or tried."""
    channel = forbid(here, permission)

    answer = said(await here.alice.slash(channel, "play", variant="tama"))

    assert f"<#{channel.id}>" in answer
    assert f"**{title}**" in answer
    assert "ask someone who manages this server" in answer
    assert [] == here.sent()
    assert [] == await here.bot.services.games.lists.games_of(here.alice.id)


async def test_whoever_may_mend_it_is_told_how(here: World) -> None:
    """A person who manages permissions is told where the setting is."""
    channel = forbid(here, "send_messages", "attach_files")
    role = here.guild.create_role("keepers", permissions=discord.Permissions(manage_roles=True, send_messages=True))
    keeper = here.guild.add_member(here.env.create_user("keeper"), roles=[role])

    answer = said(await keeper.slash(channel, "play", variant="tama"))

    assert "**Send Messages** and **Attach Files**" in answer
    assert "settings under *Permissions*" in answer


async def test_a_thread_that_may_not_be_made_is_said_on_accepting(here: World) -> None:
    """In a busy channel without the permission for threads, accepting is refused with the permission's name."""
    channel = forbid(here, "create_public_threads")
    await here.alice.slash(channel, "play", variant="tama", opponent=here.bob)
    await here.bob.click(here.posts(channel)[-1], label="Accept")
    await here.carol.slash(channel, "play", variant="tama", opponent=here.bob)

    answer = said(await here.bob.click(here.posts(channel)[-1], label="Accept"))

    assert "**Create Public Threads**" in answer
    assert [] == channel.threads


async def test_a_permission_lost_in_the_middle_is_said_and_made_good(here: World) -> None:
    """The move is kept without a request that would fail; the mover is told by direct message, once; the board is
    posted when the permission is back."""
    await here.start()
    deny(here, "send_messages")
    requests = len(here.sent())

    shown = await here.form(here.alice)
    await here.alice.submit_modal(shown, {"move": "b3-a4"})

    assert 1 == (await here.game()).ply
    assert 1 == len(here.boards())
    [direct] = here.alice.user.dm_channel.history()
    assert f"<#{here.channel.id}>" in direct.content
    assert "**Send Messages**" in direct.content
    assert requests + 1 == len(here.sent())

    deny(here)
    await here.env.advance_time(31)
    assert 2 == len(here.boards())
    assert "White: **b3-a4**" in here.last.content


async def test_a_permission_that_discord_alone_knows_to_lack(here: World) -> None:
    """Where Discord refuses a post that looked allowed, it is tried again later, and the mover is told."""
    await here.start()
    here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=403, code=50013)

    await here.mention(here.alice, "b3-a4")
    assert 1 == len(here.boards())
    assert 1 == len(here.alice.user.dm_channel.history())
    await here.env.advance_time(31)

    assert 2 == len(here.boards())


async def test_a_command_in_a_channel_that_was_closed_warns_its_giver(here: World) -> None:
    """`/move` is taken, and its private answer says why the board is not shown."""
    await here.start()
    deny(here, "attach_files")

    answer = said(await here.alice.slash(here.channel, "move", move="b3-a4"))

    assert "Played: `b3-a4`" in answer
    assert "**Attach Files**" in answer


async def test_a_locked_thread_is_waited_for(here: World) -> None:
    """Discord takes no post in a closed thread: the mover is told, and the board is posted when it is open again."""
    await here.start()
    here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=400, code=50083)

    await here.mention(here.alice, "b3-a4")
    assert 1 == len(here.boards())
    [direct] = here.alice.user.dm_channel.history()
    assert "is closed. Please ask a moderator" in direct.content
    await here.env.advance_time(31)

    assert 2 == len(here.boards())


async def test_a_connection_cut_while_the_mover_is_told(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The permission lacks, and the direct message that would say so does not get through either: the board is posted
    all the same when the permission is back."""
    await here.start()
    deny(here, "send_messages")

    async def cut(_user: object) -> None:
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(here.bot, "create_dm", cut)
    await here.mention(here.alice, "b3-a4")
    deny(here)
    await here.env.advance_time(31)

    assert 2 == len(here.boards())
