from __future__ import annotations

import asyncio
import re
from typing import Any

import discord
import pytest
from simcord.backend.models import AllowedMentions, Overwrite
from simcord.backend.serializers import message_payload
from simcord.enums import OverwriteType
from sqlalchemy.exc import IntegrityError

from bot.chat.games.announcer import Announcer
from bot.chat.messages import READ_IN
from bot.games.model.errors import NotStored
from bot.games.model.game import Game
from bot.games.persistence.integrity import check_games
from bot.games.persistence.outbox import Announcement
from bot.games.service import Games
from data.queries import games
from tests.support.discord.world import World, labels, said


async def test_an_illegal_move_is_refused_with_the_rules_reason(here: World) -> None:
    """Addressed to the bot, a slip changes nothing and gets the reason as a reply that pings nobody."""
    await here.start()

    message = await here.mention(here.alice, "b3-b4")

    assert "b3" in here.last.content or "b4" in here.last.content
    assert here.last.reference is not None
    assert message.id == here.last.reference.message_id
    assert {"parse": [], "replied_user": False} == here.sent()[-1]["allowed_mentions"]
    assert 0 == (await here.game()).ply


@pytest.mark.parametrize("text", ["hello there", "", "what", "good luck"])
async def test_anything_said_to_the_bot_gets_an_answer(here: World, text: str) -> None:
    """A mention that is no move is told how moves are written."""
    await here.start()

    await here.mention(here.alice, text)

    assert "such as b3-a4" in here.last.content


async def test_a_reply_with_ping_is_addressed_to_the_bot(here: World) -> None:
    """Without the intent, a reply to the board carries its text: a slip is answered, a move is played."""
    await here.start()
    board = here.boards()[0]

    await here.alice.send(here.channel, "nice board", reply_to=board)
    assert "such as b3-a4" in here.last.content
    await here.alice.send(here.channel, "b3-a4", reply_to=board)

    assert 1 == (await here.game()).ply


async def test_a_reply_to_an_old_board_is_about_the_game_as_it_stands(here: World) -> None:
    """A move typed under the first board counts in the running game of the channel."""
    await here.start()
    first = here.boards()[0]
    await here.mention(here.alice, "b3-a4")
    await here.mention(here.bob, "g6-h5")

    await here.alice.send(here.channel, "d3-c4", reply_to=first)

    assert ["b3-a4", "g6-h5", "d3-c4"] == [entry.text for entry in (await here.game()).line]


async def test_out_of_turn_or_from_outside_the_bot_says_so(here: World) -> None:
    """Addressed by whoever is not to move, or does not play, the bot says whose turn it is; nothing is played."""
    await here.start()

    await here.mention(here.bob, "g6-h5")
    assert "turn" in here.last.content
    await here.mention(here.carol, "b3-a4")
    assert "not playing" in here.last.content
    assert 0 == (await here.game()).ply


async def test_without_a_game_the_bot_says_how_to_start_one(here: World) -> None:
    """A mention in a channel without a game is answered with `/play`."""
    await here.mention(here.alice, "c3-d4")

    assert "`/play`" in here.last.content


@pytest.mark.message_content
@pytest.mark.parametrize(
    "text", ["hello", "c3-d4 looks good", "12", "what about b3-a4?", "lol", "is anyone at a4", "b3-a4 or b3-c4"]
)
async def test_talk_is_never_answered(here: World, text: str) -> None:
    """With the intent too, what is not wholly a move passes in silence, whoever says it."""
    await here.start()
    before = len(here.posts())

    for person in (here.alice, here.bob, here.carol):
        await person.send(here.channel, text)

    assert before == len(here.posts())
    assert 0 == (await here.game()).ply


