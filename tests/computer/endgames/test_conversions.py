"""Tables of how far what is won is from a capture or a crowning: exact, made in parts, followed by a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.background import endgame_tables
from bot.computer.endgames import lookup, outcome_making
from bot.computer.endgames.conversion_tables import NEAR, PIECES, ConversionFile, Conversions
from bot.computer.endgames.counted_material import Material
from bot.computer.endgames.files import CONVERSIONS, OUTCOMES, EndgameFileError, name_of
from bot.computer.endgames.lookup import Endgames, make
from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.outcome_blocks import SURE, SURE_MOST
from bot.computer.kernels.outcome_solver import LOSS, WIN
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, DraughtsTurn, Position
from tests.support.computer.solved_endings import positions, state_of
from tests.support.computer.tiny_boards import GAMES, on_a_tiny_board, random_states, rules_for_draughts, sets_of
from tests.support.thoroughness import THOROUGH

pytestmark = [pytest.mark.xdist_group("tiny tables"), pytest.mark.usefixtures("plainly")]


def conversions_of(endgames: Endgames) -> Conversions:
    assert endgames.conversions is not None
    return endgames.conversions


def crowns(state: DraughtsState, turn: DraughtsTurn) -> bool:
    return turn.after.kings[state.seat].bit_count() > state.position.kings[state.seat].bit_count()


def quiet_turns(rules: DraughtsRules, state: DraughtsState) -> list[DraughtsTurn]:
    """What may be played without capturing; nothing where there is a capture, or the game is over."""
    turns = [] if state.outcome is not None else rules.turns(state)
    return [] if any(turn.captured for turn in turns) else list(turns)


def by_the_words(rules: DraughtsRules, material: Material, worth: Callable[[Position], int]) -> dict[Position, int]:
    """The distances of all positions of one class with the first side to move, and of those with colours and sides
    changed, by what the tables say they are and the public rules alone, the nearest first."""
    waiting: dict[Position, list[set[Position]]] = {}
    known: dict[Position, int] = {}
    for position in positions(rules, material):
        state = state_of(rules, position)
        turns = quiet_turns(rules, state)
        if not turns or worth(position) != WIN:
            continue
        won_by = [turn for turn in turns if worth(turn.after) == LOSS]
        if any(crowns(state, turn) for turn in won_by):
            known[position] = 0
            continue
        waiting[position] = []
        for turn in won_by:
            there = rules.play(state, turn)
            # What the other side may answer without a capture or a crowning by anybody.
            answers = [each for each in quiet_turns(rules, there) if not crowns(there, each)]
            after = [rules.play(there, each) for each in answers]
            waiting[position].append({each.position for each in after if quiet_turns(rules, each)})
    distance = 0
    while waiting:
        distance += 1
        found = [p for p, ways in waiting.items() if any(way <= known.keys() for way in ways)]
        assert found
        for position in found:
            del waiting[position]
        known.update(dict.fromkeys(found, distance))
    return known


@pytest.mark.parametrize("game", GAMES)
def test_they_are_what_the_words_say(game: str, tiny: Callable[[str], Endgames]) -> None:
    """All positions of a class are as far from a conversion as the public rules find, by the words of what it is, and
    so far by their own best move."""
    endgames, rules = tiny(game), on_a_tiny_board(game)
    searcher, far = Searcher(rules, PLAIN), conversions_of(endgames)

    def worth(position: Position) -> int:
        return endgames.worth(*sets_of(searcher, position))

    seen = set()
    for material in (m for m in far.file.blocks if THOROUGH > 1 or m in ((1, 2, 1, 1), (1, 1, 2, 1), (2, 1, 2, 0))):
        for position, distance in by_the_words(rules, material, worth).items():
            state = state_of(rules, position)
            assert far.distance(*sets_of(searcher, position)) == distance, rules.position(state)
            by_moves = [
                far.by_move(*sets_of(searcher, turn.after), crowned=crowns(state, turn))
                for turn in quiet_turns(rules, state)
            ]
            assert min(each for each in by_moves if each >= 0) == distance
            seen.add(distance)
    assert seen >= {0, 1, 2}


def won_states(rules: DraughtsRules, endgames: Endgames, number: int) -> Iterator[DraughtsState]:
    searcher = Searcher(rules, PLAIN)
    for state in random_states(rules, PIECES, number, Random("won")):
        if endgames.worth(*sets_of(searcher, state.position)) == WIN:
            yield state


def test_a_search_that_does_not_see_how_goes_the_shortest_way(
    tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is won as it stands, a search of one ply plays what brings it nearest to a conversion, but for what
    would be drawn for the third time; one with a margin, or without these tables, plays what it likes."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    repeating = rules.tables.model_copy(update={"draws": rules.tables.draws.model_copy(update={"repetition": True})})
    rules = DraughtsRules(replace(rules.variant, tables=repeating))
    monkeypatch.setenv(lookup.FOLDER, str(endgames.file.path.parent))
    searcher, far = Searcher(rules, PLAIN), conversions_of(endgames)
    otherwise = avoided = 0
    for state in won_states(rules, endgames, 300):
        found = searcher.think(state, Limit(depth=1))
        if not SURE <= found.score <= SURE_MOST:
            continue

        def distance(turn: DraughtsTurn, state: DraughtsState = state) -> int:
            return far.by_move(*sets_of(searcher, turn.after), crowned=crowns(state, turn))

        each = {turn.text: turn for turn in rules.turns(state)}
        best = far.distance(*sets_of(searcher, state.position))
        assert distance(each[found.turn.text]) == best
        assert found.turn == found.ranked[0][0]
        assert {turn.text for turn, _ in found.ranked} == each.keys()
        assert [score for _, score in found.ranked] == sorted((score for _, score in found.ranked), reverse=True)
        with_margin = searcher.think(state, Limit(depth=1, margin=1))
        otherwise += distance(each[with_margin.turn.text]) != best
        # As if what it would play had stood there twice, or what the other side may answer.
        there = rules.play(state, each[found.turn.text])
        answers = [] if there.outcome is not None else [turn.after for turn in rules.turns(there)]
        for stood in (there.position, *answers[-1:]):
            again = replace(state, trail=(stood, stood, *state.trail), quiet=2)
            other = searcher.think(again, Limit(depth=1))
            safe = [turn for text, turn in each.items() if text != found.turn.text and distance(turn) >= 0]
            if safe and not any(_may_come(rules, state, turn, stood) for turn in safe):
                avoided += 1
                assert other.turn != found.turn
                assert distance(each[other.turn.text]) == min(map(distance, safe))
    assert otherwise > 5
    assert avoided > 10


def _may_come(rules: DraughtsRules, state: DraughtsState, turn: DraughtsTurn, position: Position) -> bool:
    there = rules.play(state, turn)
    answers = () if there.outcome is not None else rules.turns(there)
    return position in (turn.after, *(answer.after for answer in answers))


def test_a_leader_is_finished(tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch) -> None:
    """What leads by these tables is not told to be unfinished, whenever the search was broken off."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    monkeypatch.setenv(lookup.FOLDER, str(endgames.file.path.parent))
    searcher = Searcher(rules, PLAIN)
    for nodes, state in enumerate(won_states(rules, endgames, 150), start=5):
        found = searcher.think(state, Limit(nodes=nodes))
        assert found.turn.text not in found.unfinished


