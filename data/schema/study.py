"""The tables of analyses and puzzles (see data.schema, of which they are part)."""

from __future__ import annotations

import sqlalchemy as sa

from data.schema.base import keyed_table, numbered_table, rating_columns, rules_column

# What a search saw of a finished game, turn by turn; as far as it has come.
analyses = keyed_table(
    "analyses",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("seen", sa.JSON, nullable=False),
    sa.Column("changed_at", sa.BigInteger, nullable=False),
)

puzzles = numbered_table(
    "puzzles",
    sa.Column("variant_id", sa.String(64), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("position", sa.String(400), nullable=False),
    # The solver's turns, and between them the answers.
    sa.Column("solution", sa.JSON, nullable=False),
    *rating_columns(),
    sa.Column("rated_at", sa.BigInteger, nullable=False),
    # The game that it was found in, where it is one of this store.
    sa.Column("game_id", sa.ForeignKey("games.id")),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    rules_column(),
    # With a blank before and behind each; empty: not known yet.
    sa.Column("themes", sa.String(200)),
    sa.UniqueConstraint("variant_id", "position"),
    sa.Index("ix_puzzles_variant_id_value", "variant_id", "value"),
)

# How far a person has come with a puzzle. ``step``: how many of its own turns it has found.
puzzle_tries = keyed_table(
    "puzzle_tries",
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("puzzle_id", sa.ForeignKey("puzzles.id"), primary_key=True, autoincrement=False, index=True),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("step", sa.SmallInteger, nullable=False),
    sa.Column("began_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger),
    sa.CheckConstraint("state IN ('open', 'solved', 'failed')", name="state"),
)

# Who solves puzzles: rating, streak (puzzles solved one after the other) and days in a row on which one was solved.
puzzle_solvers = keyed_table(
    "puzzle_solvers",
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    *rating_columns(),
    sa.Column("rated_at", sa.BigInteger),
    sa.Column("solved", sa.Integer, nullable=False),
    sa.Column("streak", sa.Integer, nullable=False),
    sa.Column("best_streak", sa.Integer, nullable=False),
    sa.Column("days", sa.Integer, nullable=False),
    # The day (since 1970, UTC) of the last puzzle solved.
    sa.Column("last_day", sa.Integer),
)

# The daily puzzle of a server: where, of which game (null: of any), and which one was posted last by which message.
daily_puzzles = keyed_table(
    "daily_puzzles",
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("variant_id", sa.String(64)),
    sa.Column("day", sa.Integer),
    sa.Column("puzzle_id", sa.ForeignKey("puzzles.id")),
    sa.Column("message_id", sa.BigInteger),
)
