"""A tournament of the database as a file, at a terminal."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from bot.cli.database import StoreRefused
from bot.games.model.errors import Refused
from bot.games.service import Games
from bot.settings import load
from bot.tournaments.service import Tournaments
from bot.tournaments.use_cases import export as files
from bot.tournaments.use_cases.work import TournamentWork
from data.store import Store, StoreError


def export(tournament_id: int, form: str) -> str:
    """A tournament of the database of the settings as a file's text. Names are not kept: players go by their ids.

    Raises SettingsError or StoreRefused."""
    settings = load()

    async def run() -> str:
        store = Store(settings.database_url)
        if store.file is not None and not store.file.exists():
            # Opening would make one, without any tournament.
            raise StoreError(f"There is no database {store.file}. Check DATABASE_URL.")
        try:
            await store.open()
            games = Games(store, lambda: 0, random.Random(), max_open_challenges=settings.max_open_challenges)
            tournaments = Tournaments(TournamentWork(store, games, _at_once))
            tournament = await tournaments.load(tournament_id)
            names = {
                number: str(entrant.person) if entrant.person > 0 else files.NOBODY
                for number, entrant in tournament.state.by_number.items()
            }
            return files.content(tournament, form, names, await tournaments.export.games_of(tournament))
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except StoreError as error:
        raise StoreRefused(str(error)) from error
    except Refused as refused:
        raise StoreRefused(refused.sentence) from refused


async def _at_once(work: Callable[[], Any]) -> Any:
    """Nobody else waits here."""
    return work()
