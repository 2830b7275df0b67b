"""What is said of ratings where a game is told of: under its challenge, at its start, at its end."""

from __future__ import annotations

from bot.games.model.announcements import BoardPosted, RatingNote
from bot.games.model.game import Game
from bot.i18n import _


def challenge_lines(game: Game) -> list[str]:
    """Under a challenge to a rated game: whoever accepts agrees to it."""
    if not game.rated:
        return []
    return [_("**Rated**: the result changes ratings, and moves stand (no `/takeback`, no `/undo`).")]


def start_lines(game: Game, board: BoardPosted) -> list[str]:
    """Above the first board of a rated game."""
    return [_("This game is rated.")] if game.rated and board.event == "start" else []


def end_lines(board: BoardPosted) -> list[str]:
    """Under the last board: how ratings have changed, or why they have not."""
    note = board.rating or RatingNote()
    if note.why_not is not None:
        return [_("No rating has changed. {reason}").format(reason=_(note.why_not))]
    changed = [
        # People and numbers: there is nothing to translate.
        f"<@{person}> {before} → **{after}** ({_signed(before, after)})"
        for person, before, after in note.ratings
    ]
    return [_("Ratings: {changes}.").format(changes=", ".join(changed))] if changed else []


def _signed(before: str, after: str) -> str:
    """By how much a rating has changed: both as they are shown."""
    change = int(after.rstrip("?")) - int(before.rstrip("?"))
    return f"{change:+d}" if change else "±0"
