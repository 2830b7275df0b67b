"""The buttons under puzzles, and the form in which an answer is typed. They carry the puzzle's number and work after a
restart."""

from __future__ import annotations

import re
from typing import Any, Self

import discord

from bot.chat.games import typed_text
from bot.chat.games.buttons import Press
from bot.chat.games.move_modal import value_of
from bot.chat.posting.find_posted import custom_ids
from bot.chat.responses import failed, responding
from bot.chat.services import services_of
from bot.games.model.errors import Refused
from bot.i18n import _

_BUTTON = r"damero-puzzle:(?P<act>answer|solution|next):(?P<id>[0-9]+)"
_FORM = re.compile(r"damero-puzzle:([0-9]+)(?::([0-9]+))?")


class PuzzleButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=_BUTTON,
):
    """Answer a puzzle, see its solution, or get another one."""

    def __init__(self, act: str, number: int, label: str, style: discord.ButtonStyle) -> None:
        custom_id = f"damero-puzzle:{act}:{number}"
        super().__init__(discord.ui.Button(label=label, custom_id=custom_id, style=style))
        self.act, self.number = act, number

    @classmethod
    async def from_custom_id(cls, interaction: Press, item: discord.ui.Item[Any], match: re.Match[str], /) -> Self:
        return cls(match["act"], int(match["id"]), "", discord.ButtonStyle.secondary)

    async def callback(self, interaction: Press) -> None:
        services = services_of(interaction)
        try:
            async with responding(interaction, services):
                if self.act == "answer":
                    task = await services.puzzles.task(interaction.user.id, self.number)
                    if task.status != "open":
                        raise Refused(_("You have done this puzzle. Get another one with `/puzzle`."))
                    turns = task.rules.turns(task.state)
                    await interaction.response.send_modal(answer_form(self.number, task.step, turns[-1].text))
                else:
                    await services.puzzle_press(interaction, self.number, self.act)
        except Exception as error:
            await failed(interaction, error)


def puzzle_view(number: int, *, is_open: bool) -> discord.ui.View:
    """Under a puzzle: open to be answered, or over."""
    view = discord.ui.View(timeout=None)
    if is_open:
        view.add_item(PuzzleButton("answer", number, _("Answer"), discord.ButtonStyle.primary))
        view.add_item(PuzzleButton("solution", number, _("Show the solution"), discord.ButtonStyle.secondary))
    else:
        view.add_item(PuzzleButton("next", number, _("Another puzzle"), discord.ButtonStyle.primary))
    return view


def daily_view(number: int) -> discord.ui.View:
    """Under the puzzle of the day."""
    view = discord.ui.View(timeout=None)
    view.add_item(PuzzleButton("answer", number, _("Answer"), discord.ButtonStyle.primary))
    return view


def is_daily(message: discord.Message, number: int) -> bool:
    """Whether a message is the puzzle of the day with this number."""
    return custom_ids(message) == [f"damero-puzzle:answer:{number}"]


def answers_puzzle(message: discord.Message, me: int) -> bool:
    """Whether ``message`` is a reply to a puzzle that the bot, whose id is ``me``, has posted."""
    puzzle = None if message.reference is None else message.reference.resolved
    if not isinstance(puzzle, discord.Message) or puzzle.author.id != me:
        return False
    return any(re.fullmatch(_BUTTON, each) for each in custom_ids(puzzle))


def answer_form(number: int, step: int, example: str) -> discord.ui.Modal:
    """The form behind *Answer*. ``step``: how many moves have been found; ``example``: some legal move, to show how one
    is written."""
    form = discord.ui.Modal(
        title=_("Puzzle {number}").format(number=number), custom_id=f"damero-puzzle:{number}:{step}"
    )
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id="move", placeholder=example[:100], min_length=1, max_length=typed_text.LONGEST
    )
    form.add_item(
        discord.ui.Label(text=_("Your move"), description=_("The first that is still to be found"), component=box)
    )
    form.stop()
    return form


async def puzzle_sent_in(interaction: discord.Interaction[Any]) -> None:
    """A form was sent in. Forms that are no puzzle's are left alone."""
    data: dict[str, Any] = dict(interaction.data or {})
    match = _FORM.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    services = services_of(interaction)
    try:
        async with responding(interaction, services):
            text = typed_text.clean(value_of(data.get("components", []), "move"))
            step = None if match[2] is None else int(match[2])
            await services.puzzle_answer(interaction, int(match[1]), text, step)
    except Exception as error:
        await failed(interaction, error)
