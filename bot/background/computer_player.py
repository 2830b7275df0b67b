"""The computer at the tables: it moves when it is its turn, answers offers, offers a draw and resigns, by the same use
cases as people.

For each game in which it has something to do one task runs, and ends when all is done. While a worker thinks the task
waits, for the thought or for news of the game, whichever comes first; a thought outlives whoever waits for it. What it
does is named by game and entry, so that it is done once, however often the bot is started anew while it thinks; at a
start every game in which it has a seat is looked at again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from typing import Any, Final

import structlog

from bot.computer.hub.hub_engine import HubEngines, HubFailed
from bot.computer.levels import Mood, accepts_draw, judging_level, may_accept_draw
from bot.computer.workers.jobs import Answer, Job, fallback_move
from bot.computer.workers.pool import Workers
from bot.engine.errors import EngineError
from bot.games.model.computer_seats import GUEST, LEVELS, is_computer, level_of, persons
from bot.games.model.errors import Duplicate, MoveRefused, NotStored, Refused
from bot.games.model.game import Game, Offer
from bot.games.model.transcripts import record_of
from bot.games.service import Games
from bot.games.use_cases.offers import concerned
from bot.support.keyed_tasks import KeyedTasks

log = structlog.get_logger(__name__)

AGAIN: Final = 10.0
"""Seconds until what could not be stored is tried again."""

HELPER: Final = 7
"""The level that gives hints."""


class Thoughts:
    """What the workers think of games as they stand: of each game and level once for each entry."""

    def __init__(self, workers: Workers, engines: HubEngines) -> None:
        self._workers, self._engines = workers, engines
        self._latest: dict[tuple[int, int], tuple[int, asyncio.Task[Answer]]] = {}
        self.running: set[asyncio.Task[Answer]] = set()

    def begin(self, game: Game, level: int) -> asyncio.Task[Answer]:
        """The thinking about a game as it stands, begun before or now. Whoever waits for it must not cancel it. A
        worker is not stopped where the game has gone on: it is done soon, and another would have to start."""
        ply, thought = self._latest.get((game.id, level), (-1, None))
        failed = thought is not None and thought.done() and (thought.cancelled() or thought.exception() is not None)
        if thought is None or failed or ply != game.ply:
            thought = Context().run(asyncio.create_task, self._think(game, level), name=f"think-{game.id}-{game.ply}")
            self._latest[game.id, level] = game.ply, thought
            self.running.add(thought)
            thought.add_done_callback(self.running.discard)
        return thought

    async def _think(self, game: Game, level: int) -> Answer:
        job = Job(game.rules.variant.ruleset, dict(game.options), game.start, record_of(game), level, game.id)
        if level == GUEST:
            try:
                return await self._engines.think(job)
            except HubFailed:
                # Somebody has to move: the strongest of ours stands in.
                job = job._replace(level=LEVELS[-1])
        try:
            return await self._workers.think(job, game.place.guild_id or 0)
        except EngineError as error:
            # The record holds here and not there: a place on a cluster with another version.
            log.error("the computer's worker cannot read the game", game=game.id, error=str(error))
            return await asyncio.to_thread(fallback_move, job)

    def forget(self, game: Game) -> None:
        """What was thought of a game before its last entry, or of one that is over, is of no use any more."""
        for key, (ply, _) in tuple(self._latest.items()):
            if key[0] == game.id and (ply < game.ply or game.status != "running"):
                del self._latest[key]


class ComputerPlayer:
    """Plays the computers' seats, and gives hints. ``changed`` is told of each game that has something to say."""

    def __init__(
        self, games: Games, workers: Workers, changed: Callable[[Game], None], engines: HubEngines | None = None
    ) -> None:
        self._games = games
        self._changed = changed
        self._tasks = KeyedTasks("computer", self._attend)
        self._news: dict[int, asyncio.Event] = {}
        self._thoughts = Thoughts(workers, engines or HubEngines({}))
        self._moods: defaultdict[tuple[int, int], Mood] = defaultdict(Mood)
        self._starting: asyncio.Task[None] | None = None
        self._home: Context | None = None

    async def start(self) -> None:
        """Look at every running game in which the computer has a seat; later, where the store is out of reach."""
        # Whoever wakes a game, the computer thinks and acts for itself: nothing of a reader's context goes along.
        self._home = copy_context()
        Context().run(self._tasks.open)
        try:
            waiting = await self._games.computer.with_computers()
        except NotStored as error:
            log.warning("the computer waits for the store", error=str(error), retry_in=AGAIN)
            if self._starting is None or self._starting.done():
                self._starting = asyncio.create_task(self._start_again(), name="computers")
            return
        for game_id in waiting:
            self.wake(game_id)

    async def _start_again(self) -> None:
        await asyncio.sleep(AGAIN)
        self._starting = None
        await self.start()

    def on_change(self, game: Game) -> None:
        """A game has changed: see whether the computer has anything to do in it."""
        self._thoughts.forget(game)
        if not self._games.owns(game):
            return
        if any(map(is_computer, game.players)):
            if game.status == "running":
                self.wake(game.id)
            elif game.status != "open":
                self._forget(game)

    def wake(self, game_id: int) -> None:
        """The computer may have something to do in a game."""
        if game_id in self._news:
            self._news[game_id].set()
        self._tasks.wake(game_id)

    async def idle(self) -> None:
        """Returns when the computer has nothing to do in any game."""
        while waiting := {*self._tasks, *self._thoughts.running}:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Break off all thinking: the next start takes it up."""
        await self._tasks.close()
        tasks = {*self._thoughts.running, *filter(None, [self._starting])}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _attend(self, game_id: int) -> float | None:
        """Do one thing in a game. Returns when to look at it again, None where there was nothing to do."""
        self._news[game_id] = asyncio.Event()
        try:
            return 0 if await self._act(game_id) else None
        except Duplicate:
            # It was done before; what the game looks like now decides.
            return None
        except NotStored as error:
            log.warning("the computer waits for the store", game=game_id, error=str(error), retry_in=AGAIN)
            return AGAIN
        except Refused as refused:
            # The game has gone on meanwhile: whoever changed it has said so.
            log.info("the computer came too late", game=game_id, why=type(refused).__name__)
            return None
        finally:
            del self._news[game_id]

    async def _act(self, game_id: int) -> bool:
        """Do one thing. Whether there was anything to do."""
        game = await self._games.game(game_id)
        self._thoughts.forget(game)
        if game.status != "running":
            self._forget(game)
            return False
        for offer in game.offers:
            for seat in concerned(game, offer.kind):
                if is_computer(game.players[seat]) and seat != offer.seat and seat not in offer.agreed:
                    answer = await self._answer_to(game, offer, seat)
                    if answer is not None:
                        await self._answer(game, offer, seat, answer)
                        return True
        if not is_computer(game.to_move):
            return False
        if all(is_computer(game.players[seat]) for seat in game.playing):
            await self._do(self._games.computer.left_alone(game_id, f"c:{game.id}:{game.ply + 1}:alone"))
        else:
            await self._take_turn(game)
        return True

    # Offers

    async def _answer_to(self, game: Game, offer: Offer, seat: int) -> bool | None:
        """Whether the computer at ``seat`` agrees to an offer; None as long as it waits for people to answer,
        or where the game has gone on."""
        if offer.kind == "takeback":
            return game.casual
        people = {at for at in concerned(game, "draw") if not is_computer(game.players[at])}
        if people - {offer.seat, *offer.agreed}:
            return None
        if len(people) != 1:
            # What all the people at a table want it does not hold up.
            return True
        if len(game.players) > 2 or not may_accept_draw(len(game.turns)):
            return False
        answer = await self._thought(game, judging_level(level_of(_computer(game, seat))))
        if answer is None:
            return None
        return accepts_draw(answer.score if seat == game.state.seat else -answer.score)

    async def _answer(self, game: Game, offer: Offer, seat: int, agree: bool) -> None:
        computer, source = _computer(game, seat), f"c:{game.id}:o{offer.id}:{seat}"
        await self._do(self._games.offers.answer(offer.kind, game.id, computer, agree, source, offer.id))

    # Turns

    async def _take_turn(self, game: Game) -> None:
        """Think, and then move, or resign; after the move perhaps offer a draw. Nothing where the
        game has gone on meanwhile, or Refused is raised."""
        seat = game.state.seat
        computer = _computer(game, seat)
        answer = await self._thought(game, level_of(computer))
        if answer is None:
            return
        mood, source = self._moods[game.id, seat], f"c:{game.id}:{game.ply + 1}"
        if mood.gives_up(level_of(computer), answer.resigns):
            await self._do(self._games.moves.resign(game.id, computer, source))
            return
        try:
            moved = await self._do(self._games.moves.turn(game.id, computer, answer.turn, source, game.ply))
        except MoveRefused as refused:
            # A search that contradicts the rules is a fault to be put right; the game goes on all the same.
            log.error(
                "the computer's move is not legal", game=game.id, ply=game.ply, move=answer.turn, why=str(refused)
            )
            turn = game.rules.turns(game.state)[0]
            moved = await self._do(self._games.moves.turn(game.id, computer, turn.text, source, game.ply))
        duel = len(game.players) == 2 and len(persons(game.players)) == 1
        may_offer = moved.status == "running" and not moved.offers
        if mood.offers_draw(len(moved.turns), answer.score, content=answer.draws and duel, may_offer=may_offer):
            await self._do(self._games.offers.offer_draw(game.id, computer, f"{source}:draw"))

    async def _thought(self, game: Game, level: int) -> Answer | None:
        """What a level thinks of a game as it stands; None where the game has gone on before that is known."""
        thought = self._thoughts.begin(game, level)
        news = asyncio.create_task(self._news[game.id].wait())
        try:
            await asyncio.wait({thought, news}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
        now = await self._games.game(game.id)
        return thought.result() if thought.done() and (now.ply, now.offers) == (game.ply, game.offers) else None

    async def _do(self, use_case: Coroutine[Any, Any, Game]) -> Game:
        """Act in a game, in the context in which the bot was started, and tell of it."""
        game = await (self._home or copy_context()).run(asyncio.create_task, use_case)
        self._changed(game)
        return game

    async def suggestion(self, game: Game, within: float) -> Answer | None:
        """What the computer would do for the player to move, if it is found within so many seconds."""
        done, _waiting = await asyncio.wait({self._thoughts.begin(game, HELPER)}, timeout=within)
        return next((thought.result() for thought in done), None)

    def suggest(self, game: Game, then: Callable[[Callable[[], Answer]], None]) -> None:
        """Have ``then`` called, in the context of this call, with what tells what the computer would do for the player
        to move, or raises why it does not: the same again as long as the game stands as it does."""
        thought = self._thoughts.begin(game, HELPER)
        thought.add_done_callback(lambda done: None if done.cancelled() else then(done.result))

    def _forget(self, game: Game) -> None:
        for seat in range(len(game.players)):
            self._moods.pop((game.id, seat), None)


def _computer(game: Game, seat: int) -> int:
    player = game.players[seat]
    assert player is not None
    return player
