from __future__ import annotations

import re
from typing import Any

import aiohttp
import discord
import pytest
import sqlalchemy as sa
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.chat.games.announcer import Announcer
from bot.chat.posting import find_posted
from bot.games.model.game import Game, Place
from bot.games.persistence.integrity import check_games
from bot.games.persistence.outbox import Announcement, PostedMessage
from bot.games.persistence.transactions import reading
from data.schema.games import announcements
from tests.support.discord.world import World, labels, said, start_in


def buttons(answer: InteractionResult) -> list[str]:
    """The buttons under a private answer, as it was sent."""
    assert answer.response is not None
    rows: list[Any] = list(answer.response.components)
    return [button["label"] for row in rows for button in row["components"]]


async def test_games_are_listed_the_most_urgent_first(here: World) -> None:
    """By deadline, then those without a clock; each with a link; ten on a page."""
    channels = [here.guild.create_text_channel(f"room-{n}") for n in range(12)]
    games = [await start_in(here, channel, "none") for channel in channels[:10]]
    urgent = await start_in(here, channels[10], "5+3")
    later = await start_in(here, channels[11], "1d")

    answer = await here.alice.slash(here.channel, "me games")

    lines = said(answer).splitlines()
    assert "Your games (page 1 of 2):" == lines[0]
    assert 11 == len(lines)
    for game, line in zip([urgent, later, *games], lines[1:], strict=False):
        assert f"/{game.channel_id}/" in line
        assert "**your turn**" in line
    assert re.search(r"until <t:\d+:R>", lines[1])
    assert "until" not in lines[3]
    assert ["Previous", "Next"] == buttons(answer)
    await here.restart()
    assert answer.response is not None
    turned = await here.alice.click(answer.response, label="Next")
    assert turned.response is not None
    assert "page 2 of 2" in turned.response.content
    assert 3 == len(turned.response.content.splitlines())


async def test_next_leads_to_the_most_urgent_game(here: World) -> None:
    """One link, and how many more wait."""
    assert "No game here is waiting for your move" in said(await here.alice.slash(here.channel, "me next"))
    first, second = (here.guild.create_text_channel(name) for name in ("one", "two"))
    await start_in(here, first, "none")
    await start_in(here, second, "3d")

    text = said(await here.alice.slash(here.channel, "me next"))

    assert f"/{second.id}/" in text
    assert "1 more is waiting: `/me games`" in text
    assert "No game here is waiting for your move" in said(await here.bob.slash(here.channel, "me next"))


async def finished(here: World) -> Game:
    game = await here.start("pinoy")
    for text in ("c3-d4", "b6-a5", "e3-f4"):
        await here.mention(here.mover(await here.game()), text)
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")
    return await here.bot.services.games.game(game.id)


async def test_history_tells_how_games_ended(here: World) -> None:
    """From the side of whoever is asked about."""
    assert "You have not finished any games here." == said(await here.carol.slash(here.channel, "me history"))
    game = await finished(here)

    assert "**won** (Black resigned)" in said(await here.alice.slash(here.channel, "me history"))
    text = said(await here.carol.slash(here.channel, "me history", player=here.bob))
    assert "**lost**" in text
    assert f"`/game replay {game.id}`" in text


async def test_a_game_is_shown_by_its_number(here: World) -> None:
    """Players, turns and result, with the board; what is not of this server is not shown."""
    game = await finished(here)
    answer = await here.carol.slash(here.channel, "game show", number=game.id)
    text = said(answer)
    assert f"White {here.alice.mention}, Black {here.bob.mention}" in text
    assert "3 turns played." in text
    assert f"**{here.alice.mention} (White) wins.**" in text
    assert answer.response is not None
    assert 1 == len(answer.response.attachments)

    assert "no game 999" in said(await here.carol.slash(here.channel, "game show", number=999))
    elsewhere = here.env.create_guild("Elsewhere")
    hall = elsewhere.create_text_channel("hall")
    dora = elsewhere.add_member(here.env.create_user("dora"))
    assert f"no game {game.id} on this server" in said(await dora.slash(hall, "game show", number=game.id))


