"""Pictures as files of messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

import discord


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file, its name and its words."""

    name: str
    png: bytes
    words: str

    def file(self) -> discord.File:
        """A new file of it: each can be sent once."""
        return discord.File(BytesIO(self.png), self.name, description=self.words)


def digest(pictures: Sequence[Picture]) -> bytes:
    """The same for the same pictures, words included."""
    return sha256(b"\0".join(part for each in pictures for part in (each.png, each.words.encode()))).digest()
