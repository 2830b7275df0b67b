from __future__ import annotations

import importlib.util
import os
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError, load, read

TOKEN = "a.b-secret.c"


def test_defaults_need_nothing() -> None:
    """Without any setting the bot can be built: a SQLite file beside it, no privileged intent."""
    settings = Settings()

    assert settings.database_url == "sqlite+aiosqlite:///damero.sqlite3"
    assert settings.message_content is False
    assert settings.health_port is None


def test_environment_names_are_the_fields_in_capitals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables of the environment set the fields, booleans and levels in any case."""
    monkeypatch.setenv("MESSAGE_CONTENT", "1")
    monkeypatch.setenv("LOG_LEVEL", "WARNING")
    monkeypatch.setenv("HEALTH_PORT", "")

    settings = load()

    assert settings.message_content is True
    assert settings.log_level == "warning"
    assert settings.health_port is None


def test_dotenv_is_read_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .env in the working directory counts, and what is unknown in it is somebody else's."""
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nCOMPOSE_PROJECT_NAME=mine\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.settings.ENV_FILE", Path(".env"))

    assert load().token() == TOKEN


@pytest.fixture
def dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of settings of the test."""
    monkeypatch.setattr("bot.settings.ENV_FILE", tmp_path / ".env")
    return tmp_path / ".env"


def test_the_environment_goes_before_the_dotenv(dotenv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment names counts, in any case; what is empty there is looked up in the file, where a value may
    name another."""
    dotenv.write_text("LOG_LEVEL=error\nDATABASE_URL=sqlite:///file.db\nFOLDER=/b\nBACKUP_FOLDER=${FOLDER}/copies\n")
    for name, value in {"LOG_LEVEL": "debug", "DATABASE_URL": "", "Render_Threads": "3"}.items():
        monkeypatch.setenv(name, value)

    settings = load()

    assert ("debug", "sqlite+aiosqlite:///file.db", 3) == (
        settings.log_level,
        settings.database_url,
        settings.render_threads,
    )
    assert settings.backup_folder == Path("/b/copies")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_dotenv_as_windows_writes_it(dotenv: Path, encoding: str) -> None:
    """Windows PowerShell writes UTF-16, Notepad a mark before UTF-8: both are read, with their line ends."""
    dotenv.write_bytes(f"DISCORD_TOKEN={TOKEN}\r\nLOG_LEVEL=error\r\n".encode(encoding))

    assert (TOKEN, "error") == (load().token(), load().log_level)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("DISCORD_TOKEN=\u00e9".encode("latin-1"), "is not text in UTF-8"),
        (b"\n\nthe token is a.b.c\n", ".env, line 3 is no setting: write NAME=value"),
        (b"# The token\nDISCORD_TOKEN\n", ".env, line 2 is no setting: write NAME=value"),
        (b"LOG_LEVEL=info\na.b.c", ".env, line 2 is no setting: write NAME=value"),
        (
            f"DISCORD_TOKN={TOKEN}".encode(),
            ".env, line 1: there is no setting DISCORD_TOKN. DISCORD_TOKEN may be meant.",
        ),
    ],
)
def test_a_dotenv_that_cannot_be_read_is_named(dotenv: Path, content: bytes, says: str) -> None:
    """The file and the line are named, and nothing of what stands there."""
    dotenv.write_bytes(content)

    with pytest.raises(SettingsError, match=re.escape(says)) as refused:
        load()
    assert "a.b" not in str(refused.value)


def test_a_dotenv_that_is_a_folder_is_named(dotenv: Path) -> None:
    """Docker makes a folder where the file that is to be mounted is not there."""
    dotenv.mkdir()

    with pytest.raises(SettingsError, match=r"\.env is a folder"):
        load()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite+aiosqlite://"])
