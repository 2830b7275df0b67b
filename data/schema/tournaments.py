"""The tables of tournaments, ratings, leagues and team matches (see data.schema, of which they are part)."""

from __future__ import annotations

import sqlalchemy as sa

from data.schema.base import Id, metadata

# Tournaments

tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("variant_id", sa.String(64), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("clock", sa.String(16), nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    # How the order at the start is found, and the seed of the lot, published with the announcement.
    sa.Column("seeding", sa.String(16), nullable=False),
    sa.Column("lot", sa.String(64), nullable=False),
    sa.Column("plan", sa.JSON, nullable=False),
    sa.Column("directors", sa.JSON, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("source", sa.String(64), nullable=False, unique=True),
    # The league or team match that it is part of.
    sa.Column("contest_id", sa.BigInteger),
    sa.CheckConstraint("status IN ('entries', 'running', 'over')", name="status"),
    sqlite_autoincrement=True,
)
sa.Index("ix_tournaments_channel_id", tournaments.c.channel_id)

# A tournament is its plan and these; nothing is ever taken out of the list.
tournament_events = sa.Table(
    "tournament_events",
    metadata,
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("by", sa.BigInteger, nullable=False),
    sa.Column("action", sa.JSON, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("source", sa.String(64), nullable=False, unique=True),
    sa.CheckConstraint("number >= 1", name="number"),
    sqlite_with_rowid=False,
)

# Which game of a tournament a game is: its round, of an elimination its match and the game's number in it.
tournament_games = sa.Table(
    "tournament_games",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("match", sa.String(16), nullable=False),
    sa.Column("white", sa.Integer, nullable=False),
    sa.Column("black", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("ix_tournament_games_tournament_id", tournament_games.c.tournament_id)

# The messages of a tournament. Each shows how it stands; one that says less than is wanted is to be posted or edited.
tournament_posts = sa.Table(
    "tournament_posts",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("wanted", sa.Integer, nullable=False),
    sa.Column("said", sa.Integer, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("message_id", sa.BigInteger),
    sa.UniqueConstraint("tournament_id", "kind", "round"),
    sqlite_autoincrement=True,
)

# Who did not come to a game of a tournament, and when that was certain (bot.tournaments.model.no_shows).
no_shows = sa.Table(
    "no_shows",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("ix_no_shows_person", no_shows.c.person)

# Ratings, by pool; the server of the pool of all servers is 0.
ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("variant_id", sa.String(64), primary_key=True),
    sa.Column("correspondence", sa.Boolean, primary_key=True),
    sa.Column("server", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("value", sa.Float, nullable=False),
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("volatility", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
rated_games = sa.Table(
    "rated_games",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("server", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
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
    sqlite_with_rowid=False,
)
sa.Index("ix_rated_games_person", rated_games.c.person)
sa.Index(
    "ix_rated_games_history",
    rated_games.c.person,
    rated_games.c.server,
    rated_games.c.variant_id,
    rated_games.c.correspondence,
    rated_games.c.at,
)
sa.Index(
    "ix_rated_games_pool",
    rated_games.c.variant_id,
    rated_games.c.correspondence,
    rated_games.c.server,
    rated_games.c.at,
)

# Leagues of seasons and team matches of two servers: what is longer or wider than one tournament. The other place is
# the guest's.
contests = sa.Table(
    "contests",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("other_guild_id", sa.BigInteger),
    sa.Column("other_channel_id", sa.BigInteger),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("variant_id", sa.String(64), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("clock", sa.String(16), nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("plan", sa.JSON, nullable=False),
    # Who shows it may accept the match.
    sa.Column("code", sa.String(16), unique=True),
    sa.Column("directors", sa.JSON, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("source", sa.String(64), nullable=False, unique=True),
    sa.CheckConstraint("kind IN ('league', 'match')", name="kind"),
    sa.CheckConstraint("status IN ('open', 'running', 'over')", name="status"),
    sqlite_autoincrement=True,
)
sa.Index("ix_contests_channel_id", contests.c.channel_id)
sa.Index("ix_contests_other_channel_id", contests.c.other_channel_id)

# A contest is its plan and these, as with tournaments.
contest_events = sa.Table(
    "contest_events",
    metadata,
    sa.Column("contest_id", sa.ForeignKey("contests.id"), primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("by", sa.BigInteger, nullable=False),
    sa.Column("action", sa.JSON, nullable=False),
    sa.Column("source", sa.String(64), nullable=False, unique=True),
    sa.CheckConstraint("number >= 1", name="number"),
    sqlite_with_rowid=False,
)

# The messages of a contest, as with tournaments; each in its channel.
contest_posts = sa.Table(
    "contest_posts",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("contest_id", sa.ForeignKey("contests.id"), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("wanted", sa.Integer, nullable=False),
    sa.Column("said", sa.Integer, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("message_id", sa.BigInteger),
    sa.UniqueConstraint("contest_id", "kind", "number", "channel_id"),
    sqlite_autoincrement=True,
)

# A game that is played on two servers at once: where its second thread is, and who plays there.
mirrors = sa.Table(
    "mirrors",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("place_channel_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, unique=True),
    sqlite_with_rowid=False,
)