def test_tables_are_read_before_the_time_is_spent(
    tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What tells how far it is to a conversion is read before the first ply, and not again behind the last one; in
    what is not won it is left alone."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    monkeypatch.setenv(lookup.FOLDER, str(endgames.file.path.parent))
    searcher, events = Searcher(rules, PLAIN), list[Material | str]()
    state = next(won_states(rules, endgames, 60))
    held = searcher.endgames(state.position)
    assert held is not None
    far, read, negamax = conversions_of(held).file, conversions_of(held).file.read, held.negamax

    def told(material: Material) -> bytes:
        events.append(material)
        return read(material)

    def searched(*arguments: object) -> int:
        events.append("a branch")
        return negamax(*arguments)

    monkeypatch.setattr(far, "read", told)
    monkeypatch.setitem(held.__dict__, "negamax", searched)
    searcher.think(state, Limit(depth=1))
    assert events[0] != "a branch"
    assert {*events} == {events[0], "a branch"}
    events.clear()
    for other in random_states(rules, PIECES, 60, Random("won")):
        if endgames.worth(*sets_of(searcher, other.position)) != WIN:
            searcher.think(other, Limit(depth=1))
    assert {*events} == {"a branch"}


def test_a_search_takes_up_what_is_made_meanwhile(
    tiny: Callable[[str], Endgames], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that has searched without these tables looks into them once they are there, and does without when they are
    gone."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    far = conversions_of(endgames).file.path
    for path in far.parent.iterdir():
        if path != far:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setenv(lookup.FOLDER, str(tmp_path))
    searcher = Searcher(rules, PLAIN)
    position = next(won_states(rules, endgames, 60)).position

    def looks_in() -> bool:
        found = searcher.endgames(position)
        assert found is not None
        return found.conversions is not None

    assert not looks_in()
    (tmp_path / far.name).write_bytes(far.read_bytes())
    assert looks_in()
    (tmp_path / far.name).unlink()
    assert not looks_in()


def test_a_damaged_class_is_made_anew(
    tiny: Callable[[str], Endgames], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class with another byte is said to be damaged, and the file is whole again after the next making; the bot
    takes it for missing."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    far = conversions_of(endgames).file
    for path in far.path.parent.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    plies = make(rules, tmp_path, 4)
    monkeypatch.setattr(outcome_making, "NEAR", -1)
    path = tmp_path / far.path.name
    block = max(far.blocks.values(), key=lambda block: block.packed)
    content = bytearray(path.read_bytes())
    content[block.start + block.packed // 2] ^= 1
    path.write_bytes(content)
    monkeypatch.setenv(lookup.FOLDER, str(tmp_path))
    assert not endgame_tables._has_outcomes(rules)

    told: list[str] = []
    outcome_making.make(rules, plies, PIECES, progress=told.append)

    assert told[0] == f"{path} is damaged. It is made anew."
    assert ConversionFile(path, rules.tables).is_whole()
    assert endgame_tables._has_outcomes(rules)


def test_only_what_is_missing_is_made(
    tiny: Callable[[str], Endgames], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside tables of who wins that are there, these alone are made, the same as together; what is whole is left
    alone, and where quiet moves are counted, or classes are large, there are none."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    assert endgames.outcomes is not None
    whole = conversions_of(endgames).file
    plies = make(rules, tmp_path, 4)
    monkeypatch.setattr(outcome_making, "NEAR", -1)
    there = tmp_path / endgames.outcomes.path.name
    there.write_bytes(endgames.outcomes.path.read_bytes())
    stood = there.stat()

    outcome_making.make(rules, plies, PIECES)

    made = ConversionFile(tmp_path / whole.path.name, rules.tables)
    assert made.layout.made == whole.layout.made
    assert all(made.read(material) == whole.read(material) for material in whole.blocks)
    assert there.stat().st_mtime_ns == stood.st_mtime_ns
    told: list[str] = []
    outcome_making.make(rules, plies, PIECES, progress=told.append)
    assert told == []
    assert {path.suffix for path in tmp_path.iterdir()} == {".endgames", ".outcomes", ".conversions"}
    counted = rules.tables.model_copy(update={"draws": rules.tables.draws.model_copy(update={"quiet_moves": 9})})
    assert not outcome_making.convertible(counted)
    assert not outcome_making.convertible(rules_for_draughts("tama").tables)


def test_what_is_near_everywhere_is_left_out(tiny: Callable[[str], Endgames], tmp_path: Path) -> None:
    """A class in which every conversion is near takes no bytes, and nothing is told of it."""
    rules = on_a_tiny_board("spanish")
    plies = make(rules, tmp_path, 4)
    outcome_making.make(rules, plies, PIECES)
    file = lookup.conversions_for(rules, [tmp_path])
    assert file is not None
    empty = {material for material, block in file.blocks.items() if not block.size}
    everything = conversions_of(tiny("spanish")).file
    assert empty == {m for m in everything.blocks if max(everything.read(m)) <= NEAR}
    assert empty
    searcher = Searcher(rules, PLAIN)
    near = Conversions(file, searcher.plain, rules.board, tiny("spanish").worth)
    for state in won_states(rules, tiny("spanish"), 60):
        sets, side = sets_of(searcher, state.position)
        told = near.distance(sets, side)
        assert told == (-1 if tuple(each.bit_count() for each in sets) in empty else told)
        assert told in (-1, conversions_of(tiny("spanish")).distance(sets, side))


def test_a_damaged_file_is_none(tiny: Callable[[str], Endgames], tmp_path: Path) -> None:
    """One without its end, with a class of another size, or for other rules is refused; a class with another byte is
    found when it is read, and a search then does without."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    file = conversions_of(endgames).file
    content = file.path.read_bytes()
    path = tmp_path / file.path.name
    for damaged in (content[:-40], content[: len(content) // 2], b"", content.replace(b'"size": 0', b'"size": 7', 1)):
        path.write_bytes(damaged)
        if damaged != content:
            with pytest.raises(EndgameFileError):
                ConversionFile(path, rules.tables)
            assert lookup.conversions_for(rules, [tmp_path]) is None
    path.write_bytes(content)
    with pytest.raises(EndgameFileError, match="other rules"):
        ConversionFile(path, on_a_tiny_board("pinoy").tables)
    block = next(block for block in file.blocks.values() if block.packed > 10)
    path.write_bytes(content[: block.start + 5] + bytes([content[block.start + 5] ^ 1]) + content[block.start + 6 :])
    again = ConversionFile(path, rules.tables)
    material = next(material for material, each in file.blocks.items() if each is block)
    with pytest.raises(EndgameFileError, match="damaged"):
        again.read(material)


def test_names() -> None:
    """Each kind of file has a name of its own."""
    tables = rules_for_draughts("spanish").tables
    assert name_of("spanish", tables, CONVERSIONS).endswith(".conversions")
    assert name_of("spanish", tables, CONVERSIONS) != name_of("spanish", tables, OUTCOMES)
