"""Tournaments that run by themselves: times, check-in, rounds, deadlines, with the bot stopped at bad moments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from simcord.actors import MemberActor

from bot.background.tournament_runner import TournamentRunner
from bot.support.time_units import DAY, HOUR, MINUTE
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from tests.support.discord.director_panel import Panel
from tests.support.discord.parts import part
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, said, words_of
from tests.support.tournaments import formats


class AutomatedClub(Club):
    """A club whose director sleeps."""

    async def quiet(self) -> None:
        """Until the bot has done and said all that there is to do and say."""
        bot = self.here.bot
        while bot.timers._sleeps_until is None or set(part(bot, TournamentRunner).tasks):  # noqa: ASYNC110 - the timers are no event
            await asyncio.sleep(0)
        await super().quiet()

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass."""
        await self.here.env.advance_time(milliseconds / 1000)
        await self.quiet()

    async def restart(self, *, was_away: bool = False) -> None:
        """Another bot; unless the first one ``was_away``, it has left a sign of life just before."""
        if not was_away:
            await self.here.bot.services.games.outages.alive()
        await self.here.restart()
        await self.here.env.settle()
        await self.quiet()

    async def says_what_goes_on(self, white: int, black: int) -> None:
        """The post of round 1, the standings, and both answers under round 2 name the game of these that goes on."""
        one, other = map((await self.load()).call, (white, black))
        post = self.post("**Autumn, round 1**").content
        (line,) = [line for line in post.splitlines() if "still being played" in line]
        assert one in line
        assert "1 game goes on and counts when it ends" in post
        assert "Deadline" not in post
        assert "games still open" in words_of(self.standings)
        assert f"for the pairing: {one} against {other} (round 1)." in await self.why(white)
        mine = said(await self.person(white).click(self.post("**Autumn, round 2**"), label="What do I need?"))
        assert (
            f"1 more game to play; these places allow for any result of it. Round 1, your game against {other}:" in mine
        )

    async def why(self, number: int) -> str:
        """What a player is told of their opponent in round 2."""
        return said(await self.person(number).click(self.post("**Autumn, round 2**"), label="Why this opponent?"))

    def person(self, number: int) -> MemberActor:
        return self.players[number - 1]

    async def round_number(self) -> int:
        return (await self.load()).state.rounds_paired

    def pinged(self, word: str) -> list[int]:
        """Who was pinged by messages that say ``word``."""
        found = [
            entry.json["allowed_mentions"].get("users", [])
            for entry in self.here.env.http_requests
            if entry.method == "POST" and isinstance(entry.json, dict) and word in (entry.json.get("content") or "")
        ]
        return [int(person) for people in found for person in people]

    async def game_of(self, one: int, other: int) -> int:
        """The running game of two starting numbers."""
        tournament = await self.load()
        return next(g.game_id for g in tournament.games if {g.white, g.black} == {one, other} and g.status == "running")

    async def move(self, game_id: int, plies: int) -> None:
        """The first turns of a game."""
        games = self.here.bot.services.games
        for _ in range(plies):
            game = await games.game(game_id)
            assert game.to_move is not None
            text = game.rules.turns(game.state)[0].text
            game = await games.moves.turn(game_id, game.to_move, text, f"m:{game_id}:{game.ply}")
            self.here.bot.services.games_changed.send(game)
        await self.quiet()


