"""What a correction changes: asked before it is written down, so that a director sees what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.i18n import _
from bot.support.frozen import frozen
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import Format, OpenGame, RoundRepairing
from bot.tournaments.formats.registry import fold, format_of
from bot.tournaments.model.events import Action, Event, MatchGame, PairedRound, TournamentSettings
from bot.tournaments.model.fold import foreseen
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing.elimination import MatchState, changed_matches


@frozen
class Impact:
    """What follows from one more event: (before, after) of those whom it moves, and of other matches of a bracket that
    it changes. ``begins``: the games that are to be played then and were not before; ``decided``: the matches of a
    bracket that somebody has won then who had not. Who plays in a bracket has no points, and a place only when out."""

    points: Mapping[int, tuple[Fraction, Fraction]]
    ranks: Mapping[int, tuple[int, int]]
    pairings: tuple[RoundRepairing, ...]
    ignored: tuple[int, ...]
    matches: tuple[tuple[MatchState, MatchState], ...] = ()
    begins: tuple[OpenGame, ...] = ()
    decided: tuple[MatchState, ...] = ()

    @property
    def open_rounds(self) -> tuple[RoundRepairing, ...]:
        """The rounds that would be paired otherwise and are still being played."""
        return tuple(each for each in self.pairings if not each.over)

    @property
    def question(self) -> str:
        """What to ask the director; empty when no round that is still being played is touched."""
        parts = [each.loss for each in self.open_rounds]
        return _("Changes {what}: keep or pair again?").format(what=", ".join(parts)) if parts else ""


def what_changes(settings: TournamentSettings, events: Sequence[Event], action: Action) -> Impact:
    """The consequences of an action, compared with leaving things as they are.

    Raises TournamentError where the action makes no sense."""
    before = fold(settings, events)
    if (reason := refusal(before, action)) is not None:
        raise TournamentError(reason)
    after = foreseen(before, events, action)
    if Phase.ENTRIES in (before.phase, after.phase):
        return Impact({}, {}, (), ())
    format_ = format_of(settings)
    rankings = () if format_.has_bracket else tuple(format_.ranking(state).lines for state in (before, after))
    was, now = ({line.number: line for line in lines} for lines in rankings or ((), ()))
    both = [n for n in was if n in now]
    points = {n: (was[n].values[0], now[n].values[0]) for n in both if was[n].values[0] != now[n].values[0]}
    ranks = {n: (was[n].rank, now[n].rank) for n in both if was[n].rank != now[n].rank}
    ignored = tuple(n for n in after.ignored if n not in before.ignored)
    repairings = tuple(format_.repairings(before, after))
    number = events[-1].number + 1 if events else 1
    after = _with_walkovers(format_, after, (*events, Event(number, 0, 0, action)))
    matches: tuple[tuple[MatchState, MatchState], ...] = ()
    decided: tuple[MatchState, ...] = ()
    if format_.has_bracket:
        key = action.match if isinstance(action, MatchGame) else ""
        matches = changed_matches(before.bracket, after.bracket, key)
        told = {now.match.key for _was, now in matches}
        decided = tuple(
            match
            for each, match in after.bracket.matches.items()
            if match.winner and match.loser and match.winner != before.bracket.matches[each].winner and each not in told
        )
    known = {game.key for game in format_.open_games(before)}
    begins = tuple(game for game in format_.open_games(after) if game.key not in known)
    begins = () if isinstance(action, PairedRound) else begins
    return Impact(points, ranks, repairings, ignored, matches, begins, decided)


def _with_walkovers(format_: Format, state: Tournament, history: Sequence[Event]) -> Tournament:
    """The tournament with what is written down at once for those who have left."""
    while walkovers := format_.walkovers(state):
        for walkover in walkovers:
            state = foreseen(state, history, walkover)
            history = (*history, Event(history[-1].number + 1, 0, 0, walkover))
    return state
