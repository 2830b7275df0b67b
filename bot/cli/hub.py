"""``damero hub``: the computer for any program that speaks the Hub protocol, version 2 (Scan's ``protocol.txt``).

Lines come one by one; a search runs beside them, so that it can be asked for a sign of life and stopped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version

from bot.cli.replays import Replays
from bot.cli.thinking import make_ready
from bot.computer.hub.hub_lines import read_line, write_line
from bot.computer.hub.hub_positions import HubBoard, undrawn
from bot.computer.kernels.backends import for_one_game
from bot.computer.search.draughts import Searcher, searcher_for
from bot.computer.search.limits import Limit, SearchResult
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.errors import EngineError, VariantError
from bot.engine.registry import rules_for
from bot.engine.ruleset import Ruleset

USUAL_SECONDS = 1.0
"""For a move, where nobody says how long."""
RESERVE = 0.05
"""Seconds that are never thought away."""
MOVES_TO_GO = 30
"""So many moves a game is expected to go on, where nobody says how many the time is for."""
_ENDLESS = Limit(continued=True, fading=True)
"""What ends only when it is told to."""
_ERRANDS = ("think", "analyze", "ponder")
"""What a search is for; where nothing is said, the first."""
_USUAL_GAME = "normal"
"""The game that the protocol was made for."""


@dataclass(slots=True)
class _Search:
    """A search that runs. ``told``: set when its move may be told, though it be found earlier; ``seconds``: what it may
    still take once the opponent has played what it expects."""

    thread: threading.Thread
    stop: threading.Event
    told: threading.Event
    seconds: float | None


class HubSession:
    """One program's questions and the answers to them; ``say`` writes a line. ``game``: the only one that is played;
    without it, those that are shipped."""

    def __init__(self, say: Callable[[str], None], game: str | Ruleset | None = None) -> None:
        """Raises VariantError."""
        self._say, self._lock = say, threading.Lock()
        self._games = _games() if game is None else {_draughts(game).variant.id: game}
        self._chosen = _USUAL_GAME if _USUAL_GAME in self._games else next(iter(self._games))
        self._state: DraughtsState | None = self._game().start()
        """None after a position that could not be read: nothing is found in another one instead."""
        self._level: Mapping[str, str] = {}
        self._replays = Replays[DraughtsState]()
        self._search: _Search | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Answer until the program says so, or is gone."""
        try:
            for text in lines:
                line = read_line(text)
                if line is None:
                    continue
                if line.command == "quit":
                    return
                try:
                    self._do(line.command, line.arguments)
                except EngineError as error:
                    self._tell("error", message=error.message)
        finally:
            self._stop()

    def _do(self, command: str, said: Mapping[str, str]) -> None:
        match command:
            case "hub":
                self._tell("id", name="Damero", version=version("damero"), author="the authors of Damero")
                values = " ".join(self._games)
                self._tell("param", name="variant", value=self._chosen, type="enum", values=values)
                self._tell("wait")
            case "set-param" if said.get("name") == "variant":
                self._choose(said.get("value", ""))
            case "init":
                make_ready(self._game(), alone=True)
                self._tell("ready")
            case "ping":
                self._tell("pong")
            case "pos":
                self._stop()
                self._place(said)
            case "level":
                self._level = said
            case "go" if said and not said.keys() & _ERRANDS:
                self._tell("error", message=f"go takes {', '.join(_ERRANDS[:-1])} or {_ERRANDS[-1]}")
            case "go":
                self._stop()
                self._go(said)
            case "ponder-hit":
                self._hit()
            case "stop":
                self._stop()
            case "new-game":
                self._stop()
                self._state = self._game().start()

    def _tell(self, command: str, **arguments: str) -> None:
        with self._lock:
            self._say(write_line(command, **arguments))

    def _choose(self, name: str) -> None:
        if name not in self._games:
            problem = f"there is no variant {name[:40]}" if name else "give the value of variant"
            self._tell("error", message=f"{problem}; there are {', '.join(self._games)}")
            return
        self._stop()
        self._chosen = name
        self._state = self._game().start()

    def _game(self) -> DraughtsRules:
        return _draughts(self._games[self._chosen])

    def _place(self, said: Mapping[str, str]) -> None:
        """Set up a position, and play the moves that come with it."""
        self._state = None
        board = HubBoard(self._game())
        first, moves = board.state(said.get("pos", "")), said.get("moves", "").split()
        states = self._replays.states(
            board.rules, first, moves, lambda state, move: board.rules.play(state, board.turn(state, move))
        )
        self._state = undrawn(states[-1])

    def _go(self, said: Mapping[str, str]) -> None:
        rules, state = self._game(), self._state
        if state is None or not rules.turns(state):
            over = "the game is over: there is no move to find"
            self._tell("error", message=over if state else "there is no position to search")
            return
        # A game that was chosen after the start is compiled here, before its time begins.
        make_ready(rules, alone=True)
        limit = _limit(self._level, analysing="analyze" in said)
        seconds = limit.seconds
        if "ponder" in said:
            limit = replace(limit, seconds=None)
        stop, told = threading.Event(), threading.Event()
        if not ("ponder" in said or limit == _ENDLESS):
            told.set()
        thread = threading.Thread(target=self._think, args=(rules, state, limit, stop, told), daemon=True)
        self._search = _Search(thread, stop, told, seconds if "ponder" in said else None)
        thread.start()

    def _think(
        self,
        rules: DraughtsRules,
        state: DraughtsState,
        limit: Limit,
        stop: threading.Event,
        told: threading.Event,
    ) -> None:
        board = HubBoard(rules)
        began = time.perf_counter()
        result = _searcher(rules).think(state, limit, stop)
        spent = time.perf_counter() - began
        # Hub knows moves alone: no huffs.
        turn = next(turn for turn, _ in result.ranked if turn.kind == "move")
        move = board.move(turn)
        self._tell("info", **_info(result, spent), pv=move)
        told.wait()
        self._tell("done", move=move)

    def _hit(self) -> None:
        """The opponent has played what was expected: from now on time runs."""
        search = self._search
        if search is None:
            return
        search.told.set()
        if search.seconds is not None:
            threading.Thread(target=_stop_after, args=(search.stop, search.seconds), daemon=True).start()

    def _stop(self) -> None:
        """End the search, which then says what it has found."""
        search, self._search = self._search, None
        if search is not None:
            search.stop.set()
            search.told.set()
            search.thread.join()


