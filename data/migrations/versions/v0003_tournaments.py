"""Tournaments with their events, games and posts; ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("variant_id", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("clock", sa.String(length=16), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("seeding", sa.String(length=16), nullable=False),
        sa.Column("lot", sa.String(length=64), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("directors", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.CheckConstraint("status IN ('entries', 'running', 'over')", name=op.f("ck_tournaments_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("source", name=op.f("uq_tournaments_source")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournaments_channel_id", "tournaments", ["channel_id"])
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", _ID, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_tournament_events_number")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_events_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_events")),
        sa.UniqueConstraint("source", name=op.f("uq_tournament_events_source")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tournament_games",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("tournament_id", _ID, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("match", sa.String(length=16), nullable=False),
        sa.Column("white", sa.Integer(), nullable=False),
        sa.Column("black", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_tournament_games_game_id")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_games_tournament_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_tournament_games")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tournament_games_tournament_id", "tournament_games", ["tournament_id"])
    op.create_table(
        "tournament_posts",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("tournament_id", _ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("said", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_posts_tournament_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament_posts")),
        sa.UniqueConstraint(
            "tournament_id", "kind", "round", name=op.f("uq_tournament_posts_tournament_id_kind_round")
        ),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "ratings",
        sa.Column("variant_id", sa.String(length=64), nullable=False),
        sa.Column("correspondence", sa.Boolean(), nullable=False),
        sa.Column("server", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("variant_id", "correspondence", "server", "person", name=op.f("pk_ratings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rated_games",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("server", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("after", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rated_games_game_id")),
        sa.PrimaryKeyConstraint("game_id", "server", "person", name=op.f("pk_rated_games")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rated_games_person", "rated_games", ["person"])
