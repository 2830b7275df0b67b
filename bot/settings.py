"""Every setting of the service: typed, from the environment or a file `.env`, explained in `.env.example`."""

from __future__ import annotations

import codecs
import difflib
import importlib.util
import io
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from bot.support.frozen import frozen

ENV_FILE = Path(".env")

SAFE_CLUSTERS = ("tls://", "wss://")
OPEN_CLUSTERS = ("tcp://", "ucx://", "ws://")

# How a kind of database may be written, and how it is with its driver.
_SQLITE, _POSTGRESQL = "sqlite+aiosqlite", "postgresql+asyncpg"
_DATABASES = {"sqlite": _SQLITE, "postgres": _POSTGRESQL, "postgresql": _POSTGRESQL}

# One more than the last port that there is.
_PORTS = 65_536

LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]


class SettingsError(Exception):
    """A setting is missing or wrong. The text says which, and what to do; it never holds a setting's value."""


@frozen(kw_only=True)
class Settings:
    """The settings in force, each as it was found right (``read``). A field's name in capitals is the environment's
    variable."""

    # They may hold a secret.
    discord_token: str | None = field(default=None, repr=False)
    discord_token_file: Path | None = None
    message_content: bool = False
    database_url: str = field(default="sqlite+aiosqlite:///damero.sqlite3", repr=False)
    shard_count: int = 1
    shards_per_process: int | None = None
    discord_api_url: str | None = field(default=None, repr=False)
    discord_gateway_url: str | None = field(default=None, repr=False)
    max_open_challenges: int = 10
    backup_keep: int = 7
    backup_folder: Path | None = None
    render_threads: int = 2
    computer_workers: int = 1
    computer_cluster_insecure: bool = False
    computer_cluster: str | None = field(default=None, repr=False)
    computer_hub: str | None = field(default=None, repr=False)
    endgames_folder: Path | None = None
    endgames_pieces: int = 5
    log_level: LogLevel = "info"
    log_format: LogFormat = "text"
    health_port: int | None = None
    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"
    processes: int = 1

    def of_process(self, number: int) -> Settings:
        """Those of one of several processes, counted from 0: it listens on ports of its own."""
        health, metrics = (port and port + number for port in (self.health_port, self.metrics_port))
        return replace(self, health_port=health, metrics_port=metrics)

    def endgames(self) -> Path:
        """Where endgame tables are: ENDGAMES_FOLDER, else a folder beside the database's file, else one here."""
        file = self.database_url.partition(":///")[2] if self.database_url.startswith(_SQLITE) else ""
        return self.endgames_folder or Path(file).parent / "endgames"

    def engines(self) -> dict[str, list[str]]:
        """The commands of the engines of others, by the game that each plays: COMPUTER_HUB."""
        return _engines(self.computer_hub)

    def token(self) -> str:
        """The bot's token, from DISCORD_TOKEN or the file that DISCORD_TOKEN_FILE names.

        Raises SettingsError when there is none, when both are given, or when the file cannot be read.
        """
        if self.discord_token is not None and self.discord_token_file is not None:
            raise SettingsError("Give DISCORD_TOKEN or DISCORD_TOKEN_FILE, not both.")
        if self.discord_token is not None:
            token = self.discord_token.strip()
        elif self.discord_token_file is not None:
            try:
                # Windows marks UTF-8.
                token = self.discord_token_file.read_text(encoding="utf-8-sig").strip()
            except (OSError, UnicodeDecodeError) as error:
                why = error.strerror if isinstance(error, OSError) else "it is not a text file"
                raise SettingsError(f"DISCORD_TOKEN_FILE cannot be read: {why}.") from None
        else:
            token = ""
        if not token:
            raise SettingsError(
                "There is no token. Set DISCORD_TOKEN to your bot's token (Discord's developer portal, your "
                "application, page Bot, Reset Token), or DISCORD_TOKEN_FILE to a file that holds it."
            )
        if any(character.isspace() for character in token):
            raise SettingsError("The token has a space or a line break inside. Copy it again, whole and alone.")
        if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token):
            raise SettingsError(
                "This is no bot's token: one has three parts with dots between them. Take it from the page Bot (Reset "
                "Token) of your application; the client secret and the public key are something else."
            )
        return token


