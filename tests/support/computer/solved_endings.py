"""Endings solved by the public rules alone, and looked up: the measure that the tables are held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

from bot.computer.endgames.files import EndgameFile
from bot.computer.endgames.lookup import Endgames
from bot.computer.endgames.material import Material
from bot.computer.kernels.backends import PLAIN
from bot.computer.search.draughts import Searcher
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, Position
from bot.engine.registry import rules_for, rules_of
from tests.support.engine.random_positions import Options


def draughts(game: str, options: Options) -> DraughtsRules:
    rules = rules_for(game, options)
    assert isinstance(rules, DraughtsRules)
    return rules


def on_a_small_board(game: str) -> DraughtsRules:
    """A shipped game on six squares by six, whose tables are made in no time."""
    text = (Path(variants.__file__).parents[2] / "data" / "variants" / f"{game}.toml").read_text("utf-8")
    for what, instead in (("width = 8", "width = 6"), ("height = 8", "height = 6"), ("[1, 2, 3]", "[1, 2]")):
        assert what in text
        text = text.replace(what, instead)
    # PDN has no number for it.
    text = "\n".join(line for line in text.splitlines() if not line.startswith("game_type"))
    rules = rules_of(variants.read(text, f"small-{game}.toml"))
    assert isinstance(rules, DraughtsRules)
    return rules


class Book:
    """The tables of a game's rules, asked with the positions of the public rules."""

    def __init__(self, rules: DraughtsRules, file: EndgameFile) -> None:
        self.rules = rules
        self.searcher = Searcher(rules, PLAIN)
        self.endgames = Endgames(file, rules, self.searcher.plain, PLAIN)

    def byte(self, position: Position, played: int = 0) -> int:
        node = self.searcher.node(position)
        return self.endgames.byte((node.men, node.kings, node.foe_men, node.foe_kings), node.side, played)

    def of_state(self, state: DraughtsState) -> int:
        """The byte of a state in which nothing was neglected; of one that is over, what its outcome is worth."""
        if state.outcome is not None:
            # A side that could not move at once has lost; nobody is to move where the other has no pieces.
            return 0 if state.outcome.winner is None else 1
        return self.byte(state.position, sum(state.since))


def backed_up(book: Book, state: DraughtsState) -> int:
    """What the byte of a state must be by those of its successors. A neglect is left out: see the layout."""
    if state.outcome is not None:
        return book.of_state(state)
    rules = book.rules
    worths = [book.of_state(rules.play(state, turn)) for turn in rules.turns(state) if not turn.neglects]
    assert min(worths) >= 0, rules.position(state)
    losses = [worth for worth in worths if worth % 2]
    if losses:
        return min(losses) + 1
    return 0 if 0 in worths else max(worths) + 1


def counts_of(rules: DraughtsRules, state: DraughtsState) -> Iterator[DraughtsState]:
    """The state, and where its moves are counted the same after any number of plies with this material."""
    yield state
    ending = next((counted.ending for counted in rules.endings.standing(state)), None)
    for played in range(1, 2 * ending.moves + 1 if ending else 1):
        fewer, more = played // 2, (played + 1) // 2
        # Who is not to move has made the last of them.
        since = (fewer, more) if state.seat == 0 else (more, fewer)
        yield rules._arrived(replace(state, trail=(), since=since, quiet=played, outcome=None))


def positions(rules: DraughtsRules, material: Material) -> Iterator[Position]:
    """All positions of a class, the first side to move and then the second."""
    last = rules.board.height - 1
    played = sorted(rules.board.played)

    def sets(side: int, number: int, king: bool) -> Iterable[tuple[int, ...]]:
        crown = last if side == 0 else 0
        return combinations([p for p in played if king or rules.board.places[p][1] != crown], number)

    for turn in (0, 1):
        own, foe = turn, 1 - turn
        for groups in product(
            sets(own, material[0], False), sets(own, material[1], True), sets(foe, material[2], False),
            sets(foe, material[3], True),
        ):  # fmt: skip
            if len(set().union(*groups)) == sum(material):
                bits = [sum(1 << place for place in group) for group in groups]
                men, kings = (bits[0], bits[2]), (bits[1], bits[3])
                yield Position(turn, (men[own], men[foe]), (kings[own], kings[foe]))


def state_of(rules: DraughtsRules, position: Position) -> DraughtsState:
    """A game that begins with this position."""
    return rules._arrived(DraughtsState(position, ()))


Key = tuple[Position, int, Position | None, bool]
"""A state: its position, plies with its material where they are counted, what was neglected, whether it is obliged."""


def solved(rules: DraughtsRules, classes: Iterable[Material]) -> dict[Key, int]:
    """What all states are worth that games from the positions of these classes come to, found by going over them until
    nothing changes: slow and obvious, and nothing of the computer's is used. One more than the plies to the mover's
    win, or as much below zero for a loss; a draw is not in it, or 0.

    Where a capture may be neglected it is: the opponent huffs, obliges or waives, whatever is best.
    """
    neglectful = rules.tables.capture.neglect == "soplar"

    def key_of(state: DraughtsState) -> Key:
        counted = not neglectful and next(rules.endings.standing(state), None) is not None
        before = state.before.position if state.before else None
        return state.position, sum(state.since) if counted else 0, before, state.must_capture

    found: dict[Key, int] = {}
    after: dict[Key, list[tuple[Key, bool]]] = {}
    waiting = [
        state
        for material in classes
        for position in positions(rules, material)
        for state in (counts_of(rules, state_of(rules, position)) if not neglectful else [state_of(rules, position)])
    ]
    seen = {key_of(state) for state in waiting}
    while waiting:
        state = waiting.pop()
        key = key_of(state)
        if state.outcome is not None:
            found[key] = 0 if state.outcome.winner is None else 1 if state.outcome.winner == state.seat else -1
            continue
        after[key] = []
        for turn in (*rules.remedies(state), *rules.turns(state)):
            following = replace(rules.play(state, turn), trail=())
            after[key].append((key_of(following), following.seat == state.seat))
            if key_of(following) not in seen:
                seen.add(key_of(following))
                waiting.append(following)
    plies, changed = 0, True
    while changed:
        plies += 1
        changed = False
        for key, successors in list(after.items()):
            # Seen from this state's mover: whether each is a win (True), a loss (False) or not decided by now (None).
            worths = [
                None if not found.get(one) or abs(found[one]) > plies else (found[one] > 0) == same
                for one, same in successors
            ]
            if True in worths:
                found[key] = plies + 1
            elif None not in worths:
                found[key] = -plies - 1
            else:
                continue
            changed = True
            del after[key]
    return found
