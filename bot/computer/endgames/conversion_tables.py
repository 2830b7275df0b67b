"""Tables of how far a win with more pieces than the tables of plies hold is from its conversion: from fewer pieces, or
from more kings.

For each position that its mover wins without a capture they hold in how many own moves, behind the next one, a capture
or a crowning of either side leads to an ending that is won as well, whatever the other side does: 0 where the next move
is a crowning. Who wins alone does not bring a win home: all that its kings reach may be won.

Classes in which every conversion is NEAR are left empty, for a search sees it. In the others what nobody asks for
stands as what is before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from bot.computer.endgames import files
from bot.computer.endgames.build import USUAL
from bot.computer.endgames.counted_material import Material
from bot.computer.endgames.files import CONVERSIONS, EndgameFileError
from bot.computer.endgames.material import fingerprint
from bot.computer.endgames.outcome_tables import OutcomeLayout
from bot.computer.kernels.endgame_index import BASE, place_of
from bot.computer.kernels.endgame_worth import MOVES_AT
from bot.computer.kernels.lookup_tables import Ints, LookupTables
from bot.computer.kernels.movegen import KING_AFTER, KING_BEFORE, SPAN, capturers, quiets
from bot.computer.kernels.outcome_solver import LOSS
from bot.engine.boards import Board

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

Sets = tuple[int, int, int, int]
"""Own men, own kings, foreign men, foreign kings."""

PIECES = USUAL + 1
"""So many pieces the positions have: with more there would be too much to keep."""
AT_HAND = 3
"""So many classes, of some 12 MB at most, are kept in memory."""
NEAR = 2
"""Own moves behind the next one within which a search sees a conversion."""


class ConversionFile:
    """A finished file that fits the rules. Raises EndgameFileError for any other, OSError if it cannot be read."""

    def __init__(self, path: Path, rules: DraughtsTables) -> None:
        self.path = path
        with path.open("rb") as file:
            self.blocks, end = files.contents(file, path, fingerprint(rules), CONVERSIONS)
        self.layout = OutcomeLayout(rules, PIECES)
        sizes = {m: {0, self.layout.shapes[m].size} for m in self.layout.made}
        if end != PIECES or self.blocks.keys() != sizes.keys():
            raise EndgameFileError(f"{path} is damaged: its end is missing.")
        if any(block.size not in sizes[material] for material, block in self.blocks.items()):
            raise EndgameFileError(f"{path} is damaged: a part has the wrong size.")
        self.read = lru_cache(maxsize=AT_HAND)(self._read)

    def is_whole(self) -> bool:
        """Whether every class can be read."""
        try:
            return all(len(self._read(material)) == block.size for material, block in self.blocks.items())
        except (EndgameFileError, OSError):
            return False

    def _read(self, material: Material) -> bytes:
        """The bytes of a class. Raises EndgameFileError, OSError."""
        with self.path.open("rb") as file:
            return files.content(file, self.blocks[material], self.path, CONVERSIONS)


class Conversions:
    """A file, asked with the positions of a game's search. ``plain``: the game's own tables; ``worth``: who wins (see
    outcome_solver) with own men, own kings, foreign men, foreign kings and a side to move."""

    def __init__(
        self, file: ConversionFile, plain: LookupTables, board: Board, worth: Callable[[Sets, int], int]
    ) -> None:
        self.file, self.worth, self._plain = file, worth, plain
        self._tables = file.layout.entered(plain, board, held=False)
        for material in file.blocks:
            self._tables.data[file.layout.entry(self._tables.ends, material) + BASE] = 0
        self._room: Ints = [0] * (2 * SPAN + MOVES_AT)

    def distance(self, sets: Sets, side: int) -> int:
        """How far from its conversion a position is that ``side`` wins, which is to move and cannot capture; -1 where
        the tables do not hold it. Raises EndgameFileError for a damaged file, OSError for one that cannot be read."""
        block = self.file.blocks.get(material_of(sets))
        if block is None or not block.size:
            return -1
        return self.file.read(material_of(sets))[place_of(self._tables, side, *sets, 0)]

    def by_move(self, sets: Sets, side: int, *, crowned: bool) -> int:
        """How far from its conversion a position was whose mover has won by this move alone, which has not captured:
        ``side`` is to move now and has lost. ``crowned``: the move was a crowning. -1 where ``side`` has not lost, or
        the tables do not tell. Raises as ``distance`` does."""
        t, room, (men, kings, foe_men, foe_kings) = self._plain, self._room, sets
        if self.worth(sets, side) != LOSS:
            return -1
        if crowned:
            return 0
        farthest = 0
        if not capturers(t, side, *sets):
            occupied = men | kings | foe_men | foe_kings
            for move in room[MOVES_AT : quiets(t, side, men, kings, occupied, room, MOVES_AT)]:
                if move & (KING_AFTER | KING_BEFORE) == KING_AFTER:
                    continue
                moved = 1 << (move & 255) | 1 << (move >> 8 & 255)
                of_men, of_kings = (men, kings ^ moved) if move >= KING_BEFORE else (men ^ moved, kings)
                reply = foe_men, foe_kings, of_men, of_kings
                if not capturers(t, 1 - side, *reply):
                    distance = self.distance(reply, 1 - side)
                    if distance < 0:
                        return -1
                    farthest = max(farthest, distance)
        return 1 + farthest


def material_of(sets: Sets) -> Material:
    """How many squares each set has."""
    return sets[0].bit_count(), sets[1].bit_count(), sets[2].bit_count(), sets[3].bit_count()
