"""Use cases: puzzles. People are given those near their ratings that they have not tried, and answer turn by turn; one
wrong answer and the puzzle is failed. The first try counts for both ratings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from bot.computer.puzzles import options_for
from bot.computer.workers.pool import Workers
from bot.engine import variants
from bot.engine.errors import MoveError
from bot.engine.registry import rules_for
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset
from bot.games.model.errors import Duplicate, Refused
from bot.games.persistence.transactions import reading, writing
from bot.games.service import Games
from bot.i18n import N_, _
from bot.ratings.glicko2 import Rating, after_game
from bot.study.mining import columns_of, find_themes, mine_games
from bot.study.model import AnswerResult, DailyHour, DailyPlan, PuzzleAttempt, PuzzleOfTheDay, PuzzleSolver, day_in
from bot.study.shipped import ShippedPuzzles
from bot.support.bounded import Bounded
from data.queries import study, timers
from data.queries.study import DailyRow, PuzzleRow, SolverRow, TryRow
from data.store import Store, Transaction

DAILY: Final = "daily puzzle"
"""The timer of a server's puzzle of the day."""
REMEMBERED: Final = 1000
"""How many answers are remembered, so that one that comes twice is taken once."""
FIRST: Final = 1200.0
"""Where a person begins: the puzzles are made for people who begin."""
DONE: Final = N_("You have already done this puzzle. Get another one with `/puzzle`.")


