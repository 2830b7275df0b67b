from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.cli.command_line import main
from bot.engine import transcript
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.engine.registry import rules_for
from bot.engine.ruleset import Ruleset, shipped
from bot.engine.transcript import Replay, Step, Transcript
from bot.games.model.errors import Refused
from bot.games.model.game import NOWHERE, Place
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import ANA, BEN, Club


async def played(club: Club) -> list[int]:
    """Three finished games, one of them with all that a record can hold; and one that still runs."""
    game = await club.play(await club.started(clock="3d"), "c3-d4", "b6-a5", "d4-e5")
    await club.games.offers.ask_takeback(game.id, ANA, club.source())
    game = await club.games.offers.answer("takeback", game.id, BEN, True, club.source())
    club.now += 123_456
    game = await club.play(game, "e3-f4")
    await club.games.moves.resign(game.id, BEN, club.source())
    drawn = await club.play(await club.started("americanas"), "c3-d4")
    await club.games.offers.offer_draw(drawn.id, ANA, club.source())
    await club.games.offers.answer("draw", drawn.id, BEN, True, club.source())
    aborted = await club.started("tama")
    await club.games.moves.abort(aborted.id, BEN, club.source())
    running = await club.started()
    return [game.id, drawn.id, aborted.id, running.id]


async def test_games_go_out_and_come_in(club: Club, tmp_path: Path) -> None:
    """Exported, brought into an empty database and exported again they are the same, and agree with their records."""
    await played(club)
    out = [one for one in (await club.games.archive.transcripts()).games if one.over]
    assert 3 == len(out)

    store = Store(url_of(tmp_path / "other.sqlite3"))
    await store.open()
    other = Club(store)
    done = await other.games.archive.import_games(list(transcript.loads(transcript.write(out))))
    assert (1, 2, 3) == done.games
    again = await other.games.archive.transcripts()
    assert out == again.games
    assert transcript.write(out) == transcript.write(again.games)
    assert [] == await other.check()

    done = await other.games.archive.import_games(out)
    assert ((), 3) == (done.games, done.known)
    await store.close()


async def test_what_was_played_here_is_not_brought_in(club: Club) -> None:
    """The file is of games of this store, as JSON or as PDN; that Ben has been forgotten since changes nothing. With
    another time or another player it is another game."""
    await played(club)
    out = [one for one in (await club.games.archive.transcripts()).games if one.over]
    for read, write in ((transcript.loads, transcript.write), (pdn_reader.loads, pdn_writer.write)):
        done = await club.games.archive.import_games(list(read(write(out))))
        assert ((), 3) == (done.games, done.known)
    others = [replace(out[0], began=5), replace(out[0], players=(ANA, 77))]
    assert 2 == len((await club.games.archive.import_games(others)).games)
    await club.games.privacy.forget(BEN, club.source())
    assert 3 == (await club.games.archive.import_games(out)).known
    assert [] == await club.check()


