from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import backup
from data.backup import BackupError
from data.queries import key_values
from data.store import Store, StoreError

pytestmark = pytest.mark.only("sqlite")

NIGHT = 1_800_000_000_000
DAY = 86_400_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the store of these tests is."""
    return tmp_path / "damero.sqlite3"


async def kept(file: Path, key: str = "kept") -> str | None:
    """What a database holds under a key."""
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open()
    try:
        async with store.read() as tx:
            return await key_values.get(tx, key)
    finally:
        await store.close()


async def test_a_copy_is_made_while_others_write(store: Store, file: Path, tmp_path: Path) -> None:
    """The copy is of one moment: whole, and openable by itself."""

    async def write(n: int) -> None:
        async with store.write() as tx:
            await key_values.put(tx, "kept", str(n))

    for n in range(20):
        await write(n)
    copying = asyncio.create_task(asyncio.to_thread(backup.backup, file, tmp_path / "copy"))
    for n in range(20, 40):
        await write(n)
    await copying

    assert 19 <= int(await kept(tmp_path / "copy") or -1) <= 39
    assert "copy.part" not in os.listdir(tmp_path)


async def test_a_copy_comes_back(store: Store, file: Path, tmp_path: Path) -> None:
    """Restoring brings back what was copied, and keeps what was there."""
    async with store.write() as tx:
        await key_values.put(tx, "kept", "before")
    backup.backup(file, tmp_path / "copy")
    async with store.write() as tx:
        await key_values.put(tx, "kept", "after")
    await store.close()

    old = backup.restore(tmp_path / "copy", file)

    assert "before" == await kept(file)
    assert old is not None
    assert "after" == await kept(old)


async def test_a_database_in_use_is_not_replaced(store: Store, file: Path, tmp_path: Path) -> None:
    """While the bot runs, restoring is refused and changes nothing."""
    async with store.write() as tx:
        await key_values.put(tx, "kept", "yes")
    backup.backup(file, tmp_path / "copy")
    async with store.write() as tx:
        await key_values.put(tx, "kept", "still")
    async with store.read() as tx:
        await key_values.get(tx, "kept")
    with pytest.raises(BackupError, match=r"in use\. Stop the bot"):
        backup.restore(tmp_path / "copy", file)
    async with store.read() as tx:
        assert "still" == await key_values.get(tx, "kept")


async def test_a_damaged_copy_is_refused(store: Store, file: Path, tmp_path: Path) -> None:
    """A page of rubbish in the copy: named, and nothing is touched."""
    backup.backup(file, tmp_path / "copy")
    await store.close()
    check_damaged(file, tmp_path / "copy")


def check_damaged(file: Path, copy: Path) -> None:
    whole = bytearray(copy.read_bytes())
    whole[4096 * 3 : 4096 * 5] = b"\x55" * 8192
    copy.write_bytes(whole)
    before = file.read_bytes()
    with pytest.raises(BackupError, match="copy"):
        backup.restore(copy, file)
    assert before == file.read_bytes()


@pytest.mark.parametrize("content", [b"", b"not a database at all, but longer than the header of one " * 10])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    """An empty file, a text: neither is a copy."""
    (tmp_path / "copy").write_bytes(content)
    with pytest.raises(BackupError, match="copy"):
        backup.restore(tmp_path / "copy", tmp_path / "damero.sqlite3")
    assert not (tmp_path / "damero.sqlite3").exists()


async def test_a_copy_of_a_newer_version_is_refused(store: Store, file: Path, tmp_path: Path) -> None:
    """The sentence says what to do."""
    async with store.write() as tx:
        await tx.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    backup.backup(file, tmp_path / "copy")
    with pytest.raises(BackupError, match="Install the newer version first"):
        backup.restore(tmp_path / "copy", tmp_path / "new.sqlite3")


async def test_the_newest_copies_are_kept(store: Store, file: Path, tmp_path: Path) -> None:
    """Of nine nights three copies stay; other files in the folder are left alone."""
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "mine.sqlite3").write_text("hands off")
    for night in range(9):
        backup.rotate(file, folder, 3, NIGHT + night * DAY)
    names = sorted(path.name for path in folder.iterdir())
    assert ["damero-20270121T080000Z.sqlite3", "damero-20270122T080000Z.sqlite3"] == names[:2]
    assert ["damero-20270123T080000Z.sqlite3", "mine.sqlite3"] == names[2:]


async def test_what_is_left_of_a_copy_that_was_killed_goes(store: Store, file: Path, tmp_path: Path) -> None:
    """A night later; one that may still be under way stays, as do other files."""
    folder = tmp_path / "backups"
    folder.mkdir()
    named = "damero-20270114T080000Z.sqlite3.part"
    young = named.replace("14T", "13T")
    for name, ago in ((named, 2 * DAY), (f"{named}-journal", 2 * DAY), (young, 0), ("a.part", 2 * DAY)):
        (folder / name).write_text("half")
        os.utime(folder / name, times=((NIGHT - ago) / 1000, (NIGHT - ago) / 1000))

    copy = backup.rotate(file, folder, 3, NIGHT)

    assert {young, "a.part", copy.name} == set(os.listdir(folder))


async def test_nothing_of_a_copy_that_was_used_comes_into_the_next(store: Store, file: Path, tmp_path: Path) -> None:
    """Who opens a copy may leave a log beside it, which SQLite would read into the copy that replaces it."""
    copy = tmp_path / "copy"
    backup.backup(file, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as used:
        used.execute("PRAGMA journal_mode=WAL")
        used.execute("INSERT INTO key_values VALUES ('kept', 'an older one')")
        left = {name: (tmp_path / f"copy{name}").read_bytes() for name in ("-wal", "-shm")}
    for name, what in left.items():
        (tmp_path / f"copy{name}").write_bytes(what)
    async with store.write() as tx:
        await key_values.put(tx, "kept", "the newest")

    backup.backup(file, copy)

    assert "the newest" == await kept(copy)


async def test_a_migration_copies_the_database_first(store: Store, file: Path) -> None:
    """What an older version has left is saved under its schema's number; a database of this version is not."""
    await store.close()
    assert backup.before_migration(file) is None
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    connection.close()
    saved = backup.before_migration(file)
    assert saved is not None
    assert "0001" == backup.revision_of(saved)


