"""What the tutorial says: what is to be done in each lesson, and what has been done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.turns import Turn
from bot.engine.variants import in_own_words
from bot.i18n import N_, _, ngettext
from bot.study.lessons import Goal, Lesson

TASKS: Final[Mapping[Goal, str]] = {
    "move": N_("**Move a man.** Choose a move below, or type one."),
    "must": N_(
        "**Capture.** Jump over an opponent's piece to take it off the board. If you can "
        "capture, you must: no other move is legal here."
    ),
    "take": N_(
        "**Capture.** Jump over an opponent's piece to take it off the board. You may play "
        "something else, but then your opponent may take off the piece that should have captured."
    ),
    "several": N_("**Take several pieces in one turn.** The piece goes on capturing as long as it can."),
    "crown": N_("**Make a king.** A man that reaches the far row is crowned."),
    "king": N_("**Move a king.** The list shows how far it goes, and that it moves backwards too."),
    "step": N_("**Take a step.** A peg moves to a free hole beside it. Choose a move below, or type one."),
    "hop": N_(
        "**Hop.** A peg jumps over a neighbour of any colour, into the free hole behind it. Nothing is taken off."
    ),
    "two": N_("**Hop twice.** After a hop the same peg may hop on, in any direction."),
    "chain": N_("**Make a long chain.** Hop at least three times in one turn."),
    "home": N_("**Bring a peg home.** Home is the point of the star opposite your own."),
    "finish": N_("**Win the game.** One turn does it."),
}
"""By the goal of a lesson: what is to be done, in two sentences."""
FORCED: Final = N_("**Win the game.** Find the move that wins whatever your opponent plays.")


@in_own_words
def lesson_text(lesson: Lesson, number: int, count: int) -> str:
    """Which lesson this is (``number`` from 0), what is to be done, and who does it."""
    head = _("**{game}**, lesson {number} of {count}").format(
        game=lesson.rules.variant.name, number=number + 1, count=count
    )
    over = any(lesson.rules.play(lesson.state, turn).outcome for turn in lesson.solutions)
    task = FORCED if lesson.goal == "finish" and not over else TASKS[lesson.goal]
    you = _("You play {side}.").format(side=lesson.rules.seats[lesson.state.seat].name)
    return "\n".join([head, _(task), you])


@in_own_words
def solved_text(lesson: Lesson, turn: Turn, number: int, count: int) -> str:
    """What the turn did, which was one of those asked for."""
    sentences = [_("Right: `{move}`.").format(move=turn.text)]
    if turn.captured:
        taken = len(turn.captured)
        template = ngettext("It takes {count} piece.", "It takes {count} pieces.", taken)
        sentences.append(template.format(count=taken))
    if turn.crowns:
        sentences.append(_("It makes a king."))
    if number + 1 == count:
        sentences.append(
            _(
                "That was the last lesson. `/rules` has the rest of the rules. Now try a real game: the "
                "computer is ready."
            )
        )
    return " ".join(sentences)


def other_text(turn: Turn) -> str:
    """A legal turn that is not what was asked for."""
    return _("`{move}` is legal, but not what this lesson is about. Try again.").format(move=turn.text)


def shown_text(turn: Turn) -> str:
    """The solution, for whoever asked for it."""
    return _("Play `{move}`.").format(move=turn.text)
