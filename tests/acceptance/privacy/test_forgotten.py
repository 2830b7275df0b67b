"""Whoever is forgotten is named nowhere any more: neither in what is posted of events nor in the names of threads."""

from __future__ import annotations

import pytest
from discord import MessageType
from simcord.actors import MemberActor

from bot.games.persistence.integrity import check_games
from tests.support.discord.league_club import LeagueClub
from tests.support.discord.team_sides import Side, challenged, games_of, quiet
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, said, words_of


async def forgotten(here: World, person: MemberActor) -> str:
    """What a person is asked who is then forgotten."""
    asked = await person.slash(here.channel, "me forget")
    assert asked.response is not None
    await person.click(asked.response, label="Forget me")
    await here.env.settle()
    return said(asked)


def threads(here: World) -> list[str]:
    """What the threads of the channel are called."""
    return sorted(thread.name or "" for thread in here.channel.threads)


@pytest.mark.parametrize("kind", ["swiss", "single elimination"])
async def test_posts_of_an_event_are_edited_at_once(here: World, kind: str) -> None:
    """In announcement, round and standings stands a number instead, the same in words, pictures and history."""
    club = Club(here, 4)
    await club.started(kind)
    await club.play()
    gone = club.players[3]
    number = (await club.load()).state.by_person[gone.id].number
    await forgotten(here, gone)
    await club.quiet()

    posted = [words_of(post) for post in here.posts() if words_of(post).startswith(("**Autumn", "### Autumn"))]
    assert len(posted) > 1
    assert not [words for words in posted if gone.mention in words or "player4" in words]
    assert any(f"Player {number} (name deleted)" in words for words in posted)
    history = said(await club.director.slash(here.channel, "tournament history"))
    assert gone.mention not in history
    assert f"Player {number} (name deleted)" in history


async def test_threads_are_renamed(here: World) -> None:
    """The threads that the bot has named after the players keep the others' names; a finished game's, too."""
    club = Club(here, 3)
    await club.started("round robin")
    assert ["Autumn: player2, player3 #1"] == threads(here)
    await club.play()
    await forgotten(here, club.players[1])
    await club.quiet()
    assert ["Autumn: player3 #1"] == threads(here)


async def test_a_thread_that_may_not_be_renamed_holds_up_nothing(here: World) -> None:
    """Discord refuses: the thread keeps its name, and nothing waits to be said."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    await club.play()
    (thread,) = here.channel.threads
    here.env.inject_error("PATCH", f"/channels/{thread.id}", status=403, code=50013, message="Missing Permissions")
    await forgotten(here, club.players[1])
    await club.quiet()
    assert thread.name in threads(here)
    assert await here.bot.services.outbox.games_waiting() == []


async def test_the_question_names_what_nobody_else_directs(here: World) -> None:
    """By name, and only what is not over."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    asked = await club.director.slash(here.channel, "me forget")
    assert "Nobody but you directs **Autumn**: name another director first (*Manage*;" in said(asked)
    await club.play()
    await club.finish()
    asked = await club.director.slash(here.channel, "me forget")
    assert "directs" not in said(asked)


