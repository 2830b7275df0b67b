"""The next round of a Swiss by the Dutch system (C.04.3, 2026).

Who meets whom comes from the caissify-pairings engine; legality and colours are decided here. Where no legal pairing
is left, the round is paired as a matching, and says what it gave up.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from caissify_pairings.engines.dutch import DutchEngine, DutchPlayer

from bot.i18n import _
from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.record import Record
from bot.tournaments.pairing.swiss import matching
from bot.tournaments.pairing.swiss.contenders import Contender, RoundPairing, Swiss, swiss_round
from bot.tournaments.pairing.swiss.fast_matching import faster_matchings

SYSTEM = "Dutch system (C.04.3, 2026)"


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
        paired = _by_the_engine(swiss)
        if paired is not None:
            return paired
    if len(swiss.contenders) == 1 and swiss.contenders[0].may_have_bye:
        return RoundPairing((), swiss.contenders[0].number, SYSTEM)
    return matching.pair_by_matching(swiss, lambda one, other: _meetings(record, one, other))


def _by_the_engine(swiss: Swiss) -> RoundPairing | None:
    """The engine's pairs with our colours; None should they break an absolute criterion."""
    known = swiss.by_number()

    may = {
        contender.number: {other.number for other in swiss.contenders if swiss.may_meet(contender, other)}
        - {contender.number}
        for contender in swiss.contenders
    }

    def may_meet(one: DutchPlayer, other: DutchPlayer) -> bool:
        return other.id in may[one.id]

    # The engine pairs a first round by halves without asking who may meet.
    plain = swiss.round_number == 1 and not swiss.forbidden
    engine = DutchEngine(
        players=[_as_the_engine_reads(contender) for contender in swiss.contenders],
        previous_pairings={(c.number, met) for c in swiss.contenders for met in c.met},
        round_number=swiss.round_number if plain else max(swiss.round_number, 2),
        # May_meet knows when the last round is; the engine need not.
        total_rounds=swiss.round_number + 2,
    )
    engine._can_pair = may_meet
    for player in engine._players:
        player.__class__ = _Remembering
    pairs, byes = [], []
    with faster_matchings():
        games = engine.generate_pairings()
    for game in games:
        if game["black_id"] is None:
            byes.append(game["white_id"])
        else:
            pairs.append((game["white_id"], game["black_id"]))
    lawful = len(byes) == len(swiss.contenders) % 2 and all(known[bye].may_have_bye for bye in byes)
    if not lawful or not all(swiss.may_meet(known[one], known[other]) for one, other in pairs):
        return None
    return swiss.on_boards(pairs, byes[0] if byes else None, SYSTEM)


class _Remembering(DutchPlayer):  # type: ignore[misc]
    """The engine's player, whose colours it counts anew for each pair it looks at; here once."""

    color_diff = cached_property(DutchPlayer.color_diff.fget)
    color_preference = cached_property(DutchPlayer.color_preference.fget)
    preference_strength = cached_property(DutchPlayer.preference_strength.fget)


def _as_the_engine_reads(contender: Contender) -> dict[str, object]:
    names = {"w": "white", "b": "black"}
    return {
        "id": contender.number,
        "name": "",
        # Only the order of scores counts.
        "score": float(contender.score),
        "rating": 0,
        "starting_number": contender.number,
        "pairing_number": contender.number,
        "color_hist": [names[colour] for colour in contender.side.colours],
        "float_history": [each.value for each in contender.floats],
        "bye_count": contender.byes,
        "forfeit_win_count": 0,
    }


def _meetings(record: Record, one: int, other: int) -> int:
    return sum(
        entry is not None and entry.opponent == other and entry.played
        for entry in record.players[one].rounds[: record.rounds_paired]
    )
