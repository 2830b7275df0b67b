"""A team match that runs is cancelled where both sides want it."""

from __future__ import annotations

import discord
from simcord.results import ResponseMessage

from bot.games.persistence.integrity import check_games
from tests.support.discord.director_panel import Panel
from tests.support.discord.team_sides import Side, begun, games_of, quiet, resigned
from tests.support.discord.world import World, labels, said

REQUEST = "Request to cancel **Autumn**"


async def asks(side: Side) -> ResponseMessage:
    """A captain asks the other side to cancel the match."""
    question = await side.asked_to_cancel()
    assert "has begun, so cancelling it takes a yes from" in question.content
    answer = said(await side.captain.click(question, label="Ask to cancel"))
    assert "**Autumn**: the other team is asked. `/teams cancel` takes it back." == answer
    await quiet(side.here)
    return question


def request(side: Side) -> discord.Message:
    """The post of a request on the server of those who are asked."""
    return [message for message in side.channel.history() if message.content.startswith(REQUEST)][-1]


async def test_both_sides_agree_to_cancel_a_match(here: World) -> None:
    """The other side is asked, with the one who directs it pinged; with its word, after a restart, games in progress
    are called off and not rated, what is over counts, and both servers are told."""
    home, away = await begun(here)
    first, second = await games_of(here)
    await resigned(here, first, away.players[0])
    await asks(home)
    assert [] == [message for message in home.channel.history() if message.content.startswith(REQUEST)]
    asked = request(away)
    assert asked.content.startswith(
        f"{REQUEST}, from The club.\nDo you agree? If both teams agree, games in progress are called off"
    )
    assert f"{away.captain.mention} can answer" in asked.content
    assert [away.captain.id] == [user.id for user in asked.mentions]
    assert "A request from The club to cancel it waits for an answer from The guests." in home.post("**Autumn** (team")
    await here.restart()
    assert "**Autumn** is cancelled." == said(await away.captain.click(request(away), label="Agree and cancel"))
    await quiet(here)
    first, second = await games_of(here)
    assert ("finished", "aborted") == (first.status, second.status)
    for side in (home, away):
        post = side.post("**Autumn** (team match")
        assert "1. home 1 1 - 0 guests 1" in post
        assert "2. guests 2 - home 2" in post
        assert "Score: The club **1 : 0** The guests" in post
        assert "The match was cancelled, as both teams agreed." in post
        told = "The match was cancelled, as both teams agreed. Games that were over count as they ended."
        assert f"**Autumn**: {told}" == side.post("**Autumn**: ")
        assert "This match was cancelled." in await side.says("cancel")
        threads = [thread.last_message for thread in side.channel.threads if thread.last_message is not None]
        assert any("Both teams agreed to cancel **Autumn**" in message.content for message in threads)
    assert request(away).content.endswith("It was agreed to, and the match is cancelled.")
    assert [] == labels(request(away))
    assert "cancelled" in await home.says("list")
    assert "correspondence" in said(await home.players[0].slash(home.channel, "me rating", everywhere=True))
    assert "No rated games yet" in said(await home.players[1].slash(home.channel, "me rating", everywhere=True))
    assert [] == await check_games(here.bot.services.store)


async def test_the_other_side_plays_on(here: World) -> None:
    """Who declines lets the match go on, and the side that has asked is told; it can ask again, and take that back. An
    old button of a request does nothing any more, and strangers are refused."""
    home, away = await begun(here)
    await asks(away)
    asked = request(home)
    assert "Only a director" in said(await home.players[0].click(asked, label="Agree and cancel"))
    assert "**Autumn** goes on." == said(await home.captain.click(asked, label="Play on"))
    await quiet(here)
    assert request(home).content.endswith("It was declined.")
    assert "**Autumn** goes on: The club declined to cancel it." == away.post("**Autumn** goes on")
    assert "A request from" not in home.post("**Autumn** (team match")

    await asks(away)
    again = await away.asked_to_cancel()
    assert "A request from The guests to cancel it waits for an answer from The club." in again.content
    assert ["Take the request back"] == labels(again)
    kept = await home.asked_to_cancel()
    assert "**Autumn** goes on." == said(await away.captain.click(again, label="Take the request back"))
    await quiet(here)
    assert request(home).content.endswith("They took it back.")
    stale = said(await home.captain.click(kept, label="Agree and cancel"))
    assert "**Autumn**: This request has been answered or taken back. The match goes on." == stale
    assert all(game.status == "running" for game in await games_of(here))


async def test_a_request_of_both_sides(here: World) -> None:
    """Who is asked already and cancels agrees; a question that was put before says that things have moved on."""
    home, away = await begun(here)
    theirs = await away.asked_to_cancel()
    await asks(home)
    moved = said(await away.captain.click(theirs, label="Ask to cancel"))
    assert moved.startswith(f"The match has moved on since you were asked. {REQUEST}, from The club.")
    question = await away.asked_to_cancel()
    assert ["Agree and cancel", "Play on"] == labels(question)
    assert "**Autumn** is cancelled." == said(await away.captain.click(question, label="Agree and cancel"))
    await quiet(here)
    panel = await Panel.opened(home.captain, home.channel)
    assert "Enter a result" not in panel.options
    assert "**Autumn**: The match was cancelled, as both teams agreed." == home.post("**Autumn**: ")
    entered = {"player": home.players[0], "result": "lost", "tournament": "Autumn"}
    refused = said(await home.captain.slash(home.channel, "tournament result", **entered))
    assert "**Autumn**: The tournament is cancelled." == refused


async def test_a_result_of_a_match_that_was_cancelled(here: World) -> None:
    """A game that was over is corrected as in a match that has ended, and both servers' posts follow; one that was
    called off gets no result."""
    home, away = await begun(here)
    first, _second = await games_of(here)
    await resigned(here, first, away.players[0])
    await asks(home)
    await away.captain.click(request(away), label="Agree and cancel")
    await quiet(here)
    panel = await (await Panel.opened(home.captain, home.channel)).choose("Enter a result")
    assert ["Round 1: home 1 - guests 1"] == list(panel.options)
    await panel.choose("Round 1: home 1")
    await panel.press("Draw")
    assert "\nScore: 1 : 0 → ½ : ½\nNothing else changes." in panel.text
    await panel.press("Save it")
    await quiet(here)
    for side in (home, away):
        assert "1. home 1 ½ - ½ guests 1" in side.post("**Autumn** (team match")
        assert "Score: The club **½ : ½** The guests" in side.post("**Autumn** (team match")
    entered = {"player": home.players[1], "result": "lost", "tournament": "Autumn"}
    refused = said(await home.captain.slash(home.channel, "tournament result", **entered))
    assert "**Autumn**: That game was called off, so it has no result." == refused


async def test_a_request_ends_with_the_match(here: World) -> None:
    """Once the last game is over there is nothing to cancel."""
    home, away = await begun(here)
    await asks(home)
    kept = await away.asked_to_cancel()
    for game, loser in zip(await games_of(here), home.players, strict=True):
        await resigned(here, game, loser)
    assert request(away).content.endswith("The match is over.")
    assert "**Autumn**: The match is over." == said(await away.captain.click(kept, label="Agree and cancel"))
    assert "**Autumn**: The match is over." == await away.says("cancel")
    assert "won by The guests" in home.post("**Autumn** is over")
