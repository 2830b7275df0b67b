"""Boards that are drawn while what they show is being stored: by the time that it may be posted, most are there."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import structlog

from bot.chat.board_pictures import BoardPictures
from bot.chat.posting.picture_files import Picture
from bot.chat.wording.languages import Languages
from bot.games.model.game import Game
from bot.i18n import speaking, spoken
from bot.support.bounded import Bounded
from bot.support.task_set import TaskSet

log = structlog.get_logger(__name__)

_AT_ONCE = 16
"""Of so many games at most: in a round that begins boards come as Discord takes them, later than they are drawn."""


class _Drawing(NamedTuple):
    """``of``: the game as it is drawn; ``task`` gives the picture and the language of its words."""

    of: Game
    task: asyncio.Task[tuple[Picture, str] | None]


class DrawnAhead:
    """Draws boards that are announced, of the games that one server reads. What is not stored in the end, or is said
    otherwise, is thrown away."""

    def __init__(self, pictures: BoardPictures, languages: Languages, tasks: TaskSet) -> None:
        self._pictures, self._languages, self._tasks = pictures, languages, tasks
        self._drawings: Bounded[int, _Drawing] = Bounded(_AT_ONCE)

    def begin(self, game: Game) -> None:
        """``game`` is to be posted as it stands, if that is stored."""
        if game.mirror is None and not game.place.answers_only:
            self._drawings[game.id] = _Drawing(game, self._tasks.begin(self._drawn(game), f"draw-{game.id}"))

    async def take(self, game: Game) -> Picture | None:
        """The board of ``game``, if it has been begun just so, in the language spoken now."""
        drawing = self._drawings.pop(game.id, None)
        if drawing is None or drawing.of is not game or (drawn := await drawing.task) is None:
            return None
        picture, language = drawn
        return picture if language == spoken() else None

    async def _drawn(self, game: Game) -> tuple[Picture, str] | None:
        language = await self._languages.of_game(game, game.place.guild_id)
        with speaking(language):
            try:
                return await self._pictures.posted(game), language
            except Exception:
                # Whoever wants it draws it anew, and says what is wrong.
                log.debug("not drawn ahead", game=game.id, exc_info=True)
                return None
