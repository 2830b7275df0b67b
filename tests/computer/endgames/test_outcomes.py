"""Tables of who wins with more pieces than tables of plies hold: exact, made in parts, looked into by the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from bot.computer.adjudication import Judge
from bot.computer.endgames import lookup, outcome_making
from bot.computer.endgames.build import Maker
from bot.computer.endgames.counted_material import Material, swapped
from bot.computer.endgames.files import EndgameFileError
from bot.computer.endgames.lookup import Endgames, make
from bot.computer.endgames.material import Layout, NoEndgames
from bot.computer.endgames.outcome_tables import OutcomeFile, OutcomeLayout, possible
from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.endgame_index import probe
from bot.computer.kernels.outcome_blocks import BLOCK, SURE, SURE_MOST, worth_at
from bot.computer.kernels.outcome_solver import DRAW, LOSS, WIN
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from tests.support.computer.solved_endings import positions, state_of
from tests.support.computer.tiny_boards import (
    GAMES,
    HALVED,
    on_a_tiny_board,
    random_states,
    rules_for_draughts,
    sets_of,
)
from tests.support.thoroughness import THOROUGH

pytestmark = [pytest.mark.xdist_group("tiny tables"), pytest.mark.usefixtures("plainly")]


def by_plies(byte: int) -> int:
    return DRAW if not byte else LOSS if byte % 2 else WIN


@pytest.mark.parametrize("game", GAMES)
def test_a_second_solver_agrees(game: str, tiny: Callable[[str], Endgames]) -> None:
    """All positions of five pieces in which nobody is captured are worth what the solver of plies finds, whichever
    side is to move."""
    endgames, rules = tiny(game), on_a_tiny_board(game)
    searcher = Searcher(rules, PLAIN)
    layout = Layout(rules.tables, 5)
    plies = dict(Maker(layout, PLAIN).made(lambda material: None))
    again = layout.entered(searcher.plain, rules.board, held=True)
    ends = bytearray().join(plies[material] for material in layout.classes)
    worths = set()
    for material in (m for m in layout.classes if sum(m) == 5):
        for position in islice(positions(rules, material), 0, None, 1 if THOROUGH > 1 else 5):
            state = state_of(rules, position)
            if not any(turn.captured for turn in rules.turns(state)):
                sets, side = sets_of(searcher, position)
                byte = probe(again, ends, side, *sets, 0)
                worths.add(endgames.outcome(sets, side))
                assert endgames.outcome(sets, side) == by_plies(byte), rules.position(state)
    assert worths >= {LOSS, WIN}


@pytest.mark.parametrize("game", GAMES)
def test_positions_follow_from_one_another(game: str, tiny: Callable[[str], Endgames]) -> None:
    """Each position is worth what the public rules' own moves make of it, captures played out; none is missing."""
    endgames, rules = tiny(game), on_a_tiny_board(game)
    searcher = Searcher(rules, PLAIN)

    def worth(state: DraughtsState) -> int:
        if state.outcome is not None:
            return DRAW if state.outcome.winner is None else WIN if state.outcome.winner == state.seat else LOSS
        sets, side = sets_of(searcher, state.position)
        if sum(state.position.material()) <= 4:
            return by_plies(endgames.byte(sets, side, 0))
        if any(turn.captured for turn in rules.turns(state)):
            return backed_up(state)
        told = endgames.outcome(sets, side)
        assert told in (DRAW, LOSS, WIN)
        return told

    def backed_up(state: DraughtsState) -> int:
        worths = [worth(rules.play(state, turn)) for turn in rules.turns(state)]
        return WIN if LOSS in worths else DRAW if DRAW in worths else LOSS

    for state in random_states(rules, 5, 300 * THOROUGH, Random(f"outcomes {game}")):
        assert worth(state) == backed_up(state), rules.position(state)


