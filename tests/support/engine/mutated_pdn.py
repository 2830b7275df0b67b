"""PDN files with faults: whatever a file holds, its games are read or named with a line, and what is read can be
written and read again.

``python -m tests.support.engine.mutated_pdn --files 200`` tries so many of each kind.
"""

from __future__ import annotations

import argparse
import collections
import sys
from random import Random

from bot.engine.pdn import pdn_reader, pdn_writer
from bot.engine.registry import rules_for
from bot.engine.transcript import Replay, Step, Transcript, TranscriptError

_PIECES = '[ ] { } ( ) * ; % $7 ! ? . ... - x : 1-0 0-1 1/2-1/2 0-0 1. 12-18 a3xc5 [FEN "W:W1:B32"] /FEN "?:WK1-3:B9"/'
INSERTED = [
    *_PIECES.split(" "),
    "- -",
    "\n",
    "\n\n",
    "\x1a",
    '[Event "x"]\n',
    '[GameType "25"]\n',
    "{[%aside resign:W]}",
]

HAND_MADE = """% a file of many hands
[Event "Open"]
[GameType "24,W,8,8,N1,1"]
[Result "1-0"]
1. 10 - 14! {[%clock w1:00:00 B0:59:00]} 23- 20 (23-19 $2 (1. 9-13)) 2. 9-13 *

[GameType "20"]
[FEN "W:W31-50:B1-20."]
1.32-28 19-23 2.28x19 14x23 ; a comment
3. - - 10-14 1-1

[Variant "Pinoy Dama"]
1. c3d4 f6-e5 0-0
"""


def exported(variant: str) -> str:
    """Two games of random moves, as they are written."""
    found: list[Transcript] = []
    for seed in (1, 2):
        lots, replay = Random(seed), Replay(rules_for(variant), None)
        while not replay.over and len(replay.steps) < 40:
            replay.add(Step("turn", replay.state.seat, lots.choice(replay.rules.turns(replay.state)).text))
        if not replay.over:
            replay.add(Step("resign", seed - 1))
        found.append(
            Transcript(
                variant_id=variant,
                options=replay.rules.variant.options,
                start=None,
                steps=tuple(replay.steps),
                over=True,
                winner=replay.winner,
                reason=replay.reason,
                players=(None, None),
            )
        )
    return pdn_writer.write(found)


def kinds() -> dict[str, str]:
    """A file of each kind."""
    return {"hand-made": HAND_MADE} | {
        name: exported(name) for name in ("spanish", "international", "english", "russian", "americanas", "tama")
    }


def mutated(text: str, lots: Random) -> str:
    """A file with one to six faults."""
    for _ in range(lots.randrange(1, 7)):
        at = lots.randrange(len(text) + 1)
        end = min(len(text), at + lots.choice((1, 1, 2, 5, 30, 200)))
        text = lots.choice(
            [
                text[:at] + text[end:],
                text[:at] + lots.choice(INSERTED) + text[at:],
                text[:at] + text[at:end] * 2 + text[end:],
                text[:at] + text[at:end][::-1] + text[end:],
                text[:at] + chr(lots.randrange(1, 0x2100)) + text[end:],
            ]
        )
    return text


def check(text: str) -> collections.Counter[str]:
    """How many games a file has that can be read, and how many that cannot. Raises AssertionError for what is wrong."""
    told = collections.Counter[str]()
    for game in pdn_reader.read(text, "spanish"):
        if isinstance(game, TranscriptError):
            told["refused"] += 1
            assert 1 <= game.line <= text.count("\n") + 1
            assert game.why
            continue
        told["read"] += 1
        (again,) = pdn_reader.loads(pdn_writer.dumps(game))
        assert (game.steps, game.winner, game.over, game.start) == (again.steps, again.winner, again.over, again.start)
    return told


def main() -> None:
    """Try and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for kind, text in kinds().items():
        lots, told = Random(given.seed), collections.Counter[str]()
        for _ in range(given.files):
            told += check(mutated(text, lots))
        sys.stdout.write(f"{kind}: {given.files} files, {dict(told)}\n")


if __name__ == "__main__":
    main()
