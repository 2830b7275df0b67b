"""The computer at the tables: what it does with the answers of its workers. The workers of these tests say what they
are told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.background.computer_player import ComputerPlayer
from bot.computer import levels
from bot.computer.levels import DULL, LOST_FOR, OFFERS_FROM
from bot.computer.workers.jobs import Answer, Job, replay
from bot.computer.workers.pool import Workers
from bot.games.model import computer_seats
from bot.games.model.computer_seats import computer_of
from bot.games.model.errors import NotStored
from bot.games.model.game import Game
from bot.support.time_units import DAY, HOUR
from data.store import Store
from tests.support.games.club import ANA, BEN, HALL, Club


class Told(Workers):
    """Workers that answer with the first turn, and with what ``say`` makes of the job."""

    def __init__(self, say: Callable[[Job], dict[str, Any]] = lambda job: {}) -> None:
        super().__init__(1)
        self.say = say
        self.jobs: list[Job] = []
        self.held: asyncio.Event | None = None

    async def think(self, job: Job, server: int) -> Answer:
        self.jobs.append(job)
        if self.held is not None:
            await self.held.wait()
        rules, states = replay(job)
        turn = next(iter(rules.turns(states[-1])))
        return Answer(turn.text, resigns=False, draws=False, score=0, depth=6, nodes=1)._replace(**self.say(job))


class Table:
    """A club with a game of Ana's against the computer."""

    def __init__(self, club: Club, workers: Told) -> None:
        self.club = club
        self.workers = workers
        self.computer = ComputerPlayer(club.games, workers, self._changed)

    def _changed(self, game: Game) -> None:
        self.computer.on_change(game)

    async def start(self, variant: str = "pinoy", level: int = 1, *, clock: str = "none", **options: Any) -> Game:
        game = await self.club.games.challenges.open(
            source=self.club.source(),
            opener=ANA,
            opponent=None,
            variant=variant,
            options=options,
            side="first",
            place=HALL,
            clock=clock,
            computers=(level,),
        )
        return await self.after(game)

    async def after(self, game: Game) -> Game:
        """The game when the computer has done all that it has to do."""
        self.computer.on_change(game)
        await self.computer.idle()
        return await self.club.games.game(game.id)

    async def play(self, game: Game, times: int = 1) -> Game:
        """Ana's first turns, each answered by the computer."""
        for _ in range(times):
            if game.status != "running":
                break
            game = await self.after(await self.club.play(game, game.rules.turns(game.state)[0].text))
        return game


@pytest.fixture
def workers() -> Iterator[Told]:
    made = Told()
    yield made
    made.close()


@pytest.fixture
def table(store: Store, workers: Told) -> Table:
    return Table(Club(store), workers)


async def test_it_moves_once(table: Table, workers: Told) -> None:
    """However often it is told to look, it moves once, and thinks once."""
    game = await table.start()
    game = await table.club.play(game, "c3-b4")
    for _ in range(5):
        table.computer.on_change(game)
    game = await table.after(game)
    assert 2 == game.ply
    assert [("c3-b4",)] == [job.turns for job in workers.jobs]
    assert 2 == (await table.after(game)).ply


async def test_another_process_moves_once(table: Table, workers: Told) -> None:
    """It ended while it thought: the next one finds the game at its start, thinks again, and moves once; a thought that
    comes too late changes nothing."""
    game = await table.start()
    workers.held = asyncio.Event()
    game = await table.club.play(game, "c3-b4")
    table.computer.on_change(game)
    await asyncio.sleep(0)

    other = Table(table.club, Told())
    await other.computer.start()
    await other.computer.idle()
    assert 2 == (await table.club.games.game(game.id)).ply

    workers.held.set()
    await table.computer.idle()
    assert 2 == (await table.club.games.game(game.id)).ply
    await other.computer.close()
    other.workers.close()


async def test_closing_breaks_thinking_off(table: Table, workers: Told) -> None:
    """Who closes does not wait for a thought, and nothing is done afterwards."""
    game = await table.start()
    workers.held = asyncio.Event()
    table.computer.on_change(await table.club.play(game, "c3-b4"))
    await asyncio.sleep(0)
    await table.computer.close()
    table.computer.wake(game.id)
    await table.computer.idle()
    assert 1 == (await table.club.games.game(game.id)).ply


@pytest.mark.parametrize("level", [1, 8])
async def test_it_resigns_when_lost_for_long(table: Table, workers: Told, level: int) -> None:
    """Not at the first bad news, and weak levels not for long."""
    workers.say = lambda job: {"resigns": True, "score": -2000}
    game = await table.play(await table.start(level=level), LOST_FOR[level] - 1)
    if level == 8:
        assert "running" == game.status
    game = await table.play(game)
    assert "finished" == game.status
    assert game.result is not None
    if level == 8:
        assert (0, LOST_FOR[8] - 1) == (game.result.winner, sum(e.seat == 1 for e in game.line if e.kind == "turn"))


async def test_a_takeback_while_it_thinks(table: Table, workers: Told) -> None:
    """Ana asks for her move back while the computer thinks: it agrees at once, and its thought is dropped."""
    game = await table.start()
    workers.held = asyncio.Event()
    game = await table.club.play(game, "c3-b4")
    table.computer.on_change(game)
    await asyncio.sleep(0)
    asked = await table.club.games.offers.ask_takeback(game.id, ANA, table.club.source())
    workers.held.set()
    game = await table.after(asked)
    assert ((), (), ANA, "running") == (game.turns, game.offers, game.to_move, game.status)
    assert game == await table.after(game)


