"""Two games of one pairing: what they count as in a round, and in a match of an elimination."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.tournaments.pairing.elimination import BracketGame, colours, fold, single
from bot.tournaments.pairing.record import Colour, Mark, Player, Record, RoundEntry, match_marks
from bot.tournaments.standings.tiebreaks import Strengths, parse

WIN, LOSS, DRAW = (Mark.WIN, Mark.LOSS), (Mark.LOSS, Mark.WIN), (Mark.DRAW, Mark.DRAW)
CAME, ABSENT = (Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS), (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN)
NEITHER = (Mark.FORFEIT_LOSS, Mark.FORFEIT_LOSS)


@pytest.mark.parametrize(
    ("games", "counts"),
    [
        ([ABSENT], ABSENT),
        ([WIN, WIN], WIN),
        ([WIN, DRAW], WIN),
        ([WIN, LOSS], DRAW),
        ([DRAW, DRAW], DRAW),
        ([DRAW, LOSS], LOSS),
        ([WIN, ABSENT], DRAW),
        ([DRAW, CAME], WIN),
        ([CAME, CAME], CAME),
        ([ABSENT, ABSENT], ABSENT),
        ([NEITHER, CAME], CAME),
        ([NEITHER, NEITHER], NEITHER),
        ([WIN, (Mark.PENDING, Mark.PENDING)], (Mark.PENDING, Mark.PENDING)),
    ],
)
def test_two_games_count_as_one(games: list[tuple[Mark, Mark]], counts: tuple[Mark, Mark]) -> None:
    """Whoever has more points of two games has won; what nobody played is a forfeit."""
    assert match_marks(games) == counts
    assert match_marks([game[::-1] for game in games]) == counts[::-1]


def test_points_of_games() -> None:
    """The tie-break GP adds the games up; a round off counts as two games, and where one game is played as that one."""
    won, drawn = Fraction(3, 2), Fraction(1)
    players = {
        1: Player(1, rounds=(RoundEntry(2, Colour.WHITE, Mark.WIN, won), RoundEntry(None, None, Mark.PAIRING_BYE))),
        2: Player(
            2, rounds=(RoundEntry(1, Colour.BLACK, Mark.LOSS, 2 - won), RoundEntry(3, Colour.WHITE, Mark.DRAW, drawn))
        ),
        3: Player(3, rounds=(RoundEntry(None, None, Mark.HALF_BYE), RoundEntry(2, Colour.BLACK, Mark.DRAW, drawn))),
    }
    [points] = parse("GP")
    assert Strengths(Record(players, 2)).values(points) == {1: won + 2, 2: 2 - won + drawn, 3: 1 + drawn}
    single = {n: replace(p, rounds=tuple(replace(e, games=None) for e in p.rounds if e)) for n, p in players.items()}
    assert Strengths(Record(single, 2)).values(points) == {1: 2, 2: Fraction(1, 2), 3: 1}


@pytest.mark.parametrize(
    ("winners", "winner"),
    [([1], None), ([1, 1], 1), ([1, None], 1), ([None, 2], 2), ([1, 2], None), ([1, 2, 2], None), ([1, 2, 2, None], 2)],
)
def test_matches_of_twos(winners: list[int | None], winner: int | None) -> None:
    """A match is won after an even number of games, by whoever leads; the colours change from game to game."""
    bracket = replace(single([1, 2]), in_twos=True)
    games: list[BracketGame] = []
    for number, who in enumerate(winners, start=1):
        state = fold(bracket, games)
        white, black = colours(state, state.matches["W1-1"])
        assert (white, black) == ((1, 2) if number % 2 else (2, 1))
        games.append(BracketGame("W1-1", number, white, black, who))
    match = fold(bracket, games).matches["W1-1"]
    assert (match.winner, len(match.games)) == (winner, len(winners))