async def test_an_evening_that_runs_by_itself(here: World) -> None:
    """Announced in the director's own time, called to the check-in, begun, paired and ended with nobody's help; the bot
    is stopped before the start, between two rounds and in the middle of a pairing, and no round begins twice."""
    club = AutomatedClub(here, 8)
    one, two, three, four, five, six, seven, eight = club.players
    await club.director.slash(here.channel, "me settings", time_zone="Asia/Tokyo")
    await eight.slash(here.channel, "me settings", quiet_hours="00:01-00:00")
    start = here.bot.services.games.now // HOUR * HOUR + 3 * HOUR
    local = f"{(start // HOUR + 9) % 24:02}:00"
    times = {"start": local, "check_in": 30, "break_minutes": 10}
    await club.create("swiss", rounds=3, late_join_until=2, max_players=6, clock="10+5", **times)
    assert f"It begins <t:{start // 1000}:f>" in club.announcement.content
    assert "Check-in opens" in club.announcement.content
    await club.join(*club.players)
    assert 2 == club.announcement.content.count("(waiting)")
    await two.click(club.announcement, label="Leave")
    await club.quiet()
    assert [seven.id] == club.pinged("a place has opened up")

    await club.restart()
    await club.pass_time(start - 30 * MINUTE - here.bot.services.games.now)
    call = club.post("The check-in for **Autumn** is open")
    called = {person.id for person in (one, three, four, five, six, seven)}
    assert called == set(club.pinged("The check-in for"))
    assert ["Join", "Check in", "Leave", "Manage"] == labels(club.announcement)
    assert "You are checked in for **Autumn**." == said(await one.click(club.announcement, label="Check in"))
    for person in (three, four, five, seven):
        await person.click(call, label="Check in")
    assert "if a place becomes free" in said(await eight.click(call, label="Check in"))
    assert "have not entered" in said(await two.click(call, label="Check in"))
    assert 6 == club.announcement.content.count("✓") - 1
    await club.restart()
    assert "already" in said(await one.click(call, label="Check in"))
    await club.pass_time(start - here.bot.services.games.now)
    tournament = await club.load()
    assert {p.id for p in (one, three, four, five, seven, eight)} == {
        e.person for e in tournament.state.by_number.values()
    }
    assert "is closed" in club.post("The check-in").content
    assert "It is running." in club.announcement.content
    assert 3 == len(tournament.games)

    await club.play()
    assert "The next one begins <t:" in club.post("**Autumn, round 1**").content
    await club.join(six)
    await club.restart()
    await club.pass_time(10 * MINUTE)
    tournament = await club.load()
    assert (2, 6) == (tournament.state.rounds_paired, len(tournament.games))

    async def hangs(_work: Callable[[], Any]) -> Any:
        await asyncio.sleep(DAY)

    await club.play()
    here.bot.services.tournaments.work.in_thread = hangs
    await here.env.advance_time(10 * 60 + 5)
    await Club.quiet(club)
    assert "is being paired: with 6 players" in club.post("**Autumn, round 3**").content
    assert 2 == await club.round_number()
    await club.restart()
    tournament = await club.load()
    assert (3, 9) == (tournament.state.rounds_paired, len(tournament.games))
    assert "1. <@" in club.post("**Autumn, round 3**").content
    await club.restart()
    await club.play()
    assert "The tournament ends <t:" in club.post("**Autumn, round 3**").content
    await club.pass_time(10 * MINUTE)
    tournament = await club.load()
    assert Phase.OVER is tournament.state.phase
    assert 9 == len(tournament.games)
    winner = tournament.call(formats.ranking(tournament.state).lines[0].number)
    assert f"🥇 {winner}" in words_of(club.post("**Autumn is over.**"))


async def test_a_round_robin_by_correspondence(here: World) -> None:
    """Over weeks each round has a deadline: the directors are told before and then, one game is adjudicated, the next
    round begins by itself, at the date where all are done sooner; restarts change nothing."""
    club = AutomatedClub(here, 4)
    await club.create("round robin", clock="14d", round_days=10)
    assert "The deadline of a round is 10 days after its pairing." in club.announcement.content
    await club.join(*club.players)
    await club.direct("start")
    assert "Deadline: <t:" in club.post("**Autumn, round 1**").content
    tournament = await club.load()
    slow = tournament.games[0]
    await club.quiet()
    told = [str(e.json["content"]) for e in here.env.http_requests if isinstance(e.json, dict) and "content" in e.json]
    assert 2 == sum(text.startswith("**Autumn, round 1, until <t:") for text in told)
    await club.play(slow.white, slow.black)
    await club.move(slow.game_id, 3)
    await club.pass_time(9 * DAY)
    near = "the deadline of round 1 of **Autumn** is"
    assert [club.director.id] == club.pinged(near)
    await club.restart()
    await club.pass_time(DAY + HOUR)
    assert [club.director.id] * 2 == club.pinged(near)
    await club.pass_time(DAY)
    assert 1 == await club.round_number()
    assert [club.director.id] * 2 == club.pinged(near)

    slow_thread = (await here.bot.services.games.game(slow.game_id)).channel_id
    white = next(p for p in club.players if p.id == tournament.state.by_number[slow.white].person)
    assert "Only a director" in said(await white.click(club.announcement, label="Enter a result"))
    panel = Panel(club.director, await club.director.click(club.announcement, label="Enter a result"))
    await panel.choose(f"Round 1: player{slow.white} - player{slow.black}")
    await (await panel.press(f"player{slow.white} wins")).press("Save it")
    await club.quiet()
    last = next(each for each in here.channel.threads if each.id == slow_thread).history()[-1].content
    assert f"The director has entered the result of this game. <@{white.id}> 1 - 0 <@" in last
    game = await here.bot.services.games.game(slow.game_id)
    assert "aborted" == game.status
    tournament = await club.load()
    assert (Mark.WIN, Mark.LOSS) == tournament.state.results[1, slow.white, slow.black]
    assert 2 == tournament.state.rounds_paired
    begun = here.bot.services.games.now

    # The bot is out of reach for some hours: so much later is the deadline, and the round's message says so.
    await club.restart()
    assert "bot was out of reach" not in club.post("**Autumn, round 2**").content
    await club.pass_time(20 * HOUR)
    await club.restart(was_away=True)
    assert f"<t:{(begun + 10 * DAY + 20 * HOUR) // 1000}:f>" in club.post("**Autumn, round 2**").content
    assert "moved by the time for which the bot was out of reach" in club.post("**Autumn, round 2**").content

    await club.play()
    await club.restart()
    await club.pass_time(10 * DAY - HOUR)
    assert 2 == await club.round_number()
    await club.pass_time(2 * HOUR)
    assert 3 == await club.round_number()
    assert begun + 10 * DAY < here.bot.services.games.now
    await club.play()
    await club.pass_time(MINUTE)
    assert Phase.OVER is (await club.load()).state.phase
    assert club.post("**Autumn is over.**")


