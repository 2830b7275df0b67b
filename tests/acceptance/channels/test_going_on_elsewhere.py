"""A game is taken to another channel, or its boards are asked for anew, while something of it is on its way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import aiohttp
import discord
import pytest
from simcord.builders import ChannelHandle

from bot.chat.games.game_threads import GameThreads
from bot.chat.recent_games import RecentGames
from bot.games.model.announcements import Digest
from bot.games.model.errors import NotStored, Refused
from bot.games.model.game import Game
from bot.games.persistence.outbox import Outbox
from tests.support.discord.team_sides import games_of, one_board, thread_of
from tests.support.discord.world import World, labels, start_in


async def move(here: World, game: Game, to: ChannelHandle, person: int, gone: int | None) -> None:
    """As ``/game continue``, without its answer."""
    place = replace(game.place, channel_id=to.id)
    channels = here.bot.services.games.channels
    here.bot.services.games_changed.send(await channels.move_here(game.id, person, place, "i:1", gone=gone))


def letters(here: World) -> list[str]:
    """All that the two players were told by direct message."""
    chats = [person.user.dm_channel for person in (here.alice, here.bob)]
    return [message.content for chat in chats if chat is not None for message in chat.history()]


async def test_what_is_being_posted_does_not_follow_a_game_elsewhere(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player takes the game elsewhere while a board is on its way to the channel that is gone: there one post shows
    it, which says that the game goes on."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    at_ply, left = RecentGames.at_ply, [True]

    async def moved_meanwhile(recent: RecentGames, game_id: int, ply: int) -> Game:
        if ply == 1 and left and left.pop():
            await move(here, game, here.channel, here.bob.user.id, room.id)
        return await at_ply(recent, game_id, ply)

    monkeypatch.setattr(RecentGames, "at_ply", moved_meanwhile)
    await here.mention(here.alice, "c3-d4", room)

    assert ["The game goes on here"] == [
        message.content.partition(".")[0] for message in here.channel.history() if "c3-d4" in message.content
    ]


async def test_nobody_is_told_of_a_channel_that_the_game_has_left(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A post to the channel that is gone comes back when the game goes on in another already."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    send, left = discord.PartialMessageable.send, [True]

    async def moved_meanwhile(where: discord.PartialMessageable, *given: Any, **how: Any) -> discord.Message:
        if where.id == room.id and left and left.pop():
            await move(here, game, here.channel, here.bob.user.id, room.id)
        return await send(where, *given, **how)

    monkeypatch.setattr(discord.PartialMessageable, "send", moved_meanwhile)
    here.env.inject_error("POST", f"/channels/{room.id}/messages", status=404, code=10003, message="Unknown Channel")
    await here.mention(here.alice, "c3-d4", room)

    assert "The game goes on here" in here.last.content
    assert [] == letters(here)


async def test_a_channel_that_is_deleted_before_its_board_is_marked(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board is posted, the database cannot note it, and the channel goes: the players are told how to go on."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    here.expected_errors.add("not posted")
    sent, left = Outbox.sent, [True]

    async def full(outbox: Outbox, *given: Any, **how: Any) -> None:
        if left and left.pop():
            raise NotStored("the disk is full")
        await sent(outbox, *given, **how)

    monkeypatch.setattr(Outbox, "sent", full)
    await here.mention(here.alice, "c3-d4", room)
    here.env.backend.delete_channel(room.id)
    await here.env.settle()
    await here.env.advance_time(30)

    assert 2 == sum(f"`/game continue {game.id}`" in letter for letter in letters(here))
    await here.env.advance_time(26 * 3600)
    assert "running" == (await here.bot.services.games.game(game.id)).status


@pytest.mark.parametrize("anew", ["server_in_reach", "post_again"])
async def test_an_offer_that_waits_is_made_once_more_with_the_board(here: World, anew: str) -> None:
    """As it stands, those who are to answer must see it, when the bot is back or the board is posted again."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    await here.mention(here.alice, "c3-d4", room)
    here.expected_errors.add("not posted")
    for _ in range(3):
        here.env.inject_error("POST", f"/channels/{room.id}/messages", status=500, code=0, message="Trouble")
    games, changed = here.bot.services.games, here.bot.services.games_changed
    changed.send(await games.offers.offer_draw(game.id, here.bob.user.id, "i:d"))
    await here.env.settle()
    for shown in await getattr(games.channels, anew)(here.guild.id if anew == "server_in_reach" else game.id):
        changed.send(shown)
    await here.env.settle()
    await here.env.advance_time(700)

    (offer,) = (message for message in room.history() if "offers a draw" in message.content)
    await here.alice.click(offer, label="Accept")
    assert "Drawn by agreement" in room.history()[-1].content


