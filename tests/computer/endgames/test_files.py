"""Files of endgame tables are whole or made anew, the same in plain and in compiled form."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.computer.endgames import lookup as endgames
from bot.computer.endgames.build import Maker
from bot.computer.endgames.counted_material import Material
from bot.computer.endgames.files import EndgameFile, EndgameFileError
from bot.computer.endgames.lookup import Endgames, make
from bot.computer.endgames.material import Layout, NoEndgames, fingerprint
from bot.computer.kernels.backends import PLAIN, backend_for
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.variant_tables import EndingTable
from tests.support.computer.solved_endings import draughts, on_a_small_board, small


@pytest.mark.skipif(backend_for(64) is PLAIN, reason="numba is not there")
@pytest.mark.parametrize("game", ["spanish", "americanas", "tama"])
def test_same_tables_compiled(game: str, tmp_path: Path) -> None:
    """Plain and compiled, the same bytes are made."""
    layout = Layout(draughts(game, {"neglect": "compulsory"} if game == "americanas" else {}).tables, 2)
    plain, compiled = (dict(Maker(layout, backend).made(lambda _: None)) for backend in (PLAIN, backend_for(64)))
    assert plain == compiled


def test_a_making_goes_on_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written before a crash is not made again, and the file is the same as one made in one go."""
    rules = draughts("spanish", {"mirror": True})
    whole = make(rules, tmp_path / "whole", 2).path.read_bytes()
    told: list[str] = []

    def crash(line: str) -> None:
        told.append(line)
        if "2 of 4" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(rules, tmp_path, 2, progress=crash)
    (part,) = tmp_path.glob("*.part")
    part.write_bytes(part.read_bytes() + b'{"class": [1, 0')
    solved_anew: list[object] = []
    solve = Maker._solve

    def noted(maker: Maker, pair: tuple[Material, ...]) -> None:
        solved_anew.append(pair)
        solve(maker, pair)

    monkeypatch.setattr(Maker, "_solve", noted)
    file = make(rules, tmp_path, 2)
    assert file.path.read_bytes() == whole
    assert 0 < len(solved_anew) < 3
    assert not list(tmp_path.glob("*.part"))
    assert make(rules, tmp_path, 2).blocks == file.blocks


def test_more_pieces_take_what_is_there(tmp_path: Path) -> None:
    """A file for fewer pieces is taken over into the one for more; one for more does where fewer are asked for."""
    rules = on_a_small_board("spanish")
    small = make(rules, tmp_path, 2)
    first = {material: small.read(material) for material in small.blocks}
    large = make(rules, tmp_path, 3)
    assert (small.path, large.pieces) == (large.path, 3)
    assert {material: large.read(material) for material in first} == first
    assert make(rules, tmp_path, 2).pieces == 3


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    """A file that was cut, changed, made for other rules or by another version is not used, and made anew."""
    rules = draughts("spanish", {})
    path = make(rules, tmp_path, 2).path
    whole = path.read_bytes()
    last = whole.index(b'{"pieces"')
    foreign = make(draughts("pinoy", {}), tmp_path, 2).path.read_bytes()
    for content, says in (
        (whole[:last], "its end is missing"),
        (whole[:200], "its end is missing"),
        (whole.replace(b'"size": 1024', b'"size": 1023'), "damaged"),
        (whole.replace(b"format 1", b"format 2"), "of another version"),
        (foreign, "for other rules"),
        (b"", "no file of endgame tables"),
        (whole + b"more", "damaged"),
    ):
        path.write_bytes(content)
        with pytest.raises(EndgameFileError, match=says):
            EndgameFile(path, rules.tables)
        assert endgames.file_for(rules, [tmp_path]) is None
    told: list[str] = []
    path.write_bytes(foreign)
    make(rules, tmp_path, 2, progress=told.append)
    assert "for other rules. It is made anew." in told[0]
    assert path.read_bytes() == whole


