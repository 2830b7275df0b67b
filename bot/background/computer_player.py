"""The computer at the tables: it moves when it is its turn, answers offers, offers a draw and resigns, by the same use
cases as people.

For each game in which it has something to do one task runs, and ends when all is done; it does not wait while a worker
thinks, but is started again by the answer. What it does is named by game and entry, so that it is done once, however
often the bot is started anew while it thinks; at a start every game in which it has a seat is looked at again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Final

import structlog

from bot.computer.workers.jobs import Answer, Job, fallback_move
from bot.computer.workers.pool import Workers
from bot.engine.errors import EngineError
from bot.games.model.computer_seats import is_computer, level_of, persons
from bot.games.model.errors import Duplicate, MoveRefused, NotStored, Refused
from bot.games.model.game import Game, Offer
from bot.games.model.transcripts import record_of
from bot.games.service import Games
from bot.games.use_cases.offers import concerned

log = structlog.get_logger(__name__)

AGAIN: Final = 10.0
"""Seconds until what could not be stored is tried again."""

HELPER: Final = 7
"""The level that gives hints."""

JUDGE: Final = 5
"""The level that judges an offer of a draw, where the computer's own is weaker."""
EVEN: Final = 30
"""How much better the computer may stand and still be content with a draw, in hundredths of a man."""
NO_DRAW_BEFORE: Final = 20
"""Turns, by both, before which the computer agrees to no draw: nobody has played yet."""
DULL: Final = 8
"""Own turns in a row without anything to play for, after which the computer offers a draw,"""
OFFERS_FROM: Final = 60
"""in a game of so many turns, by both."""
QUIET: Final = 15
"""Less than this either way is nothing to play for, in hundredths of a man."""

LOST_FOR: Final = {1: 12, 2: 12, 3: 10, 4: 8, 5: 6, 6: 5, 7: 3, 8: 3}
"""By level, how many own turns in a row a game must be lost before the computer resigns. Weak levels often believe a
game lost that is not, and people like to finish theirs."""


class _NotYet(Exception):  # noqa: N818 - no fault: it is being thought about
    """The answer comes later, and wakes the game then."""