@pytest.mark.message_content
async def test_plain_moves_count_from_the_player_to_move_only(here: World) -> None:
    """Bob, out of turn, and Carol, from outside, may write moves without a word from the bot."""
    await here.start()
    before = len(here.posts())

    await here.bob.send(here.channel, "g6-h5")
    await here.carol.send(here.channel, "b3-a4")
    assert before == len(here.posts())
    await here.alice.send(here.channel, "b3-a4")

    assert before + 1 == len(here.posts())
    assert 1 == (await here.game()).ply


@pytest.mark.message_content
async def test_plain_moves_count_in_the_games_channel_only(here: World) -> None:
    """The same text in another channel is talk."""
    await here.start()
    elsewhere = here.guild.create_text_channel("elsewhere")

    await here.alice.send(elsewhere, "b3-a4")

    assert [] == here.posts(elsewhere)
    assert 0 == (await here.game()).ply


@pytest.mark.message_content
async def test_an_illegal_plain_move_of_the_player_to_move_is_refused(here: World) -> None:
    """A whole move that the rules forbid gets its reason, as a reply that pings nobody."""
    await here.start()

    await here.alice.send(here.channel, "b3-b4")

    assert here.last.reference is not None
    assert {"parse": [], "replied_user": False} == here.sent()[-1]["allowed_mentions"]


@pytest.mark.message_content
async def test_a_reply_without_ping_is_talk_unless_it_is_a_move(here: World) -> None:
    """Who switches the ping off does not address the bot."""
    await here.start()
    before = len(here.posts())
    backend, board = here.env.backend, here.boards()[0]
    reference = backend.normalize_message_reference(here.channel.id, {"message_id": str(board.id)})
    quiet = AllowedMentions(replied_user=False)

    backend.create_message(here.channel.id, here.alice.id, "well played", reference=reference, allowed_mentions=quiet)
    await here.env.settle()

    assert before == len(here.posts())


async def test_bots_and_webhooks_are_not_heard(here: World) -> None:
    """Whatever a bot or a webhook writes, mention or not, is nobody's move and gets no answer."""
    await here.start()
    before = len(here.posts())
    robot = here.guild.add_member(here.env.create_user("robot", bot=True))
    hook = here.guild.create_webhook(here.channel)

    await robot.send(here.channel, f"{here.at()} b3-a4")
    await hook.send(f"{here.at()} b3-a4")

    assert before == len(here.posts())


async def test_direct_messages_are_left_alone(here: World) -> None:
    """The bot does not listen to direct messages."""
    await here.start()

    await here.alice.send_dm("b3-a4")

    assert 0 == (await here.game()).ply
    assert [] == here.sent(ending="/users/@me/channels")


async def test_a_message_that_comes_twice_is_played_once(here: World) -> None:
    """Discord may deliver a message twice: one turn, one post, no word about it."""
    await here.start()
    message = here.drop(here.alice, f"{here.at()} b3-a4")
    here.deliver_again(message)
    await here.env.settle()
    here.deliver_again(message)
    await here.env.settle()

    assert 1 == (await here.game()).ply
    assert 2 == len(here.boards())
    assert 3 == len(here.posts())


async def test_a_message_that_comes_again_after_a_restart_is_played_once(here: World) -> None:
    """The store knows the message too: the new process says nothing."""
    await here.start()
    message = here.drop(here.alice, f"{here.at()} b3-a4")
    await here.env.settle()
    await here.mention(here.bob, "g6-h5")
    posts = len(here.posts())

    await here.restart()
    here.deliver_again(message)
    await here.env.settle()

    assert 2 == (await here.game()).ply
    assert posts == len(here.posts())


async def test_a_refusal_is_given_once(here: World) -> None:
    """A slip that is delivered twice is refused once."""
    await here.start()
    before = len(here.posts())
    here.deliver_again(here.drop(here.alice, f"{here.at()} b3-b5"))
    await here.env.settle()

    assert before + 1 == len(here.posts())


