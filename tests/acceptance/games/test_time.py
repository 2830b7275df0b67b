from __future__ import annotations

import re
from typing import Any

import discord

from bot.games.persistence.integrity import check_games
from bot.support.time_units import DAY, MINUTE
from tests.support.discord.game_time import begin, direct, wait
from tests.support.discord.world import World, said


async def test_the_challenge_and_the_board_say_how_much_time_there_is(here: World) -> None:
    """The clock in words, the deadline as a time that Discord shows in the reader's own zone."""
    await here.play("pinoy", clock="steady")
    assert "Clock: 7 days to start, plus 1 day per move, up to 7 days (`steady`)." in here.last.content
    await here.bob.click(here.last, label="Accept")
    assert re.search(r"it is your turn \(White\)\. Move by <t:\d+:f> \(<t:\d+:R>\)\.", here.last.content)


async def test_the_end_of_time_is_told_once_to_both(here: World) -> None:
    """Three days without a move: one post with the result, which pings both."""
    game_id = await begin(here)
    await wait(here, 73)

    game = await here.bot.services.games.game(game_id)
    assert "finished" == game.status
    last = [body for body in here.sent() if "ran out of time" in body.get("content", "")]
    assert 1 == len(last)
    assert [here.alice.id, here.bob.id] == last[0]["allowed_mentions"]["users"]
    assert here.boards()[-1].content.endswith(
        f"{here.alice.mention} (White) ran out of time. **{here.bob.mention} (Black) wins.**"
    )


async def test_live_clocks_are_shown(here: World) -> None:
    """Both players' minutes and seconds stand under each board of an evening's game, and in the answer to `clock`."""
    await here.play("pinoy", clock="5+3")
    await here.bob.click(here.last, label="Accept")
    assert "Clocks: White 5:00, Black 5:00." in here.last.content
    for text in ("c3-b4", "d6-c5"):
        await here.env.advance_time(20)
        await here.mention(here.mover(await here.game()), text)
    await here.env.advance_time(65)
    game = await here.game()
    await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
    assert "Clocks: White 3:58, Black 5:00." in here.last.content
    await here.env.advance_time(10)
    await here.mention(here.alice, "clock")
    assert "Clocks: White 3:58, Black 4:50." in here.last.content


async def test_reminders_come_by_direct_message(here: World) -> None:
    """At half, at four fifths, and at the last two hours of three days: to Alice, who is to move."""
    await begin(here)
    texts = ["Half of your time", "Most of your time", "almost over"]
    for hours, text in zip((36.1, 22, 12.5), texts, strict=True):
        await wait(here, hours)
        assert text in direct(here.alice)[-1].content
    assert 3 == len(direct(here.alice))
    assert [] == direct(here.bob)


async def test_who_sleeps_through_the_end_is_told_before_the_night(here: World) -> None:
    """Alice's day ends in the night that she chooses: the last message before it says until when she has time."""
    game_id = await begin(here, "1d")
    due = await here.bot.services.games.timeouts.due(game_id)
    assert due is not None
    minute = due // MINUTE
    night = "-".join(f"{at // 60 % 24}:{at % 60:02}" for at in (minute - 180, minute + 180))
    await here.alice.slash(here.channel, "me settings", quiet_hours=night)

    await wait(here, 23)

    told = direct(here.alice)[-1].content
    assert "Your time for this move runs out during your quiet hours, or soon after." in told
    assert f"<t:{due // 1000}:R>" in told


async def test_whoever_takes_no_direct_messages_is_reminded_in_the_channel(here: World) -> None:
    """One post in the game's channel, with one ping."""
    await begin(here)
    closed = f"/channels/{here.alice.user.dm_channel.id}/messages"
    here.env.inject_error("POST", closed, status=403, code=50007, message="Cannot send messages to this user")
    await wait(here, 36.1)

    assert "Half of your time" in here.last.content
    assert [here.alice.id] == here.sent()[-1]["allowed_mentions"]["users"]


async def test_a_vacation_is_told_and_holds_the_clock(here: World) -> None:
    """The channel hears of it; after five days the game still runs."""
    game_id = await begin(here)
    answer = await here.alice.slash(here.channel, "me vacation start")
    assert "20 days and 0 hours" in said(answer)
    assert f"{here.alice.mention} is on vacation" in here.last.content

    await wait(here, 5 * 24)
    answer = await here.alice.slash(here.channel, "me vacation stop")

    assert "15 days" in said(answer)
    assert f"{here.alice.mention} is back" in here.last.content
    assert "running" == (await here.bot.services.games.game(game_id)).status
    assert "15 days" in said(await here.alice.slash(here.channel, "me vacation status"))


