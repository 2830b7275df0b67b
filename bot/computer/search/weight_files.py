"""Files of learned weights (data/weights): a head of TOML that says how they were made, a line ``---``, and integers of
16 bits, little-endian, compressed by LZMA (one stream of format xz). The last line of the head is a digest of all the
rest."""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
import tomllib
from array import array
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bot.engine import variants
from bot.engine.errors import EngineError, VariantError
from bot.engine.variants import Variant

if TYPE_CHECKING:
    from bot.engine.variant_tables import KingTable, ManTable

MOST_BYTES = 1 << 23
"""No file has more, unpacked: patterns on 64 squares have some two million."""
MOST_OF_TOML = 4096
"""And no head is longer, nor a file of piece values: what is parsed may take the square of it."""
PARTED = b"\n---\n"
DIGEST = b"\nsha256 = "
PACKED = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 21, "lc": 3, "lp": 1, "pb": 1}
"""How integers of 16 bits are compressed; with no more memory to read them than they take."""
MOST_MEMORY = 1 << 24
"""What reading them may take in bytes, beside what they are."""


class WeightFileError(EngineError):
    """A file of weights is not what it says."""

    def __init__(self, variant_id: str, why: str) -> None:
        super().__init__(f"the learned weights of {variant_id} cannot be used: {why}; install Damero again")


def is_learned(variant: Variant) -> bool:
    """Whether what was learned for the shipped variant of this id is of use: on the same board its pieces move and
    capture as they do there, and the same wins. A file of one's own may have any name; who plays by a file that was
    shipped with an earlier release, and says the same in other words, keeps what was learned."""
    if variant.family != "draughts" or variant.id not in variants.names():
        return False
    there = variants.load(variant.id)
    options = {name: value for name, value in variant.options.items() if name in there.option_specs}
    # A file of one's own may allow what the shipped one does not.
    with suppress(VariantError):
        there = variants.load(variant.id, options)
    return _what_matters(variant) == _what_matters(there)


def _what_matters(variant: Variant) -> tuple[object, ...] | None:
    tables = variant.tables
    if tables.family != "draughts":
        return None
    board = tables.board.width, tables.board.height, tables.board.squares, tables.board.corner
    return board, _in_any_order(tables.man), _in_any_order(tables.king), tables.capture.choice, tables.outcome


def _in_any_order(pieces: ManTable | KingTable) -> dict[str, object]:
    """What a piece may do: it makes no difference which direction a file names first."""
    dumped = pieces.model_dump()
    return {key: set(value) if isinstance(value, list) else value for key, value in dumped.items()}


def shipped(variant_id: str, kind: str) -> bytes | None:
    """The bytes of the file of a kind that a game came with, None where it has none."""
    file = files("data").joinpath("weights", f"{variant_id}.{kind}")
    return file.read_bytes() if file.is_file() else None


def written(head: Mapping[str, str | int | float], weights: array[int]) -> bytes:
    """The bytes of a file. ``head``: how the weights were made."""
    values = array("h", weights)
    if sys.byteorder == "big":
        values.byteswap()
    body = lzma.compress(values.tobytes(), filters=[PACKED])
    said = "\n".join(f"{name} = {json.dumps(value)}" for name, value in head.items()).encode()
    return said + DIGEST + json.dumps(digest_of(said, body)).encode() + PARTED + body


def digest_of(said: bytes, body: bytes) -> str:
    """Of a file, by its head without the digest and what stands behind it."""
    return hashlib.sha256(said + PARTED + body).hexdigest()


def read(variant_id: str, content: bytes) -> tuple[int, array[int]]:
    """With how many pieces the game begins, and the integers of a file. Raises WeightFileError."""
    head, _, body = content.partition(PARTED)
    try:
        if len(head) > MOST_OF_TOML:
            raise WeightFileError(variant_id, "the file is damaged")
        told: dict[str, Any] = tomllib.loads(head.decode())
        if told["game"] != variant_id or told["sha256"] != digest_of(head.rpartition(DIGEST)[0], body):
            raise WeightFileError(variant_id, "the file is another game's, or is damaged")
        unpacked = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
        weights = array("h", unpacked.decompress(body, MOST_BYTES))
        pieces = told["pieces"]
        if type(pieces) is not int or not unpacked.eof or unpacked.unused_data:
            raise WeightFileError(variant_id, "the file is damaged")
    except (ValueError, KeyError, TypeError, RecursionError, EOFError, lzma.LZMAError) as error:
        raise WeightFileError(variant_id, "the file is damaged") from error
    if sys.byteorder == "big":
        weights.byteswap()
    return pieces, weights
