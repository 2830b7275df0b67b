"""What happens to puzzles by itself: the puzzle of the day is posted, and new ones are looked for at night."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import discord
import structlog

import render
from bot.background.nightly import set_nightly
from bot.background.scheduler import DueTimer
from bot.chat.board_pictures import BoardPictures
from bot.chat.posting.find_posted import posted_earlier
from bot.chat.study import puzzle_texts as texts
from bot.chat.study.puzzle_buttons import daily_view, is_daily
from bot.chat.wording.languages import Languages
from bot.chat.wording.message_text import fitting
from bot.games.model.errors import Refused
from bot.i18n import speaking
from bot.study.model import PuzzleOfTheDay
from bot.study.puzzles import Puzzles
from data.store import Store, StoreError

MINE: Final = "mine puzzles"
"""The timer of the search for new puzzles."""

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class DailyPuzzle:
    """Posts the puzzle of the day of each server when it falls due, and has new puzzles looked for each night."""

    client: discord.Client
    puzzles: Puzzles
    pictures: BoardPictures
    languages: Languages
    store: Store
    clock: Callable[[], int]
    _mining: asyncio.Task[None] | None = field(init=False, default=None)

    async def due(self, timer: DueTimer) -> None:
        """A server's puzzle of the day has fallen due: it is posted, once, and the next one set. What Discord does not
        allow is not tried again before the next day, what it cannot do now a minute later; where the channel is gone,
        none is posted any more."""
        guild_id = timer.subject
        before = await self.puzzles.daily(guild_id)
        today = await self.puzzles.todays(guild_id, timer.at)
        if today is not None and today.message_id is None:
            assert today.day is not None
            try:
                message = await self._post(timer, today, before)
            except discord.NotFound:
                log.warning("puzzle of the day ended: its channel is gone", guild=guild_id, channel=today.channel_id)
                await self.puzzles.drop_daily(guild_id)
                return
            except discord.Forbidden as error:
                log.warning("puzzle of the day not posted", guild=guild_id, channel=today.channel_id, code=error.code)
            else:
                await self.puzzles.daily_posted(guild_id, today.day, message.id)
        await self.puzzles.next_daily(guild_id, timer.at)

    async def mine_due(self, _timer: DueTimer) -> None:
        """Look for puzzles in games that have ended, beside everything else."""
        await set_nightly(self.store, self.clock, MINE)
        if self._mining is None or self._mining.done():
            self._mining = Context().run(asyncio.create_task, self._mine(), name="puzzles")

    async def start(self) -> None:
        """Nothing: the timers say when."""

    async def close(self) -> None:
        """Break off; the next night goes on."""
        if self._mining is not None:
            self._mining.cancel()
            await asyncio.wait({self._mining})

    async def _mine(self) -> None:
        try:
            log.info("puzzles found", count=await self.puzzles.mine())
        except (StoreError, Refused) as error:
            log.warning("no puzzles looked for", error=str(error))
        except Exception:
            # Nobody waits for it: what nobody foresaw is told to whoever reads the log.
            log.exception("no puzzles looked for")

    async def _post(self, timer: DueTimer, today: PuzzleOfTheDay, before: PuzzleOfTheDay | None) -> discord.Message:
        guild_id, number = timer.subject, today.puzzle
        task = await self.puzzles.untouched(number)
        with speaking(await self.languages.of_server(guild_id)):
            png = await self.pictures.drawn(partial(render.draw, texts.scene_of(task)))
            last = None
            if before is not None and before.message_id and before.puzzle != number:
                previous = await self.puzzles.untouched(before.puzzle)
                last = texts.before_text(previous, await self.puzzles.solvers(before.puzzle))
            text = fitting(texts.daily_text(task, timer.at, last))
            file = texts.picture_of(task, png)
            view = daily_view(number)
        channel = self.client.get_partial_messageable(today.channel_id, guild_id=guild_id)
        # The nonce is the same as long as it is not known to be posted: Discord makes one message of two tries.
        nonce = f"p{guild_id % 10**15}.{today.day}"
        none = discord.AllowedMentions.none()
        is_it = partial(is_daily, number=number)
        posted = await posted_earlier(self.client, channel, is_it, timer.at, self.clock())
        return posted or await channel.send(text, file=file, view=view, nonce=nonce, allowed_mentions=none)
