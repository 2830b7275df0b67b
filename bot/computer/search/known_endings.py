"""Which of several turns comes first where endgame tables know that they are worth the same and a search sees no more:
of those that win the one nearest to a capture or a crowning, of those that draw the one that is hardest to answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from bot.computer.endgames.conversion_tables import PIECES
from bot.computer.endgames.files import EndgameFileError
from bot.computer.kernels.outcome_blocks import SURE, SURE_MOST
from bot.computer.kernels.outcome_solver import DRAW, WIN
from bot.engine.draughts.state import DraughtsState, Position
from bot.engine.turns import Turn

if TYPE_CHECKING:
    from bot.computer.endgames.lookup import Endgames
    from bot.computer.kernels.lookup_tables import LookupTables
    from bot.computer.search.nodes import Node
    from bot.engine.draughts.rules import DraughtsRules

Ranked = tuple[tuple[Turn, int], ...]


class KnownEnding:
    """A state whose pieces tables know. ``tables``: those of the game; ``node``: a position as the search takes it."""

    def __init__(
        self,
        rules: DraughtsRules,
        tables: LookupTables,
        endgames: Endgames,
        node: Callable[[Position], Node],
        state: DraughtsState,
    ) -> None:
        self.rules, self.tables, self.endgames, self.node, self.state = rules, tables, endgames, node, state

    def look_up(self) -> None:
        """Read what ``ranked`` may need before the time is spent: a class takes up to 0.1 s."""
        position, conversions = self.state.position, self.endgames.conversions
        if conversions is None or sum(position.material()) != PIECES:
            return
        with suppress(EndgameFileError, OSError):
            if self._worth(position) == WIN:
                node = self.node(position)
                conversions.distance(node.sets, node.side)

    def ranked(self, ranked: Ranked) -> Ranked:
        """The turns with the one first that is best of those with its score."""
        if self.state.before is not None or any(turn.captured for turn, _ in ranked):
            return ranked
        try:
            best = None
            if SURE <= ranked[0][1] <= SURE_MOST:
                best = self._nearest_to_a_conversion(ranked)
            elif ranked[0][1] == 0:
                best = self._hardest_to_answer(ranked)
        except (EndgameFileError, OSError):
            return ranked
        if best is None:
            return ranked
        return ((ranked[best][0], ranked[0][1]), *ranked[:best], *ranked[best + 1 :])

    def _nearest_to_a_conversion(self, ranked: Ranked) -> int | None:
        """Where it is won as it stands, but the search does not see how."""
        state, conversions = self.state, self.endgames.conversions
        if conversions is None or sum(state.position.material()) != PIECES:
            return None
        crowns = state.position.kings[state.seat].bit_count() + 1
        twice = {position for position, times in Counter(state.trail).items() if times > 1}
        near: list[tuple[int, int]] = []
        for index, (turn, _) in enumerate(ranked):
            there = self.rules.play(state, turn).position
            node = self.node(there)
            crowned = there.kings[state.seat].bit_count() == crowns
            distance = conversions.by_move(node.sets, node.side, crowned=crowned)
            if distance >= 0 and not (twice and self._may_stand(turn, twice)):
                near.append((distance, index))
        return min(near)[1] if near else None

    def _may_stand(self, turn: Turn, among: Iterable[Position]) -> bool:
        """Whether one of these positions stands after a turn, or may after the answer to it."""
        there = self.rules.play(self.state, turn)
        answers = () if there.outcome is not None else self.rules.turns(there)
        return there.position in among or any(answer.after in among for answer in answers)

    def _hardest_to_answer(self, ranked: Ranked) -> int | None:
        """Where it is drawn: the turn that the largest share of answers loses against, of those the one that leaves
        most. What stood there before counts half each time."""
        rules, known = self.rules, self.endgames.outcomes or self.endgames.file
        # What is drawn before moves are counted stays so, but where a king that has run has to rest.
        if self.tables.run or sum(self.state.position.material()) > known.pieces:
            return None
        hard: list[tuple[float, int, int]] = []
        for index, (turn, score) in enumerate(ranked):
            there = rules.play(self.state, turn)
            # A bound of what is no better than the best is a hundredth less.
            if score < -1 or there.outcome is not None or self._worth(there.position) != DRAW:
                continue
            answers = [self._worth(answer.after) for answer in rules.turns(there) if not answer.neglects]
            share = answers.count(WIN) / len(answers) / 2 ** self.state.trail.count(there.position)
            hard.append((share, -self.node(there.position).score, -index))
        return -max(hard)[2] if hard else None

    def _worth(self, position: Position) -> int:
        """Who wins (see outcome_solver), as the mover sees it."""
        node = self.node(position)
        return self.endgames.asked.worth(node.sets, node.side)
