"""The draughts family: one set of rules, driven by the values of a variant (docs/rules.md, "axis by axis")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bot.engine import outcomes
from bot.engine.boards import Board, square_board
from bot.engine.draughts import explain, notation
from bot.engine.draughts.counted_endings import Endings
from bot.engine.draughts.movegen import Chain, Forces, MoveGenerator
from bot.engine.draughts.search_budget import QUICK, Budget, SearchLimitError
from bot.engine.draughts.state import DraughtsState, DraughtsTurn, LegalTurns, Position, bits, moved, removed, resting
from bot.engine.errors import IllegalMove, MoveError
from bot.engine.move_text import with_example
from bot.engine.turns import Outcome, Piece, Seat, TurnTo
from bot.engine.variants import Variant, in_own_words
from bot.i18n import _

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables


class DraughtsRules:
    """The rules of one draughts variant with one game's options; see bot.engine.rules."""

    def __init__(self, variant: Variant) -> None:
        tables = variant.tables
        if tables.family != "draughts":
            raise TypeError(f"{variant.id} is not a game of the draughts family")
        self.variant = variant
        self.tables: DraughtsTables = tables
        table = tables.board
        corner = table.corner if not table.mirror else ("left" if table.corner == "right" else "right")
        self.board: Board = square_board(
            table.width,
            table.height,
            table.squares,
            corner,
            table.numbered_from,
            table.numbered_side,
            table.notation,
        )
        keys = "WB" if tables.first == "white" else "BW"
        self.seats = tuple(Seat(key, outcomes.named(side)) for key, side in zip(keys, tables.sides, strict=True))
        self.kernel = MoveGenerator(tables, self.board)
        self.endings = Endings(tables.draws.endings, self.board)

    @in_own_words
    def start(self, position: str | None = None) -> DraughtsState:
        if position is None:
            return self._arrived(DraughtsState(self._set_up(), ()))
        turn, men, kings = notation.read_position(position, self.board, self.kernel.crown, self.seats)
        return self._arrived(DraughtsState(Position(turn, men, kings), ()))

    def opening(self, first: int = 0) -> str:
        position = self._set_up()
        return notation.write_position(first, position.men, position.kings, self.board, self.seats)

    def _set_up(self) -> Position:
        rows = {row - 1 for row in self.tables.start.rows}
        last = self.board.height - 1
        men = [0, 0]
        for place in self.board.played:
            _, y = self.board.places[place]
            for side in (0, 1):
                if (y if side == 0 else last - y) in rows:
                    men[side] |= 1 << place
        for side, squares in enumerate(self.tables.start.squares):
            men[side] |= sum(1 << self._mirrored(self.board.index[name]) for name in squares)
        return Position(0, (men[0], men[1]), (0, 0))

    def _mirrored(self, place: int) -> int:
        """Where the square of a file is on the board that is played on."""
        x, y = self.board.places[place]
        return y * self.board.width + (self.board.width - 1 - x if self.tables.board.mirror else x)

    def position(self, state: DraughtsState) -> str:
        position = state.position
        return notation.write_position(position.turn, position.men, position.kings, self.board, self.seats)

    def pieces(self, state: DraughtsState) -> Mapping[int, Piece]:
        return _standing(state.position)

    def tally(self, state: DraughtsState) -> tuple[str, ...]:
        return ("", "")

    def lost(self, state: DraughtsState) -> dict[int, Piece]:
        if state.last is None or len(state.trail) < 2:
            return {}
        standing = _standing(state.trail[-2])
        return {place: standing[place] for place in state.last.captured}

    # Moves

    def turns(self, state: DraughtsState) -> tuple[DraughtsTurn, ...]:
        if not isinstance(state, DraughtsState):
            raise TypeError("the state belongs to another family of games")
        return () if state.outcome else self.moves(state)

    def moves(self, state: DraughtsState) -> tuple[DraughtsTurn, ...]:
        return self._legal(state).turns

    def quick(self, state: DraughtsState) -> bool:
        if not state.legal:
            try:
                state.legal.append(self._find(state, Budget(QUICK, strict=True), quick=True))
            except SearchLimitError:
                return False
        return state.legal[0].quick

    def _legal(self, state: DraughtsState) -> LegalTurns:
        """What may be played, found once and kept with the state."""
        if not self.quick(state) and not state.legal:
            state.legal.append(self._find(state, Budget()))
        return state.legal[0]

    def _find(self, state: DraughtsState, budget: Budget, *, quick: bool = False) -> LegalTurns:
        """Raises SearchLimitError where the search for captures takes more than a strict budget."""
        position = state.position
        forces = position.forces()
        best = self.kernel.best(position.turn, forces, budget)
        turns = self._captures(position, forces, best)
        if not best or (self.tables.capture.neglect == "soplar" and not state.must_capture):
            turns.extend(self._quiet(position, forces, neglects=bool(best)))
        return LegalTurns(tuple(sorted(turns, key=self._order)), frozenset(chain.path[0] for chain in best), quick)

    def _quiet(self, position: Position, forces: Forces, *, neglects: bool) -> Iterable[DraughtsTurn]:
        longest = self.tables.king.run
        for start, end, king, crowned in self.kernel.quiet(position.turn, forces, resting(position, longest)):
            after = moved(position, start, end, 0, king=king or crowned, runs=longest > 0)
            text = f"{self.board.names[start]}-{self.board.names[end]}"
            yield TurnTo("move", text, (start, end), (), after, neglects, crowned)

    def _captures(self, position: Position, forces: Forces, chains: list[Chain]) -> list[DraughtsTurn]:
        """One turn for each position that the captures lead to, told by its first route."""
        routes: dict[Position, Chain] = {}
        for chain in chains:
            after = moved(position, chain.path[0], chain.path[-1], sum(1 << t for t in chain.taken), king=chain.king)
            if after not in routes or self._order(chain) < self._order(routes[after]):
                routes[after] = chain
        return [
            TurnTo(
                kind="move",
                text="x".join(self.board.names[place] for place in path),
                path=path,
                captured=taken,
                after=after,
                crowns=king and not forces.kings >> path[0] & 1,
            )
            for after, (path, taken, king) in routes.items()
        ]

    def _order(self, turn: DraughtsTurn | Chain) -> list[int]:
        return [self.kernel.ranks[place] for place in turn.path]

    def ranked(self, state: DraughtsState) -> tuple[DraughtsTurn, ...]:
        return tuple(sorted(self.turns(state), key=lambda turn: (-len(turn.captured), not turn.crowns)))

    def perft(self, state: DraughtsState, depth: int) -> int:
        return self._perft_with_runs(state.position, depth)

    def _perft_with_runs(self, position: Position, depth: int) -> int:
        """Position by position where a king's run can come to its end, by the faster way where none can."""
        longest = self.tables.king.run
        left = [longest - (run.moves if run else 0) for run in position.runs]
        if not longest or depth <= min(2 * left[position.turn], 2 * left[1 - position.turn] + 1):
            return self._perft(position.turn, position.forces(), depth)
        turns = self.moves(DraughtsState(position, ()))
        return sum(self._perft_with_runs(turn.after, depth - 1) for turn in turns)

    def _perft(self, side: int, forces: Forces, depth: int) -> int:
        if depth == 0:
            return 1
        men, kings, foe_men, foe_kings = forces
        soplar = self.tables.capture.neglect == "soplar"
        count = 0
        best = self.kernel.best(side, forces)
        if best:
            after = {self._after(forces, chain) for chain in best}
            for position in after:
                count += self._perft(1 - side, position, depth - 1)
            if not soplar:
                return count
        if depth == 1:
            return count + self.kernel.count_quiet(side, forces)
        for start, end, king, crowned in self.kernel.quiet(side, forces):
            move = 1 << start | 1 << end
            if king:
                after_move = Forces(foe_men, foe_kings, men, kings ^ move)
            elif crowned:
                after_move = Forces(foe_men, foe_kings, men ^ 1 << start, kings | 1 << end)
            else:
                after_move = Forces(foe_men, foe_kings, men ^ move, kings)
            count += self._perft(1 - side, after_move, depth - 1)
        return count

    @staticmethod
    def _after(forces: Forces, chain: Chain) -> Forces:
        """The position after a capture, from the side that moves next."""
        start, end = 1 << chain.path[0], 1 << chain.path[-1]
        left = -1
        for place in chain.taken:
            left ^= 1 << place
        men, kings = forces.men & ~start, forces.kings & ~start
        if chain.king:
            kings |= end
        else:
            men |= end
        return Forces(forces.foe_men & left, forces.foe_kings & left, men, kings)

    # Soplar

    def remedies(self, state: DraughtsState) -> tuple[DraughtsTurn, ...]:
        if state.outcome or state.before is None:
            return ()
        position = state.position
        huffs = [
            TurnTo("huff", f"soplar {self.board.names[place]}", (place,), (place,), removed(position, place))
            for place in state.offenders
        ]
        return (*huffs, TurnTo("oblige", "oblige", (), (), state.before.position))

    # Reading and playing

    @in_own_words
    def read(self, state: DraughtsState, text: str) -> DraughtsTurn:
        if notation.is_order(text) and self.tables.capture.neglect != "soplar":
            raise IllegalMove(_("there is no huffing in this game: capturing is compulsory"))
        try:
            typed = notation.read_move(text, self.board, state.offenders)
        except MoveError as error:
            raise with_example(error, self.turns(state)) from None
        if state.outcome:
            raise IllegalMove(_("the game is over"))
        if typed.order:
            return explain.remedy(self.board, state, self.remedies(state), typed)
        return explain.choose(self.kernel, self.seats, state.position, self.moves(state), typed)

    def play(self, state: DraughtsState, turn: DraughtsTurn) -> DraughtsState:
        if turn.kind == "oblige":
            if state.before is None:
                raise ValueError("there is no neglected capture to oblige")
            # An earlier huff that led there was told then.
            notices = tuple(self._notices(state.before))
            return replace(state.before, last=turn, before=None, offenders=(), must_capture=True, notices=notices)
        position, after = state.position, turn.after
        same_material = position.material() == after.material()
        still_quiet = same_material and bool(turn.path) and bool(position.kings[position.turn] >> turn.path[0] & 1)
        since = state.since if turn.kind == "move" else (0, 0)
        if not same_material:
            since = (0, 0)
        elif turn.kind == "move":
            since = (since[0] + (position.turn == 0), since[1] + (position.turn == 1))
        offenders: tuple[int, ...] = ()
        if turn.neglects:
            stand = {turn.path[-1] if p == turn.path[0] else p for p in self._legal(state).capturers}
            offenders = tuple(sorted(stand, key=self.board.ranks.__getitem__))
        arrived = self._arrived(
            DraughtsState(
                position=after,
                trail=state.trail,
                last=turn,
                quiet=state.quiet + 1 if still_quiet else 0,
                since=since,
                before=state if turn.neglects else None,
                offenders=offenders,
            )
        )
        if turn.kind == "huff":
            return replace(arrived, notices=(outcomes.huffed(self._left(state, turn.path[0])), *arrived.notices))
        return arrived

    def _left(self, state: DraughtsState, place: int) -> tuple[str, ...]:
        """The captures that were neglected by the piece which now stands on ``place``."""
        assert state.before is not None
        assert state.last is not None
        start = state.last.path[0] if state.last.path[-1] == place else place
        return tuple(turn.text for turn in self.moves(state.before) if turn.captured and turn.path[0] == start)

    def leave(self, state: DraughtsState, seat: int, reason: str) -> DraughtsState:
        return replace(state, outcome=Outcome(1 - seat, reason), before=None, offenders=())

    def playing(self, state: DraughtsState) -> tuple[int, ...]:
        return (0, 1)

    def agree(self, state: DraughtsState) -> DraughtsState:
        return replace(state, outcome=Outcome(None, outcomes.AGREED), before=None, offenders=())

    # The end

    def _arrived(self, state: DraughtsState) -> DraughtsState:
        """``state`` with its position entered in the trail, its counts told and, where the game ended, its outcome."""
        position = state.position
        state = replace(state, trail=(*state.trail, position))
        return replace(state, notices=tuple(self._notices(state)), outcome=self._outcome(state))

    def _outcome(self, state: DraughtsState) -> Outcome | None:
        position = state.position
        decided = self._decided(position)
        if decided is None and state.before is None and not self._can_move(position):
            decided = self._out_of_moves(position)
        # A huff or an oblige may still change the position: until that right is used or waived no draw is declared.
        if decided is not None or state.before is not None:
            return decided
        draws = self.tables.draws
        if draws.repetition and state.trail.count(position) >= 3:
            return Outcome(None, outcomes.REPEATED)
        for counted in self.endings.standing(state):
            ending = counted.ending
            if counted.done < ending.moves:
                continue
            if not (ending.capture_first and self.kernel.capturers(position.turn, position.forces())):
                return Outcome(counted.strong if ending.result == "win" else None, counted.reason)
        if draws.quiet_moves and state.quiet >= 2 * draws.quiet_moves:
            return Outcome(None, outcomes.quiet(draws.quiet_moves))
        return None

    def _decided(self, position: Position) -> Outcome | None:
        """The outcome that the pieces decide, whoever can move."""
        wins = self.tables.outcome.wins
        mover, other = position.turn, 1 - position.turn
        names = [seat.name for seat in self.seats]
        if position.of(mover) and not position.of(other):
            return Outcome(other if wins == "lose-all" else mover, outcomes.no_piece(names[other]))
        for side in (other, mover):
            # Who has just moved has made the king, or left the other with one piece.
            if wins == "first-king" and position.kings[side]:
                return Outcome(side, outcomes.first_king(names[side]))
            if wins == "one-left" and position.of(1 - side).bit_count() == 1:
                return Outcome(side, outcomes.one_left(names[1 - side]))
        return None

    def _out_of_moves(self, position: Position) -> Outcome:
        mover = position.turn
        lacks = outcomes.no_move if position.of(mover) else outcomes.no_piece
        winner = mover if self.tables.outcome.wins == "lose-all" else 1 - mover
        return Outcome(winner, lacks(self.seats[mover].name))

    def _can_move(self, position: Position) -> bool:
        forces = position.forces()
        held = resting(position, self.tables.king.run)
        quiet = next(iter(self.kernel.quiet(position.turn, forces, held)), None)
        return quiet is not None or bool(self.kernel.capturers(position.turn, forces))

    def _notices(self, state: DraughtsState) -> list[str]:
        """A king that rests, and of the endings that are counted the one that will be over first."""
        notices: list[str] = []
        if held := resting(state.position, self.tables.king.run):
            notices.append(outcomes.rests(self.board.names[held.bit_length() - 1], self.tables.king.run))
        counts = [counted for counted in self.endings.standing(state) if counted.ending.moves]
        nearest = min(counts, key=lambda counted: counted.ending.moves - counted.done, default=None)
        return notices if nearest is None else [*notices, nearest.notice]


# By side, and whether it is a king.
_PIECES: Final = ((Piece(0, "man"), Piece(0, "king")), (Piece(1, "man"), Piece(1, "king")))


# A picture and its words ask for the same position four times.
@lru_cache(maxsize=256)
def _standing(position: Position) -> Mapping[int, Piece]:
    return MappingProxyType(
        {
            place: pieces[position.kings[side] >> place & 1]
            for side, pieces in enumerate(_PIECES)
            for place in bits(position.of(side))
        }
    )
