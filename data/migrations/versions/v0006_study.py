"""Analyses of finished games, and puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("seen", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_analyses_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_analyses")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzles",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("variant_id", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("position", sa.String(length=400), nullable=False),
        sa.Column("solution", sa.JSON(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("rated_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", _ID, nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_puzzles_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
        sa.UniqueConstraint("variant_id", "position", name=op.f("uq_puzzles_variant_id_position")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzles_variant_id_value", "puzzles", ["variant_id", "value"])
    op.create_table(
        "puzzle_tries",
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("puzzle_id", _ID, autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("step", sa.SmallInteger(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'solved', 'failed')", name=op.f("ck_puzzle_tries_state")),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzles.id"], name=op.f("fk_puzzle_tries_puzzle_id")),
        sa.PrimaryKeyConstraint("person", "puzzle_id", name=op.f("pk_puzzle_tries")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_tries_puzzle_id", "puzzle_tries", ["puzzle_id"])
    op.create_table(
        "puzzle_solvers",
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("rated_at", sa.BigInteger(), nullable=True),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_puzzle_solvers")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daily_puzzles",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("variant_id", sa.String(length=64), nullable=True),
        sa.Column("day", sa.Integer(), nullable=True),
        sa.Column("puzzle_id", _ID, nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzles.id"], name=op.f("fk_daily_puzzles_puzzle_id")),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_daily_puzzles")),
        sqlite_with_rowid=False,
    )
