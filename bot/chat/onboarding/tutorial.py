"""`/tutorial`: a game learnt by playing six positions of it. All that a lesson needs stands in its buttons, so it goes
on after a restart; what is seen is private."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial

from discord import app_commands

import render
from bot.chat.board_pictures import by_number
from bot.chat.components import (
    ActionButton,
    ActionMenu,
    ButtonStyle,
    CustomId,
    Press,
    chosen,
    form_of,
    turn_menu,
    typed_move,
    view_of,
)
from bot.chat.features import Handlers
from bot.chat.games.variant_option import VariantOption, variant_here
from bot.chat.onboarding import tutorial_texts as texts
from bot.chat.onboarding.first_game import chosen_game, game_menu, play_the_computer
from bot.chat.posting.picture_files import Picture
from bot.chat.responses import PATIENCE, defer_if_slow, is_private, open_form, replace, reply_privately
from bot.chat.services import Services, services_of
from bot.engine.errors import MoveError
from bot.engine.rules import Rules, State
from bot.engine.variants import Variant
from bot.games.model.errors import Refused
from bot.i18n import _, pgettext
from bot.presentation.alt_text import alt_text
from bot.presentation.board_scene import ShownPosition, scene_of, turned_for
from bot.study.lessons import Lesson, lessons_of
from bot.support.frozen import frozen


@frozen
class TutorialAction(CustomId):
    """A button or a menu of a lesson, counted from 0. ``game``: the variant's id."""

    prefix = "damero-learn"
    act: str
    lesson: int
    game: str = ""


@frozen
class TutorialForm(CustomId):
    """The form in which a move is typed."""

    prefix = "damero-learned"
    lesson: int
    game: str = ""


press, form = Handlers(TutorialAction), Handlers(TutorialForm)


@app_commands.command(description="Learn a game by playing six short positions, for your eyes only")
@app_commands.describe(variant="The game; without it you choose from a list")
async def tutorial(interaction: Press, variant: VariantOption | None = None) -> None:
    if variant is None:
        menu = await game_menu(interaction, TutorialAction("game", 0), "/tutorial variant:")
        await reply_privately(interaction, _("Which game do you want to learn?"), view=view_of([menu]))
    else:
        await begin(interaction, variant)


async def begin(interaction: Press, variant: Variant) -> None:
    """Show the first lesson of a game to whoever made ``interaction``."""
    lessons = await _lessons(interaction, variant)
    await _show(interaction, lessons, 0)


@press.on("game")
async def _game_chosen(_menu: TutorialAction, interaction: Press, _services: Services) -> None:
    await begin(interaction, await chosen_game(interaction))


@press.on("lesson")
async def _lesson(button: TutorialAction, interaction: Press, _services: Services) -> None:
    lessons = await _of(button, interaction)
    await _show(interaction, lessons, min(button.lesson, len(lessons) - 1))


@press.on("move")
async def _move_chosen(menu: TutorialAction, interaction: Press, _services: Services) -> None:
    await _answer(interaction, await _of(menu, interaction), menu.lesson, next(iter(chosen(interaction)), ""))


@press.on("type")
async def _ask(button: TutorialAction, interaction: Press, _services: Services) -> None:
    variant = await variant_here(interaction, button.game)
    example = ""
    # A form cannot follow an acknowledgement: where the lessons must be found anew, it comes without an example.
    with contextlib.suppress(TimeoutError):
        lessons = await asyncio.wait_for(asyncio.to_thread(lessons_of, variant.ruleset), PATIENCE)
        lesson = _numbered(lessons, button.lesson)
        example = lesson.rules.turns(lesson.state)[-1].text
    title = _("Lesson {number}").format(number=button.lesson + 1)
    described = _("From square to square; for several jumps, every landing or just the last")
    carried = TutorialForm(button.lesson, button.game)
    await open_form(interaction, form_of(carried, title, _("Your move"), described, example))


@press.on("solution")
async def _solution(button: TutorialAction, interaction: Press, _services: Services) -> None:
    lessons = await _of(button, interaction)
    lesson = _numbered(lessons, button.lesson)
    await _show(interaction, lessons, button.lesson, texts.shown_text(lesson.solutions[0]))


