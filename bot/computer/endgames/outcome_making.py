"""Making tables of who wins (see outcome_tables), and of how far from a conversion (see conversion_tables): class by
class, two at a time, in bounded memory.

While they are made a file beside them holds what every position is worth, two bits each, mapped into memory; it is what
captures and crownings are looked up in. A making that was broken off goes on behind the classes that are whole in all
files.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from itertools import accumulate, chain, count, permutations
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.computer.endgames import files
from bot.computer.endgames.build import USUAL
from bot.computer.endgames.conversion_tables import NEAR, PIECES, ConversionFile
from bot.computer.endgames.counted_material import Material, leads_to, swapped
from bot.computer.endgames.files import CONVERSIONS, OUTCOMES, EndgameFile, EndgameFileError, Form, Unfinished
from bot.computer.endgames.material import NoEndgames
from bot.computer.endgames.outcome_tables import OutcomeFile, OutcomeLayout, possible
from bot.computer.kernels.backends import PLAIN, Backend, backend_for, can_compile, fitted, outcome_solver_for
from bot.computer.kernels.endgame_worth import MOVES_AT
from bot.computer.kernels.lookup_tables import Ints, squares_of
from bot.computer.kernels.movegen import MOVES, SPAN
from bot.computer.kernels.outcome_blocks import BLOCK, LENGTHS, SIMPLE, TOKENS
from bot.computer.kernels.outcome_packing import PAIRS
from bot.computer.kernels.outcome_solver import DRAW, ENTRY, LOSS, WIN
from bot.engine.draughts.rules import DraughtsRules

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

AT_ONCE = 2
"""How many pairs of classes are solved at the same time."""
CHUNK, TASTED, LEARNT = 1024, 64, 512
"""How many blocks are packed at once, in how many each order is tried, and from how many tokens are learnt."""
BOTH_MOST = 25_000_000
"""Of two classes that differ in who is to move, with more positions than that together, one is left out."""
SPARE = 200_000_000
"""Bytes of the disk that are left alone."""
SOON_MOST = 300_000_000
"""As many positions as are solved in a few minutes."""
PLAIN_MOST, LIMIT = 2_000_000, 8_000_000_000
"""How many positions are solved in plain Python, and at all."""


class PackingOrder(NamedTuple):
    """How a class is packed: where its solved bytes begin, the order of its groups, and how many tokens a sample of it
    takes so."""

    material: Material
    start: int
    order: tuple[int, ...]
    tokens: int


class Packed(NamedTuple):
    """A class that is solved: its bytes, none where it is left out, the order of its groups, the digest of what is
    known of it, and how far its positions are from a conversion."""

    material: Material
    content: bytes
    order: tuple[int, ...]
    known: str
    distances: bytes


def make(
    rules: DraughtsRules, plies: EndgameFile, pieces: int, *, progress: Callable[[str], None] = lambda _: None
) -> OutcomeFile:
    """Make the files for these rules beside that of the plies, which holds USUAL pieces at least, but for those that
    are there, the one of who wins with as many pieces. A making that was broken off goes on where it was.

    Raises NoEndgames, EndgameFileError while another process makes them, OSError where they cannot be written.
    """
    variant, tables = rules.variant.id, rules.tables
    backend = backend_of(rules)
    with ExitStack() as stack:
        wanted: dict[Form, Unfinished] = {}
        for form, opened in ((OUTCOMES, OutcomeFile), (CONVERSIONS, ConversionFile)):
            path = plies.path.parent / files.name_of(variant, tables, form)
            part = stack.enter_context(files.unfinished(path, variant, tables, form))
            if _is_there(path, opened, rules, pieces, progress) or (form is CONVERSIONS and not convertible(tables)):
                part.drop()
            else:
                wanted[form] = part
        path = plies.path.parent / files.name_of(variant, tables, OUTCOMES)
        if not wanted:
            return OutcomeFile(path, tables)
        layout = layout_for(tables, pieces if OUTCOMES in wanted else PIECES, backend)
        progress(f"{variant}: who wins with up to {layout.pieces} pieces, {layout.total:,} positions, {backend.name}")
        working = path.with_suffix(".known")
        with _mapped(working, (layout.total + 3) // 4) as known:
            maker = OutcomeMaker(layout, backend, known)
            for material in layout.classes:
                if sum(material) <= USUAL:
                    maker.enter(material, plies.read(material), plies.layout.shapes[material].layers.number)
            parts = {m: [p for form, p in wanted.items() if form is OUTCOMES or sum(m) == PIECES] for m in layout.made}
            whole = {m for m, of_class in parts.items() if all(maker.is_known(m, part) for part in of_class)}
            for done, made in enumerate(maker.made(whole), start=1):
                for part in parts[made.material]:
                    if made.material not in part.blocks:
                        content = made.content if part is wanted.get(OUTCOMES) else made.distances
                        part.add(made.material, content, order=made.order, known=made.known)
                progress(f"{variant}: {len(whole) + done} of {len(layout.made)} classes of {USUAL + 1} pieces and more")
        for form, part in wanted.items():
            part.finish(PIECES if form is CONVERSIONS else pieces)
        working.unlink()
    return OutcomeFile(path, tables)


def convertible(tables: DraughtsTables) -> bool:
    """Whether tables of how far wins are from a conversion are made: a class of them is read as a whole, so it must not
    be large; and where quiet moves are counted a search takes no win from tables."""
    return not tables.draws.quiet_moves and OutcomeLayout(tables, PIECES).total <= SOON_MOST


def _is_there(
    path: Path,
    opened: type[OutcomeFile | ConversionFile],
    rules: DraughtsRules,
    pieces: int,
    progress: Callable[[str], None],
) -> bool:
    try:
        file = opened(path, rules.tables)
    except FileNotFoundError:
        return False
    except EndgameFileError as error:
        progress(f"{error.message} It is made anew.")
        return False
    if isinstance(file, OutcomeFile):
        return file.pieces >= pieces
    if file.is_whole():
        return True
    progress(f"{path} is damaged. It is made anew.")
    return False


def backend_of(rules: DraughtsRules) -> Backend:
    """What makes the tables of a game."""
    return backend_for(len(squares_of(rules.board).place_of))


def layout_for(tables: DraughtsTables, pieces: int, backend: Backend) -> OutcomeLayout:
    """The layout of tables that can be made. Raises NoEndgames."""
    layout = OutcomeLayout(tables, pieces)
    if layout.total > (PLAIN_MOST if backend is PLAIN else LIMIT):
        there_is = " without numba" if backend is PLAIN else ""
        raise NoEndgames(f"tables of {pieces} pieces would be too large for this board{there_is}: take fewer")
    return layout


def soon_made(rules: DraughtsRules, pieces: int) -> bool:
    """Whether tables of so many pieces can be made within a few minutes."""
    if not can_compile(len(squares_of(rules.board).place_of)) or not possible(rules.tables):
        return False
    return OutcomeLayout(rules.tables, pieces).total <= SOON_MOST


@contextmanager
def _mapped(path: Path, size: int) -> Iterator[mmap.mmap]:
    """A file of so many bytes, at least, mapped into memory. Raises OSError, also where the disk has no room for it."""
    path.touch()
    there = path.stat().st_size
    if shutil.disk_usage(path.parent).free < size - there + SPARE:
        raise OSError(f"{path.parent}: no room for {size / 1e6:.0f} MB")
    with path.open("r+b") as file:
        file.truncate(size)
        # Left open: what has used it may still hold on to it.
        yield mmap.mmap(file.fileno(), size)


class OutcomeMaker:
    """Solves the classes of a layout. ``known``: two bits for each position of all classes, those of few pieces to be
    entered before any is solved."""

    def __init__(self, layout: OutcomeLayout, backend: Backend, known: Any) -> None:
        self.layout, self.backend = layout, backend
        self.tables = fitted(layout.kernel(), backend)
        self.solver = outcome_solver_for(backend)
        self._raw = known
        self.known = backend.mapped(known)

    def enter(self, material: Material, plies: bytes, layers: int) -> None:
        """What a class is worth whose plies are known, nothing counted yet."""
        start, end = self._part(material)
        shape = self.layout.shapes[material]
        worths = [0 if not byte else 1 if byte & 1 else 2 for byte in range(256)]
        each = plies[::layers].translate(bytes(worths)) + bytes(4 * (end - start) - shape.size)
        ones, twos, threes, fours = (each[i::4] for i in range(4))
        self._raw[start:end] = bytes(
            a | b << 2 | c << 4 | d << 6 for a, b, c, d in zip(ones, twos, threes, fours, strict=True)
        )

    def is_known(self, material: Material, part: Unfinished) -> bool:
        """Whether a class is whole in a file and what is known of it is what was known then."""
        block = part.blocks.get(material)
        return block is not None and bool(json.loads(block.line)["known"] == self.digest(material))

    def digest(self, material: Material) -> str:
        """The digest of what is known of a class."""
        start, end = self._part(material)
        return hashlib.sha256(self._raw[start:end]).hexdigest()

    def _part(self, material: Material) -> tuple[int, int]:
        shape = self.layout.shapes[material]
        return shape.offset // 4, (shape.offset + shape.size + 3) // 4

    def made(self, whole: set[Material]) -> Iterator[Packed]:
        """All classes but those that are whole already, as they are done."""
        pairs: dict[Material, list[Material]] = {}
        for material in self.layout.made:
            pairs.setdefault(max(material, swapped(material)), []).append(material)
        waiting = {key: pair for key, pair in pairs.items() if not whole.issuperset(pair)}
        running: dict[Future[list[Packed]], Material] = {}
        with ThreadPoolExecutor(AT_ONCE) as threads:
            try:
                while waiting or running:
                    for key in list(waiting):
                        if len(running) == AT_ONCE:
                            break
                        ahead = {*waiting, *running.values()} - {key}
                        if not any(leads_to(key, other) for other in ahead):
                            running[threads.submit(self.solved, waiting.pop(key))] = key
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        del running[future]
                        yield from (packed for packed in future.result() if packed.material not in whole)
            finally:
                threads.shutdown(cancel_futures=True)

    def solved(self, pair: Sequence[Material]) -> list[Packed]:
        """Solve the classes of a pair, note what is known of them, and pack them."""
        solver, room = self.solver, self.backend.room(2 * SPAN + MOVES_AT + MOVES + 1)
        described, at = self._described(pair)
        c = self.backend.fitted(described)
        size = sum(self.layout.shapes[material].size for material in pair)
        worths = self.backend.zeros(size)
        measured = sum(pair[0]) == PIECES and convertible(self.layout.rules)
        distances = self.backend.zeros(size if measured else 1)
        for x in at:
            solver.begin(self.tables, self.known, worths, c, x, room)

        def take_back(only: int, distance: int) -> int:
            both = zip(at, at[::-1], strict=True)
            return sum(solver.take_back(self.tables, worths, c, x, y, room, only, distances, distance) for x, y in both)

        if measured:
            for distance in count(1):
                take_back(WIN, 0)
                if not take_back(LOSS, distance):
                    break
        else:
            while take_back(DRAW, 0):
                pass
        plans = []
        far: dict[Material, bytes] = {}
        start = 0
        for material in pair:
            shape = self.layout.shapes[material]
            solver.finish(worths, start, shape.size, self.known, shape.offset // 4)
            plans.append(self._planned(worths, start, material))
            far[material] = b""
            if measured and solver.fill(worths, start, shape.size, distances) > NEAR:
                with memoryview(distances) as view:
                    far[material] = bytes(view[start : start + shape.size])
            start += shape.size
        # Of a large pair the file holds what takes fewer bytes; the other one follows from it.
        kept = plans if start <= BOTH_MOST else [min(plans, key=lambda plan: plan.tokens)]
        return [
            Packed(m, self._packed(worths, plan) if plan in kept else b"", plan.order, self.digest(m), far[m])
            for m, plan in ((plan.material, plan) for plan in plans)
        ]

    def _described(self, pair: Sequence[Material]) -> tuple[Ints, list[int]]:
        """The classes of a pair as ``outcome_solver`` takes them: the list, and where in it each begins."""
        layout = self.layout
        described: Ints = []
        at: list[int] = []
        start = 0
        for material in pair:
            shape = layout.shapes[material]
            sets = [
                layout.leading(group, number) if group == shape.leads else layout.sets(group, number)
                for group, number in enumerate(material)
            ]
            at.append(len(described))
            where = accumulate(map(len, sets[:-1]), initial=len(described) + ENTRY + 1)
            entry = layout.entry(self.tables.ends, material)
            described += [*shape.counts, *where, start, shape.size, entry, *chain(*sets)]
            start += shape.size
        return described, at

    def _planned(self, worths: bytearray, start: int, material: Material) -> PackingOrder:
        """The order of a class's groups that makes the longest runs."""
        there = [group for group in range(4) if material[group]]
        alone = [group for group in range(4) if not material[group]]
        room = self.backend.zeros((2 * TASTED + 1) * (BLOCK + 1))
        plans = [PackingOrder(material, start, (*alone, *order), 0) for order in permutations(there)]
        plans = [plan._replace(tokens=self._sample(worths, plan, TASTED, room)) for plan in plans]
        return min(plans, key=lambda plan: plan.tokens)

    def _sample(self, worths: bytearray, plan: PackingOrder, number: int, into: bytearray) -> int:
        """Enter at least so many blocks of a class, of all its parts alike, as runs; where the list ends."""
        top = 0
        blocks = self._blocks(plan.material)
        for block in range(0, blocks, max(1, blocks // number)):
            top = self._tokens(worths, plan, block, block + 1, into, top)
        return top

    def _blocks(self, material: Material) -> int:
        return -(-self.layout.shapes[material].size // BLOCK)

    def _tokens(self, worths: bytearray, plan: PackingOrder, first: int, until: int, into: bytearray, top: int) -> int:
        shape = self.layout.shapes[plan.material]
        o = [shape.counts[group] for group in plan.order]
        o += [prod(shape.counts[group + 1 :]) for group in plan.order]
        last = min(until * BLOCK, shape.size)
        return int(self.solver.tokens_of(worths, plan.start, self.backend.fitted(o), first * BLOCK, last, into, top))

    def _packed(self, worths: bytearray, plan: PackingOrder) -> bytes:
        """A class, packed."""
        solver, blocks = self.solver, self._blocks(plan.material)
        room = self.backend.zeros((max(CHUNK, 2 * LEARNT) + 1) * (BLOCK + 1))
        rules = self._learnt(room, self._sample(worths, plan, LEARNT, room))
        starts = self.backend.room(CHUNK)
        packed: list[bytes] = []
        begins: list[bytes] = []
        length = 4 * 256 + 4 * blocks
        for first in range(0, blocks, CHUNK):
            until = min(first + CHUNK, blocks)
            top = self._tokens(worths, plan, first, until, room, 0)
            for token, (one, two) in enumerate(rules, start=SIMPLE):
                top = solver.merged(room, top, one, two, token)
            top = int(solver.without_ends(room, top, length, starts))
            with memoryview(room) as view:
                packed.append(bytes(view[:top]))
            begins += [int(begin).to_bytes(4, "little") for begin in starts[: until - first]]
            length += top
        return b"".join([_table(rules), *begins, *packed])

    def _learnt(self, tokens: bytearray, top: int) -> list[tuple[int, int]]:
        """Which two tokens each further token stands for, learnt from so many tokens."""
        rules: list[tuple[int, int]] = []
        counts = self.backend.room(PAIRS * PAIRS)
        for token in range(SIMPLE, TOKENS):
            pair = int(self.solver.commonest(tokens, top, counts))
            if pair < 0:
                break
            rules.append(divmod(pair, PAIRS))
            top = self.solver.merged(tokens, top, *rules[-1], token)
        return rules


def _table(rules: Sequence[tuple[int, int]]) -> bytes:
    """What each token stands for, as ``outcome_blocks`` reads it."""
    lengths = [1 << token % LENGTHS for token in range(SIMPLE)]
    table = [length.to_bytes(2, "little") + bytes(2) for length in lengths]
    for one, two in rules:
        lengths.append(lengths[one] + lengths[two])
        table.append(lengths[-1].to_bytes(2, "little") + bytes((one, two)))
    return b"".join(table).ljust(4 * 256, b"\0")
