"""Pictures as files of messages."""

from __future__ import annotations

from dataclasses import dataclass
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