async def test_a_damaged_game_holds_up_no_other(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is left out of what somebody takes along, and named; at a terminal the exit status tells of it too."""
    ids = await played(club)
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE turns SET text = 'a1-a8' WHERE game_id = :id AND number = 2"), {"id": ids[0]})
    fresh = Club(club.store).games
    taken = await fresh.archive.transcripts(BEN)
    assert (3, (ids[0],)) == (len(taken.games), taken.damaged)
    kept = await fresh.privacy.data_of(BEN)
    assert (3, [ids[0]]) == (len(kept["games"]), kept["damaged_games"])

    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "damero.sqlite3"))
    out = tmp_path / "games.jsonl"
    assert 1 == await asyncio.to_thread(main, ["export", str(out)])
    assert f"Game {ids[0]} is left out: its record is damaged." in capsys.readouterr().err
    assert 3 == len(out.read_text("utf-8").splitlines())
    assert 0 == await asyncio.to_thread(main, ["export", "--player", "99"])


@pytest.mark.parametrize(
    ("change", "alone"),
    [
        ("turns SET at = 'a secret' WHERE game_id = 5", 1),
        ("games SET options = '{a secret' WHERE id = 5", 1),
        ("games SET started_at = 'a secret' WHERE id = 5", 1),
        ("outages SET until = 'a secret'", 0),
    ],
)
async def test_what_cannot_be_read_is_left_out_and_not_told(
    club: Club,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: str,
    alone: int,
) -> None:
    """Of a game with a value that is none of ours, or whose clock hangs on one, an export says that it is left out."""
    if club.store.file is None:
        pytest.skip("PostgreSQL takes no such value")
    await played(club)
    game = await club.play(await club.started(clock="3d", place=Place(7, 99)), "c3-d4")
    async with club.store.write() as tx:
        await tx.execute(sa.text("INSERT INTO outages (start, until) VALUES (1, 2)"))
        await tx.execute(sa.text(f"UPDATE {change}"))
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "damero.sqlite3"))
    out = tmp_path / "games.jsonl"
    assert 1 == await asyncio.to_thread(main, ["export", str(out)])
    assert f"Game {game.id} is left out: its record is damaged." in (told := capsys.readouterr()).err
    assert "a secret" not in told.err + told.out
    assert 4 == len(out.read_text("utf-8").splitlines())
    assert alone == await asyncio.to_thread(main, ["export", "--game", str(game.id)])
    told = capsys.readouterr()
    assert "a secret" not in told.err + told.out
    assert alone == told.err.count(f"Game {game.id} cannot be exported: a value of it cannot be read")


OPEN = """[Event "Open of the club"]
[Site "Praia"]
[Date "2007.05.19"]
[Round "7"]
[White "Monteiro, Ana"]
[Black "Tavares, Rui"]
[BlackTime "1:17"]
[BlackId "12"]
[Result "1-0"]
[GameType "24"]

1. 10-14 {[%clk 1:59:20]} 23-20 *
"""


async def test_what_a_file_says_of_a_game_goes_out_again(club: Club) -> None:
    """Event, names, dates and clocks come in and go out; times that nobody noted are not made up, and whoever has an id
    is not kept by name."""
    club.now = 1_800_000_000_000
    await club.games.archive.import_games(list(pdn_reader.loads(OPEN)))
    (out,) = (await club.games.archive.transcripts()).games
    text = pdn_writer.dumps(out)
    for line in [*OPEN.splitlines()[:5], '[BlackTime "1:17"]', '[BlackId "12"]', '[Black "12"]', '[Result "1-0"]']:
        assert line in text
    assert "Tavares" not in text
    assert "1. 10-14 {[%clk 1:59:20]} 1... 23-20 {" in text
    assert "%at" not in text
    assert 1_179_532_800_000 == out.began
    assert [] == await club.check()


BARE = '[GameType "20"]\n[Result "2-0"]\n\n1. 32-28 18-22 2-0\n'
DATED = '[Event "E"]\n[Date "2001.02.03"]\n[White "A"]\n[GameType "20"]\n[Result "0-2"]\n\n1. 32-28 18-22 0-2\n'


@pytest.mark.parametrize("place", [NOWHERE, Place(7, 70)])
@pytest.mark.parametrize("moving", [True, False])
@pytest.mark.parametrize("form", ["json", "pdn"])
async def test_a_file_is_known_where_its_games_came_through_an_export(
    club: Club, tmp_path: Path, form: str, moving: bool, place: Place
) -> None:
    """Games of a file that does not say when they began are brought in, taken to another database, and the file is
    read there once more: they are there already. With another move or name it is another game."""
    read, write = (transcript.loads, transcript.write) if form == "json" else (pdn_reader.loads, pdn_writer.write)
    given = [game for text in (BARE, DATED, OPEN) for game in pdn_reader.loads(text)]
    # In another order than that of an export.
    given[1] = replace(given[1], tags=dict(list(given[1].tags.items())[::-1]))
    club.now = 1_800_000_000_000
    assert 3 == len((await club.games.archive.import_games(given, place=place)).games)
    out = (await club.games.archive.transcripts(moving=moving)).games
    store = Store(url_of(tmp_path / "other.sqlite3"))
    await store.open()
    other = Club(store)
    other.now = 1_900_000_000_000
    # Where a file says nothing of places, whoever brings it in does.
    moved = moving and form == "json"
    where = NOWHERE if moved else place
    done = await other.games.archive.import_games(list(read(write(out))), moving=moved, place=where)
    assert (3, 0) == (len(done.games), done.known)
    done = await other.games.archive.import_games(given, place=place)
    assert ((), 3) == (done.games, done.known)
    others = [replace(given[0], steps=given[0].steps[::2])]
    others += [replace(given[1], tags={**given[1].tags, name: "C"}) for name in ("White", "Round")]
    assert 3 == len((await other.games.archive.import_games(others, place=place)).games)
    assert [] == await other.check()
    await store.close()


@pytest.mark.parametrize("form", ["json", "pdn"])
async def test_two_games_of_a_day_with_the_same_moves_are_two(club: Club, tmp_path: Path, form: str) -> None:
    """The one is there, and an export of the other comes: without times their names alone tell them apart."""
    read, write = (transcript.loads, transcript.write) if form == "json" else (pdn_reader.loads, pdn_writer.write)
    one, other = (next(pdn_reader.loads(DATED.replace('"A"', f'"{name}"'))) for name in "AC")
    await club.games.archive.import_games([other])
    (out,) = (await club.games.archive.transcripts()).games
    store = Store(url_of(tmp_path / "other.sqlite3"))
    await store.open()
    elsewhere = Club(store)
    await elsewhere.games.archive.import_games([one])
    done = await elsewhere.games.archive.import_games(list(read(write([out]))))
    assert (1, 0) == (len(done.games), done.known)
    done = await elsewhere.games.archive.import_games(list(read(write([out]))))
    assert (0, 1) == (len(done.games), done.known)
    await store.close()


async def test_a_rated_game_stays_marked(club: Club) -> None:
    """Through an export, an import and another export."""
    game = await club.play(await club.started(), "c3-d4", "b6-a5")
    await club.games.moves.resign(game.id, BEN, club.source())
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE games SET rated = TRUE"))
    games = Club(club.store).games
    (out,) = (await games.archive.transcripts()).games
    assert "Rated game" == out.tags["Event"]
    await games.archive.import_games([replace(out, began=7)])
    again = (await games.archive.transcripts()).games[-1]
    assert ("Rated game", 7) == (again.tags["Event"], again.began)


async def test_one_players_games(club: Club) -> None:
    """All that Ben has played, running ones too; nothing of others."""
    ids = await played(club)
    assert len(ids) == len((await club.games.archive.transcripts(BEN)).games)
    assert [] == (await club.games.archive.transcripts(99)).games


async def test_nothing_is_half_brought_in(club: Club) -> None:
    """One game of the file is not over: none of them is stored."""
    await played(club)
    found = list(transcript.loads("\n" + transcript.write((await club.games.archive.transcripts()).games)))
    before = await club.rows()
    with pytest.raises(Refused, match=r"Line 5: this game has no result. Only .* /setup. Nothing was imported"):
        await club.games.archive.import_games([replace(one, began=5) for one in found])
    with pytest.raises(Refused, match="Line 2: one player has two seats"):
        await club.games.archive.import_games([replace(found[0], players=(7, 7))])
    assert before == await club.rows()


async def test_games_without_a_result_are_counted(club: Club) -> None:
    """However many there are, one sentence tells their lines, and where positions and analyses are at home."""
    text = '[Variant "pinoy"]\n1. c3-d4 *\n\n' * 12 + '[Variant "pinoy"]\n1. c3-d4 1-0\n'
    done = await club.games.archive.import_games(list(pdn_reader.loads(text)), strict=False)
    assert (1, 12) == (len(done.games), done.left_out)
    [told] = done.refused
    assert told.startswith("Lines 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, …: 12 games have no result. Only finished games")
    assert "/setup" in told


def test_games_of_a_servers_own_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """PDN names the rules by their fingerprint: where they are kept it is read back; elsewhere their file is given."""
    rules = shipped("pinoy").text.replace('reach = "long"', 'reach = "short"')
    ruleset = Ruleset("house@7", rules)
    replay = Replay(rules_for(ruleset), None)
    replay.add(Step("turn", 0, "c3-d4"))
    replay.add(Step("resign", 1))
    game = Transcript(
        variant_id="house@7", rules=rules, options={}, start=None, steps=tuple(replay.steps), over=True, winner=0
    )
    (tmp_path / "house.pdn").write_text(pdn_writer.dumps(game))
    (tmp_path / "house.toml").write_text(rules)
    (tmp_path / "house.jsonl").write_text(transcript.dumps(replace(game, reason=replay.reason, tags={"White": "Ana"})))

    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "without.sqlite3"))
    assert 1 == main(["import", str(tmp_path / "house.pdn")])
    assert "line 8, column 1: the rules of house@7 are not kept here" in capsys.readouterr().err
    asked = ["import", "--variant-file", str(tmp_path / "house.toml"), str(tmp_path / "house.pdn")]
    assert 0 == main(asked)
    assert "1 game imported." in capsys.readouterr().out
    assert 0 == main(["export", "--game", "1"])
    assert rules == next(transcript.loads(capsys.readouterr().out)).rules
    assert 2 == main([*asked[:2], str(tmp_path / "no.toml"), asked[3]])
    assert "no.toml cannot be read" in capsys.readouterr().err

    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "with.sqlite3"))
    assert 0 == main(["import", str(tmp_path / "house.jsonl")])
    assert 0 == main(["import", str(tmp_path / "house.pdn")])
    assert "1 game imported." in capsys.readouterr().out.split("\n", 1)[1]


def test_files_by_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`damero import` takes PDN and JSON, `damero export` gives them back; a bad game is named with its line, and holds
    up no other, or, if asked, all."""
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "damero.sqlite3"))
    good = '[Variant "pinoy"]\n[White "Ana"]\n[Result "1-0"]\n\n1. c3-d4 b6-a5 2. d4-e5 1-0\n'
    (tmp_path / "good.pdn").write_text(good)
    (tmp_path / "bad.pdn").write_text(good + "\n" + good.replace("b6-a5", "b6-b5"))

    assert 0 == main(["import", str(tmp_path / "good.pdn")])
    assert "1 game imported." in capsys.readouterr().out
    assert 1 == main(["import", "--strict", str(tmp_path / "bad.pdn")])
    error = capsys.readouterr().err
    assert "bad.pdn, line 11, column 10: entry 2, 'b6-b5'" in error
    assert "Nothing was imported." in error
    assert ".." not in error
    assert 1 == main(["import", str(tmp_path / "bad.pdn")])
    told = capsys.readouterr()
    assert "0 games imported. 1 was there already. 1 was not imported." in told.out
    assert "bad.pdn, line 11, column 10: entry 2, 'b6-b5'" in told.err
    assert 0 == main(["import", str(tmp_path / "good.pdn")])
    assert "0 games imported. 1 was there already." in capsys.readouterr().out

    assert 0 == main(["export", "--form", "pdn", str(tmp_path / "out.pdn")])
    (game,) = pdn_reader.loads((tmp_path / "out.pdn").read_text())
    assert ("c3-d4", "b6-a5", "d4-e5", "") == tuple(step.text for step in game.steps)
    assert 0 == main(["export", "--game", "1"])
    out = capsys.readouterr().out
    assert 1 == len(list(transcript.loads(out.split("\n", 1)[1])))
    assert 1 == main(["export", "--game", "2"])
    assert "There is no game 2" in capsys.readouterr().err
    assert 0 == main(["check-store"])

    (tmp_path / "bare.pdn").write_text("1. 10-14 23-20 *\n\n1. 10-14 1-0\n")
    assert 1 == main(["import", str(tmp_path / "bare.pdn")])
    assert "line 1: no tag says which game this is" in capsys.readouterr().err
    assert 1 == main(["import", "--variant", "spanish", str(tmp_path / "bare.pdn")])
    told = capsys.readouterr()
    assert "1 game imported. 1 was not imported.\n" == told.out
    assert told.err.startswith(f"damero: {tmp_path / 'bare.pdn'}, line 1: this game has no result.")
    assert 2 == main(["import", "--variant", "go", str(tmp_path / "bare.pdn")])
    assert "There is no variant 'go'" in capsys.readouterr().err


