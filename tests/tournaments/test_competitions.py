"""Leagues and team matches over a store: what is refused, what is done once, what of a person stays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.competitions.league_texts import ended_text, standings
from bot.games.model.announcements import Note
from bot.games.model.errors import Duplicate, Refused
from bot.ratings.pools import RatingPool
from bot.support.time_units import DAY
from bot.tournaments.formats.format import NOT_COME
from bot.tournaments.model.events import Substituted
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import HALL, payload
from tests.support.tournaments.competitions import ELSEWHERE, CompetitionClub
from tests.support.tournaments.event import DIRECTOR


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[CompetitionClub]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield CompetitionClub(store)
    await store.close()


async def test_a_season_begins_once(club: CompetitionClub) -> None:
    """The same wish again, another bot, a timer that falls due twice: one season, with its games once."""
    league = await club.league(11, 12, 13, size=3, up=1, down=1, days=10)
    await club.leagues.start(league.id, DIRECTOR, "i:1")
    with pytest.raises((Duplicate, Refused)):
        await club.leagues.start(league.id, DIRECTOR, "i:1")
    with pytest.raises(Refused, match="is being played"):
        await CompetitionClub(club.store).leagues.start(league.id, DIRECTOR, "i:2")
    for _ in range(2):
        await club.leagues.time_passed(league.id)
    assert 3 == await club.count("tournament_games")
    club.now += 10 * DAY
    for _ in range(2):
        await club.leagues.time_passed(league.id)
    state = (await club.leagues.competitions.load(league.id)).state
    assert 1 == len(state.seasons)
    assert state.season is not None
    assert state.season.ended_at == club.now


async def test_members_who_are_forgotten(club: CompetitionClub) -> None:
    """Nothing names the person; the season is played on, and the next one is without it."""
    league = await club.league(11, 12, 13, 14, size=4, days=10, pause=0)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    state = (await club.leagues.competitions.load(league.id)).state
    assert state.season is not None
    for link in (await club.tournaments.load(state.season.tournaments[0])).games:
        game = await club.games.game(link.game_id)
        for _ in range(2):
            assert game.to_move is not None
            text = game.rules.turns(game.state)[0].text
            game = await club.games.moves.turn(game.id, game.to_move, text, club.source())
    assert (await club.games.privacy.data_of(12))["contests"]
    await club.games.privacy.forget(12, club.source())
    assert [] == (await club.games.privacy.data_of(12))["contests"]
    club.now += 10 * DAY
    for _ in range(2):
        await club.leagues.time_passed(league.id)
    state = (await club.leagues.competitions.load(league.id)).state
    assert state.is_playing
    assert state.season is not None
    assert {11, 13, 14} == {person for division in state.season.divisions for person in division}


async def test_a_league_waits_for_members(club: CompetitionClub) -> None:
    """Too few for a season: it begins as soon as somebody joins."""
    league = await club.league(11, 12, size=3, up=1, down=1, days=5, pause=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    await club.leagues.leave(league.id, 12, 12, club.source())
    with pytest.raises(Refused, match="You are already leaving after this season"):
        await club.leagues.leave(league.id, 12, 12, club.source())
    with pytest.raises(Refused, match="Only a director"):
        await club.leagues.leave(league.id, 11, 12, club.source())
    (tournament,) = (await club.leagues.competitions.load(league.id)).state.seasons[0].tournaments
    club.id = tournament
    await club.play_out()
    await club.leagues.time_passed(league.id)
    club.now += DAY
    await club.leagues.time_passed(league.id)
    assert (await club.leagues.competitions.load(league.id)).state.waits
    assert (await club.leagues.join(league.id, 13, club.source())).state.is_playing


async def test_who_played_elsewhere_has_moved(club: CompetitionClub) -> None:
    """A director enters the results of a season that was played over a board: all are in the next one. Who has lost a
    game by forfeit, and moved in none, is not."""
    league = await club.league(11, 12, 13, size=3, up=1, down=1, days=5, pause=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    season = (await club.leagues.competitions.load(league.id)).state.season
    assert season is not None
    club.id = season.tournaments[0]
    results = club.tournaments.results
    called = {number: each.person for number, each in (await club.load()).state.by_number.items()}
    for link in (await club.load()).games:
        white, black = called[link.white], called[link.black]
        how = "drew" if 13 not in (white, black) else NOT_COME if white == 13 else "won by forfeit"
        preview = await results.preview(club.id, DIRECTOR, white, how, link.round, None)
        await results.write_down(club.id, DIRECTOR, club.source(), preview, again=False)
    await club.leagues.time_passed(league.id)
    competition = await club.leagues.competitions.load(league.id)
    assert (11, 12) == competition.state.members
    assert competition.state.season is not None
    assert (13,) == competition.state.season.idle
    table = standings(competition, await club.leagues.divisions(competition, 1))
    assert "(no move)" in next(line for line in table.splitlines() if "<@13>" in line)
    assert "(left)" not in table


async def test_who_made_no_move_is_told_from_who_left(club: CompetitionClub) -> None:
    """At a season's end 11 has moved and gone on, 12 has left the division, 13 was never there; an empty league waits
    for members, also when the first one comes."""
    league = await club.league(11, 12, 13, size=3, up=1, down=1, days=5, pause=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    season = (await club.leagues.competitions.load(league.id)).state.season
    assert season is not None
    club.id = season.tournaments[0]
    for link in (await club.load()).games:
        game = await club.games.game(link.game_id)
        while game.status == "running" and game.to_move in (11, 12) and game.ply < 2:
            game = await club.games.moves.turn(
                game.id, game.to_move, game.rules.turns(game.state)[0].text, club.source()
            )
    await club.tournaments.registration.leave(club.id, 12, 12, club.source())
    club.now += 6 * DAY
    await club.leagues.time_passed(league.id)
    competition = await club.leagues.competitions.load(league.id)
    season = competition.state.season
    assert season is not None
    assert (11,) == competition.state.members
    notes = [
        one.content.sentence
        for link in (await club.load()).games
        for one in await club.said(await club.games.game(link.game_id))
        if isinstance(one.content, Note)
    ]
    assert any("<@13> made no move and loses it. It is not rated." in note for note in notes)
    assert (13,) == season.idle
    told = ended_text(competition, 1, await club.leagues.divisions(competition, 1))
    assert "because they left: <@12>." in told
    assert "because they made no move: <@13>." in told
    await club.leagues.leave(league.id, 11, 11, club.source())
    club.now += DAY
    await club.leagues.time_passed(league.id)
    state = (await club.leagues.join(league.id, 14, club.source())).state
    assert (True, None) == (state.waits, state.next_at)


async def test_a_place_in_the_league_stays_the_members(club: CompetitionClub) -> None:
    """For whom a substitute plays: in the next season the member has the place that was played for, and the substitute,
    who is no member, is not in it. A substitute who has joined takes the place of a member who has left."""
    league = await club.league(11, 12, 13, 14, 15, 16, size=3, up=1, down=1, days=5, pause=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    season = (await club.leagues.competitions.load(league.id)).state.season
    assert season is not None
    assert ((11, 12, 13), (14, 15, 16)) == season.divisions
    club.id = season.tournaments[0]
    for person, substitute in ((11, 21), (12, 22)):
        await club.tournaments.direction.decide(club.id, DIRECTOR, club.source(), Substituted(person, substitute))
    await club.leagues.join(league.id, 22, club.source())
    await club.leagues.leave(league.id, 12, 12, club.source())
    for number in season.tournaments:
        club.id = number
        await club.play_out()
    await club.leagues.time_passed(league.id)
    state = (await club.leagues.competitions.load(league.id)).state
    assert state.season is not None
    assert {11, 22, 13} == set(state.season.finals[0])
    assert {11, 13, 14, 15, 16, 22} == set(state.members)
    club.now += DAY
    await club.leagues.time_passed(league.id)
    state = (await club.leagues.competitions.load(league.id)).state
    assert state.season is not None
    assert 2 == state.season.number
    assert {11, 13, 14, 15, 16, 22} == state.season.people


async def test_a_substitute_in_a_division_plays_what_nobody_has_begun(club: CompetitionClub) -> None:
    """All games began together, so there are no later ones: those without a move begin anew with the substitute, and
    with the member where they return; one that has moves stays with who plays it."""
    league = await club.league(11, 12, 13, size=3, up=1, down=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    season = (await club.leagues.competitions.load(league.id)).state.season
    assert season is not None
    club.id = season.tournaments[0]

    async def running() -> set[frozenset[int | None]]:
        links = [link for link in (await club.load()).games if link.status == "running"]
        return {frozenset((await club.games.game(link.game_id)).players) for link in links}

    begun = next(link for link in (await club.load()).games if {link.white, link.black} == {1, 2})
    game = await club.games.game(begun.game_id)
    assert game.to_move is not None
    await club.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, club.source())
    await club.tournaments.direction.decide(club.id, DIRECTOR, club.source(), Substituted(11, 21))
    assert {frozenset({11, 12}), frozenset({21, 13}), frozenset({12, 13})} == await running()
    await club.tournaments.direction.decide(club.id, DIRECTOR, club.source(), Substituted(21, 11))
    assert {frozenset({11, 12}), frozenset({11, 13}), frozenset({12, 13})} == await running()


async def test_a_substitute_who_leaves_gives_the_place_back(club: CompetitionClub) -> None:
    """In a division the member plays on what they have begun; what nobody has begun is theirs anew; and only what the
    substitute has begun is lost. The member can give up what they play while another has the place."""
    league = await club.league(11, 12, 13, 14, size=4, up=1, down=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    season = (await club.leagues.competitions.load(league.id)).state.season
    assert season is not None
    club.id = season.tournaments[0]
    decide, leave = club.tournaments.direction.decide, club.tournaments.registration.leave

    async def running() -> set[frozenset[int | None]]:
        links = [link for link in (await club.load()).games if link.status == "running"]
        games = [await club.games.game(link.game_id) for link in links]
        return {frozenset(game.players) for game in games if {11, 21} & set(game.players)}

    async def begin(*seats: int) -> None:
        links = [link for link in (await club.load()).games if link.status == "running"]
        link = next(link for link in links if {link.white, link.black} == set(seats))
        game = await club.games.game(link.game_id)
        assert game.to_move is not None
        await club.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, club.source())

    await begin(1, 2)
    await decide(club.id, DIRECTOR, club.source(), Substituted(11, 21))
    await begin(1, 3)
    assert {frozenset({11, 12}), frozenset({21, 13}), frozenset({21, 14})} == await running()
    await leave(club.id, 21, 21, club.source())
    assert {frozenset({11, 12}), frozenset({11, 14})} == await running()
    state = (await club.load()).state
    assert (11, False) == (state.by_number[1].person, state.by_number[1].is_gone)

    await decide(club.id, DIRECTOR, club.source(), Substituted(11, 21))
    assert {frozenset({11, 12}), frozenset({21, 14})} == await running()
    await leave(club.id, 11, 11, club.source())
    assert {frozenset({21, 14})} == await running()
    with pytest.raises(Refused, match="You have not entered"):
        await leave(club.id, 11, 11, club.source())
    await leave(club.id, 21, 21, club.source())
    assert set() == await running()


async def test_nobody_plays_in_two_divisions(club: CompetitionClub) -> None:
    """Who plays in a division, as a member or as a substitute, is no substitute in another one of the season; who has
    left it may be."""
    league = await club.league(11, 12, 13, 14, 15, 16, size=3, up=1, down=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    season = (await club.leagues.competitions.load(league.id)).state.season
    assert season is not None
    one, other = season.tournaments
    decide = club.tournaments.direction.decide
    await decide(one, DIRECTOR, club.source(), Substituted(11, 21))
    for substitute in (12, 21):
        with pytest.raises(Refused, match=rf"<@{substitute}> already plays in .*division 1"):
            await decide(other, DIRECTOR, club.source(), Substituted(14, substitute))
    await club.tournaments.registration.leave(one, 21, 21, club.source())
    await decide(other, DIRECTOR, club.source(), Substituted(14, 21))


async def test_a_first_move_in_a_league_has_as_long_as_any_other(club: CompetitionClub) -> None:
    """Three days with a clock of three days, and a season of less is refused."""
    league = await club.league(11, 12)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    season = (await club.leagues.competitions.load(league.id)).state.season
    assert season is not None
    club.id = season.tournaments[0]
    (link,) = (await club.load()).games
    control = (await club.games.game(link.game_id)).control
    assert control is not None
    assert ("3d", 3 * DAY) == (control.id, control.first)
    with pytest.raises(Refused, match="A season of 2 days is shorter than the time for one move"):
        await club.league(days=2)


async def test_a_league_waits_for_its_server(club: CompetitionClub) -> None:
    """While the server has removed the bot a season neither ends nor begins; afterwards it does."""
    league = await club.league(11, 12, size=3, up=1, down=1, days=5, pause=1)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    await club.games.privacy.server_gone(7)
    club.now += 6 * DAY
    await club.leagues.time_passed(league.id)
    assert (await club.leagues.competitions.load(league.id)).state.is_playing
    await club.games.privacy.server_back(7)
    await club.leagues.time_passed(league.id)
    assert not (await club.leagues.competitions.load(league.id)).state.is_playing


async def test_leagues_that_cannot_be(club: CompetitionClub) -> None:
    """Live clocks, divisions of two, more who move than there are."""
    for plan, why in (({"size": 2}, "3 to 12"), ({"up": 5, "down": 5}, "More players"), ({"days": 0}, "1 to 365")):
        with pytest.raises(Refused, match=why):
            await club.league(**plan)
    with pytest.raises(Refused, match="no league 9"):
        await club.leagues.competitions.load(9)


async def test_a_match_on_two_servers(club: CompetitionClub) -> None:
    """The games know where the guests play; all is announced twice, once for each server; a substitute of the guests
    plays on their server too."""
    match = await club.match()
    await club.line_up(match, HALL, DIRECTOR, 11, 12)
    with pytest.raises(Refused, match="already plays for the other team"):
        await club.line_up(match, ELSEWHERE, 2, 11, 21)
    with pytest.raises(Refused, match="Only a director"):
        await club.line_up(match, ELSEWHERE, DIRECTOR, 21, 22)
    match = await club.line_up(match, ELSEWHERE, 2, 21, 22)
    tournament = await club.teams.tournament_of(match)
    assert tournament is not None
    games = [await club.games.game(link.game_id) for link in tournament.games]
    assert [(11, 21), (22, 12)] == [game.players for game in games]
    assert [(1, 8), (0, 8)] == [(game.mirror.seat, game.mirror.guild_id) for game in games if game.mirror]
    for game in games:
        assert [False, True] == [each.mirrored for each in await club.said(game)]
    club.id = tournament.id
    await club.play_out()
    await club.teams.time_passed(match.id)
    await club.teams.time_passed(match.id)
    match = await club.teams.competitions.load(match.id)
    assert match.state.is_over
    assert match.state.score is not None
    assert "over" == match.status
    assert [] == await club.ratings.in_pool(RatingPool("pinoy", True, server=7))
    assert 4 == len(await club.ratings.in_pool(RatingPool("pinoy", True, server=0)))


async def test_offers_in_a_match_are_closed_on_both_servers(club: CompetitionClub) -> None:
    """A draw offer is posted twice and answered once; both posts are edited."""
    match = await club.match(boards=1)
    await club.line_up(match, HALL, DIRECTOR, 11)
    match = await club.line_up(match, ELSEWHERE, 2, 21)
    tournament = await club.teams.tournament_of(match)
    assert tournament is not None
    game = await club.games.game(tournament.games[0].game_id)
    for _ in range(2):
        assert game.to_move is not None
        game = await club.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, club.source())
    await club.games.offers.offer_draw(game.id, 21, club.source())
    offers = [each for each in await club.said(game) if each.kind == "offer"]
    assert 2 == len(offers)
    assert 1 == len({payload(each)["offer"] for each in offers})
    await club.games.offers.answer("draw", game.id, 11, False, club.source(), payload(offers[1])["offer"])
    for _ in range(12):
        for said in await club.outbox.due(game.id):
            await club.outbox.sent(said, 900 + said.id, 71 if said.mirrored else 70)
    assert [] == await club.said(game)


async def test_a_guest_who_is_forgotten(club: CompetitionClub) -> None:
    """Before the match begins the line-up has a hole: it waits for another, and nothing names the person."""
    match = await club.match()
    await club.line_up(match, HALL, DIRECTOR, 11, 12)
    await club.games.privacy.forget(12, club.source())
    match = await club.line_up(match, ELSEWHERE, 2, 21, 22)
    assert await club.teams.tournament_of(match) is None
    match = await club.line_up(match, HALL, DIRECTOR, 11, 13)
    tournament = await club.teams.tournament_of(match)
    assert tournament is not None
    assert 12 not in tournament.state.by_person
    assert 2 == len(tournament.games)
