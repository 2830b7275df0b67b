"""A league over two seasons, on the injected clock."""

from __future__ import annotations

import re

import discord
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.results import ResponseMessage

from bot.i18n import day
from tests.support.discord.director_panel import Panel
from tests.support.discord.league_club import LeagueClub
from tests.support.discord.world import World, labels, said, words_of


async def test_a_league_of_two_seasons(here: World) -> None:
    """Six in two divisions, a restart, a season that ends with its last game and one that ends by its date, promotion
    and relegation, somebody who leaves and somebody who comes."""
    club = LeagueClub(here, 6)
    assert "announced below" in await club.create(season_days=10, break_days=3, clock="10d")
    assert ["Join", "Leave"] == labels(club.announcement)
    for person in club.players:
        await person.click(club.announcement, label="Join")
    assert "6 members" in club.announcement.content
    assert "already" in said(await club.players[0].click(club.announcement, label="Join"))
    refused = await club.players[0].slash(here.channel, "league start")
    assert "Only a director" in said(refused)
    assert "**Autumn**: season 1 has begun with 2 divisions." == await club.direct("start")
    await club.quiet()
    season = (await club.league()).state.season
    assert season is not None
    assert [4, 2] == [len(people) for people in season.divisions]
    assert club.post("**Autumn, season 1** has begun")
    assert "A season is being played" in await club.direct("start")

    # With its last game the season is over; the bot was away in between.
    await club.play(club.players[0])
    assert (await club.league()).state.is_playing
    told = said(await here.alice.slash(here.channel, "league standings"))
    assert re.findall(r"^[0-9]\\?\. <@[0-9]+> .* ▼$", told, re.MULTILINE)
    assert "Ranked by" not in told
    assert 6 == len(re.findall(r"\*\* · DE [0-9]+, SB [0-9½]+, WIN [0-9]+", told))
    assert "▲ would go up, ▼ would go down as things stand." in told
    assert "DE: direct encounter" in told
    await club.play()
    await here.env.advance_time(60)
    await club.quiet()
    state = (await club.league()).state
    assert not state.is_playing
    told = club.post("**Autumn, season 1** is over").content
    first, last, rises = (f"<@{club.players[at].id}>" for at in (0, 3, 4))
    assert f"**Division 1** (tournament 1)\n1. {first} **3**\n2. " in told
    assert f"\n4. {last} **0**\n**Division 2** (tournament 2)\n1. {rises} **1**\n2. " in told
    assert f"\nPromoted to division 1: {rises}.\nRelegated to division 2: {last}.\n" in told
    assert "This can still change if somebody leaves or joins before the next season." in told
    tables = said(await here.alice.slash(here.channel, "league standings"))
    assert re.search(rf"4\. {last} .* ▼\n", tables)
    assert re.search(rf"1\. {rises} .* ▲\n", tables)
    assert "▲ goes up, ▼ goes down. This can still change" in tables
    assert "In progress" not in told
    assert "Season 2 begins" in club.announcement.content

    # One leaves, one comes; the next season begins by itself after the pause.
    await club.players[1].click(club.announcement, label="Leave")
    tables = said(await here.alice.slash(here.channel, "league standings"))
    assert re.search(rf"2\. <@{club.players[1].id}> .* \(left\)\n", tables)
    assert "▼\n" not in tables
    await here.carol.slash(here.channel, "league join")
    club.players.append(here.carol)
    await here.env.advance_time(3 * 86_400)
    await club.quiet()
    state = (await club.league()).state
    assert state.is_playing
    assert state.season is not None
    assert 2 == state.season.number
    told = club.post("**Autumn, season 2** has begun").content
    best_of_second = club.players[4].id
    assert best_of_second in state.season.divisions[0]
    assert f"Promoted to division 1: <@{best_of_second}>." in told
    there = {person for division in state.season.divisions for person in division}
    assert club.players[1].id not in there
    assert here.carol.id in state.season.divisions[-1]

    # The second season ends by its date: games that go on are drawn, who has not moved at all has forfeited and is not
    # enrolled again.
    begun, absent = club.players[2], club.players[5]
    await club.play(begun, absent)
    await club.play(absent, moves=2)
    await here.env.advance_time(10 * 86_400 + 60)
    await club.quiet()
    state = (await club.league()).state
    assert begun.id in state.members
    assert absent.id not in state.members
    assert 2 == len([season for season in state.seasons if season.ended_at])
    told = club.post("**Autumn, season 2** is over").content
    assert re.search(rf"Unfinished at the end, and counted as a draw because both had moved: .*<@{begun.id}>", told)
    assert f"Not in the next season, because they made no move: <@{absent.id}>." in told
    assert "winners by division" in said(await here.alice.slash(here.channel, "league history"))
    for season in state.seasons:
        for number in season.tournaments:
            tournament = await here.bot.services.tournaments.load(number)
            assert tournament.status == "over"
            assert "running" not in {link.status for link in tournament.games}
    asked = await club.director.slash(here.channel, "league close")
    assert "There will not be another season. This cannot be undone" in said(asked)
    assert "Leave" in labels(club.announcement)
    assert asked.response is not None
    closed = await club.director.click(asked.response, label="Close the league")
    assert "**Autumn** will have no more seasons." == said(closed)
    assert [] == labels(club.announcement)
    assert "over" in await club.direct("list")