def test_a_database_that_would_be_gone_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Games that were kept in memory would be lost with the first restart."""
    monkeypatch.setenv("DATABASE_URL", url)

    with pytest.raises(SettingsError, match="it names no file"):
        load()


@pytest.mark.parametrize("token", ["abc", "0123456789abcdef0123456789abcdef", "a.b", "a.b.c.d", "a..b"])
def test_what_is_no_token_is_refused(token: str) -> None:
    """A client secret or a part of a token is told from a token, without Discord."""
    with pytest.raises(SettingsError, match="three parts"):
        Settings(discord_token=token).token()


def test_token_from_a_file(tmp_path: Path) -> None:
    """DISCORD_TOKEN_FILE names a file whose text, without its line end, is the token."""
    file = tmp_path / "token"
    for encoding in ("utf-8", "utf-8-sig"):
        file.write_text(TOKEN + "\n", encoding)
        assert Settings(discord_token_file=file).token() == TOKEN


def test_a_cluster_asks_for_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler without TLS is refused with the reason, unless it is allowed by name; one with TLS is taken."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: True)
    monkeypatch.setenv("COMPUTER_CLUSTER", "tcp://192.0.2.1:8786")
    with pytest.raises(SettingsError, match=r"run anything in the bot.*COMPUTER_CLUSTER_INSECURE=true"):
        load()
    monkeypatch.setenv("COMPUTER_CLUSTER_INSECURE", "true")
    assert load().computer_cluster == "tcp://192.0.2.1:8786"
    monkeypatch.delenv("COMPUTER_CLUSTER_INSECURE")
    monkeypatch.setenv("COMPUTER_CLUSTER", "tls://192.0.2.1:8786")
    assert load().computer_cluster == "tls://192.0.2.1:8786"


def test_engines_are_commands_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """COMPUTER_HUB names a game and a command each; a program that is not there is refused."""
    monkeypatch.setenv("COMPUTER_HUB", f"spanish={sys.executable} -m 'an engine'; tama = {sys.executable}")
    assert {"spanish": [sys.executable, "-m", "an engine"], "tama": [sys.executable]} == load().engines()
    for wrong, why in (("spanish", "is written variant=command"), ("spanish=/nowhere", "program for spanish is")):
        monkeypatch.setenv("COMPUTER_HUB", wrong)
        with pytest.raises(SettingsError, match=why):
            load()


@pytest.mark.parametrize("pieces", ["1", "3", "6", "-1"])
def test_endgame_tables_are_made_of_four_or_five_pieces(monkeypatch: pytest.MonkeyPatch, pieces: str) -> None:
    """What would be made otherwise than it says is refused."""
    monkeypatch.setenv("ENDGAMES_PIECES", pieces)
    with pytest.raises(SettingsError, match="ENDGAMES_PIECES is wrong: must be 5 or 4, or 0 for none"):
        load()
    monkeypatch.setenv("ENDGAMES_PIECES", "4")
    assert 4 == load().endgames_pieces


def test_a_missing_token_says_where_to_get_one() -> None:
    """No token, or an empty one, is refused with what to do."""
    with pytest.raises(SettingsError, match="Set DISCORD_TOKEN to your bot's token"):
        Settings().token()


def test_a_token_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A wrong path gives the setting's name and the reason."""
    with pytest.raises(SettingsError, match="DISCORD_TOKEN_FILE cannot be read: No such file"):
        Settings(discord_token_file=tmp_path / "none").token()


def test_two_tokens_are_refused(tmp_path: Path) -> None:
    """With both ways used, nobody has to guess which one counts."""
    with pytest.raises(SettingsError, match="not both"):
        Settings(discord_token=TOKEN, discord_token_file=tmp_path / "token").token()


def test_a_token_with_a_space_is_refused_without_showing_it() -> None:
    """Two values pasted into one setting are found, and not printed."""
    with pytest.raises(SettingsError) as refused:
        Settings(discord_token=f"{TOKEN} {TOKEN}").token()

    assert TOKEN not in str(refused.value)


