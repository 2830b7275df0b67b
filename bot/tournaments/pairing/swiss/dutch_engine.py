"""Who meets whom by the caissify-pairings engine, in our colours."""

from __future__ import annotations

from functools import cached_property

from caissify_pairings.engines.dutch import DutchEngine, DutchPlayer

from bot.tournaments.pairing.swiss.contenders import SYSTEM, Contender, RoundPairing, Swiss
from bot.tournaments.pairing.swiss.fast_matching import faster_matchings


def by_the_engine(swiss: Swiss) -> RoundPairing | None:
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
