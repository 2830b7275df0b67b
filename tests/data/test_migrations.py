"""Migrations: from nothing to the schema, and never back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

import data.migrations
from data import schema
from data.queries import key_values
from data.store import Store, StoreError
from tests.support.data import databases


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(Path(data.migrations.__file__).parent))
    return ScriptDirectory.from_config(config)


def test_schema_names_the_newest_migration() -> None:
    """``schema.REVISION`` is the head of the migrations, of which there is one."""
    assert [schema.REVISION] == scripts().get_heads()


async def test_migrations_from_nothing_make_the_schema(store: Store) -> None:
    """An empty database brought up to date has the tables, columns and indices of data.schema, and no more."""

    def differences(connection: sa.Connection) -> object:
        return compare_metadata(MigrationContext.configure(connection), schema.metadata)

    async with store.read() as tx:
        assert [] == await tx.run_sync(differences)


@pytest.mark.only("sqlite")
async def test_migrations_make_the_same_constraints(store: Store, tmp_path: Path) -> None:
    """What the migrations write for each table, CHECKs included, is what data.schema writes."""
    made = sa.create_engine(f"sqlite:///{tmp_path}/made.sqlite3")
    schema.metadata.create_all(made)
    query = sa.text("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name != 'alembic_version'")
    with made.connect() as connection:
        expected = {name: _parts(sql) for name, sql in connection.execute(query)}
    made.dispose()
    async with store.read() as tx:
        actual = {name: _parts(sql) for name, sql in await tx.execute(query)}
    assert expected == actual


@pytest.mark.only("postgresql")
def test_migrations_make_the_same_constraints_in_postgresql(url: str) -> None:
    """The same there: keys, references, CHECKs, defaults, and what each column is."""
    server, made, migrated = databases.server(), databases.new_database(), databases.new_database(migrated=True)
    statements: list[str] = []
    dialect = sa.make_url(url).get_dialect()()

    def note(made: sa.schema.DDLElement, *_more: object, **_given: object) -> None:
        statements.append(str(made.compile(dialect=dialect)))

    schema.metadata.create_all(sa.create_mock_engine(url, note), checkfirst=False)
    server.run(";".join(statements), made)
    constraints = (
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0"
    )
    columns = (
        "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default"
        " FROM information_schema.columns WHERE table_schema = 'public'"
    )
    indices = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
    for query in (constraints, columns, indices):
        expected = set(server.rows(query, made))
        assert len(expected) > 30
        assert expected == {row for row in server.rows(query, migrated) if row[0] != "alembic_version"}
    server.drop(made)
    server.drop(migrated)


def _parts(sql: str) -> list[str]:
    """A statement's columns and constraints, in any order: a column that was added later stands after them."""
    head, _, rest = sql.partition("(")
    body, _, tail = rest.rpartition(")")
    parts, depth = [""], 0
    for character in body:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [head.strip(), *sorted(" ".join(part.split()) for part in parts), tail.strip()]


async def test_opening_again_keeps_what_is_there(store: Store, url: str) -> None:
    """A database of this version is opened as it is."""
    async with store.write() as tx:
        await key_values.put(tx, "kept", "yes")
    await store.close()
    again = Store(url)
    await again.open()
    async with again.read() as tx:
        assert "yes" == await key_values.get(tx, "kept")
    await again.close()


async def test_a_schema_that_is_newer_by_one_is_served(store: Store, url: str) -> None:
    """So that processes can be updated one after the other: what it holds is used, and it stays as it is."""
    newer = f"{int(schema.REVISION) + 1:04}"
    async with store.write() as tx:
        await key_values.put(tx, "kept", "yes")
        await tx.execute(sa.text(f"UPDATE alembic_version SET version_num = '{newer}'"))
    await store.close()
    again = Store(url)
    await again.open()
    async with again.read() as tx:
        assert "yes" == await key_values.get(tx, "kept")
        assert newer == (await tx.execute(sa.text("SELECT version_num FROM alembic_version"))).scalar()
    await again.close()


async def test_newer_schema_is_refused(store: Store, url: str) -> None:
    """A database of a later version is not touched, and the sentence says what to do."""
    async with store.write() as tx:
        await tx.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    await store.close()
    with pytest.raises(StoreError, match=r"newer version of Damero \(schema 9999; .* Install the newer version"):
        await Store(url).open()


async def test_foreign_tables_are_refused(url: str) -> None:
    """A database that holds another program's ``games`` is left alone."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(sa.text("CREATE TABLE games (name TEXT)"))
    await engine.dispose()
    with pytest.raises(StoreError, match=r"tables that Damero did not make \(games\)"):
        await Store(url).open()


async def test_migration_that_fails_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema is made in one transaction: broken off in the middle, there is no table at all."""
    create_index = sa.schema.CreateIndex.__init__

    def breaks(self: sa.schema.CreateIndex, index: sa.Index, *args: Any, **more: Any) -> None:
        if index.name == "uq_offers_open":
            raise KeyError("broken off")
        create_index(self, index, *args, **more)

    monkeypatch.setattr(sa.schema.CreateIndex, "__init__", breaks)
    with pytest.raises(KeyError):
        await Store(url).open()
    monkeypatch.undo()
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        assert [] == await connection.run_sync(lambda opened: sa.inspect(opened).get_table_names())
    await engine.dispose()
    store = Store(url)
    await store.open()
    await store.close()
