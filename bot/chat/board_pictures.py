"""Boards as each reader wants them (`/me settings`), as pictures with their words; all drawn off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Final, TypeVar

import discord

import render
from bot.chat.posting.picture_files import Picture
from bot.chat.wording.names import Names
from bot.games.model.game import Game
from bot.games.model.preferences import Preferences
from bot.presentation import alt_text, board_scene

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BoardView:
    """``turned``: from the second player's side; ``numbers``: squares have numbers instead of names."""

    turned: bool = False
    numbers: bool = False

    def written(self, game: Game, text: str) -> str:
        """A turn of ``game`` as it is written for this person."""
        return game.rules.board.numbered(text) if self.numbers else text


FOR_ALL: Final = BoardView()
"""As boards are seen in channels."""


def view_for(game: Game, person: int, preferences: Preferences | None) -> BoardView:
    """How ``person`` sees ``game``; without preferences as everybody does."""
    if preferences is None:
        return FOR_ALL
    seat = game.seat_of(person)
    turned = preferences.side == "own" and seat is not None and seat > 0 and len(game.players) == 2
    return BoardView(turned, preferences.notation == "numbers" and bool(game.rules.board.number_index))


class BoardPictures:
    """Draws boards with their players' names, in at most ``threads`` threads."""

    def __init__(self, names: Names, threads: int) -> None:
        self._names = names
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pictures")

    async def board(
        self, game: Game, name: str, view: BoardView = FOR_ALL, targets: Sequence[int] = ()
    ) -> discord.File:
        """The board of ``game`` as a PNG file called ``name``, with its alt text."""
        names = await self.names_of(game)
        scene = board_scene.scene_of(game, names, turned=view.turned, numbers=view.numbers, targets=targets)
        png = await asyncio.get_running_loop().run_in_executor(self._threads, render.draw, scene)
        return Picture(name, png, alt_text.alt_text(game, names)).file()

    async def drawn(self, draw: Callable[[], T]) -> T:
        """What ``draw`` gives, in the language spoken now."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, draw)

    async def names_of(self, game: Game) -> tuple[str, ...]:
        """What the players of ``game`` are called, by seat; a free seat is ""."""
        guild = game.place.guild_id
        return tuple(["" if player is None else await self._names.of(guild, player) for player in game.players])

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False)