@form.on()
async def _typed(sent: TutorialForm, interaction: Press, _services: Services) -> None:
    lessons = await _lessons(interaction, await variant_here(interaction, sent.game))
    await _answer(interaction, lessons, sent.lesson, typed_move(interaction))


async def _of(carried: TutorialAction, interaction: Press) -> tuple[Lesson, ...]:
    return await _lessons(interaction, await variant_here(interaction, carried.game))


async def _lessons(interaction: Press, variant: Variant) -> tuple[Lesson, ...]:
    lessons = await defer_if_slow(interaction, asyncio.to_thread(lessons_of, variant.ruleset))
    if not lessons:
        raise Refused(_("There are no lessons for {game}: see `/rules`.").format(game=variant.name))
    return lessons


def _numbered(lessons: tuple[Lesson, ...], number: int) -> Lesson:
    """The lesson of a button. Raises Refused where another version of the bot had more of them."""
    if number >= len(lessons):
        raise Refused(_("This lesson has changed. Begin again with `/tutorial`."))
    return lessons[number]


async def _answer(interaction: Press, lessons: tuple[Lesson, ...], number: int, text: str) -> None:
    lesson = _numbered(lessons, number)
    try:
        turn = lesson.rules.read(lesson.state, text)
    except MoveError as error:
        await _show(interaction, lessons, number, error.sentence)
        return
    if turn.text not in [each.text for each in lesson.solutions]:
        await _show(interaction, lessons, number, texts.other_text(turn))
        return
    after = lesson.rules.play(lesson.state, turn)
    said = texts.solved_text(lesson, turn, number, len(lessons))
    game = lesson.rules.variant.id
    if number + 1 < len(lessons):
        going_on = TutorialAction("lesson", number + 1, game)
        button = ActionButton.of(going_on, pgettext("button", "Next lesson"), ButtonStyle.primary)
    else:
        button = ActionButton.of(
            TutorialAction("play", 0, game), pgettext("button", "Play the computer"), ButtonStyle.success
        )
    # From the same side as before.
    await _tell(interaction, said, [button], lesson.rules, after, lesson.state.seat)


async def _show(interaction: Press, lessons: tuple[Lesson, ...], number: int, remark: str = "") -> None:
    lesson = lessons[number]
    rules, game = lesson.rules, lesson.rules.variant.id
    numbers = by_number(rules, await services_of(interaction).games.preferences.load(interaction.user.id))
    written = rules.board.numbered if numbers else str
    text = "\n".join(filter(None, [texts.lesson_text(lesson, number, len(lessons)), remark]))
    menu = turn_menu(TutorialAction("move", number, game), rules.turns(lesson.state), lesson.solutions, written)
    typing = ActionButton.of(TutorialAction("type", number, game), pgettext("button", "Type a move"))
    showing = ActionButton.of(TutorialAction("solution", number, game), pgettext("button", "Show me"))
    await _tell(interaction, text, [menu, typing, showing], rules, lesson.state, lesson.state.seat)


async def _tell(
    interaction: Press, text: str, items: list[ActionButton | ActionMenu], rules: Rules, state: State, seat: int
) -> None:
    shown = ShownPosition(rules, state, start=rules.position(state))
    services, words = services_of(interaction), alt_text(shown)
    numbers = by_number(rules, await services.games.preferences.load(interaction.user.id))
    if numbers:
        text, words = rules.board.in_numbers(text), rules.board.in_numbers(words)
    scene = scene_of(shown, ("",) * len(rules.seats), turned=turned_for(rules, seat), numbers=numbers)
    file = Picture("lesson.png", await services.pictures.drawn(partial(render.draw, scene)), words).file()
    if is_private(interaction):
        await replace(interaction, text, view_of(items), file)
    else:
        await reply_privately(interaction, text, view=view_of(items), file=file)


@press.on("play")
async def _play(button: TutorialAction, interaction: Press, _services: Services) -> None:
    text = await play_the_computer(interaction, await variant_here(interaction, button.game))
    await reply_privately(interaction, text)
