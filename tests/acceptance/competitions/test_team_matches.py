"""A match by boards between two servers: everybody plays from the own one."""

from __future__ import annotations

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.competitions import team_texts
from bot.chat.competitions.live_messages import CompetitionMessages
from tests.support.discord.director_panel import Panel
from tests.support.discord.parts import lose, part
from tests.support.discord.team_sides import Side, challenged, games_of, one_board, quiet, thread_of
from tests.support.discord.world import World, labels, said


async def test_a_match_of_two_servers(here: World) -> None:
    """From the challenge to the score on both servers; each board has a thread on each, and all moves, offers and ends
    are seen in both."""
    home, away, code = await challenged(here)
    assert code not in home.post("**Autumn** (team match")
    assert "your own server" in await home.says("accept", code=code)
    assert "No challenge has this code" in await away.says("accept", code="ABC")
    assert "No one has accepted this challenge yet" in await home.line_up(*home.players)
    assert "is accepted" in await away.says("accept", code=code.lower())
    assert "already been accepted" in await away.says("accept", code=code)
    await quiet(here)
    assert "The club against The guests" in away.post("**Autumn** (team match")

    assert "Mention the players with @" in await home.says("lineup", players="Ana Ben")
    assert "name as many players" in await home.line_up(home.players[0])
    assert "is not on this server" in await home.line_up(home.players[0], away.players[0])
    assert "Only a director" in said(await home.players[0].slash(home.channel, "teams lineup", players="x"))
    told = await home.line_up(*home.players)
    assert "The match begins when the other team's is in too" in told
    assert f"\n1. <@{home.players[0].id}>" in told
    assert str(home.players[0].id) not in away.post("**Autumn** (team match")
    assert "the match has begun" in await away.line_up(*away.players)
    assert "your lineup is in, as it was" in await home.line_up(*home.players)
    await quiet(here)

    first, second = await games_of(here)
    assert (home.players[0].id, away.players[0].id) == first.players
    assert (away.players[1].id, home.players[1].id) == second.players
    for game in (first, second):
        assert game.mirror is not None
        assert None not in (game.channel_id, game.mirror.channel_id)
        assert away.guild.id == game.mirror.guild_id
    assert first.mirror is not None
    ours, theirs = thread_of(home, first.channel_id), thread_of(away, first.mirror.channel_id)
    assert ours.last_message is not None
    assert theirs.last_message is not None
    for shown, side, other in ((ours, home, away), (theirs, away, home)):
        # Who plays on the other server is no member here: Discord would show no name.
        assert shown.last_message is not None
        assert side.players[0].mention in shown.last_message.content
        assert other.players[0].mention not in shown.last_message.content
        assert other.players[0].user.name in shown.last_message.content
        assert f" · [game](https://discord.com/channels/{side.guild.id}/{shown.id})" in side.post("**Autumn** (team")
        assert "has begun: The club against The guests" in side.post("**Autumn** has begun")

    # Each moves in the own server's thread; both see it.
    text, board = first.rules.turns(first.state)[0].text, theirs.last_message
    await here.mention(home.players[0], text, ours)
    await quiet(here)
    assert f"**{text}**" in theirs.last_message.content
    old = said(await away.players[0].click(board, label="Draw"))
    assert f"Here is the current one: https://discord.com/channels/{away.guild.id}/{theirs.id}/" in old
    await here.restart()
    first = await here.bot.services.games.game(first.id)
    reply = first.rules.turns(first.state)[0].text
    await here.mention(away.players[0], reply, theirs)
    await quiet(here)
    assert ours.last_message is not None
    assert f"**{reply}**" in ours.last_message.content

    # A draw offered there is taken here; the offer is closed on both.
    await away.players[0].slash(theirs, "game draw")
    await quiet(here)
    offer, copy = ours.last_message, theirs.last_message
    assert offer is not None
    assert copy is not None
    assert "offers a draw" in offer.content
    assert labels(offer) == labels(copy)
    await home.players[0].click(offer, label=labels(offer)[0])
    await quiet(here)
    boards = [m.content for m in (*ours.history(), *theirs.history()) if "Drawn" in m.content]
    assert 2 == len(boards)
    assert [] == labels(ours.last_message) == labels(theirs.last_message)
    assert 2 == len([m for m in (*ours.history(), *theirs.history()) if "agreed." in m.content])
    assert "1. home 1 ½ - ½ guests 1" in home.post("**Autumn** (team match")

    # The guests win the other board, and the match.
    assert second.mirror is not None
    ours, theirs = thread_of(home, second.channel_id), thread_of(away, second.mirror.channel_id)
    await here.mention(away.players[1], second.rules.turns(second.state)[0].text, theirs)
    second = await here.bot.services.games.game(second.id)
    await here.mention(home.players[1], second.rules.turns(second.state)[0].text, ours)
    asked = await home.players[1].slash(ours, "game resign")
    assert asked.response is not None
    await home.players[1].click(asked.response, label="Resign")
    await here.env.settle()
    await quiet(here)
    for side in (home, away):
        assert "won by The guests, 1½ : ½" not in side.post("**Autumn** is over")
        assert "won by The guests, ½ : 1½" in side.post("**Autumn** is over")
        assert "Score: The club **½ : 1½** The guests" in side.post("**Autumn** (team match")
        assert "The match's directors correct results on The club" in side.post("**Autumn** (team match")
    assert "over" in await away.says("list")

    # A game between two servers is rated in the pool of all.
    assert "No rated games yet" in said(await away.players[1].slash(away.channel, "me rating"))
    assert "correspondence" in said(await away.players[1].slash(away.channel, "me rating", everywhere=True))


