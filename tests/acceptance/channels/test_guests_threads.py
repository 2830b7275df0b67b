"""The thread of a game on the second server of two is deleted, at any moment: what stood there stands in the next one,
once, and on the other server nothing is said again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.games.model.game import Game
from bot.games.persistence.outbox import Announcement, Outbox
from tests.support.discord.team_sides import Side, games_of, one_board, thread_of
from tests.support.discord.world import World, labels, start_in


class TwoServers:
    """A game of two servers, three plies old, in which the home side is to offer a draw."""

    def __init__(self, here: World, home: Side, away: Side) -> None:
        self.here, self.home, self.away = here, home, away

    async def now(self) -> Game:
        (game,) = await games_of(self.here)
        return game

    async def threads(self) -> tuple[int, int]:
        """The ids of both threads."""
        game = await self.now()
        assert game.channel_id is not None
        assert game.mirror is not None
        assert game.mirror.channel_id is not None
        return game.channel_id, game.mirror.channel_id

    async def move(self) -> None:
        game = await self.now()
        assert game.to_move is not None
        turn = game.rules.turns(game.state)[0].text
        self.changed(await self.here.bot.services.games.moves.turn(game.id, game.to_move, turn, f"t:{game.ply}"))
        await self.here.env.settle()

    async def offer(self) -> None:
        offers, (player,) = self.here.bot.services.games.offers, self.home.players
        self.changed(await offers.offer_draw((await self.now()).id, player.user.id, "i:d"))
        await self.here.env.settle()

    def changed(self, *games: Game) -> None:
        for game in games:
            self.here.bot.services.games_changed.send(game)

    async def offers(self) -> list[list[str]]:
        """The buttons of all offers that stand in the threads of both."""
        return [
            labels(message)
            for side, thread in zip((self.home, self.away), await self.threads(), strict=True)
            for message in thread_of(side, thread).history()
            if "offers a draw" in message.content
        ]


ONCE_ON_EACH = [["Accept", "Decline"]] * 2


async def begun(here: World) -> TwoServers:
    both = TwoServers(here, *await one_board(here, clock="1d"))
    here.expected_errors |= {"not posted", "missing permissions"}
    for _ in range(2):
        await both.move()
    return both


def before_the_mark(
    monkeypatch: pytest.MonkeyPatch,
    its: Callable[[Announcement, int], bool],
    happens: Callable[[], Awaitable[object]],
) -> None:
    """Once something ``happens`` after a post is made and before it is noted."""
    sent, left = Outbox.sent, [True]

    async def noted(outbox: Outbox, announcement: Announcement, message_id: int, channel_id: int) -> None:
        if left and its(announcement, channel_id) and left.pop():
            await happens()
        await sent(outbox, announcement, message_id, channel_id)

    monkeypatch.setattr(Outbox, "sent", noted)


async def test_a_post_finds_the_thread_gone(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord's word of it comes later: the offer stands in the next thread with the board."""
    both = await begun(here)
    await both.offer()
    _home, old = await both.threads()
    send, left = discord.PartialMessageable.send, [True]

    async def sending(where: discord.PartialMessageable, *given: Any, **how: Any) -> discord.Message:
        if where.id == old and left and left.pop():
            here.env.backend.delete_channel(old)
        return await send(where, *given, **how)

    monkeypatch.setattr(discord.PartialMessageable, "send", sending)
    both.changed(*await here.bot.services.games.channels.post_again((await both.now()).id))
    await here.env.settle()
    await here.env.advance_time(7200)

    assert old not in await both.threads()
    assert ONCE_ON_EACH == await both.offers()


