from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Iterator
from random import Random

import pytest

from bot.cli import hub
from bot.cli.hub import HubSession
from bot.cli.thinking import make_ready
from bot.computer.hub.hub_lines import read_line
from bot.computer.hub.hub_positions import HubBoard
from bot.engine.draughts.state import DraughtsState, DraughtsTurn
from tests.support.cli import pydraughts_match


@pytest.fixture(autouse=True)
def _plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for so little."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")


class Program:
    """A program that asks ``damero hub``, which runs in a thread."""

    def __init__(self) -> None:
        self._to: queue.Queue[str | None] = queue.Queue()
        self._from: queue.Queue[str] = queue.Queue()
        self._session = HubSession(self._from.put)
        self._thread = threading.Thread(target=self._session.run, args=(iter(self._to.get, None),), daemon=True)
        self._thread.start()

    def say(self, *lines: str) -> None:
        for line in lines:
            self._to.put(line)

    def until(self, command: str) -> list[str]:
        """What is answered, up to a command."""
        heard = [self._from.get(timeout=30)]
        while (line := read_line(heard[-1])) is None or line.command != command:
            heard.append(self._from.get(timeout=30))
        return heard

    def close(self) -> bool:
        """Close standard input; whether the session has ended."""
        self._to.put(None)
        self._thread.join(30)
        return not self._thread.is_alive()


@pytest.fixture
def program() -> Iterator[Program]:
    asking = Program()
    yield asking
    assert asking.close()


def test_it_tells_what_it_is(program: Program) -> None:
    """Its name and the games it knows, by what Hub calls them or else by their ids; then it gets ready."""
    program.say("hub")
    told = program.until("wait")
    assert told[0].startswith("id name=Damero version=")
    variant = read_line(told[1])
    assert variant is not None
    assert {"pinoy", "spanish", "tama"} <= set(variant.arguments["values"].split())
    program.say("set-param name=variant value=spanish", "init", "ping")
    assert ["ready", "pong"] == program.until("pong")