async def test_a_game_is_played_through_step_by_step(here: World) -> None:
    """From the start with On, to the end with Last; the buttons work after a restart."""
    game = await finished(here)
    answer = await here.carol.slash(here.channel, "game replay", number=game.id)
    assert "0 of 4: the start" in said(answer)
    message = answer.response
    assert message is not None
    assert ["First", "Back", "Next", "Last"] == buttons(answer)

    await here.restart()
    for text in ("1 of 4: White: **c3-d4**", "2 of 4: Black: **b6-a5**"):
        stepped = await here.carol.click(message, label="Next")
        assert stepped.response is not None
        message = stepped.response
        assert text in message.content
        assert 1 == len(message.attachments)
    ended = await here.carol.click(message, label="Last")
    assert ended.response is not None
    assert "4 of 4: Black: **resigns**" in ended.response.content
    assert "wins" in ended.response.content


async def test_a_slip_is_undone(here: World) -> None:
    """Within a minute and before the opponent moves; after a minute it is too late."""
    game = await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    assert "Undone" in said(await here.alice.slash(here.channel, "game undo"))
    assert "White has undone a slip" in here.last.content
    assert () == (await here.game()).turns

    await here.mention(here.alice, "c3-d4")
    await here.env.advance_time(61)
    assert "A move can be undone only within a minute" in said(await here.alice.slash(here.channel, "game undo"))
    assert game.id == (await here.game()).id


async def test_a_game_goes_on_when_its_channel_is_gone(here: World) -> None:
    """While it can be posted it stays; when the channel is deleted, a player takes the game elsewhere, and plays on."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "3d")
    refused = await here.bob.slash(here.channel, "game continue", number=game.id)
    assert f"played in {room.mention}" in said(refused)
    here.env.inject_error("POST", f"/channels/{room.id}/messages", status=404, code=10003, message="Unknown Channel")
    here.expected_errors.add("not posted")
    await here.mention(here.alice, "c3-d4", room)
    await here.env.advance_time(3600)
    for person in (here.alice, here.bob):
        assert f"`/game continue {game.id}`" in person.user.dm_channel.history()[-1].content

    assert "not play" in said(await here.carol.slash(here.channel, "game continue", number=game.id))
    assert "continues in this channel" in said(await here.bob.slash(here.channel, "game continue", number=game.id))

    assert "The game goes on here" in here.last.content
    assert "White: **c3-d4**" in here.last.content
    await here.mention(here.bob, "b6-a5")
    assert 2 == (await here.game()).ply
    assert [] == await check_games(here.bot.services.store)


async def test_a_standing_offer_goes_along_to_another_channel(here: World) -> None:
    """Its post was deleted with the channel: it is made again where the game goes on, its buttons answer it, and it
    says how; so with each of two, and over a restart."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    for person, text in ((here.alice, "c3-d4"), (here.bob, "b6-a5")):
        await here.mention(person, text, room)
    await here.alice.slash(room, "game draw")
    await here.bob.slash(room, "game takeback")
    here.expected_errors.add("not posted")
    here.env.backend.delete_channel(room.id)
    await here.env.settle()

    await here.alice.slash(here.channel, "game continue", number=game.id)
    await here.restart()
    back, draw = sorted(list(here.channel.history())[-2:], key=lambda message: "offers a draw" in message.content)
    assert ["Accept", "Decline"] == labels(draw) == labels(back)
    await here.alice.click(back, label="Decline")
    await here.bob.click(draw, label="Accept")

    posts = {message.id: message for message in here.channel.history()}
    assert "declined" in posts[back.id].content
    assert "agreed" in posts[draw.id].content
    assert [] == labels(posts[back.id]) == labels(posts[draw.id])
    assert "Drawn by agreement" in here.last.content