async def test_a_match_that_is_cancelled(here: World) -> None:
    """Both servers are told by whom, and nobody is told that it has begun."""
    home, away, code = await challenged(here)
    await away.says("accept", code=code)
    assert "**Autumn** is cancelled." == await away.confirms(await away.asked_to_cancel())
    await quiet(here)
    for side in (home, away):
        assert "The guests cancelled the match." in side.post("**Autumn**: ")
        assert "The guests cancelled the match." in side.post("**Autumn** (team match")
        assert "This match was cancelled." in await side.line_up(*side.players)
        assert "This match was cancelled." in await side.says("cancel")
    assert "- **Autumn** against The guests: cancelled" == await home.says("list")
    assert "- **Autumn** against The club: cancelled" == await away.says("list")


async def test_a_match_is_cancelled_only_after_a_question(here: World) -> None:
    """It says what is lost, and asks again where the match has gone on since; who may not any more, or presses once the
    match is cancelled or has begun, is refused."""
    home, away, code = await challenged(here, boards=1)
    asked = await home.asked_to_cancel()
    told = "Cancel the match **Autumn**? Nobody has accepted it yet, and its code will stop working."
    assert f"{told} This cannot be undone." == asked.content
    await away.says("accept", code=code)
    gone_on = await home.confirms(asked)
    assert gone_on.startswith("The match has moved on since you were asked. Cancel the match **Autumn** against The")
    assert "It will not be played, and both servers will be told. This cannot be undone." in gone_on
    await home.line_up(home.players[0])
    theirs = await away.asked_to_cancel()
    assert (
        "against The club? It will not be played, and both servers will be told. The lineups will be lost."
        in theirs.content
    )
    role = away.guild.create_role("helpers", permissions=discord.Permissions(manage_events=True))
    helper = away.guild.add_member(here.env.create_user("helper"), roles=[role])
    answer = await helper.slash(away.channel, "teams cancel")
    assert answer.response is not None
    here.env.backend.remove_member_role(away.guild.id, helper.id, role.id)
    assert "Only a director" in said(await helper.click(answer.response, label="Cancel the match"))

    await away.line_up(away.players[0])
    moved = "The match has moved on since you were asked. **Autumn** has begun, so cancelling it takes a yes from The"
    assert (await away.confirms(theirs)).startswith(moved)
    match = await here.bot.services.team_matches.competitions.load(1)
    assert not match.state.called_off

    await home.says("challenge", name="Winter", variant="pinoy", clock="3d", boards=1)
    one, other = [await home.asked_to_cancel(match="Winter") for _ in range(2)]
    assert "**Winter** is cancelled." == await home.confirms(one)
    assert "This match was cancelled." in await home.confirms(other)


