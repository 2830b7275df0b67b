"""The best move of a position, for people and for programs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache
from typing import Any

from bot.cli.positions import asked_position, opened, played_on
from bot.cli.replays import Replays
from bot.computer.kernels.backends import can_compile, for_one_game, plainly
from bot.computer.levels import LEVELS, choose, limit_of
from bot.computer.search.draughts import searcher_for
from bot.computer.search.limits import Limit, SearchResult
from bot.computer.search.think import think
from bot.computer.workers.jobs import collect_for_good
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset
from bot.engine.turns import Turn
from bot.engine.variants import OptionValue

KEYS = ("seconds", "nodes", "depth", "level")
"""What a request may say of the budget; ``level`` stands alone."""

LONG_SECONDS, LONG_NODES = 20.0, 500_000
"""From here on a single search is worth compiling, which takes ten to thirty seconds."""
FILLING = 0.3
"""Seconds after which a search has been everywhere in its memory."""


def best(
    variant: str | Ruleset,
    position: str | None,
    options: Mapping[str, OptionValue],
    *,
    moves: Sequence[str] = (),
    seconds: float | None = None,
    nodes: int | None = None,
    level: int | None = None,
) -> str:
    """One line: ``move score depth nodes seconds``, after ``moves`` were played in the position: what has stood before
    counts towards a draw. A short search is done plain; a long one is compiled before its
    time begins. Raises EngineError."""
    rules, first = opened(variant, position, options)
    states = played_on(rules, first, moves)
    limit = Limit(seconds, nodes, fading=True)
    compiled = _is_long(limit if level is None else limit_of(rules, level))
    with for_one_game() if compiled else plainly():
        if compiled:
            make_ready(rules, alone=True)
        _open(rules)
        started = time.perf_counter()
        text, result = _found(rules, states, limit, level)
        spent = time.perf_counter() - started
    # A move's notation may hold a space ("soplar c3"): the four numbers are the last four words.
    return f"{text} {result.score} {result.depth} {result.nodes} {spent:.3f}"


def _is_long(limit: Limit) -> bool:
    if limit.nodes is not None:
        return limit.nodes >= LONG_NODES
    return limit.seconds is None or limit.seconds >= LONG_SECONDS


@lru_cache(maxsize=32)
def make_ready(rules: Rules, *, alone: bool) -> None:
    """Have the search compiled, where it can be; ``alone``: for this game, and the memory at hand that searches which
    time alone ends go on in. No request's time is spent on that."""
    filling = alone and isinstance(rules, DraughtsRules) and can_compile(len(rules.board.played))
    with for_one_game() if alone else nullcontext():
        think(rules, rules.start(), Limit(depth=2))
        if filling:
            think(rules, rules.start(), Limit(FILLING, continued=True))
    collect_for_good()


def _open(rules: Rules) -> object:
    """Whatever searches a game is made, once, before its time begins."""
    return searcher_for(rules).negamax if isinstance(rules, DraughtsRules) else None


def _found(
    rules: Rules, states: Sequence[State], limit: Limit, level: int | None, seed: int | None = None
) -> tuple[str, SearchResult]:
    if level is None:
        result = think(rules, states[-1], limit)
        return result.turn.text, result
    # Whoever gives a seed wants games that differ, from their first turns on.
    played = None if seed is None else len(states) - 1
    choice = choose(rules, states[-1], level, seed or 0, played, states)
    return choice.turn.text, choice.result


def of_level(rules: Rules, state: State, level: int) -> Turn:
    """What the computer plays at a level, without compiling the search for it."""
    with plainly():
        return choose(rules, state, level, seed=0).turn


def best_of_request(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The move of ``{"variant": ..., "position": ..., "moves": [...], "options": ..., "seconds": 0.5}`` (or ``nodes``,
    ``depth``; or ``level``, with a ``seed``), the position after it, its score, the depth and the nodes. Raises
    ValueError, EngineError."""
    limit, level = _asked_limit(asked)
    seed = _whole(asked, "seed", 0)
    if seed is not None and level is None:
        raise ValueError("a seed varies what a level plays: give a level beside it")
    moves = [] if asked.get("moves") is None else asked["moves"]
    if not isinstance(moves, list) or not all(isinstance(move, str) and move.strip() for move in moves):
        raise ValueError("moves must be a list of texts, a move in each")
    apart = ("moves", *KEYS, "seed")
    began = time.perf_counter()
    rules, first = asked_position({key: value for key, value in asked.items() if key not in apart}, apart)
    states = _replayed(rules, first, moves)
    # The moves so far are played within the budget, a compiler works before it.
    spent = time.perf_counter() - began
    if limit.seconds is not None:
        limit = replace(limit, seconds=max(0.0, limit.seconds - spent))
    # Where time ends the search, the fastest is worth being compiled for each game.
    with for_one_game() if limit.continued else nullcontext():
        make_ready(rules, alone=limit.continued)
        _open(rules)
        started = time.perf_counter()
        text, result = _found(rules, states, limit, level, seed)
    return {
        "move": text,
        "position": rules.position(rules.play(states[-1], rules.read(states[-1], text))),
        "score": result.score,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(spent + time.perf_counter() - started, 3),
    }


_replays = Replays[State]()


def _replayed(rules: Rules, first: State, moves: list[str]) -> list[State]:
    """The states from ``first`` on as ``moves`` are played. Raises IllegalMove."""
    return _replays.states(rules, first, moves, lambda state, move: played_on(rules, state, [move])[-1])


def _asked_limit(asked: Mapping[str, Any]) -> tuple[Limit, int | None]:
    """The budget of a request. Raises ValueError."""
    given = {key: asked[key] for key in KEYS if asked.get(key) is not None}
    if not given:
        raise ValueError(f"give a budget: {', '.join(KEYS[:-1])} or {KEYS[-1]}")
    seconds = given.get("seconds")
    if seconds is not None and (
        isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= 3600
    ):
        raise ValueError("seconds must be a number above 0, at most 3600")
    nodes, depth = _whole(asked, "nodes", 1), _whole(asked, "depth", 1)
    level = given.get("level")
    if level is not None:
        if len(given) > 1:
            raise ValueError("a level has its own budget: give nothing beside it")
        if isinstance(level, bool) or not isinstance(level, int) or level not in LEVELS:
            raise ValueError(f"level must be a whole number from {LEVELS[0]} to {LEVELS[-1]}")
        return Limit(), level
    # What is bounded by time alone may depend on what was asked before as well.
    return Limit(seconds, nodes, depth, continued=nodes is None and depth is None, fading=True), None


def _whole(asked: Mapping[str, Any], key: str, least: int) -> int | None:
    """A whole number of a request, None where there is none. Raises ValueError."""
    number = asked.get(key)
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
        raise ValueError(f"{key} must be a whole number from {least}")
    return number