@pytest.mark.parametrize("game", GAMES)
def test_searches_look_into_them(game: str, tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of two plies, and one of five, tells a draw of what is drawn and a win of what is won, sure at least;
    where quiet moves make a draw it does not take their word for a win."""
    endgames, rules = tiny(game), on_a_tiny_board(game)
    monkeypatch.setenv(lookup.FOLDER, str(endgames.file.path.parent))
    searcher = Searcher(rules, PLAIN)
    counted = rules.tables.model_copy(update={"draws": rules.tables.draws.model_copy(update={"quiet_moves": 2})})
    hurried = Searcher(DraughtsRules(replace(rules.variant, tables=counted)), PLAIN)
    seen = set()
    for state in random_states(rules, 5, 40, Random(f"searched {game}")):
        told = endgames.outcome(*sets_of(searcher, state.position))
        seen.add(told)
        for depth in (2, 5):
            score = searcher.think(state, Limit(depth=depth)).score
            found = WIN if score >= SURE else LOSS if score <= -SURE else DRAW
            assert (found, told == DRAW) == (told, score == 0), (rules.position(state), score)
            score = hurried.think(hurried.rules.start(rules.position(state)), Limit(depth=depth)).score
            assert not SURE <= abs(score) <= SURE_MOST
    assert len(seen) > 1


def test_what_is_won_is_brought_home(tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch) -> None:
    """From positions that are won, of which nobody knows in how many plies, the computer wins against itself."""
    endgames, rules = tiny("spanish"), on_a_tiny_board("spanish")
    monkeypatch.setenv(lookup.FOLDER, str(endgames.file.path.parent))
    searcher = Searcher(rules, PLAIN)
    won = 0
    for state in random_states(rules, 5, 60, Random("brought home")):
        told = endgames.outcome(*sets_of(searcher, state.position))
        if told == DRAW:
            continue
        winner = state.seat if told == WIN else 1 - state.seat
        for _ in range(60):
            if state.outcome is None:
                state = rules.play(state, searcher.think(state, Limit(depth=3)).turn)
        assert state.outcome is not None
        assert state.outcome.winner == winner
        won += 1
    assert won > 10


class StoppedError(Exception):
    """Somebody stops the making."""


@pytest.mark.parametrize("game", GAMES[:2])
def test_a_making_that_was_broken_off_goes_on(
    game: str, tiny: Callable[[str], Endgames], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It solves what is missing and what was damaged meanwhile, and comes to the same classes, of conversions too."""
    rules = on_a_tiny_board(game)
    whole = tiny(game).outcomes
    assert whole is not None
    if game in HALVED:
        monkeypatch.setattr(outcome_making, "BOTH_MOST", 0)
    monkeypatch.setattr(outcome_making, "NEAR", -1)
    plies = make(rules, tmp_path, 4)
    solved: list[Material] = []
    solving = outcome_making.OutcomeMaker.solved

    def counted(self: outcome_making.OutcomeMaker, pair: list[Material]) -> list[outcome_making.Packed]:
        solved.extend(pair)
        return solving(self, pair)

    monkeypatch.setattr(outcome_making.OutcomeMaker, "solved", counted)

    def stop(line: str) -> None:
        if "30 of" in line:
            raise StoppedError

    with pytest.raises(StoppedError):
        outcome_making.make(rules, plies, 5, progress=stop)
    (known,) = tmp_path.glob("*.known")
    content = bytearray(known.read_bytes())
    layout = OutcomeLayout(rules.tables, 5)
    content[layout.shapes[layout.made[0]].offset // 4] ^= 3
    known.write_bytes(content)
    solved.clear()

    file = outcome_making.make(rules, plies, 5)

    assert layout.made[0] in solved
    assert len(solved) < len(layout.made) - 20
    for material, block in whole.blocks.items():
        there = file.blocks[material]
        assert (
            file.packed[there.start : there.start + there.packed]
            == whole.packed[block.start : block.start + block.packed]
        )
    far = lookup.conversions_for(rules, [tmp_path])
    assert far is not None
    *_, conversions = tiny(game).files
    assert conversions is not None
    assert all(far.read(material) == conversions.read(material) for material in conversions.blocks)
    assert not known.exists()


def test_of_large_classes_the_file_holds_one_side_to_move(tiny: Callable[[str], Endgames]) -> None:
    """It leaves out one of two that differ in who is to move, never both; small ones are all there."""
    for game in GAMES:
        outcomes = tiny(game).outcomes
        assert outcomes is not None
        held = {material for material, block in outcomes.blocks.items() if block.packed}
        if game in HALVED:
            assert {max(m, swapped(m)) for m in held} == {max(m, swapped(m)) for m in outcomes.layout.made}
            assert not any(swapped(m) in held for m in held if m != swapped(m))
        else:
            assert held == set(outcomes.layout.made)


def test_what_is_damaged_is_refused(tiny: Callable[[str], Endgames], tmp_path: Path) -> None:
    """A file with another byte, without its end, or for other rules is none."""
    rules, outcomes = on_a_tiny_board("spanish"), tiny("spanish").outcomes
    assert outcomes is not None
    content = outcomes.path.read_bytes()
    path = tmp_path / outcomes.path.name
    for damaged in (content[:-300] + b"\x07" + content[-299:], content[:-40], content[: len(content) // 2], b""):
        path.write_bytes(damaged)
        with pytest.raises(EndgameFileError):
            OutcomeFile(path, rules.tables)
        assert lookup.outcomes_for(rules, tiny("spanish").file, [tmp_path]) is None
    for good in (content, content.replace(b"format 2", b"format 1", 1)):
        path.write_bytes(good)
        assert OutcomeFile(path, rules.tables).pieces == 5
    with pytest.raises(EndgameFileError, match="other rules"):
        OutcomeFile(path, on_a_tiny_board("pinoy").tables)


def test_games_in_which_something_else_counts() -> None:
    """Where kings rest, where not moving is no loss, and where moves are counted with more pieces there are none."""
    for game in ("frisian", "poddavki"):
        with pytest.raises(NoEndgames):
            OutcomeLayout(rules_for_draughts(game).tables, 5)
    assert not any(possible(rules_for_draughts(game).tables) for game in ("frisian", "poddavki", "russian"))
    four = ["spanish", "pinoy", "americanas", "tama"]
    assert all(len(OutcomeLayout(rules_for_draughts(game).tables, 5).made) == 44 for game in four)


def test_every_length_of_runs(tmp_path: Path) -> None:
    """Packed and looked up again, blocks of long and short runs, wildly mixed, are the same."""
    random = Random("runs")
    rules = on_a_tiny_board("spanish")
    layout = OutcomeLayout(rules.tables, 5)
    material = max(layout.made, key=lambda m: layout.shapes[m].size)
    size = layout.shapes[material].size
    maker = outcome_making.OutcomeMaker(layout, PLAIN, bytearray((layout.total + 3) // 4))
    worths = bytearray()
    while len(worths) < size:
        worths += bytes([random.choice((248, 249, 250, 255, 241, 5))]) * random.choice((1, 2, 3, 40, 700, BLOCK + 1))
    del worths[size:]
    plan = maker._planned(worths, 0, material)
    content, order = maker._packed(worths, plan), plan.order
    counts = [layout.shapes[material].counts[group] for group in order]
    for number, byte in enumerate(worths):
        ranks = {}
        rest = number
        for group in (3, 2, 1, 0):
            rest, ranks[group] = divmod(rest, layout.shapes[material].counts[group])
        place = 0
        for count, group in zip(counts, order, strict=True):
            place = place * count + ranks[group]
        if byte not in (255, 241):
            assert worth_at(bytearray(content), 0, place) == (byte & 3 if byte >= 248 else DRAW)


@pytest.mark.parametrize("game", ["spanish", "americanas"])
def test_verdicts(game: str, tiny: Callable[[str], Endgames]) -> None:
    """Who wins is told of positions of five pieces, also where somebody is captured first or a capture was neglected,
    and in how many plies where few enough are left; quiet moves that may make a draw of a win leave it unsure."""
    endgames, rules = tiny(game), on_a_tiny_board(game)
    if game == "americanas":
        capture = rules.tables.capture.model_copy(update={"neglect": "soplar"})
        tables = rules.tables.model_copy(update={"capture": capture})
        rules = DraughtsRules(replace(rules.variant, tables=tables))
    judge = Judge(rules, endgames.file, endgames.outcomes)
    counted = rules.tables.model_copy(update={"draws": rules.tables.draws.model_copy(update={"quiet_moves": 20})})
    unsure = Judge(DraughtsRules(replace(rules.variant, tables=counted)), endgames.file, endgames.outcomes)
    assert Judge(rules, endgames.file).verdict(next(random_states(rules, 5, 1, Random(0)))) is None
    seen: set[int | str | None] = set()
    for state in random_states(rules, 5, 60, Random(f"verdicts {game}")):
        verdict = judge.verdict(state)
        assert verdict is not None
        assert verdict.sure
        assert verdict.plies is None
        seen.add(verdict.winner)
        late = unsure.verdict(state)
        assert late == verdict._replace(sure=verdict.winner is None)
        after = [rules.play(state, turn) for turn in rules.turns(state)]
        winners = set()
        for following in after:
            # One ply on there may be captures to make, or to neglect.
            told = judge.verdict(following) if following.outcome is None else None
            winners.add(told.winner if told else following.outcome and following.outcome.winner)
            if game == "americanas" and following.outcome is None:
                for turn in rules.turns(following):
                    neglected = rules.play(following, turn)
                    if turn.neglects and neglected.outcome is None:
                        alone, best = judge.verdict(neglected), judge.verdict(following)
                        assert alone is not None
                        assert best is not None
                        # Nothing is gained by it.
                        assert alone.winner != following.seat or best.winner == following.seat
                        seen.add("neglected")
        wanted = state.seat if state.seat in winners else None if None in winners else 1 - state.seat
        assert verdict.winner == wanted, rules.position(state)
    assert seen >= ({0, 1, "neglected"} if game == "americanas" else {0, 1})
