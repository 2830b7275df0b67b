"""Copies of a SQLite database: made while it is in use, checked, kept in rotation, and put back."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from data import schema
from data.errors import Misplaced

_PAGES = 1000
_DAY = 24 * 60 * 60
"""Seconds; no copy takes as long."""
_NAME = "damero-%Y%m%dT%H%M%SZ.sqlite3"
_PATTERN = "damero-????????T??????Z.sqlite3"


class BackupError(Exception):
    """A copy that cannot be made, read or put back; the text is a sentence for whoever runs the bot."""


def backup(source: Path, target: Path) -> None:
    """Copy the database ``source`` to ``target``, as of one moment, while others read and write it. The copy is checked
    before it takes its name; what has that name is replaced. Raises BackupError."""
    _backup(source, target)


def _backup(source: Path, target: Path, revision: str | None = None) -> bool:
    """The same, of a database with the schema ``revision``, if one is named; False where it has another by now."""
    if not source.is_file():
        raise BackupError(f"There is no database {source}.")
    if target.is_dir():
        raise BackupError(f"{target} is a folder. Name the file that the copy is to be.")
    if target.exists() and not target.is_file():
        raise BackupError(f"{target} is a device or a pipe. Name the file that the copy is to be.")
    if target.exists() and target.samefile(source):
        raise BackupError("The copy must be another file than the database.")
    with _told(f"The copy {target} cannot be made"):
        target.parent.mkdir(parents=True, exist_ok=True)
        return _copy(source, target, revision)


def restore(copy: Path, target: Path) -> Path | None:
    """Put ``copy`` in the place of the database ``target``. What was there is kept beside it; returns where.

    Refused, having changed nothing, when the copy is damaged, of a newer version or no database of ours, or when the
    database is in use (stop the bot first). Raises BackupError."""
    if not copy.is_file():
        raise BackupError(f"There is no file {copy}.")
    with _told(f"{copy} cannot be restored"):
        _check(copy)
        revision = revision_of(copy)
        if revision is None:
            raise BackupError(f"{copy} is no database of Damero.")
        if revision > schema.REVISION:
            raise BackupError(
                f"{copy} was made by a newer version of Damero (schema {revision}; this version knows up to "
                f"{schema.REVISION}). Install the newer version first."
            )
        replaced = None
        if target.exists():
            _check_unused(target)
            replaced = target.with_name(f"{target.name}.before-restore")
            backup(target, replaced)
        _copy(copy, target)
    return replaced


def rotate(source: Path, folder: Path, keep: int, now: int) -> Path:
    """Copy ``source`` into ``folder`` under the time ``now`` (UTC, milliseconds), and delete all such copies there but
    the newest ``keep``, and those that were broken off a day ago or more. Returns the new one. Raises BackupError."""
    target = folder / datetime.fromtimestamp(now / 1000, UTC).strftime(_NAME)
    backup(source, target)
    with _told("Old copies cannot be deleted"):
        for old in sorted(folder.glob(_PATTERN), reverse=True)[max(1, keep) :]:
            old.unlink()
        for half in folder.glob(f"{_PATTERN}.part*"):
            if half.stat().st_mtime < now / 1000 - _DAY:
                half.unlink()
    return target


def newest(folder: Path) -> int | None:
    """When the newest of the copies that ``rotate`` made in ``folder`` was made (UTC, milliseconds); None where there
    is none. A copy has its name only once it was found to be good."""
    found = max((file.name for file in folder.glob(_PATTERN)), default=None)
    if found is None:
        return None
    return round(datetime.strptime(found, _NAME).replace(tzinfo=UTC).timestamp() * 1000)


def look_through(source: Path) -> None:
    """Look at the pages of the database ``source``, if there is one. Raises BackupError where they are damaged: what
    is written to such a file may be lost, and each night's copy of it with it."""
    if not source.is_file():
        return
    with _told(f"The database {source} cannot be used"):
        try:
            wrong = _wrong_with(source, "quick_check")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorname != "SQLITE_CORRUPT":
                raise
            wrong = str(error)
    if wrong:
        raise BackupError(f"The database {source} is damaged: {wrong}. Put a copy back with `damero restore`.")


def must_be_ours(source: Path, named_by: str) -> None:
    """Raises Misplaced where there is no database of Damero in the file ``source``, as opening it would make one; it
    says to check ``named_by``, a setting or an argument. Raises BackupError where it cannot be read."""
    if not source.is_file():
        raise Misplaced(f"There is no database {source}. Check {named_by}.")
    with _told(f"The database {source} cannot be used"):
        revision = revision_of(source)
    if revision is None:
        raise Misplaced(f"{source} is no database of Damero. Check {named_by}.")


