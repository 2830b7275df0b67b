"""The welcome: what somebody who has just added the bot is told, and how far it is from there to a game."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import sqlalchemy as sa
from simcord import ChannelHandle, GuildHandle
from simcord.results import InteractionResult

from tests.support.discord.taps import choose, menus, offered
from tests.support.discord.world import World, labels

pytestmark = pytest.mark.welcome


def shown(answer: InteractionResult) -> Any:
    """The private message that was answered."""
    assert answer.response is not None
    return answer.response


def posts_in(here: World, channel: ChannelHandle) -> list[discord.Message]:
    return here.posts(channel)


async def invited(here: World, *closed: str, locale: str = "en-US") -> tuple[GuildHandle, dict[str, ChannelHandle]]:
    """Another server takes the bot in; it may not write in the channels ``closed``."""
    guild = here.env.create_guild("New here", preferred_locale=locale)
    silent: dict[Any, discord.PermissionOverwrite] = {
        guild.default_role: discord.PermissionOverwrite(send_messages=False)
    }
    channels = {
        name: guild.create_text_channel(name, overwrites=silent if name in closed else None)
        for name in ("rules", "general", "games")
    }
    await here.env.settle()
    return guild, channels


async def test_a_server_is_welcomed_once(here: World) -> None:
    """In its first channel, with three buttons; a restart posts nothing more."""
    _guild, channels = await invited(here)

    (post,) = posts_in(here, channels["rules"])
    assert ["Play the computer", "Find an opponent", "Learn a game"] == labels(post)
    assert "`/help`" in post.content
    await here.restart()
    await here.env.settle()
    assert 1 == len(posts_in(here, channels["rules"]))
    assert [] == posts_in(here, channels["general"])
    assert [] == posts_in(here, channels["games"])


async def test_in_the_first_channel_in_which_it_may_write(here: World) -> None:
    """A channel for announcements is passed over."""
    _guild, channels = await invited(here, "rules")
    assert [] == posts_in(here, channels["rules"])
    assert 1 == len(posts_in(here, channels["general"]))


async def test_servers_that_were_there_before_are_not_welcomed(here: World) -> None:
    """A bot that learns to welcome does not do so where it has been played for long; whoever came while it was away is
    welcomed when it is back."""
    await here.env.settle()
    assert 1 == len(here.posts())
    for change, posts in (("DELETE FROM key_values", 1), ("UPDATE key_values SET value = '[]'", 2)):
        async with here.bot.services.store.write() as tx:
            await tx.execute(sa.text(f"{change} WHERE key = 'servers met'"))
        await here.restart()
        await here.env.settle()
        assert posts == len(here.posts())


async def test_in_the_servers_language(here: World) -> None:
    """What Discord has for the server."""
    _guild, channels = await invited(here, locale="es-ES")
    (post,) = posts_in(here, channels["rules"])
    assert "Jugar contra" in labels(post)[0]


async def test_a_line_says_what_each_game_is(here: World) -> None:
    """Who is asked which game reads what is particular about each, those with which to begin first."""
    guild, channels = await invited(here)
    (post,) = posts_in(here, channels["rules"])
    answer = await guild.add_member(here.env.create_user("nora")).click(post, label="Play the computer")

    [menu] = menus(shown(answer).message)
    assert all(option.description for option in menu.options)
    assert ["spanish", "pinoy", "americanas", "tama", "chinese-checkers"] == [each.value for each in menu.options[:5]]
    [tama] = [option for option in menu.options if option.value == "tama"]
    assert "never diagonally" in str(tama.description)


async def test_from_the_invitation_to_the_end_of_a_game(here: World) -> None:
    """Who reads only what is posted needs ten actions: the invitation, two presses to a running game, five moves of
    their own, each typed as the board says, and the end of it with the question whether they are sure."""
    guild, channels = await invited(here)
    actions = 1
    person = guild.add_member(here.env.create_user("nora"))
    (post,) = posts_in(here, channels["rules"])
    answer = await person.click(post, label="Play the computer")
    actions += 1
    await person.select(shown(answer), ["spanish"])
    actions += 1
    assert "Press **Move** under the board" in shown(answer).content

    def board() -> Any:
        return posts_in(here, channels["rules"])[-1]

    for _move in range(5):
        await here.thought()
        game = await here.game(channels["rules"])
        assert person.id == game.to_move
        await here.mention(person, game.rules.turns(game.state)[0].text, channels["rules"])
        actions += 1
    await here.thought()
    asked = await person.click(board(), label="Resign")
    actions += 1
    await person.click(shown(asked), label="Resign")
    actions += 1

    assert 10 == actions
    assert "resigned" in board().content
    assert await here.bot.services.games.running_in(channels["rules"].id) is None


async def test_from_the_invitation_to_the_end_of_a_game_by_taps(here: World) -> None:
    """Without typing it is nine: the invitation, two presses to a running game, two turns by *Move* and the move, and
    the end of it with the question whether they are sure."""
    guild, channels = await invited(here)
    actions = 1
    person = guild.add_member(here.env.create_user("nora"))
    (post,) = posts_in(here, channels["rules"])
    answer = await person.click(post, label="Play the computer")
    await person.select(shown(answer), ["spanish"])
    actions += 2
    for _turn in range(2):
        await here.thought()
        asked = shown(await person.click(posts_in(here, channels["rules"])[-1], label="Move"))
        played, taps = await choose(person, asked.message, offered(asked.message)[0])
        assert shown(played).content.startswith("Played")
        actions += 1 + taps
    await here.thought()
    asked = shown(await person.click(posts_in(here, channels["rules"])[-1], label="Resign"))
    await person.click(asked, label="Resign")
    actions += 2

    assert 9 == actions
    assert "resigned" in posts_in(here, channels["rules"])[-1].content
