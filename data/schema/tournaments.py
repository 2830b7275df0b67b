"""The tables of tournaments, ratings, leagues and team matches (see data.schema, of which they are part)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from data.schema.base import keyed_table, numbered_table, rating_columns, rules_column


def _owner_columns() -> list[sa.Column[Any]]:
    """What a tournament and a contest have alike."""
    return [
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("variant_id", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("clock", sa.String(16), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("directors", sa.JSON, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("source", sa.String(64), nullable=False, unique=True),
        rules_column(),
    ]


def _events(owner: str, *more: sa.Column[Any]) -> sa.Table:
    """A tournament or a contest is its plan and these; nothing is ever taken out of the list."""
    return keyed_table(
        f"{owner}_events",
        sa.Column(f"{owner}_id", sa.ForeignKey(f"{owner}s.id"), primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("action", sa.JSON, nullable=False),
        sa.Column("source", sa.String(64), nullable=False, unique=True),
        *more,
        sa.CheckConstraint("number >= 1", name="number"),
    )


def _posts(owner: str, number: str, *place: sa.Column[Any]) -> sa.Table:
    """The messages of a tournament or a contest. Each shows how it stands; one that says less than is wanted is to be
    posted or edited."""
    return numbered_table(
        f"{owner}_posts",
        sa.Column(f"{owner}_id", sa.ForeignKey(f"{owner}s.id"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column(number, sa.Integer, nullable=False),
        *place,
        sa.Column("wanted", sa.Integer, nullable=False),
        sa.Column("said", sa.Integer, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.UniqueConstraint(f"{owner}_id", "kind", number, *(["channel_id"] if place else [])),
    )


tournaments = numbered_table(
    "tournaments",
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger, nullable=False, index=True),
    *_owner_columns(),
    # How the order at the start is found, and the seed of the lot, published with the announcement.
    sa.Column("seeding", sa.String(16), nullable=False),
    sa.Column("lot", sa.String(64), nullable=False),
    # The league or team match that it is part of.
    sa.Column("contest_id", sa.BigInteger),
    sa.CheckConstraint("status IN ('entries', 'running', 'over')", name="status"),
)

tournament_events = _events("tournament", sa.Column("reason", sa.Text, nullable=False))

# Which game of a tournament a game is: its round, of an elimination its match and the game's number in it.
tournament_games = keyed_table(
    "tournament_games",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), nullable=False, index=True),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("match", sa.String(16), nullable=False),
    sa.Column("white", sa.Integer, nullable=False),
    sa.Column("black", sa.Integer, nullable=False),
)

tournament_posts = _posts("tournament", "round")

# Who did not come to a game of a tournament, and when that was certain (bot.tournaments.use_cases.no_shows).
no_shows = keyed_table(
    "no_shows",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

# Ratings, by pool; the server of the pool of all servers is 0.
ratings = keyed_table(
    "ratings",
    sa.Column("variant_id", sa.String(64), primary_key=True),
    sa.Column("correspondence", sa.Boolean, primary_key=True),
    sa.Column("server", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    *rating_columns(),
    sa.Column("at", sa.BigInteger, nullable=False),
)
rated_games = keyed_table(
    "rated_games",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("server", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("before", sa.Float, nullable=False),
    sa.Column("after", sa.Float, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    # The pool, as in ratings.
    sa.Column("variant_id", sa.String(64), nullable=False, server_default=""),
    sa.Column("correspondence", sa.Boolean, nullable=False, server_default=sa.true()),
    # 1, 0.5 or 0; of a table the place. None: by a correction the game counts no more.
    sa.Column("score", sa.Float),
    # The rating after the game; not known of games that were rated before version 0004.
    sa.Column("deviation", sa.Float),
    sa.Column("volatility", sa.Float),
    sa.Column("games", sa.Integer),
    sa.Index("ix_rated_games_history", "person", "server", "variant_id", "correspondence", "at"),
    sa.Index("ix_rated_games_pool", "variant_id", "correspondence", "server", "at"),
)

# Leagues of seasons and team matches of two servers: what is longer or wider than one tournament. The other place is
# the guest's.
contests = numbered_table(
    "contests",
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("other_guild_id", sa.BigInteger),
    sa.Column("other_channel_id", sa.BigInteger, index=True),
    *_owner_columns(),
    # Who shows it may accept the match.
    sa.Column("code", sa.String(16), unique=True),
    sa.CheckConstraint("kind IN ('league', 'match')", name="kind"),
    sa.CheckConstraint("status IN ('open', 'running', 'over')", name="status"),
)

contest_events = _events("contest")

# Each in its channel.
contest_posts = _posts(
    "contest",
    "number",
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
)
