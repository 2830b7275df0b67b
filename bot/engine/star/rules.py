"""Chinese checkers for two to six: one set of rules, driven by the values of the variant (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.engine import outcomes
from bot.engine.boards import Board, star_board
from bot.engine.errors import BadPosition, IllegalMove, NotAMove
from bot.engine.move_text import with_example
from bot.engine.star import explain, notation
from bot.engine.star.geometry import GROUND, NAMES, OPPOSITE, SEATINGS, SETS, TRIANGLES
from bot.engine.star.movegen import NOBODY, Pegs, StarMoveGenerator, StarTurn
from bot.engine.star.state import StarState
from bot.engine.turns import Outcome, Piece, Seat
from bot.engine.variants import Variant, in_own_words
from bot.i18n import _

if TYPE_CHECKING:
    from bot.engine.variant_tables import StarTables


class StarRules:
    """The rules of Chinese checkers with one game's options; see bot.engine.rules."""

    def __init__(self, variant: Variant) -> None:
        tables = variant.tables
        if tables.family != "star":
            raise TypeError(f"{variant.id} is not a game on the star")
        self.variant = variant
        self.tables: StarTables = tables
        self.board: Board = star_board()
        self.kernel = StarMoveGenerator(tables)
        keys = (names[0] for names in SEATINGS[tables.players, 1])
        self.seats = tuple(
            Seat(key, outcomes.named(NAMES[key]), sets) for key, sets in zip(keys, self.kernel.seating, strict=True)
        )
        in_game = {*self.kernel.fillers, *(name for names in self.kernel.seating for name in names)}
        self.sets = tuple(name for name in SETS if name in in_game)
        """The peg sets on the board, clockwise from the bottom, those that nobody plays included."""

    def opening(self, first: int = 0) -> str:
        return notation.write_position(first, self.kernel.set_up(), self.sets, self.board)

    @in_own_words
    def start(self, position: str | None = None) -> StarState:
        if position is None:
            return self._arrived(StarState(self.kernel.set_up(), 0))
        seat, holes = notation.read_position(position, len(self.seats), self.sets, self.board)
        for name in self.kernel.fillers:
            # They never move, so that a position need not name them.
            if TRIANGLES[name] != set(holes.setdefault(name, tuple(TRIANGLES[name]))):
                template = _("the pegs of {name} belong to nobody and stay in their own triangle")
                raise BadPosition(template.format(name=name))
        pegs = bytearray(len(self.board.names))
        for name, named in holes.items():
            for hole in named:
                if pegs[hole]:
                    template = _("{hole} holds a peg that never moves")
                    raise BadPosition(template.format(hole=self.board.names[hole]))
                pegs[hole] = SETS.index(name) + 1
        return self._arrived(StarState(bytes(pegs), seat))

    def position(self, state: StarState) -> str:
        return notation.write_position(state.seat, state.pegs, self.sets, self.board)

    def pieces(self, state: StarState) -> dict[int, Piece]:
        owner = [-1 if seat == NOBODY else seat for seat in self.kernel.owner]
        return {hole: Piece(owner[peg], "peg", SETS[peg - 1]) for hole, peg in enumerate(state.pegs) if peg}

    def lost(self, state: StarState) -> dict[int, Piece]:
        return {}

    def tally(self, state: StarState) -> tuple[str, ...]:
        return tuple(f"{home}/{of}" for home, of in self.pegs_home(state))

    def pegs_home(self, state: StarState) -> tuple[tuple[int, int], ...]:
        """For each seat how many of its pegs are in their targets, and how many it has."""
        kernel, pegs = self.kernel, state.pegs
        return tuple((kernel.at_home(pegs, seat), kernel.standing(pegs, seat)) for seat in range(len(self.seats)))

    # Moves

    def turns(self, state: StarState) -> tuple[StarTurn, ...]:
        if not isinstance(state, StarState):
            raise TypeError("the state belongs to another family of games")
        return () if state.outcome else tuple(self.kernel.turns(state.pegs, state.seat))

    def moves(self, state: StarState) -> tuple[StarTurn, ...]:
        return self.turns(state)

    def quick(self, state: StarState) -> bool:
        return True

    def ranked(self, state: StarState) -> tuple[StarTurn, ...]:
        return tuple(sorted(self.turns(state), key=lambda turn: -self.gain(state, turn)))

    def gain(self, state: StarState, turn: StarTurn) -> int:
        """How many rows nearer to the point of its target the turn brings its peg."""
        start, end = turn.path[0], turn.path[-1]
        ground = GROUND[OPPOSITE[SETS[state.pegs[start] - 1]]]
        return ground[end] - ground[start]

    def perft(self, state: StarState, depth: int) -> int:
        if depth == 0:
            return 1
        return 0 if state.outcome else self._perft(state, depth)

    def _perft(self, state: StarState, depth: int) -> int:
        turns = self.kernel.turns(state.pegs, state.seat)
        if depth == 1:
            return len(turns)
        count = 0
        for turn in turns:
            following = self._following(state, turn.after)
            if following.outcome is None:
                count += self._perft(following, depth - 1)
        return count

    def remedies(self, state: StarState) -> tuple[StarTurn, ...]:
        return ()

    # Reading and playing

    @in_own_words
    def read(self, state: StarState, text: str) -> StarTurn:
        try:
            places = notation.read_turn(text, self.board)
        except NotAMove as error:
            raise with_example(error, self.turns(state)) from None
        if state.outcome:
            raise IllegalMove(_("the game is over"))
        return explain.choose(self.kernel, self.seats, state, places)

    def play(self, state: StarState, turn: StarTurn) -> StarState:
        following = self._following(state, turn.after)
        return replace(following, last=turn, notices=tuple(self._notices(following)))

    def leave(self, state: StarState, seat: int, reason: str) -> StarState:
        """The pegs stay where they are, and the turn passes over the seat. The last player left has won; with
        ``places`` that player comes next after those who are home. Nothing changes for a seat that is home or has left
        already, or after the end."""
        if state.outcome or seat in state.left or seat in state.home:
            return state
        reasons = (*state.reasons, reason) if reason else state.reasons
        state = replace(state, left=state.left | {seat}, reasons=reasons)
        playing = self._playing(state)
        if len(playing) == 1:
            places = (*state.home, *playing) if self.tables.places else ()
            if state.home:
                return replace(state, outcome=self._all_placed(places))
            return replace(state, outcome=Outcome(playing[0], reason, places))
        return self._arrived(state) if seat == state.seat else replace(state, notices=tuple(self._notices(state)))

    def playing(self, state: StarState) -> tuple[int, ...]:
        return tuple(sorted(self._playing(state)))

    def agree(self, state: StarState) -> StarState:
        if not state.home:
            return replace(state, outcome=Outcome(None, outcomes.AGREED))
        reason = outcomes.first_home_and_agreed(self.seats[state.home[0]].name)
        return replace(state, outcome=Outcome(state.home[0], reason, state.home))

    # The end

    def _playing(self, state: StarState) -> tuple[int, ...]:
        """The seats that still play, the seat to move before those after it."""
        seats = len(self.seats)
        in_turn = ((state.seat + further) % seats for further in range(seats))
        return tuple(seat for seat in in_turn if seat not in state.left and seat not in state.home)

    def _arrived(self, state: StarState) -> StarState:
        """``state``, in which ``seat`` is next, with who came home, the end if there is one, else the first that can
        move, and what is told of it all."""
        state = self._settled(state, self._playing(state))
        return replace(state, notices=tuple(self._notices(state)))

    def _following(self, state: StarState, pegs: Pegs) -> StarState:
        """The state after a turn that led to ``pegs``, but for what is told of it."""
        mover, *others = self._playing(state)
        following = replace(state, pegs=pegs, seat=(mover + 1) % len(self.seats))
        return self._settled(following, (mover, *others))

    def _settled(self, state: StarState, in_turn: Sequence[int]) -> StarState:
        """``state`` with who of ``in_turn`` came home, in this order, and the end or the seat that can move."""
        came = tuple(seat for seat in in_turn if self.kernel.is_home(state.pegs, seat))
        if came and not self.tables.places:
            return replace(state, outcome=Outcome(came[0], self._how_home(state.pegs, came[0])), passed=())
        state = replace(state, home=state.home + came, passed=())
        playing = self._playing(state)
        if state.home and len(playing) <= 1:
            return replace(state, outcome=self._all_placed((*state.home, *playing)))
        for index, seat in enumerate(playing):
            if self.kernel.can_move(state.pegs, seat):
                return replace(state, seat=seat, passed=playing[:index])
        return replace(state, outcome=Outcome(state.home[0] if state.home else None, outcomes.STUCK, state.home))

    def _all_placed(self, places: tuple[int, ...]) -> Outcome:
        return Outcome(places[0], outcomes.first_home(self.seats[places[0]].name), places)

    def _how_home(self, pegs: Pegs, seat: int) -> str:
        if self.kernel.at_home(pegs, seat) == self.kernel.standing(pegs, seat):
            return outcomes.ALL_HOME
        return outcomes.FILLED

    def _notices(self, state: StarState) -> Iterable[str]:
        names = [seat.name for seat in self.seats]
        counts = self.pegs_home(state)
        if any(home for home, _ in counts):
            homes = tuple(outcomes.home_of(name, home, pegs) for name, (home, pegs) in zip(names, counts, strict=True))
            yield outcomes.pegs_home(homes)
        if state.home and not state.outcome:
            yield outcomes.came_home(tuple(names[seat] for seat in state.home))
        if state.reasons and not state.outcome:
            yield outcomes.out_of_game(state.reasons)
        for seat in state.passed:
            yield outcomes.passes(names[seat])