@pytest.mark.parametrize(
    "name",
    ["discord_token", "database_url", "discord_api_url", "discord_gateway_url", "computer_cluster", "computer_hub"],
)
def test_what_may_hold_a_secret_shows_nowhere(name: str) -> None:
    """The settings' text holds no token, and no address or command that may have a password in it."""
    settings = Settings(**{name: f"https://name:{TOKEN}@192.0.2.1"})  # type: ignore[arg-type]

    assert TOKEN not in f"{settings} {settings!r}"


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("LOG_LEVEL", "loud", "LOG_LEVEL is wrong: choose 'debug', 'info', 'warning' or 'error'."),
        ("HEALTH_PORT", "70000", "HEALTH_PORT is wrong: it is 65535 at most."),
        ("HEALTH_PORT", "0", "HEALTH_PORT is wrong: it is 1 at least."),
        ("RENDER_THREADS", "two", "RENDER_THREADS is wrong: write a whole number."),
        ("DATABASE_URL", TOKEN, "DATABASE_URL is wrong: it begins with sqlite:// or postgresql://."),
        ("MESSAGE_CONTENT", TOKEN, "MESSAGE_CONTENT is wrong: write true or false."),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, part: str
) -> None:
    """The refusal names the setting and what is allowed; a token in the wrong place is not printed."""
    monkeypatch.setenv(name, value)

    with pytest.raises(SettingsError) as refused:
        load()

    assert part in str(refused.value)
    assert TOKEN not in str(refused.value)


def test_all_that_is_wrong_is_said_at_once() -> None:
    """Each wrong setting has a line of its own, in the order of the file that explains them."""
    with pytest.raises(SettingsError) as refused:
        read({"processes": "0", "health_port": "70000", "message_content": "perhaps", "somebody_elses": "x"})

    said = ["MESSAGE_CONTENT is wrong", "HEALTH_PORT is wrong", "PROCESSES is wrong"]
    assert said == [line.partition(":")[0] for line in str(refused.value).splitlines()]


@pytest.mark.parametrize("text", ["10", " 10 ", "+10", "010", "10.0", "10.00 "])
def test_a_number_is_written_as_people_and_templates_write_it(text: str) -> None:
    """YAML and its templates make 10.0 of 10."""
    assert 10 == read({"shard_count": text}).shard_count
    assert 4 == read({"endgames_pieces": text.replace("10", "4")}).endgames_pieces


@pytest.mark.parametrize(
    "text", ["10.5", "1e1", "ten", "10.", "0x0a", "1.0.0", ".0", "1_0", "\u0661\u0660", "\uff11\uff10"]
)
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    """What is nearly one is not guessed at."""
    with pytest.raises(SettingsError, match="SHARD_COUNT is wrong: write a whole number"):
        read({"shard_count": text})


@pytest.mark.parametrize(
    ("text", "value"),
    [*((word, True) for word in ("true", "YES", "on", "1")), *((word, False) for word in ("false", "No", "off", "0"))],
)
def test_a_switch_is_written_as_people_write_it(text: str, value: bool) -> None:
    """Any usual word for yes and no, in any case."""
    assert value is read({"message_content": text}).message_content


def test_the_example_file_explains_every_setting_and_no_other(root: Path) -> None:
    """.env.example has each setting once, under a comment, with its default as the value shown."""
    shown: dict[str, str] = {}
    commented = False
    for line in (root / ".env.example").read_text().splitlines():
        setting = re.fullmatch(r"#?([A-Z_]+)=(.*)", line)
        if setting:
            assert commented, f"{setting[1]} is not explained"
            assert setting[1] not in shown
            shown[setting[1]] = setting[2]
        commented = line.startswith("# ")

    assert {each.name.upper() for each in fields(Settings)} == set(shown)
    examples = {"DISCORD_TOKEN_FILE"}  # has no default; a likely path is shown
    for each in fields(Settings):
        name, default = each.name, each.default
        if name.upper() not in examples:
            text = "" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
            assert text == shown[name.upper()], name


