"""What a game is worth under best play, as the endgame tables have it."""

from __future__ import annotations

from typing import NamedTuple

from bot.computer.endgames.files import EndgameFile
from bot.computer.endgames.lookup import Endgames
from bot.computer.endgames.outcome_tables import OutcomeFile
from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.outcome_solver import DRAW, LOSS, WIN
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import GameOverError
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState


def plies_of(rules: DraughtsRules, byte: int) -> int:
    """How many plies a byte of the tables tells of until the game is won, 0 for a draw."""
    # Where losing all wins every game ends with the winner to move: see kernels.endgame_index.
    return max(byte - (2 if rules.tables.outcome.wins == "lose-all" else 1), 0)


class EndgameVerdict(NamedTuple):
    """Who wins (None: nobody), and in how many plies if both play their best (None: nobody knows). ``sure`` is False
    where the win may take longer than ``quiet_moves`` gives it; that a position may occur for the third time is not
    looked at: the winner need not let it."""

    winner: int | None
    plies: int | None
    sure: bool


class Judge:
    """Gives verdicts on the positions of one game's rules. ``file``: its endgame tables, ``outcomes`` those of who wins
    with more pieces."""

    def __init__(self, rules: DraughtsRules, file: EndgameFile, outcomes: OutcomeFile | None = None) -> None:
        self.rules = rules
        self._searcher = Searcher(rules, PLAIN)
        self._endgames = Endgames(file, rules, self._searcher.plain, PLAIN, outcomes)
        self.pieces = (outcomes or file).pieces
        """Up to how many pieces there are verdicts."""

    def verdict(self, state: DraughtsState) -> EndgameVerdict | None:
        """What a state is worth; None where too many pieces are left. Counts of moves go on from where they are, a
        neglected capture may still be huffed or obliged.

        Raises GameOverError; EndgameFileError for a damaged file, OSError for one that cannot be read.
        """
        if state.outcome is not None:
            raise GameOverError()
        mover = state.seat
        byte = self._worth(state)
        if byte < 0:
            outcome = self._outcome(state) if sum(state.position.material()) <= self.pieces else -1
            if outcome < 0:
                return None
            winner = None if outcome == DRAW else mover if outcome == WIN else 1 - mover
            return EndgameVerdict(winner, None, winner is None or not self.rules.tables.draws.quiet_moves)
        winner = None if not byte else 1 - mover if byte % 2 else mover
        plies = plies_of(self.rules, byte)
        limit = 2 * self.rules.tables.draws.quiet_moves
        return EndgameVerdict(winner, plies, winner is None or not limit or state.quiet + plies <= limit)

    def _worth(self, state: DraughtsState) -> int:
        """The byte of a state to its mover, -1 where the tables have none."""
        if state.outcome is not None:
            if state.outcome.winner is None:
                return 0
            return 2 if state.outcome.winner == state.seat else 1
        if state.before is None:
            node = self._searcher.node(state.position)
            return self._endgames.byte(node.sets, node.side, self._searcher.counts(state))
        # A neglect is never worth more than the best capture.
        turns = [*self.rules.remedies(state), *(turn for turn in self.rules.turns(state) if not turn.neglects)]
        after = [(turn, self._worth(self.rules.play(state, turn))) for turn in turns]
        # After a huff the same side is to move.
        return _best([worth if turn.kind == "huff" else _one_ply_before(worth) for turn, worth in after])

    def _outcome(self, state: DraughtsState) -> int:
        """Who wins a state, to its mover, where its plies are not known; -1 where the tables do not say it."""
        byte = self._worth(state)
        if byte >= 0:
            return DRAW if not byte else LOSS if byte % 2 else WIN
        turns = [*self.rules.remedies(state), *(turn for turn in self.rules.turns(state) if not turn.neglects)]
        if state.before is None and not any(turn.captured for turn in turns):
            node = self._searcher.node(state.position)
            return self._endgames.outcome(node.sets, node.side)
        after = [(turn, self._outcome(self.rules.play(state, turn))) for turn in turns]
        # After a huff the same side is to move.
        worths = {worth if turn.kind == "huff" or worth < LOSS else LOSS + WIN - worth for turn, worth in after}
        return WIN if WIN in worths else -1 if -1 in worths else DRAW if DRAW in worths else LOSS


def _one_ply_before(byte: int) -> int:
    return byte + 1 if byte > 0 else byte


def _best(among: list[int]) -> int:
    """The shortest win, else a draw, else the longest loss; -1 where one is not known and might be better."""
    wins = [byte for byte in among if byte > 0 and byte % 2 == 0]
    if wins:
        return min(wins)
    return min(among) if min(among) < 1 else max(among)
