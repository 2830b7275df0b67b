"""What puzzles are about; of those that are there it is found out later, at night."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("puzzles", sa.Column("themes", sa.String(200)))
