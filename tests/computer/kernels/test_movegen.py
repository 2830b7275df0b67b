"""The kernel of integers against the rules: the same moves in every draughts game, option and board."""

from __future__ import annotations

from random import Random

import pytest

from bot.computer.kernels.movegen import SPAN, can_step, capturers, captures, quiets
from bot.computer.search.draughts import Searcher
from bot.computer.search.nodes import Node
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import Position
from bot.engine.registry import rules_for
from tests.support.engine import slow_draughts
from tests.support.engine.family_laws import FAMILY
from tests.support.engine.game_files import LAWS, rules_of_file
from tests.support.engine.random_positions import GAMES, Options, by_placement, by_play, crowded, endings, name_of
from tests.support.thoroughness import THOROUGH

every_game = pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)


class Moves:
    """The kernel's moves of positions of one game."""

    def __init__(self, rules: DraughtsRules) -> None:
        self.rules, self.searcher = rules, Searcher(rules)
        self.room = [0] * (3 * SPAN)

    def after(self, position: Position) -> list[Node]:
        """The positions after each move, as the kernel tells them, without keys and worth."""
        here, t = self.searcher.node(position), self.searcher.plain
        side, men, kings, foe_men, foe_kings = here[:5]
        able = capturers(t, side, men, kings, foe_men, foe_kings)
        if able:
            count = captures(t, side, men, kings, foe_men, foe_kings, able, self.room, 0)
        else:
            occupied = men | kings | foe_men | foe_kings
            count = quiets(t, side, men, kings, occupied, self.room, 0)
            assert can_step(t, side, men, kings, occupied) == bool(count)
        found = []
        for move, prey in zip(self.room[:count], self.room[SPAN : SPAN + count], strict=True):
            start, end, king_after, king_before = move & 255, move >> 8 & 255, move >> 16 & 1, move >> 17
            assert bool(kings >> start & 1) == king_before
            left_men, left_kings = men & ~(1 << start), kings & ~(1 << start)
            if king_after:
                left_kings |= 1 << end
            else:
                left_men |= 1 << end
            gone = prey if able else 0
            found.append(Node(1 - side, foe_men & ~gone, foe_kings & ~gone, left_men, left_kings, 0, 0))
        return found

    def check(self, position: Position, where: str) -> None:
        state = self.rules.start()
        state = type(state)(position, (position,))
        turns = [turn for turn in self.rules.moves(state) if not turn.neglects]
        expected = [self.searcher.node(turn.after)._replace(key=0, score=0) for turn in turns]
        assert sorted(expected) == sorted(self.after(position)), where


@every_game
def test_moves_agree_with_the_rules(game: str, options: Options) -> None:
    """On random positions of every game and option the kernel has the same moves, each once."""
    rules = rules_for(game, options)
    assert isinstance(rules, DraughtsRules)
    moves, law, random = Moves(rules), slow_draughts.law_for(game, options), Random(f"kernel {game} {options}")
    for make, times in ((by_play, 5), (by_placement, 60), (crowded, 30), (endings, 10)):
        for _ in range(times * THOROUGH):
            text = slow_draughts.write(make(law, random))
            moves.check(rules.start(text).position, text)


@pytest.mark.parametrize("name", [*FAMILY, *LAWS])
def test_variants_of_ones_own(name: str) -> None:
    """A game that is only a file has the same moves too, on its own board and with its own rule of choice."""
    rules = rules_of_file(name)
    moves, random = Moves(rules), Random(f"kernel {name}")
    for _ in range(80 * THOROUGH):
        position = scattered(rules, random)
        moves.check(position, str(position))


def scattered(rules: DraughtsRules, random: Random) -> Position:
    """Men and kings anywhere, but no man on its last row."""
    sets = [[0, 0], [0, 0]]
    places = sorted(rules.board.played)
    for place in random.sample(places, random.randint(2, min(18, len(places)))):
        side = random.randrange(2)
        king = random.random() < 0.3 or bool(rules.kernel.crown[side] >> place & 1)
        sets[side][king] |= 1 << place
    men, kings = zip(*sets, strict=True)
    return Position(random.randrange(2), men, kings)