async def test_games_that_go_on_are_paired_as_draws(here: World) -> None:
    """At the deadline the next round begins though a game goes on; its true result counts when it comes."""
    club = AutomatedClub(here, 4)
    await club.create("swiss", rounds=2, clock="14d", round_days=5, unfinished="go_on")
    await club.join(*club.players)
    await club.direct("start")
    slow = (await club.load()).games[0]
    await club.play(slow.white, slow.black)
    await club.move(slow.game_id, 3)
    assert "1 game is still in progress, until" in await club.direct("pair")
    await club.pass_time(5 * DAY)
    tournament = await club.load()
    assert 2 == tournament.state.rounds_paired
    other = next(game for game in tournament.state.paired[1].games if game != (slow.white, slow.black))
    winner = min(other)
    # Half a point each: both are ahead of who has lost, and behind who has won.
    top = next(game for game in tournament.state.paired[2].games if winner in game)
    assert set(top) & {slow.white, slow.black}
    assert [] == club.pinged("the deadline")
    await club.says_what_goes_on(slow.white, slow.black)
    await club.restart()
    await club.move(slow.game_id, 1)
    await club.play()
    tournament = await club.load()
    assert {Mark.WIN, Mark.LOSS} == set(tournament.state.results[1, slow.white, slow.black])
    assert "still being played" not in club.post("**Autumn, round 1**").content
    # Told as it was when the round was paired, though the game has ended since.
    assert "counts as a draw for the pairing" in await club.why(slow.white)
    await club.pass_time(MINUTE)
    assert Phase.OVER is (await club.load()).state.phase


async def test_all_games_at_once(here: World) -> None:
    """Every game has its thread from the start; the standings alone tell of them, and link each, those that are over
    last."""
    club = AutomatedClub(here, 4)
    await club.create("round robin", all_rounds_at_once=True, max_players=4, break_minutes=0)
    await club.join(*club.players)
    await club.direct("start")
    tournament = await club.load()
    threads = {(await here.bot.services.games.game(link.game_id)).channel_id for link in tournament.games}
    assert 6 == len(threads)
    assert not [m for m in here.posts() if "round 1" in m.content]
    await club.quiet()
    told = words_of(club.standings)
    assert all(f"[game](https://discord.com/channels/{here.guild.id}/{thread})" in told for thread in threads)
    panel = await (await club.manage()).choose("Enter a result")
    assert 6 == len(panel.options)
    await (await (await panel.choose("Round 1: ")).press("Draw")).press("Save it")
    assert 1 == len((await club.load()).state.results)
    await club.quiet()
    games = [line for line in words_of(club.standings).splitlines() if "[game]" in line]
    assert [False, False, False, False, False, True] == ["½ - ½" in line for line in games]
    await club.play()
    await club.pass_time(MINUTE)
    assert Phase.OVER is (await club.load()).state.phase


