"""Endings solved by the public rules alone, and looked up: the measure that the tables are held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from random import Random

from bot.computer.endgames.counted_material import Material
from bot.computer.endgames.files import EndgameFile
from bot.computer.endgames.lookup import Endgames
from bot.computer.endgames.material import Layout
from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.move_counts import counts_of
from bot.computer.search.draughts import Searcher
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, Position, Run, bits
from bot.engine.registry import rules_for, rules_of
from tests.support.engine.game_files import rules_of_file
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


def alone(rules: DraughtsRules, most: int | None = None, **board: int) -> DraughtsRules:
    """The same game on a board of another ``width`` and ``height``, or on its own, in which positions and moves are
    counted in endings alone, as tables tell it; ``most``: no ending lasts more moves."""
    tables = rules.tables
    endings = [
        ending if most is None else ending.model_copy(update={"moves": min(ending.moves, most)})
        for ending in tables.draws.endings
    ]
    changed = {
        "board": tables.board.model_copy(update=board),
        "start": tables.start.model_copy(update={"rows": [1], "squares": []}) if board else tables.start,
        "capture": tables.capture.model_copy(update={"neglect": "compulsory"}),
        "draws": tables.draws.model_copy(update={"repetition": False, "quiet_moves": 0, "endings": endings}),
    }
    return DraughtsRules(replace(rules.variant, tables=tables.model_copy(update=changed)))


def small(name: str, size: int, most: int | None = None) -> DraughtsRules:
    """A game that is a file on ``size`` squares by ``size``, on two more across where it is wider than high."""
    rules = rules_of_file(name)
    wider = rules.tables.board.width > rules.tables.board.height
    return alone(rules, most, width=size + 2 * wider, height=size)


class Book:
    """The tables of a game's rules, asked with the positions of the public rules."""

    def __init__(self, rules: DraughtsRules, file: EndgameFile) -> None:
        self.rules = rules
        self.searcher = Searcher(rules, PLAIN)
        self.endgames = Endgames(file, rules, self.searcher.plain, PLAIN)

    def byte(self, position: Position, played: int = 0, stood: int = 0) -> int:
        """After so many plies with this material, and in this ending."""
        node = self.searcher.node(position)
        counts = counts_of(played, stood, *self.searcher.runs(position))
        return self.endgames.byte(node.sets, node.side, counts)

    def of_state(self, state: DraughtsState) -> int:
        """The byte of a state in which nothing was neglected; of one that is over, what its outcome is worth."""
        if state.outcome is not None:
            # A side that could not move at once has lost; an end that the side to move wins counts as one ply more.
            return 0 if state.outcome.winner is None else 2 if state.outcome.winner == state.seat else 1
        return self.byte(state.position, sum(state.since), self.rules.endings.stood(state))


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


def in_all_counts(rules: DraughtsRules, state: DraughtsState) -> Iterator[DraughtsState]:
    """The state, then as it is after moves that the rules count: plies with this material and in this ending, runs of
    kings."""
    yield state
    endings = [counted.ending for counted in rules.endings.standing(state)]
    long = [ending for ending in endings if ending.main_road or ending.since == "ending"]
    made = min((2 * ending.moves for ending in endings if ending not in long), default=0)
    stood = max((2 * ending.moves for ending in long), default=0)
    for played, plies in list(product(range(made + 1), range(stood + 1)))[1:]:
        yield counted_so(rules, state, played, plies)
    for runs in runs_of(rules, state.position):
        yield state_of(rules, state.position._replace(runs=runs))


def counted_so(rules: DraughtsRules, state: DraughtsState, played: int, stood: int) -> DraughtsState:
    """The state after so many plies with this material and in this ending."""
    fewer, more = played // 2, (played + 1) // 2
    # Who is not to move has made the last of them.
    since = (fewer, more) if state.seat == 0 else (more, fewer)
    # Positions with the same pieces: the ending has stood in all of them.
    trail = [state.position._replace(turn=(state.seat + back) % 2) for back in range(stood, 0, -1)]
    quiet = 0 if any(state.position.men) else played
    return rules._arrived(replace(state, trail=tuple(trail), since=since, quiet=quiet, outcome=None))


def runs_of(rules: DraughtsRules, position: Position) -> Iterator[tuple[Run | None, Run | None]]:
    """All runs that the kings of a position can have made, but none at all."""
    longest = rules.tables.king.run

    def of(side: int) -> list[Run | None]:
        kings = bits(position.kings[side]) if longest and position.men[side] else ()
        return [None, *(Run(place, moves) for place in kings for moves in range(1, longest + 1))]

    return ((first, second) for first, second in product(of(0), of(1)) if first or second)