def test_a_damaged_part_is_found_when_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte that was changed inside a class shows by its checksum; a search then does without the tables."""
    rules = draughts("spanish", {})
    file = make(rules, tmp_path, 2)
    block = file.blocks[0, 1, 0, 1]
    content = bytearray(file.path.read_bytes())
    content[block.start + 10] ^= 1
    file.path.write_bytes(content)
    monkeypatch.setenv(endgames.FOLDER, str(tmp_path))
    found = endgames.file_for(rules)
    assert found is not None
    with pytest.raises(EndgameFileError, match="checksum of a part"):
        found.read((0, 1, 0, 1))
    state = rules.start("W:WKa8:BKh1")
    assert Searcher(rules, PLAIN).think(state, Limit(depth=2)).depth == 2
    told: list[str] = []
    make(rules, tmp_path, 2, progress=told.append)
    assert "made anew" in told[0]


def test_one_file_is_made_by_one_process(tmp_path: Path) -> None:
    """While a file is being made nobody else makes it."""
    rules = draughts("spanish", {})

    def again(line: str) -> None:
        with pytest.raises(EndgameFileError, match="being made by another process"):
            make(rules, tmp_path, 2)

    assert make(rules, tmp_path, 2, progress=again).pieces == 2


def test_what_changes_no_endgame_changes_no_file() -> None:
    """Boards of either colour and games with soplar or without share tables; other rules have others."""

    def of(game: str, **options: str | bool | int) -> str:
        return fingerprint(draughts(game, options).tables)

    assert of("pinoy") == of("pinoy", mirror=True) == of("pinoy", repetition=False) == of("pinoy", quiet_moves=40)
    assert of("americanas") == of("americanas", neglect="compulsory")
    assert len({of("pinoy"), of("pinoy", removal="at_end"), of("spanish"), of("americanas"), of("tama")}) == 5
    assert of("tama") != of("tama", turn_back=True)


def test_boards_without_tables() -> None:
    """Where no tables can be made a sentence says so."""
    with pytest.raises(NoEndgames, match="two pieces at least"):
        Layout(draughts("spanish", {}).tables, 1)
    tables = draughts("spanish", {}).tables
    uneven = tables.model_copy(update={"board": tables.board.model_copy(update={"width": 7, "height": 8})})
    with pytest.raises(NoEndgames, match="looks the same from both sides"):
        Layout(uneven, 2)
    with pytest.raises(NoEndgames, match="take fewer"):
        Maker(Layout(draughts("tama", {}).tables, 6), PLAIN)


def test_classes_are_held_when_they_are_needed(tmp_path: Path) -> None:
    """A search has the classes at hand that its position can lead to, and no others."""
    rules = draughts("spanish", {})
    tables = Endgames(make(rules, tmp_path, 2), rules, Searcher(rules, PLAIN).plain, PLAIN)
    tables.hold((0, 1, 0, 2))
    assert tables._held == {(0, 1, 0, 1)}
    tables.hold((1, 0, 0, 1))
    assert tables._held == {(0, 1, 0, 1), (1, 0, 0, 1), (0, 1, 1, 0)}


def test_material_without_tables(tmp_path: Path) -> None:
    """What cannot be exact is left out with all that leads to it, and told; the other material has its tables."""
    either = EndingTable.model_validate(
        {"strong": {"pieces": [2, 2], "kings": [1, 2]}, "weak": {"pieces": [1, 2], "kings": [1, 2]}, "moves": 1}
        | {"counted": "both", "since": "ending", "capture_first": False}
    )

    def counted(ending: EndingTable) -> DraughtsRules:
        rules = small("spanish", 4)
        draws = rules.tables.draws.model_copy(update={"endings": [ending]})
        return DraughtsRules(replace(rules.variant, tables=rules.tables.model_copy(update={"draws": draws})))

    told: list[str] = []
    classes = make(counted(either), tmp_path, 4, progress=told.append).blocks
    # Two against two: of which side the count goes on when a piece is gone depends on the moves before.
    assert {(0, 2, 0, 1), (1, 1, 0, 1), (0, 3, 0, 1)} <= set(classes)
    assert not {(0, 2, 0, 2), (1, 1, 0, 2), (2, 0, 2, 0)} & set(classes)
    assert "without men and kings (0, 2, 0, 2), and what leads to them: a count goes on from equal" in " ".join(told)
    won = counted(either.model_copy(update={"result": "win", "since": "material"}))
    assert (0, 2, 0, 2) in Layout(won.tables, 4).left_out
    alike = either.model_copy(update={"kings": [1, 1], "strong": None, "weak": None, "result": "win"})
    with pytest.raises(NoEndgames, match="either of two equal sides would win"):
        make(counted(alike), tmp_path, 2)
