"""The bot in the simulated Discord, on a database of its own, watched: no error logged, every request one that Discord
takes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from discord import app_commands
from simcord.components import walk_components
from simcord.env import Env

from bot.background import scheduler
from bot.chat import command_sync
from bot.chat.client import Damero
from bot.chat.onboarding import welcome
from bot.chat.sharding import create_bot
from bot.games.model import deadlines
from bot.games.model.errors import Duplicate, Refused
from bot.settings import Settings
from bot.support.time_units import DAY
from tests.support.data.databases import url_of
from tests.support.discord import openapi
from tests.support.discord.world import TEXT, World


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "message_content: the operator has switched the message-content intent on")
    config.addinivalue_line("markers", "one_of_two: the bot acts for one of two shards")
    config.addinivalue_line("markers", "welcome: the bot welcomes the servers that take it in")
    config.addinivalue_line("markers", "time_goes_by: the bot's timers run by themselves, in real seconds")
    config.addinivalue_line("markers", "signs_of_life: the bot leaves them every ten minutes, as it does in earnest")


# Real seconds after which a bot is given up. SimCord's five are too few for a machine with much to do.
PATIENCE = 180.0
# Milliseconds between the signs of life of a bot.
RARELY = 300 * DAY


@pytest.fixture(autouse=True)
def time_stands_still(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The bot's timers run when the test moves the time (``advance_time``), and only then: by itself SimCord also runs
    them when so many real seconds have gone by, which on a machine with much to do is in the middle of anything."""
    if request.node.get_closest_marker("time_goes_by") is not None:
        return
    settle = Env._settle_internal
    defaults = Env.__init__.__kwdefaults__
    assert defaults is not None

    async def run_with_notice(env: Env, **given: Any) -> None:
        # At a start five seconds are given, whatever the bot is given later.
        await settle(env, **given | ({"timeout": PATIENCE} if given.get("timeout") == 5.0 else {}))

    monkeypatch.setattr(Env, "_schedule_timer", lambda *_: None)
    monkeypatch.setattr(Env, "_settle_internal", run_with_notice)
    monkeypatch.setitem(defaults, "settle_timeout", PATIENCE)