async def test_a_game_goes_on_as_soon_as_its_players_are_told_how(here: World) -> None:
    """The direct message about the deleted channel offers `/game continue`, which is taken at once; while a board is
    only late, because Discord falters, the game stays."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    here.expected_errors.add("not posted")
    here.env.inject_error("POST", f"/channels/{room.id}/messages", status=500, code=0, message="Trouble")
    await here.mention(here.alice, "c3-d4", room)
    assert "only if that channel is gone" in said(await here.bob.slash(here.channel, "game continue", number=game.id))
    await here.env.advance_time(11)
    here.env.backend.delete_channel(room.id)
    await here.env.settle()
    for person in (here.alice, here.bob):
        assert f"`/game continue {game.id}`" in person.user.dm_channel.history()[-1].content

    assert "continues in this channel" in said(await here.bob.slash(here.channel, "game continue", number=game.id))

    assert "The game goes on here" in here.last.content


@pytest.mark.parametrize("nonce_holds", [find_posted.NONCE_HOLDS, 0])
async def test_a_game_that_is_asked_for_twice_goes_on_once(
    here: World, monkeypatch: pytest.MonkeyPatch, nonce_holds: int
) -> None:
    """Its board arrives where it is to go on, but Discord's answer is lost; before the next try the other player
    asks for it there too: both are told that it goes on, and its board is posted as one and known as that, also where
    the nonce tells no more."""
    monkeypatch.setattr(find_posted, "NONCE_HOLDS", nonce_holds)
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    here.expected_errors.add("not posted")
    here.env.backend.delete_channel(room.id)
    await here.env.settle()
    await here.env.advance_time(3600)
    post, lost = Announcer.post, [True]

    async def answer_lost(*given: Any, **how: Any) -> PostedMessage | None:
        posted = await post(*given, **how)
        if lost and lost.pop():
            raise aiohttp.ServerDisconnectedError
        return posted

    monkeypatch.setattr(Announcer, "post", answer_lost)
    for person in (here.alice, here.bob):
        answer = await person.slash(here.channel, "game continue", number=game.id)
        assert "continues in this channel" in said(answer)
    await here.env.advance_time(60)

    # Asked twice for the same post, Discord makes one.
    (nonce,) = {body["nonce"] for body in here.sent(ending=f"/{here.channel.id}/messages")}
    query = sa.select(announcements.c.id, announcements.c.made_at).where(announcements.c.message_id == here.last.id)
    async with reading(here.bot.services.store) as tx:
        (said_by_it,) = await tx.execute(query)
    assert f"{said_by_it.id}.{said_by_it.made_at:x}" == nonce


async def test_a_channel_that_is_deleted_stops_the_clocks_in_it(here: World) -> None:
    """The board was posted, and is gone with its channel: nobody's time runs until the game goes on elsewhere."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    for person, text in ((here.alice, "c3-d4"), (here.bob, "b6-a5")):
        await here.mention(person, text, room)
    here.expected_errors.add("not posted")
    here.env.backend.delete_channel(room.id)
    await here.env.settle()
    for person in (here.alice, here.bob):
        assert f"`/game continue {game.id}`" in person.user.dm_channel.history()[-1].content
    await here.env.advance_time(26 * 3600)

    await here.alice.slash(here.channel, "game continue", number=game.id)

    now = await here.game()
    assert (game.id, 2) == (now.id, now.ply)
    assert "The game goes on here" in here.last.content
    due = await here.bot.services.games.timeouts.due(game.id)
    assert due is not None
    assert f"Move by <t:{due // 1000}:f>" in here.last.content
    await here.env.advance_time(86_000)
    await here.mention(here.alice, "d4-e5")
    assert 3 == (await here.game()).ply
    assert [] == await check_games(here.bot.services.store)


async def test_a_server_that_removes_the_bot_stops_its_clocks(here: World) -> None:
    """The games of the server wait, also over a restart."""
    game = await start_in(here, here.channel, "5+3")
    here.expected_errors.add("not posted")
    here.env.backend.remove_guild(here.guild.id)
    await here.env.settle()
    await here.env.advance_time(2 * 3600)

    assert "running" == (await here.bot.services.games.game(game.id)).status
    await here.restart()
    assert "running" == (await here.bot.services.games.game(game.id)).status


async def test_what_only_one_sees_is_written_and_turned_as_it_wishes(here: World) -> None:
    """Numbers instead of names in lists, suggestions, answers and replays; the board from one's own side."""
    await here.start("spanish")
    await here.mention(here.alice, "b3-c4")
    await here.bob.slash(here.channel, "me settings", notation="numbers")
    assert "Squares in private answers: by number" in said(await here.bob.slash(here.channel, "me settings"))

    game = await here.game()
    turn = game.rules.turns(game.state)[0].text
    number = game.rules.board.numbered(turn)
    assert re.fullmatch("[0-9]+-[0-9]+", number)
    assert f"`{number}`" in said(await here.bob.slash(here.channel, "game moves"))
    assert f"`{turn}`" in said(await here.alice.slash(here.channel, "game moves"))
    offered = await here.bob.autocomplete(here.channel, "move", "move", "")
    assert (number, turn) in [(choice["name"], choice["value"]) for choice in offered]

    pictures = {}
    for person in (here.alice, here.bob):
        answer = await person.slash(here.channel, "game replay", number=game.id)
        assert answer.response is not None
        pictures[person.id] = await answer.response.attachments[0].read()
    assert pictures[here.alice.id] != pictures[here.bob.id]
    assert f"Played: `{number}`" in said(await here.bob.slash(here.channel, "move", move=number))


