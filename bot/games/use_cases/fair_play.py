"""Where nobody is helped: in the positions of one's own running games that are rated, or a tournament's."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import accumulate

from bot.games.model.errors import Refused
from bot.games.model.game import Entry, Game, append, blank_of
from bot.games.persistence.game_work import GameWork
from bot.i18n import _
from data.queries import ratings
from data.store import Transaction


class FairPlay:
    """Answers whether somebody may be told what to play in a position."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    async def check(self, person: int, variant_id: str, *positions: str) -> None:
        """Raises Refused where ``person`` plays from one of these very positions in a game that counts."""
        async with self._work.reading() as tx:
            await check_unhelped(tx, person, variant_id, *positions)

    async def check_game(self, person: int, game: Game) -> None:
        """As ``check``, of all positions of a game."""
        await self.check(person, game.variant_id, *await asyncio.to_thread(_positions, game))


async def check_unhelped(tx: Transaction, person: int, variant_id: str, *positions: str) -> None:
    """As FairPlay.check, within a transaction."""
    number = await ratings.counting_at(tx, person, variant_id, positions)
    if number is not None:
        template = _("That is the position of your game {number}, where no help is allowed.")
        raise Refused(template.format(number=number))


def _positions(game: Game) -> list[str]:
    """From its start on. Takes as long as replaying it."""
    states = accumulate(game.line, _with, initial=blank_of(game))
    return [game.rules.position(at.state) for at in states]


def _with(game: Game, entry: Entry) -> Game:
    return append(game, replace(entry, number=game.ply + 1))
