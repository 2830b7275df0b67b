"""How a person wants to see boards and moves that are shown to it alone (`/settings`)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from bot.chat.services import Services
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.preferences import Preferences


@dataclass(frozen=True, slots=True)
class BoardView:
    """``turned``: from the second player's side; ``numbers``: squares have numbers instead of names."""

    turned: bool = False
    numbers: bool = False

    def of(self, game: Game, text: str) -> str:
        """A turn of ``game`` as it is written for this person."""
        return game.rules.board.numbered(text) if self.numbers else text


def view_of(game: Game, person: int, preferences: Preferences | None) -> BoardView:
    """How ``person`` sees ``game``; without preferences as everybody does."""
    if preferences is None:
        return BoardView()
    seat = game.seat_of(person)
    turned = preferences.side == "own" and seat is not None and seat > 0 and len(game.players) == 2
    return BoardView(turned, preferences.notation == "numbers" and bool(game.rules.board.number_index))


async def wished(services: Services, game: Game, person: int) -> BoardView:
    """How ``person`` sees ``game``."""
    return view_of(game, person, await services.games.preferences.load(person))


async def looked(services: Services, game: Game, person: int) -> None:
    """``person`` is looking at the board of ``game``: no reminder is needed for a while."""
    if game.control is not None and game.to_move == person:
        with suppress(Refused):
            await services.games.timeouts.looked_at(game.id, person)