async def test_a_matchs_posts_are_found_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot dies after each post and before it is marked, and comes back when Discord has forgotten the nonce, the
    match has been accepted, and a server has another name: it finds its posts, and repeats none."""
    lose(monkeypatch, part(here.bot, CompetitionMessages).posts, "mark_posted")
    home, away, code = await challenged(here, boards=1)
    await quiet(here)
    monkeypatch.setattr(part(here.bot, CompetitionMessages), "wake", lambda number: None)
    await away.says("accept", code=code)
    await here.env.advance_time(600)
    await here.restart()
    await quiet(here)
    assert "The club against The guests" in home.post("**Autumn** (team match")

    home.players, away.players = home.players[:1], away.players[:1]
    await home.line_up(*home.players)
    await away.line_up(*away.players)
    await quiet(here)
    lose(monkeypatch, part(here.bot, CompetitionMessages).posts, "mark_posted")
    (game,) = await games_of(here)
    assert game.mirror is not None
    asked = await away.players[0].slash(thread_of(away, game.mirror.channel_id), "game resign")
    assert asked.response is not None
    await away.players[0].click(asked.response, label="Resign")
    await here.env.settle()
    await quiet(here)
    assert "won by The club" in home.post("**Autumn** is over")
    monkeypatch.setattr(team_texts, "_teams", lambda client, competition: ("another server", "another server"))
    await here.env.advance_time(600)
    await here.restart()
    await quiet(here)
    assert "won by another server" in home.post("**Autumn** is over")


async def test_a_guest_is_reminded_at_home(here: World) -> None:
    """Who takes no direct messages is pinged in the thread of the own server, in what is spoken there."""
    home, away = await one_board(here)
    boss = away.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = away.guild.add_member(here.env.create_user("manager"), roles=[boss])
    await manager.slash(away.channel, "server settings", language="es")
    (game,) = await games_of(here)
    await here.mention(home.players[0], game.rules.turns(game.state)[0].text, thread_of(home, game.channel_id))
    await quiet(here)
    (guest,) = away.players
    closed = f"/channels/{guest.user.dm_channel.id}/messages"
    here.env.inject_error("POST", closed, status=403, code=50007, message="Cannot send messages to this user")
    await here.env.advance_time(25 * 3_600)
    await quiet(here)

    (game,) = await games_of(here)
    assert game.mirror is not None
    last = thread_of(away, game.mirror.channel_id).last_message
    assert last is not None
    assert "la mitad de tu tiempo" in last.content
    assert [guest.id] == here.sent()[-1]["allowed_mentions"]["users"]
    ours = thread_of(home, game.channel_id).last_message
    assert ours is not None
    assert "it is your turn (Black)" in ours.content


async def test_a_guest_finds_the_game_at_home(here: World) -> None:
    """/me games, /me next and /game show on either server lead to the thread of that server."""
    home, away = await one_board(here)
    (game,) = await games_of(here)
    assert game.mirror is not None
    for side, thread in ((home, game.channel_id), (away, game.mirror.channel_id)):
        (player,) = side.players
        last = thread_of(side, thread).last_message
        assert last is not None
        link = f"https://discord.com/channels/{side.guild.id}/{thread}/{last.id}"
        assert link in said(await player.slash(side.channel, "me games"))
        assert f"game {game.id}" in said(await side.captain.slash(side.channel, "game show", number=game.id))
    (first,) = home.players
    assert f"channels/{home.guild.id}/" in said(await first.slash(home.channel, "me next"))


async def test_a_challenge_for_one_server_only(here: World) -> None:
    """With a server's id nobody else can accept; before it begins either side can call the match off."""
    home, away, code = await challenged(here, server="1")
    assert "for another server" in await away.says("accept", code=code)
    assert [] == await away.captain.autocomplete(away.channel, "teams cancel", "match", "")
    offered = await home.captain.autocomplete(home.channel, "teams cancel", "match", "aut")
    assert [("Autumn (not begun)", "1")] == [(each["name"], each["value"]) for each in offered]
    assert "no team match **Autumn** on" in await away.says("standings", match="Autumn")
    assert "There is no team match **1** on this server" in await away.says("cancel", match="1")
    refused = said(await here.alice.slash(here.channel, "teams cancel"))
    assert "Only a director" in refused
    assert "**Autumn** is cancelled." == await home.confirms(await home.asked_to_cancel(match="autumn"))
    assert "The club cancelled the match." in home.post("**Autumn** (team match")
    refused = said(
        await here.alice.slash(here.channel, "teams challenge", name="X", variant="pinoy", clock="3d", boards=1)
    )
    assert "Manage Events" in refused


