"""What is played is kept with the text of its rules; a server has variants of its own.

What is there already gets the text that is shipped now, which is what it was played by until today. Where none is
shipped under its name any more, the rules stay unknown."""

from __future__ import annotations

import hashlib
import tomllib
from importlib.resources import files

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_PLAYED = ("games", "tournaments", "contests", "puzzles")


def upgrade() -> None:
    op.create_table(
        "rulesets",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("family", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_rulesets")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "server_variants",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("rules_hash", sa.String(length=64), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["rules_hash"], ["rulesets.hash"], name=op.f("fk_server_variants_rules_hash")),
        sa.PrimaryKeyConstraint("guild_id", "name", name=op.f("pk_server_variants")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_server_variants_rules_hash"), "server_variants", ["rules_hash"])
    for table in _PLAYED:
        op.add_column(table, sa.Column("rules_hash", sa.String(length=64)))
        _fill(table)
    op.create_index("ix_games_rules_hash", "games", ["rules_hash"])


def _fill(name: str) -> None:
    """Give the rows of a table the rules that are shipped."""
    connection = op.get_bind()
    table = sa.table(name, sa.column("variant_id"), sa.column("rules_hash"))
    rulesets = sa.table("rulesets", *map(sa.column, ("hash", "text", "title", "family")))
    for (variant_id,) in connection.execute(sa.select(table.c.variant_id).distinct()).all():
        file = files("data").joinpath("variants", f"{variant_id}.toml")
        if not file.is_file():
            continue
        text = file.read_text("utf-8")
        rules_hash = hashlib.sha256(text.encode()).hexdigest()
        if connection.execute(sa.select(rulesets.c.hash).where(rulesets.c.hash == rules_hash)).first() is None:
            said = tomllib.loads(text)
            values = {"hash": rules_hash, "text": text, "title": said["name"], "family": said["family"]}
            connection.execute(sa.insert(rulesets).values(values))
        connection.execute(sa.update(table).where(table.c.variant_id == variant_id).values(rules_hash=rules_hash))
