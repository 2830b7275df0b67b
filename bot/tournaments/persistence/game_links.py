"""How a game of a tournament is written down in the columns that link it to its game: the one place that knows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.tournaments.formats.format import OpenGame
from data.queries.games import turn_rows
from data.queries.tournaments import TournamentGame
from data.store import Transaction

_SIGNS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def match_of(game: OpenGame) -> str:
    """The column ``match``: at a table it holds two signs for each seat's player, in base 36."""
    seats = game.seats if game.by_places else ()
    return game.match + "".join(_SIGNS[number // 36] + _SIGNS[number % 36] for number in seats)


def link_of(game: OpenGame, game_id: int, tournament_id: int) -> TournamentGame:
    """The row of a game that begins."""
    return TournamentGame(game_id, tournament_id, game.round, match_of(game), game.white, game.black, "running")


def counting(links: Iterable[TournamentGame]) -> list[TournamentGame]:
    """Of several games for one, as where one was called off and another began, the last that was not called off."""
    by_key: dict[object, TournamentGame] = {}
    for link in links:
        key = open_game_of(link).key
        if key not in by_key or link.status != "aborted" or by_key[key].status == "aborted":
            by_key[key] = link
    return list(by_key.values())


def open_game_of(link: TournamentGame) -> OpenGame:
    """The game that a row was made of. Matches have a capital first (W1-1, T), seats of a table have none."""
    match = link.match
    if not match or match[0].isupper():
        return OpenGame(link.round, (link.white, link.black), match)
    seats = tuple(int(match[at : at + 2], 36) for at in range(0, len(match), 2))
    return OpenGame(link.round, seats, by_places=True)


async def is_begun(tx: Transaction, link: TournamentGame) -> bool:
    """Whether anybody has moved in a game that is being played."""
    return link.status == "running" and any(row.kind == "turn" for row in await turn_rows(tx, link.game_id))
