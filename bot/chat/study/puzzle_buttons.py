"""The buttons under puzzles, and the form in which an answer is typed. They carry the puzzle's number and work after a
restart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import discord

from bot.chat import typed_text
from bot.chat.components import ActionButton, ButtonStyle, CustomId, view_of
from bot.chat.posting.find_posted import custom_ids
from bot.i18n import _


@dataclass(frozen=True, slots=True)
class PuzzleAction(CustomId):
    """Answer a puzzle, see its solution, or get another one."""

    prefix = "damero-puzzle"
    act: Literal["answer", "solution", "next"]
    puzzle: int


@dataclass(frozen=True, slots=True)
class PuzzleForm(CustomId):
    """The form in which an answer is typed. ``step``: how many moves have been found; older forms do not say."""

    prefix = "damero-puzzle"
    puzzle: int
    step: int | None = None


def puzzle_view(number: int, *, is_open: bool) -> discord.ui.View:
    """Under a puzzle: open to be answered, or over."""
    if not is_open:
        return view_of([ActionButton.of(PuzzleAction("next", number), _("Another puzzle"), ButtonStyle.primary)])
    return view_of([_answer_button(number), ActionButton.of(PuzzleAction("solution", number), _("Show the solution"))])


def daily_view(number: int) -> discord.ui.View:
    """Under the puzzle of the day."""
    return view_of([_answer_button(number)])


def _answer_button(number: int) -> ActionButton:
    return ActionButton.of(PuzzleAction("answer", number), _("Answer"), ButtonStyle.primary)


def is_daily(message: discord.Message, number: int) -> bool:
    """Whether a message is the puzzle of the day with this number."""
    return custom_ids(message) == [PuzzleAction("answer", number).encode()]


def answers_puzzle(message: discord.Message, me: int) -> bool:
    """Whether ``message`` is a reply to a puzzle that the bot, whose id is ``me``, has posted."""
    puzzle = None if message.reference is None else message.reference.resolved
    if not isinstance(puzzle, discord.Message) or puzzle.author.id != me:
        return False
    return any(PuzzleAction.decode(each) for each in custom_ids(puzzle))


def answer_form(number: int, step: int, example: str) -> discord.ui.Modal:
    """The form behind *Answer*. ``step``: how many moves have been found; ``example``: some legal move, to show how one
    is written."""
    form = discord.ui.Modal(
        title=_("Puzzle {number}").format(number=number), custom_id=PuzzleForm(number, step).encode()
    )
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id="move", placeholder=example[:100], min_length=1, max_length=typed_text.LONGEST
    )
    form.add_item(
        discord.ui.Label(text=_("Your move"), description=_("The first that is still to be found"), component=box)
    )
    form.stop()
    return form
