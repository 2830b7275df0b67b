"""What one person is told of games that wait: reminders and the daily digest."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.games.posts import result_text
from bot.chat.wording.dates import moment, until
from bot.chat.wording.players import mention
from bot.games.model.announcements import Digest, Reminder
from bot.games.model.game import Game
from bot.i18n import N_, _, labelled, ngettext

_STAGES = {
    "half": N_("Half of your time for this move is gone."),
    "most": N_("Most of your time for this move is gone."),
    "last": N_("Your time for this move is almost over."),
    "quiet": N_("Your time for this move runs out during your quiet hours, or soon after."),
    "turn": N_("It is your turn."),
    "over": N_("Your game is over."),
    "challenge": N_("You have been challenged."),
}
_MUTE = N_("Too many of these? Mute them or set quiet hours with `/me settings`.")


def still_holds(reminder: Reminder, ply: int, game: Game) -> bool:
    """Whether what a reminder, made at ``ply``, says of ``game``, as it stands now, is still so."""
    match reminder.stage:
        case "over":
            return game.status in ("finished", "aborted")
        case "challenge":
            return game.status == "open" and reminder.to in game.invited
    return game.to_move == reminder.to and game.ply == ply


def reminder_text(reminder: Reminder, game: Game, event: str | None, link: str | None) -> str:
    """What a person is told of one game (of an event), with a link to what they are reminded of."""
    name = _with_others(_called(f"**{game.rules.variant.name}**", event and f"**{event}**"), game, reminder.to)
    lines = [labelled(name, _(_STAGES[reminder.stage])), result_text(game), until(reminder.due), link]
    return "\n".join(line for line in lines if line)


def begun_text(game: Game, person: int) -> str:
    """What a player is told when a game with a clock begins where nobody can be notified."""
    name = _with_others(f"**{game.rules.variant.name}**", game, person)
    template = _("{game}: your game has begun. I will remind you here when your time runs short.")
    return template.format(game=name)


def digest_text(digest: Digest, games: Sequence[str]) -> str:
    """What a person is told of all games that wait for them, of which the most urgent have a line each."""
    template = ngettext(
        "**{count} game is waiting for your move.** The most urgent:",
        "**{count} games are waiting for your move.** The most urgent:",
        digest.count,
    )
    return "\n".join([template.format(count=digest.count), *games, _(_MUTE)])


def digest_line(digest: Digest, game: Game, event: str | None, due: int | None, link: str | None) -> str:
    """A game (of an event) that waits for the reader of ``digest``: until when, and the link to its board."""
    until_when = "" if due is None else f", {moment(due)}"
    name = _with_others(_called(game.rules.variant.name, event), game, digest.to)
    return f"- {name}{until_when} {link or ''}".rstrip()


def _called(variant: str, event: str | None) -> str:
    return f"{event} · {variant}" if event else variant


def _with_others(name: str, game: Game, person: int) -> str:
    others = [mention(player) for player in game.players if player is not None and player != person]
    if not others:
        return _("{game}, alone").format(game=name)
    return _("{game}, with {players}").format(game=name, players=", ".join(others))