async def test_a_copy_before_a_migration_is_of_the_older_schema(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two that begin at once the slower one does not put what the other has migrated in the place of its copy."""
    await store.close()
    saved = file.with_name(f"{file.name}.schema-0001")
    saved.write_text("as it was")
    # As it looked before the other had done it.
    monkeypatch.setattr("data.backup.revision_of", lambda _file: "0001")
    assert backup.before_migration(file) is None
    assert "as it was" == saved.read_text()
    assert not file.with_name(f"{saved.name}.part").exists()


async def test_a_copy_is_of_the_moment_in_which_it_began(
    store: Store, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written after that is not in it, also where the file is no database of ours; it does not begin anew."""
    plain = tmp_path / "plain"
    with closing(sqlite3.connect(plain)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE notes (text TEXT)")

        def looked(_connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute("INSERT INTO notes VALUES ('later')")

        monkeypatch.setattr("data.backup._revision", looked)
        backup.backup(plain, tmp_path / "copy")
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        assert [(0,)] == copy.execute("SELECT count(*) FROM notes").fetchall()


async def test_copies_that_are_made_at_once(store: Store, file: Path, tmp_path: Path) -> None:
    """Of several under one name each is whole: none takes away what another has half done."""
    async with store.write() as tx:
        await key_values.put(tx, "kept", "x" * 1_000_000)
    await asyncio.gather(*(asyncio.to_thread(backup.backup, file, tmp_path / "copy") for _ in range(8)))

    assert "x" * 1_000_000 == await kept(tmp_path / "copy")


async def test_no_copy_no_migration(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the copy cannot be made, the database is left as it is."""
    await store.close()

    def refuses(source: Path) -> Path | None:
        raise BackupError("The disk is full.")

    monkeypatch.setattr("data.sqlite.before_migration", refuses)
    with pytest.raises(StoreError, match="disk is full"):
        await Store(f"sqlite+aiosqlite:///{file}").open()


async def test_a_folder_is_no_name_for_a_copy(store: Store, file: Path, tmp_path: Path) -> None:
    """Whoever names a folder is told to name a file, and the folder stays as it is."""
    for folder in (tmp_path, Path()):
        with pytest.raises(BackupError, match=r"is a folder\. Name the file"):
            backup.backup(file, folder)


async def test_a_copy_replaces_no_device(store: Store, file: Path, tmp_path: Path) -> None:
    """Nor a pipe: who names one is told to name a file, and it stays as it is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BackupError, match="is a device or a pipe"):
        backup.backup(file, pipe)
    assert pipe.is_fifo()
