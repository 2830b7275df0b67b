"""What was never posted is found without a look at every running game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    given_up = sa.text("state = 'dropped'")
    op.create_index(
        "ix_announcements_dropped", "announcements", ["game_id"], sqlite_where=given_up, postgresql_where=given_up
    )
