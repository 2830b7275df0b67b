"""A game that is to be played, of any format."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.model.game import Game


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that is to be played. ``round``: of an elimination the game's number in its match, of an arena its number.

    ``seats``: the starting numbers of those who play, White or who moves first at the beginning; nobody has the first
    seat twice in a round. ``match``: of an elimination. ``by_places``: it ends with a place for each seat."""

    round: int
    seats: tuple[int, ...]
    match: str = ""
    by_places: bool = False

    @property
    def white(self) -> int:
        return self.seats[0]

    @property
    def black(self) -> int:
        return self.seats[1]

    @property
    def key(self) -> tuple[int, str, tuple[int, ...]]:
        """What its game is found again by: a game of a match is the same whoever has White."""
        return self.round, self.match, tuple(sorted(self.seats)) if self.match else self.seats


def late_seat(game: Game) -> int | None:
    """The seat whose time has run out, where the game has ended so."""
    last = game.entries[-1]
    return last.seat if last.kind == "timeout" else None
