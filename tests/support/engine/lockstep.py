"""The engine and the slow generator side by side: what they must agree on, and a message where they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.turns import Turn
from tests.support.engine import slow_draughts
from tests.support.engine.slow_draughts import Law, Piece, Position
from tests.support.engine.slow_games import Game


class Pair:
    """One game with one choice of options, in both."""

    def __init__(self, name: str, law: Law, rules: Rules) -> None:
        self.name = name
        self.law = law
        self.rules = rules
        # The slow generator's names of squares, whatever the game's own are.
        self.letters = [f"{chr(ord('a') + x)}{y + 1}" for x, y in rules.board.places]

    @classmethod
    def of(cls, game: str, options: Mapping[str, str | bool | int]) -> Pair:
        """A shipped game with these options."""
        return cls(f"{game} {dict(options)}", slow_draughts.law_for(game, options), rules_for(game, options))

    def names(self, places: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.letters[place] for place in places)

    def parsed(self, state: State) -> Position:
        """The position that the engine writes, where it may write squares by their numbers."""
        return slow_draughts.parse(self.rules.board.renamed(self.rules.position(state), self.letters.__getitem__))

    def order(self, route: Sequence[str]) -> list[tuple[int, ...]]:
        """What the routes of one move are ordered by: file and rank, or numbers."""
        board = self.rules.board
        if board.by_number:
            return [(board.numbers[self.letters.index(square)] or 0,) for square in route]
        return [slow_draughts.coordinates(square) for square in route]

    def check_position(self, position: Position, random: Random | None = None) -> None:
        """The legal moves of a position that no game led to, and whether it is already lost or drawn."""
        text = slow_draughts.write(position)
        state = self.rules.start(text)
        self.check_state(state, Game(self.law, (position,)), f"{self.name}, position {text}", random)

    def check_state(self, state: State, game: Game, where: str, random: Random | None = None) -> None:
        """Everything that can be seen of one state of a game."""
        assert self.parsed(state) == game.position, where
        self.check_end(state, game, where)
        if state.outcome is not None:
            assert self.rules.turns(state) == (), where
            assert self.rules.remedies(state) == (), where
            return
        self.check_turns(state, game, where, random)
        remedies = self.rules.remedies(state)
        squares = sorted(game.huffable, key=lambda square: self.order([square]))
        names = [self.rules.board.names[self.letters.index(square)] for square in squares]
        expected = [f"soplar {name}" for name in names] + ["oblige"] * bool(squares)
        assert [remedy.text for remedy in remedies] == expected, where
        for remedy in remedies:
            assert self.rules.read(state, remedy.text) == remedy, where

    def check_end(self, state: State, game: Game, where: str) -> None:
        """Lost, drawn, or going on."""
        winner, drawn = game.winner(), game.drawn()
        if winner is None and drawn is None:
            assert state.outcome is None, f"{where}: {state.outcome}"
            return
        expected = None if winner is None else [seat.key for seat in self.rules.seats].index(winner)
        assert state.outcome is not None, f"{where}: expected an end"
        assert state.outcome.winner == expected, f"{where}: {state.outcome}, {drawn}"

    def check_turns(self, state: State, game: Game, where: str, random: Random | None = None) -> None:
        """The same positions can be reached, each by the same routes, with the same notation of captures."""
        expected = game.moves()
        turns = self.rules.turns(state)
        found = {self.parsed(self.rules.play(state, turn)): turn for turn in turns}
        assert len(found) == len(turns), f"{where}: one position, two turns: {[turn.text for turn in turns]}"
        missing = sorted(slow_draughts.write(position) for position in expected.keys() - found.keys())
        illegal = sorted(turn.text for position, turn in found.items() if position not in expected)
        assert not missing, f"{where}: not found: {missing}; found: {[turn.text for turn in turns]}"
        assert not illegal, f"{where}: not legal: {illegal}"
        board = game.position.board
        for position, turn in found.items():
            move = expected[position]
            told = f"{where}, turn {turn.text}"
            path = self.names(turn.path)
            first = min(move.routes, key=self.order)
            assert path == first, f"{told}: routes {sorted(move.routes)}"
            assert self.names(turn.captured) == move.routes[path], told
            called = [self.rules.board.names[place] for place in turn.path]
            assert turn.text == ("x" if turn.captured else "-").join(called), told
            assert turn.neglects == move.neglects, told
            mover = board[path[0]]
            assert turn.crowns == (position.board[path[-1]].king and not mover.king), told
            lost = self.rules.lost(self.rules.play(state, turn))
            gone = {
                self.letters[place]: Piece(self.rules.seats[piece.owner].key, piece.kind == "king")
                for place, piece in lost.items()
            }
            assert gone == {square: board[square] for square in move.routes[path]}, told
            self.check_reading(state, turn, move, told, random)

    def check_reading(
        self, state: State, turn: Turn, move: slow_draughts.Move, told: str, random: Random | None
    ) -> None:
        """The notation, and each route typed in full, mean this turn."""
        assert self.rules.read(state, turn.text) == turn, told
        routes = sorted(move.routes)
        if random is not None and len(routes) > 6:
            routes = random.sample(routes, 6)
        for route in routes:
            text = ("x" if move.routes[route] else "-").join(route)
            assert self.rules.read(state, text) == turn, f"{told}: typed {text}"

    def play_out(self, start: Position, random: Random, most_turns: int) -> str | None:
        """A random game from ``start``, compared after every turn, with huffs and obliged captures where there are
        any. Returns how it ended in the slow generator's words."""
        state = self.rules.start(slow_draughts.write(start))
        game = Game(self.law, (start,))
        record: list[str] = []
        for _ in range(most_turns):
            where = f"{self.name}, from {slow_draughts.write(start)} by {' '.join(record) or 'nothing'}"
            self.check_state(state, game, where, random)
            if state.outcome is not None:
                return game.drawn() or "lost"
            remedies = self.rules.remedies(state)
            turns = self.rules.turns(state)
            if remedies and (not turns or random.random() < 0.5):
                turn = random.choice(remedies)
                game = game.oblige() if turn.kind == "oblige" else game.huff(self.names(turn.path)[0])
            else:
                turn = self.choose(turns, random)
                game = game.move(self.names(turn.path))
            state = self.rules.play(state, turn)
            record.append(turn.text)
        return None

    @staticmethod
    def choose(turns: tuple[Turn, ...], random: Random) -> Turn:
        """A turn at random; one that keeps the material rather than not, so that long counts are reached too."""
        quiet = [turn for turn in turns if not turn.captured]
        return random.choice(quiet if quiet and random.random() < 0.7 else turns)
