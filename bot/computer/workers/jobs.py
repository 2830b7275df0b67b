"""What a worker process is asked and what it answers: plain values that can be sent."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import NamedTuple, TypeVar

from bot.computer.kernels.backends import plainly
from bot.computer.levels import choose, find_level
from bot.computer.search.limits import Limit
from bot.computer.search.think import think
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset
from bot.engine.transcript import LEAVE
from bot.engine.variants import OptionValue

A = TypeVar("A")
R = TypeVar("R")

FEW = 100_000
"""So many positions plain Python looks at in the seconds of a level that has no more, or nearly."""


class Job(NamedTuple):
    """A game as its record has it, and who is to think about its next turn. ``variant``: its rules as they are written,
    so that whoever works needs no file of theirs; or the id of a shipped variant. ``start``: the position string that
    the game began from, None for the set-up; ``turns``: the record, where a seat that has left is written ``leave 2``;
    ``seed`` varies the opening: the game's id."""

    variant: str | Ruleset
    options: Mapping[str, OptionValue]
    start: str | None
    turns: tuple[str, ...]
    level: int
    seed: int

    @property
    def variant_id(self) -> str:
        return self.variant.id if isinstance(self.variant, Ruleset) else self.variant


class Answer(NamedTuple):
    """The turn's canonical notation; whether the computer would rather resign, and whether a draw would content it."""

    turn: str
    resigns: bool
    draws: bool
    score: int
    depth: int
    nodes: int


def replay(job: Job) -> tuple[Rules, list[State]]:
    """The game of a job from its start to its last turn. Raises errors.EngineError for a record that does not hold."""
    rules = rules_for(job.variant, job.options)
    state = rules.start(job.start)
    states = [state]
    for text in job.turns:
        if text.startswith(LEAVE):
            state = rules.leave(state, int(text.removeprefix(LEAVE)), "")
        else:
            state = rules.play(state, rules.read(state, text))
        states.append(state)
    return rules, states


def work(job: Job) -> Answer:
    """Think about a job, in whatever process this is. Raises EngineError, ValueError for a level that there is not."""
    rules, states = replay(job)
    choice = choose(rules, states[-1], job.level, job.seed, len(job.turns), states)
    result = choice.result
    return Answer(choice.turn.text, choice.resigns, choice.draws, result.score, result.depth, result.nodes)


def seconds_of(job: Job) -> float:
    """How long a job may take by its level. Raises ValueError for a level that there is not."""
    return find_level(job.level).seconds


def fallback_move(job: Job) -> Answer:
    """A turn with hardly any thought, for when no worker answers."""
    rules, states = replay(job)
    # The bot's own process thinks here: compiling would hold up everything else in it for seconds.
    with plainly():
        result = think(rules, states[-1], Limit(nodes=500, depth=2))
    return Answer(result.turn.text, False, False, result.score, result.depth, result.nodes)


def warm() -> None:
    """Make the searches ready, compiled where they can be."""
    for name in ("pinoy", "chinese-checkers"):
        rules = rules_for(name)
        think(rules, rules.start(), Limit(depth=2))
    collect_for_good()


_warming = threading.Thread(target=warm, name="warming", daemon=True)


def begin() -> int:
    """Be a worker: make the searches ready beside what is asked in the meantime. The process's id."""
    _warming.start()
    return os.getpid()


def until_ready(_nothing: None) -> None:
    """Wait until this worker's searches are ready: half a minute on a small machine, where they are compiled."""
    _warming.join()


def is_brief(argument: object) -> bool:
    """Whether what is asked does not wait for that: a turn that takes few positions, and whether the worker is
    awake."""
    return argument is None or (isinstance(argument, Job) and find_level(argument.level).nodes <= FEW)


def answer(function: Callable[[A], R], argument: A) -> R:
    """What ``function`` makes of ``argument``, in plain Python while the searches are compiled."""
    with plainly() if _warming.is_alive() else nullcontext():
        return function(argument)


def collect_for_good() -> None:
    """Have Python's collections pass over what has been made until now: what the compiler leaves behind stays, and one
    look through it would take 0.1 s of some search's time."""
    gc.collect()
    gc.freeze()


def awake(_nothing: None) -> bool:
    """A job without work: a worker that answers it is ready."""
    return True