class ComputerPlayer:
    """One for each running bot. ``changed`` is told of each game that has something to say."""

    def __init__(self, games: Games, workers: Workers, changed: Callable[[Game], None]) -> None:
        self._games = games
        self._workers = workers
        self._changed = changed
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._thoughts: dict[tuple[int, int, int], asyncio.Task[Answer]] = {}
        self._home: Context | None = None
        self._lost: dict[tuple[int, int], int] = {}
        self._dull: dict[tuple[int, int], int] = {}
        self._starting: asyncio.Task[None] | None = None
        self._closed = False

    async def start(self) -> None:
        """Look at every running game in which the computer has a seat; later, where the store is out of reach."""
        self._home = self._home or copy_context()
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

    def look(self, game: Game) -> None:
        """A game has changed: see whether the computer has anything to do in it."""
        self._forget_thoughts(game)
        if any(map(is_computer, game.players)):
            if game.status == "running":
                self.wake(game.id)
            elif game.status != "open":
                self._forget(game)

    def wake(self, game_id: int) -> None:
        """The computer may have something to do in a game."""
        if self._closed:
            return
        if game_id in self._tasks:
            self._again.add(game_id)
            return
        # Whoever wakes it, the computer acts for itself: nothing of a reader's context goes along.
        task = (self._home or copy_context()).run(
            asyncio.create_task, self._attend(game_id), name=f"computer-{game_id}"
        )
        self._tasks[game_id] = task
        task.add_done_callback(lambda done: self._ended(game_id, done))

    def _ended(self, game_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(game_id) is task:
            del self._tasks[game_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the computer stopped", game=game_id, exc_info=error)

    async def idle(self) -> None:
        """Returns when the computer has nothing to do in any game."""
        while waiting := {
            *self._tasks.values(),
            *(thought for thought in self._thoughts.values() if not thought.done()),
        }:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Break off all thinking: the next start takes it up."""
        self._closed = True
        tasks = {*self._tasks.values(), *self._thoughts.values(), *filter(None, [self._starting])}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _attend(self, game_id: int) -> None:
        """Do what there is to do in a game until there is nothing."""
        while True:
            self._again.discard(game_id)
            try:
                acted = await self._act(game_id)
            except _NotYet:
                acted = False
            except Duplicate:
                # It was done before; what the game looks like now decides.
                acted = False
            except NotStored as error:
                log.warning("the computer waits for the store", game=game_id, error=str(error), retry_in=AGAIN)
                await asyncio.sleep(AGAIN)
                acted = True
            except Refused as refused:
                # The game has gone on meanwhile: whoever changed it has said so.
                log.info("the computer came too late", game=game_id, why=type(refused).__name__)
                acted = False
            if not acted and game_id not in self._again:
                # In one step with the look at what was added: a wake from now on starts another task.
                self._tasks.pop(game_id, None)
                return

    async def _act(self, game_id: int) -> bool:
        """Do one thing. Whether there was anything to do."""
        game = await self._games.game(game_id)
        self._forget_thoughts(game)
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
            # Nobody wants to see computers play each other to the end.
            computer = _computer(game, game.state.seat)
            self._changed(await self._games.offers.offer_draw(game_id, computer, f"c:{game.id}:{game.ply + 1}:alone"))
        else:
            await self._take_turn(game)
        return True

    # Offers

    async def _answer_to(self, game: Game, offer: Offer, seat: int) -> bool | None:
        """Whether the computer at ``seat`` agrees to an offer; None as long as it waits for people to answer."""
        if offer.kind == "takeback":
            return game.casual
        people = {at for at in concerned(game, "draw") if not is_computer(game.players[at])}
        if people - {offer.seat, *offer.agreed}:
            return None
        if len(people) != 1:
            # What all the people at a table want it does not hold up.
            return True
        if len(game.players) > 2 or len(game.turns) < NO_DRAW_BEFORE:
            return False
        found = self._thought(game, max(JUDGE, level_of(_computer(game, seat))))
        score = found.score if seat == game.state.seat else -found.score
        return score < EVEN

    async def _answer(self, game: Game, offer: Offer, seat: int, agree: bool) -> None:
        use_case = self._games.offers.answer_draw if offer.kind == "draw" else self._games.offers.answer_takeback
        source = f"c:{game.id}:o{offer.id}:{seat}"
        self._changed(await use_case(game.id, _computer(game, seat), agree, source, offer.id))

    # Turns

    async def _take_turn(self, game: Game) -> None:
        """Think, and then move, or resign; after the move perhaps offer a draw. Raises Refused where the game has gone
        on meanwhile."""
        seat = game.state.seat
        computer = _computer(game, seat)
        answer = self._thought(game, level_of(computer))
        source = f"c:{game.id}:{game.ply + 1}"
        if self._gives_up(game, seat, answer):
            now = await self._games.game(game.id)
            if now.ply == game.ply:
                self._changed(await self._games.moves.resign(game.id, computer, source))
            return
        try:
            moved = await self._games.moves.turn(game.id, computer, answer.turn, source, game.ply)
        except MoveRefused as refused:
            # A search that contradicts the rules is a fault to be mended; the game goes on all the same.
            log.error(
                "the computer's move is not legal", game=game.id, ply=game.ply, move=answer.turn, why=str(refused)
            )
            turn = game.rules.turns(game.state)[0]
            moved = await self._games.moves.turn(game.id, computer, turn.text, source, game.ply)
        self._changed(moved)
        if self._offers_draw(moved, seat, answer):
            self._changed(await self._games.offers.offer_draw(game.id, computer, f"{source}:draw"))

    async def suggestion(self, game: Game, within: float) -> Answer | None:
        """What the computer would do for the player to move, if it is found within so many seconds."""
        done, _waiting = await asyncio.wait({self._thinking(game, HELPER)}, timeout=within)
        return next((thought.result() for thought in done), None)

    def suggest(self, game: Game, told: Callable[[Answer], None]) -> None:
        """Have ``told`` called, in the context of this call, with what the computer would do for the player to move:
        the same again as long as the game stands as it does."""
        thought = self._thinking(game, HELPER)
        thought.add_done_callback(lambda done: None if done.cancelled() else told(done.result()))

    def _thinking(self, game: Game, level: int) -> asyncio.Task[Answer]:
        """The thinking about a game as it stands, begun before or now."""
        key = (game.id, game.ply, level)
        thought = self._thoughts.get(key)
        if thought is None or thought.cancelled() or (thought.done() and thought.exception() is not None):
            thought = Context().run(asyncio.create_task, self._think(game, level), name=f"think-{game.id}-{game.ply}")
            self._thoughts[key] = thought
            thought.add_done_callback(lambda done: None if done.cancelled() else self.wake(game.id))
        return thought

    def _thought(self, game: Game, level: int) -> Answer:
        """What the computer thinks of a game as it stands. Raises _NotYet while it is being thought about."""
        thought = self._thinking(game, level)
        if not thought.done():
            raise _NotYet
        return thought.result()

    async def _think(self, game: Game, level: int) -> Answer:
        task = Job(game.variant_id, dict(game.options), game.start, record_of(game), level, game.id)
        try:
            return await self._workers.think(task, game.place.guild_id or 0)
        except EngineError as error:
            # The record holds here and not there: a place on a cluster with another version.
            log.error("the computer's worker cannot read the game", game=game.id, error=str(error))
            return await asyncio.to_thread(fallback_move, task)

    def _forget_thoughts(self, game: Game) -> None:
        """What was thought of a game before its last entry is of no use any more. A worker is not stopped for that: it
        is done soon, and another would have to start."""
        for key, thought in tuple(self._thoughts.items()):
            if key[0] == game.id and key[1] < game.ply and thought.done():
                del self._thoughts[key]

    def _gives_up(self, game: Game, seat: int, answer: Answer) -> bool:
        key = game.id, seat
        self._lost[key] = self._lost.get(key, 0) + 1 if answer.resigns else 0
        return self._lost[key] >= LOST_FOR[level_of(_computer(game, seat))]

    def _offers_draw(self, game: Game, seat: int, answer: Answer) -> bool:
        key = game.id, seat
        dull = answer.draws and abs(answer.score) < QUIET and len(persons(game.players)) == 1 and len(game.players) == 2
        self._dull[key] = self._dull.get(key, 0) + 1 if dull else 0
        if game.status != "running" or game.offers or len(game.turns) < OFFERS_FROM or self._dull[key] < DULL:
            return False
        # Not again before the game has been dull twice as long.
        self._dull[key] = -DULL
        return True

    def _forget(self, game: Game) -> None:
        for seat in range(len(game.players)):
            self._lost.pop((game.id, seat), None)
            self._dull.pop((game.id, seat), None)


def _computer(game: Game, seat: int) -> int:
    player = game.players[seat]
    assert player is not None
    return player