class Puzzles:
    """Gives puzzles, takes answers, rates both sides, and keeps the puzzle of the day of each server."""

    def __init__(self, store: Store, games: Games, workers: Workers, clock: Callable[[], int]) -> None:
        self._store, self._games, self._workers, self._clock = store, games, workers, clock
        self._shipped = ShippedPuzzles(store, clock)
        self._taken: Bounded[str, None] = Bounded(REMEMBERED)

    # Solving

    async def give(
        self, person: int, variant_id: str | None, guild_id: int | None = None, *, theme: str | None = None
    ) -> PuzzleAttempt:
        """The puzzle ``person`` has not finished, else one near their rating, with a ``theme`` if one is given. Without
        a ``variant_id`` it is of a game that they or their server have played, or one of those that are featured.
        Raises Refused where none is left."""
        await self._shipped.take()
        async with writing(self._store) as tx:
            begun = await study.open_attempt(tx, person, variant_id, theme)
            if begun is not None:
                return _task(await _known(tx, begun.puzzle_id), begun)
            solver = await study.solver(tx, person)
            value = FIRST if solver is None else solver.value
            known = await self._known_games(tx, person, guild_id) if variant_id is None else (variant_id,)
            row = await study.near(tx, person, known, value, theme=theme)
            if row is None and variant_id is None:
                row = await study.near(tx, person, variants.names(), value, theme=theme)
            if row is None and theme is not None:
                raise Refused(_("You have tried every puzzle with that theme. Leave out `theme` to get any other."))
            if row is None:
                none = _("You have tried every puzzle. New ones come from games as they are played.")
                of_game = _("You have tried every puzzle of that game. New ones come from its games.")
                raise Refused(none if variant_id is None else of_game)
            attempt = TryRow(person, row.id, "open", 0, self._clock())
            await study.put_attempt(tx, attempt)
        return _task(await _readable(row), attempt)

    async def task(self, person: int, number: int) -> PuzzleAttempt:
        """A puzzle as it stands for ``person``, who begins it with this. Raises Refused where there is none."""
        async with writing(self._store) as tx:
            row, attempt = await self._attempt(tx, person, number)
        return _task(row, attempt)

    async def open_task(self, person: int) -> PuzzleAttempt:
        """The puzzle that ``person`` was given last. Raises Refused where none is open."""
        async with reading(self._store) as tx:
            begun = await study.open_attempt(tx, person, None)
            if begun is None:
                raise Refused(_("You have no open puzzle. Get one with `/puzzle`."))
            return _task(await _known(tx, begun.puzzle_id), begun)

    async def answer(
        self, person: int, number: int, text: str, *, step: int | None = None, source: str | None = None
    ) -> AnswerResult:
        """``person`` says what is to be played in a puzzle. Raises Refused for what is no move there, or not a legal
        one: that is not counted as an answer. Nor is one that was meant for another ``step`` than the one that the
        puzzle is at. Raises Duplicate for a ``source`` that was taken before; Discord brings nothing again after a
        restart, so the newest are remembered here."""
        if source is not None:
            if source in self._taken:
                raise Duplicate(source)
            self._taken[source] = None
        today = await self._today(person)
        async with writing(self._store) as tx:
            row, attempt = await self._attempt(tx, person, number)
            task = _task(row, attempt)
            if task.status != "open":
                raise Refused(_(DONE))
            if step is not None and step != task.step:
                return AnswerResult(task, False, "")
            try:
                turn = task.rules.read(task.state, text)
            except MoveError as error:
                raise Refused(error.sentence) from error
            # Routes that bring about the same are one turn of the rules.
            if turn.text != task.solution[len(task.path)]:
                return await self._ended(tx, row, attempt, today, turn.text, solved=False)
            attempt = attempt._replace(step=attempt.step + 1)
            reply = 2 * attempt.step - 1
            if reply >= len(row.solution):
                return await self._ended(tx, row, attempt, today, turn.text, solved=True)
            await study.put_attempt(tx, attempt)
            return AnswerResult(_task(row, attempt), True, turn.text, row.solution[reply])

    async def give_up(self, person: int, number: int) -> AnswerResult:
        """``person`` wants to see the solution: the puzzle is failed. Raises Refused where it is over."""
        today = await self._today(person)
        async with writing(self._store) as tx:
            row, attempt = await self._attempt(tx, person, number)
            if attempt.state == "open":
                return await self._ended(tx, row, attempt, today, "", solved=False)
        return AnswerResult(_task(row, attempt), False, "")

    async def untouched(self, number: int) -> PuzzleAttempt:
        """A puzzle as it begins. Raises Refused where there is none."""
        async with reading(self._store) as tx:
            return _task(await _known(tx, number), TryRow(0, number, "open", 0, 0))

    async def solvers(self, number: int) -> int:
        """How many people have solved a puzzle."""
        async with reading(self._store) as tx:
            return await study.solved_on(tx, number)

    async def solver(self, person: int) -> PuzzleSolver | None:
        """How a person stands; None who has solved nothing yet."""
        async with reading(self._store) as tx:
            row = await study.solver(tx, person)
        return None if row is None else _solver(row._replace(days=_days(row, await self._today(person))))

    async def _known_games(self, tx: Transaction, person: int, guild_id: int | None) -> tuple[str, ...]:
        """The games that a person or a server has played, and those that are featured."""
        featured = (name for name in variants.names() if variants.load(name).tables.featured)
        return tuple({*featured, *await study.games_played(tx, person, guild_id)})

    async def _today(self, person: int) -> int:
        """What day it is where a person lives."""
        return day_in((await self._games.preferences.load(person)).zone, self._clock())

    async def _attempt(self, tx: Transaction, person: int, number: int) -> tuple[PuzzleRow, TryRow]:
        row = await _known(tx, number)
        attempt = await study.attempt(tx, person, number)
        if attempt is None:
            attempt = TryRow(person, number, "open", 0, self._clock())
            await study.put_attempt(tx, attempt)
        return row, attempt

    async def _ended(
        self, tx: Transaction, row: PuzzleRow, attempt: TryRow, today: int, played: str, *, solved: bool
    ) -> AnswerResult:
        """A first try is over with the turn ``played``: both are rated anew, and the solver's streaks go on or end."""
        now, person = self._clock(), attempt.person
        before = await study.solver(tx, person) or SolverRow(person=person, **columns_of(Rating(FIRST), None))
        mine_after, its_after = after_game(_rating(before), _rating(row), 1.0 if solved else 0.0, now)
        await study.rate_puzzle(tx, row.id, **columns_of(its_after, now))
        streak = before.streak + 1 if solved else 0
        days = _days(before, today)
        # Who has travelled west may have solved one tomorrow already.
        is_new = before.last_day is None or before.last_day < today
        after = before._replace(
            **columns_of(mine_after, now),
            solved=before.solved + solved,
            streak=streak,
            best_streak=max(before.best_streak, streak),
            days=days + (solved and is_new),
            last_day=today if solved and is_new else before.last_day,
        )
        await study.put_solver(tx, after)
        attempt = attempt._replace(state="solved" if solved else "failed", ended_at=now)
        await study.put_attempt(tx, attempt)
        return AnswerResult(_task(row, attempt), solved, played, None, _solver(before), _solver(after))

    # The daily puzzle

    async def set_daily(self, guild_id: int, channel_id: int, variant_id: str | None, when: DailyHour) -> int:
        """A puzzle a day is posted in a channel. Returns when the next one comes (UTC, milliseconds): where today's was
        posted there already, tomorrow's."""
        at = when.after(self._clock())
        async with writing(self._store) as tx:
            before = await study.daily(tx, guild_id) or DailyRow(guild_id, channel_id, variant_id)
            posted = before.message_id is not None
            # Another one than today's, in another channel or, before it was posted, of another game.
            stays = before.channel_id == channel_id if posted else before.variant_id == variant_id
            day = before.day if stays else None
            if posted and day == day_in(when.zone, at):
                at = when.after(at)
            await study.put_daily(tx, before._replace(channel_id=channel_id, variant_id=variant_id, day=day))
            await timers.put(tx, DAILY, guild_id, at, when.to_json())
        self._games.signals.timer_set.send(at)
        return at

    async def daily_plan(self, guild_id: int) -> DailyPlan | None:
        """Where and when a server's daily puzzle is posted, and of which game; None where it has none."""
        async with reading(self._store) as tx:
            row, timer = await study.daily(tx, guild_id), await timers.get(tx, DAILY, guild_id)
        if row is None or timer is None:
            return None
        return DailyPlan(row.channel_id, row.variant_id, DailyHour.of(timer.payload, timer.at))

    async def next_daily(self, guild_id: int, at: int) -> None:
        """A server's daily puzzle that fell due ``at`` is done: the next one comes on the first day that is still to
        come; where there is none any more, nothing does."""
        async with writing(self._store) as tx:
            timer = await timers.get(tx, DAILY, guild_id)
            if timer is None or await study.daily(tx, guild_id) is None:
                await timers.drop(tx, DAILY, guild_id)
                return
            when = DailyHour.of(timer.payload, timer.at)
            following = when.after(max(at, self._clock()))
            await timers.put(tx, DAILY, guild_id, following, when.to_json())
        self._games.signals.timer_set.send(following)

    async def drop_daily(self, guild_id: int) -> bool:
        """No daily puzzle any more. Returns whether there was one."""
        async with writing(self._store) as tx:
            await timers.drop(tx, DAILY, guild_id)
            return await study.drop_daily(tx, guild_id)

    async def daily(self, guild_id: int) -> PuzzleOfTheDay | None:
        """A server's puzzle of the day as it was chosen last."""
        async with reading(self._store) as tx:
            row = await study.daily(tx, guild_id)
        return None if row is None else _of_the_day(row)

    async def todays(self, guild_id: int, at: int) -> PuzzleOfTheDay | None:
        """The puzzle of the day for a server, chosen once a day; None where it has none, or there are no puzzles.
        ``at``: when it fell due. The day is that of the hour where that hour was chosen: however late it comes, each
        has its own."""
        await self._shipped.take()
        async with writing(self._store) as tx:
            before = await study.daily(tx, guild_id)
            timer = await timers.get(tx, DAILY, guild_id)
            if before is None or timer is None:
                return None
            today = day_in(DailyHour.of(timer.payload, timer.at).zone, at)
            if before.day == today and before.puzzle_id is not None:
                row = await study.puzzle(tx, before.puzzle_id)
                return None if row is None else _of_the_day(before)
            # Another one than those of the days before, near to what most can solve; by the day, so that it wanders.
            value = 1000.0 + (today * 137 + guild_id) % 700
            known = variants.names() if before.variant_id is None else (before.variant_id,)
            row = await study.near(tx, 0, known, value, beside=before.puzzle_id or 0)
            if row is None:
                return None
            chosen = before._replace(day=today, puzzle_id=row.id, message_id=None)
            await study.put_daily(tx, chosen)
        return _of_the_day(chosen)

    async def daily_posted(self, guild_id: int, day: int, message_id: int) -> None:
        """The puzzle of a day was posted."""
        async with writing(self._store) as tx:
            row = await study.daily(tx, guild_id)
            if row is not None and row.day == day:
                await study.put_daily(tx, row._replace(message_id=message_id))

    # Where they come from

    async def mine(self) -> int:
        """Look for puzzles in games that have ended since the last time, and for the themes of older ones. Returns how
        many puzzles there are new."""
        await find_themes(self._store)
        return await mine_games(self._store, self._games, self._workers, self._clock)


