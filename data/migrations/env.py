"""What Alembic runs: the migrations, on the connection that data.migrations.migrate hands in."""

from __future__ import annotations

from alembic import context

from data import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