async def test_a_season_is_posted_in_order(here: World) -> None:
    """That it has begun, the divisions from the first, and then the threads of the games by their numbers."""
    club = LeagueClub(here, 8)
    await club.create()
    for person in club.players:
        await person.click(club.announcement, label="Join")
    before, posts = len(here.env.http_requests), len(here.posts())
    await club.direct("start")
    await club.quiet()
    told = [text for post in here.posts()[posts:] if (text := words_of(post)).startswith(("**", "###"))]
    divisions = ["### Autumn, season 1, division 1", "### Autumn, season 1, division 2"]
    assert ["**Autumn, season 1** has begun", *divisions] == [re.split(r"\. |\n", text)[0] for text in told]
    posted = [entry for entry in here.env.http_requests[before:] if entry.method == "POST"]
    threads = [(entry.json or {})["name"] for entry in posted if entry.path.endswith("/threads")]
    assert list(range(1, 13)) == [int(name.rsplit("#", 1)[1]) for name in threads]


async def test_who_may_hold_a_league(here: World) -> None:
    """Creating needs a permission and a clock by days; directing needs the director's word."""
    club = LeagueClub(here, 2)
    refused = await here.alice.slash(here.channel, "league create", name="X", variant="pinoy", clock="14d")
    assert "Manage Events" in said(refused)
    assert "More players would go up and down than a division has" in await club.create(promoted=3, relegated=3)
    await club.create()
    for command in ("close", "start"):
        assert "Only a director" in said(await here.alice.slash(here.channel, f"league {command}"))
    assert "At least two players" in await club.direct("start")
    asked = await club.director.slash(here.channel, "league directors")
    assert asked.response is not None
    added = await club.director.select(asked.response, [here.alice], custom_id="menu:contest:directs:1")
    assert f"<@{here.alice.id}> directs **Autumn** too." in said(added)
    await here.bob.slash(here.channel, "league join")
    assert "Only a director" in said(await here.carol.slash(here.channel, "league remove", player=here.bob))
    told = said(await here.alice.slash(here.channel, "league remove", player=here.bob))
    assert f"<@{here.bob.id}> will not play in any more seasons of **Autumn**." == told
    question = await here.alice.slash(here.channel, "league close")
    assert question.response is not None
    await here.alice.click(question.response, label="Close the league")
    assert "already closed" in await club.direct("close")
    assert "closed" in said(await here.bob.slash(here.channel, "league join"))


async def test_a_refused_league_loses_nothing(here: World) -> None:
    """What was typed stands in the answer, and in the form that opens from it."""
    club = LeagueClub(here, 2)
    options = {"name": "Autumn", "variant": "pinoy", "clock": "14d", "promoted": 3, "relegated": 3, "division_size": 4}
    panel = Panel(club.director, await club.director.slash(here.channel, "league create", **options))
    assert "More players would go up and down than a division has" in panel.text
    assert "Players in a division: 4\nHow many go up: 3\nHow many go down: 3" in panel.text
    await panel.press("Change the rest")
    await panel.send(relegated="1")
    assert "As many go down from a division as come up into it. Choose the same number for both." in panel.text
    await panel.press("Change the rest")
    await panel.send(promoted="1")
    assert "**Autumn** is announced below." in panel.text
    plan = (await club.league()).state.plan
    assert (4, 1, 1, 60, 3) == (plan.size, plan.up, plan.down, plan.days, plan.pause)