async def test_a_director_who_is_forgotten_is_taken_off_the_announcement(here: World) -> None:
    """At once, not with the next round."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    await forgotten(here, club.director)
    await club.quiet()
    assert club.director.mention not in club.announcement.content


async def test_posts_that_call_somebody_are_edited(here: World) -> None:
    """Challenges, tables and what an event calls its players by name no more than other posts."""
    await here.carol.slash(here.channel, "play", variant="pinoy")
    await here.carol.slash(here.channel, "play", variant="chinese-checkers", players=3)
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=6)
    await here.carol.click(here.last, label="Join")
    await here.bob.slash(here.channel, "play", variant="pinoy", opponent=here.carol)
    await forgotten(here, here.carol)
    told = [words_of(post) for post in here.posts()]
    assert not [text for text in told if here.carol.mention in text]
    assert told[0].startswith("somebody is looking for an opponent")
    assert told[0].endswith("\nWithdrawn.")
    await forgotten(here, here.alice)
    assert not [post for post in here.posts() if here.alice.mention in words_of(post)]

    club = Club(here, 4)
    await club.create("swiss", rounds=2, start="in 2 hours", check_in=30, max_players=3)
    await club.join(*club.players)
    await here.env.advance_time(91 * 60)
    first, last = club.players[0], club.players[3]
    assert first.mention in club.post("The check-in for **Autumn**").content
    await forgotten(here, first)
    assert last.mention in club.post(f"{last.mention}: a place has opened up").content
    assert not [post for post in here.posts() if first.mention in words_of(post)]
    await forgotten(here, last)
    assert "a player (name deleted): a place has opened up. You are playing in **Autumn**." in here.last.content
    assert not [post for post in here.posts() if last.mention in words_of(post)]


async def test_who_is_in_a_league(here: World) -> None:
    """A player of a season, who directs it too: the games are lost, and neither the announcement, the season's posts
    nor the standings name anybody who is forgotten; the next season begins without them."""
    club = LeagueClub(here, 4)
    await club.started(break_days=1)
    gone = club.players[1]
    asked = await club.director.slash(here.channel, "league directors")
    assert asked.response is not None
    await club.director.select(asked.response, [gone], custom_id="menu:contest:directs:1")
    await forgotten(here, gone)
    await club.quiet()
    league = await club.league()
    assert gone.id not in (*league.state.members, *league.directors)
    await club.play()
    await here.env.advance_time(60)
    await club.quiet()
    assert not (await club.league()).state.is_playing
    # What Discord itself writes where a thread begins is not the bot's to edit.
    told = [words_of(post) for post in here.posts() if post.type is MessageType.default and "Autumn" in words_of(post)]
    assert not [words for words in told if gone.mention in words or "player2" in words]
    assert not [name for name in threads(here) if "player2" in name]
    over = next(words for words in told if "is over" in words)
    assert "(name deleted) **0**" in over
    for command in ("standings", "history"):
        assert gone.mention not in said(await here.alice.slash(here.channel, f"league {command}"))
    await here.env.advance_time(2 * 86_400)
    await club.quiet()
    season = (await club.league()).state.season
    assert season is not None
    assert (2, 3) == (season.number, len(season.people))
    assert all(person > 0 for person in season.people)


async def gone_from(here: World, side: Side, person: MemberActor) -> None:
    """A player of a team match is forgotten."""
    asked = await person.slash(side.channel, "me forget")
    assert asked.response is not None
    await person.click(asked.response, label="Forget me")
    await here.env.settle()
    await quiet(here)


async def test_who_is_in_a_lineup(here: World) -> None:
    """Before the match begins: the team has no lineup any more, and it does not begin with nobody, or a computer, in
    the place of who is forgotten."""
    home, away, code = await challenged(here)
    await away.says("accept", code=code)
    await home.line_up(*home.players)
    gone = home.players[1]
    await gone_from(here, home, gone)
    assert "The club: no lineup yet." in away.post("**Autumn** (team match")
    assert "The match begins when the other team's is in too" in await away.line_up(*away.players)
    match = await here.bot.services.team_matches.competitions.load(1)
    assert not match.state.tournament
    home.players[1] = home.guild.add_member(here.env.create_user("home 3"))
    assert "the match has begun" in await home.line_up(*home.players)
    await quiet(here)
    assert all(person is not None and person > 0 for game in await games_of(here) for person in game.players)


async def test_who_plays_in_a_team_match(here: World) -> None:
    """The game is lost, and neither server's posts and threads have the name; the match is played to its end."""
    home, away, code = await challenged(here, boards=1)
    await away.says("accept", code=code)
    await home.line_up(home.players[0])
    await away.line_up(away.players[0])
    await quiet(here)
    (game,) = await games_of(here)
    await gone_from(here, away, away.players[0])
    (game,) = await games_of(here)
    assert "running" != game.status
    assert 0 == len([person for person in game.players if person == away.players[0].id])
    for side in (home, away):
        assert "won by The club" in side.post("**Autumn** is over")
        posts = [message.content for message in side.channel.history() if message.type is MessageType.default]
        assert not [text for text in posts if away.players[0].mention in text or "guests 1" in text]
        assert not [thread.name for thread in side.channel.threads if "guests 1" in (thread.name or "")]
    assert [] == await check_games(here.bot.services.store)


async def test_who_accepted_a_team_match(here: World) -> None:
    """A manager of that server goes on in their place."""
    home, away, code = await challenged(here, boards=1)
    await away.says("accept", code=code)
    await gone_from(here, away, away.captain)
    assert "your lineup is in" in await away.line_up(away.players[0])
    assert "the match has begun" in await home.line_up(home.players[0])


async def test_who_has_planned_moves(here: World) -> None:
    """The plan goes with the rest, and the game is resigned."""
    await here.start("pinoy")
    await here.bob.slash(here.channel, "game plan set", lines="c3-d4 f6-e5")
    assert (await here.bot.services.games.privacy.data_of(here.bob.id))["plans"]
    await forgotten(here, here.bob)
    assert [] == (await here.bot.services.games.privacy.data_of(here.bob.id))["plans"]
    assert "Black resigned" in here.last.content
    assert [] == await check_games(here.bot.services.store)
