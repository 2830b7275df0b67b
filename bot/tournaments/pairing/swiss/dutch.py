"""The next round of a Swiss by the Dutch system (C.04.3, 2026).

Who meets whom comes from the caissify-pairings engine; legality and colours are decided here. Where no legal pairing
is left, the round is paired as a matching, and says what it gave up.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.i18n import _
from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.record import Record
from bot.tournaments.pairing.swiss import matching
from bot.tournaments.pairing.swiss.contenders import SYSTEM, RoundPairing, swiss_round


def next_round(record: Record, absent: Collection[int] = ()) -> RoundPairing:
    """Pair the round after the last paired one.

    Not paired are the players of ``absent`` and those with a bye noted for that round. Its relaxations say what had
    to be given up where no legal pairing was left. Raises TournamentError where games are unfinished, all rounds
    are paired, or nobody is there (NoPairing)."""
    unfinished = sorted(
        number
        for number, player in record.players.items()
        if any(entry is not None and entry.mark == "*" for entry in player.rounds)
    )
    if unfinished:
        names = ", ".join(str(number) for number in unfinished)
        raise TournamentError(_("The round is not over: no result yet for {players}.").format(players=names))
    swiss = swiss_round(record, absent)
    if record.rounds and swiss.round_number > record.rounds:
        raise TournamentError(_("All {count} rounds are paired.").format(count=record.rounds))
    if len(swiss.contenders) > 1 and matching.legal_pairing_exists(swiss):
        # With its engine imported where a round is paired.
        from bot.tournaments.pairing.swiss.dutch_engine import by_the_engine

        paired = by_the_engine(swiss)
        if paired is not None:
            return paired
    if len(swiss.contenders) == 1 and swiss.contenders[0].may_have_bye:
        return RoundPairing((), swiss.contenders[0].number, SYSTEM)
    return matching.pair_by_matching(swiss, lambda one, other: _meetings(record, one, other))


def _meetings(record: Record, one: int, other: int) -> int:
    return sum(
        entry is not None and entry.opponent == other and entry.played
        for entry in record.players[one].rounds[: record.rounds_paired]
    )
