"""Channels that are deleted and servers that remove the bot while a team match is played: the other server goes on."""

from __future__ import annotations

import pytest
from simcord.backend.serializers import guild_create_payload

from bot.games.persistence.integrity import check_games
from tests.support.discord.team_sides import boards, games_of, home_moves, one_board, quiet, thread_of
from tests.support.discord.world import World, labels, said


async def test_a_thread_that_is_deleted_is_opened_again(here: World) -> None:
    """The guests' thread goes; the board is posted in another one, and time does not run meanwhile."""
    _home, away = await one_board(here)
    (game,) = await games_of(here)
    assert game.mirror is not None
    gone = game.mirror.channel_id
    assert gone is not None
    here.env.backend.delete_channel(gone)
    await here.env.settle()
    await quiet(here)
    (game,) = await games_of(here)
    assert game.mirror is not None
    assert game.mirror.channel_id not in (None, gone)
    assert thread_of(away, game.mirror.channel_id).last_message is not None


async def test_a_channel_of_the_guests_deleted_while_the_bot_was_away(here: World) -> None:
    """Thread and channel are gone: the guest is told how to go on, no time runs, and `/game continue` opens another
    thread."""
    home, away = await one_board(here, clock="1d")
    game = await home_moves(here, home)
    assert game.mirror is not None
    assert game.mirror.channel_id is not None
    (guest,) = away.players
    here.expected_errors |= {"not posted", "competition's post given up"}
    await here.bot.close()
    for gone in (game.mirror.channel_id, away.channel.id):
        here.env.backend.delete_channel(gone)
    await here.restart()
    for _ in range(7):
        await here.env.advance_time(4 * 3_600)
    (game,) = await games_of(here)
    assert "running" == game.status
    told = [message for message in guest.user.dm_channel.history() if "its channel was deleted" in message.content]
    assert 1 == len(told)
    assert [] == home.players[0].user.dm_channel.history()

    away.channel = away.guild.create_text_channel("elsewhere")
    assert "continues in this channel" in said(await guest.slash(away.channel, "game continue", number=game.id))
    await here.env.settle()
    (game,) = await games_of(here)
    assert game.mirror is not None
    last = thread_of(away, game.mirror.channel_id).last_message
    assert last is not None
    assert "The game goes on here" in last.content
    await here.mention(guest, game.rules.turns(game.state)[0].text, thread_of(away, game.mirror.channel_id))
    (game,) = await games_of(here)
    assert 2 == game.ply
    assert [] == await check_games(here.bot.services.store)


async def test_the_home_team_sees_its_boards_while_the_guests_have_no_channel(here: World) -> None:
    """The guests' channel is deleted: the home thread is told nothing of it, and shows the moves of both as before; the
    guests get the board as it stands where they go on."""
    home, away = await one_board(here, clock="1d")
    (game,) = await games_of(here)
    assert game.mirror is not None
    ours = thread_of(home, game.channel_id)
    ((player,), (guest,)) = home.players, away.players
    for person, side, channel in ((player, home, game.channel_id), (guest, away, game.mirror.channel_id)):
        (game,) = await games_of(here)
        await here.mention(person, game.rules.turns(game.state)[0].text, thread_of(side, channel))
        await quiet(here)
    before = len(list(ours.history()))
    here.expected_errors |= {"not posted"}
    here.env.backend.delete_channel(away.channel.id)
    await here.env.settle()
    await here.env.advance_time(61)
    assert before == len(list(ours.history()))
    (game,) = await games_of(here)
    first = game.rules.turns(game.state)[0].text
    await here.mention(player, first, ours)
    await here.env.settle()
    assert ours.last_message is not None
    assert f"**{first}**" in ours.last_message.content
    assert before + 2 == len(list(ours.history()))

    await player.slash(ours, "game draw")
    await here.env.settle()
    assert "offers a draw" in ours.last_message.content
    (told,) = guest.user.dm_channel.history()
    assert "its channel was deleted" in told.content

    elsewhere = away.guild.create_text_channel("elsewhere")
    assert "continues in this channel" in said(await guest.slash(elsewhere, "game continue", number=game.id))
    await quiet(here)
    assert before + 3 == len(list(ours.history()))
    (thread,) = elsewhere.threads
    assert ["The game goes on here", "offers a draw"] == [
        said
        for message in thread.history()
        for said in ("The game goes on here", "offers a draw")
        if said in message.content
    ]
    offer = thread.last_message
    assert offer is not None
    await guest.click(offer, label="Decline")
    await quiet(here)

    for posted in (thread.history(), ours.history()):
        (offer,) = [message for message in posted if "Draw offer" in message.content]
        assert "declined" in offer.content
        assert [] == labels(offer)
    (game,) = await games_of(here)
    reply = game.rules.turns(game.state)[0].text
    await here.mention(guest, reply, thread)
    await quiet(here)
    assert f"**{reply}**" in ours.last_message.content
    assert [] == await check_games(here.bot.services.store)