async def test_directors_come_and_go(here: World) -> None:
    """A director adds another, who takes the first one out, or steps down: both are asked, the announcement and the
    divisions follow, and one stays. Who manages the server can take a league over."""
    club = LeagueClub(here, 2)
    await club.started()
    refused = await here.alice.slash(here.channel, "league directors")
    assert "Only a director" in said(refused)
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])

    async def panel(person: MemberActor) -> ResponseMessage:
        answer = await person.slash(here.channel, "league directors")
        assert answer.response is not None
        return answer.response

    async def directors() -> list[list[int]]:
        await club.quiet()
        season = (await club.league()).state.season
        assert season is not None
        divisions = [await here.bot.services.tournaments.load(number) for number in season.tournaments]
        return [list((await club.league()).directors), *(list(each.directors) for each in divisions)]

    async def dismissed(by: MemberActor, person: MemberActor) -> tuple[str, str]:
        asked = await by.select(await panel(by), [str(person.id)], custom_id="menu:contest:dismiss:1")
        assert asked.response is not None
        return said(asked), said(await by.click(asked.response, label="Confirm"))

    shown = await panel(manager)
    assert f"**Autumn**: Directed by <@{club.director.id}>." == shown.content
    assert 1 == len(shown.components)
    added = said(await manager.select(shown, [manager], custom_id="menu:contest:directs:1"))
    assert added.startswith(f"<@{manager.id}> directs **Autumn** too.")
    assert 2 * [[club.director.id, manager.id]] == await directors()
    assert f"Directed by <@{club.director.id}>, <@{manager.id}>." in club.announcement.content
    asked, told = await dismissed(club.director, club.director)
    assert "Stop directing **Autumn**? Only another director can add you again." == asked
    assert f"<@{club.director.id}> no longer directs **Autumn**." == told
    assert 2 * [[manager.id]] == await directors()
    assert f"Directed by <@{manager.id}>." in club.announcement.content

    assert 1 == len((await panel(manager)).components)
    await manager.select(await panel(manager), [here.alice], custom_id="menu:contest:directs:1")
    stale = await here.alice.select(await panel(here.alice), [str(manager.id)], custom_id="menu:contest:dismiss:1")
    assert stale.response is not None
    asked, told = await dismissed(manager, here.alice)
    assert f"Remove <@{here.alice.id}> from the directors of **Autumn**?" == asked
    assert f"<@{here.alice.id}> no longer directs **Autumn**.\n\n**Autumn**: Directed by" in told
    assert "Only a director" in said(await here.alice.click(stale.response, label="Confirm"))
    assert 2 * [[manager.id]] == await directors()


async def test_a_small_division(here: World) -> None:
    """How many rise and fall where nobody says it fits the division."""
    club = LeagueClub(here, 2)
    assert "announced below" in await club.create(division_size=3, promoted=None, relegated=None)


async def test_a_league_is_chosen_by_its_name(here: World) -> None:
    """From a list of those that a person may know of, or typed; a league in a channel that they do not see is not
    offered, and refused as if there were none. Without it the newest of the channel is meant."""
    club = LeagueClub(here, 2)
    await club.create()
    await club.create(name="Winter, *fast*")
    await club.quiet()
    offered = await here.alice.autocomplete(here.channel, "league join", "league", "FAST")
    assert [("Winter, *fast* (not begun)", "2")] == [(each["name"], each["value"]) for each in offered]
    assert 2 == len(await here.alice.autocomplete(here.channel, "league standings", "league", ""))
    assert "You are in **Autumn**" in said(await here.alice.slash(here.channel, "league join", league="autumn"))
    assert "You are in **Autumn**" in said(await here.bob.slash(here.channel, "league join", league="1"))
    assert "You are in **Winter" in said(await here.alice.slash(here.channel, "league join"))
    assert "no league **Spring** on this server" in await club.direct("start", league="Spring")

    lobby = here.guild.create_text_channel("lobby")
    unseen = discord.Permissions(view_channel=True).value
    for person in (here.alice, here.carol):
        overwrite = Overwrite(target_id=person.id, type=OverwriteType.MEMBER, allow=0, deny=unseen)
        here.env.backend.set_overwrite(here.channel.id, overwrite)
    assert [] == await here.carol.autocomplete(lobby, "league join", "league", "")
    assert "no league **Autumn** on" in said(await here.carol.slash(lobby, "league join", league="Autumn"))
    assert "no league **1** on" in said(await here.carol.slash(lobby, "league join", league="1"))
    assert 2 == len(await here.alice.autocomplete(lobby, "league standings", "league", ""))  # who is in them has them


