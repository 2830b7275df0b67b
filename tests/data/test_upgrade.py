from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import data.migrations
from bot.engine import variants
from bot.games.model.game import Game
from bot.support.time_units import DAY
from data import backup
from data.queries import games, ratings
from data.store import Store
from tests.support.games.club import ANA, BEN, Club


def at_revision(revision: str, file: Path) -> None:
    """An empty database of an older version."""
    config = Config()
    config.set_main_option("script_location", str(Path(data.migrations.__file__).parent))
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def made_by(revision: str, file: Path) -> None:
    """A database as an older version left it, with one running game."""
    at_revision(revision, file)
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(
            sa.text(
                "INSERT INTO games (variant_id, options, place_channel_id, channel_id, opener, side, status, ply,"
                " position, to_seat, opened_at, started_at, changed_at)"
                " VALUES ('pinoy', '{}', 1, 1, 11, 'first', 'running', 1, 'W:W:B', 1, 5, 6, 7)"
            )
        )
        for seat in (0, 1):
            values = {"seat": seat, "player": 11 + seat}
            connection.execute(
                sa.text("INSERT INTO seats (game_id, seat, player, sat_at) VALUES (1, :seat, :player, 5)"), values
            )
        connection.execute(
            sa.text(
                "INSERT INTO turns (game_id, number, kind, seat, text, at, source)"
                " VALUES (1, 1, 'turn', 0, 'c3-d4', 7, 'm:1')"
            )
        )
    engine.dispose()


async def test_a_database_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    """Its games stay as they were, without a clock; and a copy of it is kept, from before."""
    file = tmp_path / "damero.sqlite3"
    made_by("0001", file)
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open()
    async with store.read() as tx:
        row = await games.game_row(tx, 1)
        (turn,) = await games.turn_rows(tx, 1)
    await store.close()

    assert row is not None
    assert ("none", True, 1) == (row.clock, row.casual, row.ply)
    assert ("c3-d4", None) == (turn.text, turn.clock)
    assert "0001" == backup.revision_of(tmp_path / "damero.sqlite3.schema-0001")


async def test_games_that_were_rated_before_know_their_pool_and_score(tmp_path: Path) -> None:
    """Ratings can be reckoned anew from them: the game's variant, pace and result are filled in; unknown stays what was
    not kept."""
    file = tmp_path / "damero.sqlite3"
    made_by("0003", file)
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(
            sa.text(
                "INSERT INTO games (variant_id, options, place_channel_id, opener, side, status, ply, position, winner,"
                " reason, opened_at, started_at, ended_at, changed_at, clock, casual)"
                " VALUES ('tama', '{}', 1, 11, 'first', 'finished', 1, '', 1, 'x', 5, 6, 7, 7, '5+3', 0)"
            )
        )
        for seat in (0, 1):
            connection.execute(
                sa.text("INSERT INTO seats (game_id, seat, player, sat_at) VALUES (2, :seat, :player, 5)"),
                {"seat": seat, "player": 11 + seat},
            )
            connection.execute(
                sa.text(
                    "INSERT INTO rated_games (game_id, server, person, before, after, at)"
                    " VALUES (2, 0, :player, 1500, 1500, 7)"
                ),
                {"player": 11 + seat},
            )
        connection.execute(
            sa.text(
                "INSERT INTO tournaments (id, channel_id, name, variant_id, options, clock, rated, seeding, lot, plan,"
                " directors, status, made_at, source)"
                " VALUES (1, 1, 'x', 'tama', '{}', '5+3', 1, 'lot', '', '{}', '[]', 'running', 5, 'i:1')"
            )
        )
        connection.execute(
            sa.text(
                "INSERT INTO tournament_games (game_id, tournament_id, round, match, white, black)"
                " VALUES (2, 1, 1, '', 1, 2)"
            )
        )
    engine.dispose()
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open()
    async with store.read() as tx:
        rows = await ratings.of_game(tx, 2)
        first, second = await games.game_row(tx, 1), await games.game_row(tx, 2)
    await store.close()
    assert [(11, "tama", False, 0.0, None), (12, "tama", False, 1.0, None)] == [
        (row.person, row.variant_id, row.correspondence, row.score, row.deviation)
        for row in sorted(rows, key=lambda row: row.person)
    ]
    assert first is not None
    assert second is not None
    assert [False, True] == [first.rated, second.rated]


