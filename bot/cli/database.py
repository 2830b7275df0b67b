"""The database at a terminal: copies of it, and games and tournaments out of it and games into it.

Each function says what it did, or raises one of MISUSES or REFUSALS."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from bot.engine import transcript, variants
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.engine.transcript import Transcript, TranscriptError
from bot.games.model.errors import Refused
from bot.games.service import Games
from bot.games.use_cases.import_export import GameExport, PassedOver
from bot.settings import SettingsError, load
from bot.support.complaints import of_file
from bot.support.frozen import frozen
from data import backup as copies
from data.backup import BackupError
from data.errors import UNREADABLE
from data.queries import tournaments
from data.store import Misplaced, Store, StoreError

if TYPE_CHECKING:
    from bot.tournaments.service import Tournaments

T = TypeVar("T")


class StoreRefused(Exception):  # noqa: N818 - what was asked is refused
    """A file that cannot be read or written as was asked, or no database that is a file."""


MISUSES = (SettingsError, Misplaced)
"""A setting or an argument has to change; the text of each is a sentence, as of REFUSALS."""

REFUSALS = (StoreRefused, StoreError, BackupError, Refused)
"""The text of each is a sentence for whoever runs the bot."""


def backup(target: Path) -> str:
    """Copy the database of the settings to ``target``."""
    file = _file()
    copies.must_be_ours(file, "DATABASE_URL")
    copies.backup(file, target)
    return f"Copied to {target}, and checked."


def restore(copy: Path) -> str:
    """Put ``copy`` in the place of the database of the settings."""
    file = _file()
    kept = copies.restore(copy, file)
    return f"Restored {file}." + ("" if kept is None else f" What was there before is kept as {kept}.")


@frozen
class ExportFile:
    """A file's text, what is wrong with it, whether all games that were asked for could be read, and what is said of it
    once it is written."""

    text: str
    remarks: tuple[str, ...] = ()
    complete: bool = True
    told: str = ""


def export(form: str, player: int | None, game: int | None, now: int) -> ExportFile:
    """Games as a file ("pdn" or "json"): one, one player's, or all that are not damaged; with all, what lets those that
    go on ``now`` (UTC in milliseconds) go on elsewhere."""

    async def read(games: Games, store: Store) -> GameExport:
        if game is None:
            return await games.archive.transcripts(player, moving=player is None)
        try:
            found = await games.archive.transcript(game)
            async with store.read() as tx:
                of_event = await tournaments.game_of(tx, game) is not None
            if of_event:
                found = await _tournaments(games, store).export.in_its_event(game, found)
        except UNREADABLE as error:
            raise StoreRefused(
                f"Game {game} cannot be exported: a value of it cannot be read ({type(error).__name__}). "
                "See damero check-store."
            ) from error
        return GameExport([found])

    taken = with_games(read, now, must_exist=True)
    remarks = [f"Game {number} is left out: its record is damaged. See damero check-store." for number in taken.damaged]
    if not taken.games:
        remarks.append("There are no games." if player is None else f"There are no games of player {player}.")
    chosen = taken.games
    if form != "json":
        chosen = [one for one in chosen if variants.load(one.variant).family == "draughts"]
        left_out = len(taken.games) - len(chosen)
        if left_out:
            are = "game is not a draughts game and has" if left_out == 1 else "games are not draughts games and have"
            remarks.append(f"{left_out} {are} a JSON form only.")
    text = transcript.write(chosen) if form == "json" else pdn_writer.write(chosen)
    told = _GAMES_ALONE if game is None and player is None else ""
    return ExportFile(text, tuple(remarks), not taken.damaged, told)


def export_tournament(tournament_id: int, form: str) -> str:
    """A tournament as a file's text. Names are not kept: players go by their ids."""

    async def read(games: Games, store: Store) -> str:
        from bot.tournaments.use_cases import export as files

        service = _tournaments(games, store)
        tournament = await service.load(tournament_id)
        played = await service.export.games_of(tournament)
        return files.content(tournament, form, str, played)

    return with_games(read, must_exist=True)


def _tournaments(games: Games, store: Store) -> Tournaments:
    # What pairs takes a while to load, and is seldom needed here.
    from bot.tournaments.service import Tournaments
    from bot.tournaments.use_cases.work import TournamentWork

    async def at_once(work: Callable[[], Any]) -> Any:
        """Nobody else waits here."""
        return work()

    return Tournaments(TournamentWork(store, games, at_once))


