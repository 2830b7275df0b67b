"""How games in chats of people end, and what comes after."""

from __future__ import annotations

import asyncio

from tests.support.discord.chats import labels, words_of
from tests.support.discord.game_time import wait
from tests.support.discord.pairs import Pair


async def test_an_offer_that_time_has_closed_is_not_told_with_the_result(in_group: Pair) -> None:
    """The direct message begins with how the game ended."""
    pair = in_group
    await pair.start(clock="1d")
    await pair.move()
    game = await pair.move()
    await pair.chat.click(pair.mover(game), pair.chat.last, "Draw")
    await wait(pair.here, 25)
    told = pair.direct(pair.ben)[-1].content
    assert "ran out of time" in told
    assert "Draw offer" not in told


async def test_a_game_called_off_is_told_once(pair: Pair) -> None:
    """By whom, and that it does not count; whoever looks later reads that it was called off."""
    await pair.start()
    await pair.move()
    await pair.chat.slash(pair.ben, "game abort")
    assert f"<@{pair.ben.id}> has called this game off; it does not count." == pair.chat.last.content
    assert [] == labels(pair.chat.last)
    assert [] == pair.chat.problems()


async def test_a_finished_game_is_analysed(in_group: Pair) -> None:
    """Its players have it analysed, leaf through it and replay it; others of the chat may, too."""
    pair = in_group
    await pair.start()
    for _turn in range(4):
        game = await pair.move()
    asked = await pair.chat.click(pair.ana, pair.chat.last, "Resign")
    await pair.chat.click(pair.ana, pair.chat.private(asked), "Resign")
    for person in (pair.ben, pair.cleo):
        analysed = await pair.chat.slash(person, "analysis", number=game.id)
        for _look in range(600):
            await pair.here.env.settle()
            if "Analysing game" not in pair.chat.private(analysed).content:
                break
            await asyncio.sleep(0.05)
        assert "turn by turn" in words_of(pair.chat.private(analysed))
        page = await pair.chat.click(person, pair.chat.private(analysed), "Turn by turn")
        assert words_of(pair.chat.private(page)).startswith(f"Game {game.id}, page 1 of 1:")
    replayed = await pair.chat.slash(pair.ana, "game replay", number=game.id)
    assert f"Game {game.id}, 0 of" in pair.chat.private(replayed).content
    assert [] == pair.chat.problems()


async def test_a_rematch_after_time_ran_out(pair: Pair) -> None:
    """The chat's board cannot be changed by time: a press on it makes it the last one, with the result and the rematch,
    which a direct message refuses, as nobody else would see the offer there."""
    await pair.start(clock="1d")
    await pair.move()
    await pair.move()
    await wait(pair.here, 25)
    told = await pair.ana.click(pair.ana.dm_channel.last_message, label="Rematch")
    assert "do not see this chat" in told.response.content

    assert "it is your turn" in pair.chat.last.content
    await pair.chat.click(pair.ben, pair.chat.last, "Move")
    assert 1 == len(pair.chat.messages)
    assert f"<@{pair.ben.id}> (Red) wins." in pair.chat.last.content
    assert "it is your turn" not in pair.chat.last.content
    assert ["Rematch", "Analyse", "Replay", "My side"] == labels(pair.chat.last)
    assert 1 == len(pair.chat.last.attachments)
    assert pair.chat.last.content.startswith("Red: **")
    ended = pair.chat.last
    await pair.chat.click(pair.ben, ended, "Rematch")
    assert ended is not pair.chat.last
    assert "ran out of time" in ended.content
    assert "a rematch" in pair.chat.last.content
    again = await pair.chat.click(pair.ben, ended, "Rematch")
    assert "You have offered a rematch" in pair.chat.private(again).content
    offered = pair.chat.last
    await pair.chat.click(pair.ana, offered, "Decline")
    await pair.chat.click(pair.ben, ended, "Rematch")
    assert offered is not pair.chat.last
    await pair.chat.click(pair.ana, pair.chat.last, "Accept")
    await pair.game()
    assert [] == pair.chat.problems()


