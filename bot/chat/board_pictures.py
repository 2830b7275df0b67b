"""Boards as pictures, with their words. All drawing is done off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from io import BytesIO
from typing import TypeVar

import discord

import render
from bot.chat.wording.names import Names
from bot.games.model.game import Game
from bot.presentation import alt_text, board_scene

T = TypeVar("T")


class BoardPictures:
    """Draws boards with their players' names, in at most ``threads`` threads."""

    def __init__(self, names: Names, threads: int) -> None:
        self._names = names
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pictures")

    async def board(
        self, game: Game, name: str, *, turned: bool = False, numbers: bool = False, targets: Sequence[int] = ()
    ) -> discord.File:
        """The board of ``game`` as a PNG file called ``name``, with its alt text."""
        names = await self.names_of(game)
        scene = board_scene.scene_of(game, names, turned=turned, numbers=numbers, targets=targets)
        png = await asyncio.get_running_loop().run_in_executor(self._threads, render.draw, scene)
        return discord.File(BytesIO(png), name, description=alt_text.alt_text(game, names))

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
