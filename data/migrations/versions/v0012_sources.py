"""What an entry of a record came from is known for some time, and found by an index of what is still known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_COLUMNS = "game_id, number, kind, seat, text, at, source, clock"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        # A constraint cannot be taken off a table that stands.
        op.rename_table("turns", "turns_before")
        op.create_table(
            "turns",
            sa.Column("game_id", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("kind", sa.String(16), nullable=False),
            sa.Column("seat", sa.SmallInteger, nullable=False),
            sa.Column("text", sa.Text, nullable=False),
            sa.Column("at", sa.BigInteger, nullable=False),
            sa.Column("source", sa.String(64)),
            sa.Column("clock", sa.JSON(none_as_null=True)),
            sa.ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"], name="fk_turns_seat"),
            sa.CheckConstraint("number >= 1", name="number"),
            sa.CheckConstraint("kind IN ('turn', 'takeback', 'resign', 'timeout', 'draw', 'abort')", name="kind"),
            sqlite_with_rowid=False,
        )
        op.execute(f"INSERT INTO turns ({_COLUMNS}) SELECT {_COLUMNS} FROM turns_before ORDER BY game_id, number")
        op.drop_table("turns_before")
    else:
        op.drop_constraint("uq_turns_source", "turns", type_="unique")
        op.alter_column("turns", "source", existing_type=sa.String(64), nullable=True)
    known = sa.text("source IS NOT NULL")
    op.create_index("uq_turns_source", "turns", ["source"], unique=True, sqlite_where=known, postgresql_where=known)
