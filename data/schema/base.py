"""What all tables share."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex, SchemaItem

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite gives out ids by itself only to a column declared INTEGER.
Id: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def numbered_table(name: str, *parts: SchemaItem) -> sa.Table:
    """A table with an ``id``, which the store gives; one that was given is never given again."""
    number = sa.Column("id", Id, primary_key=True, autoincrement=True)
    return sa.Table(name, metadata, number, *parts, sqlite_autoincrement=True)


def gives_ids(table: sa.Table) -> bool:
    """Whether a table has an ``id``, which the store gives."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def keyed_table(name: str, *parts: SchemaItem) -> sa.Table:
    """A table whose rows are found by what they are about; SQLite numbers them no second time."""
    return sa.Table(name, metadata, *parts, sqlite_with_rowid=False)


def rules_column() -> sa.Column[Any]:
    """The rules that something is played by, as a hash of ``rulesets``. No foreign key, as SQLite gives none to a table
    that stands; empty where the rules of an old row are not known any more."""
    return sa.Column("rules_hash", sa.String(64))


def rating_columns() -> list[sa.Column[Any]]:
    """What is kept of a rating, a person's or a puzzle's."""
    floats = [sa.Column(name, sa.Float, nullable=False) for name in ("value", "deviation", "volatility")]
    return [*floats, sa.Column("games", sa.Integer, nullable=False)]


def only_where(condition: str) -> dict[str, Any]:
    """For an index of those rows alone for which a condition holds."""
    return {"sqlite_where": sa.text(condition)}


@compiles(CreateIndex, "postgresql")
def _create_index(create: CreateIndex, compiler: Any, **given: Any) -> Any:
    """The condition holds in PostgreSQL too. Said in its own name with the index, it would have all that the toolkit
    knows of PostgreSQL imported at every start."""
    options = create.element.dialect_options
    if options["postgresql"]["where"] is None:
        options["postgresql"]["where"] = options["sqlite"]["where"]
    return compiler.visit_create_index(create, **given)