async def test_guests_go_on_elsewhere_as_soon_as_they_are_told_how(here: World) -> None:
    """Thread and channel are deleted, and another thread is tried in vain: `/game continue` is taken at once then."""
    home, away = await one_board(here, clock="1d")
    game = await home_moves(here, home)
    assert game.mirror is not None
    assert game.mirror.channel_id is not None
    (guest,) = away.players
    elsewhere = away.guild.create_text_channel("elsewhere")
    here.expected_errors |= {"not posted", "competition's post given up"}
    assert "only if that channel is gone" in said(await guest.slash(elsewhere, "game continue", number=game.id))
    for gone in (game.mirror.channel_id, away.channel.id):
        here.env.backend.delete_channel(gone)
    await here.env.settle()
    await here.env.advance_time(11)
    (told,) = guest.user.dm_channel.history()
    assert f"`/game continue {game.id}`" in told.content

    assert "continues in this channel" in said(await guest.slash(elsewhere, "game continue", number=game.id))


async def test_a_thread_of_the_home_team_that_is_deleted(here: World) -> None:
    """The guests' board is posted, the home team's is not: no time runs before its player goes on elsewhere, which the
    guest cannot do for it."""
    home, away = await one_board(here, clock="1d")
    (game,) = await games_of(here)
    here.expected_errors.add("not posted")
    assert game.channel_id is not None
    here.env.backend.delete_channel(game.channel_id)
    await here.env.settle()
    await quiet(here)
    for _ in range(7):
        await here.env.advance_time(12 * 3_600)
    (game,) = await games_of(here)
    assert "running" == game.status
    ((player,), (guest,)) = home.players, away.players
    (told,) = player.user.dm_channel.history()
    assert f"`/game continue {game.id}`" in told.content
    assert [] == guest.user.dm_channel.history()
    assert "only if that channel is gone" in said(await guest.slash(away.channel, "game continue", number=game.id))
    assert "continues in this channel" in said(await player.slash(home.channel, "game continue", number=game.id))
    await quiet(here)
    assert [] == await check_games(here.bot.services.store)
    for _ in range(5):
        await here.env.advance_time(12 * 3_600)
    (game,) = await games_of(here)
    assert "finished" == game.status
    assert [] == await check_games(here.bot.services.store)


async def test_a_server_of_the_guests_that_removes_the_bot_stops_the_clocks(here: World) -> None:
    """While the guests cannot play, nobody's time runs; the home team's board stays, and no other is posted."""
    home, away = await one_board(here, clock="5+3")
    here.expected_errors |= {"not posted", "competition's post given up"}
    game = await home_moves(here, home)
    before = [message.id for message in thread_of(home, game.channel_id).history()]
    here.env.backend.remove_guild(away.guild.id)
    await here.env.settle()
    await here.env.advance_time(3_600)
    assert before == [message.id for message in thread_of(home, game.channel_id).history()]
    (game,) = await games_of(here)
    assert "running" == game.status
    assert [] == await check_games(here.bot.services.store)


@pytest.mark.parametrize("told", ["joined", "available"])
@pytest.mark.parametrize("gone", ["home", "guests"])
async def test_a_server_that_takes_the_bot_back_gets_its_boards(here: World, gone: str, told: str) -> None:
    """Once, and the other one nothing: its board has been there all the time. The clocks run on."""
    home, away = await one_board(here, clock="1d")
    left, stays = (home, away) if gone == "home" else (away, home)
    here.expected_errors |= {"not posted", "competition's post given up"}
    backend, guild = here.env.backend, here.env.backend.get_guild(left.guild.id)
    kept = {each: backend.channels[each] for each in (*guild.channel_ids, *guild.thread_ids)}
    messages = {each: backend.messages[each] for each in kept if each in backend.messages}
    seen = {side: set(boards(side)) for side in (left, stays)}
    backend.remove_guild(guild.id)
    await here.env.settle()
    await here.env.advance_time(3 * 24 * 3_600)

    backend.guilds[guild.id] = guild
    backend.channels |= kept
    backend.messages |= messages
    create = dict(guild_create_payload(backend, guild))
    if told == "joined":
        # Discord says so of servers that were out of reach.
        del create["unavailable"]
    backend.emit("GUILD_CREATE", create)
    await here.env.settle()
    await here.env.advance_time(60)
    assert seen[stays] == set(boards(stays))
    (new,) = set(boards(left)) - seen[left]
    assert "The game goes on here." in new
    await here.env.advance_time(3 * 24 * 3_600)
    (game,) = await games_of(here)
    assert "finished" == game.status
    assert [] == await check_games(here.bot.services.store)