async def test_what_a_director_says_beforehand(here: World) -> None:
    """Times, limits, places, and calling it off: each in words, refused to others, and seen in the announcement."""
    club = AutomatedClub(here, 3)
    bad = await club.director.slash(
        here.channel, "tournament create swiss", name="X", variant="pinoy", clock="3d", rounds=2, start="soon"
    )
    assert " as a time. Write " in said(bad)
    await club.create("swiss", rounds=5, max_players=4, start="in 2h")
    assert "It begins <t:" in (await club.manage()).text
    times = "Start and check-in"
    assert "It begins" not in await club.set(times, start="")
    assert "needs a start time" in await club.set(times, check_in="10")
    assert "has passed" in await club.set(times, start="1700000000")
    assert "It begins <t:" in await club.set(times, start="in 1 day", check_in="15")
    assert "as soon as the one before is over" in await club.set("Rounds", break_minutes="0", round_days="3")
    assert "Only a director" in said(await here.alice.slash(here.channel, "tournament manage"))
    role = here.guild.create_role("members")
    await club.set("Who may enter", roles=[role], max_rating="2000", min_players="4")
    await club.quiet()
    assert f"you need: a rating of 2000 or less; one of these roles: <@&{role.id}>." in club.announcement.content
    assert "With fewer than 4 players" in club.announcement.content
    assert "with one of these roles" in said(await here.alice.click(club.announcement, label="Join"))
    dora = here.guild.add_member(here.env.create_user("dora"), roles=[role])
    await club.join(dora)
    await club.set("Who may enter", roles=[], max_rating="", min_players="")
    await club.join(*club.players)
    seeded = await club.seed(club.players[2], 1)
    assert f"1. <@{club.players[2].id}> (by hand)" in seeded
    assert f"2. <@{dora.id}>" in seeded
    await club.quiet()
    assert "The director has given 1 player a place" in club.announcement.content
    assert "**Autumn** is cancelled" in await club.tap("Cancel")
    await club.quiet()
    told = f"<@{club.director.id}> has cancelled **Autumn**."
    assert told in club.announcement.content
    called = " ".join(f"<@{each.id}>" for each in (dora, *club.players))
    assert f"{told} {called}" == club.post(told).content
    assert [] == labels(club.announcement)
    assert told in await club.direct("standings")
    assert "Finish the tournament" not in (await club.manage()).options
    assert "not begun" in await club.direct("export", format="csv")


async def test_too_many_rounds(here: World) -> None:
    """Said when it is created, where the limit is known, and when entries close."""
    club = AutomatedClub(here, 3)
    answer = await club.create("swiss", rounds=4, max_players=4, start="in 1h", min_players=3)
    assert "4 rounds is a lot for 4 players" in said(answer)
    assert "With fewer than 3 players it is cancelled." in club.announcement.content
    await club.join(*club.players)
    await club.pass_time(HOUR)
    assert "4 rounds is a lot for 3 players" in club.announcement.content


async def test_marks_are_seen_at_joining(here: World) -> None:
    """Who let a first move's time pass is marked in the next announcement, until the mark fades."""
    club = AutomatedClub(here, 4)
    await club.create("swiss", rounds=1, break_minutes=0)
    await club.join(*club.players)
    await club.direct("start")
    absent = (await club.load()).games[0]
    await club.play(absent.white, absent.black)
    await club.pass_time(49 * HOUR)
    tournament = await club.load()
    (missing,) = [tournament.state.by_number[each.number].person for each in tournament.state.no_shows]
    assert Phase.OVER is tournament.state.phase
    await club.direct("create swiss", name="Winter", variant="pinoy", clock="3d", rounds=1)
    winter = next(m for m in here.posts() if m.content.startswith("**Winter**"))
    for person in club.players:
        await person.click(winter, label="Join")
    await club.quiet()
    winter = next(m for m in here.posts() if m.content.startswith("**Winter**"))
    assert f"<@{missing}> ⚠" in winter.content
    assert 2 == winter.content.count("⚠")
    assert "missed 1 game (<t:" in (await (await club.manage()).choose("Order of the players")).text
    await club.pass_time(2 * DAY)
    await here.alice.click(winter, label="Join")
    await club.quiet()
    winter = next(m for m in here.posts() if m.content.startswith("**Winter**"))
    assert "⚠" not in winter.content


async def test_a_slow_pairing_is_told(here: World) -> None:
    """Where pairing takes more than two seconds, the round's own post says so, until it shows the games."""
    club = AutomatedClub(here, 4)
    await club.started("swiss", rounds=2)
    await club.play()

    async def slowly(work: Callable[[], Any]) -> Any:
        await asyncio.sleep(30)
        return work()

    here.bot.services.tournaments.work.in_thread = slowly
    await club.director.slash(here.channel, "tournament pair")
    await here.env.advance_time(3)
    await club.quiet()
    assert "is being paired: with 4 players" in club.post("**Autumn, round 2**").content
    await here.env.advance_time(30)
    await club.quiet()
    assert "1. <@" in club.post("**Autumn, round 2**").content
    assert "being paired" not in club.post("**Autumn, round 2**").content