async def test_games_with_clocks_are_played_on_after_an_upgrade(tmp_path: Path) -> None:
    """All that the released version kept of people and games is brought over: the clocks replay, what was due is due,
    a vacation ends, a plan is followed, and what is kept of a person can be had and forgotten."""
    old, new = tmp_path / "old.sqlite3", tmp_path / "damero.sqlite3"
    store = Store(f"sqlite+aiosqlite:///{old}")
    await store.open()
    club = Club(store)
    await club.games.outages.resume()
    game = await club.play(await club.started(clock="3d"), "c3-d4", "b6-a5")
    await club.games.preferences.change(
        ANA, lambda preferences: replace(preferences, zone="Europe/Madrid"), club.source()
    )
    await club.games.vacations.start_vacation(ANA, club.source())
    await club.games.conditional_moves.put(
        game.id, BEN, f"{game.rules.turns(game.state)[0].text} {reply(game)}", club.source()
    )
    await store.close()
    at_revision("0003", new)
    move_rows(old, new)

    store = Store(f"sqlite+aiosqlite:///{new}")
    await store.open()
    now, club = club.now, Club(store)
    club.now = now + DAY
    assert DAY == await club.games.outages.resume()
    assert [] == await club.check()
    await club.games.vacations.stop_vacation(ANA, club.source())
    game = await club.play(await club.games.game(game.id), game.rules.turns(game.state)[0].text)
    assert 4 == game.ply
    await club.pass_time(club.now + 4 * DAY)
    assert "finished" == (await club.games.game(game.id)).status
    assert [] == await club.check()
    assert {"zone": "Europe/Madrid"} == (await club.games.privacy.data_of(ANA))["settings"]
    await club.games.privacy.forget(ANA, club.source())
    assert {} == (await club.games.privacy.data_of(ANA))["settings"]
    assert [] == await club.check()
    await store.close()


def reply(game: Game) -> str:
    """An answer to the first move that there is."""
    return game.rules.turns(game.rules.play(game.state, game.rules.turns(game.state)[0]))[0].text


def move_rows(old: Path, new: Path) -> None:
    """All rows of one database into another one of an older version, as far as it has tables and columns for them."""
    engine = sa.create_engine(f"sqlite:///{new}")
    with engine.begin() as connection:
        connection.execute(sa.text("ATTACH :old AS old"), {"old": str(old)})
        for table in sa.inspect(connection).get_table_names():
            if table != "alembic_version":
                columns = ", ".join(f'"{column["name"]}"' for column in sa.inspect(connection).get_columns(table))
                connection.execute(sa.text(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM old.{table}"))
    engine.dispose()


async def test_what_was_played_before_gets_the_rules_that_are_shipped(tmp_path: Path) -> None:
    """A game of before goes on by the text of today, kept once; of a variant whose file is gone nothing is known, and
    whoever loads its game is told so."""
    file = tmp_path / "damero.sqlite3"
    made_by("0007", file)
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        for status, variant in (("declined", "pinoy"), ("declined", "gone")):
            connection.execute(
                sa.text(
                    "INSERT INTO games (variant_id, options, place_channel_id, opener, side, status, ply, position,"
                    " opened_at, ended_at, changed_at) VALUES (:variant, '{}', 1, 11, 'first', :status, 0, '', 5, 7, 7)"
                ),
                {"variant": variant, "status": status},
            )
    engine.dispose()
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open()
    async with store.read() as tx:
        hashes = [row.rules_hash for number in (1, 2, 3) if (row := await games.game_row(tx, number))]
        kept = (await tx.execute(sa.text("SELECT text FROM rulesets"))).scalars().all()
    shipped = variants.shipped("pinoy")
    playable = await Club(store).games.game(1)
    await store.close()
    assert [shipped.hash, shipped.hash, None] == hashes
    assert [shipped.text] == kept
    assert shipped == playable.rules.variant.ruleset


async def test_sources_of_before_are_still_known(tmp_path: Path) -> None:
    """The table of records is made anew: what it held is there, and a source is unique as long as it is known."""
    file = tmp_path / "damero.sqlite3"
    made_by("0011", file)
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open()
    async with store.read() as tx:
        (turn,) = await games.turn_rows(tx, 1)
        assert ("c3-d4", "m:1") == (turn.text, turn.source)
        assert await games.applied(tx, "m:1")
    with pytest.raises(sa.exc.IntegrityError):
        async with store.write() as tx:
            await games.add_turn(tx, 1, turn._replace(number=2))
    async with store.write() as tx:
        for number in (2, 3):
            await games.add_turn(tx, 1, turn._replace(number=number, source=None))
    await store.close()
