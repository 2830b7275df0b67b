"""The database at a terminal: copies of it, and games out of it and into it. Each function says what it did."""

from __future__ import annotations

from pathlib import Path

from bot.settings import load
from data import backup as copies
from data.backup import BackupError
from data.store import Store, StoreError


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


def _file() -> Path:
    try:
        file: Path | None = Store(load().database_url).file
    except StoreError as error:
        raise StoreRefused(str(error)) from error
    if file is None:
        raise StoreRefused("DATABASE_URL names no SQLite file: use the tools of your database for copies.")
    return file
