"""Every setting of the service: typed, from the environment or a file `.env`, explained in `.env.example`."""

from __future__ import annotations

import importlib.util
import shlex
import shutil
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

SAFE_CLUSTERS = ("tls://", "wss://")
OPEN_CLUSTERS = ("tcp://", "ucx://", "ws://")

# How a kind of database may be written, and how it is with its driver.
_SQLITE, _POSTGRESQL = "sqlite+aiosqlite", "postgresql+asyncpg"
_DATABASES = {"sqlite": _SQLITE, "postgres": _POSTGRESQL, "postgresql": _POSTGRESQL}

LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]


class SettingsError(Exception):
    """A setting is missing or wrong. The text says which, and what to do; it never holds a setting's value."""


class Settings(BaseSettings):
    """The settings in force. A field's name in capitals is the environment's variable."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        # A value that is refused may be the token in the wrong place.
        hide_input_in_errors=True,
    )

    discord_token: SecretStr | None = None
    discord_token_file: Path | None = None
    message_content: bool = False
    # It may hold a password.
    database_url: Annotated[str, Field(repr=False)] = "sqlite+aiosqlite:///damero.sqlite3"
    max_open_challenges: Annotated[int, Field(ge=1, le=1000)] = 10
    backup_keep: Annotated[int, Field(ge=0, le=1000)] = 7
    backup_folder: Path | None = None
    render_threads: Annotated[int, Field(ge=1, le=64)] = 2
    computer_workers: Annotated[int, Field(ge=1, le=256)] = 1
    computer_cluster_insecure: bool = False
    computer_cluster: str | None = None
    computer_hub: str | None = None
    endgames_folder: Path | None = None
    log_level: LogLevel = "info"
    log_format: LogFormat = "text"
    health_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    metrics_host: str = "127.0.0.1"

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        return known_database(url)

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
                raise ValueError("is written variant=command; variant=command")
            if shutil.which(command[0]) is None:
                raise ValueError(f"the program for {variant} is not there, or cannot be run")
        return text

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

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
                token = self.discord_token_file.read_text(encoding="utf-8").strip()
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
        return token


def known_database(url: str) -> str:
    """The URL of a database with its driver. Raises ValueError where there is none for it."""
    kind, slashes, rest = url.partition("://")
    kind = _DATABASES.get(kind, kind)
    if not slashes or kind not in _DATABASES.values():
        raise ValueError("must begin with sqlite+aiosqlite:// or postgresql+asyncpg://")
    if kind == _POSTGRESQL and importlib.util.find_spec("asyncpg") is None:
        raise ValueError("PostgreSQL needs the extra `postgres`: pip install 'damero[postgres]'")
    return f"{kind}://{rest}"


def load() -> Settings:
    """The settings from the environment and `.env`. Raises SettingsError with one line for each wrong setting."""
    try:
        return Settings()
    except ValidationError as error:
        sentences = [_sentence(problem["loc"], problem["msg"]) for problem in error.errors()]
        raise SettingsError("\n".join(sentences)) from None


def _engines(text: str | None) -> dict[str, list[str]]:
    """``variant=command; variant=command`` as the words of each command by variant. Raises ValueError for a quotation
    that is not closed."""
    parts = [part.partition("=") for part in (text or "").split(";") if part.strip()]
    return {variant.strip(): shlex.split(command) for variant, _equals, command in parts}


def _sentence(location: tuple[int | str, ...], message: str) -> str:
    name = str(location[0]).upper() if location else "The settings"
    return f"{name} is wrong: {message.removeprefix('Value error, ').rstrip('.')}."
