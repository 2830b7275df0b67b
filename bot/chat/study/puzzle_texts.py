"""Puzzles in words: what is asked, what became of an answer, how a solver stands."""

from __future__ import annotations

import discord

from bot.chat.games.posts import chosen_meanings
from bot.chat.posting.picture_files import Picture
from bot.chat.wording.dates import moment
from bot.computer.puzzle_themes import THEMES
from bot.i18n import N_, _, ngettext, said
from bot.presentation import alt_text, board_scene
from bot.study.model import AnswerResult, PuzzleAttempt, PuzzleSolver
from render import Scene

NOT_SURE = N_("The ? means that the rating is not sure yet: it takes large steps at first.")


def scene_of(task: PuzzleAttempt, *, numbers: bool = False) -> Scene:
    """The board of a puzzle, seen from the solver's side."""
    return board_scene.scene_of(_board(task), ("", ""), turned=solver_seat(task) == 1, numbers=numbers)


def _board(task: PuzzleAttempt) -> board_scene.ShownPosition:
    return board_scene.ShownPosition(task.rules, task.state, task.position, len(task.path))


def solver_seat(task: PuzzleAttempt) -> int:
    """Who has to find the turns."""
    return task.rules.start(task.position).seat


def asked_text(task: PuzzleAttempt) -> str:
    """What is to be found."""
    head = _("**Puzzle {number}**, {game}, rated {rating}: {side} to move and win.")
    lines = [head.format(number=task.number, **_fields(task)), *chosen_meanings(task.rules.variant)]
    if task.path:
        lines.append(_("So far: {line}").format(line=line_of(task.path)))
    left = task.left
    lines.append(ngettext("Find {count} move.", "Find {count} moves.", left).format(count=left))
    lines.append(_("Choose your move from the list, or press *Answer* and type it."))
    return "\n".join(lines)


def _fields(task: PuzzleAttempt) -> dict[str, str | int]:
    side = task.rules.seats[solver_seat(task)].name
    return {"game": said(task.rules.variant.name), "rating": round(task.rating), "side": said(side)}


def daily_text(task: PuzzleAttempt, at: int, before: str | None) -> str:
    """The post of the daily puzzle, due ``at`` (UTC, milliseconds)."""
    head = _("**Puzzle of the day**, {at}, {game}, rated {rating}: {side} to move and win.")
    press = _("Press *Answer*: nobody else sees what you type.")
    lines = [head.format(at=moment(at, "D"), **_fields(task)), *chosen_meanings(task.rules.variant), press]
    return "\n".join(lines if before is None else [*lines, before])


def before_text(task: PuzzleAttempt, solved: int) -> str:
    """What became of the puzzle of the day before."""
    template = ngettext(
        "The last one: ||{line}||. {count} person has solved it.",
        "The last one: ||{line}||. {count} people have solved it.",
        solved,
    )
    return template.format(line=" ".join(task.solution), count=solved)


def line_of(path: tuple[str, ...]) -> str:
    """Turns and answers."""
    return " ".join(f"`{text}`" for text in path)


def answered_text(answered: AnswerResult, now: int) -> str:
    """What became of an answer."""
    task = answered.task
    if answered.right and task.status == "open":
        template = _("**{move}** is right. The answer is **{reply}**. Go on.")
        return f"{template.format(move=answered.played, reply=answered.answer)}\n{asked_text(task)}"
    if task.status == "open":
        # The form was opened before another answer: nothing was counted.
        return asked_text(task)
    if answered.right:
        template = _("**{move}** is right: solved! The solution: {line}")
    elif answered.played:
        template = _("**{move}** is not the solution. From here: {rest}")
    else:
        template = _("The solution: {line}")
    text = template.format(move=answered.played, line=line_of(task.solution), rest=line_of(task.rest))
    if task.themes:
        # Only now: before, they would give away what to look for.
        named = ", ".join(_(THEMES[theme]) for theme in task.themes if theme in THEMES)
        text += "\n" + _("Theme: {themes}.").format(themes=named)
    if answered.before is not None and answered.after is not None:
        text += f"\n{_change(answered.before, answered.after, now)}"
    return text


def _change(before: PuzzleSolver, after: PuzzleSolver, now: int) -> str:
    template = _("Your puzzle rating: {before} → **{after}**. {streaks}")
    ratings = {"before": before.rating.shown(now), "after": after.rating.shown(now)}
    text = template.format(**ratings, streaks=_streaks(after)).rstrip()
    # Large steps at first, of which a newcomer should think nothing.
    return f"{text}\n-# {_(NOT_SURE)}" if after.rating.is_provisional(now) else text


def _streaks(solver: PuzzleSolver) -> str:
    streaks = []
    if solver.streak > 1:
        text = _("Streak: {count}, best {best}.")
        streaks.append(text.format(count=solver.streak, best=solver.best_streak))
    if solver.days > 1:
        streaks.append(_("Days in a row: {count}.").format(count=solver.days))
    return " ".join(streaks)


def solver_text(solver: PuzzleSolver | None, now: int) -> str:
    """How a solver stands."""
    if solver is None:
        return _("You have not tried a puzzle yet.")
    template = _("Your puzzle rating: **{rating}**; {solved} solved of {tried}. {streaks}")
    values = {"rating": solver.rating.shown(now), "solved": solver.solved, "tried": solver.rating.games}
    return template.format(**values, streaks=_streaks(solver)).rstrip()


def picture_of(task: PuzzleAttempt, png: bytes, *, numbers: bool = False) -> discord.File:
    """The board's picture as a file, with its words."""
    words = alt_text.alt_text(_board(task))
    words = task.rules.board.in_numbers(words) if numbers else words
    return Picture(f"p{task.number}-{len(task.path)}.png", png, words).file()
