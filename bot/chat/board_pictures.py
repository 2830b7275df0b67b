"""Boards as each reader wants them (`/me settings`), as pictures with their words; all drawn off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from typing import TypeVar

import discord

import render
from bot.chat.posting.picture_files import Picture
from bot.chat.wording.names import Names
from bot.engine.rules import Rules
from bot.games.model.computer_seats import is_computer
from bot.games.model.game import Game
from bot.games.model.places import places_of
from bot.games.model.preferences import Preferences
from bot.games.model.transcripts import name_in_file
from bot.presentation import alt_text, board_scene
from bot.presentation.board_scene import NOTHING, Highlights
from bot.support.frozen import frozen

T = TypeVar("T")


@frozen
class BoardView:
    """``turned``: from the second player's side; ``numbers``: squares have numbers instead of names."""

    turned: bool = False
    numbers: bool = False

    def written(self, game: Game, text: str) -> str:
        """A turn of ``game`` as it is written for this person."""
        return game.rules.board.numbered(text) if self.numbers else text

    def told(self, game: Game, sentence: str) -> str:
        """A sentence about ``game`` as this person reads the names of squares."""
        return game.rules.board.in_numbers(sentence) if self.numbers else sentence


def by_number(rules: Rules, preferences: Preferences | None) -> bool:
    """Whether whoever has these ``preferences`` reads numbers of squares where the game has them."""
    return preferences is not None and preferences.notation == "numbers" and bool(rules.board.number_index)


def posted_view(game: Game) -> BoardView:
    """As ``game`` is seen in its channel: from the first player's side, or from that of the only person who plays."""
    people = [seat for seat, player in enumerate(game.players) if player is not None and not is_computer(player)]
    alone = len(people) == 1 and None not in game.players
    return BoardView(alone and board_scene.turned_for(game.rules, people[0]))


def own_view(game: Game, person: int, preferences: Preferences | None = None) -> BoardView:
    """``game`` as ``person`` sees it who sits at it, in the notation of their ``preferences``; others see it from the
    side from which it is not posted."""
    seat = game.seat_of(person)
    turned = not posted_view(game).turned if seat is None else board_scene.turned_for(game.rules, seat)
    return BoardView(turned, by_number(game.rules, preferences))


def view_for(game: Game, person: int, preferences: Preferences | None) -> BoardView:
    """How ``person`` sees ``game``; without preferences as everybody does."""
    if preferences is None:
        return posted_view(game)
    own = own_view(game, person, preferences)
    seated = preferences.side == "own" and game.seat_of(person) is not None
    return own if seated else replace(own, turned=preferences.side == "own" and posted_view(game).turned)


class BoardPictures:
    """Draws boards with their players' names, in at most ``threads`` threads."""

    def __init__(self, names: Names, threads: int) -> None:
        self._names = names
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pictures")

    async def board(self, game: Game, name: str, view: BoardView, highlights: Highlights = NOTHING) -> discord.File:
        """The board of ``game`` as a PNG file called ``name``, with its alt text."""
        return (await self.board_picture(game, name, view, highlights)).file()

    async def board_picture(self, game: Game, name: str, view: BoardView, highlights: Highlights = NOTHING) -> Picture:
        """The same before it is a file."""
        names = await self.names_of(game)
        places = () if game.result is None or len(game.players) == 2 else places_of(game)

        def draw() -> Picture:
            scene = board_scene.scene_of(
                game, names, turned=view.turned, numbers=view.numbers, highlights=highlights, places=places
            )
            return Picture(name, render.draw(scene), view.told(game, alt_text.alt_text(game, names)))

        return await self.drawn(draw)

    async def posted(self, game: Game) -> Picture:
        """The same as channels see it. A star's holes bear no names: there each that may be reached is named."""
        rules, state, highlights = game.rules, game.state, NOTHING
        if game.status == "running" and any(seat.sets for seat in rules.seats):
            highlights = Highlights(targets=board_scene.ends_of(rules, rules.turns(state)))
        # A name of its own for each position, as clients keep pictures by name.
        return await self.board_picture(game, f"g{game.id}-m{game.ply}.png", posted_view(game), highlights)

    async def drawn(self, draw: Callable[[], T]) -> T:
        """What ``draw`` gives, in the language spoken now."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, draw)

    async def names_of(self, game: Game) -> tuple[str, ...]:
        """What the players of ``game`` are called, by seat; a free seat is "", as all are whose sides are to be
        drawn."""
        guild = game.place.guild_id
        if game.started_at is None and game.side == "lot":
            return ("",) * len(game.players)
        return tuple(
            [
                name_in_file(game, seat) if player is None else await self._names.of(guild, player)
                for seat, player in enumerate(game.players)
            ]
        )

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False)
