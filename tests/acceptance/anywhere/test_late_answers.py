"""Answers that take long: Discord hears that they are to come, and they come, once."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from bot.chat import responses
from bot.games.model.errors import NotStored
from bot.games.model.game import Game
from tests.support.discord.world import World, said


@pytest.mark.time_goes_by
async def test_what_takes_long_is_acknowledged_first(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord waits three seconds: a slow database gets an acknowledgement out before, and the answer afterwards."""
    monkeypatch.setattr(responses, "PATIENCE", 0.01)
    await here.start()
    turn = here.bot.services.games.moves.turn

    async def slow(*about: Any) -> Game:
        # Timers fire in the simulated Discord's order, however busy the machine is.
        await asyncio.sleep(2 * responses.PATIENCE)
        return await turn(*about)

    monkeypatch.setattr(here.bot.services.games.moves, "turn", slow)
    played = await here.alice.slash(here.channel, "move", move="b3-a4")
    shown = await here.form(here.bob)
    sent_in = await here.bob.submit_modal(shown, {"move": "g6-h5"})
    refused = await here.bob.slash(here.channel, "move", move="h7-g6")

    # "I am at it", the board, the form, "I am at it" for what stands there to be changed, "I am at it".
    assert [5, 4, 9, 6, 5] == [body["type"] for body in here.sent(ending="/callback")[-5:]]
    assert "Played: `b3-a4`" in said(played)
    assert sent_in.acknowledged
    assert "turn" in said(refused)
    assert 2 == (await here.game()).ply


async def test_whoever_waits_when_the_bot_ends_is_answered(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the database does: by command and typed, they read that nothing was stored before the bot goes."""
    await here.start()
    begun, over = asyncio.Event(), asyncio.Event()

    async def turn(*_about: Any) -> Game:
        async with here.bot.services.store.read():
            begun.set()
            await over.wait()
        raise NotStored("That was not saved.")

    close, answered = discord.Client.close, list[int]()

    async def noted(bot: discord.Client) -> None:
        answered.append(len(here.sent(ending="/callback")))
        await close(bot)

    monkeypatch.setattr(discord.Client, "close", noted)
    before = len(here.sent(ending="/callback"))
    monkeypatch.setattr(here.bot.services.games.moves, "turn", turn)
    asked = asyncio.create_task(here.alice.slash(here.channel, "move", move="b3-a4"))
    await begun.wait()
    closing = asyncio.create_task(here.bot.close())
    for _ in range(30):
        await asyncio.to_thread(int)
    over.set()
    await closing
    assert "not saved" in said(await asked)
    assert [before + 1] == answered


def reads_slowly(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on Discord has been told to wait before anything is looked up."""
    monkeypatch.setattr(responses, "LAST_MOMENT", 0.01)
    answer = type(here.bot.services.languages).answer

    async def slow(*about: Any) -> None:
        await asyncio.sleep(0.05)
        await answer(*about)

    monkeypatch.setattr(type(here.bot.services.languages), "answer", slow)


def acknowledges_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on what tells Discord to wait is on its way for longer than anything is looked up."""
    defer = discord.InteractionResponse.defer

    async def on_its_way(self: discord.InteractionResponse[Any], **how: Any) -> Any:
        await asyncio.sleep(0.3)
        return await defer(self, **how)

    monkeypatch.setattr(discord.InteractionResponse, "defer", on_its_way)


@pytest.mark.time_goes_by
async def test_whoever_looks_is_not_left_without_an_answer(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the database takes long to be read, Discord hears that an answer is to come, after a command as after a
    press; the answer comes."""
    await here.start()
    reads_slowly(here, monkeypatch)
    shown = await here.alice.slash(here.channel, "board")
    await here.alice.click(here.last, label="Move")
    assert [5, 6] == [body["type"] for body in here.sent(ending="/callback")[-2:]]
    assert shown.acknowledged


@pytest.mark.time_goes_by
async def test_an_answer_comes_after_the_word_that_it_is_to_come(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there to be said while Discord is told to wait for it goes out after that: of two first answers Discord
    takes one alone."""
    await here.start()
    before = len(here.sent(ending="/callback"))
    reads_slowly(here, monkeypatch)
    acknowledges_slowly(monkeypatch)
    shown = await here.alice.slash(here.channel, "board")
    refused = await here.bob.slash(here.channel, "move", move="b3-a4")
    assert [5, 5] == [body["type"] for body in here.sent(ending="/callback")[before:]]
    assert "is to move" in said(shown)
    assert "It is not your turn" in said(refused)


@pytest.mark.time_goes_by
async def test_pages_turn_also_when_it_takes_long(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is pressed to see another page, turn or topic changes the message once Discord was told to wait."""
    game = await here.start()
    await here.mention(here.alice, "b3-a4")
    helped = (await here.alice.slash(here.channel, "help")).response
    replay = (await here.alice.slash(here.channel, "game replay", number=game.id)).response
    assert helped is not None
    assert replay is not None
    reads_slowly(here, monkeypatch)
    told = await here.alice.select(helped, ["moves"], custom_id="menu:damero-help:topic")
    stepped = await here.alice.click(replay, label="Next")
    assert [6, 6] == [body["type"] for body in here.sent(ending="/callback")[-2:]]
    assert "Moving and ending a game" in said(told)
    assert "b3-a4" in said(stepped)


@pytest.mark.time_goes_by
@pytest.mark.parametrize("under_way", [False, True])
async def test_a_form_that_comes_too_late_says_so(
    here: World, monkeypatch: pytest.MonkeyPatch, under_way: bool
) -> None:
    """Once Discord was told to wait it takes no form, after a press as after a command: whoever asked for one hears
    that they have to ask again, and Discord gets no second first answer."""
    await here.start()
    chosen = await here.alice.click(here.last, label="Move")
    assert chosen.response is not None
    before = len(here.sent(ending="/callback"))
    reads_slowly(here, monkeypatch)
    if under_way:
        acknowledges_slowly(monkeypatch)
    pressed = await here.alice.click(chosen.response, label="Type it")
    asked = await here.alice.slash(here.channel, "setup", variant="pinoy")
    assert [6, 5] == [body["type"] for body in here.sent(ending="/callback")[before:]]
    too_late = "The form could not be opened in time; nothing has changed. Please try again."
    assert [too_late] == [each.content for each in pressed.followups]
    assert too_late in said(asked)


@pytest.mark.time_goes_by
async def test_a_position_is_shared_also_when_it_takes_long(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Share* posts to the channel once Discord was told to wait."""
    shown = (await here.alice.slash(here.channel, "setup", variant="pinoy", position="W:Wa1:Bh8")).response
    assert shown is not None
    reads_slowly(here, monkeypatch)
    await here.alice.click(shown, label="Share")
    assert [6] == [body["type"] for body in here.sent(ending="/callback")[-1:]]
    assert "shows a position" in here.last.content
    assert here.last.attachments
    assert not here.last.flags.ephemeral
