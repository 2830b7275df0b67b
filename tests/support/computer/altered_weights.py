"""Files of weights that were altered by who knows how their digest is made."""

from __future__ import annotations

import hashlib

from bot.computer.search.weight_files import PARTED


def with_digest(said: bytes, body: bytes) -> bytes:
    """A file of this head and body whose digest is right."""
    digest = hashlib.sha256(said + PARTED + body).hexdigest()
    return said + f'\nsha256 = "{digest}"'.encode() + PARTED + body


def altered(file: bytes, old: bytes, new: bytes) -> bytes:
    """A file with something else in its head, and the digest of that."""
    head, _, body = file.partition(PARTED)
    said = head.rpartition(b"\n")[0]
    assert old in said
    return with_digest(said.replace(old, new), body)