async def test_leagues_and_matches_are_told_by_names(here: World) -> None:
    """They are counted together, so that numbers would mislead: no post or list has one, and those of one name are told
    apart by the day on which they were announced."""
    club = LeagueClub(here, 2)
    match = {"name": "Derby", "variant": "pinoy", "clock": "3d", "boards": 1}
    await club.director.slash(here.channel, "teams challenge", **match)
    await club.create()
    asked = await club.director.slash(here.channel, "league close")
    assert asked.response is not None
    await club.director.click(asked.response, label="Close the league")
    await here.env.advance_time(2 * 86_400)
    await club.create()
    await club.quiet()
    posts = [post.content for post in here.posts() if re.match(r"\*\*(Autumn|Derby)", post.content)]
    starts = ["**Derby** (team match): Pinoy", "**Autumn** (league): Pinoy", "**Autumn** (league): Pinoy"]
    assert starts == [text[: len(start)] for text, start in zip(posts, starts, strict=True)]
    listed = await club.direct("list")
    where = f"<#{here.channel.id}>"
    assert f"- **Autumn** {where}: not begun\n- **Autumn** {where}: over" == listed
    assert "- **Derby**: not begun" == said(await club.director.slash(here.channel, "teams list"))
    offered = await here.alice.autocomplete(here.channel, "league standings", "league", "aut")
    days = [day((await here.bot.services.leagues.competitions.load(number)).made_at) for number in (3, 2)]
    assert [f"Autumn ({days[0]}, not begun)", f"Autumn ({days[1]}, over)"] == [each["name"] for each in offered]
    assert days[0] != days[1]


async def test_joining_and_leaving_say_from_when_on(here: World) -> None:
    """Whoever presses is told privately what it means for them, and the post keeps apart who plays now, who comes with
    the next season and who goes after this one."""
    club = LeagueClub(here, 3)
    await club.create()
    pressed = [await person.click(club.announcement, label="Join") for person in club.players]
    assert {"You are in **Autumn**, starting with its first season."} == {said(each) for each in pressed}
    await club.direct("start")
    await club.quiet()
    assert "tournaments" not in club.announcement.content
    told = said(await here.alice.slash(here.channel, "league standings"))
    assert "▼" not in told.splitlines()[2]

    assert "starting with its next season" in said(await here.carol.click(club.announcement, label="Join"))
    left = said(await club.players[0].click(club.announcement, label="Leave"))
    assert left.startswith(
        "You will not play in any more seasons of **Autumn**. Please finish your games of this season"
    )
    assert "**Autumn**: You are not in this league." == said(await here.bob.slash(here.channel, "league leave"))
    await club.quiet()
    assert f"Joining with the next season: <@{here.carol.id}>." in club.announcement.content
    assert f"Leaving after this season: <@{club.players[0].id}>." in club.announcement.content


async def test_leaving_takes_the_division_one_is_in(here: World) -> None:
    """`/tournament leave` without a name finds the division of whoever asks, though another one is newer."""
    club = LeagueClub(here, 6)
    await club.started()
    season = (await club.league()).state.season
    assert season is not None
    lost = ("3 games in progress are lost.", "1 game in progress is lost.")
    for level, people in enumerate(season.divisions, start=1):
        leaving = next(person for person in club.players if person.id == people[0])
        asked = await leaving.slash(here.channel, "tournament leave")
        then = "Then you will not play in any more seasons of the league."
        assert f"Leave **Autumn, season 1, division {level}**? {lost[level - 1]} {then}" == said(asked)
        assert asked.response is not None
        told = said(await leaving.click(asked.response, label="Leave"))
        assert f"You have left **Autumn, season 1, division {level}**" in told
        assert "You will not play in any more seasons of the league." in told
    assert "You have not entered" in said(await here.carol.slash(here.channel, "tournament leave"))

    for name in ("Spring Cup", "Summer Cup"):
        await club.director.slash(here.channel, "tournament create swiss", name=name, variant="pinoy")
        await here.carol.slash(here.channel, "tournament join", tournament=name)
    told = said(await here.carol.slash(here.channel, "tournament leave"))
    assert "You are in several tournaments: **Summer Cup**, **Spring Cup**." in told


