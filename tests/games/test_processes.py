"""Several processes on one database: each does what is its servers', and hears of what others have stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.games.model.deadlines import HEARTBEAT, OUTAGE
from bot.games.model.game import Game, Place
from bot.games.model.preferences import Preferences
from bot.support.time_units import DAY, HOUR, MINUTE
from data.lease import Lease
from data.notifications import Word
from data.queries import timers
from data.queries.timers import Outage
from data.shards import Shards
from data.store import Store
from tests.support.data import databases
from tests.support.games.club import ANA, BEN, Club

EVEN, ODD = Place(guild_id=2 << 22, channel_id=20), Place(guild_id=3 << 22, channel_id=30)
HEARD = 5.0


def of_one_discord(one: Club, other: Club) -> tuple[Club, Club]:
    """Messages come to one process or the other: no two have one id."""
    other.source = one.source  # type: ignore[method-assign]
    return one, other


@pytest.fixture
async def processes(tmp_path: Path) -> AsyncIterator[tuple[Club, Club]]:
    """Two on one database, of the servers of shard 0 and of shard 1."""
    url = databases.url_of(tmp_path / "shared.sqlite3")
    stores = [Store(url, shards=Shards(2, frozenset({shard}))) for shard in (0, 1)]
    for store in stores:
        await store.open()
    yield of_one_discord(Club(stores[0]), Club(stores[1]))
    for store in stores:
        await store.close()


async def test_each_posts_in_its_own_servers(processes: tuple[Club, Club]) -> None:
    """Whoever made a move: what there is to say is said by the process of the game's server, and by no other."""
    even, odd = processes
    here, there = await even.started(place=EVEN), await odd.started(place=ODD)

    assert [here.id] == await even.outbox.games_waiting()
    assert [there.id] == await odd.outbox.games_waiting()
    assert {here.id} == {each.game_id for each in await even.outbox.due()}
    assert [] == await even.outbox.due(there.id)
    assert await even.outbox.next_try(there.id) is None
    await even.play(there, "11-15")
    assert [] == await even.outbox.due(there.id)
    assert await odd.outbox.due(there.id)


async def test_each_ends_games_of_its_own_by_time(processes: tuple[Club, Club]) -> None:
    """A timer is done by the process of its game's server; what is nobody's server's by that of shard 0."""
    even, odd = processes
    games = [await even.started(place=EVEN, clock="3d"), await odd.started(place=ODD, clock="3d")]
    async with even.store.write() as tx:
        await timers.put(tx, "tidy", 0, 5, {})
    later = even.now + 10 * DAY

    async with even.store.read() as tx:
        assert [5, later] == [(await timers.next_at(tx, 0, even.store.shards)), later]
        assert {("tidy", 0), ("clock", games[0].id)} == {
            (row.kind, row.subject) for row in await timers.due(tx, later, 10, even.store.shards)
        }
        assert {("clock", games[1].id)} == {
            (row.kind, row.subject) for row in await timers.due(tx, later, 10, odd.store.shards)
        }