@pytest.mark.parametrize("code", ["\0", "\ud800", "12-34", "ÄÖ"])
async def test_what_is_no_code_is_no_challenges(here: World, code: str) -> None:
    """Also what no database takes as a text."""
    _home, away, _code = await challenged(here)
    assert "No challenge has this code" in await away.says("accept", code=code)


async def test_a_refused_challenge_loses_nothing(here: World) -> None:
    """What was typed stands in the answer, and in both parts of the form that *Change* opens: sent in again it is
    announced."""
    home = Side(here, here.guild, here.channel, "home")
    options = {"name": "Autumn", "variant": "pinoi", "clock": "3d", "boards": 2, "server": "my server", "rated": False}
    panel = Panel(home.captain, await home.captain.slash(home.channel, "teams challenge", **options))
    assert panel.text.startswith("A server's id is a number")
    assert "Name: Autumn\nGame: pinoi\nClock: 3d: 3 days per move\nBoards: 2" in panel.text
    assert "The other server's id: my server\nRated?: no" in panel.text
    await panel.press("Change name, game, clock")
    await panel.send(server="123456")
    assert "The other server's id: 123456\nRated?: no" in panel.text
    await panel.press("Change the rest")
    await panel.send(rules="quiet_moves=40")
    assert "Game: pinoi" in panel.text
    assert "House rules: quiet_moves=40\nRated?: no" in panel.text
    await panel.press("Change name, game, clock")
    await panel.send(variant="pinoy")
    assert "**Autumn** is announced below." in panel.text
    match = await here.bot.services.team_matches.competitions.load(1)
    assert (2, 123456) == (match.state.plan.boards, match.state.plan.server)
    assert (False, "pinoy", 40) == (match.rated, match.variant_id, match.options["quiet_moves"])


async def test_games_of_a_match_are_listed_to_who_sees_them(here: World) -> None:
    """On the guests' server, too, a history names a match's game to those who see the channel it is played in."""
    home, away = await one_board(here)
    [game] = await games_of(here)
    for player in (*home.players, *away.players):
        game = await here.bot.services.games.game(game.id)
        text = game.rules.turns(game.state)[0].text
        await here.bot.services.games.moves.turn(game.id, player.id, text, f"test:{player.id}")
    await here.bot.services.games.moves.resign(game.id, home.players[0].id, "test:resign")
    lobby = away.guild.create_text_channel("lobby")
    stranger, guest = (away.guild.add_member(here.env.create_user(name)) for name in ("stranger", "guest"))
    unseen = discord.Permissions(view_channel=True).value
    overwrite = Overwrite(target_id=stranger.id, type=OverwriteType.MEMBER, allow=0, deny=unseen)
    here.env.backend.set_overwrite(away.channel.id, overwrite)

    for person in (guest, away.players[0]):
        assert f"/game replay {game.id}" in said(await person.slash(lobby, "me history", player=away.players[0]))
    answer = said(await stranger.slash(lobby, "me history", player=away.players[0]))
    assert "has not finished any games here" in answer


async def test_the_code_is_told_again_to_who_made_the_challenge(here: World) -> None:
    """Nobody else sees it, and nobody needs it any more once the match is accepted."""
    home, away, code = await challenged(here)
    assert f"`/teams accept code:{code}`" in await home.says("standings")
    assert code not in said(await home.players[0].slash(home.channel, "teams standings"))
    await away.says("accept", code=code)
    assert code not in await home.says("standings")