@pytest.fixture(autouse=True)
def signs_of_life_are_rare(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """One every half a minute of six weeks would take longer than all the rest."""
    if request.node.get_closest_marker("signs_of_life") is None:
        monkeypatch.setattr(scheduler, "HEARTBEAT", RARELY)
        monkeypatch.setattr(deadlines, "HEARTBEAT", RARELY)


class Payload(list[dict[str, Any]]):
    """What Discord is told of the commands, which SimCord need not copy into its record of each bot's requests."""

    def __deepcopy__(self, _memo: dict[int, Any]) -> Payload:
        return self


_payloads: dict[str, Payload] = {}


@pytest.fixture(autouse=True)
def commands_are_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Discord is told of the commands is made once in each process for what it is made of."""
    digest, payload_of = command_sync.digest, command_sync.payload_of
    digests: dict[Any, str] = {}

    def noted(tree: app_commands.CommandTree[Any]) -> str:
        digests[tree] = digest(tree)
        return digests[tree]

    async def known(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
        made_of = digests[tree]
        if made_of not in _payloads:
            _payloads[made_of] = Payload(await payload_of(tree))
        return _payloads[made_of]

    monkeypatch.setattr(command_sync, "digest", noted)
    monkeypatch.setattr(command_sync, "payload_of", known)


@pytest.fixture(autouse=True)
def the_search_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling the search, as each bot's worker would, takes longer than what the computer does here."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")


@pytest.fixture(autouse=True)
def nobody_is_welcomed(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """What is posted is what the test brings about, unless it is about the welcome."""
    if request.node.get_closest_marker("welcome") is None:
        monkeypatch.setattr(welcome, "first_open", lambda _guild: None)


@pytest.fixture(autouse=True)
def refusals_are_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that refuses says so in the bot's handler of errors, where SimCord would take it for a fault."""
    record = Env._record_error

    def record_faults(env: Env, error: BaseException) -> None:
        if not isinstance(error.__cause__ or error, Refused | Duplicate):
            record(env, error)

    monkeypatch.setattr(Env, "_record_error", record_faults)


@pytest.fixture
def bot_settings(tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    """A database in a file of the test's own; the intent as the marker ``message_content`` says."""
    content = request.node.get_closest_marker("message_content") is not None
    return Settings(message_content=content, database_url=url_of(tmp_path / "damero.sqlite3"))


@pytest.fixture
def simcord_bot(bot_settings: Settings) -> Damero:
    """What ``simcord_env`` runs."""
    return create_bot(bot_settings)


@pytest.fixture
def logged() -> Iterator[list[structlog.typing.EventDict]]:
    """The events that the bot logs."""
    with structlog.testing.capture_logs() as events:
        yield events


@pytest.fixture
async def here(
    logged: list[structlog.typing.EventDict], simcord_env: Env, bot_settings: Settings, request: pytest.FixtureRequest
) -> AsyncIterator[World]:
    """A server with a channel, Alice, Bob and Carol. At the end nothing must have gone wrong unnoticed."""
    if request.node.get_closest_marker("time_goes_by") is not None:
        # What waits longer is left waiting, as the outbox is, whose first pause has ten seconds.
        simcord_env.settle_timeout = 9.0
    made = World(simcord_env, bot_settings)
    yield made
    await made.bot.close()
    errors = [event for event in logged if event["log_level"] in ("error", "critical")]
    assert [] == [event for event in errors if event["event"] not in made.expected_errors]
    check_pings(made)
    contract = openapi.contract()
    if contract is not None:
        assert not (problems := contract.problems(simcord_env.http_requests)), "\n".join(sorted(set(problems)))


TOLD_TO_BOTH = ("ran out of time", "a first move in time", "**Autumn, ", "the others play on")
TOLD_TO_ALL = (
    "The check-in for ",
    "has cancelled **",
    "** is cancelled: ",
    "the deadline of round ",
    "cannot go on by itself",
    "cannot begin by itself",
    "then press *Finish*",
)


def text_in(body: Any) -> str:
    """What a message that is sent says, as content or as a card."""
    if not isinstance(body, dict):
        return ""
    parts = walk_components(body.get("components") or [])
    return "\n".join([body.get("content") or "", *(part["content"] for part in parts if part["type"] == TEXT)])


def check_pings(made: World) -> None:
    """No message may notify a role, everyone, the author of what it answers, or more than one person; the end by
    time and the start of a tournament's game, which neither has brought about, are told to both, the check-in to all
    who have entered, and what needs a director to all directors."""
    for entry in made.env.http_requests:
        body = entry.json if isinstance(entry.json, dict) else {}
        for part in (body, body.get("data", {})):
            shown = [
                each["content"]
                for each in walk_components((part.get("components") or []) if isinstance(part, dict) else [])
                if each["type"] == TEXT
            ]
            if shown or (isinstance(part, dict) and "content" in part):
                text = "\n".join(shown) if shown else part["content"]
                allowed = part["allowed_mentions"]
                assert [] == allowed.get("parse", [])
                assert [] == allowed.get("roles", [])
                assert not allowed.get("replied_user", False)
                assert all(int(person) > 0 for person in allowed.get("users", []))
                # Who is not mentioned in the text is not notified, whatever is allowed.
                assert all(f"<@{person}>" in text for person in allowed.get("users", [])), text
                by_nobody = any(words in text for words in TOLD_TO_BOTH)
                # All at a table are told of its start, and that somebody has left it by time.
                most = 6 if ", table " in text or "the others play on" in text else 2
                to_all = any(words in text for words in TOLD_TO_ALL)
                assert len(allowed.get("users", [])) <= (60 if to_all else most if by_nobody else 1)
