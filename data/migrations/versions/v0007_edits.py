"""Which announcement edits another one is found by an index: throwing announcements away asks for it each time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_index(
        "ix_announcements_edits",
        "announcements",
        ["edits"],
        sqlite_where=sa.text("edits IS NOT NULL"),
        postgresql_where=sa.text("edits IS NOT NULL"),
    )
