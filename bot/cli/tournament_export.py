"""A tournament of the database as a file, at a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.cli.database import with_games
from bot.games.service import Games
from bot.tournaments.service import Tournaments
from bot.tournaments.use_cases import export as files
from bot.tournaments.use_cases.work import TournamentWork
from data.store import Store


def export(tournament_id: int, form: str) -> str:
    """A tournament of the database of the settings as a file's text. Names are not kept: players go by their ids.

    Raises SettingsError or StoreRefused."""

    async def read(games: Games, store: Store) -> str:
        tournaments = Tournaments(TournamentWork(store, games, _at_once))
        tournament = await tournaments.load(tournament_id)
        names = {
            number: str(entrant.person) if entrant.person > 0 else files.NOBODY
            for number, entrant in tournament.state.by_number.items()
        }
        return files.content(tournament, form, names, await tournaments.export.games_of(tournament))

    return with_games(read, must_exist=True)


async def _at_once(work: Callable[[], Any]) -> Any:
    """Nobody else waits here."""
    return work()
