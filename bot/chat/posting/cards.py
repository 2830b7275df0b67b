"""Cards: messages whose words, pictures and buttons stand in one order (Discord calls it Components V2).

Such a message has no content, and Discord shows no attachments of it: its words are known by ``words_of``
(bot.chat.posting.find_posted), its pictures stand in a gallery. A message that is a card stays one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

import discord

from bot.chat.components import ActionButton, ActionMenu, view_of
from bot.chat.posting.picture_files import TOLD, Picture
from bot.chat.wording.message_text import fitting
from bot.i18n import _
from bot.support.frozen import frozen

LONGEST = 4000
"""How many characters all words of a card have at most."""
MOST = 40
"""How many components a message has at most, each text and each button counted, and what holds them."""
MOST_PICTURES = 10


@frozen
class Section:
    """Words with a button beside them."""

    text: str
    button: ActionButton


@frozen
class Gallery:
    """Pictures, one to ten; ``told``: what they show stands in the card's words already."""

    pictures: Sequence[Picture]
    told: bool = False


@frozen
class ButtonRow:
    """Buttons in a row, one to five, or one menu."""

    buttons: Sequence[ActionButton | ActionMenu]


@frozen
class Divider:
    """A thin line."""


Part: TypeAlias = str | Section | Gallery | ButtonRow | Divider


@frozen
class Card:
    """The ``parts`` from top to bottom; ``accent``: the colour at their side, 0xRRGGBB."""

    parts: Sequence[Part]
    accent: int | None = None

    @property
    def pictures(self) -> list[Picture]:
        """All pictures, in order: as many as a message holds."""
        shown = [picture for part in self.parts if isinstance(part, Gallery) for picture in part.pictures]
        return shown[:MOST_PICTURES]

    @property
    def text(self) -> str:
        """All words."""
        return "\n".join(text for part in self.parts if (text := _text(part)))

    def view(self) -> discord.ui.LayoutView:
        """As Discord lays it out. It never runs out: its buttons are found by their custom ids."""
        box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(accent_colour=self.accent)
        left = MOST - 1
        for part in self._fitted():
            left -= _weight(part)
            if left >= 0:
                box.add_item(_item(part))
        return discord.ui.LayoutView(timeout=None).add_item(box)

    def files(self) -> list[discord.File]:
        """The pictures as new files: each can be sent once."""
        shown = self.pictures
        galleries = [part for part in self._fitted() if isinstance(part, Gallery)]
        return [each.file(told=part.told) for part in galleries for each in part.pictures if each in shown]

    def plain(self) -> tuple[str, discord.ui.View, list[discord.File]]:
        """The same as an ordinary message: text, buttons and files."""
        buttons: list[ActionButton | ActionMenu] = [part.button for part in self.parts if isinstance(part, Section)]
        buttons += [button for part in self.parts if isinstance(part, ButtonRow) for button in part.buttons]
        return fitting(self.text), view_of(buttons), self.files()

    def written_out(self) -> Card:
        """With what each picture shows in words below it."""
        parts: list[Part] = []
        for part in self.parts:
            if isinstance(part, Gallery) and not part.told:
                parts += [replace(part, told=True), "\n".join(picture.words for picture in part.pictures)]
            else:
                parts.append(part)
        return replace(self, parts=parts)

    def without_pictures(self) -> Card:
        """Words and buttons alone."""
        return replace(self, parts=[part for part in self.parts if not isinstance(part, Gallery)])

    def _fitted(self) -> Iterator[Part]:
        """The parts as one message holds them: words that are too many are cut at a line's end, with a sentence that
        says so; of pictures the first ones are shown."""
        texts, shown = [_text(part) for part in self.parts], self.pictures
        more = "" if sum(map(len, texts)) <= LONGEST else f"-# {_('Not everything fits in one message.')}"
        room, is_cut = LONGEST - len(more), False
        for part, whole in zip(self.parts, texts, strict=True):
            text = "" if is_cut else whole
            if not is_cut and len(whole) > room:
                head, is_cut = whole[: max(0, room - 1)], True
                kept = head.rpartition("\n")[0] if "\n" in whole else head
                text = f"{kept}\n{more}".lstrip("\n")
            room -= len(text)
            match part:
                case Section(button=button):
                    yield Section(text, button) if text else ButtonRow([button])
                case Gallery(pictures, told):
                    if fitting_here := [picture for picture in pictures if picture in shown]:
                        # Where words are cut, the picture tells what is missing.
                        yield Gallery(fitting_here, told and not more)
                case ButtonRow() | Divider():
                    yield part
                case _ if text:
                    yield text


def _text(part: Part) -> str:
    return part.text if isinstance(part, Section) else part if isinstance(part, str) else ""


def _weight(part: Part) -> int:
    """How many components it is."""
    return 3 if isinstance(part, Section) else 1 + len(part.buttons) if isinstance(part, ButtonRow) else 1


def _item(part: Part) -> discord.ui.Item[discord.ui.LayoutView]:
    match part:
        case Section(text, button):
            return discord.ui.Section(text, accessory=cast(Any, button))
        case Gallery(pictures, told):
            shown = [(f"attachment://{each.name}", _(TOLD) if told else each.words) for each in pictures]
            return discord.ui.MediaGallery(*(discord.MediaGalleryItem(url, description=words) for url, words in shown))
        case ButtonRow(buttons):
            return discord.ui.ActionRow(*cast(Any, buttons))
        case Divider():
            return discord.ui.Separator()
        case str():
            return discord.ui.TextDisplay(part)
