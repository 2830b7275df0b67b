"""The buttons under puzzles, and the form for answers. They carry the puzzle's number and work after a restart."""

from __future__ import annotations

from functools import partial
from typing import Literal

import discord

import render
from bot.chat.board_pictures import by_number
from bot.chat.components import (
    ActionButton,
    ButtonStyle,
    CustomId,
    Press,
    chosen,
    form_of,
    turn_menus,
    typed_move,
    view_of,
)
from bot.chat.features import Handlers
from bot.chat.posting.find_posted import custom_ids
from bot.chat.responses import is_private, open_form, reply_privately, source_of
from bot.chat.services import Services
from bot.chat.study import puzzle_texts as texts
from bot.chat.typed_text import TypedText
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.study.model import PuzzleAttempt
from bot.study.puzzles import DONE
from bot.support.frozen import frozen


@frozen
class PuzzleAction(CustomId):
    """Answer a puzzle, see its solution, or get another one."""

    prefix = "damero-puzzle"
    act: Literal["answer", "solution", "reveal", "next"]
    puzzle: int


@frozen
class PuzzleForm(CustomId):
    """The form in which an answer is typed. ``step``: how many moves have been found; older forms do not say."""

    prefix = "damero-puzzle"
    puzzle: int
    step: int | None = None


@frozen
class PuzzleMenu(CustomId):
    """The list from which an answer is chosen. ``step``: how many moves had been found; ``part``: which list of
    several."""

    prefix = "damero-puzzle-moves"
    puzzle: int
    step: int
    part: int = 0


press, form, menu = Handlers(PuzzleAction), Handlers(PuzzleForm), Handlers(PuzzleMenu)


def puzzle_view(task: PuzzleAttempt, *, numbers: bool = False) -> discord.ui.View:
    """Under a puzzle: open to be answered, or over."""
    number = task.number
    if task.status != "open":
        return view_of([ActionButton.of(PuzzleAction("next", number), _("Another puzzle"), ButtonStyle.primary)])
    turns, sought = task.rules.turns(task.state), task.rules.read(task.state, task.rest[0])
    written = task.rules.board.numbered if numbers else str
    listed = turn_menus(partial(PuzzleMenu, number, task.step), turns, [sought], written)
    solution = ActionButton.of(PuzzleAction("solution", number), _("Show the solution"))
    return view_of([*listed, _answer_button(number), solution])


def daily_view(number: int) -> discord.ui.View:
    """Under the puzzle of the day."""
    return view_of([_answer_button(number)])


def _answer_button(number: int) -> ActionButton:
    return ActionButton.of(PuzzleAction("answer", number), _("Answer"), ButtonStyle.primary)


def is_daily(message: discord.Message, number: int) -> bool:
    """Whether a message is the puzzle of the day with this number."""
    return custom_ids(message) == [PuzzleAction("answer", number).encode()]


def answer_form(number: int, step: int, example: str) -> discord.ui.Modal:
    """The form behind *Answer*. ``step``: how many moves have been found; ``example``: how a legal move is written."""
    title, description = _("Puzzle {number}").format(number=number), _("The first move still to find")
    return form_of(PuzzleForm(number, step), title, _("Your move"), description, example)


@press.on("answer")
async def _ask(button: PuzzleAction, interaction: Press, services: Services) -> None:
    task = await services.puzzles.task(interaction.user.id, button.puzzle)
    if task.status != "open":
        raise Refused(_(DONE))
    if not is_private(interaction):
        # The puzzle of the day stands before all: whoever answers it has it alone.
        await show(interaction, services, task, texts.asked_text(task))
        return
    turns = task.rules.turns(task.state)
    await open_form(interaction, answer_form(button.puzzle, task.step, turns[-1].text))


@press.on("solution")
async def _ask_to_give_up(button: PuzzleAction, interaction: Press, services: Services) -> None:
    """What is seen by a slip cannot be unseen."""
    task = await services.puzzles.task(interaction.user.id, button.puzzle)
    if task.status != "open":
        await _give_up(button, interaction, services)
        return
    text = _("Seeing the solution counts as a wrong answer, and your puzzle rating goes down. Show it?")
    reveal = ActionButton.of(PuzzleAction("reveal", task.number), _("Show the solution"), ButtonStyle.danger)
    await reply_privately(interaction, text, view=view_of([reveal, _answer_button(task.number)]))


@press.on("reveal")
async def _give_up(button: PuzzleAction, interaction: Press, services: Services) -> None:
    answered = await services.puzzles.give_up(interaction.user.id, button.puzzle)
    await show(interaction, services, answered.task, texts.answered_text(answered, services.clock()))


@press.on("next")
async def _next(button: PuzzleAction, interaction: Press, services: Services) -> None:
    before = await services.puzzles.task(interaction.user.id, button.puzzle)
    task = await services.puzzles.give(interaction.user.id, before.variant_id)
    await show(interaction, services, task, texts.asked_text(task))


@menu.on()
async def _chosen(listed: PuzzleMenu, interaction: Press, services: Services) -> None:
    await answer(interaction, services, listed.puzzle, next(iter(chosen(interaction)), ""), listed.step)


@form.on()
async def _sent_in(sent: PuzzleForm, interaction: Press, services: Services) -> None:
    await answer(interaction, services, sent.puzzle, typed_move(interaction), sent.step)


async def answer(interaction: Press, services: Services, number: int, text: str, step: int | None = None) -> None:
    """Take ``text`` as the answer to a puzzle, and say what came of it."""
    me, source = interaction.user.id, source_of(interaction)
    answered = await services.puzzles.answer(me, number, text, step=step, source=source)
    await show(interaction, services, answered.task, texts.answered_text(answered, services.clock()))


async def show(interaction: Press, services: Services, task: PuzzleAttempt, text: str) -> None:
    """A private answer with the board as it stands."""
    numbers = by_number(task.rules, await services.games.preferences.load(interaction.user.id))
    png = await services.pictures.drawn(partial(render.draw, texts.scene_of(task, numbers=numbers)))
    view, file = puzzle_view(task, numbers=numbers), texts.picture_of(task, png, numbers=numbers)
    await reply_privately(interaction, task.rules.board.in_numbers(text) if numbers else text, view=view, file=file)


async def typed(message: discord.Message, _words: TypedText, me: int, _services: Services) -> bool:
    """A reply to a puzzle that the bot has posted is no move in the game that may be going on there."""
    puzzle = None if message.reference is None else message.reference.resolved
    if not isinstance(puzzle, discord.Message) or puzzle.author.id != me:
        return False
    if any(PuzzleAction.decode(each) for each in custom_ids(puzzle)):
        raise Refused(_("Press *Answer* under the puzzle and type it there: here everyone could read it."))
    return False