def test_a_game_chosen_late_is_made_ready_first(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be searched is compiled before its time begins, though nobody said `init` since."""
    ready: list[tuple[str, bool]] = []
    monkeypatch.setattr(hub, "make_ready", lambda rules, alone: ready.append((rules.variant.id, alone)))
    program.say("hub", "init", "set-param name=variant value=tama", "new-game", "level depth=1", "go think")
    program.until("done")
    assert ready == [("international", True), ("tama", True)]


def test_garbage_is_not_collected_when_a_clock_runs(program: Program) -> None:
    """Once it is ready, a full collection passes over what has been made until then."""
    make_ready.cache_clear()
    gc.unfreeze()
    before = len(gc.get_objects())
    try:
        program.say("init")
        assert program.until("ready") == ["ready"]
        assert len(gc.get_objects()) < before / 10
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(
    "level", ["move-time=0.05", "depth=3", "nodes=500", "time=2 inc=0.1 moves=20", "time=0.01", "time=x depth=2"]
)
def test_it_moves_within_its_limits(program: Program, level: str) -> None:
    """By time, depth, nodes, or the clock of a game; what makes no sense is passed over."""
    program.say("set-param name=variant value=spanish", f"pos pos=W{'b' * 12}{'e' * 8}{'w' * 12}", f"level {level}")
    program.say("go think")
    info, done = program.until("done")
    assert info.startswith("info depth=")
    assert done.removeprefix("done move=") in info


def test_moves_come_with_the_position(program: Program) -> None:
    """The one that follows them is answered; an illegal one and a position that is none are errors."""
    start = f"W{'b' * 12}{'e' * 8}{'w' * 12}"
    program.say("set-param name=variant value=spanish", f'pos pos={start} moves="21-17 9-13 1-2"')
    assert ["error message="] == [line[:14] for line in program.until("error")]
    program.say("pos pos=Wxx", "go think")
    assert "a position is W or B" in program.until("error")[0]
    assert "there is no position to search" in program.until("error")[0]
    program.say(f"pos pos={start} moves=21-17", "level depth=2", "go think")
    assert int(program.until("done")[-1].removeprefix("done move=").partition("-")[0]) <= 12


def test_moves_that_came_with_an_earlier_position_are_not_played_again(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game goes on, or back, from what was played of it; another game, and the same one by other rules, is another.
    What is asked then is asked of the position after all of them."""
    played = list[str]()
    turn = HubBoard.turn

    def counted(board: HubBoard, state: DraughtsState, move: str) -> DraughtsTurn:
        played.append(move)
        return turn(board, state, move)

    monkeypatch.setattr(HubBoard, "turn", counted)
    start, game = f"W{'b' * 12}{'e' * 8}{'w' * 12}", ["21-17", "9-13", "22-18", "13x22x18"]

    def place(*moves: str, begun: str = start) -> list[str]:
        played.clear()
        program.say(f'pos pos={begun} moves="{" ".join(moves)}"', "ping")
        assert "error" not in "".join(program.until("pong"))
        return list(played)

    program.say("set-param name=variant value=spanish")
    assert place(*game[:2]) == game[:2]
    assert place(*game) == game[2:]
    assert place(game[0], "10-13") == ["10-13"]
    assert place(*game) == []
    program.say("level depth=1", "go think")
    assert "x" in program.until("done")[-1]
    assert place("21-17", begun=f"W{'b' * 11}e{'e' * 8}{'w' * 12}") == ["21-17"]
    program.say("set-param name=variant value=pinoy")
    assert place(game[0]) == game[:1]


@pytest.mark.parametrize("go", ["go analyze", "go ponder"])
def test_it_searches_until_it_is_stopped(program: Program, go: str) -> None:
    """It answers a ping meanwhile, and then says what it has found."""
    program.say("set-param name=variant value=spanish", "level infinite", go, "ping")
    assert ["pong"] == program.until("pong")
    program.say("stop")
    assert program.until("done")[-1].startswith("done move=")


@pytest.mark.parametrize(
    ("level", "go", "then"),
    [
        ("level depth=1", "go ponder", "ponder-hit"),
        ("level depth=1", "go ponder", "stop"),
        ("level move-time=0.1", "go ponder", "ponder-hit"),
        ("level infinite", "go analyze", "stop"),
    ],
)
def test_what_is_found_early_is_told_when_it_is_asked_for(program: Program, level: str, go: str, then: str) -> None:
    """A search that comes to its end by itself, here of a game with few moves left, says no move before it may."""
    program.say("set-param name=variant value=spanish", f"pos pos=W{'e' * 4}b{'e' * 22}w{'e' * 4}", level, go)
    program.until("info")
    program.say("ping")
    assert program.until("pong") == ["pong"]
    program.say(then)
    assert program.until("done")[-1].startswith("done move=")


def test_time_runs_from_the_ponder_hit_on(program: Program) -> None:
    """The opponent has played what was expected: now the search has the time of a move."""
    program.say("set-param name=variant value=spanish", "level move-time=0.1", "go ponder", "ping", "ponder-hit")
    assert program.until("done")[-1].startswith("done move=")


def test_a_draw_by_our_rules_does_not_stop_others(program: Program) -> None:
    """Kings to and fro, until the position has been there three times: who asks goes on, and is answered."""
    moves = " ".join(["32-28 4-8 28-32 8-4"] * 3)
    program.say("set-param name=variant value=spanish", f'pos pos=Weee{"B" + "e" * 27 + "W"} moves="{moves}"')
    program.say("level depth=2", "go think")
    assert program.until("done")[-1].startswith("done move=")


def test_a_game_that_is_over_is_said_to_be(program: Program) -> None:
    """There is no move to find."""
    program.say("set-param name=variant value=spanish", f"pos pos=W{'e' * 31}W", "go think")
    assert "the game is over" in program.until("error")[0]


def test_what_it_cannot_do_is_an_error(program: Program) -> None:
    """An errand that there is not, and a game without a name; `go` alone is to think."""
    program.say("go faster")
    assert program.until("error")[-1] == 'error message="go takes think, analyze or ponder"'
    program.say("set-param name=variant")
    assert program.until("error")[-1].startswith('error message="give the value of variant; there are ')
    program.say("level depth=1", "go")
    assert program.until("done")


def test_no_line_ends_it(program: Program) -> None:
    """Four hundred lines of nonsense, and parts of good ones; then it answers as before."""
    lots = Random(11)
    words = ["hub", "init", "pos", "pos=W", "go", "think", "level", "depth=1", "set-param", "name=variant"]
    words += ["value=tama", "stop", "ponder-hit", "new-game", "=", '"', '""', "x=1", "moves=1-2", "time=-1"]
    words += ["depth=1e9", "\x00", "\u00e9" * 50]
    for _ in range(400):
        program.say(" ".join(lots.choices(words, k=lots.randrange(1, 5))))
        program.say("level depth=1")
    program.say("stop", "set-param name=variant value=spanish", "ping")
    assert "pong" == program.until("pong")[-1]


def test_another_programs_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """pydraughts has it play with itself, and finds every move legal by its own rules."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    told = pydraughts_match.play("standard", games=1, seed=3, nodes=40, most=90)
    assert told["plies"] > 60
