"""Messages of tournaments and leagues whose posting was broken off: each is there once, and says what holds now."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest

from bot.chat.posting import find_posted
from bot.chat.posting.live_messages import Content, LiveMessages
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.chat.tournaments.texts import round_text
from bot.games.model.errors import NotStored
from bot.i18n import speaking
from tests.support.discord.errors import refused
from tests.support.discord.league_club import LeagueClub
from tests.support.discord.parts import lose, part
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, pictures_of, words_of


def wake_once(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot says of each tournament what there is to say once, as if it died before the games have their threads."""
    messages = part(here.bot, TournamentMessages)
    wake, woken = messages.wake, set[int]()

    def once(owner: int) -> None:
        if owner not in woken:
            woken.add(owner)
            wake(owner)

    monkeypatch.setattr(messages, "wake", once)


def firsts(here: World) -> list[str]:
    """The first line of each message of a tournament in the channel, without what changes; threads have others."""
    lines = [words_of(post).split("\n", 1)[0] for post in here.posts()]
    return sorted(line for line in lines if line.startswith(("**", "###")))


async def test_a_tournaments_messages_are_found_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot dies after each post and before it is marked, and comes back when Discord has forgotten the nonce, and
    more has happened: it finds its posts, brings them up to date and repeats none. Another event of the same name in
    the channel has its own."""
    club = Club(here, 4)
    await club.create("swiss", rounds=2)
    await club.create("swiss", rounds=3)
    first, second = [post for post in here.posts() if "(tournament " in post.content]
    for person in club.players:
        await person.click(first, label="Join")
        await person.click(second, label="Join")
    lose(monkeypatch, here.bot.services.tournaments.messages, "mark_posted")
    wake_once(here, monkeypatch)
    await club.direct("start", tournament="1")
    await club.direct("start", tournament="2")
    await club.quiet()
    before = sorted(post.id for post in here.posts())
    await here.env.advance_time(600)
    await here.restart()
    await club.quiet()
    assert before == sorted(post.id for post in here.posts())
    expected = sorted([*["**Autumn, round 1**"] * 2, *["### Autumn"] * 2])
    assert expected == [line for line in firsts(here) if "(tournament " not in line]
    assert [] == await here.bot.services.tournaments.messages.pending()
    rounds = [post for post in here.posts() if post.content.startswith("**Autumn, round 1**")]
    assert all(["Why this opponent?", "What do I need?"] == labels(post) for post in rounds)
    assert [2, 2] == [post.content.count("[game](") for post in rounds]

    # A result comes while the message of the next round is lost.
    await club.play()
    lose(monkeypatch, here.bot.services.tournaments.messages, "mark_posted")
    wake_once(here, monkeypatch)
    await club.direct("pair", tournament="1")
    await here.env.advance_time(300)
    monkeypatch.setattr(part(here.bot, TournamentMessages), "wake", lambda number: None)
    tournament = await club.load()
    player = next(
        p for p in club.players if p.id == tournament.state.by_number[tournament.state.paired[2].games[0][0]].person
    )
    shown = await club.director.slash(here.channel, "tournament result", player=player, result="won", tournament="1")
    assert shown.response is not None
    await club.director.click(shown.response, label="Save it")
    await here.restart()
    await club.quiet()
    paired = club.post("**Autumn, round 2**").content
    assert " 1 - 0 " in paired
    assert 2 == paired.count("[game](")
    assert [] == await here.bot.services.tournaments.messages.pending()


async def test_a_leagues_messages_are_found_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The announcement and the message of a season, after minutes without an answer."""
    club = LeagueClub(here, 4)
    lose(monkeypatch, here.bot.services.leagues.competitions.messages, "mark_posted")
    await club.create()
    await here.env.advance_time(300)
    await here.restart()
    await club.quiet()
    assert ["Join", "Leave"] == labels(club.announcement)
    assert [] == await here.bot.services.leagues.competitions.messages.pending()
    for player in club.players:
        await player.click(club.announcement, label="Join")
    lose(monkeypatch, here.bot.services.leagues.competitions.messages, "mark_posted")
    await club.direct("start")
    await here.env.advance_time(300)
    await here.restart()
    await club.quiet()
    assert club.post("**Autumn, season 1** has begun")
    assert [] == await here.bot.services.leagues.competitions.messages.pending()


async def test_a_round_tells_what_comes_next_until_it_has_come(here: World) -> None:
    """The message of a round asks for the next one, or for the end, no longer than that is still to come."""
    club = Club(here, 4)
    await club.started("swiss", rounds=2)
    await club.play()
    await club.quiet()
    assert "*Pair next round*" in club.post("**Autumn, round 1**").content
    await club.direct("pair")
    await club.quiet()
    assert club.post("**Autumn, round 1**").content.endswith("The round is over.")
    await club.play()
    await club.quiet()
    assert "*Finish*" in club.post("**Autumn, round 2**").content
    await club.finish()
    await club.quiet()
    for number in (1, 2):
        post = club.post(f"**Autumn, round {number}**")
        assert post.content.endswith("The round is over.")
        tournament = await club.load()
        with speaking("en"):
            assert post.content == round_text(tournament, number)


