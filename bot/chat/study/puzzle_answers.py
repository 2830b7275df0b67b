"""What is done about a puzzle that somebody has before them: it is answered, given up, or exchanged for another."""

from __future__ import annotations

from functools import partial

import discord

import render
from bot.chat import typed_text
from bot.chat.actions import Handlers
from bot.chat.components import Press, typed_value
from bot.chat.responses import reply_privately, source_of
from bot.chat.services import Services
from bot.chat.study import puzzle_texts as texts
from bot.chat.study.puzzle_buttons import PuzzleAction, PuzzleForm, answer_form, answers_puzzle
from bot.chat.typed_text import TypedText
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.study.model import PuzzleAttempt

press, form = Handlers(PuzzleAction), Handlers(PuzzleForm)


@press.on("answer")
async def _ask(button: PuzzleAction, interaction: Press, services: Services) -> None:
    task = await services.puzzles.task(interaction.user.id, button.puzzle)
    if task.status != "open":
        raise Refused(_("You have done this puzzle. Get another one with `/puzzle`."))
    turns = task.rules.turns(task.state)
    await interaction.response.send_modal(answer_form(button.puzzle, task.step, turns[-1].text))


@press.on("solution")
async def _give_up(button: PuzzleAction, interaction: Press, services: Services) -> None:
    answered = await services.puzzles.give_up(interaction.user.id, button.puzzle)
    await show(interaction, services, answered.task, texts.answered_text(answered, services.clock()))


@press.on("next")
async def _next(button: PuzzleAction, interaction: Press, services: Services) -> None:
    before = await services.puzzles.task(interaction.user.id, button.puzzle)
    task = await services.puzzles.give(interaction.user.id, before.variant_id)
    await show(interaction, services, task, texts.asked_text(task))


@form.on()
async def _sent_in(sent: PuzzleForm, interaction: Press, services: Services) -> None:
    await answer(interaction, services, sent.puzzle, typed_value(interaction, "move"), sent.step)


async def answer(interaction: Press, services: Services, number: int, text: str, step: int | None = None) -> None:
    """Take ``text`` as the answer to a puzzle, and say what came of it."""
    answered = await services.puzzles.answer(
        interaction.user.id, number, typed_text.clean(text), step=step, source=source_of(interaction)
    )
    await show(interaction, services, answered.task, texts.answered_text(answered, services.clock()))


async def show(interaction: Press, services: Services, task: PuzzleAttempt, text: str) -> None:
    """A private answer with the board as it stands."""
    png = await services.pictures.drawn(partial(render.draw, texts.scene_of(task)))
    await reply_privately(interaction, text, **texts.more_of(task, png))


async def typed(message: discord.Message, _words: TypedText, me: int, _services: Services) -> bool:
    """A reply to a puzzle is no move in the game that may be going on there."""
    if answers_puzzle(message, me):
        raise Refused(_("Press *Answer* under the puzzle and type it there: here everybody would read it."))
    return False
