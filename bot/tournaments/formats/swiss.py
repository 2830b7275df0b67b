"""A Swiss by the Dutch system: so many rounds, near scores meet, nobody the same opponent twice."""

from __future__ import annotations

from dataclasses import replace

from bot.i18n import Phrase, phrase
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import GameFields, OpenGame, RoundRepairing, next_number, together
from bot.tournaments.formats.rounds_of_two import RoundsOfTwo, paired_event, record_before
from bot.tournaments.model.events import Kind, RoundPaired
from bot.tournaments.model.state import Tournament
from bot.tournaments.pairing.record import Mark, drawn_pending
from bot.tournaments.pairing.swiss import dutch


class SwissFormat(RoundsOfTwo):
    """A Swiss; team matches are one of a single round too."""

    kind = Kind.SWISS
    report_kind = "Individual: Swiss-System (Dutch system, C.04.3, 2026)"
    byes = (Mark.HALF_BYE, Mark.ZERO_BYE)
    can_forbid = True
    chooses_rounds = True

    def rounds_for(self, players: int) -> int:
        """So many that one player is left without a loss if there are no draws: its binary logarithm, rounded up."""
        return max(1, (players - 1).bit_length())

    def next_round(self, state: Tournament, *, pending_as_draws: bool = False) -> RoundPaired:
        number = next_number(state)
        record = drawn_pending(state.record) if pending_as_draws else state.record
        absent = [n for n, entrant in state.by_number.items() if not entrant.is_in(number)]
        return paired_event(number, dutch.next_round(record, absent))

    def heading(self, state: Tournament, game: OpenGame, fields: GameFields, until: int, *, in_match: bool) -> Phrase:
        if not in_match:
            return super().heading(state, game, fields, until, in_match=in_match)
        board = state.paired[game.round].games.index((game.white, game.black)) + 1
        return phrase("{event}, board {board}", event=fields["event"], board=board)

    def repairings(self, before: Tournament, after: Tournament) -> list[RoundRepairing]:
        repairings = []
        for number, recorded in sorted(after.paired.items()):
            if recorded.by_hand or before.paired.get(number) != recorded or number == 1:
                continue
            if record_before(before, number) == record_before(after, number):
                # Pairing takes long where players are many.
                continue
            try:
                fresh = paired_afresh(after, number)
                pairs = together(fresh)
                if pairs == together(recorded) or pairs == together(paired_afresh(before, number)):
                    continue
            except TournamentError:
                continue
            lost = tuple(game for game in recorded.games if frozenset(game) not in pairs)
            over = not any(game[0] == number for game in after.unfinished)
            repairings.append(RoundRepairing(number, fresh, lost, over))
        return repairings


def paired_afresh(state: Tournament, round_number: int) -> RoundPaired:
    """A round that is paired already, paired from what is known of the rounds before it now; the same players take
    part. Games that are not over count as drawn. Raises TournamentError where that cannot be done."""
    return replace(paired_event(round_number, dutch.next_round(record_before(state, round_number))), again=True)