def known_database(url: str) -> str:
    """The URL of a database with its driver. Raises ValueError where there is none for it."""
    kind, slashes, rest = url.partition("://")
    kind = _DATABASES.get(kind, kind)
    if not slashes or kind not in _DATABASES.values():
        raise ValueError(
            "it begins with sqlite:// or postgresql://. For a file beside the bot write sqlite:///damero.sqlite3; with "
            "four slashes it is a whole path"
        )
    if kind == _SQLITE and rest in ("", "/", "/:memory:"):
        raise ValueError(
            "it names no file, and all games would be gone at the next start. For a file beside the bot write "
            "sqlite:///damero.sqlite3"
        )
    if kind == _POSTGRESQL and importlib.util.find_spec("asyncpg") is None:
        raise ValueError("PostgreSQL needs the extra `postgres`: pip install 'damero[postgres]'")
    return f"{kind}://{rest}"


def load() -> Settings:
    """The settings from `.env` and the environment, which goes before it; what is empty counts as not there. Raises
    SettingsError with one line for each wrong setting."""
    given = [*_of_file(ENV_FILE).items(), *os.environ.items()]
    return read({name.lower(): value for name, value in given if value})


def read(given: Mapping[str, str]) -> Settings:
    """The settings as texts by their names in small letters; other names are somebody else's.

    Raises SettingsError with one line for each wrong setting, without its value, which may be the token in the wrong
    place."""
    right: dict[str, Any] = {}
    wrong: list[tuple[str, str]] = []
    for name in _NAMES:
        try:
            if name in given:
                right[name] = _READERS.get(name, str)(given[name])
        except ValueError as error:
            wrong.append((name, str(error)))
    settings = Settings(**right)
    # Whether they go together is asked once each is right.
    if faults := wrong or list(_not_together(settings)):
        raise SettingsError("\n".join(f"{name.upper()} is wrong: {why}." for name, why in faults))
    return settings


def _switch(text: str) -> bool:
    """Raises ValueError."""
    for value, words in ((True, ("true", "1", "yes", "on", "t", "y")), (False, ("false", "0", "no", "off", "f", "n"))):
        if text.lower() in words:
            return value
    raise ValueError("write true or false")


def _whole(least: int, most: int) -> Callable[[str], int]:
    """What reads a whole number of at least ``least`` and at most ``most``. It raises ValueError."""

    def read(text: str) -> int:
        number = _number(text)
        if number < least:
            raise ValueError(f"it is {least} at least")
        if number > most:
            raise ValueError(f"it is {most} at most")
        return number

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    """What reads one of ``words``, in any case. It raises ValueError."""

    def read(text: str) -> str:
        if text.lower() not in words:
            *others, last = map(repr, words)
            raise ValueError(f"choose {', '.join(others)} or {last}")
        return text.lower()

    return read


def _address(*kinds: str) -> Callable[[str], str]:
    """What reads a proxy's address, which begins with one of ``kinds``. It raises ValueError."""

    def read(text: str) -> str:
        if not text.startswith(kinds):
            raise ValueError(f"it begins with {' or '.join(kinds)}")
        return text.rstrip("/")

    return read


def _pieces(text: str) -> int:
    """Raises ValueError."""
    if (number := _number(text)) not in (0, 4, 5):
        raise ValueError("must be 5 or 4, or 0 for none")
    return number


def _number(text: str) -> int:
    """A whole number, also as templates write it, ``10.0``. Raises ValueError."""
    written = re.fullmatch(r"\s*([+-]?[0-9]{1,18})(\.0+)?\s*", text)
    if written is None:
        raise ValueError("write a whole number")
    return int(written[1])


def _scheduler(address: str) -> str:
    """Raises ValueError."""
    if not address.startswith((*SAFE_CLUSTERS, *OPEN_CLUSTERS)):
        raise ValueError("must be the address of a Dask scheduler, such as tls://192.0.2.1:8786")
    if importlib.util.find_spec("distributed") is None:
        raise ValueError("needs the extra `cluster`: pip install 'damero[cluster]'")
    return address


def _commands(text: str) -> str:
    """Raises ValueError."""
    for variant, command in _engines(text).items():
        if not variant or not command:
            raise ValueError("it is written variant=command; variant=command")
        if shutil.which(command[0]) is None:
            raise ValueError(f"the program for {variant} is not there, or cannot be run")
    return text


def _processes(text: str) -> int:
    """Raises ValueError."""
    count = _whole(1, 100)(text)
    if count > 1 and not hasattr(os, "fork"):
        raise ValueError("this system cannot do it. Start as many processes as you want, each by itself")
    return count


