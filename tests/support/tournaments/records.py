"""Records and whole tournaments made for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.tournaments.pairing.record import CHESS, Colour, Mark, Player, Points, Record, RoundEntry, ordered
from bot.tournaments.pairing.swiss import dutch
from bot.tournaments.pairing.swiss.contenders import RoundPairing

ANSWER = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "W": "L", "D": "D", "L": "W", "*": "*"}

# The individual Swiss of the published exercises to C.07: sixteen players, five rounds, every kind of unplayed round.
EXERCISE = (
    "10 2 0, 1 9 1, 3 11 =, 12 4 0, 16 8 =, 14 6 1, 5 13 0, 7 15 1",
    "2 7 1, 13 1 =, 6 3 0, 11 16 0, 15 5 1, 8 14 1, 9 10 0, 4 H, 12 U",
    "1 2 =, 3 8 1, 4 13 1, 16 7 1, 5 11 1, 12 14 +, 10 15 0, 6 U, 9 H",
    "2 16 1, 15 1 0, 4 3 =, 6 10 1, 7 5 =, 8 13 1, 11 9 +, 14 Z",
    "3 2 =, 1 4 =, 16 15 1, 8 6 0, 5 10 1, 11 7 1, 13 14 0, 9 U",
)
# And their round robin: six players, one game forfeited.
EXERCISE_ROUND_ROBIN = (
    "1 6 =, 2 5 1, 3 4 1",
    "1 2 1, 5 3 0, 6 4 1",
    "3 1 0, 2 6 1, 4 5 =",
    "2 3 =, 1 4 0, 6 5 -",
    "5 1 0, 4 2 0, 3 6 1",
)


def record_of(
    rounds: Sequence[str], players: int, *, planned: int = 0, points: Points = CHESS, initial: Colour | None = None
) -> Record:
    """A record from ``white black result-of-white`` and ``player bye`` for each round."""
    entries: dict[int, list[RoundEntry | None]] = {number: [None] * len(rounds) for number in range(1, players + 1)}
    for index, text in enumerate(rounds):
        for words in (game.split() for game in text.split(",") if game.strip()):
            if len(words) == 2:
                entries[int(words[0])][index] = RoundEntry(None, None, Mark(words[1]))
                continue
            white, black, sign = int(words[0]), int(words[1]), words[2]
            entries[white][index] = RoundEntry(black, Colour.WHITE, Mark(sign))
            entries[black][index] = RoundEntry(white, Colour.BLACK, Mark(ANSWER[sign]))
    for noted_rounds in entries.values():
        while noted_rounds and noted_rounds[-1] is None:
            noted_rounds.pop()
    made = (Player(number, f"Player {number}", rounds=tuple(listed)) for number, listed in entries.items())
    return Record(ordered(made), planned, points, initial)


def empty(players: int, rounds: int) -> Record:
    return Record(ordered(Player(number, f"Player {number}") for number in range(1, players + 1)), rounds)


def noted(record: Record, number: int, round_number: int, entry: RoundEntry) -> Record:
    """The record with one more entry."""
    player = record.players[number]
    rounds = [*player.rounds, *[None] * (round_number - len(player.rounds))]
    rounds[round_number - 1] = entry
    return replace(record, players={**record.players, number: replace(player, rounds=tuple(rounds))})


def with_round(record: Record, pairing: RoundPairing, signs: Sequence[str]) -> Record:
    """The record after a paired round; ``signs``: white's result of each game."""
    number = record.rounds_paired + 1
    for (white, black), sign in zip(pairing.games, signs, strict=True):
        record = noted(record, white, number, RoundEntry(black, Colour.WHITE, Mark(sign)))
        record = noted(record, black, number, RoundEntry(white, Colour.BLACK, Mark(ANSWER[sign])))
    if pairing.bye is not None:
        record = noted(record, pairing.bye, number, RoundEntry(None, None, Mark.PAIRING_BYE))
    return record


def season(seed: int, players: int, rounds: int, *, troubled: bool) -> Iterator[tuple[Record, RoundPairing]]:
    """A random Swiss, round by round: the record before each round, and the round's pairing.

    Troubled: with late entries, requested byes, forfeits and withdrawals."""
    lots = random.Random(seed)
    record = empty(players, rounds)
    gone: set[int] = set()
    for number in range(1, rounds + 1):
        if troubled:
            for player in record.players:
                if player in gone:
                    record = noted(record, player, number, RoundEntry(None, None, Mark.ZERO_BYE))
                elif lots.random() < 0.08:
                    bye = lots.choice((Mark.HALF_BYE, Mark.ZERO_BYE, Mark.FULL_BYE))
                    record = noted(record, player, number, RoundEntry(None, None, bye))
        if all(player.entry(number) is not None for player in record.players.values()):
            return
        pairing = dutch.next_round(record)
        yield record, pairing
        signs = lots.choices("10=+-" if troubled else "10=", (40, 40, 30, 2, 2) if troubled else (40, 40, 30), k=512)
        record = with_round(record, pairing, signs[: len(pairing.games)])
        if troubled and lots.random() < 0.3 and len(gone) < players // 4:
            gone.add(lots.choice([player for player in record.players if player not in gone]))
