"""Pictures as files of messages."""

from __future__ import annotations

from io import BytesIO
from typing import Final

import discord

from bot.i18n import N_, _
from bot.support.frozen import frozen

TOLD: Final = N_("The picture, as told in the message.")
"""The description of a picture that the words of its message tell whole."""


@frozen
class Picture:
    """A PNG file, its name and its words."""

    name: str
    png: bytes
    words: str

    def file(self, *, told: bool = False) -> discord.File:
        """A new file of it: each can be sent once. ``told``: what it shows stands in the message."""
        return discord.File(BytesIO(self.png), self.name, description=_(TOLD) if told else self.words)


def beside_its_words(picture: discord.File) -> discord.File:
    """A picture where all that it shows stands in the message: whoever is read to need not hear it twice."""
    return discord.File(picture.fp, picture.filename, description=_(TOLD))