async def test_a_rematch_with_the_computer_begins_in_the_direct_message(in_group: Pair) -> None:
    """Which has told how the game in the chat ended: there is nobody else to ask. It begins once."""
    chat, ana = in_group.chat, in_group.ana
    await chat.slash(ana, "play", variant="pinoy", level=1, side="first", clock="1d")
    for _turn in range(2):
        game = await in_group.game()
        await chat.slash(ana, "move", move=game.rules.turns(game.state)[0].text)
        await in_group.here.thought()
    await wait(in_group.here, 25)
    told = ana.dm_channel.last_message
    assert told is not None
    assert "ran out of time" in told.content

    for _press in range(2):
        await ana.click(told, label="Rematch")
        await in_group.here.thought()
        began = await in_group.here.bot.services.games.running_in(ana.dm_channel.id)
        assert began is not None
        assert (game.id, game.players[::-1]) == (began.rematch_of, began.players)
    assert any(f"<@{ana.id}>, it is your turn (Black)." in each.content for each in in_group.direct(ana))
    assert [] == chat.problems()


async def test_the_board_command_tells_how_the_last_game_ended(pair: Pair) -> None:
    """Where time has ended the game, `/board` says so to its players, with what its last board has; and shows it to
    all."""
    chat = pair.chat
    await pair.start(clock="1d")
    await pair.move()
    await pair.move()
    seen = await chat.slash(pair.cleo, "board")
    assert ["My side", "Show the board"] == labels(chat.private(seen))
    mine = chat.private(await chat.slash(pair.ana, "board"))
    await wait(pair.here, 25)

    ended = chat.private(await chat.slash(pair.ben, "board"))
    assert f"<@{pair.ben.id}> (Red) wins." in ended.content
    assert "is to move" not in ended.content
    assert ["Rematch", "Analyse", "Replay", "My side", "Show the board"] == labels(ended)
    nothing = await chat.slash(pair.cleo, "board")
    assert "No game is running in this channel" in chat.private(nothing).content
    late = chat.private(await chat.click(pair.ana, mine, "Move"))
    assert "This game is over." in late.content
    await chat.click(pair.ben, ended, "Show the board")
    assert f"<@{pair.ben.id}> (Red) wins." in chat.last.content
    assert ["Rematch", "Analyse", "Replay", "My side"] == labels(chat.last)
    assert [] == chat.problems()


async def test_a_table_is_told_of_time_without_a_list_of_names(in_group: Pair) -> None:
    """In a direct message there is nobody else to notify."""
    pair = in_group
    people = [pair.ana, pair.ben, pair.cleo]
    await pair.chat.slash(pair.ana, "play", variant="chinese-checkers", players=3, clock="1d")
    await pair.chat.click(pair.ben, pair.chat.last, "Join")
    await pair.chat.click(pair.cleo, pair.chat.last, "Join")
    for _turn in range(4):
        game = await pair.game()
        [mover] = [person for person in people if person.id == game.to_move]
        await pair.chat.slash(mover, "move", move=game.rules.turns(game.state)[0].text)
    await wait(pair.here, 25)
    for person in people:
        told = pair.direct(person)[-1].content
        assert "has run out of time; the others play on." in told
        assert 1 == told.count("<@")


async def test_who_has_left_a_table_is_shown_no_buttons_of_players(in_group: Pair) -> None:
    """`/board` shows them what onlookers see, as long as the others play."""
    chat, people = in_group.chat, [in_group.ana, in_group.ben, in_group.cleo]
    await chat.slash(in_group.ana, "play", variant="chinese-checkers", players=3)
    await chat.click(in_group.ben, chat.last, "Join")
    await chat.click(in_group.cleo, chat.last, "Join")
    for _turn in range(4):
        game = await in_group.game()
        [mover] = [person for person in people if person.id == game.to_move]
        await chat.slash(mover, "move", move=game.rules.turns(game.state)[0].text)
    asked = await chat.click(mover, chat.last, "Resign")
    await chat.click(mover, chat.private(asked), "Resign")
    for person in people:
        shown = chat.private(await chat.slash(person, "board"))
        assert (person is not mover) is ("Resign" in labels(shown))


async def test_a_board_in_a_direct_message_ends_with_the_game(in_group: Pair) -> None:
    """Which time has ended: a press on it shows how, there too."""
    pair = in_group
    await pair.start(clock="1d")
    await pair.move()
    await pair.move()
    await wait(pair.here, 23)
    await pair.ana.click(pair.ana.dm_channel.history()[-1], label="Show the board")
    board = pair.ana.dm_channel.history()[-1]
    assert "it is your turn" in board.content
    await wait(pair.here, 2)
    await pair.ana.click(board, label="Move")
    [ended] = [each for each in pair.direct(pair.ana) if each.id == board.id]
    assert "ran out of time" in ended.content
    assert ["Rematch", "Analyse", "Replay", "My side"] == labels(ended)
    assert [] == pair.chat.problems()