def must_have_folder(source: Path) -> None:
    """Raises Misplaced where the folder of the database ``source`` is not there."""
    if not source.parent.is_dir():
        raise Misplaced(f"The database {source} cannot be used: its folder is not there.")


def usable(source: Path) -> bool:
    """Whether the database ``source`` is there, and can be used by this version; nothing is written. Raises Misplaced
    where its folder is not there, BackupError where it cannot be used, or could not be made."""
    must_have_folder(source)
    if not source.exists():
        if not os.access(source.parent, os.W_OK | os.X_OK):
            raise BackupError(f"The database {source} cannot be made: its folder is closed to writing.")
        return False
    look_through(source)
    with _told(f"The database {source} cannot be used"):
        revision = revision_of(source)
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=rw", uri=True)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.rollback()
    if revision is not None and revision > schema.REVISION:
        raise BackupError(f"The database {source} is of a newer version of Damero. Install that version.")
    return True


def before_migration(source: Path) -> Path | None:
    """A copy of a database that is about to be brought up to date, beside it; None where there is nothing to save: no
    database yet, or one of this version or a newer one. Raises BackupError."""
    if not source.is_file() or source.stat().st_size == 0:
        return None
    with _told(f"The database {source} cannot be used"):
        revision = revision_of(source)
    if revision is None or revision >= schema.REVISION:
        return None
    target = source.with_name(f"{source.name}.schema-{revision}")
    # Of two that begin at once the other may have brought it up to date meanwhile, and made the copy that is wanted.
    return target if _backup(source, target, revision) else None


def revision_of(file: Path) -> str | None:
    """The schema of a database file, None where it has none of ours. Raises sqlite3.Error."""
    with closing(_to_read(file)) as connection:
        return _revision(connection)


def _revision(connection: sqlite3.Connection) -> str | None:
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return None
        raise
    return None if row is None else str(row[0])


def _to_read(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _copy(source: Path, target: Path, revision: str | None = None) -> bool:
    """Copy a database; the copy takes the place of ``target`` when it is complete. False, and nothing is done, where a
    schema is named and the database has another."""
    half = target.with_name(f"{target.name}.part")
    with _alone_in(target.parent):
        half.unlink(missing_ok=True)
        try:
            with closing(_to_read(source)) as original, closing(sqlite3.connect(half)) as copy:
                # Who writes meanwhile is not seen, and lets the copy not begin anew.
                original.execute("BEGIN")
                original.execute("SELECT count(*) FROM sqlite_master").fetchone()
                found = _revision(original)
                if revision is not None and found != revision:
                    return False
                original.backup(copy, pages=_PAGES)
                # A copy is one file: nothing of it may lie in another.
                copy.execute("PRAGMA journal_mode=DELETE")
            _check(half)
            _settle(half)
            os.replace(half, target)
            for beside in ("-wal", "-shm"):
                # Of the file that was replaced: SQLite would read it into this one.
                target.with_name(target.name + beside).unlink(missing_ok=True)
            _settle(target.parent)
            return True
        finally:
            for beside in ("", "-journal"):
                half.with_name(half.name + beside).unlink(missing_ok=True)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One copy at a time is made in a folder, whoever makes it: others wait."""
    import fcntl

    number = os.open(folder, os.O_RDONLY)
    try:
        # Some file systems of networks have no such locks.
        with suppress(OSError):
            fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


def _wrong_with(file: Path, check: str) -> str:
    """The first faults that one of SQLite's checks finds, empty where it finds none."""
    with closing(_to_read(file)) as connection:
        faults = [str(row[0]) for row in connection.execute(f"PRAGMA {check}")]
    return "" if faults == ["ok"] else "; ".join(faults[:3])


def _check(file: Path) -> None:
    if wrong := _wrong_with(file, "integrity_check"):
        raise BackupError(f"{file} is damaged: {wrong}.")
    with closing(_to_read(file)) as connection:
        if row := connection.execute("PRAGMA foreign_key_check").fetchone():
            raise BackupError(f"{file} is damaged: {row[0]} refers to what is not there.")


def _check_unused(file: Path) -> None:
    """Raises BackupError while another process has the database open."""
    with closing(sqlite3.connect(file, timeout=0)) as connection:
        try:
            # Only the last connection can leave the write-ahead log.
            (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError:
            mode = "in use"
        if mode != "delete":
            raise BackupError(f"{file} is in use. Stop the bot, then restore.")


def _settle(path: Path) -> None:
    """Let what was written of a file, or of a folder's names, survive the loss of power."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise BackupError(f"{what}: {error}.") from error
