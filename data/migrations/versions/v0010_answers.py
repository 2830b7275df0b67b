"""Games where the bot may only answer what is pressed: in chats of people, and on servers that do not have it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("games", sa.Column("answers_only", sa.Boolean, nullable=False, server_default=sa.false()))
