"""A round robin: all play all, once or twice, by the Berger tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.i18n import _
from bot.tournaments.formats.format import all_paired, check_running, in_numbers, together
from bot.tournaments.formats.rounds_of_two import RoundsOfTwo, paired_event
from bot.tournaments.model.events import Kind, PairedRound, RoundPaired, TournamentSettings
from bot.tournaments.model.state import Tournament
from bot.tournaments.pairing.round_robin import berger
from bot.tournaments.standings.tiebreaks import parse

_AT_ONCE: Final = 120
"""How many games may begin together."""


class RoundRobinFormat(RoundsOfTwo):
    """A round robin of so many ``cycles``."""

    is_fixed = True
    # Where all meet all, the opponents' points tell nothing of those who are level.
    usual_tie_breaks = parse("PTS,DE,WIN,SB")

    def __init__(self, kind: Kind, cycles: int, report_kind: str) -> None:
        self.kind, self.report_kind = kind, report_kind
        self._cycles = cycles
        self.most_at_once = max(n for n in range(2, 99) if cycles * n * (n - 1) // 2 <= _AT_ONCE)

    def rounds_planned(self, settings: TournamentSettings, players: int) -> int:
        return (players - 1 + players % 2) * self._cycles

    def next_round(self, state: Tournament, *, pending_as_draws: bool = False) -> RoundPaired:
        left = self._rounds_left(state, list(state.paired.values()))
        if not left:
            raise all_paired(state)
        return replace(left[0], round=state.rounds_paired + 1)

    def every_round(self, state: Tournament) -> tuple[RoundPaired, ...]:
        check_running(state)
        rounds = berger(sorted(state.by_number), self._cycles)
        return tuple(paired_event(number, pairing) for number, pairing in enumerate(rounds, start=1))

    def refusal_by_hand(self, state: Tournament, action: PairedRound) -> str | None:
        """A round must be one of those still to be played: some would meet too often else, and others never."""
        left = self._rounds_left(state, [paired for number, paired in state.paired.items() if number != action.round])
        if together(action) in map(together, left):
            return None
        if not left:
            return _("All rounds are paired.")
        example = min(left, key=lambda each: each.round != action.round)
        template = _(
            "In a round robin everyone meets everyone: a round written by hand must be one of those "
            "left, whoever has White. For example: `{pairings}`"
        )
        return template.format(pairings=in_numbers(example))

    def _rounds_left(self, state: Tournament, played: Sequence[RoundPaired]) -> list[RoundPaired]:
        """The rounds that are still to be paired: a director may have changed their order, or sides."""
        left = list(self.every_round(state))
        for one in played:
            same = [each for each in left if together(one) == together(each)]
            if same:
                left.remove(next((each for each in same if set(each.games) == set(one.games)), same[0]))
        return left
