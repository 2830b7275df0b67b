"""Engines of others, child processes that speak the Hub protocol, as opponents: each plays one game by its usual rules.

Nothing that an engine says or does not say holds up the bot: what it takes is limited, garbage is passed over, and one
that dies, hangs or plays what is not legal is ended and started anew for the next move.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import structlog

from bot.computer.hub.hub_lines import LONGEST, HubLine, read_line, write_line
from bot.computer.hub.hub_positions import HubBoard
from bot.computer.levels import EVEN
from bot.computer.workers.jobs import Answer, Job, replay
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.errors import EngineError, VariantError
from bot.engine.registry import rules_for
from bot.engine.ruleset import is_shipped
from bot.engine.variants import Variant
from bot.support.frozen import frozen

log = structlog.get_logger(__name__)

SECONDS: Final = 2.0
"""What an engine may take for a move,"""
GRACE: Final = 5.0
"""and what it may be late; one that is later has hung."""
READY_WITHIN: Final = 60.0
"""Seconds that an engine may take to start: some read large files."""
MOST_LINES: Final = 20_000
"""Lines that an engine may write before it answers."""
TRIES: Final = 2
"""How often a move is asked for."""


class HubFailed(Exception):  # noqa: N818 - what has happened
    """An engine has ended, hung, or answered with nothing that can be played."""


@frozen
class _Question:
    """A position as an engine is sent it: ``position`` and the ``moves`` since, which lead to ``state``."""

    state: DraughtsState
    position: str
    moves: str


class HubEngines:
    """The engines of the settings, by the game that each plays; none is started before it is needed."""

    def __init__(self, commands: Mapping[str, Sequence[str]]) -> None:
        """Raises VariantError for a game that is not shipped or not of the draughts family."""
        self._engines = {name: HubEngine(command, name) for name, command in commands.items()}

    def plays(self, variant: Variant) -> bool:
        """Whether there is an engine for a game: it knows the usual rules alone."""
        return variant.id in self._engines and is_shipped(variant.ruleset) and not variant.chosen

    async def think(self, job: Job) -> Answer:
        """The engine's answer. Raises HubFailed."""
        engine = self._engines.get(job.variant if isinstance(job.variant, str) else job.variant.id)
        if engine is None:
            raise HubFailed("there is no engine for this game")
        return await engine.think(job)

    def close(self) -> None:
        """End them all."""
        for engine in self._engines.values():
            engine.close()


class HubEngine:
    """One engine, which thinks about one position at a time."""

    def __init__(self, command: Sequence[str], variant: str) -> None:
        """Raises VariantError."""
        rules = rules_for(variant)
        if not isinstance(rules, DraughtsRules):
            raise VariantError(f"{variant} is no game of the draughts family")
        self._command, self._board = tuple(command), HubBoard(rules)
        self._named = (rules.tables.hub, rules.variant.id)
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()
        self._closed = False

    async def think(self, job: Job) -> Answer:
        """The engine's answer. Raises HubFailed."""
        async with self._turn:
            return await asyncio.to_thread(self._answer, job)

    def close(self) -> None:
        """End the process, and whoever waits for it."""
        self._closed = True
        if self._turn.locked():
            # Its own thread clears away what is left.
            self._kill()
        else:
            self._discard()

    def _answer(self, job: Job) -> Answer:
        """In a thread of its own, which may wait for the engine. Raises HubFailed."""
        question = self._question(job)
        for tries_left in reversed(range(TRIES)):
            try:
                if self._process is None:
                    with self._within(READY_WITHIN):
                        self._start()
                with self._within(SECONDS + GRACE):
                    return self._ask(question)
            except HubFailed as failed:
                log.warning("an engine has failed", command=self._command[0], why=str(failed))
                self._discard()
                if self._closed or not tries_left:
                    raise
        raise AssertionError("a last try answers or fails")

    def _question(self, job: Job) -> _Question:
        """The game of a job: from its start with all moves, or where Hub cannot say one, as it stands."""
        _rules, states = replay(job)
        played = [state for state in states if isinstance(state, DraughtsState)]
        self._board.rules.turns(played[-1])
        turns = [state.last for state in played[1:]]
        if all(turn is not None and turn.kind == "move" for turn in turns):
            moves = " ".join(self._board.move(turn) for turn in turns if turn is not None)
            return _Question(played[-1], self._board.position(played[0]), moves)
        return _Question(played[-1], self._board.position(played[-1]), "")

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        """An engine that takes longer is ended, so that nobody waits for it. Raises HubFailed."""
        done = threading.Event()
        threading.Thread(target=self._kill_unless, args=(done, seconds), daemon=True).start()
        try:
            yield
        except (OSError, EngineError, ValueError) as error:
            raise HubFailed(str(error)) from error
        finally:
            done.set()

    def _kill_unless(self, done: threading.Event, seconds: float) -> None:
        if not done.wait(seconds):
            self._kill()

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            process.kill()

    def _discard(self) -> None:
        """End the process, if there is one; the next move starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError), process:
                # What was never read by the engine is lost with it.
                pass

    def _start(self) -> None:
        # What is the bot's own, its token above all, is no engine's business.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._say(write_line("hub"))
        for line in self._until("wait"):
            if line.command == "param" and line.arguments.get("name") == "variant":
                values = line.arguments.get("values", "").split()
                game = next((name for name in self._named if name and name in values), None)
                if game is None:
                    raise HubFailed("the engine does not play this game")
                if line.arguments.get("value") != game:
                    self._say(write_line("set-param", name="variant", value=game))
        self._say(write_line("init"))
        self._until("ready")

    def _ask(self, question: _Question) -> Answer:
        moves = {"moves": question.moves} if question.moves else {}
        self._say(
            write_line("pos", pos=question.position, **moves),
            write_line("level", move_time=f"{SECONDS:.2f}"),
            write_line("go", think=None),
        )
        *told, done = self._until("done")
        turn = self._board.turn(question.state, done.arguments.get("move", ""))
        info = next((line.arguments for line in reversed(told) if line.command == "info"), {})
        score, depth = round(100 * _number(info, "score")), round(_number(info, "depth"))
        return Answer(turn.text, False, score < EVEN, score, depth, round(_number(info, "nodes")))

    def _say(self, *lines: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self._process.stdin.flush()

    def _until(self, command: str) -> list[HubLine]:
        """What the engine says last, up to a command, garbage left out."""
        assert self._process is not None
        assert self._process.stdout is not None
        told: deque[HubLine] = deque(maxlen=100)
        for _ in range(MOST_LINES):
            text = self._process.stdout.readline(LONGEST)
            if not text:
                raise HubFailed("the engine has ended, or has taken too long")
            line = read_line(text.decode(errors="replace"))
            if line is not None:
                told.append(line)
                if line.command == command:
                    return list(told)
        raise HubFailed(f"{MOST_LINES} lines and no answer")


def _number(info: Mapping[str, str], name: str) -> float:
    """A number of the engine's, which may be anything."""
    try:
        return max(-1e6, min(float(info.get(name, "")), 1e15))
    except ValueError:
        return 0.0
