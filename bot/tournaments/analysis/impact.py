"""What a correction changes: asked before it is written down, so that a director sees what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.i18n import Phrase, _, said
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import RoundRepairing
from bot.tournaments.formats.registry import fold, format_of
from bot.tournaments.model.events import Action, Event, TournamentSettings
from bot.tournaments.model.fold import foreseen
from bot.tournaments.model.state import Phase
from bot.tournaments.model.validation import refusal


@dataclass(frozen=True, slots=True)
class Impact:
    """What follows from one more event: (before, after) of those whom it moves; ``reopened``: matches to be played."""

    points: Mapping[int, tuple[Fraction, Fraction]]
    ranks: Mapping[int, tuple[int, int]]
    pairings: tuple[RoundRepairing, ...]
    reopened: tuple[Phrase, ...]
    ignored: tuple[int, ...]

    @property
    def open_rounds(self) -> tuple[RoundRepairing, ...]:
        """The rounds that would be paired otherwise and are still being played."""
        return tuple(each for each in self.pairings if not each.over)

    @property
    def question(self) -> str:
        """What to ask the director; empty when no round that is still being played is touched."""
        parts = [each.loss for each in self.open_rounds]
        parts += map(said, self.reopened)
        return _("Changes {what}: keep or pair again?").format(what=", ".join(parts)) if parts else ""


def what_changes(settings: TournamentSettings, events: Sequence[Event], action: Action) -> Impact:
    """The consequences of an action, compared with leaving things as they are.

    Raises TournamentError where the action makes no sense."""
    before = fold(settings, events)
    if (reason := refusal(before, action)) is not None:
        raise TournamentError(reason)
    after = foreseen(before, events, action)
    if Phase.ENTRIES in (before.phase, after.phase):
        return Impact({}, {}, (), (), ())
    format_ = format_of(settings)
    was, now = ({line.number: line for line in format_.ranking(state).lines} for state in (before, after))
    both = [n for n in was if n in now]
    points = {n: (was[n].values[0], now[n].values[0]) for n in both if was[n].values[0] != now[n].values[0]}
    ranks = {n: (was[n].rank, now[n].rank) for n in both if was[n].rank != now[n].rank}
    ignored = tuple(n for n in after.ignored if n not in before.ignored)
    return Impact(points, ranks, tuple(format_.repairings(before, after)), format_.reopened(before, after), ignored)
