from __future__ import annotations

import io
import json
import logging
from contextvars import Context

import pytest
import structlog

from bot import logs
from bot.settings import LogFormat

pytestmark = pytest.mark.usefixtures("logging_as_it_was")


def test_json_has_one_object_a_line_from_both_kinds_of_logger() -> None:
    """structlog's events and the standard library's records come out in the same form."""
    out = io.StringIO()
    logs.set_up("info", "json", out)

    structlog.get_logger("bot.games").info("turn", game=7, ply=3)
    logging.getLogger("some.library").warning("slow: %s", "disk")

    first, second = map(json.loads, out.getvalue().splitlines())
    assert ("turn", 7, 3, "info") == (first["event"], first["game"], first["ply"], first["level"])
    assert ("slow: disk", "some.library", "warning") == (second["event"], second["logger"], second["level"])
    assert first["timestamp"].endswith("Z")


def test_every_line_says_which_process_speaks() -> None:
    """Of several, whatever context it speaks in, and of both kinds of logger."""
    out = io.StringIO()
    logs.set_up("info", "json", out, process=2)

    structlog.contextvars.clear_contextvars()
    structlog.get_logger("bot.games").info("turn")
    Context().run(logging.getLogger("some.library").warning, "slow")

    assert [2, 2] == [json.loads(line)["process"] for line in out.getvalue().splitlines()]


def test_text_names_event_and_values() -> None:
    """The form for people holds the event and its values on one line, without colours in a file."""
    out = io.StringIO()
    logs.set_up("info", "text", out)

    structlog.get_logger("bot.games").info("turn", game=7)

    (line,) = out.getvalue().splitlines()
    assert "turn" in line
    assert "game=7" in line
    assert "\x1b" not in line


def test_level_and_quiet_libraries() -> None:
    """What is below the level is left out, and discord.py's requests are left out at every level but WARNING."""
    out = io.StringIO()
    logs.set_up("warning", "json", out)
    structlog.get_logger("bot").info("small")
    logs.set_up("debug", "json", out)
    logging.getLogger("discord.http").info("POST https://... has returned 200")
    logging.getLogger("discord.http").warning("rate limited")

    assert ["rate limited"] == [json.loads(line)["event"] for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("name", ["discord.http", "discord.webhook.async_", "sqlalchemy.pool"])
def test_quiet_libraries_keep_to_the_level(name: str) -> None:
    """Nor do they warn where errors alone are wanted; what names an address, which may hold a token, is left out."""
    out = io.StringIO()
    logs.set_up("error", "json", out)
    logging.getLogger(name).warning("rate limited")
    logs.set_up("debug", "json", out)
    logging.getLogger(name).debug("POST https://.../a-token has returned 200")

    assert "" == out.getvalue()


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_exception_has_its_traceback(form: LogFormat) -> None:
    """A failure is logged with where it came from, in JSON still on one line, without the values of variables."""
    out = io.StringIO()
    logs.set_up("info", form, out)
    words = "".join(["what", "people", "wrote"])

    try:
        raise LookupError(len(words))
    except LookupError:
        structlog.get_logger("bot").exception("failed", game=7)

    assert "LookupError" in out.getvalue()
    assert "test_logs.py" in out.getvalue()
    assert words not in out.getvalue()
    if form == "json":
        assert 1 == len(out.getvalue().splitlines())