_NAMES = [each.name for each in fields(Settings)]
# What is not here is text.
_READERS: Mapping[str, Callable[[str], object]] = {
    "discord_token_file": Path,
    "message_content": _switch,
    "database_url": known_database,
    "shard_count": _whole(1, 10_000),
    "shards_per_process": _whole(1, 10_000),
    "discord_api_url": _address("http://", "https://"),
    "discord_gateway_url": _address("ws://", "wss://"),
    "max_open_challenges": _whole(1, 1000),
    "backup_keep": _whole(0, 1000),
    "backup_folder": Path,
    "render_threads": _whole(1, 64),
    "computer_workers": _whole(1, 256),
    "computer_cluster_insecure": _switch,
    "computer_cluster": _scheduler,
    "computer_hub": _commands,
    "endgames_folder": Path,
    "endgames_pieces": _pieces,
    "log_level": _one_of(*get_args(LogLevel)),
    "log_format": _one_of(*get_args(LogFormat)),
    "health_port": _whole(1, _PORTS - 1),
    "metrics_port": _whole(1, _PORTS - 1),
    "processes": _processes,
}


def _not_together(settings: Settings) -> Iterator[tuple[str, str]]:
    """Which settings do not go with others, and why."""
    count, ports = settings.processes, [port for port in (settings.health_port, settings.metrics_port) if port]
    if settings.shards_per_process is not None and settings.database_url.startswith(_SQLITE):
        yield (
            "shards_per_process",
            "processes that share the shards need a PostgreSQL (DATABASE_URL). Leave it out where one process has all "
            "of them",
        )
    if (settings.computer_cluster or "").startswith(OPEN_CLUSTERS) and not settings.computer_cluster_insecure:
        yield (
            "computer_cluster",
            "whoever reaches a Dask scheduler without TLS can run anything in the bot. Give a tls:// address, or, in a "
            "network where nobody else is, set COMPUTER_CLUSTER_INSECURE=true",
        )
    if len(ports) > 1 and ports[0] == ports[1]:
        yield "metrics_port", "HEALTH_PORT has that port already. Choose another one"
    if count == 1:
        return
    each = "each listens on ports of its own, from HEALTH_PORT and METRICS_PORT on, which are too"
    if settings.shards_per_process is None:
        yield "processes", "several processes share the shards: say how many each of them takes (SHARDS_PER_PROCESS)"
    elif any(port + count > _PORTS for port in ports):
        yield "processes", f"{each} high"
    elif len(ports) > 1 and 0 < abs(ports[0] - ports[1]) < count:
        yield "processes", f"{each} near each other"


def _of_file(file: Path) -> Mapping[str, str | None]:
    """What a file of settings holds, each line of which can be read, and in which no setting is misspelt; nothing where
    there is no file. Raises SettingsError."""
    if file.is_dir():
        raise SettingsError(f"{file} is a folder. Put a file of settings in its place, or remove it.")
    if not file.is_file():
        return {}
    try:
        content = file.read_bytes()
        # Windows PowerShell writes UTF-16, and marks it.
        encoding = "utf-16" if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
        text = content.decode(encoding)
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not text in UTF-8. Save it in that encoding.") from None
    # Where settings are the environment's alone, what reads files is not imported.
    from dotenv import dotenv_values
    from dotenv.parser import parse_stream

    known = {name.upper() for name in _NAMES}
    for binding in parse_stream(io.StringIO(text)):
        # With what is bound come the empty lines before it.
        blank = re.match(r"\s*", binding.original.string)
        line, name = binding.original.line + (blank[0].count("\n") if blank else 0), (binding.key or "").upper()
        # A name alone is a setting whose = was forgotten, or a value that has got onto a line of its own.
        if binding.error or (name and binding.value is None):
            raise SettingsError(f"{file}, line {line} is no setting: write NAME=value, each on a line of its own.")
        # What is like no setting is somebody else's.
        if name not in known and (meant := difflib.get_close_matches(name, known, 1, _MISSPELT)):
            raise SettingsError(f"{file}, line {line}: there is no setting {name}. {meant[0]} may be meant.")
    return dotenv_values(stream=io.StringIO(text))


_MISSPELT = 0.85
"""How like a setting's name a word must be to be taken for it: one letter in ten may differ."""


def _engines(text: str | None) -> dict[str, list[str]]:
    """``variant=command; variant=command`` as the words of each command by variant. Raises ValueError for a quotation
    that is not closed."""
    parts = [part.partition("=") for part in (text or "").split(";") if part.strip()]
    return {variant.strip(): shlex.split(command) for variant, _equals, command in parts}