async def test_an_offer_that_is_to_be_seen_is_not_made_again(here: World) -> None:
    """The boards are posted anew; the post of the offer has buttons still."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    await here.mention(here.alice, "c3-d4", room)
    await here.bob.slash(room, "game draw")
    for shown in await here.bot.services.games.channels.post_again(game.id):
        here.bot.services.games_changed.send(shown)
    await here.env.settle()

    (offer,) = (message for message in room.history() if "offers a draw" in message.content)
    assert ["Accept", "Decline"] == labels(offer)


@pytest.mark.parametrize("closing", [False, True])
async def test_what_waits_of_an_offer_is_done_once(here: World, monkeypatch: pytest.MonkeyPatch, closing: bool) -> None:
    """Boards are posted anew while the post of an offer is not noted yet, or the end of its buttons waits: there is one
    post of it, and it loses its buttons with the answer."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    await here.mention(here.alice, "c3-d4", room)
    here.expected_errors.add("not posted")
    games, changed = here.bot.services.games, here.bot.services.games_changed
    sent, left = Outbox.sent, list[bool]()

    async def full(outbox: Outbox, *given: Any, **how: Any) -> None:
        if left and left.pop():
            raise NotStored("the disk is full")
        await sent(outbox, *given, **how)

    monkeypatch.setattr(Outbox, "sent", full)
    if not closing:
        left.append(True)
    changed.send(await games.offers.offer_draw(game.id, here.bob.user.id, "i:d"))
    await here.env.settle()
    if closing:
        path = f"/channels/{room.id}/messages/{room.history()[-1].id}"
        here.env.inject_error("PATCH", path, status=500, code=0, message="Trouble")
        changed.send(await games.offers.answer("draw", game.id, here.alice.user.id, False, "i:a"))
        await here.env.settle()
    for shown in await games.channels.post_again(game.id):
        changed.send(shown)
    await here.env.settle()
    await here.env.advance_time(700)
    if not closing:
        changed.send(await games.offers.answer("draw", game.id, here.alice.user.id, False, "i:a"))
        await here.env.settle()

    (offer,) = (each for each in room.history() if "Draw offer" in each.content or "offers a draw" in each.content)
    assert [] == labels(offer)


async def test_an_offer_comes_back_with_the_guests_thread(here: World) -> None:
    """Their thread is deleted with the offer in it: it stands in the next one, once."""
    home, away = await one_board(here, clock="1d")
    (game,) = await games_of(here)
    (player,) = home.players
    here.expected_errors |= {"not posted", "missing permissions"}
    games, changed = here.bot.services.games, here.bot.services.games_changed
    for at in range(2):
        turn = game.rules.turns(game.state)[0].text
        assert game.to_move is not None
        game = await games.moves.turn(game.id, game.to_move, turn, f"t:{at}")
        changed.send(game)
        await here.env.settle()
    changed.send(await games.offers.offer_draw(game.id, player.user.id, "i:d"))
    await here.env.settle()
    (now,) = await games_of(here)
    assert now.mirror is not None
    assert now.mirror.channel_id is not None
    here.env.backend.delete_channel(now.mirror.channel_id)
    await here.env.settle()
    await here.env.advance_time(3600)

    (now,) = await games_of(here)
    assert now.mirror is not None
    for side, channel_id in ((home, now.channel_id), (away, now.mirror.channel_id)):
        assert channel_id is not None
        (offer,) = (each for each in thread_of(side, channel_id).history() if "offers a draw" in each.content)
        assert ["Accept", "Decline"] == labels(offer)


async def test_what_one_person_is_told_of_many_games_is_told_when_one_of_them_moves(here: World) -> None:
    """A digest waits, as direct messages are out of order; the game on which it hangs goes on in another channel."""
    rooms = [here.guild.create_text_channel(name) for name in ("one", "two")]
    first, second = [await start_in(here, room, "1d") for room in rooms]
    here.expected_errors.add("not posted")
    async with here.bot.services.games._work.unit(first.id, "x:1") as unit:
        due = unit.now + 3_600_000
        await unit.announce(Digest(to=here.alice.user.id, games=((first.id, due), (second.id, due)), count=2))
    here.env.inject_error("POST", "/users/@me/channels", status=500, code=0, message="Trouble")
    here.bot.services.games_changed.send(await here.bot.services.games.game(first.id))
    await here.env.settle()
    assert [] == letters(here)
    await move(here, first, here.channel, here.bob.user.id, rooms[0].id)
    await here.env.settle()

    (letter,) = letters(here)
    assert "2 games are waiting for your move" in letter
    assert "The game goes on here" in here.last.content