def some(rules: DraughtsRules, layout: Layout, random: Random, number: int) -> list[DraughtsState]:
    """Positions of the most pieces that a layout has, as games that begin with them."""
    full = [material for material in layout.classes if sum(material) == layout.pieces]
    found: list[DraughtsState] = []
    while len(found) < number:
        material = random.choice(full)
        places = random.sample(sorted(rules.board.played), layout.pieces)
        sets = [0, 0, 0, 0]
        for place, group in zip(places, [g for g in range(4) for _ in range(material[g])], strict=True):
            sets[group] |= 1 << place
        turn = random.choice((0, 1))
        men, kings = (sets[0], sets[2]), (sets[1], sets[3])
        if turn:
            men, kings = (men[1], men[0]), (kings[1], kings[0])
        if not any(men[side] & rules.kernel.crown[side] for side in (0, 1)):
            found.append(state_of(rules, Position(turn, men, kings)))
    return found


def one_ply(book: Book, states: Iterable[DraughtsState], *, all_counts: bool = False) -> None:
    for state in states:
        counts = list(in_all_counts(book.rules, state))
        for counted in range(len(counts)) if all_counts else {0, len(counts) // 2, len(counts) - 1}:
            one = counts[counted]
            if one.outcome is None:
                told = book.of_state(one)
                assert told == backed_up(book, one), (book.rules.position(one), one.since)


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


Key = tuple[Position, int, int, Position | None, bool]
"""A state: its position, plies with its material and in its ending where they are counted, what was neglected, whether
it is obliged."""


def solved(rules: DraughtsRules, classes: Iterable[Material]) -> dict[Key, int]:
    """What all states are worth that games from the positions of these classes come to, found by going over them until
    nothing changes: slow and obvious, and nothing of the computer's is used. One more than the plies to the mover's
    win, or as much below zero for a loss; a draw is not in it, or 0.

    Where a capture may be neglected it is: the opponent huffs, obliges or waives, whatever is best.
    """
    most = max((2 * ending.moves for ending in rules.tables.draws.endings), default=0)
    neglectful = rules.tables.capture.neglect == "soplar"

    def key_of(state: DraughtsState) -> Key:
        counted = not neglectful and next(rules.endings.standing(state), None) is not None
        before = state.before.position if state.before else None
        made = min(sum(state.since), most) if counted else 0
        return state.position, made, rules.endings.stood(state), before, state.must_capture

    found: dict[Key, int] = {}
    after: dict[Key, list[tuple[Key, bool]]] = {}
    waiting = [
        state
        for material in classes
        for position in positions(rules, material)
        for state in (
            in_all_counts(rules, state_of(rules, position)) if not neglectful else [state_of(rules, position)]
        )
    ]
    seen = {key_of(state) for state in waiting}
    while waiting:
        state = waiting.pop()
        key = key_of(state)
        if state.outcome is not None:
            # An end that the side to move wins counts as one ply more, but where a huff may leave it to move.
            won = 1 if neglectful else 2
            found[key] = 0 if state.outcome.winner is None else won if state.outcome.winner == state.seat else -1
            continue
        after[key] = []
        for turn in (*rules.remedies(state), *rules.turns(state)):
            following = rules.play(state, turn)
            following = replace(following, trail=following.trail[-1 - rules.endings.stood(following) :])
            after[key].append((key_of(following), following.seat == state.seat))
            if key_of(following) not in seen:
                seen.add(key_of(following))
                waiting.append(following)
    plies, changed = 0, True
    while changed or plies < 2:
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


def wrong(book: Book, classes: Iterable[Material]) -> list[str]:
    """The states of these classes of which tables do not tell what ``solved`` finds, each with either's worth."""
    rules, classes = book.rules, list(classes)
    found = solved(rules, classes)
    differ: list[str] = []
    for position in (position for material in classes for position in positions(rules, material)):
        for state in in_all_counts(rules, state_of(rules, position)):
            made = sum(state.since) if next(rules.endings.standing(state), None) else 0
            stood = rules.endings.stood(state)
            byte = book.byte(state.position, made, stood)
            told, by_force = byte if byte % 2 == 0 else -byte, found.get((state.position, made, stood, None, False), 0)
            if told != by_force:
                runs = state.position.runs
                differ.append(f"{rules.position(state)} {runs} {made} {stood}: {told}, not {by_force}")
    return differ
