"""Use cases: a finished game is looked over by the computer, a turn at a time, and what it saw is kept.

Whoever asks for a game that is being looked over waits for the same work; whoever asks after a restart goes on where it
stopped.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from bot.computer import analysis
from bot.computer.analysis import BestLine, JudgedTurn, PlayedPosition, SearchedTurn, SetPosition
from bot.computer.workers.pool import Busy, WorkerLost, Workers
from bot.engine.rules import Rules
from bot.engine.star.geometry import GROUND, HOLES, OPPOSITE, SETS, TRIANGLES
from bot.engine.star.movegen import Pegs
from bot.engine.star.rules import StarRules
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.transcripts import record_of
from bot.games.persistence.transactions import reading, writing
from bot.games.service import Games
from bot.i18n import _, ngettext
from bot.support.frozen import frozen
from data.queries import study as queries
from data.queries.study import SeenTurn
from data.store import Store

LONGEST: Final = 400
"""Turns of a game that are looked over at most: what takes a worker six minutes."""
AT_ONCE: Final = 2
"""How many games one person may have looked over at a time: the workers are everybody's."""
KEEP_EVERY: Final = 10
"""After how many turns it is stored what was seen."""

A = TypeVar("A")
R = TypeVar("R")

Progress = Callable[[int, int], Awaitable[None]]
"""Told of how many turns have been looked over, and of how many there are."""


LEAST: Final = 5
"""So many turns with a choice a seat must have had for its accuracy to be told."""


@frozen
class Analysis:
    """A finished game and what its turns were worth. ``judged`` has one for each turn that stands, in order."""

    game: Game
    judged: tuple[JudgedTurn, ...]

    @property
    def turning(self) -> list[JudgedTurn]:
        """The turns on which the game turned, in order."""
        return analysis.turning_points(self.judged)

    def accuracy(self, seat: int) -> float | None:
        """How well a seat played, of 100; None where it never had a choice that mattered, or too few to say."""
        return None if self.is_too_short(seat) else analysis.accuracy(self.judged, seat)

    def is_too_short(self, seat: int) -> bool:
        """Whether a seat had choices, but too few of them to be weighed: one turn would decide the figure."""
        own = sum(
            each.searched.seat == seat and each.verdict is not analysis.TurnVerdict.FORCED for each in self.judged
        )
        return own < LEAST and analysis.accuracy(self.judged, seat) is not None


