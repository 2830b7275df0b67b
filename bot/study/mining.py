"""At night puzzles are looked for in the games that have ended, a few turns at a time, beside everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from bot.computer.puzzle_themes import themes_of
from bot.computer.puzzles import MiningJob, Puzzle, is_rest, mine, options_for
from bot.computer.workers.pool import LONGEST, Busy, WorkerLost, Workers
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import EngineError
from bot.engine.registry import rules_for
from bot.engine.ruleset import Ruleset
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.persistence import kept_rules
from bot.games.persistence.transactions import reading, writing
from bot.games.service import Games
from bot.ratings.glicko2 import Rating
from data.queries import key_values, study
from data.queries.study import PuzzleRow, RatingChange
from data.store import Store, Transaction

MINED: Final = "puzzles mined"
"""The key of the end and the number of the last game in which puzzles were looked for, ``1700000000000:12``: a game
may end long after those that were begun after it."""
GAMES_A_NIGHT: Final = 50
AT_ONCE: Final = 2
"""Turns of a game in which puzzles are looked for in one go: some seconds of a plain search."""
LOST_A_NIGHT: Final = 10
"""How many workers may be lost in a night before no more puzzles are looked for."""
THEMES_A_NIGHT: Final = 500
PUZZLE_DEVIATION: Final = 150.0

log = structlog.get_logger(__name__)


async def mine_games(store: Store, games: Games, workers: Workers, clock: Callable[[], int]) -> int:
    """Look for puzzles in games that have ended since the last time. Returns how many there are new. A game whose
    record does not hold, or over whose turns workers die, is passed over: it does not keep the others from it."""
    new = lost = 0
    for _number in range(GAMES_A_NIGHT):
        async with reading(store) as tx:
            at, _, last = (await key_values.get(tx, MINED) or "0:0").partition(":")
            following = await study.finished_after(tx, int(at), int(last or 0))
        if following is None:
            break
        ended, game_id = following
        try:
            puzzles, failures = await _mined(workers, await games.game(game_id))
        except Busy:
            break
        except (EngineError, Refused) as error:
            log.warning("no puzzles looked for in a game", game=game_id, error=str(error))
            puzzles, failures = [], 0
        async with writing(store) as tx:
            new += await keep_puzzles(tx, puzzles, game_id, clock())
            await key_values.put(tx, MINED, f"{ended}:{game_id}")
        lost += failures
        if lost >= LOST_A_NIGHT:
            break
    return new


async def _mined(workers: Workers, game: Game) -> tuple[list[Puzzle], int]:
    """The puzzles of one game, and how often no worker could look for them. Raises Busy where the workers have no time
    now, EngineError for a record that does not hold there."""
    if game.rules.variant.family != "draughts":
        return [], 0
    # Who resigns or runs out of time has ended the game: that is the last of its record, and no turn.
    record = tuple(entry.text for entry in game.line if entry.kind == "turn")
    puzzles: list[Puzzle] = []
    lost = 0
    for since in range(4, len(record), AT_ONCE):
        until = min(since + AT_ONCE, len(record))
        job = MiningJob(game.rules.variant.ruleset, dict(game.options), game.start, record, since, until)
        try:
            new = await workers.call(mine, job, 0, seconds=LONGEST)
        except WorkerLost as error:
            log.warning("no puzzles looked for in some turns", game=game.id, turn=since, error=str(error))
            lost += 1
            if lost >= LOST_A_NIGHT:
                break
        else:
            puzzles += [puzzle for puzzle in new if not is_rest(puzzle, puzzles[-1] if puzzles else None)]
    return puzzles, lost


async def keep_puzzles(tx: Transaction, puzzles: Sequence[Puzzle], game_id: int | None, now: int) -> int:
    """Keep puzzles with the text of their rules; those whose position is known are left out. How many are new."""
    for ruleset in {puzzle.ruleset for puzzle in puzzles}:
        await kept_rules.keep(tx, variants.load(ruleset))
    return await study.add_puzzles(tx, [row_of(puzzle, game_id, now) for puzzle in puzzles])


def row_of(puzzle: Puzzle, game_id: int | None, now: int) -> PuzzleRow:
    """A puzzle as it is stored, with a first rating."""
    return PuzzleRow(
        variant_id=puzzle.ruleset.id,
        rules_hash=puzzle.ruleset.hash,
        options=dict(puzzle.options),
        position=puzzle.position,
        solution=list(puzzle.solution),
        game_id=game_id,
        made_at=now,
        themes=themes_text(puzzle.themes),
        **columns_of(Rating(float(puzzle.rating), PUZZLE_DEVIATION), now),
    )


def themes_text(themes: Sequence[str]) -> str:
    """Themes as they are stored."""
    return f" {' '.join(themes)} "


async def find_themes(store: Store) -> None:
    """Find the themes of puzzles that were kept before there were any, some of them each night."""
    async with reading(store) as tx:
        rows = await study.without_themes(tx, THEMES_A_NIGHT)
    found = await asyncio.to_thread(lambda: [(row.id, _themes(row)) for row in rows])
    async with writing(store) as tx:
        for number, themes in found:
            await study.put_themes(tx, number, themes)


def _themes(row: PuzzleRow) -> str:
    """The themes of a puzzle; none where its rules cannot be read any more."""
    variant = row.variant_id if row.rules_text is None else Ruleset(row.variant_id, row.rules_text)
    try:
        rules = rules_for(variant, options_for(variant, row.options))
        assert isinstance(rules, DraughtsRules)
        return themes_text(themes_of(rules, row.position, row.solution))
    except EngineError as error:
        log.warning("no themes found", puzzle=row.id, error=str(error))
        return themes_text(())


def columns_of(rating: Rating, at: int | None) -> RatingChange:
    """A rating as puzzles and solvers are stored with it, changed ``at``."""
    return RatingChange(
        value=rating.value, deviation=rating.deviation, volatility=rating.volatility, games=rating.games, rated_at=at
    )
