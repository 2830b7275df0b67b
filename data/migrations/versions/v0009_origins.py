"""What a file said of a game that came from one: its event, its date, who played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("games", sa.Column("origin", sa.JSON(none_as_null=True)))
