"""Endgame tables as files: one for each set of rules, read class by class, made so that a broken-off making goes on.

A file begins with a line that names the format, then comes one line of JSON for the whole (the variant that it was made
for, the fingerprint of the rules). Each class is a line of JSON (its material, its size, the size and the digest of its
packed bytes) and its bytes, packed. The last line says for how many pieces all classes are there, with a digest of all
lines: a file without it is one whose making was broken off.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from bot.computer.endgames.counted_material import Material
from bot.computer.endgames.material import Layout, fingerprint
from bot.engine.errors import EngineError

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

LONGEST_LINE = 1000
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6}]


class Form(NamedTuple):
    """A kind of file: its first line, the ending of its name, how the bytes of a class are packed in it, and the first
    lines of files that were made before and are still good."""

    name: bytes
    suffix: str
    pack: Callable[[bytes], bytes]
    unpack: Callable[[bytes], bytes]
    older: tuple[bytes, ...] = ()


PLIES = Form(
    b"Damero endgame tables, format 1\n",
    ".endgames",
    lambda content: lzma.compress(content, lzma.FORMAT_RAW, filters=_FILTERS),
    lambda packed: lzma.decompress(packed, lzma.FORMAT_RAW, filters=_FILTERS),
)
"""In how many plies each position is won."""
OUTCOMES = Form(
    b"Damero endgame outcomes, format 2\n", ".outcomes", bytes, bytes, (b"Damero endgame outcomes, format 1\n",)
)
"""Who wins, packed already (see kernels.outcome_blocks). In the first format no class was left out."""


CONVERSIONS = PLIES._replace(name=b"Damero endgame conversions, format 1\n", suffix=".conversions", older=())
"""How far what is won is from a capture or a crowning (see conversion_tables)."""


class EndgameFileError(EngineError):
    """A file of endgame tables cannot be used. The message says why."""


class Block(NamedTuple):
    """Where in the file a class is, its sizes packed and unpacked, its digest, and the line that says so."""

    start: int
    packed: int
    size: int
    digest: str
    line: bytes


class EndgameFile:
    """A finished file that fits the rules. Raises EndgameFileError for any other, OSError if it cannot be read."""

    def __init__(self, path: Path, rules: DraughtsTables) -> None:
        self.path = path
        with path.open("rb") as file:
            self.blocks, end = contents(file, path, fingerprint(rules), PLIES)
            if end is None:
                raise EndgameFileError(f"{path} is damaged: its end is missing.")
        self.pieces = end
        self.layout = Layout(rules, self.pieces)
        if {m: b.size for m, b in self.blocks.items()} != {m: s.size for m, s in self.layout.shapes.items()}:
            raise EndgameFileError(f"{path} is damaged: it does not hold all endings of {self.pieces} pieces.")

    def read(self, material: Material) -> bytes:
        """The bytes of one class. Raises EndgameFileError, OSError."""
        with self.path.open("rb") as file:
            return content(file, self.blocks[material], self.path, PLIES)


def name_of(variant: str, rules: DraughtsTables, form: Form = PLIES) -> str:
    """The name of the file for these rules: a variant has one for all options that change nothing in an endgame."""
    return f"{variant}-{fingerprint(rules)[:12]}{form.suffix}"


@contextmanager
def unfinished(path: Path, variant: str, rules: DraughtsTables, form: Form = PLIES) -> Iterator[Unfinished]:
    """The file that is being made for ``path``, for one process alone. Raises EndgameFileError if another makes it,
    OSError if it cannot be written."""
    # Not there on every system that can read tables.
    import fcntl

    with part_of(path).open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EndgameFileError(f"{path} is being made by another process.") from None
        yield Unfinished(file, path, variant, rules, form)


def part_of(path: Path) -> Path:
    """Where a file is while it is made."""
    return path.with_suffix(".part" if path.suffix == PLIES.suffix else f"{path.suffix}.part")


class Unfinished:
    """A file that is being made: the classes that are in it already, and room for more behind them."""

    def __init__(self, file: IO[bytes], path: Path, variant: str, rules: DraughtsTables, form: Form) -> None:
        self._file, self._path, self._form = file, path, form
        first = _line({"variant": variant, "fingerprint": fingerprint(rules)})
        file.seek(0)
        try:
            blocks, _ = contents(file, path, fingerprint(rules), form)
        except EndgameFileError:
            blocks = {}
        self.blocks: dict[Material, Block] = {}
        end = 0
        for material, block in blocks.items():
            try:
                content(file, block, path, form)
            except EndgameFileError:
                break
            self.blocks[material] = block
            end = block.start + block.packed
        file.truncate(end)
        if not end:
            file.write(form.name + first)
            file.flush()
        self._digest = hashlib.sha256(first + b"".join(block.line for block in self.blocks.values()))

    def read(self, material: Material) -> bytes | None:
        """The bytes of a class that is there already."""
        block = self.blocks.get(material)
        return None if block is None else content(self._file, block, self._path, self._form)

    def add(self, material: Material, content: bytes, **more: object) -> None:
        """Write one class more, ``more`` in its line. Raises OSError."""
        packed = self._form.pack(content)
        digest = hashlib.sha256(packed).hexdigest()
        line = _line({"class": material, "size": len(content), "packed": len(packed), "digest": digest, **more})
        start = self._file.seek(0, os.SEEK_END) + len(line)
        self._file.write(line + packed)
        self._file.flush()
        self._digest.update(line)
        self.blocks[material] = Block(start, len(packed), len(content), digest, line)

    def drop(self) -> None:
        """Take the file away again: nothing is to be made. Raises OSError."""
        part_of(self._path).unlink()

    def finish(self, pieces: int) -> None:
        """Write the last line, and put the file in its place. Raises OSError."""
        self._file.seek(0, os.SEEK_END)
        self._file.write(_line({"pieces": pieces, "digest": self._digest.hexdigest()}))
        self._file.flush()
        os.fsync(self._file.fileno())
        part_of(self._path).replace(self._path)


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def contents(file: IO[bytes], path: Path, wanted: str, form: Form) -> tuple[dict[Material, Block], int | None]:
    """The blocks of a file, and for how many pieces it is complete (None: it is not). Raises EndgameFileError."""
    if file.readline(LONGEST_LINE) not in (form.name, *form.older):
        raise EndgameFileError(f"{path} is no file of endgame tables, or one of another version.")
    line = file.readline(LONGEST_LINE)
    try:
        fits = json.loads(line).get("fingerprint") == wanted
    except (AttributeError, ValueError) as error:
        raise EndgameFileError(f"{path} is damaged: a line in it makes no sense.") from error
    if not fits:
        raise EndgameFileError(f"{path} is for other rules.")
    digest = hashlib.sha256(line)
    blocks: dict[Material, Block] = {}
    length = os.fstat(file.fileno()).st_size
    while line := file.readline(LONGEST_LINE):
        try:
            entry = json.loads(line)
            if "pieces" in entry:
                if entry["digest"] != digest.hexdigest() or file.read(1):
                    raise EndgameFileError(f"{path} is damaged: its checksum is wrong.")
                return blocks, int(entry["pieces"])
            men, kings, foe_men, foe_kings = (int(number) for number in entry["class"])
            block = Block(file.tell(), int(entry["packed"]), int(entry["size"]), str(entry["digest"]), line)
        except (KeyError, TypeError, ValueError) as error:
            # The last line of a making that was broken off may be cut.
            if not line.endswith(b"\n"):
                break
            raise EndgameFileError(f"{path} is damaged: a line in it makes no sense.") from error
        if block.packed < 0 or block.start + block.packed > length:
            break
        digest.update(line)
        blocks[men, kings, foe_men, foe_kings] = block
        file.seek(block.packed, os.SEEK_CUR)
    return blocks, None


def content(file: IO[bytes], block: Block, path: Path, form: Form) -> bytes:
    """The bytes of a class. Raises EndgameFileError, OSError."""
    file.seek(block.start)
    packed = file.read(block.packed)
    if hashlib.sha256(packed).hexdigest() != block.digest:
        raise EndgameFileError(f"{path} is damaged: the checksum of a part is wrong.")
    unpacked = form.unpack(packed)
    if len(unpacked) != block.size:
        raise EndgameFileError(f"{path} is damaged: a part has the wrong size.")
    return unpacked
