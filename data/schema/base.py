"""What all tables share."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

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


def only_where(condition: sa.ColumnElement[bool]) -> dict[str, Any]:
    """For an index of those rows alone for which a condition holds, in the words of each kind of database."""
    return {"sqlite_where": condition, "postgresql_where": condition}