async def test_it_answers_while_it_thinks(table: Table, workers: Told) -> None:
    """News of the game are attended to while a worker thinks; what it thinks is not thought again for that."""
    game = await table.start()
    workers.held = asyncio.Event()
    game = await table.club.play(game, "c3-b4")
    table.computer.on_change(game)
    await asyncio.sleep(0.05)
    table.computer.wake(game.id)
    await asyncio.sleep(0.1)
    assert 1 == len(workers.jobs)
    table.computer.on_change(await table.club.games.offers.ask_takeback(game.id, ANA, table.club.source()))
    for _ in range(500):
        if not (await table.club.games.game(game.id)).turns:
            break
        await asyncio.sleep(0.01)
    assert ((), 1) == ((await table.club.games.game(game.id)).turns, len(workers.jobs))
    workers.held.set()
    assert ANA == (await table.after(game)).to_move


async def test_a_dull_game_is_offered_as_a_draw(table: Table, workers: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many turns with nothing to play for it offers a draw, once, and Ana may accept."""
    monkeypatch.setattr("bot.computer.levels.OFFERS_FROM", 2 * DULL)
    workers.say = lambda job: {"draws": True, "score": 0}
    assert OFFERS_FROM > 2 * DULL
    game = await table.play(await table.start(level=5), DULL - 1)
    assert not game.offers
    game = await table.play(game)
    [offer] = game.offers
    assert ("draw", 1) == (offer.kind, offer.seat)
    game = await table.club.games.offers.answer("draw", game.id, ANA, True, table.club.source(), offer.id)
    assert game.result is not None
    assert game.result.winner is None


async def test_a_draw_is_judged_from_its_own_side(table: Table, workers: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search speaks for whoever is to move: what is good for Ana is bad for the computer."""
    monkeypatch.setattr("bot.computer.levels.NO_DRAW_BEFORE", 0)
    for score, agreed in ((-200, False), (200, True)):
        game = await table.start()
        workers.say = lambda job, told=score: {"score": told}  # type: ignore[misc]
        game = await table.after(await table.club.games.offers.offer_draw(game.id, ANA, table.club.source()))
        assert ("finished" if agreed else "running") == game.status
        if not agreed:
            await table.club.games.moves.resign(game.id, ANA, table.club.source())


async def test_its_time_never_ends_the_game(table: Table, workers: Told) -> None:
    """With a clock and a machine that does not answer for days nobody has won, and the move is still taken."""
    game = await table.start(clock="1d")
    workers.held = asyncio.Event()
    game = await table.play(game, 0)
    game = await table.club.play(game, "c3-b4")
    await table.club.pass_time(table.club.now + 5 * DAY)
    game = await table.club.games.game(game.id)
    assert "running" == game.status
    assert [] == await table.club.check()
    assert not [said for said in await table.club.said(game) if said.kind == "reminder"]
    workers.held.set()
    game = await table.after(game)
    assert (2, ANA) == (game.ply, game.to_move)
    assert [] == await table.club.check()

    await table.club.pass_time(table.club.now + 3 * DAY + HOUR)
    assert (await table.club.games.game(game.id)).status in ("finished", "aborted")


async def test_a_store_that_is_full_is_waited_for(table: Table, monkeypatch: pytest.MonkeyPatch, workers: Told) -> None:
    """What could not be stored is stored later, without thinking anew."""
    game = await table.start()
    turn = table.club.games.moves.turn
    failures = [NotStored("full"), NotStored("full")]

    async def once(game_id: int, player: int, *about: Any) -> Game:
        if failures and player < 0:
            raise failures.pop()
        return await turn(game_id, player, *about)

    monkeypatch.setattr("bot.background.computer_player.AGAIN", 0.0)
    monkeypatch.setattr(table.club.games.moves, "turn", once)
    game = await table.play(game)
    assert (2, []) == (game.ply, failures)
    assert 1 == len(workers.jobs)


async def test_a_store_out_of_reach_at_the_start(table: Table, monkeypatch: pytest.MonkeyPatch, workers: Told) -> None:
    """The games are looked for again a little later."""
    game = await table.club.play(await table.start(), "c3-b4")
    look = table.club.games.computer.with_computers
    failures = [NotStored("locked")]
    found = asyncio.Event()

    async def once() -> list[int]:
        if failures:
            raise failures.pop()
        found.set()
        return await look()

    monkeypatch.setattr("bot.background.computer_player.AGAIN", 0.0)
    monkeypatch.setattr(table.club.games.computer, "with_computers", once)
    await table.computer.start()
    await found.wait()
    while (await table.club.games.game(game.id)).ply < 2:
        await table.computer.idle()
        await asyncio.sleep(0)
    await table.computer.close()
    assert 1 == len(workers.jobs)


async def test_an_illegal_answer_does_not_stop_the_game(table: Table, workers: Told) -> None:
    """A worker that answers nonsense: a legal turn is played instead."""
    workers.say = lambda job: {"turn": "a1-h8"}
    game = await table.play(await table.start())
    assert 2 == game.ply


async def test_a_game_of_people_is_none_of_its_business(table: Table, workers: Told) -> None:
    """Where no computer sits nothing is thought."""
    game = await table.club.started()
    table.computer.on_change(game)
    await table.computer.idle()
    assert [] == workers.jobs
    assert [] == await table.club.games.computer.with_computers()
    assert (ANA, BEN) == game.players
    assert computer_of(3) not in game.players


def test_every_level_that_can_be_seated_can_play() -> None:
    """The seats, which know nothing of search, and the search have the same levels."""
    assert computer_seats.LEVELS == levels.LEVELS


async def test_where_the_guest_engine_fails_ours_stands_in(table: Table, workers: Told) -> None:
    """There is none for this game: the strongest level takes the turn."""
    game = await table.play(await table.start(level=computer_seats.GUEST))
    assert 2 == game.ply
    assert [computer_seats.LEVELS[-1]] == [job.level for job in workers.jobs]
