"""Rated games outside tournaments, ratings that can be reckoned anew, leagues, team matches of two servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("games", sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("tournaments", sa.Column("contest_id", sa.BigInteger(), nullable=True))
    for column in (
        sa.Column("variant_id", sa.String(length=64), server_default="", nullable=False),
        sa.Column("correspondence", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("deviation", sa.Float(), nullable=True),
        sa.Column("volatility", sa.Float(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=True),
    ):
        op.add_column("rated_games", column)
    _fill_in()
    op.create_index("ix_rated_games_history", "rated_games", ["person", "server", "variant_id", "correspondence", "at"])
    op.create_index("ix_rated_games_pool", "rated_games", ["variant_id", "correspondence", "server", "at"])
    op.create_table(
        "contests",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("other_guild_id", sa.BigInteger(), nullable=True),
        sa.Column("other_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("variant_id", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("clock", sa.String(length=16), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=True),
        sa.Column("directors", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.CheckConstraint("kind IN ('league', 'match')", name=op.f("ck_contests_kind")),
        sa.CheckConstraint("status IN ('open', 'running', 'over')", name=op.f("ck_contests_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contests")),
        sa.UniqueConstraint("code", name=op.f("uq_contests_code")),
        sa.UniqueConstraint("source", name=op.f("uq_contests_source")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_contests_channel_id", "contests", ["channel_id"])
    op.create_index("ix_contests_other_channel_id", "contests", ["other_channel_id"])
    op.create_table(
        "contest_events",
        sa.Column("contest_id", _ID, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_contest_events_number")),
        sa.ForeignKeyConstraint(["contest_id"], ["contests.id"], name=op.f("fk_contest_events_contest_id")),
        sa.PrimaryKeyConstraint("contest_id", "number", name=op.f("pk_contest_events")),
        sa.UniqueConstraint("source", name=op.f("uq_contest_events_source")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "contest_posts",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("contest_id", _ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("said", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["contest_id"], ["contests.id"], name=op.f("fk_contest_posts_contest_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contest_posts")),
        sa.UniqueConstraint(
            "contest_id",
            "kind",
            "number",
            "channel_id",
            name=op.f("uq_contest_posts_contest_id_kind_number_channel_id"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mirrors",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("place_channel_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_mirrors_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_mirrors")),
        sa.UniqueConstraint("channel_id", name=op.f("uq_mirrors_channel_id")),
        sqlite_with_rowid=False,
    )


def _fill_in() -> None:
    """Games that were rated before: their pool and score stand in the games themselves."""
    live = "('5+3', '10+5', '20+10')"
    op.execute(
        "UPDATE rated_games SET"
        " variant_id = (SELECT games.variant_id FROM games WHERE games.id = rated_games.game_id),"
        f" correspondence = (SELECT games.clock NOT IN {live} FROM games WHERE games.id = rated_games.game_id),"
        " score = (SELECT CASE WHEN games.winner IS NULL THEN 0.5 WHEN seats.seat = games.winner THEN 1.0 ELSE 0.0 END"
        " FROM games JOIN seats ON seats.game_id = games.id"
        " WHERE games.id = rated_games.game_id AND seats.player = rated_games.person)"
    )
    op.execute(
        "UPDATE games SET rated = TRUE WHERE id IN (SELECT tournament_games.game_id FROM tournament_games"
        " JOIN tournaments ON tournaments.id = tournament_games.tournament_id WHERE tournaments.rated)"
    )
