"""Where the bot may only answer: restarts, tokens that hold no more, people whom it cannot write to."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.games.model.timers import SERVER
from data.queries import announcements, timers
from tests.support.discord.chats import EPHEMERAL, labels
from tests.support.discord.pairs import Pair

DEAD = [(404, 10015), (404, 10062), (401, 50027)]
"""What Discord says of a token that holds no more."""


async def typing(pair: Pair) -> InteractionResult:
    """Ana is shown the form for her move."""
    choice = await pair.chat.click(pair.ana, pair.chat.last, "Move")
    return await pair.chat.click(pair.ana, pair.chat.private(choice), "Type it")


async def waiting(pair: Pair) -> list[int]:
    return await pair.here.bot.services.outbox.games_waiting()


async def killed_after_a_turn(pair: Pair) -> Any:
    """A turn is stored, and the bot is gone before it could show it."""
    game = await pair.game()
    services = pair.here.bot.services
    turn = game.rules.turns(game.state)[0].text
    after = await services.games.moves.turn(game.id, pair.mover(game).id, turn, f"i:{10**18 + game.ply}")
    await pair.here.restart()
    await pair.here.env.settle()
    return after


async def test_a_challenge_outlives_a_restart(pair: Pair) -> None:
    """What is under it is pressed after the restart, and the game is played on over another."""
    await pair.chat.slash(pair.ana, "play", variant="spanish", opponent=pair.ben, side="first")
    await pair.here.restart()
    await pair.chat.click(pair.ben, pair.chat.last, "Accept")
    await pair.move()
    await pair.here.restart()
    game = await pair.move()
    assert f"g{game.id}-m2.png" == pair.chat.last.attachments[0]["filename"]
    # The server of the chat has never had the bot, so it has not removed it.
    async with pair.here.bot.services.store.read() as tx:
        assert set() == await timers.subjects(tx, SERVER)
    assert [] == pair.chat.problems()


async def test_a_turn_that_was_not_shown_is_written_to_the_players(pair: Pair) -> None:
    """Killed between turn and answer: after the restart the players have the board directly, and it works there."""
    await pair.start()
    game = await killed_after_a_turn(pair)

    assert [] == await waiting(pair)
    for person in (pair.ana, pair.ben):
        written = pair.direct(person)[-1]
        assert f"<@{pair.ben.id}>, it is your turn" in written.content
        assert f"g{game.id}-m1.png" == written.attachments[0]["filename"]
    # The old board's button leads to the board as it stands.
    stale = await pair.chat.click(pair.ben, pair.chat.last, "Move")
    await pair.chat.click(pair.ben, pair.chat.private(stale), "Show the board")
    assert (await pair.move()).ply == 2
    assert [] == pair.chat.problems()


async def test_nobody_can_be_written_to(pair: Pair) -> None:
    """Then nothing waits for ever and no time runs, until a player asks for the board."""
    await pair.start(clock="5+3")
    pair.here.env.inject_error("POST", "/channels/*/messages", status=403, code=50007, times=None)
    game = await killed_after_a_turn(pair)
    assert [] == await waiting(pair)
    services = pair.here.bot.services
    async with services.store.read() as tx:
        boards = await announcements.unseen(tx, game.id, 1)
    assert [None] == [until for _since, until in boards]

    await pair.here.env.advance_time(20 * 60)
    assert "running" == (await services.games.game(game.id)).status
    pair.here.env.backend.faults.clear()
    await pair.chat.slash(pair.ben, "board")
    assert f"g{game.id}-m1.png" == pair.chat.last.attachments[0]["filename"]
    async with services.store.read() as tx:
        assert all(until is not None for _since, until in await announcements.unseen(tx, game.id, 1))
    assert (await pair.move()).ply == 2
    assert [] == pair.chat.problems()


@pytest.mark.parametrize(("status", "code"), DEAD)
async def test_a_token_that_holds_no_more(in_group: Pair, status: int, code: int) -> None:
    """The change is refused: the board is written to the players, and the next press goes on."""
    pair = in_group
    await pair.start()
    game = await pair.game()
    form = await typing(pair)
    for path in ("/webhooks/*/*/messages/*", "/webhooks/*/*"):
        pair.here.env.inject_error("*", path, status=status, code=code, times=None)
    await pair.chat.submit(pair.ana, form, {"move": game.rules.turns(game.state)[0].text})
    pair.here.env.backend.faults.clear()

    assert [] == await waiting(pair)
    assert f"g{game.id}-m1.png" == pair.direct(pair.ben)[-1].attachments[0]["filename"]
    stale = await pair.chat.click(pair.ben, pair.chat.last, "Move")
    await pair.chat.click(pair.ben, pair.chat.private(stale), "Show the board")
    assert (await pair.move()).ply == 2


async def test_discord_in_trouble_is_tried_again(in_group: Pair) -> None:
    """A server error is no dead token: the same press shows the board a little later."""
    pair = in_group
    await pair.start()
    game = await pair.game()
    form = await typing(pair)
    pair.here.env.inject_error("PATCH", "/webhooks/*/*/messages/*", status=500, times=2)
    await pair.chat.submit(pair.ana, form, {"move": game.rules.turns(game.state)[0].text})
    for _second in range(60):
        await pair.here.env.advance_time(1)

    assert f"g{game.id}-m1.png" == pair.chat.last.attachments[0]["filename"]
    assert [] == pair.direct(pair.ben)
    assert [] == await waiting(pair)


async def test_after_sixteen_minutes_the_next_press_shows_the_board(pair: Pair) -> None:
    """A token of before holds no more; each press brings its own, and who is to move is pinged by the new board."""
    await pair.start()
    await pair.here.env.advance_time(16 * 60)
    game = await pair.move()
    assert f"g{game.id}-m1.png" == pair.chat.last.attachments[0]["filename"]
    assert 2 == len(pair.chat.messages)
    assert [pair.ben.id] == pair.chat.last.ping_user_ids
    assert [] == pair.direct(pair.ben)
    assert [] == pair.chat.problems()


async def test_a_slow_answer_of_the_computer_is_written(in_group: Pair) -> None:
    """Where the token has run out before the computer answers, its answer comes directly."""
    pair = in_group
    await pair.chat.slash(pair.ana, "play", variant="spanish", level=1, side="first")
    await pair.here.thought()
    game = await pair.game()
    turn = game.rules.turns(game.state)[0].text
    after = await pair.here.bot.services.games.moves.turn(game.id, pair.ana.id, turn, "i:1")
    await pair.here.env.advance_time(16 * 60)
    pair.here.bot.services.games_changed.send(after)
    await pair.here.thought()
    await pair.here.env.settle()

    game = await pair.game()
    assert 2 == game.ply
    assert f"<@{pair.ana.id}>, it is your turn" in pair.direct(pair.ana)[-1].content
    assert [] == await waiting(pair)


async def test_a_game_is_played_on_in_direct_messages(in_group: Pair) -> None:
    """The board that was written to a player works there; who plays against them is written to in turn."""
    pair = in_group
    await pair.start()
    game = await killed_after_a_turn(pair)
    board = pair.ben.dm_channel.last_message
    assert board is not None
    choice = await pair.ben.click(board, label="Move")
    shown = await pair.ben.click(choice.response, label="Type it")
    await pair.ben.submit_modal(shown, {"move": game.rules.turns(game.state)[0].text})

    # His own board is changed; Ana, who saw nothing of it in the chat, has one more.
    seen = [each for each in pair.direct(pair.ben) if each.attachments and not each.flags & EPHEMERAL]
    assert f"g{game.id}-m2.png" == seen[-1].attachments[0]["filename"]
    assert ["m1", "m2"] == [each.attachments[0]["filename"][-6:-4] for each in pair.direct(pair.ana)]
    assert (await pair.game()).ply == 2
    assert [] == pair.chat.problems()


async def test_reminders_come_directly(in_group: Pair) -> None:
    """At the beginning the players are told where reminders come, and they come there, with a way to the board."""
    pair = in_group
    await pair.start(clock="3d")
    for person in (pair.ana, pair.ben):
        assert ["your game has begun" in each.content for each in pair.direct(person)] == [True]
    assert "check in now and then" not in pair.chat.last.content

    await pair.here.env.advance_time(37 * 3600)
    reminder = pair.direct(pair.ana)[-1]
    assert "Half of your time for this move is gone." in reminder.content
    assert ["Show the board"] == labels(reminder)
    assert 1 == len(pair.direct(pair.ben))
    assert [] == pair.chat.problems()


async def test_who_cannot_be_reminded_is_named_at_the_beginning(in_group: Pair) -> None:
    """Direct messages are closed: the board says so when the game begins, and no reminder waits for ever."""
    pair = in_group
    pair.here.env.inject_error("POST", "/channels/*/messages", status=403, code=50007, times=None)
    await pair.start(clock="3d")
    assert f"I cannot send reminders to <@{pair.ana.id}> and <@{pair.ben.id}>" in pair.chat.last.content

    await pair.here.env.advance_time(37 * 3600)
    assert [] == await waiting(pair)
