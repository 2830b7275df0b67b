"""The tables of games, time, and what people and servers have chosen (see data.schema, of which they are part)."""

from __future__ import annotations

import sqlalchemy as sa

from data.schema.base import Id, keyed_table, metadata, numbered_table, only_where, rules_column

# The rules that anything is played by, word for word, each text once: SHA-256 of the text, the text, and what that says
# of the game's name and family, so that a list need not read it.
rulesets = keyed_table(
    "rulesets",
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("title", sa.String(100), nullable=False),
    sa.Column("family", sa.String(16), nullable=False),
)

games = numbered_table(
    "games",
    sa.Column("variant_id", sa.String(64), nullable=False),
    # Every option with the value in force, so that a change of defaults leaves old games as they were.
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("start", sa.Text),
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("place_channel_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger),
    sa.Column("opener", sa.BigInteger, nullable=False),
    sa.Column("side", sa.String(8), nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("to_seat", sa.SmallInteger),
    sa.Column("winner", sa.SmallInteger),
    sa.Column("reason", sa.Text),
    sa.Column("places", sa.JSON(none_as_null=True)),
    sa.Column("rematch_of", sa.ForeignKey("games.id"), unique=True),
    sa.Column("opened_at", sa.BigInteger, nullable=False),
    sa.Column("started_at", sa.BigInteger),
    sa.Column("ended_at", sa.BigInteger),
    sa.Column("changed_at", sa.BigInteger, nullable=False),
    # How time is given (bot.games.model.clock), and whether the game is casual: no tournament's.
    sa.Column("clock", sa.String(16), nullable=False, server_default="none"),
    sa.Column("casual", sa.Boolean, nullable=False, server_default=sa.true()),
    # Whether the result changes ratings: agreed to with the challenge, or by the event that the game is part of.
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    rules_column(),
    # Of a game that came from a file: {"tags": what that said of event, names and dates, "timed": whether of moves}.
    sa.Column("origin", sa.JSON(none_as_null=True)),
    # Whether the bot may only answer there, when something is pressed: in a chat of people, or on a server without it.
    sa.Column("answers_only", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.CheckConstraint("status IN ('open', 'running', 'finished', 'declined', 'withdrawn', 'aborted')", name="status"),
    sa.CheckConstraint("side IN ('first', 'second', 'lot')", name="side"),
    sa.CheckConstraint("ply >= 0", name="ply"),
    sa.CheckConstraint("(status = 'running') = (to_seat IS NOT NULL)", name="to_seat"),
    sa.CheckConstraint("(status = 'finished') = (reason IS NOT NULL)", name="reason"),
    sa.CheckConstraint("winner IS NULL OR status = 'finished'", name="winner"),
    sa.CheckConstraint("(status IN ('running', 'finished', 'aborted')) = (started_at IS NOT NULL)", name="started"),
    sa.CheckConstraint("(status IN ('open', 'running')) = (ended_at IS NULL)", name="ended"),
    sa.Index("uq_games_running_channel", "channel_id", unique=True, **only_where("status = 'running'")),
    sa.Index("ix_games_rules_hash", "rules_hash"),
    sa.Index("ix_games_open_opener", "opener", **only_where("status = 'open'")),
)

seats = keyed_table(
    "seats",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
    # A person's id; a computer's is below zero and holds its level (bot.games.model.computer_seats).
    sa.Column("player", sa.BigInteger, index=True),
    sa.Column("invited", sa.BigInteger, index=True),
    sa.Column("sat_at", sa.BigInteger),
    # The colour of pegs that the player picked, as an index in the order of render.star_sprites.COLOURS.
    sa.Column("colour", sa.SmallInteger),
    sa.UniqueConstraint("game_id", "player"),
    sa.UniqueConstraint("game_id", "colour"),
    sa.CheckConstraint("colour IS NULL OR player IS NOT NULL", name="colour"),
    sa.CheckConstraint("seat >= 0", name="seat"),
    sa.CheckConstraint("(player IS NULL) = (sat_at IS NULL)", name="sat_at"),
)

turns = keyed_table(
    "turns",
    sa.Column("game_id", Id, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    # Forgotten after a while (data.queries.retention): Discord sends nothing twice after minutes.
    sa.Column("source", sa.String(64)),
    # What the clocks show after the entry, by seat: {"left": [ms|null], "spent": [ms]}.
    sa.Column("clock", sa.JSON(none_as_null=True)),
    sa.ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"], name="fk_turns_seat"),
    sa.CheckConstraint("number >= 1", name="number"),
    sa.CheckConstraint("kind IN ('turn', 'takeback', 'resign', 'timeout', 'draw', 'abort')", name="kind"),
    sa.Index("uq_turns_source", "source", unique=True, **only_where("source IS NOT NULL")),
)

# A game that is played on two servers at once: where its second thread is, and who plays there.
mirrors = keyed_table(
    "mirrors",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("place_channel_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, unique=True),
)

# What people did that is not an entry of a record (opening, accepting, offering, ...), so that it too happens once.
acts = keyed_table(
    "acts",
    sa.Column("source", sa.String(64), primary_key=True),
    sa.Column("what", sa.String(32), nullable=False),
    sa.Column("game_id", sa.ForeignKey("games.id"), nullable=False, index=True),
    sa.Column("player", sa.BigInteger, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

announcements = numbered_table(
    "announcements",
    sa.Column("game_id", sa.ForeignKey("games.id"), nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("edits", sa.ForeignKey("announcements.id")),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("next_try_at", sa.BigInteger, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("done_at", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger),
    sa.Column("message_id", sa.BigInteger),
    sa.CheckConstraint("state IN ('pending', 'sent', 'dropped')", name="state"),
    sa.CheckConstraint("attempts >= 0", name="attempts"),
    sa.CheckConstraint("(state = 'pending') = (done_at IS NULL)", name="done_at"),
    sa.CheckConstraint("(state = 'sent') = (message_id IS NOT NULL)", name="message_id"),
    sa.CheckConstraint("(message_id IS NULL) = (channel_id IS NULL)", name="channel_id"),
    sa.Index("ix_announcements_game_id_kind", "game_id", "kind"),
    sa.Index("ix_announcements_pending", "game_id", "id", **only_where("state = 'pending'")),
    sa.Index("ix_announcements_dropped", "game_id", **only_where("state = 'dropped'")),
    sa.Index("ix_announcements_edits", "edits", **only_where("edits IS NOT NULL")),
)

offers = sa.Table(
    "offers",
    metadata,
    # An offer goes by the id of the announcement that tells of it.
    sa.Column("id", sa.ForeignKey("announcements.id"), primary_key=True, autoincrement=False),
    sa.Column("game_id", Id, nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("back_to", sa.Integer),
    sa.Column("agreed", sa.JSON, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("closed_at", sa.BigInteger),
    sa.ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"], name="fk_offers_seat"),
    sa.CheckConstraint("kind IN ('draw', 'takeback')", name="kind"),
    sa.CheckConstraint("(kind = 'takeback') = (back_to IS NOT NULL)", name="back_to"),
    sa.CheckConstraint("state IN ('open', 'agreed', 'declined', 'lapsed')", name="state"),
    sa.CheckConstraint("(state = 'open') = (closed_at IS NULL)", name="closed_at"),
    sa.Index("uq_offers_open", "game_id", "kind", unique=True, **only_where("state = 'open'")),
)

# Small things to remember between runs, such as the hash of the commands that were last synchronised.
key_values = keyed_table(
    "key_values",
    sa.Column("key", sa.String(128), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

# Time

# What is to happen when. The effect and the end of the row are one transaction (bot.background.scheduler).
timers = numbered_table(
    "timers",
    sa.Column("kind", sa.String(16), nullable=False),
    # The game, person, server or tournament (for each kind one of them) that the timer is of; 0 where there is none.
    sa.Column("subject", sa.BigInteger, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.UniqueConstraint("kind", "subject"),
)

# When the bot was not there. Nobody's time runs then.
outages = keyed_table(
    "outages",
    sa.Column("start", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)

# The same of one shard, where there were several ("shards").
shard_outages = keyed_table(
    "shard_outages",
    sa.Column("shards", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("shard", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("start", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)

vacations = keyed_table(
    "vacations",
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("start", sa.BigInteger, primary_key=True, autoincrement=False),
    # When it ends, or is to end: the days that are left are known when it begins.
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.CheckConstraint("until >= start", name="until"),
)

# People and servers

# What a person or a server has chosen; what is not there is as usual. A server that has removed the bot has the time.
people = keyed_table(
    "people",
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("settings", sa.JSON, nullable=False),
)
servers = keyed_table(
    "servers",
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("removed_at", sa.BigInteger),
)

# The variants of a server's own: which rules stand under a name there now.
server_variants = keyed_table(
    "server_variants",
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("rules_hash", sa.ForeignKey("rulesets.hash"), nullable=False, index=True),
    sa.Column("changed_at", sa.BigInteger, nullable=False),
)

# When a person last opened a game's board.
looks = keyed_table(
    "looks",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

# Conditional moves: private to whoever wrote them.
plans = keyed_table(
    "plans",
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
    # The number of the entry after which the lines go on, and the lines as lists of turns.
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("lines", sa.JSON, nullable=False),
)
