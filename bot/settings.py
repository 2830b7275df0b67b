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
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, ValidationInfo, field_validator

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


class Settings(BaseModel):
    """The settings in force. A field's name in capitals is the environment's variable."""

    # A value that is refused may be the token in the wrong place.
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    discord_token: SecretStr | None = None
    discord_token_file: Path | None = None
    message_content: bool = False
    # It may hold a password.
    database_url: Annotated[str, Field(repr=False)] = "sqlite+aiosqlite:///damero.sqlite3"
    shard_count: Annotated[int, Field(ge=1, le=10_000)] = 1
    shards_per_process: Annotated[int, Field(ge=1, le=10_000)] | None = None
    discord_api_url: str | None = None
    discord_gateway_url: str | None = None
    max_open_challenges: Annotated[int, Field(ge=1, le=1000)] = 10
    backup_keep: Annotated[int, Field(ge=0, le=1000)] = 7
    backup_folder: Path | None = None
    render_threads: Annotated[int, Field(ge=1, le=64)] = 2
    computer_workers: Annotated[int, Field(ge=1, le=256)] = 1
    computer_cluster_insecure: bool = False
    computer_cluster: str | None = None
    computer_hub: str | None = None
    endgames_folder: Path | None = None
    endgames_pieces: int = 5
    log_level: LogLevel = "info"
    log_format: LogFormat = "text"
    health_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    metrics_host: str = "127.0.0.1"
    processes: Annotated[int, Field(ge=1, le=100)] = 1

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        return known_database(url)

    @field_validator("shards_per_process")
    @classmethod
    def _shareable(cls, most: int | None, info: ValidationInfo) -> int | None:
        if most is not None and str(info.data.get("database_url", "")).startswith(_SQLITE):
            raise ValueError(
                "processes that share the shards need a PostgreSQL (DATABASE_URL). Leave it out where one process has "
                "all of them"
            )
        return most

    @field_validator("metrics_port")
    @classmethod
    def _of_its_own(cls, port: int | None, info: ValidationInfo) -> int | None:
        if port is not None and port == info.data.get("health_port"):
            raise ValueError("HEALTH_PORT has that port already. Choose another one")
        return port

    @field_validator("endgames_pieces")
    @classmethod
    def _made(cls, pieces: int) -> int:
        if pieces not in (0, 4, 5):
            raise ValueError("must be 5 or 4, or 0 for none")
        return pieces

    @field_validator("processes")
    @classmethod
    def _forked(cls, count: int, info: ValidationInfo) -> int:
        if count == 1:
            return count
        if not hasattr(os, "fork"):
            raise ValueError("this system cannot do it. Start as many processes as you want, each by itself")
        # What is wrong with that setting is said already.
        if info.data.get("shards_per_process", count) is None:
            raise ValueError("several processes share the shards: say how many each of them takes (SHARDS_PER_PROCESS)")
        ports = [port for name in ("health_port", "metrics_port") if (port := info.data.get(name)) is not None]
        if any(port + count > _PORTS for port in ports):
            raise ValueError(
                "each listens on ports of its own, from HEALTH_PORT and METRICS_PORT on, which are too high"
            )
        if len(ports) > 1 and abs(ports[0] - ports[1]) < count:
            raise ValueError(
                "each listens on ports of its own, from HEALTH_PORT and METRICS_PORT on, which are too near each other"
            )
        return count

    @field_validator("discord_api_url", "discord_gateway_url")
    @classmethod
    def _proxy(cls, url: str | None, info: ValidationInfo) -> str | None:
        kinds = ("http://", "https://") if info.field_name == "discord_api_url" else ("ws://", "wss://")
        if url is not None and not url.startswith(kinds):
            raise ValueError(f"it begins with {kinds[0]} or {kinds[1]}")
        return None if url is None else url.rstrip("/")

    @field_validator("computer_cluster")
    @classmethod
    def _a_scheduler(cls, address: str | None, info: ValidationInfo) -> str | None:
        if address is not None and not address.startswith((*SAFE_CLUSTERS, *OPEN_CLUSTERS)):
            raise ValueError("must be the address of a Dask scheduler, such as tls://192.0.2.1:8786")
        if address is not None and address.startswith(OPEN_CLUSTERS) and not info.data.get("computer_cluster_insecure"):
            raise ValueError(
                "whoever reaches a Dask scheduler without TLS can run anything in the bot. Give a tls:// address, or, "
                "in a network where nobody else is, set COMPUTER_CLUSTER_INSECURE=true"
            )
        if address is not None and importlib.util.find_spec("distributed") is None:
            raise ValueError("needs the extra `cluster`: pip install 'damero[cluster]'")
        return address

    @field_validator("computer_hub")
    @classmethod
    def _commands(cls, text: str | None) -> str | None:
        for variant, command in _engines(text).items():
            if not variant or not command:
                raise ValueError("it is written variant=command; variant=command")
            if shutil.which(command[0]) is None:
                raise ValueError(f"the program for {variant} is not there, or cannot be run")
        return text

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    def of_process(self, number: int) -> Settings:
        """Those of one of several processes, counted from 0: it listens on ports of its own."""
        ports = {"health_port": self.health_port, "metrics_port": self.metrics_port}
        return self.model_copy(update={name: port and port + number for name, port in ports.items()})

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
            token = self.discord_token.get_secret_value().strip()
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
    try:
        return Settings.model_validate({name.lower(): value for name, value in given if value})
    except ValidationError as error:
        sentences = [_sentence(dict(problem)) for problem in error.errors()]
        raise SettingsError("\n".join(sentences)) from None


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
    known = {name.upper() for name in Settings.model_fields}
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


def _sentence(problem: Mapping[str, Any]) -> str:
    """What is wrong with a setting, without its value."""
    name = str(problem["loc"][0]).upper() if problem["loc"] else "The settings"
    limits: Mapping[str, Any] = problem.get("ctx", {})
    match problem["type"]:
        case "bool_parsing" | "bool_type":
            why = "write true or false"
        case "int_parsing" | "int_type" | "int_from_float":
            why = "write a whole number"
        case "greater_than_equal":
            why = f"it is {limits['ge']} at least"
        case "less_than_equal":
            why = f"it is {limits['le']} at most"
        case "literal_error":
            why = f"choose {limits['expected']}"
        case _:
            why = problem["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{name} is wrong: {why}."
