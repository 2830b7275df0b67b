"""Endgame tables of a game: found, made, and looked up.

Tables are files in folders that ``look_in`` names; a file that fits no more, or is damaged, counts as none and is made
anew. What they say is exact under the rules (see endgames.material); two things they leave to whoever asks: that a
position occurs for the third time, and ``quiet_moves``, where they matter (see adjudication).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bot.computer.endgames import files
from bot.computer.endgames.build import USUAL, Maker, fitting
from bot.computer.endgames.conversion_tables import ConversionFile, Conversions, material_of
from bot.computer.endgames.counted_material import Material, leads_to
from bot.computer.endgames.files import CONVERSIONS, OUTCOMES, EndgameFile, EndgameFileError
from bot.computer.endgames.material import Layout
from bot.computer.endgames.outcome_tables import OutcomeFile
from bot.computer.kernels.backends import PLAIN, Backend, backend_for, fitted
from bot.computer.kernels.endgame_index import BASE, probe
from bot.computer.kernels.lookup_tables import Ints, LookupTables, squares_of
from bot.computer.kernels.movegen import SPAN
from bot.computer.kernels.outcome_blocks import BY_MOVES, outcome
from bot.computer.kernels.outcome_moves import by_moves, worth
from bot.engine.draughts.rules import DraughtsRules

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

FOLDER = "DAMERO_ENDGAMES"
"""The environment's variable by which a process tells those that it starts where tables are."""
SETTING = "ENDGAMES_FOLDER"
"""The setting, which counts where nobody told: on the machines of a cluster."""
SHIPPED = Path(sys.prefix, "share", "damero", "endgames")
"""Where an installation has tables of its own."""
NEAR = 8
"""How many pieces more than the tables hold a game may have when a search begins to look into them."""


def look_in(folder: Path) -> None:
    """From now on tables are looked for in this folder, by this process and by those that it starts."""
    os.environ[FOLDER] = str(folder.absolute())


def folders() -> tuple[Path, ...]:
    """Where tables are looked for: the folder that was named, then where an installation has its own."""
    folder = os.environ.get(FOLDER) or os.environ.get(SETTING)
    return (Path(folder), SHIPPED) if folder else (SHIPPED,)


def file_for(rules: DraughtsRules, where: Sequence[Path] | None = None) -> EndgameFile | None:
    """The file that fits these rules, of several that with the most pieces; None where none is."""
    opened: list[EndgameFile] = []
    for folder in where if where is not None else folders():
        path = folder / files.name_of(rules.variant.id, rules.tables)
        try:
            stat = path.stat()
            opened.append(_opened(path, stat.st_mtime_ns, stat.st_size, rules))
        except (EndgameFileError, OSError):
            continue
    return max(opened, key=lambda file: file.pieces, default=None)


@lru_cache(maxsize=64)
def _opened(path: Path, changed: int, size: int, rules: DraughtsRules) -> EndgameFile:
    return EndgameFile(path, rules.tables)


def outcomes_for(rules: DraughtsRules, plies: EndgameFile, where: Sequence[Path] | None = None) -> OutcomeFile | None:
    """The tables of who wins with more pieces than ``plies`` holds, which holds what they lead to; None where none
    are."""
    opened: list[OutcomeFile] = []
    for folder in where if where is not None else folders():
        path = folder / files.name_of(rules.variant.id, rules.tables, OUTCOMES)
        try:
            stat = path.stat()
            opened.append(_opened_outcomes(path, stat.st_mtime_ns, stat.st_size, rules))
        except (EndgameFileError, OSError):
            continue
    return max((file for file in opened if file.pieces > plies.pieces >= USUAL), key=lambda f: f.pieces, default=None)


@lru_cache(maxsize=64)
def _opened_outcomes(path: Path, changed: int, size: int, rules: DraughtsRules) -> OutcomeFile:
    return OutcomeFile(path, rules.tables)


def conversions_for(rules: DraughtsRules, where: Sequence[Path] | None = None) -> ConversionFile | None:
    """The tables of how far a win is from its conversion; None where none are."""
    for folder in where if where is not None else folders():
        path = folder / files.name_of(rules.variant.id, rules.tables, CONVERSIONS)
        try:
            stat = path.stat()
            return _opened_conversions(path, stat.st_mtime_ns, stat.st_size, rules)
        except (EndgameFileError, OSError):
            continue
    return None


@lru_cache(maxsize=64)
def _opened_conversions(path: Path, changed: int, size: int, rules: DraughtsRules) -> ConversionFile:
    return ConversionFile(path, rules.tables)


