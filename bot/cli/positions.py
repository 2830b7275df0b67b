"""Moves, counts and refusals of a position, for people and for programs."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from bot.engine import typed_positions
from bot.engine.errors import EngineError, IllegalMove, MoveError
from bot.engine.move_text import HUFF
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue


def opened(variant: str | Ruleset, position: str | None, options: Mapping[str, OptionValue]) -> tuple[Rules, State]:
    """The rules of a variant and the state of a position, as a string or in words, or of a handicap (None: the set-up).
    Raises EngineError."""
    rules = rules_for(variant, options)
    return rules, rules.start() if position is None else typed_positions.any_state_of(rules, position)


def played_on(rules: Rules, state: State, moves: Iterable[str]) -> list[State]:
    """The states from ``state`` on as ``moves`` are played. Raises IllegalMove for the first that cannot be."""
    states = [state]
    for text in moves:
        try:
            states.append(rules.play(states[-1], rules.read(states[-1], text)))
        except MoveError as error:
            raise IllegalMove(f"{text}: {error.message}") from error
    return states


def moves_of(text: str) -> list[str]:
    """The moves of a text with blanks between them; a huff names its square after one."""
    return [" ".join(move.split()) for move in re.findall(rf"(?:(?:{HUFF})\s+)?\S+", text)]


def moves(variant: str | Ruleset, position: str | None, options: Mapping[str, OptionValue]) -> Iterator[str]:
    """One line for each legal move: its notation, a tab, the position after it. Raises EngineError."""
    rules, state = opened(variant, position, options)
    for move in rules.moves(state):
        yield f"{move.text}\t{rules.position(rules.play(state, move))}"


def answers(lines: Iterable[str], answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Iterator[str]:
    """A JSON object for each line of JSON objects: its ``answer``, or ``{"error": ...}``; an error does not end it.
    Empty lines are passed over."""
    for line in filter(str.strip, lines):
        try:
            answered = answer(request(line))
        except EngineError as error:
            answered = {"error": error.message}
        except ValueError as error:
            answered = {"error": f"not a request: {error}"}
        yield json.dumps(answered)


def moves_of_request(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The moves of ``{"variant": ..., "position": ..., "options": {...}}``. Raises ValueError, EngineError."""
    rules, state = asked_position(asked)
    moves: list[dict[str, Any]] = []
    for move in rules.moves(state):
        entry: dict[str, Any] = {"move": move.text, "position": rules.position(rules.play(state, move))}
        if move.neglects:
            entry["neglects"] = True
        moves.append(entry)
    return {"moves": moves}


def request(line: str) -> dict[str, Any]:
    """The object of JSON that a line holds. Raises ValueError, also for a key that stands in it twice."""
    try:
        asked = json.loads(line.removeprefix("\ufeff"), object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("its brackets are nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"write one object of JSON on a line ({error.msg}, character {error.colno})") from None
    except _TwiceError:
        raise
    except ValueError:
        # What else json refuses are numbers: Python reads none of more than some thousand digits.
        raise ValueError("a number in it has too many digits") from None
    if not isinstance(asked, dict):
        raise ValueError("each line must be an object")
    return asked


class _TwiceError(ValueError):
    """A key stands twice in an object: which of its values is meant?"""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _TwiceError(f"{key!r} stands twice in it")
        values[key] = value
    return values


def asked_position(asked: Mapping[str, Any], further: Iterable[str] = ()) -> tuple[Rules, State]:
    """The position that a request of JSON names; ``further``: the keys that it may have beside it, taken out already.
    Raises ValueError for what is no request, EngineError for what it says."""
    known = ("variant", "position", "options")
    if unknown := sorted(asked.keys() - set(known)):
        *names, last = (*known, *further)
        raise ValueError(f"unknown key {unknown[0]!r}; there are {', '.join(names)} and {last}")
    variant, position, options = asked.get("variant"), asked.get("position"), asked.get("options")
    options = {} if options is None else options
    if not isinstance(variant, str):
        raise ValueError("variant must be the id of a variant")
    if not isinstance(position, str | None):
        raise ValueError("position must be a position string")
    if not isinstance(options, dict) or not all(isinstance(v, str | bool | int) for v in options.values()):
        raise ValueError("options must be an object of texts, whole numbers, true and false")
    return opened(variant, position, options)


def perft(
    variant: str | Ruleset, depth: int, position: str | None, options: Mapping[str, OptionValue]
) -> Iterator[str]:
    """A line for each depth from 1: ``depth count seconds``. Raises EngineError."""
    rules, state = opened(variant, position, options)
    for level in range(1, depth + 1):
        started = time.perf_counter()
        count = rules.perft(state, level)
        yield f"{level} {count} {time.perf_counter() - started:.3f}"


def explain(variant: str | Ruleset, text: str, position: str | None, options: Mapping[str, OptionValue]) -> str:
    """The position after the move that ``text`` means, by the position alone: a draw that stands already does not
    matter, as in ``moves``. Raises MoveError with the refusal, EngineError for the rest."""
    rules, state = opened(variant, position, options)
    if state.outcome is not None and rules.moves(state):
        state = replace(cast(Any, state), outcome=None)
    return rules.position(rules.play(state, rules.read(state, text)))