async def test_a_vacation_until_a_day(here: World) -> None:
    """It may be said when it ends, as a day, at whose end the clock runs, or as a span; what cannot be is refused."""
    await begin(here)
    start = here.bot.services.games.now
    for until, why in (
        ("yesterday 8pm", "cannot read"),
        ("in 21 days", "not have that much"),
        ("24 sheep", "cannot read"),
    ):
        assert why in said(await here.alice.slash(here.channel, "me vacation start", until=until)), until

    answer = said(await here.alice.slash(here.channel, "me vacation start", until="in 3 days"))
    assert f"<t:{(start + 3 * DAY) // 1000}:f>" in answer
    assert f"until <t:{(start + 3 * DAY) // 1000}:D>" in here.last.content
    await wait(here, 1)
    await here.alice.slash(here.channel, "me vacation stop")
    answer = said(await here.alice.slash(here.channel, "me vacation start", until="tomorrow"))

    midnight = (start // DAY + 2) * DAY
    assert f"<t:{midnight // 1000}:f>" in answer


async def test_the_clock_of_who_is_on_vacation(here: World) -> None:
    """Asked for, it stands still: until when at most, and how much is left then."""
    await begin(here)
    await wait(here, 5)
    await here.alice.slash(here.channel, "me vacation start")
    told = here.last.content
    await wait(here, 24)
    await here.mention(here.bob, "clock")
    assert told in here.last.content
    assert "After that, 2 days and 19 hours are left for this move." in here.last.content
    assert "Move by" not in here.last.content
    assert [] == here.sent()[-1]["allowed_mentions"].get("users", [])
    await here.alice.slash(here.channel, "me vacation stop")
    await here.mention(here.bob, "clock")
    assert here.last.content.startswith("Move by ")


async def test_a_quick_restart_gives_nobody_time(here: World) -> None:
    """Stopped in good order nine minutes after the last sign of life, and back at once: that was no outage."""
    game_id = await begin(here)
    due = await here.bot.services.games.timeouts.due(game_id)
    await here.env.advance_time(540)
    await here.bot.close()
    await here.restart()
    await wait(here, 37)

    assert due == await here.bot.services.games.timeouts.due(game_id)


async def test_settings_are_shown_and_kept(here: World) -> None:
    """Quiet hours, zone and mutes; a zone that does not exist is refused."""
    assert "Quiet hours: none" in said(await here.alice.slash(here.channel, "me settings"))
    answer = await here.alice.slash(
        here.channel, "me settings", quiet_hours="22:00-7:30", time_zone="europe/madrid", mute="half"
    )
    assert "Quiet hours: 10:00 PM to 7:30 AM (time zone Europe/Madrid)" in said(answer)
    assert "Reminder when half your time is gone: muted" in said(answer)
    assert "no time zone" in said(await here.alice.slash(here.channel, "me settings", time_zone="Moon"))
    await here.restart()
    assert "Europe/Madrid" in said(await here.alice.slash(here.channel, "me settings"))


async def test_managers_choose_channels_and_a_clock(here: World) -> None:
    """Then games are begun there only, and have that clock; others may not choose."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    other = here.guild.create_text_channel("lounge")
    answer = await manager.slash(here.channel, "server settings", add_channel=here.channel, default_clock="brisk")
    assert "`brisk`" in said(answer)

    refused = await here.alice.slash(other, "play", variant="pinoy")
    assert here.channel.mention in said(refused)
    await here.alice.slash(here.channel, "play", variant="pinoy")
    assert "(`brisk`)" in here.last.content


async def test_channels_are_closed_and_opened_with_a_word(here: World) -> None:
    """Where the bot may not post, that is said at once; who takes the last channel off the list is told that all are
    open, and who takes one off that was not on it, that nothing has changed."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    silent: dict[Any, discord.PermissionOverwrite] = {
        here.guild.default_role: discord.PermissionOverwrite(send_messages=False)
    }
    closed = here.guild.create_text_channel("closed", overwrites=silent)

    async def told(**channels: object) -> str:
        return said(await manager.slash(here.channel, "server settings", **channels))

    assert f"Games may be started in all channels: there is no list to take {closed.mention} off" in await told(
        remove_channel=closed
    )
    assert f"I cannot play in {closed.mention}: I need the permissions **Send Messages**" in await told(
        add_channel=closed
    )
    assert f"{here.channel.mention} was not on the list, so nothing" in await told(remove_channel=here.channel)
    assert "cannot play" not in await told(add_channel=here.channel)
    assert "the last channel" not in await told(remove_channel=closed)
    last = await told(remove_channel=here.channel)
    assert f"{here.channel.mention} was the last channel on the list: **games may now be started in all" in last


async def test_six_weeks_of_a_game(here: World) -> None:
    """A game with a vacation, reminders and a timeout, in seconds."""
    game_id = await begin(here, "relaxed")
    for n in range(4):
        game = await here.game()
        await wait(here, 5.5 * 24)
        await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
        assert n + 3 == (await here.game()).ply
    await here.alice.slash(here.channel, "me vacation start")
    await wait(here, 18 * 24)
    await here.alice.slash(here.channel, "me vacation stop")
    await wait(here, 3 * 24)

    game = await here.bot.services.games.game(game_id)
    assert "finished" == game.status
    assert game.ended_at is not None
    assert game.started_at is not None
    assert 42 * DAY == game.ended_at - game.started_at
    assert [] == await check_games(here.bot.services.store)


async def test_a_channel_deleted_while_the_bot_was_away_stops_the_clock(here: World) -> None:
    """Found out when it comes back: the players are told how to go on, once, and nobody runs out of time."""
    here.expected_errors.add("not posted")
    game_id = await begin(here, "1d")
    await here.bot.close()
    here.env.backend.delete_channel(here.channel.id)
    for _ in range(2):
        await here.restart()
        await wait(here, 1)
    await wait(here, 26)

    assert "running" == (await here.bot.services.games.game(game_id)).status
    assert 1 == len([said for said in direct(here.alice) if "its channel was deleted" in said.content])


async def test_a_lost_connection_moves_the_deadline(here: World) -> None:
    """Nine minutes without Discord, between two signs of life, are given back."""
    game_id = await begin(here)
    due = await here.bot.services.games.timeouts.due(game_id)
    assert due is not None
    await here.env.advance_time(60)
    here.bot.ws.open = False  # type: ignore[misc]
    with here.env._bot_scope():
        here.bot.dispatch("disconnect")
    await here.env.advance_time(540)
    here.bot.ws.open = True  # type: ignore[misc]
    with here.env._bot_scope():
        here.bot.dispatch("resumed")
    await wait(here, 37)
    assert 1 == len(direct(here.alice))

    # The reminder at half of the time has set the timer anew.
    moved = await here.bot.services.games.timeouts.due(game_id)
    assert moved is not None
    assert 540_000 <= moved - due <= 560_000