def answer_lost(monkeypatch: pytest.MonkeyPatch, telling: str) -> None:
    """The answer to the first post with these words is lost; Discord knows each later try by its nonce, and takes
    nothing new."""
    really, posted = discord.abc.Messageable.send, list[discord.Message]()

    async def send(where: Any, *args: Any, **more: Any) -> discord.Message:
        if telling not in str(args[0]):
            return await really(where, *args, **more)
        if not posted:
            posted.append(await really(where, *args, **more))
            raise aiohttp.ServerDisconnectedError
        return posted[0]

    monkeypatch.setattr(discord.abc.Messageable, "send", send)


async def test_a_message_found_by_its_nonce_says_what_holds_now(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to a post is lost, and somebody joins before the next try: the message is edited."""
    club = Club(here, 4)
    answer_lost(monkeypatch, "(tournament ")
    await club.create("swiss", rounds=2)
    await club.players[0].click(club.announcement, label="Join")
    assert "**0 entered**" in club.announcement.content
    await here.env.advance_time(11)
    await club.quiet()
    assert "**1 entered**" in club.announcement.content
    assert [] == await here.bot.services.tournaments.messages.pending()


async def test_a_leagues_message_found_by_its_nonce_says_what_holds_now(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same of a league's announcement."""
    club = LeagueClub(here, 4)
    answer_lost(monkeypatch, "(league)")
    await club.create()
    await club.players[0].click(club.announcement, label="Join")
    assert f"<@{club.players[0].id}>" not in club.announcement.content
    await here.env.advance_time(11)
    await club.quiet()
    assert f"<@{club.players[0].id}>" in club.announcement.content
    assert [] == await here.bot.services.leagues.competitions.messages.pending()


async def test_a_podium_is_found_again_after_the_end_was_taken_back(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot dies before the podium is marked, and another message says by then that the event goes on: it is the same
    message all the same."""
    club = Club(here, 4)
    await club.started("swiss", rounds=1)
    await club.play()
    lose(monkeypatch, here.bot.services.tournaments.messages, "mark_posted")
    await club.finish()
    await club.quiet()
    podium = club.post("**Autumn is over.**")
    before = len(here.posts())
    await here.env.advance_time(300)
    monkeypatch.setattr(part(here.bot, TournamentMessages), "wake", lambda number: None)
    await club.undo((await club.load()).last)
    await here.restart()
    await club.quiet()
    assert podium.id == club.post("**Autumn: all games are over.**").id
    assert before == len(here.posts())


async def test_what_was_taken_back_is_told_no_longer(here: World) -> None:
    """The messages of a round and of an end that were taken back say so, until there are new ones."""
    club = Club(here, 4)
    await club.started("swiss", rounds=2)
    await club.undo((await club.load()).last)
    await club.quiet()
    assert "**Autumn, round 1** was undone and will be paired again." == club.post("**Autumn, round 1**").content
    await club.direct("pair")
    await club.quiet()
    assert "1. <@" in club.post("**Autumn, round 1**").content

    await club.play()
    await club.finish()
    await club.quiet()
    podium = club.post("**Autumn is over.**")
    await club.undo((await club.load()).last)
    await club.quiet()
    assert podium.id == club.post("**Autumn goes on.**").id
    await club.finish()
    await club.quiet()
    assert podium.id == club.post("**Autumn is over.**").id


async def test_a_message_waits_while_the_token_is_replaced(here: World) -> None:
    """Discord answers 401 for a while: the announcement is posted when it does no more, with its buttons."""
    club = Club(here, 0)
    here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=401, times=2)
    await club.create("swiss", rounds=2)
    assert [] == here.posts()

    for _ in range(3):
        await here.env.advance_time(61)
        await club.quiet()

    assert ["Join", "Leave", "Manage"] == labels(club.announcement)


async def test_a_message_that_discord_does_not_take_is_posted_in_words(here: World) -> None:
    """What is refused with buttons and pictures is there as words; the next news brings the rest."""
    here.expected_errors.add("posted in words alone")
    club = Club(here, 1)
    here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=400, code=50035)
    await club.create("swiss", rounds=2)
    await club.quiet()
    assert [] == labels(club.announcement)

    await club.set("Who may enter", min_players="2")
    await club.quiet()

    assert ["Join", "Leave", "Manage"] == labels(club.announcement)


# The standings, which are a card


async def test_a_round_of_many_links_all_its_games(here: World) -> None:
    """With more games than an ordinary message has room for, it is a card from the first to the last, with its
    buttons."""
    club = Club(here, 26)
    await club.started("swiss", rounds=1)
    post = club.post("**Autumn, round 1**")
    assert ["Why this opponent?", "What do I need?"] == labels(post)
    games = (await club.load()).games
    assert 13 == sum(f"/{game.channel_id})" in words_of(post) for game in games)
    await club.play()
    done = club.post("**Autumn, round 1**")
    assert (post.id, 13) == (done.id, sum(str(game.channel_id) in words_of(done) for game in games))
    assert "Finish" in labels(done)


def edits(here: World, message: discord.Message) -> list[dict[str, Any]]:
    """The bodies of the requests that changed a message."""
    return here.sent("PATCH", f"/messages/{message.id}")


async def test_the_standings_stay_a_card(here: World) -> None:
    """Each change sends the pictures that the gallery names, no content, and what makes a card of a message."""
    club = Club(here, 4)
    await club.started("round robin")
    first = club.standings
    await here.restart()
    await club.play()
    assert first.id == club.standings.id
    assert edits(here, first)
    for body in edits(here, first):
        assert (None, 1 << 15) == (body["content"], body["flags"])
        assert ["standings-1-1.png"] == [file["filename"] for file in body["attachments"]]
    assert ["standings-1-1.png"] == [name for name, _words in pictures_of(club.standings)]
    assert ["As text"] == labels(club.standings)


async def test_standings_posted_before_there_were_cards(here: World) -> None:
    """An ordinary message becomes a card with the next news; nothing is posted twice, though the bot did not know that
    it was its own."""
    club = Club(here, 4)
    await club.create("round robin")
    await club.join(*club.players)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LiveMessages, "_send", as_it_was)
        wake_once(here, patched)
        lose(patched, here.bot.services.tournaments.messages, "mark_posted")
        await club.direct("start")
        await club.quiet()
    old = club.post("**Autumn: Standings in round 1")
    assert (1, ["As text"]) == (len(old.attachments), labels(old))
    await here.env.advance_time(600)
    await here.restart()
    await club.quiet()
    assert old.id == club.standings.id
    assert ["standings-1-1.png"] == [name for name, _words in pictures_of(club.standings)]
    assert ["As text"] == labels(club.standings)
    await club.play()
    assert 1 == sum("tandings" in words_of(post) for post in here.posts())


async def as_it_was(
    _self: LiveMessages, channel: discord.PartialMessageable, post: Any, content: Content
) -> discord.Message:
    """How messages were sent before there were cards."""
    if content.card is None:
        return await channel.send(content.text, nonce=post.nonce, view=content.view)
    _text, view, files = content.card.plain()
    return await channel.send(content.text, nonce=post.nonce, view=view, files=files)


async def test_standings_whose_pictures_are_refused(here: World, logged: list[Any]) -> None:
    """Where Discord takes no new pictures in a card, the standings are told in words, in the same message; the next
    change tries the pictures again."""
    club = Club(here, 4)
    await club.started("round robin")
    first = club.standings
    here.env.inject_error("PATCH", f"/channels/*/messages/{first.id}", status=400, code=50035)
    await club.play(1)
    told = next(post for post in here.posts() if post.id == first.id)
    assert "edited in words alone" in [event["event"] for event in logged]
    await club.play()
    assert first.id == club.standings.id
    assert ["standings-1-1.png"] == [name for name, _words in pictures_of(club.standings)]
    assert words_of(told).startswith(("**Autumn: Standings in round 1", "### Autumn\n"))
    assert [] == await here.bot.services.tournaments.messages.pending()


async def test_standings_that_are_taken_as_no_card(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused as a card is there in words; the next news makes the card of it."""
    here.expected_errors.add("posted in words alone")
    send = LiveMessages._send

    async def send_no_card(self: LiveMessages, channel: Any, post: Any, content: Content) -> discord.Message:
        if content.card is not None:
            raise refused(400, 50035)
        return await send(self, channel, post, content)

    monkeypatch.setattr(LiveMessages, "_send", send_no_card)
    club = Club(here, 4)
    await club.started("round robin")
    told = club.post("**Autumn: Standings in round 1")
    assert f"<@{club.players[0].id}>" in told.content
    await club.play()
    assert told.id == club.standings.id
    assert ["standings-1-1.png"] == [name for name, _words in pictures_of(club.standings)]


async def test_two_that_are_cancelled_are_told_of_twice(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two events of one name are cancelled while the database takes no marks: each has its post, though they read the
    same, and none has two once it takes them again."""
    monkeypatch.setattr(find_posted, "NONCE_HOLDS", 0)
    club = Club(here, 2)
    for _ in range(2):
        await club.create("swiss", rounds=3)
    messages = here.bot.services.tournaments.messages
    mark = messages.mark_posted

    async def full(post: Any, message_id: int | None) -> None:
        if post.message_id is None:
            raise NotStored("The disk is full.")
        await mark(post, message_id)

    monkeypatch.setattr(messages, "mark_posted", full)
    for number in ("1", "2"):
        panel = await (await club.manage(tournament=number)).choose("Cancel")
        await panel.press("Confirm")
        await here.env.settle()
    monkeypatch.setattr(messages, "mark_posted", mark)
    await here.env.advance_time(60)

    told = f"<@{club.director.id}> has cancelled **Autumn**."
    assert 2 == sum(words_of(post).startswith(told) for post in here.posts())
    assert [] == await messages.pending()