async def test_discords_word_never_comes(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """That a post found it gone is enough: what is known of the old thread is not taken for the next one."""
    both = await begun(here)
    await both.offer()
    _home, old = await both.threads()
    with monkeypatch.context() as unheard:
        unheard.setattr(here.env.backend, "emit", lambda *_told: None)
        here.env.backend.delete_channel(old)
    both.changed(*await here.bot.services.games.channels.post_again((await both.now()).id))
    await here.env.settle()
    await here.env.advance_time(7200)

    assert old not in await both.threads()
    assert ONCE_ON_EACH == await both.offers()


async def test_the_thread_goes_while_a_board_waits_there(here: World) -> None:
    """The offer was seen before Discord had its trouble: it is not forgotten over the board."""
    both = await begun(here)
    await both.offer()
    _home, old = await both.threads()
    here.env.inject_error("POST", f"/channels/{old}/messages", status=500, code=0, message="Trouble", times=None)
    both.changed(*await here.bot.services.games.channels.post_again((await both.now()).id))
    await here.env.settle()
    here.env.backend.delete_channel(old)
    await here.env.settle()
    await here.env.advance_time(7200)

    assert old not in await both.threads()
    assert ONCE_ON_EACH == await both.offers()


async def test_an_offer_that_waits_at_home_is_not_made_twice(here: World) -> None:
    """It is posted in the guests' thread, which is deleted, and waits at home: there it is said once."""
    both = await begun(here)
    home, old = await both.threads()
    here.env.inject_error("POST", f"/channels/{home}/messages", status=500, code=0, message="Trouble", times=2)
    await both.offer()
    here.env.backend.delete_channel(old)
    await here.env.settle()
    await here.env.advance_time(7200)

    assert ONCE_ON_EACH == await both.offers()


@pytest.mark.parametrize("away", [False, True])
async def test_who_goes_on_elsewhere_doubles_nothing_on_the_other_server(
    here: World, monkeypatch: pytest.MonkeyPatch, away: bool
) -> None:
    """One side takes the game to another channel while the offer is under way to the other side: there it is once."""
    both = await begun(here)
    side = both.away if away else both.home
    elsewhere = side.guild.create_text_channel("elsewhere")
    threads = await both.threads()
    gone, other = threads[away], threads[not away]

    async def moved() -> None:
        game = await both.now()
        there = replace(game.place, guild_id=side.guild.id, channel_id=elsewhere.id)
        channels, (player,) = here.bot.services.games.channels, side.players
        both.changed(await channels.move_here(game.id, player.user.id, there, "i:1", gone=gone))

    before_the_mark(monkeypatch, lambda said, where: said.kind == "offer" and where == other, moved)
    await both.offer()
    await here.env.advance_time(3600)

    stays = thread_of(both.home if away else both.away, other)
    assert 1 == sum("offers a draw" in message.content for message in stays.history())


@pytest.mark.parametrize("kind", ["board", "offer"])
async def test_the_thread_goes_before_its_post_is_noted(
    here: World, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Discord's word of it was heard between a post and its mark: the post is made in the next thread."""
    both = await begun(here)
    _home, old = await both.threads()

    async def gone() -> None:
        here.env.backend.delete_channel(old)
        both.changed(*await here.bot.services.games.channels.channel_gone(old))

    before_the_mark(monkeypatch, lambda said, where: said.kind == kind and where == old, gone)
    await (both.move() if kind == "board" else both.offer())
    await here.env.advance_time(600)

    _home, thread = await both.threads()
    assert old != thread
    assert "The game goes on here" in " ".join(each.content for each in thread_of(both.away, thread).history())
    assert ([] if kind == "board" else ONCE_ON_EACH) == await both.offers()


async def test_a_channel_goes_before_its_board_is_noted(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Likewise of a game of one server: its players are told how to go on, and no time runs."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    here.expected_errors.add("not posted")

    async def gone() -> None:
        here.env.backend.delete_channel(room.id)
        for changed in await here.bot.services.games.channels.channel_gone(room.id):
            here.bot.services.games_changed.send(changed)

    before_the_mark(monkeypatch, lambda said, where: said.kind == "board" and where == room.id, gone)
    here.drop(here.alice, f"{here.at()} c3-d4", room)
    await here.env.settle()
    await here.env.advance_time(26 * 3600)

    chats = [person.user.dm_channel for person in (here.alice, here.bob)]
    letters = [message.content for chat in chats if chat is not None for message in chat.history()]
    assert 2 == sum(f"`/game continue {game.id}`" in letter for letter in letters)
    assert "running" == (await here.bot.services.games.game(game.id)).status


async def test_a_mark_of_a_channel_that_the_game_has_left_changes_nothing(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between a post and its mark the channel goes, and a player goes on in another: one board says so there."""
    room = here.guild.create_text_channel("room")
    game = await start_in(here, room, "1d")
    here.expected_errors.add("not posted")

    async def gone() -> None:
        here.env.backend.delete_channel(room.id)
        channels = here.bot.services.games.channels
        await channels.channel_gone(room.id)
        there = replace(game.place, channel_id=here.channel.id)
        moved = await channels.move_here(game.id, here.bob.user.id, there, "i:1", gone=room.id)
        here.bot.services.games_changed.send(moved)

    before_the_mark(monkeypatch, lambda said, where: said.kind == "board" and where == room.id, gone)
    here.drop(here.alice, f"{here.at()} c3-d4", room)
    await here.env.settle()
    await here.env.advance_time(600)

    assert 1 == sum("The game goes on here" in message.content for message in here.channel.history())
