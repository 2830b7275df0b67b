"""The database at a terminal: copies of it, and games out of it and into it. Each function says what it did."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from bot.engine import pdn, transcript, variants
from bot.engine.transcript import Transcript, TranscriptError
from bot.games.refused import Refused
from bot.games.service import Games
from bot.settings import load
from data import backup as copies
from data.backup import BackupError
from data.store import Store, StoreError

T = TypeVar("T")


class StoreRefused(Exception):  # noqa: N818 - what was asked is refused
    """It could not be done; the text is a sentence for whoever runs the bot."""


def backup(target: Path) -> str:
    """Copy the database of the settings to ``target``. Raises SettingsError or StoreRefused."""
    try:
        copies.backup(_file(), target)
    except BackupError as error:
        raise StoreRefused(str(error)) from error
    return f"Copied to {target}, and checked."


def restore(copy: Path) -> str:
    """Put ``copy`` in the place of the database of the settings. Raises SettingsError or StoreRefused."""
    file = _file()
    try:
        kept = copies.restore(copy, file)
    except BackupError as error:
        raise StoreRefused(str(error)) from error
    return f"Restored {file}." + ("" if kept is None else f" What was there before is kept as {kept}.")


def export(form: str, player: int | None, game: int | None) -> tuple[str, list[str]]:
    """Games as a file's text ("pdn" or "json"): one, one player's, or all; and what is to be said beside it. Raises
    SettingsError or StoreRefused."""

    async def read(games: Games) -> list[Transcript]:
        return [await games.transcript(game)] if game is not None else await games.transcripts(player)

    found = _with_games(read)
    if form == "json":
        return transcript.write(found), []
    fitting = [one for one in found if variants.load(one.variant_id).family == "draughts"]
    left_out = len(found) - len(fitting)
    remark = [f"{left_out} games are no draughts and have a JSON form only."] if left_out else []
    return pdn.write(fitting), remark


def bring_in(file: Path, now: int) -> str:
    """Store the finished games of a PDN or JSON file: all, or none. ``now`` is UTC in milliseconds.

    Raises SettingsError or StoreRefused."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreRefused(f"{file} cannot be read: {error}.") from error
    read = transcript.loads if text.lstrip().startswith("{") else pdn.loads
    try:
        found = list(read(text))
    except TranscriptError as error:
        raise StoreRefused(f"{file}, {str(error).rstrip('.')}. Nothing was brought in.") from error
    done = _with_games(lambda games: games.bring_in(found), now)
    known = f" {done.known} {'was' if done.known == 1 else 'were'} here already." if done.known else ""
    return f"{len(done.games)} game{'' if len(done.games) == 1 else 's'} brought in.{known}"


def _with_games(act: Callable[[Games], Coroutine[Any, Any, T]], now: int = 0) -> T:
    settings = load()

    async def run() -> T:
        store = Store(settings.database_url)
        try:
            await store.open()
            return await act(Games(store, lambda: now, random.Random()))
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except StoreError as error:
        raise StoreRefused(str(error)) from error
    except Refused as refused:
        raise StoreRefused(refused.sentence) from refused


def _file() -> Path:
    try:
        file: Path | None = Store(load().database_url).file
    except StoreError as error:
        raise StoreRefused(str(error)) from error
    if file is None:
        raise StoreRefused("DATABASE_URL names no SQLite file: use the tools of your database for copies.")
    return file