async def test_a_long_list_fits_into_its_pages(here: World) -> None:
    """However long its lines are, no page is longer than a message, and every game is on one of them."""
    channels = [here.guild.create_text_channel(f"room-{n}") for n in range(24)]
    games = [await start_in(here, channel, "3d") for channel in channels]
    answer = await here.alice.slash(here.channel, "me games")
    told = said(answer).splitlines()
    pages = int(told[0].removesuffix("):").rsplit(" ", 1)[1])
    for _ in range(pages - 1):
        assert answer.response is not None
        answer = await here.alice.click(answer.response, label="Next")
        assert answer.response is not None
        assert len(answer.response.content) <= 2000
        told += answer.response.content.splitlines()

    links = [line.rsplit("/", 2)[1] for line in told if line.startswith("- ")]
    assert [str(game.channel_id) for game in games] == links


async def test_games_are_offered_by_number(here: World) -> None:
    """One's own: those in progress, then those that are over; by the number or by what stands in the line."""
    over = await here.start("spanish")
    await here.bot.services.games.moves.resign(over.id, here.bob.id, "i:1")
    running = await start_in(here, here.guild.create_text_channel("room"), "1d")

    async def offered(who: MemberActor, typed: str, command: str = "game show") -> list[tuple[str, int]]:
        found = await who.autocomplete(here.channel, command, "number", typed)
        return [(each["name"], each["value"]) for each in found]

    expected = [
        (f"{running.id}: Pinoy Dama (Filipino draughts), alice, bob (in progress)", running.id),
        (f"{over.id}: Dama (Spanish draughts), alice, bob (Jan 1, 2026)", over.id),
    ]
    for command in ("game show", "game replay", "game export"):
        assert expected == await offered(here.alice, "", command)
    assert expected[:1] == await offered(here.alice, "", "game continue")
    assert expected[1:] == await offered(here.alice, "", "analysis")
    assert expected[1:] == await offered(here.bob, "spanish")
    assert expected[1:] == await offered(here.bob, str(over.id))
    assert [] == await offered(here.carol, "")


async def test_a_game_without_a_clock_goes_on_though_its_channel_was_deleted_while_the_bot_was_away(
    here: World,
) -> None:
    """Nobody told the bot, and it looks for the channels of clocks alone: it asks Discord when a player wants the game
    elsewhere."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "none")
    await here.mention(here.alice, "c3-d4", room)
    await here.bot.close()
    here.env.backend.delete_channel(room.id)
    await here.restart()

    assert "not play" in said(await here.carol.slash(here.channel, "game continue", number=game.id))
    assert "continues in this channel" in said(await here.bob.slash(here.channel, "game continue", number=game.id))

    assert "The game goes on here" in here.last.content
    await here.mention(here.bob, "b6-a5")
    assert 2 == (await here.game()).ply
    assert [] == await check_games(here.bot.services.store)


async def test_what_was_given_up_with_a_channel_is_not_posted_in_the_next(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two boards wait for a channel that is deleted. While the first is refused there, the game goes on elsewhere: its
    board is posted there, and the second, which was given up, is not."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    here.expected_errors.add("not posted")
    here.env.inject_error("POST", f"/channels/{room.id}/messages", status=500, code=0, message="Trouble")
    for person, text in ((here.alice, "c3-d4"), (here.bob, "b6-a5")):
        await here.mention(person, text, room)
    post, channels = Announcer.post, here.bot.services.games.channels

    async def moved_meanwhile(announcer: Announcer, announcement: Announcement, **how: Any) -> PostedMessage | None:
        try:
            return await post(announcer, announcement, **how)
        except discord.NotFound:
            if announcement.ply == 1:
                place = Place(here.guild.id, here.channel.id)
                here.bot.services.games_changed.send(
                    await channels.move_here(game.id, here.alice.id, place, "i:1", gone=room.id)
                )
            raise

    monkeypatch.setattr(Announcer, "post", moved_meanwhile)
    here.env.backend.delete_channel(room.id)
    await here.env.settle()
    await here.env.advance_time(60)

    (said_there,) = [post.content for post in here.posts()]
    assert "The game goes on here" in said_there
