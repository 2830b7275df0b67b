"""How a person wants to see boards and moves that are shown to it alone (`/settings`)."""

from __future__ import annotations

from dataclasses import dataclass

from bot.chat.services import Desk
from bot.games.model.game import Game
from bot.games.model.preferences import Wishes


@dataclass(frozen=True, slots=True)
class View:
    """``turned``: from the second player's side; ``numbers``: squares have numbers instead of names."""

    turned: bool = False
    numbers: bool = False

    def of(self, game: Game, text: str) -> str:
        """A turn of ``game`` as it is written for this person."""
        return game.rules.board.numbered(text) if self.numbers else text


def view_of(game: Game, person: int, wishes: Wishes | None) -> View:
    """How ``person`` sees ``game``; without wishes as everybody does."""
    if wishes is None:
        return View()
    seat = game.seat_of(person)
    turned = wishes.side == "own" and seat is not None and seat > 0 and len(game.players) == 2
    return View(turned, wishes.notation == "numbers" and bool(game.rules.board.number_index))


async def wished(desk: Desk, game: Game, person: int) -> View:
    """How ``person`` sees ``game``."""
    return view_of(game, person, await desk.games.wishes(person))
