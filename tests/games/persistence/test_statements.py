"""How much a turn asks of the database, counted in statements."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.persistence.outbox import Outbox
from bot.support.time_units import DAY
from data.queries import announcements
from data.store import Store
from tests.support.data.executed import note_statements
from tests.support.games.club import ANA, BEN, HALL, Club


@pytest.fixture
def statements(store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What was executed since the last time of asking, transactions' beginnings and ends left out."""
    executed: list[str] = []

    def note(statement: str, _values: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA", "SELECT CAST(pg_current_xact_id")):
            executed.append(statement)

    note_statements(store, monkeypatch, note)

    def asked() -> list[str]:
        found = executed.copy()
        executed.clear()
        return found

    return asked


@pytest.fixture
def outbox(club: Club) -> Outbox:
    """What waits to be said, as the bot knows it: told of what is stored."""
    outbox = Outbox(club.store, club.clock)
    outbox.follow(club.games.signals.announced, club.games.signals.unsaid)
    return outbox


async def post(outbox: Outbox, *games: Game) -> None:
    """Say what is due in each game, all at one moment."""
    due = [each for game in games for each in await outbox.due(game.id)]
    await asyncio.gather(*(outbox.sent(each, 1000 + each.id, 7) for each in due))


@pytest.mark.parametrize(("clock", "least"), [("none", 5), ("3d", 7)])
async def test_a_turn(club: Club, outbox: Outbox, statements: Callable[[], list[str]], clock: str, least: int) -> None:
    """A warm game's turn and its post: what is known is not read, and nothing is read twice."""
    game = await club.started(clock=clock)
    await post(outbox, game)
    await post(outbox, game)
    game = await club.play(game, "c3-d4")
    await post(outbox, game)
    statements()
    ended = transactions(club.store)
    found = await club.games.running_in(HALL.channel_id)
    assert found is not None
    await club.play(found, "b6-a5")
    await post(outbox, game)
    executed = statements()
    assert len(executed) == least, "\n".join(executed)
    assert [True, True] == ended


async def test_a_turn_of_a_game_that_nobody_has_in_memory(
    club: Club, outbox: Outbox, statements: Callable[[], list[str]]
) -> None:
    """What a message may ask for is read in one transaction, each thing once, and nothing of it again for the turn."""
    game = await club.started()
    await post(outbox, game)
    await post(outbox, game)
    club.restart()
    statements()
    ended = transactions(club.store)
    await club.games.look_up(HALL.channel_id, ANA, HALL.guild_id)
    # How the game stands, it with its seats, its entries, the text of its rules, two people and a server.
    assert 7 == len(statements())
    found = await club.games.running_in(HALL.channel_id)
    assert found is not None
    for person in (ANA, BEN):
        await club.games.preferences.load(person)
    await club.games.servers.load(HALL.guild_id)
    await club.games.look_up(HALL.channel_id, ANA, HALL.guild_id)
    assert [] == statements()
    await club.games.moves.turn(found.id, ANA, "c3-d4", club.source())
    assert [False, True] == ended


async def test_posts_of_one_moment(club: Club, outbox: Outbox) -> None:
    """What is posted in several games while others are being marked is marked in one transaction."""
    games = [await club.started(place=replace(HALL, channel_id=channel)) for channel in range(100, 110)]
    due = [each for game in games for each in await outbox.due(game.id) if each.edits is None]
    ended = transactions(club.store)
    await asyncio.gather(*(outbox.sent(each, 1000 + each.id, 7) for each in due))
    assert [True] * 2 == ended
    assert not [each for game in games for each in await outbox.due(game.id) if each in due]


@pytest.mark.parametrize("cold", [False, True])
async def test_times_that_are_up_at_once(club: Club, statements: Callable[[], list[str]], cold: bool) -> None:
    """Of many games whose time is up each takes eight statements, and what is alike is asked for once, whether the
    games and their players are in memory or not."""
    many = 12
    places = [replace(HALL, channel_id=channel) for channel in range(100, 100 + many)]
    games = [await club.play(await club.started(place=place, clock="3d"), "c3-d4", "b6-a5") for place in places]
    await club.deliver()
    club.now += 4 * DAY
    if cold:
        club.restart()
    statements()
    over = await club.games.timeouts.times_passed([game.id for game in games])
    executed = statements()
    assert ["finished"] * many == [game.status for game in over]
    assert 8 * many + (5 if cold else 0) >= len(executed), "\n".join(executed[-20:])


async def test_a_mark_that_waits(club: Club, outbox: Outbox) -> None:
    """What is marked after a turn was stored counts as posted after it, as the clocks of the turn were reckoned."""
    game = await club.started(clock="3d")
    await post(outbox, game)
    board = next(each for each in await outbox.due(game.id) if each.kind == "board")
    async with club.store.write():
        marking = asyncio.create_task(outbox.sent(board, 1000, 7))
        await asyncio.sleep(0)
        club.now += 700
    await marking
    async with club.store.read() as tx:
        assert [(board.made_at, club.now)] == await announcements.unseen(tx, game.id, 0)


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_remembered(club: Club, outbox: Outbox, seed: int) -> None:
    """An outbox that remembers what waits gives what one gives that asks the store, whatever happens."""
    lots = Random(seed)
    game = await club.started()
    asked = Outbox(club.store, club.clock)
    for _ in range(40):
        what = lots.choice(["play", "play", "offer", "sent", "sent", "sent", "fail", "pause", "anew"])
        game, due = await club.games.game(game.id), await outbox.due(game.id)
        if what == "play" and game.status == "running" and game.to_move is not None:
            await club.play(game, game.rules.turns(game.state)[0].text)
        elif what == "offer":
            with suppress(Refused):
                await club.games.offers.offer_draw(game.id, lots.choice((ANA, BEN)), club.source())
        elif what == "sent" and due:
            await outbox.sent(due[0], club.now, 7)
        elif what in ("fail", "pause") and due:
            await outbox.failed(due[0], None if what == "fail" else club.now + 5)
        elif what == "anew":
            await club.games.channels.post_again(game.id)
        club.now += lots.randrange(4)
        assert await asked.due(game.id) == await outbox.due(game.id)


def transactions(store: Store) -> list[bool]:
    """The transactions that end from now on: whether each could write."""
    ended: list[bool] = []
    store.watch(lambda spent: ended.append(spent.writes))
    return ended
