"""Pictures as files of messages."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import discord

from bot.i18n import _


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file, its name and its words."""

    name: str
    png: bytes
    words: str

    def file(self) -> discord.File:
        """A new file of it: each can be sent once."""
        return discord.File(BytesIO(self.png), self.name, description=self.words)


def beside_its_words(picture: discord.File) -> discord.File:
    """A picture where all that it shows stands in the message: whoever is read to need not hear it twice."""
    return discord.File(picture.fp, picture.filename, description=_("The board, as told in the message."))
