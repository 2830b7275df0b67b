"""Arenas as people play them: an evening of seven, from the announcement to the podium."""

from __future__ import annotations

import pytest

from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.support.time_units import MINUTE
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.finalise import PAIR_AFTER
from data.queries.tournaments import TournamentGame
from tests.support.discord.parts import part
from tests.support.discord.tournament_club import Club, give_up
from tests.support.discord.world import World, labels, said, words_of
from tests.support.tournaments import formats

SOON = PAIR_AFTER // 1000 + 1


async def move_around(club: Club, game_id: int) -> None:
    """Everybody at a game's board says a move in its thread."""
    game = await club.here.bot.services.games.game(game_id)
    thread = next(each for each in club.here.channel.threads if each.id == game.channel_id)
    for _ in game.players:
        mover = next(person for person in club.players if person.id == game.to_move)
        await club.here.mention(mover, game.rules.turns(game.state)[0].text, thread)
        game = await club.here.bot.services.games.game(game_id)


class Evening(Club):
    """A club whose arena lasts an hour."""

    async def begin(self, **more: object) -> None:
        await self.create("arena", **{"clock": "5+3", "minutes": 60, **more})
        await self.join(*self.players[:7])
        await self.direct("start")
        await self.wait(SOON)

    async def wait(self, seconds: float) -> None:
        await self.here.env.advance_time(seconds)
        await self.quiet()

    async def running(self) -> list[TournamentGame]:
        return [link for link in (await self.load()).games if link.status == "running"]

    async def decide(self, link: TournamentGame) -> None:
        """Both move, and the higher number resigns."""
        tournament = await self.load()
        loser = tournament.state.by_number[max(link.white, link.black)].person
        await move_around(self, link.game_id)
        await give_up(self, link.game_id, loser)
        await self.quiet()

    def number(self, tournament: StoredTournament, index: int) -> int:
        return tournament.state.by_person[self.players[index].id].number