@pytest.mark.parametrize("opened", [False, True])
async def test_a_thread_that_comes_too_late(here: World, monkeypatch: pytest.MonkeyPatch, opened: bool) -> None:
    """While a game's thread is being opened, after tries in vain, a player takes the game to another channel: there it
    stays."""
    elsewhere = here.guild.create_text_channel("elsewhere")
    here.expected_errors.add("not posted")
    await start_in(here, here.channel, "1d")
    open_, tries = GameThreads._open, list[int]()

    async def moved_meanwhile(threads: GameThreads, game: Game, away: int | None = None) -> int:
        tries.append(game.id)
        if len(tries) < 4:
            raise aiohttp.ServerDisconnectedError
        thread = await open_(threads, game, away) if opened else None
        if len(tries) == 4:
            await move(here, game, elsewhere, here.carol.user.id, None)
        return await open_(threads, game, away) if thread is None else thread

    monkeypatch.setattr(GameThreads, "_open", moved_meanwhile)
    await here.carol.slash(here.channel, "play", variant="pinoy", opponent=here.bob, side="first", clock="1d")
    await here.bob.click(here.last, label="Accept")
    for seconds in (15, 40, 130, 700):
        await here.env.advance_time(seconds)

    game = await here.bot.services.games.game(tries[0])
    assert (elsewhere.id, elsewhere.id) == (game.channel_id, game.place.channel_id)
    assert ["The game goes on here."] == [message.content.partition("\n")[0] for message in elsewhere.history()]


@pytest.mark.parametrize("opened", [False, True])
async def test_a_guests_thread_that_comes_too_late(here: World, monkeypatch: pytest.MonkeyPatch, opened: bool) -> None:
    """Likewise on the second server of two: the thread is opened where the game was taken."""
    _home, away = await one_board(here, clock="1d")
    (game,) = await games_of(here)
    (guest,) = away.players
    assert game.mirror is not None
    here.expected_errors |= {"not posted", "missing permissions"}
    elsewhere = away.guild.create_text_channel("elsewhere")
    open_, tries = GameThreads._open, list[int]()

    async def moved_meanwhile(threads: GameThreads, of: Game, place: int | None = None) -> int:
        tries.append(of.id)
        if len(tries) == 1:
            raise aiohttp.ServerDisconnectedError
        thread = await open_(threads, of, place) if opened else None
        if len(tries) == 2:
            there = replace(game.place, guild_id=away.guild.id, channel_id=elsewhere.id)
            channels = here.bot.services.games.channels
            here.bot.services.games_changed.send(await channels.move_here(game.id, guest.user.id, there, "i:1"))
        return await open_(threads, of, place) if thread is None else thread

    monkeypatch.setattr(GameThreads, "_open", moved_meanwhile)
    assert game.mirror.channel_id is not None
    here.env.backend.delete_channel(game.mirror.channel_id)
    await here.env.settle()
    for seconds in (61, 700, 3600):
        await here.env.advance_time(seconds)

    (now,) = await games_of(here)
    assert now.mirror is not None
    (thread,) = elsewhere.threads
    assert (elsewhere.id, thread.id) == (now.mirror.place_channel_id, now.mirror.channel_id)
    assert "The game goes on here" in thread.history()[-1].content


async def test_a_game_whose_thread_is_still_to_be_opened_is_named_by_its_channel(here: World) -> None:
    """Who asks for it elsewhere too early is told a channel, not "None"."""
    _home, away = await one_board(here, clock="1d")
    (game,) = await games_of(here)
    (guest,) = away.players
    channels = here.bot.services.games.channels
    await channels.mirror_gone(game.id)
    elsewhere = away.guild.create_text_channel("elsewhere")
    there = replace(game.place, guild_id=away.guild.id, channel_id=elsewhere.id)
    with pytest.raises(Refused, match=f"<#{away.channel.id}>"):
        await channels.move_here(game.id, guest.user.id, there, "i:1")
