"""A position that somebody has set up, as a message: its words, its picture, its buttons; and read back from these
words, so that the buttons work as long as the message stands."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from hashlib import sha256

import discord

import render
from bot.chat.board_pictures import BoardPictures
from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.games.variant_option import variant_here
from bot.chat.posting.find_posted import words_of
from bot.chat.posting.picture_files import Picture
from bot.chat.responses import defer_if_slow, reply_privately
from bot.chat.services import services_of
from bot.engine import typed_positions
from bot.engine.errors import EngineError
from bot.engine.pdn.pdn_squares import rising
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.ruleset import OF_SERVER
from bot.engine.variants import OptionValue, Variant, show
from bot.games.model.errors import Refused
from bot.i18n import N_, _, pgettext
from bot.presentation.alt_text import alt_text
from bot.presentation.board_scene import ShownPosition, scene_of
from bot.support.frozen import frozen

_GONE = N_("I can no longer read the position in this message. Set it up again with `/setup`.")


@frozen
class SetUpAction(CustomId):
    """A button under a position, which stands in the message. ``arg``: what is needed besides."""

    prefix = "damero-setup"
    act: str
    arg: str = ""


@frozen
class SetUp:
    """A position of a game under some rules, in which a game can begin."""

    rules: Rules
    state: State

    @property
    def position(self) -> str:
        """Its position string."""
        return self.rules.position(self.state)

    def text(self) -> str:
        """What is said of it. What stands between backquotes is what ``of`` reads: the variant, the position, house
        rules; in whatever language the rest is."""
        rules, position = self.rules, self.position
        template = _("**{game}** (`{variant}`), {side} to move:")
        side = rules.seats[self.state.seat].name
        name = rules.variant.id.partition(OF_SERVER)[0]
        lines = [template.format(game=rules.variant.name, variant=name, side=side), f"`{position}`"]
        if rules.variant.chosen:
            chosen = ", ".join(f"`{name}={show(value)}`" for name, value in rules.variant.chosen.items())
            lines.append(_("Rules chosen: {rules}.").format(rules=chosen))
        if (numbered := rules.board.numbered(position)) != position:
            lines.append(_("With numbers: `{position}`").format(position=rising(numbered)))
        return "\n".join(lines)

    @classmethod
    async def of(cls, interaction: Press) -> SetUp:
        """The position of the message, with ``text`` in it, whose button was pressed. Raises Refused."""
        message = interaction.message
        words = re.findall("`([^`\n]+)`", "" if message is None else words_of(message))
        if len(words) < 2:
            raise Refused(_(_GONE))
        options = {name: value for name, equals, value in (word.partition("=") for word in words[2:]) if equals}
        return await cls.read(await variant_here(interaction, words[0]), options, words[1])

    @classmethod
    async def read(cls, variant: Variant, options: Mapping[str, OptionValue], position: str) -> SetUp:
        """A position that somebody has typed, in whatever form. Raises Refused with the reason."""
        try:
            rules = rules_for(variant.ruleset, options)
            return cls(rules, await asyncio.to_thread(typed_positions.read, rules, position))
        except EngineError as error:
            raise Refused(error.sentence) from error

    async def picture(self, pictures: BoardPictures, *, numbers: bool = False) -> Picture:
        """Its board."""
        shown = ShownPosition(self.rules, self.state, start=self.position)
        numbers = numbers and bool(self.rules.board.number_index)
        scene = scene_of(shown, ("",) * len(self.rules.seats), numbers=numbers)
        png = await pictures.drawn(partial(render.draw, scene))
        name = sha256(f"{self.rules.variant.id}{self.position}{numbers}".encode()).hexdigest()[:12]
        return Picture(f"position-{name}.png", png, alt_text(shown))


def set_up_view(*, shared: bool) -> discord.ui.View:
    """Under a position: for whoever set it up, or ``shared`` in the channel."""
    return view_of(set_up_buttons(shared=shared))


def set_up_buttons(*, shared: bool) -> list[ActionButton]:
    """What stands there."""
    computer = pgettext("button", "Play the computer")
    buttons = [
        ActionButton.of(SetUpAction("computer"), computer, ButtonStyle.primary),
        ActionButton.of(SetUpAction("challenge"), pgettext("button", "Challenge")),
        ActionButton.of(SetUpAction("analyse"), pgettext("button", "Analyse")),
    ]
    if not shared:
        buttons.append(ActionButton.of(SetUpAction("share"), pgettext("button", "Share")))
        buttons.append(ActionButton.of(SetUpAction("change"), pgettext("button", "Change")))
    return buttons


async def tell(interaction: Press, set_up: SetUp) -> None:
    """Answer with a position, in private."""
    services = services_of(interaction)
    preferences = await services.games.preferences.load(interaction.user.id)
    numbers = preferences is not None and preferences.notation == "numbers"
    drawn = await defer_if_slow(interaction, set_up.picture(services.pictures, numbers=numbers))
    await reply_privately(interaction, set_up.text(), view=set_up_view(shared=False), file=drawn.file())
