"""The first schema: games, seats, turns, acts, offers, announcements, and small values."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("variant_id", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("start", sa.Text(), nullable=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("place_channel_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("opener", sa.BigInteger(), nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("to_seat", sa.SmallInteger(), nullable=True),
        sa.Column("winner", sa.SmallInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("places", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("rematch_of", _ID, nullable=True),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(status = 'finished') = (reason IS NOT NULL)", name=op.f("ck_games_reason")),
        sa.CheckConstraint("(status = 'running') = (to_seat IS NOT NULL)", name=op.f("ck_games_to_seat")),
        sa.CheckConstraint("(status IN ('open', 'running')) = (ended_at IS NULL)", name=op.f("ck_games_ended")),
        sa.CheckConstraint(
            "(status IN ('running', 'finished', 'aborted')) = (started_at IS NOT NULL)", name=op.f("ck_games_started")
        ),
        sa.CheckConstraint("side IN ('first', 'second', 'lot')", name=op.f("ck_games_side")),
        sa.CheckConstraint(
            "status IN ('open', 'running', 'finished', 'declined', 'withdrawn', 'aborted')",
            name=op.f("ck_games_status"),
        ),
        sa.CheckConstraint("winner IS NULL OR status = 'finished'", name=op.f("ck_games_winner")),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_games_ply")),
        sa.ForeignKeyConstraint(["rematch_of"], ["games.id"], name=op.f("fk_games_rematch_of")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("rematch_of", name=op.f("uq_games_rematch_of")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_games_open_opener",
        "games",
        ["opener"],
        unique=False,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_index(
        "uq_games_running_channel",
        "games",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_table(
        "key_values",
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_key_values")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "acts",
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("what", sa.String(length=32), nullable=False),
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_acts_game_id")),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_acts")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_acts_game_id", "acts", ["game_id"], unique=False)
    op.create_table(
        "announcements",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("edits", _ID, nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(state = 'pending') = (done_at IS NULL)", name=op.f("ck_announcements_done_at")),
        sa.CheckConstraint("(state = 'sent') = (message_id IS NOT NULL)", name=op.f("ck_announcements_message_id")),
        sa.CheckConstraint("state IN ('pending', 'sent', 'dropped')", name=op.f("ck_announcements_state")),
        sa.CheckConstraint("(message_id IS NULL) = (channel_id IS NULL)", name=op.f("ck_announcements_channel_id")),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_announcements_attempts")),
        sa.ForeignKeyConstraint(["edits"], ["announcements.id"], name=op.f("fk_announcements_edits")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_announcements_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_announcements_game_id_kind", "announcements", ["game_id", "kind"], unique=False)
    op.create_index(
        "ix_announcements_pending",
        "announcements",
        ["game_id", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=True),
        sa.Column("invited", sa.BigInteger(), nullable=True),
        sa.Column("sat_at", sa.BigInteger(), nullable=True),
        sa.Column("colour", sa.SmallInteger(), nullable=True),
        sa.CheckConstraint("colour IS NULL OR player IS NOT NULL", name=op.f("ck_seats_colour")),
        sa.CheckConstraint("(player IS NULL) = (sat_at IS NULL)", name=op.f("ck_seats_sat_at")),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seats_seat")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "player", name=op.f("uq_seats_game_id_player")),
        sa.UniqueConstraint("game_id", "colour", name=op.f("uq_seats_game_id_colour")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_invited", "seats", ["invited"], unique=False)
    op.create_index("ix_seats_player", "seats", ["player"], unique=False)
    op.create_table(
        "offers",
        sa.Column("id", _ID, autoincrement=False, nullable=False),
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("back_to", sa.Integer(), nullable=True),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(kind = 'takeback') = (back_to IS NOT NULL)", name=op.f("ck_offers_back_to")),
        sa.CheckConstraint("(state = 'open') = (closed_at IS NULL)", name=op.f("ck_offers_closed_at")),
        sa.CheckConstraint("kind IN ('draw', 'takeback')", name=op.f("ck_offers_kind")),
        sa.CheckConstraint("state IN ('open', 'agreed', 'declined', 'lapsed')", name=op.f("ck_offers_state")),
        sa.ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"], name="fk_offers_seat"),
        sa.ForeignKeyConstraint(["id"], ["announcements.id"], name=op.f("fk_offers_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offers")),
    )
    op.create_index("ix_offers_game_id", "offers", ["game_id"], unique=False)
    op.create_index(
        "uq_offers_open",
        "offers",
        ["game_id", "kind"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "turns",
        sa.Column("game_id", _ID, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.CheckConstraint(
            "kind IN ('turn', 'takeback', 'resign', 'timeout', 'draw', 'abort')", name=op.f("ck_turns_kind")
        ),
        sa.CheckConstraint("number >= 1", name=op.f("ck_turns_number")),
        sa.ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"], name="fk_turns_seat"),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_turns")),
        sa.UniqueConstraint("source", name=op.f("uq_turns_source")),
        sqlite_with_rowid=False,
    )