async def test_a_move_said_again_before_its_board_is_there(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who says a move again because no board has come yet is not told that it is not their turn: the board comes, once.
    With the board there they are told."""
    await here.start()
    post, running_in, heard = Announcer.post, Games.running_in, asyncio.Event()

    async def found(self: Games, channel_id: int) -> Game | None:
        game = await running_in(self, channel_id)
        if game is not None and game.ply:
            heard.set()
        return game

    async def slowly(self: Announcer, announcement: Announcement, **how: Any) -> Any:
        here.drop(here.alice, f"{here.at()} B3-a4")
        await heard.wait()
        return await post(self, announcement, **how)

    monkeypatch.setattr(Games, "running_in", found)
    monkeypatch.setattr(Announcer, "post", slowly)
    here.drop(here.alice, f"{here.at()} b3-a4")
    await here.env.settle()
    assert 2 == len(here.boards())
    assert [] == [post for post in here.posts() if post.reference is not None]

    monkeypatch.undo()
    await here.mention(here.alice, "b3-a4")
    assert "not your turn" in here.last.content


@pytest.mark.parametrize("seconds", [-1, 2])
async def test_a_move_said_again_that_arrives_late(here: World, monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """A move said again before the board was there, before its turn was stored or after it, is not refused, though it
    arrives when the board is there; one that is said then is."""
    await here.start()
    post = Announcer.post

    async def slowly(self: Announcer, announcement: Announcement, **how: Any) -> Any:
        await asyncio.sleep(5)
        return await post(self, announcement, **how)

    monkeypatch.setattr(Announcer, "post", slowly)
    message = await here.mention(here.alice, "b3-a4")
    await here.env.advance_time(6)
    posts = here.posts()
    late = message_payload(here.env.backend, here.env.backend.get_message(here.channel.id, message.id))

    here.env.backend.emit("MESSAGE_CREATE", late | {"id": str(message.id + (seconds * 1_000 << 22))})
    await here.env.settle()

    assert len(posts) == len(here.posts())
    assert 1 == (await here.game()).ply
    here.env.backend.emit("MESSAGE_CREATE", late | {"id": str(posts[-1].id + 1)})
    await here.env.settle()
    assert "not your turn" in here.last.content


async def test_a_move_said_again_while_it_is_played(here: World) -> None:
    """A move that is said twice at one moment is played once and refused never."""
    await here.start()
    posts = len(here.posts())

    here.drop(here.alice, f"{here.at()} b3-a4")
    here.drop(here.alice, f"{here.at()} b3-a4")
    await here.env.settle()

    assert posts + 1 == len(here.posts())
    assert 1 == (await here.game()).ply


async def test_two_moves_at_one_moment_give_one_turn(here: World) -> None:
    """Of two moves by one player that arrive together one is played, and the other is told that the turn is over."""
    await here.start()

    here.drop(here.alice, f"{here.at()} b3-a4")
    here.drop(here.alice, f"{here.at()} b3-c4")
    await here.env.settle()

    game = await here.game()
    assert 1 == game.ply
    assert 2 == len(here.boards())
    [answer] = [post for post in here.posts() if post.reference is not None]
    assert "turn" in answer.content


async def test_a_slip_that_has_a_reason_is_told_it(here: World) -> None:
    """Where more can be said than that it is no move, that is said."""
    await here.start("americanas")
    alice = here.mover(await here.game())
    for text, says in (
        ("40-44", "There is no square 40; the squares are numbered 1 to 32."),
        ("soplar z9", "To huff a piece, give its square: `soplar "),
        ("oblige c3", "type oblige alone"),
    ):
        await here.mention(alice, text)
        assert says in here.last.content


async def test_a_number_alone_is_told_where_it_belongs(here: World) -> None:
    """A list says how it is answered; a number without it is told so, with a move as this game writes it."""
    await here.start("pinoy")
    await here.mention(here.alice, "d4")
    assert here.last.content.endswith("\n2. `e3-d4`\nPress its number, or answer this message with it.")
    await here.mention(here.alice, "2")
    how = "To choose from a numbered list, press the number, or answer the list with it."
    assert f"I cannot read that as a move. Type a move such as a3-b4. {how}" == here.last.content
    await here.mention(here.alice, "x" * 1900)
    assert "That is too long for a move. Type a move such as a3-b4." == here.last.content


async def test_a_stranger_is_not_asked_which_move(here: World) -> None:
    """*Play this move* of somebody who does not play says so, however many moves the message holds."""
    await here.start()
    message = await here.alice.send(here.channel, "maybe b3-a4 or b3-c4 (c5)")
    answer = await here.carol.context_menu(here.channel, "Play this move", message)
    assert "You are not playing in this game." == said(answer)


async def test_whose_game_is_in_a_thread_is_sent_there(here: World) -> None:
    """Who types or resigns in the channel beside which their game is played is told where it is."""
    await here.start()
    await here.carol.slash(here.channel, "play", variant="tama", opponent=here.bob)
    await here.bob.click(here.last, label="Accept")
    [thread] = here.channel.threads
    there = f"You are not playing in this game. Yours is in <#{thread.id}>."
    await here.mention(here.carol, "c3-c4")
    assert there == here.last.content
    assert there == said(await here.carol.slash(here.channel, "game resign"))
    assert "Yours" not in said(await here.person("dan").slash(here.channel, "game resign"))


async def test_who_types_numbers_is_answered_in_numbers(here: World) -> None:
    """Refusals name squares as they were typed, and so do the moves that a text may mean."""
    await here.start()
    await here.mention(here.alice, "17-13")
    assert not re.search("[a-h][1-8]", here.last.content)
    await here.mention(here.alice, "h5-g4")
    assert "h5" in here.last.content


async def test_several_moves_that_fit_are_listed_with_buttons(here: World) -> None:
    """A square that two pieces may go to gets a numbered list; only the player to move may choose, and only once."""
    await here.start()
    await here.mention(here.alice, "c4")
    listed = here.last
    assert "1. `b3-c4`" in listed.content
    assert "2. `d3-c4`" in listed.content
    assert ["1", "2"] == labels(listed)

    assert "not playing" in said(await here.carol.click(listed, label="2"))
    assert "turn" in said(await here.bob.click(listed, label="2"))
    answer = await here.alice.click(listed, label="2")

    assert answer.acknowledged
    assert ["d3-c4"] == [entry.text for entry in (await here.game()).line]
    assert [] == labels(next(post for post in here.posts() if post.id == listed.id))


async def test_a_number_typed_in_answer_to_the_list_picks_from_it(here: World) -> None:
    """The player may answer the list with a number, in wide digits too; a number that it has not, or an old list, plays
    nothing."""
    await here.start()
    await here.mention(here.alice, "c4")
    listed = here.last
    await here.alice.send(here.channel, "3", reply_to=listed)
    assert "cannot read" in here.last.content
    await here.bob.send(here.channel, "2", reply_to=listed)
    assert "not your turn" in here.last.content
    await here.alice.send(here.channel, f"{here.at()}, \uff12", reply_to=listed)
    assert ["d3-c4"] == [entry.text for entry in (await here.game()).line]

    await here.mention(here.bob, "e6-d5")
    await here.alice.send(here.channel, "1", reply_to=listed)
    assert "moved on" in here.last.content
    assert 2 == (await here.game()).ply


async def test_a_choice_of_an_old_position_is_stale(here: World) -> None:
    """When the game has gone on, the numbers of an old list play nothing."""
    await here.start()
    await here.mention(here.alice, "c4")
    listed = here.last
    await here.mention(here.alice, "b3-a4")

    answer = said(await here.alice.click(listed, label="1"))

    assert "moved on" in answer
    assert f"/{here.boards()[-1].id}" in answer
    assert 1 == (await here.game()).ply


async def test_the_commands_answer_is_private_when_several_moves_fit(here: World) -> None:
    """`/move c4` lists the moves for the player alone; the button there plays."""
    await here.start()
    answer = await here.alice.slash(here.channel, "move", move="c4")
    assert "2. `d3-c4`" in said(answer)
    assert answer.response is not None

    await here.alice.click(answer.response, label="1")

    assert ["b3-c4"] == [entry.text for entry in (await here.game()).line]


@pytest.mark.message_content
async def test_a_move_that_could_not_be_stored_is_owned_up_to(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is no reason for silence: the player to move is told to try again, also after a plain message."""
    await here.start()

    async def full(*_: object, **__: object) -> None:
        raise NotStored("That was not saved. Please try again in a moment.")

    monkeypatch.setattr(here.bot.services.games.moves, "turn", full)
    await here.alice.send(here.channel, "b3-a4")

    assert "not saved" in here.last.content


@pytest.mark.message_content
async def test_talk_is_not_answered_when_the_database_is_away(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like a move, in a channel of which nothing is known, stays unanswered."""

    async def away(*_: object, **__: object) -> None:
        raise NotStored("The games cannot be read just now.")

    monkeypatch.setattr(here.bot.services.games, "running_in", away)
    await here.alice.send(here.channel, "b3-a4")
    assert [] == here.posts()
    await here.mention(here.alice, "b3-a4")
    assert "cannot be read" in here.last.content


async def test_a_wrong_move_bothers_nobody_for_long(here: World) -> None:
    """The answer to a wrong move notifies nobody, leads to the moves by a tap, and goes; a mark stays."""
    await here.start()
    message = await here.mention(here.alice, "b3-b4")
    answer = here.last
    assert "b4 is not used" in answer.content
    assert answer.flags.suppress_notifications
    assert "Choose your move." == said(await here.alice.click(answer, label="Move"))

    await here.env.advance_time(READ_IN + 1)

    assert message.id == here.last.id
    assert ["\N{CROSS MARK}"] == [str(reaction.emoji) for reaction in here.last.reactions]


async def test_where_no_mark_can_be_set_the_answer_stays(here: World) -> None:
    """Without the permission for reactions a refusal stays, and so does a question: nothing is passed over silently."""
    await here.start()
    await here.mention(here.alice, "c4")
    await here.env.advance_time(READ_IN + 1)
    assert "Which one do you mean?" in here.last.content

    assert here.bot.user is not None
    bits = discord.Permissions(add_reactions=True).value
    denied = Overwrite(target_id=here.bot.user.id, type=OverwriteType.MEMBER, allow=0, deny=bits)
    here.env.backend.set_overwrite(here.channel.id, denied)
    await here.mention(here.alice, "b3-b4")
    await here.env.advance_time(READ_IN + 1)
    assert "b4 is not used" in here.last.content


async def test_a_move_that_collides_is_told_and_can_be_played_again(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed, sent in or given by command: whatever else came in at one instant, the mover reads one clear sentence,
    nothing is half done, and the same move goes through the next time."""
    await here.start()
    form, add_turn = await here.form(here.alice), games.add_turn

    async def collides(*_given: Any, **_more: Any) -> None:
        raise IntegrityError("INSERT", {}, Exception("UNIQUE constraint failed"))

    monkeypatch.setattr(games, "add_turn", collides)
    told = "That was not saved: something else happened at the same moment. Please try again."
    assert told == said(await here.alice.submit_modal(form, {"move": "b3-a4"}))
    assert told == said(await here.alice.slash(here.channel, "move", move="b3-a4"))
    await here.mention(here.alice, "b3-a4")
    assert told == here.last.content
    assert 0 == (await here.game()).ply

    monkeypatch.setattr(games, "add_turn", add_turn)
    await here.mention(here.alice, "b3-a4")
    assert ["b3-a4"] == [entry.text for entry in (await here.game()).line]
    assert [] == await check_games(here.bot.services.store)