async def _known(tx: Transaction, number: int) -> PuzzleRow:
    row = await study.puzzle(tx, number)
    if row is None:
        raise Refused(_("There is no puzzle {number}.").format(number=number))
    return await _readable(row)


async def _readable(row: PuzzleRow) -> PuzzleRow:
    """``row``, whose rules have been made where nobody waits for them."""
    if isinstance(variant := _variant(row), Ruleset) and variant.server is not None:
        await asyncio.to_thread(_rules, variant, tuple(sorted(row.options.items())))
    return row


def _variant(row: PuzzleRow) -> str | Ruleset:
    return row.variant_id if row.rules_text is None else Ruleset(row.variant_id, row.rules_text)


def _days(solver: SolverRow, today: int) -> int:
    """On how many days in a row a person has solved one, up to today or yesterday."""
    return solver.days if solver.last_day is not None and solver.last_day >= today - 1 else 0


def _rating(row: PuzzleRow | SolverRow) -> Rating:
    return Rating(row.value, row.deviation, row.volatility, row.games, row.rated_at)


def _solver(row: SolverRow) -> PuzzleSolver:
    return PuzzleSolver(_rating(row), row.solved, row.streak, row.best_streak, row.days)


def _of_the_day(row: DailyRow) -> PuzzleOfTheDay | None:
    """None where none has been chosen yet."""
    return None if row.puzzle_id is None else PuzzleOfTheDay(row.channel_id, row.day, row.puzzle_id, row.message_id)


def _task(row: PuzzleRow, attempt: TryRow) -> PuzzleAttempt:
    """A puzzle as far as ``attempt`` has come."""
    rules = _rules(_variant(row), tuple(sorted(row.options.items())))
    state = rules.start(row.position)
    solution = tuple(row.solution)
    # The turns found, and the answers between and after them.
    path = solution[: 2 * attempt.step]
    for text in path:
        state = rules.play(state, rules.read(state, text))
    about = (row.id, row.variant_id, row.position, solution, row.value, row.game_id)
    return PuzzleAttempt(*about, rules, state, path, attempt.state, tuple((row.themes or "").split()))


@lru_cache(maxsize=64)
def _rules(variant: str | Ruleset, options: tuple[tuple[str, Any], ...]) -> Rules:
    return rules_for(variant, options_for(variant, dict(options)))
