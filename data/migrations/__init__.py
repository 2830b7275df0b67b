"""Bringing a database's schema up to date, forward only.

A new migration: change data/schema/__init__.py, add ``versions/v<number>_<what>.py`` with the next revision number, set
``schema.REVISION`` to it; tests/data/test_migrations.py tells whether the two agree.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from data import schema


class NewerSchema(Exception):
    """The database was made by a newer version; the text is a sentence for whoever runs the bot."""


class ForeignTables(Exception):
    """The database holds tables that are not ours; the text is a sentence for whoever runs the bot."""


def migrate(connection: sa.Connection) -> None:
    """Bring the schema to ``schema.REVISION`` within the transaction that ``connection`` is in. One that is newer by
    one is served as it is, so that processes can be updated one after the other.

    Raises NewerSchema or ForeignTables, having changed nothing."""
    found = _revision(connection)
    if found == schema.REVISION:
        return
    # Imported late: a start with nothing to migrate does without.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        if found == f"{int(schema.REVISION) + 1:04}":
            # A process of the next version runs beside this one, or has run: a migration leaves what we use.
            return
        raise NewerSchema(
            f"This database was made by a newer version of Damero (schema {found}; this version knows up to "
            f"{schema.REVISION}). Install the newer version, or use another database."
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _revision(connection: sa.Connection) -> str | None:
    """The database's revision, None of an empty one."""
    tables = sa.inspect(connection).get_table_names()
    if "alembic_version" in tables:
        row = connection.execute(sa.text("SELECT version_num FROM alembic_version")).first()
        if row is not None:
            return str(row[0])
    if clash := sorted(set(tables) & set(schema.metadata.tables)):
        raise ForeignTables(
            f"This database has tables that Damero did not make ({', '.join(clash)}). Use an empty database."
        )
    return None
