"""Tournaments as people hold them: commands, buttons, threads, from the announcement to the podium."""

from __future__ import annotations

from typing import Never

import pytest

from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.games.model.errors import NotStored
from bot.tournaments.pairing.record import Mark
from tests.support.discord.parts import part
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, pictures_of, said, words_of
from tests.support.tournaments import formats


async def test_a_swiss_of_nine_from_the_announcement_to_the_podium(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five rounds with a late entry, a withdrawal, a no-show, a correction in round 2 after round 3 was paired, and a
    restart in the middle of pairing."""
    club = Club(here, 9)
    await club.create("swiss", rounds=5, late_join_until=2)
    assert ["Join", "Leave", "Manage"] == labels(club.announcement)
    await club.join(*club.players[:8])
    assert "8 entered" in club.announcement.content
    assert "begun with 8 players" in await club.direct("start")

    # Each game has a thread whose first board tells both players.
    first = await club.load()
    threads = {(await here.bot.services.games.game(link.game_id)).channel_id for link in first.games}
    assert 4 == len(threads)
    assert None not in threads
    assert here.channel.id not in threads
    assert "is not over" in await club.direct("pair")
    await club.play()
    assert "The round is over" in club.post("**Autumn, round 1**").content

    # A late entry.
    await club.join(club.players[8])
    assert "round 2 is paired" in await club.direct("pair")
    assert 9 == len((await club.load()).state.by_number)
    await club.play()

    # The restart: the round is stored, and nothing of it has been posted.
    monkeypatch.setattr(part(here.bot, TournamentMessages), "wake", lambda number: None)
    monkeypatch.setattr(part(here.bot, Delivery), "wake", lambda number: None)
    assert "round 3 is paired" in await club.direct("pair")
    before = len((await club.load()).games)
    await here.restart()
    await here.env.settle()
    assert "is not over" in await club.direct("pair")
    tournament = await club.load()
    assert before == len(tournament.games)
    assert 3 == tournament.state.rounds_paired
    assert club.post("**Autumn, round 3**")
    playing = [link for link in tournament.games if link.round == 3]
    assert None not in [(await here.bot.services.games.game(link.game_id)).channel_id for link in playing]

    # A correction in round 2: first seen, then made, and round 3 paired again.
    white, black = tournament.state.paired[2].games[0]
    person = next(p for p in club.players if p.id == tournament.state.by_number[max(white, black)].person)
    answer = await club.director.slash(here.channel, "tournament result", player=person, result="won", round=2)
    assert "This corrects a result" in said(answer)
    assert "of round 3: keep or pair again?" in said(answer)
    message = answer.response
    assert message is not None
    await club.director.click(message, label="Pair again")
    tournament = await club.load()
    games = {(link.white, link.black) for link in tournament.games if link.round == 3 and link.status == "running"}
    assert games == set(tournament.state.paired[3].games)
    assert ["Enter a result", "Manage"] == labels(message.message)

    # A withdrawal, and a no-show: who makes no first move within 48 hours loses the game.
    absent = tournament.state.paired[3].games[0][0]
    await club.play(absent)
    leaver = next(n for n in (8, 7) if n != absent)
    await club.withdraw(next(p for p in club.players if p.id == tournament.state.by_number[leaver].person))
    await here.env.advance_time(49 * 3600)
    tournament = await club.load()
    assert (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN) in tournament.state.results.values()
    assert [absent] == [each.number for each in tournament.state.no_shows]

    for number in (4, 5):
        assert f"round {number} is paired" in await club.direct("pair")
        places = {n for game in (await club.load()).state.paired[number].games for n in game}
        assert leaver not in places
        await club.play()
    assert "are final" in await club.finish()
    tournament = await club.load()
    winner = tournament.call(formats.ranking(tournament.state).lines[0].number)
    assert f"🥇 {winner}" in words_of(club.post("**Autumn is over.**"))
    assert "Final standings" in words_of(club.standings)
    assert "correspondence: **" in said(await club.players[0].slash(here.channel, "me rating"))
    assert "Nobody is ranked yet" in said(await here.alice.slash(here.channel, "leaderboard", variant="pinoy"))
    answer = await here.alice.slash(here.channel, "tournament export", format="trf26")
    assert answer.response is not None
    assert ["tournament-1.trf"] == [file.filename for file in answer.response.attachments]
    assert [] == labels(club.announcement)


async def test_players_ask_why_and_what_they_need(here: World) -> None:
    """The buttons under a round answer in private; strangers are told that they do not play."""
    club = Club(here, 4)
    await club.create("swiss", rounds=2)
    await club.join(*club.players)
    await club.direct("start")
    message = club.post("**Autumn, round 1**")
    assert "Both have 0 points" in said(await club.players[0].click(message, label="Why this opponent?"))
    assert "If you win: " in said(await club.players[0].click(message, label="What do I need?"))
    assert "You are not playing in this tournament" in said(await here.alice.click(message, label="Why this opponent?"))


@pytest.mark.parametrize("kind", ["single elimination", "double elimination"])
async def test_an_elimination(here: World, kind: str) -> None:
    """Matches begin by themselves, to the champion."""
    club = Club(here, 5)
    await club.create(kind)
    await club.join(*club.players)
    await club.direct("start")
    assert "each match begins by itself" in await club.direct("pair")
    await club.play()
    assert "are final" in await club.finish()
    assert f"🥇 <@{club.players[0].id}>" in words_of(club.post("**Autumn is over.**"))


async def test_a_drawn_game_of_a_match(here: World) -> None:
    """The announcement says that it is played again, and the board of the next game says which one it is."""
    club = Club(here, 2)
    await club.started("single elimination")
    assert "A drawn game of a match is played again with colours reversed" in club.announcement.content
    drawn = await club.director.slash(here.channel, "tournament result", player=club.players[0], result="drew")
    assert drawn.response is not None
    await club.director.click(drawn.response, label="Save it")
    await club.quiet()
    first, second = ("\n".join(map(words_of, here.posts(thread))) for thread in here.channel.threads)
    assert "**Autumn, final**" in first
    assert "**Autumn, final, game 2**" in second


async def test_a_round_robin(here: World) -> None:
    """All play all, round by round; the file holds every game."""
    club = Club(here, 4)
    await club.create("round robin", scoring="2-1-0")
    await club.join(*club.players)
    await club.direct("start")
    for _ in range(2):
        await club.play()
        await club.direct("pair")
    await club.play()
    assert "All rounds are paired. When their games are over, press *Finish*" in await club.direct("pair")
    await club.finish()
    final = club.standings
    assert "Final standings" in words_of(final)
    assert "1. player1 6;" in pictures_of(final)[0][1]
    assert f"1. <@{club.players[0].id}> **6**" in said(await club.players[1].click(final, label="As text"))
    answer = await club.director.slash(here.channel, "tournament export", format="csv")
    assert answer.response is not None
    assert ["tournament-1.csv"] == [file.filename for file in answer.response.attachments]


async def test_only_directors_direct(here: World) -> None:
    """Creating needs a permission; directing needs the director's word."""
    club = Club(here, 2)
    refused = await here.alice.slash(
        here.channel, "tournament create swiss", name="X", variant="pinoy", clock="3d", rounds=2
    )
    assert "Manage Events" in said(refused)
    await club.create("swiss", rounds=1)
    await club.join(*club.players)
    assert "Only a director" in said(await here.alice.slash(here.channel, "tournament start"))
    assert "directs **Autumn** too" in await club.tap("Add a director", here.alice)
    assert "begun" in said(await here.alice.slash(here.channel, "tournament start"))
    await club.players[1].click(club.announcement, label="Leave")
    assert "> left\n" in await club.direct("history") + "\n"
    assert "Autumn" in await club.direct("list")
    await here.restart()
    assert "(left)" in said(await here.bob.slash(here.channel, "tournament standings", shown="text"))


async def test_people_that_are_none_are_not_kept_apart(here: World) -> None:
    """What somebody has put in the place of a person, in the menu for two, belongs to no version."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    panel = await (await club.manage()).choose("Forbid")
    stored = here.env.backend.get_message(here.channel.id, panel.message.id)
    (menu,) = [part for row in stored.components for part in row["components"] if "options" in part]
    menu["options"].append({"label": "forged", "value": "zzz"})
    await panel.choose_values(club.players[0].id, "zzz")
    assert "older version" in panel.text


async def test_a_director_decides_about_players(here: World) -> None:
    """A bye for half a point, two who shall not meet, and a substitute who plays on with the same number."""
    club = Club(here, 6)
    await club.create("swiss", rounds=3)
    await club.join(*club.players)
    assert "Give a bye" not in (await club.manage()).options
    await club.direct("start")
    first, second, third = club.players[:3]
    assert "sit out round 2; it counts as half a point" in await club.give_bye(third, "Round 2, worth half a point")
    panel = await (await club.manage()).choose("Forbid")
    assert "will no longer be paired with each other" in (await panel.choose_values(first.id, second.id)).text
    await club.play()
    assert "takes over from" in await club.tap("Substitute", second, here.alice)
    await club.direct("pair")
    tournament = await club.load()
    assert here.alice.id == tournament.state.by_number[2].person
    meeting = [set(game) for game in tournament.state.paired[2].games]
    assert {1, 2} not in meeting
    assert not any(3 in game for game in meeting)
    assert Mark.HALF_BYE is tournament.state.byes[3, 2]
    assert here.alice.id in [
        player
        for link in tournament.games
        if link.round == 2
        for player in (await here.bot.services.games.game(link.game_id)).players
    ]
    assert "Only a director" in said(await here.bob.slash(here.channel, "tournament manage"))


async def test_a_thread_that_was_made_and_not_kept_is_found_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot ends between the making of a game's thread and the keeping of its id: there is no second thread."""
    club = Club(here, 2)
    await club.create("swiss", rounds=1)
    await club.join(*club.players)
    settle = here.bot.services.games.channels.settle_channel

    async def killed(game: int, thread: int) -> Never:
        raise NotStored("The process ends here.")

    monkeypatch.setattr(here.bot.services.games.channels, "settle_channel", killed)
    await club.direct("start")
    (thread,) = here.channel.threads
    # Whose colour is whose is by lot.
    assert thread.name in ("Autumn: player1, player2 #1", "Autumn: player2, player1 #1")
    await here.restart()
    await here.env.settle()
    await club.quiet()
    assert here.bot.services.games.channels.settle_channel != settle
    assert thread.id == (await here.bot.services.games.game(1)).channel_id
    assert [thread.id] == [each.id for each in here.channel.threads]


async def test_players_ask_for_a_bye(here: World) -> None:
    """For half a point once, not in the last round, not for others; without points as often as they need."""
    club = Club(here, 5)
    await club.create("swiss", rounds=4)
    await club.join(*club.players)
    await club.direct("start")
    first = club.players[0]

    async def bye(**options: object) -> str:
        return said(await first.slash(here.channel, "tournament bye", **options))

    assert "Round 1 is paired already; the next one is round 2." in await bye(round=1)
    assert "You cannot sit out the last round" in await bye(round=4)
    assert "You will sit out round 2 of **Autumn**; it counts as half a point." == await bye(round=2)
    assert "that is round 2" in await bye(round=3)
    assert "it counts as nothing" in await bye(round=4, worth="nothing")
    await club.play()
    await club.direct("pair")
    tournament = await club.load()
    assert {(1, 2): Mark.HALF_BYE, (1, 4): Mark.ZERO_BYE} == tournament.state.byes
    assert not any(1 in game for game in tournament.state.paired[2].games)
