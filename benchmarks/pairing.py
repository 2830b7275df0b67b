"""How long a Swiss round takes to pair: fields of 16, 64 and more players, round by round, results drawn by lot.

    python benchmarks/pairing.py [PLAYERS ...] [--rounds 5] [--seed 1]

The first round is only halves; the later ones are what costs. Beside the Dutch system, the matching that pairs where no
legal pairing is left is timed on the same rounds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from bot.tournaments.pairing.record import Colour, Mark, Player, Record, RoundEntry, ordered
from bot.tournaments.pairing.swiss import dutch, matching
from bot.tournaments.pairing.swiss.contenders import RoundPairing, swiss_round

ENDS = ((Mark.WIN, Mark.LOSS), (Mark.DRAW, Mark.DRAW), (Mark.LOSS, Mark.WIN))


def played(record: Record, paired: RoundPairing, lots: random.Random) -> Record:
    """The record after a round whose games ended by lot."""
    entries: dict[int, RoundEntry] = {}
    for white, black in paired.games:
        first, second = lots.choices(ENDS, (4, 2, 4))[0]
        entries[white] = RoundEntry(black, Colour.WHITE, first)
        entries[black] = RoundEntry(white, Colour.BLACK, second)
    if paired.bye is not None:
        entries[paired.bye] = RoundEntry(None, None, Mark.PAIRING_BYE)
    players = (Player(n, rounds=(*player.rounds, entries.get(n))) for n, player in record.players.items())
    return Record(ordered(players), record.rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", type=int, default=[16, 64, 256])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(f"{'players':>7}  {'round':>5}  {'Dutch':>8}  {'matching':>8}  seconds")
    for count in asked.players:
        lots = random.Random(asked.seed)
        record = Record(ordered(Player(number) for number in range(1, count + 1)), asked.rounds + 2)
        spent = []
        for number in range(1, asked.rounds + 1):
            began = time.perf_counter()
            paired = dutch.next_round(record)
            spent.append(time.perf_counter() - began)
            swiss, met = swiss_round(record), {n: record.met(n) for n in record.players}
            began = time.perf_counter()
            matching.pair_by_matching(swiss, lambda one, other, met=met: int(other in met[one]))  # type: ignore[misc]
            print(f"{count:>7}  {number:>5}  {spent[-1]:8.3f}  {time.perf_counter() - began:8.3f}", flush=True)
            record = played(record, paired, lots)
        print(f"{count:>7}  {'all':>5}  {statistics.median(spent[1:] or spent):8.3f}  median from round 2 on")


if __name__ == "__main__":
    main()
