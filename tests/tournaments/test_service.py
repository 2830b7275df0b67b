"""The use cases of tournaments over a store: entries, rounds, games, results, corrections, ratings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.games.model.errors import Duplicate, Refused
from bot.ratings.pools import RatingPool
from bot.support.time_units import DAY, HOUR
from bot.tournaments.model.events import Kind, TournamentSettings
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing import elimination
from bot.tournaments.pairing.record import Mark
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments import formats
from tests.support.tournaments.event import DIRECTOR, Event


@pytest.fixture
async def event(tmp_path: Path) -> AsyncIterator[Event]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Event(store)
    await store.close()


async def test_a_swiss_from_entries_to_the_podium(event: Event) -> None:
    """Rounds follow each other, results come from the games, and the better numbers win."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 17))
    await event.start()
    for number in (1, 2, 3):
        if number > 1:
            await event.pair()
        tournament = await event.load()
        assert number == tournament.state.rounds_paired
        assert 3 * number == len(tournament.games)
        await event.play_out()
    done = await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    assert Phase.OVER is done.state.phase
    assert 1 == formats.ranking(done.state).lines[0].number
    ratings = await event.ratings.in_pool(RatingPool("pinoy", True, server=7))
    assert 11 == ratings[0].person
    assert 3 == ratings[0].games


async def test_a_round_is_paired_once(event: Event) -> None:
    """Not while games are played, not twice by one wish, not by somebody else."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 17))
    await event.start()
    with pytest.raises(Refused, match="3 games are still in progress"):
        await event.pair()
    await event.play_out()
    with pytest.raises(Refused, match="Only a director"):
        await event.tournaments.direction.pair(event.id, 11, event.source())
    await event.tournaments.direction.pair(event.id, DIRECTOR, "i:77")
    with pytest.raises((Duplicate, Refused)):
        await event.tournaments.direction.pair(event.id, DIRECTOR, "i:77")
    assert 6 == len((await event.load()).games)


async def test_who_does_not_move_in_time_forfeits(event: Event) -> None:
    """No first move within 48 hours: a forfeit, which is not rated, and the player is noted."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 13))
    await event.start()
    for said in await event.outbox.due():
        await event.outbox.sent(said, 500 + said.id, 70)
    event.now += 48 * HOUR + DAY
    game = (await event.load()).games[0]
    await event.games.timeouts.time_passed(game.game_id)
    tournament = await event.load()
    assert {(Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN)} == set(tournament.state.results.values())
    assert 1 == len(tournament.state.no_shows)
    assert [] == await event.ratings.in_pool(RatingPool("pinoy", True, server=7))


async def test_a_correction_pairs_again_what_it_changes(event: Event) -> None:
    """A result of round 1 corrected while round 2 is played: games that are gone are called off, new ones made."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 19))
    await event.start()
    await event.play_out()
    await event.pair()
    preview = await event.tournaments.results.preview(event.id, DIRECTOR, 11, "lost", 1, None)
    assert preview.corrects
    assert "round 2: keep or pair again?" in preview.change.question
    tournament = await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=True)
    second = {(g.white, g.black): g.status for g in tournament.games if g.round == 2}
    assert "aborted" in second.values()
    assert {pair for pair, status in second.items() if status == "running"} == set(tournament.state.paired[2].games)
    with pytest.raises(Refused, match="in the meantime"):
        await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)


@pytest.mark.parametrize(
    ("kind", "games"),
    [(Kind.SINGLE_ELIMINATION, {4}), (Kind.DOUBLE_ELIMINATION, {8, 9})],
)
async def test_an_elimination_goes_on_by_itself(event: Event, kind: Kind, games: set[int]) -> None:
    """Each match begins when its players are known, to the champion."""
    await event.open(TournamentSettings(kind), range(11, 16))
    await event.start()
    await event.play_out()
    tournament = await event.load()
    assert len(tournament.games) in games
    done = await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    assert 1 == formats.ranking(done.state).lines[0].number


async def test_who_leaves_a_round_robin_forfeits_the_rest(event: Event) -> None:
    """The rounds of all play all are fixed; no game is made for who has left."""
    await event.open(TournamentSettings(Kind.ROUND_ROBIN), range(11, 15))
    await event.start()
    await event.play_out()
    await event.tournaments.registration.leave(event.id, 14, 14, event.source())
    for _ in range(2):
        await event.pair()
        await event.play_out()
    tournament = await event.load()
    assert 4 == len(tournament.games)
    await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())


async def test_forgotten_people_leave_their_place(event: Event) -> None:
    """Nothing names the person any more; the tournament stands as before."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 15))
    await event.start()
    await event.play_out()
    before = formats.ranking((await event.load()).state)
    await event.games.privacy.forget(12, event.source())
    tournament = await event.load()
    assert before == formats.ranking(tournament.state)
    assert 12 not in tournament.state.by_person
    assert 12 not in [row.person for row in await event.ratings.in_pool(RatingPool("pinoy", True, server=7))]
    await event.pair()
    assert 3 == len((await event.load()).games)
    assert 2 in [entry.number for entry in (await event.load()).state.no_shows]


async def test_sides_of_an_elimination_are_balanced(event: Event) -> None:
    """Who wins everything has White by turns, not always; a result corrected by hand is that game's, sides and all."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 19))
    await event.start()
    await event.play_out()
    tournament = await event.load()
    sides = [game.white == 1 for game in tournament.games if 1 in (game.white, game.black)]
    assert [True, False, True] == sides
    second = next(game for game in tournament.games if game.black == 1)
    rating = {r.person: r.value for r in await event.ratings.in_pool(RatingPool("pinoy", True, server=7))}
    winner = tournament.state.by_number[second.white].person
    shown = await event.tournaments.results.preview(event.id, DIRECTOR, winner, "won", None, second.match)
    assert shown.corrects
    tournament = await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), shown, again=False)
    assert second.white == tournament.state.bracket.matches[second.match].winner
    now = {r.person: r.value for r in await event.ratings.in_pool(RatingPool("pinoy", True, server=7))}
    assert now[winner] > rating[winner]
    assert now[11] < rating[11]


async def test_a_match_that_is_played_goes_on_with_its_sides(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were they told otherwise meanwhile, as by an older version: neither called off nor played twice, and scored."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    await event.start()
    usual = elimination.colours
    monkeypatch.setattr(elimination, "colours", lambda state, match: usual(state, match)[::-1])
    await event.resign((await event.load()).games[0].game_id, 4)
    assert ["finished", "running"] == [game.status for game in (await event.load()).games]
    await event.play_out()
    tournament = await event.load()
    assert 1 == tournament.state.bracket.champion
    assert 3 == len(tournament.games)
