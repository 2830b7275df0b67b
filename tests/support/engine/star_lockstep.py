"""The star's engine and its slow generator side by side: what they must agree on, and positions to ask them about."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from random import Random

from bot.engine.errors import AmbiguousMove
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Turn
from bot.engine.variants import load
from tests.support.engine import slow_star
from tests.support.engine.slow_star import Board, Game, Holding, Route, Stop

Options = Mapping[str, str | bool | int]

TABLES: list[dict[str, int]] = [{"players": players, "sets": sets} for players, sets in slow_star.TABLES]

# Every combination of the options that change what a move is.
MOVING: list[dict[str, str | int]] = [
    {**table, "unused": unused, "blocked": blocked}
    for table, unused, blocked in itertools.product(TABLES, ("empty", "filled"), ("swap", "filled", "none"))
]


def name_of(options: Options) -> str:
    """A short name of a choice of options, for the names of tests."""
    return "-".join(f"{key}={value}" for key, value in options.items())


class Pair:
    """One choice of options in both."""

    def __init__(self, options: Options) -> None:
        self.name = name_of(options)
        self.law = slow_star.law_for(options)
        self.rules = StarRules(load("chinese-checkers", options))

    def names(self, places: tuple[int, ...]) -> Route:
        return tuple(self.rules.board.names[place] for place in places)

    def check_position(self, board: Board, seat: int, random: Random) -> None:
        """A position that no game led to."""
        text = slow_star.write(self.law, board, seat)
        self.check(self.rules.start(text), Game(self.law, dict(board), seat), f"{self.name}, position {text}", random)

    def check(self, state: StarState, game: Game, where: str, random: Random) -> None:
        """Everything that can be seen of one state of a game."""
        seat, board = slow_star.parse(self.rules.position(state))
        assert board == game.board, where
        if game.over:
            assert state.outcome is not None, where
            assert state.outcome.winner == game.winner, f"{where}: {state.outcome}"
            assert state.outcome.places == tuple(game.home), f"{where}: {state.outcome}"
            assert self.rules.turns(state) == (), where
            return
        assert state.outcome is None, f"{where}: {state.outcome}"
        assert state.seat == seat == game.seat, where
        self.check_turns(state, game, where, random)

    def check_turns(self, state: StarState, game: Game, where: str, random: Random) -> None:
        """The same positions can be reached, each told by the same route, in the order of the notation."""
        expected = game.moves()
        turns = self.rules.turns(state)
        found = {self.after(state, turn): turn for turn in turns}
        assert len(found) == len(turns), f"{where}: one position, two turns: {[turn.text for turn in turns]}"
        missing = sorted("-".join(expected[after]) for after in expected.keys() - found.keys())
        illegal = sorted(found[after].text for after in found.keys() - expected.keys())
        assert not missing, f"{where}: not found: {missing}; found: {[turn.text for turn in turns]}"
        assert not illegal, f"{where}: not legal: {illegal}"
        assert list(turns) == sorted(turns, key=lambda turn: turn.path), where
        for after, turn in found.items():
            told = f"{where}, turn {turn.text}"
            assert self.names(turn.path) == expected[after], told
            assert turn.text == "-".join(expected[after]), told
            assert self.rules.read(state, turn.text) == turn, told
        ranked = self.rules.ranked(state)
        assert sorted(ranked) == sorted(turns), where
        gains = [self.rules.gain(state, turn) for turn in ranked]
        assert gains == sorted(gains, reverse=True), where
        self.check_ends(state, turns, where)
        self.check_long_way(state, game, found, where, random)

    def after(self, state: StarState, turn: Turn) -> Holding:
        """What stands where after a turn."""
        _, board = slow_star.parse(self.rules.position(self.rules.play(state, turn)))
        return frozenset(board.items())

    def check_ends(self, state: StarState, turns: tuple[Turn, ...], where: str) -> None:
        """The two ends of a turn mean it where no other has them; else they are the notation of one, or all fit."""
        by_ends: dict[tuple[int, int], list[Turn]] = {}
        for turn in turns:
            by_ends.setdefault((turn.path[0], turn.path[-1]), []).append(turn)
        for ends, fitting in by_ends.items():
            typed = " ".join(self.names(ends))
            short = [turn for turn in fitting if len(turn.path) == 2]
            assert self.meanings(state, typed) == (short or fitting), f"{where}: typed {typed}"

    def meanings(self, state: StarState, typed: str) -> list[Turn]:
        """The turns that fit what was typed."""
        try:
            return [self.rules.read(state, typed)]
        except AmbiguousMove as several:
            return list(several.candidates)

    def check_long_way(
        self, state: StarState, game: Game, found: dict[Holding, Turn], where: str, random: Random
    ) -> None:
        """A chain that wanders about means the turn with the same position, typed hole by hole or by some of them."""
        own = [hole for hole, name in game.board.items() if self.law.seat_of(name) == game.seat]
        start = random.choice(sorted(own))
        peg_set = game.board[start]
        stop = Stop(start, frozenset(item for item in game.board.items() if item[0] != start))
        route = [start]
        for _ in range(random.randint(2, 8)):
            further = slow_star.hop(self.law, peg_set, stop)
            if not further:
                return
            stop = random.choice(sorted(further, key=lambda stop: stop.hole))
            route.append(stop.hole)
        meant = found.get(stop.others | {(stop.hole, peg_set)})
        if stop.hole == start or meant is None:
            return
        assert self.rules.read(state, "-".join(route)) == meant, f"{where}: typed {'-'.join(route)}"
        kept = [hole for hole in route[1:-1] if random.random() < 0.7]
        typed = "-".join([start, *kept, stop.hole])
        if any(here == there for here, there in itertools.pairwise([start, *kept, stop.hole])):
            return  # Names a hole twice in a row, which is refused.
        read = self.meanings(state, typed)
        # Fewer holes may happen to be all the holes of another turn.
        assert meant in read or [turn.path[-1] for turn in read] == [meant.path[-1]], f"{where}: typed {typed}"

    def play_out(self, random: Random, most_turns: int, leaving: float = 0.0) -> Game:
        """A random game, compared after every turn, in which players leave with the chance ``leaving`` a turn."""
        first = random.randrange(len(self.rules.seats))
        state = self.rules.start(self.rules.opening(first))
        game = Game(self.law, slow_star.start(self.law), first)
        record = [f"from {first}"]
        for _ in range(most_turns):
            where = f"{self.name}, {' '.join(record)}"
            self.check(state, game, where, random)
            if game.over:
                break
            if random.random() < leaving:
                seat = random.choice(game.playing())
                state = self.rules.leave(state, seat, "somebody resigned")
                game.leave(seat)
                record.append(f"left:{seat}")
            else:
                turn = forward(self.rules, state, random)
                game.move(self.after(state, turn))
                state = self.rules.play(state, turn)
                record.append(turn.text)
        return game


def forward(rules: StarRules, state: StarState, random: Random) -> Turn:
    """A turn at random that rather gains ground than not."""
    turns = rules.turns(state)
    some = random.sample(turns, min(len(turns), random.choice((1, 2, 4))))
    return max(some, key=lambda turn: rules.gain(state, turn))


# Positions


def by_play(pair: Pair, random: Random) -> tuple[Board, int] | None:
    """A position of a random game; None where that game has ended."""
    state = pair.rules.start()
    for _ in range(random.randrange(35 * len(pair.rules.seats))):
        if state.outcome is not None:
            return None
        state = pair.rules.play(state, forward(pair.rules, state, random))
    seat, board = slow_star.parse(pair.rules.position(state))
    return board, seat


def by_placement(pair: Pair, random: Random) -> tuple[Board, int]:
    """Pegs put down anywhere."""
    board: Board = {hole: name for name in pair.law.idle() for hole in slow_star.triangle(name)}
    free = [hole for hole in slow_star.CUBES if hole not in board]
    random.shuffle(free)
    for name in set(pair.law.on_board()) - pair.law.idle():
        for _ in range(random.randint(0, 10)):
            board[free.pop()] = name
    return board, random.randrange(len(pair.rules.seats))


def near_the_targets(pair: Pair, random: Random) -> tuple[Board, int]:
    """Pegs mostly in and before their targets, with those that started there in their way: where swaps are."""
    board: Board = {hole: name for name in pair.law.idle() for hole in slow_star.triangle(name)}
    for name in set(pair.law.on_board()) - pair.law.idle():
        target = slow_star.triangle(slow_star.ACROSS[name])
        before = {
            there
            for hole in target
            for direction in slow_star.DIRECTIONS
            for distance in (1, 2)
            if (there := slow_star.beside(hole, direction, distance)) is not None
        }
        pools = [target, before - target, slow_star.triangle(name)]
        for _ in range(random.randint(5, 10)):
            pool = random.choices(pools, weights=(4, 4, 3))[0] - board.keys()
            if pool:
                board[random.choice(sorted(pool))] = name
    return board, random.randrange(len(pair.rules.seats))