def test_the_example_file_can_be_used_as_it_is(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copied .env.example is valid: only the token is missing."""
    without = load()
    monkeypatch.setattr("bot.settings.ENV_FILE", root / ".env.example")

    assert without == load()
    with pytest.raises(SettingsError, match="There is no token"):
        load().token()


def test_a_plain_sqlite_url_is_taken() -> None:
    """``sqlite:///file`` means the same as the full form."""
    assert read({"database_url": "sqlite:///games.sqlite3"}).database_url == "sqlite+aiosqlite:///games.sqlite3"


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_a_postgresql_url_is_taken(kind: str) -> None:
    """However its kind is written; the endgame tables are where the bot is started, and the password is not shown."""
    settings = read({"database_url": f"{kind}://damero:hush@db.example:5432/damero"})
    assert "postgresql+asyncpg://damero:hush@db.example:5432/damero" == settings.database_url
    assert Path("endgames") == settings.endgames()
    assert "hush" not in f"{settings} {settings!r}"


def test_postgresql_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the driver the setting is refused, and the sentence says what to install."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://damero:hush@db.example/damero")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(SettingsError, match=r"needs the extra `postgres`: pip install 'damero\[postgres\]'") as refused:
        load()
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("SHARDS_PER_PROCESS", "2", "need a PostgreSQL"),
        ("SHARDS_PER_PROCESS", "0", "1 at least"),
        ("SHARD_COUNT", "0", "1 at least"),
        ("DISCORD_API_URL", "proxy:3000", "begins with http:// or https://"),
        ("DISCORD_GATEWAY_URL", "http://proxy", "begins with ws:// or wss://"),
    ],
)
def test_settings_of_several_processes(monkeypatch: pytest.MonkeyPatch, name: str, value: str, why: str) -> None:
    """Processes that share the shards need a PostgreSQL, and proxies are addresses; what is wrong is said."""
    monkeypatch.setenv(name, value)

    with pytest.raises(SettingsError, match=f"{name} is wrong: .*{why}"):
        load()


def test_processes_begun_by_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """They share shards, so it must be said how many each takes; each listens on ports of its own, where there are
    such; a system that cannot part processes says so."""
    monkeypatch.setenv("PROCESSES", "3")
    with pytest.raises(SettingsError, match=r"PROCESSES is wrong: .*SHARDS_PER_PROCESS"):
        load()

    monkeypatch.setenv("DATABASE_URL", "postgresql://a:b@localhost/c")
    monkeypatch.setenv("SHARDS_PER_PROCESS", "1")
    monkeypatch.setenv("HEALTH_PORT", "65533")
    (first, *_, third) = map(load().of_process, range(3))
    assert (65533, None) == (first.health_port, first.metrics_port)
    assert 65535 == third.health_port

    monkeypatch.setenv("METRICS_PORT", "65533")
    with pytest.raises(SettingsError, match="METRICS_PORT is wrong: HEALTH_PORT has that port already"):
        load()
    monkeypatch.delenv("METRICS_PORT")

    monkeypatch.setenv("HEALTH_PORT", "65534")
    with pytest.raises(SettingsError, match=r"PROCESSES is wrong: .*too high"):
        load()

    monkeypatch.setenv("HEALTH_PORT", "8085")
    monkeypatch.setenv("METRICS_PORT", "8087")
    with pytest.raises(SettingsError, match=r"PROCESSES is wrong: .*too near"):
        load()
    monkeypatch.setenv("METRICS_PORT", "8088")
    assert 8090 == load().of_process(2).metrics_port

    monkeypatch.setenv("SHARDS_PER_PROCESS", "0")
    with pytest.raises(SettingsError, match=r"^SHARDS_PER_PROCESS is wrong: [^\n]*$"):
        load()

    monkeypatch.setenv("SHARDS_PER_PROCESS", "1")
    monkeypatch.delattr(os, "fork")
    with pytest.raises(SettingsError, match=r"PROCESSES is wrong: .*this system cannot"):
        load()
