"""Clocks, timers, outages and vacations; what people and servers have chosen; looks and plans."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("games", sa.Column("clock", sa.String(length=16), server_default="none", nullable=False))
    op.add_column("games", sa.Column("casual", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("turns", sa.Column("clock", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "timers",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_timers")),
        sa.UniqueConstraint("kind", "subject", name=op.f("uq_timers_kind_subject")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_timers_at", "timers", ["at"])
    op.create_table(
        "outages",
        sa.Column("start", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("start", name=op.f("pk_outages")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vacations",
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("start", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("until >= start", name=op.f("ck_vacations_until")),
        sa.PrimaryKeyConstraint("person", "start", name=op.f("pk_vacations")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "people",
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_people")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "looks",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_looks_game_id")),
        sa.PrimaryKeyConstraint("game_id", "person", name=op.f("pk_looks")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "plans",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_plans_game_id")),
        sa.PrimaryKeyConstraint("game_id", "person", name=op.f("pk_plans")),
        sqlite_with_rowid=False,
    )
