"""Buttons of tournaments pressed at odd moments: after a restart, twice, by who is out, by two at once."""

from __future__ import annotations

import asyncio

import discord
import pytest

from bot.games.model.errors import Refused
from bot.tournaments.model.events import RoundPaired, Started
from bot.tournaments.pairing.record import Mark
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, said


async def test_each_button_works_after_a_restart(here: World) -> None:
    """Join, Leave, Check in, Why, Need, As text, and the preview of a result: each is pressed on a bot that did
    not post it."""
    club = Club(here, 4)
    one, two, three, four = club.players
    start = here.bot.services.games.now // 60_000 * 60 + 3600
    await club.create("swiss", rounds=2, start=f"<t:{start}>", check_in=30)
    await here.restart()
    await club.join(*club.players)
    await here.restart()
    await four.click(club.announcement, label="Leave")
    assert "3 entered" in club.announcement.content
    await here.restart()
    await four.click(club.announcement, label="Join")
    await here.env.advance_time(2000)
    await club.quiet()
    call = club.post("The check-in for")
    await here.restart()
    await one.click(call, label="Check in")
    await here.restart()
    for player in (two, three, four):
        await player.click(club.announcement, label="Check in")
    assert "✓ has checked in (4)" in club.announcement.content
    await here.env.advance_time(2000)
    await club.quiet()
    assert 1 == (await club.load()).state.rounds_paired
    for label, says in (("Why this opponent?", "score group"), ("What do I need?", "If you win")):
        await here.restart()
        assert says in said(await one.click(club.post("**Autumn, round 1**"), label=label))
    await here.restart()
    shown = said(await one.click(club.standings, label="As text"))
    assert "BH: Buchholz" in shown
    answer = await club.director.slash(here.channel, "tournament result", player=one, result="won")
    await here.restart()
    assert answer.response is not None
    assert "the result is entered" in said(await club.director.click(answer.response, label="Save it"))


async def test_who_is_in_or_out_presses_again(here: World) -> None:
    """One is told as oneself what holds; who has left comes back; whom a director took out asks a director."""
    club = Club(here, 5)
    one, two, *_others = club.players
    await club.create("swiss", rounds=3)
    await club.join(*club.players)
    old = club.announcement
    assert "**Autumn**: You have already entered." == said(await one.click(old, label="Join"))
    await one.click(old, label="Leave")
    assert "**Autumn**: You have not entered." == said(await one.click(old, label="Leave"))
    await one.click(old, label="Join")
    await club.withdraw(two)
    number = (await club.load()).last
    refused = said(await two.click(old, label="Join"))
    assert "A director has withdrawn you from **Autumn**" in refused
    assert f"event {number}" in refused
    assert "is undone" in await club.undo(number)
    assert "**Autumn**: You have already entered." == said(await two.click(old, label="Join"))

    await club.direct("start")
    await club.quiet()
    assert ["Leave", "Enter a result", "Manage"] == labels(club.announcement)
    await one.click(club.announcement, label="Leave")
    assert "**Autumn**: You have already left." == said(await one.click(club.announcement, label="Leave"))
    await club.play()
    assert ["Come back", "Leave", "Pair next round", "Enter a result", "Manage"] == labels(club.announcement)
    assert "**Autumn**: Entries are closed. " in said(await here.alice.click(club.announcement, label="Come back"))
    await one.click(club.announcement, label="Come back")
    assert ["Leave", "Pair next round", "Enter a result", "Manage"] == labels(club.announcement)
    await club.direct("pair")
    tournament = await club.load()
    mine = tournament.state.by_person[one.id].number
    paired = tournament.state.paired[2]
    assert mine in {paired.bye, *(number for game in paired.games for number in game)}


async def test_an_elimination_is_left_for_good(here: World) -> None:
    """There is no way back into a bracket, whoever asks."""
    club = Club(here, 4)
    await club.create("single elimination")
    await club.join(*club.players, here.alice)
    old = club.announcement
    await here.alice.click(old, label="Leave")
    assert "4 entered" in club.announcement.content
    await club.direct("start")
    await club.quiet()
    asked = await club.players[0].click(old, label="Leave")
    assert asked.response is not None
    await club.players[0].click(asked.response, label="Leave")
    with pytest.raises(Refused, match="In an elimination, players who have left cannot come back"):
        await here.bot.services.tournaments.registration.join(1, club.players[0].id, "i:1")