def _stop_after(stop: threading.Event, seconds: float) -> None:
    stop.wait(seconds)
    stop.set()


def _info(result: SearchResult, spent: float) -> dict[str, str]:
    return {
        "depth": str(result.depth),
        "score": f"{result.score / 100:.2f}",
        "nodes": str(result.nodes),
        "time": f"{spent:.3f}",
        "nps": f"{result.nodes / max(spent, 0.001) / 1_000_000:.3f}",
    }


def _draughts(game: str | Ruleset) -> DraughtsRules:
    rules = rules_for(game)
    if not isinstance(rules, DraughtsRules):
        raise VariantError(f"{rules.variant.id} is no game of the draughts family")
    return rules


def _games() -> dict[str, str | Ruleset]:
    """The draughts games by what Hub calls them; those that it has no name for, by their ids."""
    tables = {name: variants.load(name).tables for name in variants.names()}
    return {each.hub or name: name for name, each in tables.items() if each.family == "draughts"}


def _limit(level: Mapping[str, str], *, analysing: bool) -> Limit:
    """What a line ``level`` allows. The increment is added before a move, not after it."""
    depth, nodes = _number(level, "depth"), _number(level, "nodes")
    seconds = _number(level, "move-time")
    if seconds is not None:
        seconds = max(seconds - RESERVE, seconds / 2)
    elif (left := _number(level, "time")) is not None:
        increment = _number(level, "inc") or 0.0
        share = left / (_number(level, "moves") or MOVES_TO_GO) + 0.8 * increment
        seconds = min(share, max((left + increment) / 2, left + increment - RESERVE) / 2)
    elif not (analysing or depth or nodes or "infinite" in level):
        seconds = USUAL_SECONDS
    continued = not (nodes or depth)
    return Limit(
        seconds, int(nodes) if nodes else None, int(depth) if depth else None, continued=continued, fading=True
    )


def _searcher(rules: DraughtsRules) -> Searcher:
    """A session is there for one game, mostly: its search is worth being compiled for it alone."""
    with for_one_game():
        return searcher_for(rules)


def _number(level: Mapping[str, str], name: str) -> float | None:
    """A number above 0; None where there is none."""
    try:
        number = float(level.get(name, ""))
    except ValueError:
        return None
    return max(number, 0.01) if 0 <= number < 1e9 else None