class Analyses:
    """Looks finished games over, a turn at a time, and keeps what the computer saw."""

    def __init__(self, store: Store, games: Games, workers: Workers, clock: Callable[[], int]) -> None:
        self._store, self._games, self._workers, self._clock = store, games, workers, clock
        self._busy: dict[int, asyncio.Lock] = {}
        self._asked: Counter[int] = Counter()

    async def game(self, game_id: int) -> Game:
        """A game that may be looked over. Raises Refused where it is not over, or there is nothing to look at."""
        game = await self._games.game(game_id)
        if game.status == "running":
            raise Refused(_("Game {number} is not over yet. It can be analysed when it is.").format(number=game_id))
        if game.status == "aborted":
            template = _("Game {number} was called off, so there is nothing to analyse.")
            raise Refused(template.format(number=game_id))
        if game.status != "finished" or not game.turns:
            raise Refused(_("Game {number} has no turns to analyse.").format(number=game_id))
        if len(game.turns) > LONGEST:
            template = _("Game {number} has more than {count} turns, which is too long for an analysis.")
            raise Refused(template.format(number=game_id, count=LONGEST))
        return game

    async def kept(self, game_id: int) -> Analysis | None:
        """A game's analysis, where it is complete; None where it is not. Raises Refused as ``game`` does."""
        game = await self.game(game_id)
        searched = await self._searched(game_id)
        return _of(game, searched) if len(searched) == len(game.turns) else None

    async def analyse(self, game_id: int, person: int, server: int, progress: Progress) -> Analysis:
        """Look a game over, as far as that is still to be done, in the background of what the workers do for
        ``server``. Raises Refused as ``game`` does, where ``person`` has others looked over already, and where the
        workers are overwhelmed."""
        game = await self.game(game_id)
        with self._one_more(person):
            return await self._analyse(game, server, progress)

    async def best_lines(self, rules: Rules, position: str, person: int, server: int) -> tuple[BestLine, ...]:
        """The best lines of a position that is no game's. Raises Refused as ``analyse`` does."""
        asked = SetPosition(rules.variant.ruleset, dict(rules.variant.options), position)
        with self._one_more(person):
            return await self._in_background(analysis.best_lines, asked, server, seconds=4 * analysis.SECONDS_ALONE)

    @contextmanager
    def _one_more(self, person: int) -> Iterator[None]:
        """Raises Refused where ``person`` has others looked over already."""
        if self._asked[person] >= AT_ONCE:
            template = ngettext(
                "I am still analysing {count} game for you. Ask again when that is done.",
                "I am still analysing {count} games for you. Ask again when one of them is done.",
                AT_ONCE,
            )
            raise Refused(template.format(count=AT_ONCE))
        self._asked[person] += 1
        try:
            yield
        finally:
            self._asked[person] -= 1
            self._asked += Counter()  # nobody is kept who has asked for nothing

    async def _analyse(self, game: Game, server: int, progress: Progress) -> Analysis:
        game_id = game.id
        lock = self._busy.setdefault(game_id, asyncio.Lock())
        try:
            async with lock:
                searched = await self._searched(game_id)
                for number in range(len(searched), len(game.turns)):
                    await progress(number, len(game.turns))
                    searched.append(await self._look(game, number, server))
                    if len(searched) % KEEP_EVERY == 0 or len(searched) == len(game.turns):
                        async with writing(self._store) as tx:
                            seen = [SeenTurn(*turn) for turn in searched]
                            await queries.keep_analysis(tx, game_id, seen, self._clock())
                return _of(game, searched)
        finally:
            if not lock.locked():
                self._busy.pop(game_id, None)

    async def _look(self, game: Game, number: int, server: int) -> SearchedTurn:
        """What a search sees where the ``number``-th turn that stands was made, counted from 0."""
        record = record_of(game)
        # Those who left stand between the turns.
        at = [index for index, entry in enumerate(game.line) if entry.kind == "turn"][number]
        moment = PlayedPosition(game.rules.variant.ruleset, dict(game.options), game.start, record[:at], record[at])
        return await self._in_background(analysis.look, moment, server, seconds=4 * analysis.SECONDS)

    async def _in_background(self, function: Callable[[A], R], asked: A, server: int, *, seconds: float) -> R:
        try:
            return await self._workers.call(function, asked, server, seconds=seconds)
        except Busy as error:
            raise Refused(_("Too many games are being analysed right now. Please try again later.")) from error
        except WorkerLost as error:
            raise Refused(_("The analysis has stopped. Ask again, and it goes on from there.")) from error

    async def _searched(self, game_id: int) -> list[SearchedTurn]:
        async with reading(self._store) as tx:
            rows = await queries.analysis(tx, game_id)
        return [
            SearchedTurn(t.seat, t.best, t.score, t.played, t.played_score, t.choices, t.depth, tuple(t.line), t.stake)
            for t in rows
        ]


def race(game: Game) -> tuple[tuple[float, ...], ...]:
    """How far each seat of a game on a star had come, from 0 (as it began) to 1 (home), at the start and after each
    turn that stands; nothing for other games. It replays the game, which takes a moment."""
    rules = game.rules
    if not isinstance(rules, StarRules):
        return ()
    state = rules.start(game.start)
    shares = [_come(rules, state.pegs)]
    for entry in game.line:
        if entry.kind == "turn":
            state = rules.play(state, rules.read(state, entry.text))
            shares.append(_come(rules, state.pegs))
        else:
            state = rules.leave(state, entry.seat, "")
    return tuple(shares)


def _come(rules: StarRules, pegs: Pegs) -> tuple[float, ...]:
    """Of the rows that each seat's pegs have to go from the set-up, how many they have gone."""
    shares = []
    for names in rules.kernel.seating:
        gone = whole = 0
        for name in names:
            ground, code = GROUND[OPPOSITE[name]], SETS.index(name) + 1
            begun = sum(ground[hole] for hole in TRIANGLES[name])
            gone += sum(ground[hole] for hole in HOLES if pegs[hole] == code) - begun
            whole += sum(ground[hole] for hole in TRIANGLES[OPPOSITE[name]]) - begun
        shares.append(min(1.0, max(0.0, gone / whole)))
    return tuple(shares)


def _of(game: Game, searched: list[SearchedTurn]) -> Analysis:
    return Analysis(game, tuple(analysis.judge(searched, game.rules.variant.family, len(game.players))))