_GAMES_ALONE: Final = (
    "An export holds games alone. Settings (languages, quiet hours, channels), ratings, tournaments, leagues, matches, "
    "vacations, conditional moves and puzzles are not in it: `damero backup` and `damero move-store` take them along."
)


@frozen
class Imported:
    """What became of a file in a sentence, and what is wrong with the games that were left out."""

    told: str
    left_out: tuple[str, ...] = ()


def import_games(file: Path, now: int, variant: str = "", own: str = "", *, strict: bool = False) -> Imported:
    """Store the finished games of a PDN or JSON file, and of an export of all games those that go on; those that are
    wrong are left out, or, if ``strict``, the whole file is refused. ``variant``: of which game those of a PDN file are
    that do not say so; ``own``: the text of the rules of a server's own game, where they are not kept here. ``now`` is
    UTC in milliseconds."""
    if variant:
        variants.load(variant)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise StoreRefused(of_file(error, "read")) from error
    text = pdn_reader.decoded(content)
    if "\0" in text:
        raise StoreRefused(
            f"{file} is no text, and so neither PDN nor JSON. A copy of a database is for damero restore."
        )
    found: list[Transcript | TranscriptError]
    made = _new_file()
    ours = re.match(r'\s*\{\s*"', text) is not None
    if ours:
        found = list(transcript.read(text))
    else:
        texts = {"": own} if own else {}
        if named := pdn_reader.rules_named(text):
            texts |= with_games(lambda games, _store: games.archive.rules_texts(named))
        found = list(pdn_reader.read(text, variant, texts))
    wrong = [f"{file}, {str(error).rstrip('.')}." for error in found if isinstance(error, TranscriptError)]
    if wrong and (strict or len(wrong) == len(found)):
        raise StoreRefused(f"{wrong[0]} Nothing was imported.")
    transcripts = [game for game in found if isinstance(game, Transcript)]
    done = with_games(lambda games, _: games.archive.import_games(transcripts, strict=strict, moving=ours), now)
    told = f"{len(done.games)} game{'' if len(done.games) == 1 else 's'} imported."
    if done.known:
        told += f" {done.known} {'was' if done.known == 1 else 'were'} there already."
    if left_out := len(wrong) + done.left_out:
        told += f" {left_out} {'was' if left_out == 1 else 'were'} not imported."
    if done.going_on:
        goes = "1 game in progress was" if len(done.going_on) == 1 else f"{len(done.going_on)} games in progress were"
        told += f" {goes} imported: time runs there again when the bot has posted the board."
    # An export has the games that go on with those that are over: they are no fault of the file.
    for why, at in done.passed_over.items():
        lines = ", ".join(map(str, at[:_NAMED])) + (" ..." if len(at) > _NAMED else "")
        goes = "1 game in progress was" if len(at) == 1 else f"{len(at)} games in progress were"
        told += f" {goes} skipped (line {lines}): {_PASSED_OVER[why]}."
    if ours:
        told += f" {_GAMES_ALONE}"
    if made is not None:
        told += f" A new database was created: {made}."
    return Imported(told, (*wrong, *(f"{file}, {each[0].lower()}{each[1:]}" for each in done.refused)))


_PASSED_OVER: Final[Mapping[PassedOver, str]] = {
    "here": "here already",
    "tournament": "a tournament's, which `damero backup` and `damero restore` take along",
    "unplaced": "the file does not say where and how; `damero export` of all games does",
    "busy": "another game runs where it is played",
}
_NAMED = 20
"""Games that are named by their lines, at most."""


def _new_file() -> Path | None:
    """The file of the database of the settings, where there is none yet, or nothing in it."""
    file = Store(load().database_url).file
    return file if file is not None and not (file.exists() and file.stat().st_size) else None


def with_games(act: Callable[[Games, Store], Coroutine[Any, Any, T]], now: int = 0, *, must_exist: bool = False) -> T:
    """What ``act`` makes of the games of the database of the settings; a new one is made unless it ``must_exist``."""
    settings = load()

    async def run() -> T:
        store = Store(settings.database_url)
        if must_exist and store.file is not None:
            copies.must_be_ours(store.file, "DATABASE_URL")
        try:
            await store.open()
            games = Games(store, lambda: now, random.Random(), max_open_challenges=settings.max_open_challenges)
            return await act(games, store)
        finally:
            await store.close()

    return asyncio.run(run())


def _file() -> Path:
    file = Store(load().database_url).file
    if file is None:
        raise StoreRefused(
            "DATABASE_URL names no file. Copy a PostgreSQL with `pg_dump --format=custom`, put the copy back with "
            "`pg_restore`; `damero move-store` makes a file of it."
        )
    return file
