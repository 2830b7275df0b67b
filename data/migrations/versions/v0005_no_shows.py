"""Who did not come to a game of a tournament."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "no_shows",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_no_shows_game_id")),
        sa.PrimaryKeyConstraint("game_id", "person", name=op.f("pk_no_shows")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_no_shows_person", "no_shows", ["person"])
