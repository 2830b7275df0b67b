"""Whoever wants to be forgotten is named nowhere, whatever it took part in, and what it took part in goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.tournaments.model.events import Kind, TournamentSettings
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import HALL
from tests.support.tournaments.competitions import ELSEWHERE, CompetitionClub
from tests.support.tournaments.event import DIRECTOR

PERSON = 900_012


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[CompetitionClub]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield CompetitionClub(store)
    await store.close()


async def named(club: CompetitionClub, person: int) -> list[str]:
    """Where the digits of a person's id stand."""
    found = []
    async with club.store.read() as tx:
        names = await tx.run_sync(lambda connection: sa.inspect(connection).get_table_names())
        for name in names:
            rows = await tx.execute(sa.text(f"SELECT * FROM {name}"))
            found += [f"{name}: {dict(row)}" for row in rows.mappings() if str(person) in str(dict(row))]
    return found


async def two_turns(club: CompetitionClub, number: int) -> None:
    game = await club.games.game(number)
    for _ in range(2):
        assert game.to_move is not None
        game = await club.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, club.source())


async def test_a_member_of_everything(club: CompetitionClub) -> None:
    """In a season, a team match as captain, a tournament as director and one as player, in games that have begun."""
    league = await club.league(11, PERSON, 13, 14, size=4, days=10, pause=0)
    await club.leagues.start(league.id, DIRECTOR, club.source())
    state = (await club.leagues.competitions.load(league.id)).state
    assert state.season is not None
    for link in (await club.tournaments.load(state.season.tournaments[0])).games:
        await two_turns(club, link.game_id)
    match = await club.match(boards=2)
    await club.line_up(match, HALL, DIRECTOR, PERSON, 12)
    match = await club.line_up(match, ELSEWHERE, 2, 21, 22)
    tournament = await club.teams.tournament_of(match)
    assert tournament is not None
    for link in tournament.games:
        await two_turns(club, link.game_id)
    await club.open(TournamentSettings(Kind.SWISS, rounds=2), range(PERSON - 1, PERSON + 3))
    await club.start()
    await club.play_out()
    await club.pair()
    async with club.store.write() as tx:
        await tx.execute(
            sa.text("UPDATE tournament_events SET reason = :why WHERE number = 1"), {"why": f"<@{PERSON}> and <@!13>"}
        )
    assert 10 < len(await named(club, PERSON))
    tournament = await club.load()
    changes = (await club.games.privacy.data_of(PERSON))["rating_changes"]
    assert {link.game_id for link in tournament.games} >= {change["game_id"] for change in changes} != set()

    await club.games.privacy.forget(PERSON, club.source())

    assert [] == await named(club, PERSON)
    assert [] == await club.check()
    kept = await club.games.privacy.data_of(PERSON)
    assert not any(kept[key] for key in kept if key != "person" and key != "puzzles")
    await club.play_out()
    assert [] == await club.check()