def make(
    rules: DraughtsRules, folder: Path, pieces: int | None = None, *, progress: Callable[[str], None] = lambda _: None
) -> EndgameFile:
    """Make the file for these rules in a folder, unless it is there with as many pieces; ``pieces`` left out: as many
    as are usual. ``progress`` is told of it in lines. A making that was broken off goes on where it was.

    Raises NoEndgames, EndgameFileError while another process makes it, OSError where it cannot be written.
    """
    variant, tables = rules.variant.id, rules.tables
    path = folder / files.name_of(variant, tables)
    folder.mkdir(parents=True, exist_ok=True)
    backend = backend_for(len(squares_of(rules.board).place_of))
    if pieces is None:
        pieces = fitting(tables, backend)
    with files.unfinished(path, variant, tables) as part:
        before = _whole(path, tables, progress)
        if before is not None and before.pieces >= pieces:
            part.drop()
            return before
        layout = Layout(tables, pieces)

        def known(material: Material) -> bytes | None:
            if material in part.blocks or before is None or material not in before.blocks:
                return part.read(material)
            return before.read(material)

        progress(f"{variant}: endgames of up to {pieces} pieces, {layout.total:,} positions, {backend.name}")
        for material, reason in layout.left_out.items():
            progress(f"{variant}: without men and kings {material}, and what leads to them: {reason}")
        for done, (material, content) in enumerate(Maker(layout, backend).made(known), start=1):
            if material not in part.blocks:
                part.add(material, content)
            progress(f"{variant}: {done} of {len(layout.classes)} classes of material")
        part.finish(pieces)
    return EndgameFile(path, tables)


def _whole(path: Path, tables: DraughtsTables, progress: Callable[[str], None]) -> EndgameFile | None:
    """The file that is there, if all is well with it."""
    try:
        file = EndgameFile(path, tables)
        for material in file.blocks:
            file.read(material)
    except FileNotFoundError:
        return None
    except EndgameFileError as error:
        progress(f"{error.message} It is made anew.")
        return None
    return file


class Endgames:
    """Tables as a search takes them: ``tables`` with the directory, ``ends`` the bytes. Classes are read when they are
    first needed. ``plain``: the game's own tables; ``outcomes``: who wins with more pieces, ``packed`` its bytes;
    ``conversions``: how far from a conversion; ``shared``: others of the same file, whose bytes these are as well."""

    def __init__(
        self,
        file: EndgameFile,
        rules: DraughtsRules,
        plain: LookupTables,
        backend: Backend,
        outcomes: OutcomeFile | None = None,
        conversions: ConversionFile | None = None,
        shared: Endgames | None = None,
    ) -> None:
        self.file, self.outcomes, self._backend = file, outcomes, backend
        self.files = file, outcomes, conversions
        self._rules, self._plain = rules, plain
        if outcomes is None:
            entered = file.layout.entered(plain, rules.board, held=False)
        else:
            entered = outcomes.entered(file, plain, rules.board)
        self.tables = fitted(entered, backend)
        self._directory = file.layout if outcomes is None else outcomes.layout
        self._shared = shared
        self.ends: bytearray
        if shared is None:
            self.ends = backend.zeros(file.layout.total)
        else:
            self.ends = cast(bytearray, memoryview(shared.ends))
        self.packed = backend.zeros(1) if outcomes is None else backend.mapped(outcomes.packed)
        self._held: set[Material] = set()

    @cached_property
    def negamax(self) -> Callable[..., int]:
        """``alphabeta.negamax`` with these tables."""
        return self._backend.search(self.tables)

    @cached_property
    def conversions(self) -> Conversions | None:
        """How far wins are from a conversion, None where no tables tell it."""
        *_, file = self.files
        if file is None or self.outcomes is None:
            return None
        return Conversions(file, self._plain, self._rules.board, self.asked.worth)

    @cached_property
    def asked(self) -> Endgames:
        """The same, to be asked now and then by what is not compiled."""
        return Endgames(self.file, self._rules, self._plain, PLAIN, self.outcomes, shared=self)

    def hold(self, most: Material) -> None:
        """Have all classes at hand that a position of this material can lead to. Raises EndgameFileError for a damaged
        file, OSError for one that cannot be read."""
        for material in self.file.layout.classes:
            if leads_to(most, material):
                self._have(material)

    def byte(self, sets: tuple[int, int, int, int], side: int, counts: int) -> int:
        """The byte (see endgame_index) of own men, own kings, foreign men, foreign kings with ``side`` to move;
        ``counts``: see move_counts. -1 where the tables have none. Raises as ``hold`` does."""
        material = material_of(sets)
        if material not in self.file.blocks:
            return -1
        self._have(material)
        return int(probe(self.tables, self.ends, side, *sets, counts))

    def outcome(self, sets: tuple[int, int, int, int], side: int) -> int:
        """Who wins (see outcome_solver) with own men, own kings, foreign men, foreign kings and ``side`` to move, who
        cannot capture. -1 where the tables do not say it. Raises as ``hold`` does."""
        told = int(outcome(self.tables, self.packed, side, *sets))
        if told != BY_MOVES:
            return told
        self.hold(material_of(sets))
        return int(by_moves(self.tables, self.ends, self.packed, side, *sets, self._room, 0))

    def worth(self, sets: tuple[int, int, int, int], side: int) -> int:
        """Who wins likewise, whether ``side`` can capture or not."""
        self.hold(material_of(sets))
        return int(worth(self.tables, self.ends, self.packed, side, *sets, self._room, 0))

    @cached_property
    def _room(self) -> Ints:
        return [0] * (3 * SPAN + 1)

    def _have(self, material: Material) -> None:
        if material in self._held:
            return
        layout = self.file.layout
        shape = layout.shapes[material]
        if self._shared is None:
            content = self.file.read(material)
            with memoryview(self.ends) as ends:
                ends[shape.offset : shape.offset + shape.size] = content
        else:
            self._shared._have(material)
        self.tables.data[self._directory.entry(self.tables.ends, material) + BASE] = shape.offset
        self._held.add(material)