async def test_one_shards_outage_is_no_other_ones(processes: tuple[Club, Club]) -> None:
    """While Discord, or a process, was out of reach for one shard, time ran on the servers of the other."""
    even, odd = processes
    for club in processes:
        await club.games.outages.resume()
    even.now += MINUTE
    even.games.outages.lost()
    for _ in range((MINUTE + OUTAGE) // HEARTBEAT):
        odd.now += HEARTBEAT
        await odd.games.outages.alive()
    even.now = odd.now
    await even.games.outages.alive()

    assert [(1_000_000 + MINUTE, even.now)] == even.games.outages.stops(EVEN.guild_id, 0, even.now)
    assert [] == odd.games.outages.stops(ODD.guild_id, 0, odd.now)
    await odd.games.outages.read()
    assert [] == odd.games.outages.stops(ODD.guild_id, 0, odd.now)
    assert even.games.outages.stops(EVEN.guild_id, 0, even.now) == odd.games.outages.stops(EVEN.guild_id, 0, odd.now)


async def test_one_shard_of_a_process_is_out_of_reach(tmp_path: Path) -> None:
    """Of a process with two shards, time stands still for the one whose connection is lost, and a sign of life of the
    other does not end that."""
    store = Store(databases.url_of(tmp_path / "one.sqlite3"), shards=Shards(2, frozenset({0, 1})))
    await store.open()
    club = Club(store)
    await club.games.outages.resume()
    club.games.outages.lost(1)
    club.now += HEARTBEAT

    await club.games.outages.alive({0})

    assert [] == club.games.outages.stops(EVEN.guild_id, 0, club.now)
    assert [(1_000_000, club.now)] == club.games.outages.stops(ODD.guild_id, 0, club.now)
    assert club.games.outages.lost_of({1})
    await club.games.outages.alive({0, 1})
    assert not club.games.outages.is_lost
    await store.close()


async def test_who_takes_a_shard_over_knows_since_when_nobody_was_there(tmp_path: Path) -> None:
    """The time from the last sign of life of a shard, or the last thing that was done there, counts for nobody, though
    another shard was there all the time."""
    url = databases.url_of(tmp_path / "shared.sqlite3")
    stores = [Store(url, shards=Shards(2, frozenset({shard}))) for shard in (0, 1)]
    for store in stores:
        await store.open()
    even, odd = of_one_discord(Club(stores[0]), Club(stores[1]))
    await even.games.outages.resume()
    await odd.games.outages.resume()
    even.now = odd.now = even.now + 5 * OUTAGE
    await odd.started(place=ODD)
    even.now = odd.now = even.now + HOUR
    await even.games.outages.alive()
    await even.started(place=EVEN)

    odd.restart()

    assert HOUR == await odd.games.outages.resume()
    assert [(1_000_000 + 5 * OUTAGE, odd.now)] == odd.games.outages.stops(ODD.guild_id, 0, odd.now)
    for store in stores:
        await store.close()


async def test_outages_of_another_number_of_shards_still_hold(tmp_path: Path) -> None:
    """What was noted when there was one shard holds for all, and what one of two has noted for its servers."""
    rows = [Outage(1, 2), Outage(3, 4, 1, 2), Outage(5, 6, 3, 4)]

    assert [(1, 2)] == timers.stops_of(rows, EVEN.guild_id)
    assert [(1, 2), (3, 4), (5, 6)] == timers.stops_of(rows, ODD.guild_id)
    assert [(1, 2)] == timers.stops_of(rows, None)


async def test_servers_of_other_processes_are_not_taken_for_gone(processes: tuple[Club, Club]) -> None:
    """A process that is told of its own servers alone does not let the settings of the others be deleted."""
    even, odd = processes
    await even.started(place=EVEN)
    await odd.started(place=ODD)

    assert ([], []) == await even.games.privacy.servers_changed([EVEN.guild_id or 0])
    assert ([EVEN.guild_id], []) == await even.games.privacy.servers_changed([])
    assert ([], []) == await odd.games.privacy.servers_changed([ODD.guild_id or 0])


@pytest.fixture
async def leased() -> AsyncIterator[tuple[Club, Club]]:
    """Two processes on a PostgreSQL that hear of each other."""
    name = databases.new_database(migrated=True)
    url = databases.server().url(name)
    leases = [Lease(url, 2, 1), Lease(url, 2, 1)]
    clubs = []
    for lease in leases:
        await lease.take()
        store = Store(url, lease=lease)
        await store.open()
        clubs.append(Club(store))
        store.hear(clubs[-1].games.heard)
    yield of_one_discord(clubs[0], clubs[1])
    for club, lease in zip(clubs, leases, strict=True):
        await club.store.close()
        await lease.release()
    databases.server().drop(name)


async def heard(club: Club, word: Word) -> None:
    """Until a process has heard a word."""
    there = asyncio.Event()
    club.store.hear(lambda told: there.set() if told == word else None)
    await asyncio.wait_for(there.wait(), HEARD)


async def test_what_a_person_chooses_holds_everywhere(leased: tuple[Club, Club]) -> None:
    """Changed by one process, at once known to the other, which had it in memory."""
    even, odd = leased
    assert not (await odd.games.preferences.load(ANA)).words
    waiting = asyncio.create_task(heard(odd, Word("people", ANA)))

    await even.games.preferences.change(ANA, _in_words, "i:1")
    await waiting

    assert (await odd.games.preferences.load(ANA)).words


def _in_words(before: Preferences) -> Preferences:
    return Preferences.of({**before.to_json(), "words": True})


async def test_a_move_from_another_process_is_told_to_the_games_own(leased: tuple[Club, Club]) -> None:
    """A game's process hears of what another has stored in it, and of nothing that it has stored itself."""
    even, odd = leased
    game: Game = await odd.started(place=ODD)
    waiting = asyncio.create_task(heard(odd, Word("game", game.id)))

    await even.play(game, "11-15")
    await waiting

    assert 1 == (await odd.games.game(game.id)).ply


async def test_who_was_forgotten_is_forgotten_everywhere(leased: tuple[Club, Club]) -> None:
    """A running game that another process remembers has no longer the person in it."""
    even, odd = leased
    game = await odd.table(3)
    waiting = asyncio.create_task(heard(odd, Word("forgotten", BEN)))

    await even.games.privacy.forget(BEN, "i:2")
    await waiting

    assert BEN not in (await odd.games.game(game.id)).players
