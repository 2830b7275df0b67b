"""The columns that link a tournament's game to its game: what is written is read back, and stays as it was."""

from __future__ import annotations

import pytest

from bot.tournaments.formats.format import OpenGame
from bot.tournaments.pairing import elimination
from bot.tournaments.persistence.game_links import link_of, open_game_of
from data.queries.tournaments import TournamentGame


@pytest.mark.parametrize(
    ("game", "match"),
    [
        (OpenGame(3, (7, 12)), ""),
        (OpenGame(2, (1, 256), "W1-1"), "W1-1"),
        (OpenGame(1, (36, 35), by_places=True), "100z"),
        (OpenGame(5, (1, 36, 255, 300, 7, 1295), by_places=True), "0110738c07zz"),
    ],
)
def test_what_is_written_of_a_game_is_read_back(game: OpenGame, match: str) -> None:
    """The seats of a table stand in the column of the match; of games of two both players have columns."""
    link = link_of(game, 10, 20)
    assert TournamentGame(10, 20, game.round, match, game.seats[0], game.seats[1], "running") == link
    assert game == open_game_of(link)


@pytest.mark.parametrize("count", [2, 5, 64, 256])
def test_no_match_is_taken_for_a_table(count: int) -> None:
    """The names of all matches of all brackets are read back."""
    players = range(1, count + 1)
    for bracket in (elimination.single(players, third_place=True), elimination.double(players)):
        for match in bracket.matches:
            game = OpenGame(1, (1, 2), match.key)
            assert game == open_game_of(link_of(game, 1, 1))