async def test_a_season_nobody_moves_in_ends_memberships(here: World) -> None:
    """Whoever made no move is in no further season, whoever's clock it was that ran out, and the post names them."""
    club = LeagueClub(here, 4)
    await club.started(season_days=20)
    await club.play(club.players[0], club.players[1])
    await here.env.advance_time(15 * 86_400)
    await club.quiet()
    state = (await club.league()).state
    assert not state.is_playing
    assert state.season is not None
    division = await here.bot.services.tournaments.load(state.season.tournaments[0])
    idle = {person.id for person in club.players[:2]}
    asked = {
        person for link in division.games for person in [division.state.by_number[link.white].person] if person in idle
    }
    # Of two who never moved, whoever has the second seat in every game was never to move.
    assert {person.id for person in club.players} - asked == set(state.members)
    told = club.post("**Autumn, season 1** is over").content
    out = ", ".join(f"<@{person}>" for person in sorted(asked))
    assert f"Not in the next season, because they made no move: {out}." in told


async def test_whoever_never_had_the_move_stays(here: World) -> None:
    """A game nobody moved in: who was asked for the first move is in no further season, the opponent is."""
    club = LeagueClub(here, 2)
    await club.started(season_days=20)
    season = (await club.league()).state.season
    assert season is not None
    division = await here.bot.services.tournaments.load(season.tournaments[0])
    (link,) = division.games
    asked, waiting = (division.state.by_number[number].person for number in (link.white, link.black))
    await here.env.advance_time(15 * 86_400)
    await club.quiet()
    state = (await club.league()).state
    assert not state.is_playing
    assert (waiting,) == state.members
    told = club.post("**Autumn, season 1** is over").content
    assert f"Not in the next season, because they made no move: <@{asked}>." in told


async def test_a_season_says_who_lost_as_they_had_not_moved(here: World) -> None:
    """A game that is cut short before both have moved names the loser, and why."""
    club = LeagueClub(here, 2)
    await club.started(season_days=1, clock="1d")
    assert "A season lasts at most 1 day. " in club.announcement.content
    season = (await club.league()).state.season
    assert season is not None
    (link,) = (await here.bot.services.tournaments.load(season.tournaments[0])).games
    asked, waiting = (season.divisions[0][number - 1] for number in (link.white, link.black))
    await here.env.advance_time(86_400 + 60)
    await club.quiet()
    told = club.post("**Autumn, season 1** is over").content
    assert f"\n1. <@{waiting}> **1**\n2. <@{asked}> **0**\n" in told
    assert f"Unfinished at the end, and lost by those who had made no move: <@{asked}> (against <@{waiting}>)." in told


async def test_a_place_is_shared_in_every_list(here: World) -> None:
    """Three who are equal in everything share the first place in the post and in the history, as in the standings, and
    the post says who counts as higher."""
    club = LeagueClub(here, 3)
    await club.started(division_size=3)
    season = (await club.league()).state.season
    assert season is not None
    ((one, two, three),) = season.divisions
    games = here.bot.services.games
    for link in (await here.bot.services.tournaments.load(season.tournaments[0])).games:
        game = await games.game(link.game_id)
        for ply in range(2):
            assert game.to_move is not None
            text = game.rules.turns(game.state)[0].text
            game = await games.moves.turn(game.id, game.to_move, text, f"t:{game.id}:{ply}")
        loser = {frozenset((one, two)): two, frozenset((two, three)): three, frozenset((one, three)): one}
        ended = await games.moves.resign(game.id, loser[frozenset(p for p in game.players if p)], f"t:{game.id}:end")
        here.bot.services.games_changed.send(ended)
    await club.quiet()
    await here.env.advance_time(60)
    await club.quiet()
    told = club.post("**Autumn, season 1** is over").content
    assert f"\n1\\. <@{one}> **1**\n1\\. <@{two}> **1**\n1\\. <@{three}> **1**\n" in told
    assert "the higher seed counts as higher" in told
    history = said(await here.alice.slash(here.channel, "league history"))
    assert f"1: <@{one}> = <@{two}> = <@{three}>" in history


async def test_two_leagues_have_two_names(here: World) -> None:
    """A name that a league has which is not over is refused, in capitals or not."""
    club = LeagueClub(here, 2)
    await club.create()
    assert "already an unfinished one called **AUTUMN** here" in await club.create(name="AUTUMN")