async def test_directors_act_at_one_moment(here: World) -> None:
    """Each of start, pair and finish is done once; whoever comes second is told. So it is with two results."""
    club = Club(here, 4)
    await club.create("swiss", rounds=1)
    await club.join(*club.players)
    other = here.person("another")
    await club.tap("Add a director", other)
    tournaments = here.bot.services.tournaments

    async def both(act: str) -> None:
        asked = [
            getattr(tournaments.direction, act)(1, who.id, f"i:{act}:{number}")
            for number, who in enumerate((club.director, other, club.director), start=1)
        ]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert 2 == sum(isinstance(each, Refused) for each in found), found

    await both("start")
    await club.quiet()
    tournament = await club.load()
    assert 1 == sum(isinstance(event.action, Started) for event in tournament.events)
    assert 1 == sum(isinstance(event.action, RoundPaired) for event in tournament.events)
    assert 2 == len(tournament.games)
    white = next(
        p for p in club.players if p.id == tournament.state.by_number[tournament.state.paired[1].games[0][0]].person
    )
    previews = [
        (await who.slash(here.channel, "tournament result", player=white, result=result)).response
        for who, result in ((club.director, "won"), (other, "lost"))
    ]
    assert previews[0] is not None
    assert previews[1] is not None
    assert f"This enters a result: Round 1: {white.mention} 1 - 0 <@" in previews[0].content
    assert "the result is entered" in said(await club.director.click(previews[0], label="Save it"))
    overtaken = await other.click(previews[1], label="Save it")
    happened = f"Something else has happened in **Autumn** in the meantime:\n8. Round 1: {white.mention} 1 - 0 <@"
    assert said(overtaken).startswith(happened), said(overtaken)
    assert "\nNothing is done yet. This is how it stands now:\nThis corrects a result" in said(overtaken)
    assert overtaken.response is not None
    assert "the result is entered" in said(await other.click(overtaken.response.message, label="Save it"))
    (marks,) = (await club.load()).state.results.values()
    assert (Mark.LOSS, Mark.WIN) == marks
    await club.play()
    await both("finish")
    await club.quiet()
    assert club.post("**Autumn is over.**")


async def test_one_person_in_two_events(here: World) -> None:
    """Both are played in one channel at once; what is said and pressed in one does not touch the other."""
    club = Club(here, 4)
    await club.create("swiss", rounds=2)
    await club.create("round robin")
    announcements: list[discord.Message] = [m for m in here.posts() if "(tournament " in m.content]
    for player in club.players:
        for announcement in announcements:
            await player.click(announcement, label="Join")
    for number in (1, 2):
        await club.direct("start", tournament=str(number))
    await club.quiet()
    tournaments = here.bot.services.tournaments
    for number in (1, 2):
        tournament = await tournaments.load(number)
        assert ["running", "running"] == [game.status for game in tournament.games]
    me = club.players[0]
    posts = [m for m in here.posts() if m.content.startswith("**Autumn, round 1**")]
    answers = [said(await me.click(post, label="Why this opponent?")) for post in posts]
    assert 1 == sum("score group" in answer for answer in answers)
    assert 1 == sum("Berger" in answer for answer in answers)
    listed = said(await me.slash(here.channel, "me games")).split("\n")
    assert 2 == sum("(Autumn): " in line for line in listed), listed
    await me.click(announcements[1], label="Leave")
    assert not (await tournaments.load(1)).state.by_person[me.id].is_gone
    assert (await tournaments.load(2)).state.by_person[me.id].is_gone
    first, second = (await tournaments.load(1)), (await tournaments.load(2))
    assert not {game.game_id for game in first.games} & {game.game_id for game in second.games}
    game = await here.bot.services.games.game(first.games[0].game_id)
    loser = game.players[0]
    assert loser is not None
    for ply in range(2):
        game = await here.bot.services.games.game(game.id)
        assert game.to_move is not None
        await here.bot.services.games.moves.turn(
            game.id, game.to_move, game.rules.turns(game.state)[0].text, f"t:{ply}"
        )
    await here.bot.services.games.moves.resign(game.id, loser, "t:end")
    await club.quiet()
    assert 1 == len((await tournaments.load(1)).state.results)
    assert not (await tournaments.load(2)).state.results
