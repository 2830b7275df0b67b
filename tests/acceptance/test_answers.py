"""Private answers whose connection breaks: what was done is done, and nobody is told otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import pytest
from simcord.results import ResponseMessage

from bot.chat.games import button_handlers
from tests.support.discord.errors import refused
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, said


def cut(monkeypatch: pytest.MonkeyPatch, name: str, times: int, *, after: bool = False) -> list[int]:
    """The connection breaks so many times while this answer is sent: ``after`` Discord has it, or before. Returns what
    counts the tries."""
    really: Callable[..., Any] = getattr(discord.InteractionResponse, name)
    tries: list[int] = []

    async def send(response: Any, *args: Any, **more: Any) -> Any:
        tries.append(len(tries) + 1)
        if len(tries) > times:
            return await really(response, *args, **more)
        if after:
            await really(response, *args, **more)
            response._response_type = None
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(discord.InteractionResponse, name, send)
    return tries


async def test_an_answer_that_was_cut_off_is_given_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It arrives by the second try."""
    cut(monkeypatch, "send_message", 1)

    assert "posted" in said(await here.play())


@pytest.mark.parametrize("after", [False, True])
async def test_who_has_joined_is_not_told_that_nothing_was_changed(
    here: World, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    """The press was done, whatever becomes of its acknowledgement; it is tried twice, and that is no error."""
    club = Club(here, 2)
    await club.create("swiss", rounds=1)
    tries = cut(monkeypatch, "defer", 2, after=after)

    answer = await club.players[0].click(club.announcement, label="Join")

    assert not answer.ephemeral
    assert [1, 2] == tries[:2]
    assert [club.players[0].id] == [each.person for each in (await club.load()).state.entrants]


async def about_to_resign(here: World) -> ResponseMessage:
    """A game has begun, and its first player is asked whether to resign."""
    await here.start()
    asked = (await here.alice.slash(here.channel, "game resign")).response
    assert asked is not None
    return asked


async def test_where_nobody_knows_nothing_is_claimed(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is resigned, and the connection breaks while that is said: the person is asked to look."""
    here.expected_errors.add("interaction failed")
    asked = await about_to_resign(here)
    cut(monkeypatch, "edit_message", 1)

    answer = await here.alice.click(asked, label="Resign")

    assert "Please check whether it went through before trying again" in said(answer)
    assert "finished" == (await here.bot.services.games.game(1)).status


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 50035), (400, 40060), (403, 50001)])
async def test_what_discord_refuses_is_not_said_to_be_undone(
    here: World, monkeypatch: pytest.MonkeyPatch, status: int, code: int
) -> None:
    """The game is resigned, and Discord takes no answer: nobody is told that nothing has changed."""
    here.expected_errors.add("interaction failed")
    asked = await about_to_resign(here)
    refuse(monkeypatch, "edit_message", status, code)

    answer = await here.alice.click(asked, label="Resign")

    assert "Please check whether it went through before trying again" in said(answer)
    assert "finished" == (await here.bot.services.games.game(1)).status


@pytest.mark.parametrize(
    ("fails", "told"), [("replace", "Please check whether it went through"), ("reachable", "nothing has changed")]
)
async def test_an_error_of_ours_is_told_as_it_is(
    here: World, monkeypatch: pytest.MonkeyPatch, fails: str, told: str
) -> None:
    """After the game was resigned the person is asked to look; before, nothing has changed."""
    here.expected_errors.add("interaction failed")
    asked = await about_to_resign(here)

    async def fail(*_: Any, **__: Any) -> None:
        raise ValueError("nobody foresaw this")

    monkeypatch.setattr(button_handlers, fails, fail)
    assert told in said(await here.alice.click(asked, label="Resign"))
    assert (fails == "replace") is ((await here.bot.services.games.game(1)).status == "finished")


async def test_a_message_that_was_dismissed_is_answered_beside_it(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would have stood in its place is said all the same."""
    asked = await about_to_resign(here)
    refuse(monkeypatch, "edit_message", 404, 10008)

    answer = await here.alice.click(asked, label="Resign")

    assert "You have resigned." == said(answer)
    assert answer.ephemeral


def refuse(monkeypatch: pytest.MonkeyPatch, name: str, status: int, code: int) -> None:
    """Discord refuses this answer from now on."""

    async def answer(*_: Any, **__: Any) -> None:
        raise refused(status, code)

    monkeypatch.setattr(discord.InteractionResponse, name, answer)


async def test_a_reply_that_is_lost_is_no_error(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection breaks while a typed move is refused; the next one is answered."""
    await here.start()
    with monkeypatch.context() as patch:

        async def send(*_: Any, **__: Any) -> None:
            raise aiohttp.ServerDisconnectedError

        patch.setattr(discord.abc.Messageable, "send", send)
        await here.mention(here.alice, "b3-b4")
    await here.mention(here.alice, "b3-b4")

    assert "b4 is not used" in here.last.content
