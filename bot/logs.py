"""Logs: one line an event to standard output, for people or as JSON. What people write is never logged."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

import structlog

from bot.settings import LogFormat, LogLevel
from data.errors import reason

# Libraries whose INFO is of no use to who runs the bot: each request, whose address may hold a token, each heartbeat.
QUIET = (
    "discord.http",
    "discord.gateway",
    "discord.client",
    "discord.webhook",
    "aiosqlite",
    "alembic",
    "asyncio",
    "PIL",
    "sqlalchemy",
)


# What discord.py says where it cannot connect, and tries again: where it tried that is no news.
_TRIED_AGAIN = ("Attempting a reconnect", "Failed to connect for shard")


def _told_in_a_line(_logger: object, _name: str, told: structlog.typing.EventDict) -> structlog.typing.EventDict:
    if str(told["event"]).startswith(_TRIED_AGAIN) and isinstance(told.get("exc_info"), tuple):
        told["error"] = reason(told.pop("exc_info")[1])
    return told


def set_up(
    level: LogLevel = "info", form: LogFormat = "text", stream: TextIO | None = None, process: int | None = None
) -> None:
    """Send structlog's and the standard library's records to `stream` (standard output) in one form. ``process``: which
    of several speaks, in every line, whatever context that is logged in."""

    def tell_process(_logger: object, _name: str, told: structlog.typing.EventDict) -> structlog.typing.EventDict:
        if process is not None:
            told["process"] = process
        return told

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        tell_process,
        _told_in_a_line,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    out = stream or sys.stdout
    last: list[structlog.typing.Processor]
    if form == "json":
        # As text, without local variables: they may hold what people wrote.
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(sort_keys=True)]
    else:
        last = [structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=structlog.dev.plain_traceback)]
    structlog.configure(
        processors=[
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        # What is below the level comes to no processor at all.
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