async def test_an_evening_of_seven(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairing by itself, a late entry, pauses, a player who is not there, a restart in the middle, the end."""
    club = Evening(here, 8)
    await club.create("arena", clock="5+3", minutes=60)
    assert "a win is 2 points" in club.announcement.content.casefold()
    assert "games in progress are finished and count" in club.announcement.content
    assert "for the next 60 minutes" in club.announcement.content
    await club.join(*club.players[:7])
    await club.direct("start")
    assert [] == await club.running()
    await club.wait(SOON)

    # Three games, each in its thread; one waits. The standings say so, and carry the buttons.
    games = await club.running()
    assert 3 == len(games)
    threads = [(await here.bot.services.games.game(link.game_id)).channel_id for link in games]
    assert 3 == len({*threads} - {None, here.channel.id})
    assert "1 player is waiting" in words_of(club.standings)
    assert ["Join", "Pause", "Leave", "Enter a result", "Manage"] == labels(club.standings)
    assert "In an arena, players are paired automatically as soon as two are waiti" in await club.direct("pair")

    # A game ends: the two meet others. With the one who waits, one of them plays; then an eighth joins late.
    await club.decide(games[0])
    await club.wait(SOON)
    tournament = await club.load()
    (newest,) = [link for link in await club.running() if link not in games]
    assert {newest.white, newest.black} != {games[0].white, games[0].black}
    await club.players[7].click(club.standings, label="Join")
    await club.wait(SOON)
    tournament = await club.load()
    assert 4 == len(await club.running())
    assert 8 == len(tournament.state.by_number)

    # The restart: two games are over at once, the pairs are made, and nothing of it has been posted.
    for link in games[1:]:
        await club.decide(link)
    monkeypatch.setattr(part(here.bot, TournamentMessages), "wake", lambda number: None)
    monkeypatch.setattr(part(here.bot, Delivery), "wake", lambda number: None)
    await here.env.advance_time(SOON)
    before = await club.load()
    assert 4 == len(await club.running())
    await here.restart()
    await here.env.settle()
    await club.wait(SOON)
    tournament = await club.load()
    assert [link.game_id for link in before.games] == [link.game_id for link in tournament.games]
    assert before.last == tournament.last
    busy = [number for link in await club.running() for number in (link.white, link.black)]
    assert len(busy) == len(set(busy)) == 8
    assert None not in [(await here.bot.services.games.game(link.game_id)).channel_id for link in tournament.games]

    # One pauses after the game, one leaves for good; who is not there loses by time, and is not paired again.
    pausing, leaving, absent = club.players[0], club.players[6], club.players[3]
    await pausing.click(club.standings, label="Pause")
    await leaving.click(club.standings, label="Leave")
    missing = club.number(tournament, 3)
    for link in await club.running():
        if missing not in (link.white, link.black):
            await club.decide(link)
    await here.env.advance_time(11 * MINUTE / 1000)
    await club.quiet()
    tournament = await club.load()
    missed = [g for g in tournament.state.arena_games.values() if missing in (g.white, g.black)][-1]
    assert {Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS} == {missed.white_mark, missed.black_mark}
    assert tournament.state.by_person[absent.id].paused
    for _ in range(3):
        for link in await club.running():
            await club.decide(link)
        await club.wait(SOON)
        tournament = await club.load()
        out = {club.number(tournament, index) for index in (0, 3, 6)}
        assert not out & {number for game in tournament.open_games for number in (game.white, game.black)}
    assert "(paused)" in words_of(club.standings)
    assert "(left)" in words_of(club.standings)
    await absent.click(club.standings, label="Join")
    assert not (await club.load()).state.by_person[absent.id].paused

    # The end: nothing begins any more, what is going on is played out, and then it is over by itself.
    tournament = await club.load()
    end = tournament.format.ends_at(tournament.settings, tournament.events)
    assert end is not None
    await club.wait((end - club.here.bot.services.games.now) / 1000 - 20)
    tournament = await club.load()
    for player in club.players[:6]:
        if tournament.state.by_person[player.id].paused:
            await player.click(club.standings, label="Join")
    await club.wait(SOON)
    games = await club.running()
    assert games
    await club.wait(20)
    tournament = await club.load()
    assert tournament.state.pool_closed
    assert Phase.RUNNING is tournament.state.phase
    assert "No new games start" in words_of(club.standings)
    for link in games:
        await club.decide(link)
    await club.wait(SOON)
    tournament = await club.load()
    assert Phase.OVER is tournament.state.phase
    assert "Final standings" in words_of(club.standings)
    assert ["As text"] == labels(club.standings)
    best = tournament.call(formats.ranking(tournament.state).lines[0].number)
    assert f"🥇 {best}" in words_of(club.post("**Autumn is over.**"))
    assert "live: **" in said(await club.players[1].slash(here.channel, "me rating"))


async def test_an_arena_is_live(here: World) -> None:
    """Clocks of days are refused, and so is an arena without a length; with an end time it is announced."""
    club = Club(here, 2)
    options = {"name": "Autumn", "variant": "pinoy"}
    refused = await club.director.slash(here.channel, "tournament create arena", **options, clock="3d", minutes=60)
    assert "choose a live clock" in said(refused)
    both = {"minutes": 60, "ends_at": "in 90m"}
    refused = await club.director.slash(here.channel, "tournament create arena", **options, **both)
    assert "Say either how many minutes" in said(refused)
    refused = await club.director.slash(
        here.channel, "tournament create arena", **options, clock="5+3", ends_at="in 5m"
    )
    assert "at least 10 minutes after it begins" in said(refused)
    await club.create("arena", clock="5+3", ends_at="in 90m")
    assert "New games start until <t:" in club.announcement.content


async def test_two_alone_meet_again(here: World) -> None:
    """With two in the pool nobody waits for a third; the standings link their game; the director ends the arena
    early."""
    club = Evening(here, 2)
    await club.begin()
    (first,) = await club.running()
    await club.quiet()
    assert f"/{first.channel_id})" in words_of(club.standings)
    await club.decide(first)
    await club.wait(SOON)
    (second,) = await club.running()
    assert (first.white, first.black) == (second.black, second.white)
    assert "no new games start" in await club.finish()
    tournament = await club.load()
    assert tournament.state.pool_closed
    assert Phase.RUNNING is tournament.state.phase
    corrected = await club.director.slash(
        here.channel, "tournament result", player=club.players[0], result="lost", round=1
    )
    assert "This corrects a result" in said(corrected)
    assert corrected.response is not None
    await club.director.click(corrected.response, label="Save it")
    await club.decide(second)
    await club.wait(SOON)
    tournament = await club.load()
    assert Phase.OVER is tournament.state.phase
    assert [2, 2] == [line.values[0] for line in formats.ranking(tournament.state).lines]


async def test_quiet_hours_in_an_arena(here: World) -> None:
    """Who joins with quiet hours is told that their games notify them all the same, and they do; whoever has none is
    told nothing. Outside an arena quiet hours hold."""
    club = Evening(here, 2)
    sleeper, other = club.players
    await sleeper.slash(here.channel, "me settings", quiet_hours="00:00-23:59", time_zone="UTC")
    await club.create("arena", clock="5+3", minutes=60)
    assert "quiet hours" in said(await sleeper.click(club.announcement, label="Join"))
    joined = await other.click(club.announcement, label="Join")
    assert joined.response is not None
    assert "quiet hours" not in words_of(joined.response)
    await sleeper.slash(here.channel, "tournament leave")
    assert "quiet hours" in said(await sleeper.slash(here.channel, "tournament join"))
    await club.direct("start")
    await club.wait(SOON)
    assert {sleeper.id, other.id} <= set(notified(here, "it is your turn"))

    await other.slash(here.channel, "play", variant="pinoy", opponent=sleeper)
    await club.quiet()
    assert [] == notified(here, "challenges")


def notified(here: World, word: str) -> list[int]:
    """Whom the messages that say ``word`` may notify."""
    found = [
        entry.json["allowed_mentions"].get("users", [])
        for entry in here.env.http_requests
        if entry.method == "POST" and isinstance(entry.json, dict) and word in (entry.json.get("content") or "")
    ]
    return [int(person) for people in found for person in people]


async def test_an_arena_begins_by_itself(here: World) -> None:
    """At its start time, until its end time."""
    club = Evening(here, 3)
    await club.create("arena", clock="5+3", start="in 30m", ends_at="in 2h")
    await club.join(*club.players)
    await club.wait(30 * 60 + 1)
    assert Phase.RUNNING is (await club.load()).state.phase
    await club.wait(SOON)
    assert 1 == len(await club.running())
    await club.wait(90 * 60)
    tournament = await club.load()
    assert tournament.state.pool_closed
    assert Phase.OVER is tournament.state.phase
