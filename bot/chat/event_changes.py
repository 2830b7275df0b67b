"""What a director mends, in words."""

from __future__ import annotations

from bot.chat.answers import fitting
from bot.chat.event_history import details
from bot.chat.event_texts import action_in_words, changes
from bot.language import _
from bot.tournaments.desk import Held
from bot.tournaments.events import Action, RoundPaired, TablesSeated, Undone
from bot.tournaments.mending import Mending, left_out


def mending(held: Held, shown: Mending) -> str:
    """What a director's mending changes, before it is done."""
    if shown.undone is not None:
        says = _("This takes event {number} back: {what}.")
        first = says.format(number=shown.undone.number, what=_in_words(held, shown.undone.action))
    elif not isinstance(shown.action, Undone):
        first = _("This pairs round {round}: {pairings}").format(
            round=shown.action.round, pairings=_paired_in_words(held, shown.action)
        )
    if shown.undone is not None:
        says = _("Give the command with `event: {number}` and `confirm`, and it is done.")
        confirm = says.format(number=shown.undone.number)
    else:
        confirm = _("Give the same command with `confirm`, and it is done.")
        if out := left_out(held.state, shown.action):
            says = _("Without a game in that round: {players}.")
            first += "\n" + says.format(players=", ".join(map(held.call, out)))
    return f"{changes(held, first, shown.change)}\n{confirm}"


def _in_words(held: Held, action: Action) -> str:
    about = details(held, action)
    return f"{action_in_words(action)} ({about})" if about else action_in_words(action)


def _paired_in_words(held: Held, action: RoundPaired | TablesSeated) -> str:
    groups = action.games if isinstance(action, RoundPaired) else action.tables
    return "; ".join(" : ".join(held.call(number) for number in group) for group in groups)


def by_numbers(held: Held, pairings: str) -> str:
    """Who has which starting number, and a round as it is written by them."""
    players = [f"{number} {held.call(number)}" for number in sorted(held.state.by_number)]
    lines = [_("Starting numbers: {players}").format(players=", ".join(players))]
    if pairings:
        lines.append(_("The round as it stands: `{pairings}`").format(pairings=pairings))
    return fitting("\n".join(lines))