async def test_a_whole_export_comes_in(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games that go on, of which the file does not say where, are passed over and named by their lines, which is no
    fault; and it is said that there was no database."""
    await played(club)
    file = tmp_path / "games.jsonl"
    file.write_text(transcript.write((await club.games.archive.transcripts()).games), "utf-8")
    other = tmp_path / "other.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{other}")

    assert 0 == await asyncio.to_thread(main, ["import", "--strict", str(file)])
    told = capsys.readouterr()
    assert "3 games imported. 1 game in progress was skipped (line 4): the file does not say" in told.out
    assert f"A new database was created: {other}." in told.out
    assert "" == told.err
    assert 0 == await asyncio.to_thread(main, ["import", str(file)])
    again = capsys.readouterr().out
    assert "3 were there already." in again
    assert "was made" not in again


def test_files_of_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A mark at the beginning (BOM), line ends of Windows and the letters of Windows are no fault."""
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "damero.sqlite3"))
    file = tmp_path / "games"
    good = '[Event "caf\u00e9"]\r\n[Variant "pinoy"]\r\n\r\n1. c3-d4 b6-a5 1-0\r\n'
    file.write_bytes(good.encode("utf-8-sig"))
    assert 0 == main(["import", str(file)])
    assert 0 == main(["export", str(file)])
    file.write_bytes("\ufeff".encode() + file.read_bytes())
    assert 0 == main(["import", str(file)])
    assert "1 was there already" in capsys.readouterr().out

    for encoding in ("latin-1", "utf-16"):
        file.write_bytes(("\r\n" + good).encode(encoding))
        assert 0 == main(["import", str(file)])
        assert "1 was there already" in capsys.readouterr().out
