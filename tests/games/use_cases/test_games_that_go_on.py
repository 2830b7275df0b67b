"""Games that go on move from one store to another by an export: record, clocks, players, place, and that they count."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.cli.command_line import main
from bot.engine import transcript
from bot.engine.pdn import pdn_reader
from bot.engine.transcript import Transcript
from bot.games.model.computer_seats import computer_of
from bot.games.model.deadlines import HEARTBEAT
from bot.games.model.game import Game, Place
from bot.games.model.going_on import TOURNAMENT
from bot.support.time_units import DAY, HOUR, MINUTE
from data.queries import announcements
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import ANA, BEN, HALL, Club


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[Club]:
    """A bot with an empty store, a day later."""
    store = Store(url_of(tmp_path / "other.sqlite3"))
    await store.open()
    club = Club(store)
    club.now += 40 * DAY
    yield club
    await store.close()


async def exported(club: Club) -> list[Transcript]:
    """What `damero export` writes, read again."""
    club.restart()
    taken = await club.games.archive.transcripts(moving=True)
    return list(transcript.loads(transcript.write(taken.games)))


async def moved(club: Club, games: Sequence[Transcript]) -> tuple[Game, ...]:
    done = await club.games.archive.import_games(games, moving=True)
    assert {} == done.passed_over
    return tuple([await club.games.game(number) for number in done.going_on])


async def awake(club: Club, time: int) -> None:
    """Time passes, and the bot is there."""
    for _ in range(time // HEARTBEAT):
        club.now += HEARTBEAT
        await club.games.outages.alive()


async def begun(club: Club) -> Game:
    """A rated game in a thread, in which time has run, stood still and was given back; Ben is to move."""
    await club.games.outages.resume()
    first = await club.started("americanas")
    game = await club.started(clock="brisk")
    await club.games.channels.settle_channel(game.id, 71)
    await club.deliver()
    for text in ("c3-d4", "b6-a5", "d4-e5"):
        await awake(club, HOUR)
        game = await club.play(await club.games.game(game.id), text)
        await club.deliver()
    club.now += 20 * HOUR  # an outage: nobody's time runs
    await club.games.outages.resume()
    await club.games.offers.ask_takeback(game.id, ANA, club.source())
    game = await club.games.offers.answer("takeback", game.id, BEN, True, club.source())
    await club.deliver()
    await awake(club, 2 * HOUR)
    game = await club.play(game, "d4-c5")
    await club.deliver()
    await club.games.moves.resign(first.id, BEN, club.source())
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE games SET rated = TRUE WHERE id = :id"), {"id": game.id})
    club.restart()
    await club.games.outages.resume()
    return await club.games.game(game.id)


async def test_a_game_goes_on_elsewhere(club: Club, other: Club) -> None:
    """It has its number, record, players, place and clocks, it counts, and it is played to the end; `damero
    check-store` finds nothing before, between and after."""
    game = await begun(club)
    await awake(club, 5 * HOUR)
    assert game.clock is not None

    [there] = await moved(other, await exported(club))

    assert [] == await other.check()
    same = ("id", "entries", "players", "place", "channel_id", "rated", "casual", "colours", "opener", "control")
    for name in same:
        ours, theirs = getattr(game, name), getattr(there, name)
        if name == "entries":
            ours, theirs = ([replace(entry, source="") for entry in entries] for entries in (ours, theirs))
        assert ours == theirs, name
    assert ["board"] == await other.kinds(there)
    other.now += 30 * HOUR  # the bot is not there yet
    other.restart()
    await other.games.outages.resume()
    await other.deliver()
    assert [] == await other.check()
    there = await other.play(there, "d6xb4")
    assert there.clock is not None
    assert game.clock.spent[1] == HOUR
    assert game.clock.spent[1] + 5 * HOUR == there.clock.spent[1]
    await other.games.moves.resign(there.id, ANA, other.source())
    assert [] == await other.check()


async def test_a_finished_game_stands_where_it_was_played(club: Club, other: Club) -> None:
    """It keeps its number, its server, its thread and its clocks: who asks there for their games finds it; and a second
    import knows it."""
    game = await begun(club)
    await club.games.moves.resign(game.id, BEN, club.source())
    games = await exported(club)
    ours = await club.games.game(game.id)

    first, second = (await other.games.archive.import_games(games, moving=True)).games
    theirs = await other.games.game(second)

    assert (1, ours.id, ours.place, ours.channel_id, ours.rated) == (
        first, theirs.id, theirs.place, theirs.channel_id, theirs.rated
    )  # fmt: skip
    assert [entry.shown for entry in ours.entries] == [entry.shown for entry in theirs.entries]
    listed = [[one.id for one in await each.games.lists.history(ANA, guild_id=7)] for each in (club, other)]
    assert [[2, 1]] * 2 == listed
    assert [] == await other.check()
    again = await other.games.archive.import_games(games, moving=True)
    assert ((), 2) == (again.games, again.known)
    assert games == await exported(other)


@pytest.mark.parametrize("clock", ["3d", "brisk", "5+3", "none"])
@pytest.mark.parametrize("turns", [[], ["c3-d4"], ["c3-d4", "b6-a5"]])
async def test_time_stands_still_on_the_way(club: Club, other: Club, clock: str, turns: list[str]) -> None:
    """However long the export lies about: when the board is posted, what was left is left, and then runs out when it
    should."""
    game = await club.started(clock=clock)
    await club.deliver()
    for text in turns:
        club.now += 90_000
        game = await club.play(game, text)
        await club.deliver()
    club.now += 100_000

    [there] = await moved(other, await exported(club))

    if game.clock is None:
        assert there.clock is None
        return
    other.now += 3 * DAY
    await other.deliver()
    limit = game.clock.limit
    await other.pass_time(other.now + limit - 100_000 - 1)
    assert "running" == (await other.games.game(there.id)).status
    await other.pass_time(other.now + 1)
    assert "running" != (await other.games.game(there.id)).status
    assert [] == await other.check()


async def test_a_bot_that_is_stopped(club: Club, other: Club) -> None:
    """Exported hours after it was stopped: since its last sign of life nobody's time has run."""
    await club.games.outages.resume()
    game = await club.started(clock="3d")
    await club.deliver()
    game = await club.play(game, "c3-d4", "b6-a5")
    await club.deliver()
    await awake(club, 9 * MINUTE)
    club.now += 8 * HOUR

    [taken] = await exported(club)

    assert taken.going_on is not None
    assert 9 * MINUTE == taken.going_on["used"]
    assert 1 == len(await moved(other, [taken]))


async def test_nothing_is_doubled(club: Club, other: Club) -> None:
    """A second import passes all over, also when the games have gone on meanwhile, here or there, or are over."""
    game = await begun(club)
    first = await exported(club)
    [there] = await moved(other, first)
    again = await other.games.archive.import_games(first, moving=True)
    assert ((), 1, {"here": [2]}) == (again.going_on, again.known, again.passed_over)

    await club.play(game, "d6xb4")
    later = await exported(club)
    assert {"here": [2]} == (await other.games.archive.import_games(later, moving=True)).passed_over
    await club.games.moves.resign(game.id, ANA, club.source())
    over = await exported(club)
    assert 2 == (await other.games.archive.import_games(over, moving=True)).known
    await other.games.moves.resign(there.id, BEN, other.source())
    assert {"here": [2]} == (await other.games.archive.import_games(first, moving=True)).passed_over
    assert 2 == await other.count("games")

    back = await club.games.archive.import_games(first, moving=True)
    assert ({"here": [2]}, 1) == (back.passed_over, back.known)
    assert 2 == await club.count("games")


async def test_numbers_that_are_taken(club: Club, other: Club) -> None:
    """Where a game of the store has the number, or the channel, it gets the next one, and a thread of its own; where no
    thread can be, it is passed over."""
    await club.started()
    await club.started("americanas", place=Place(None, 90))
    games = await exported(club)
    for _ in range(2):
        await other.started("tama")
    await other.started("tama", place=Place(None, 90))

    done = await other.games.archive.import_games(games, moving=True)

    assert ((4,), {"busy": [2]}) == (done.going_on, done.passed_over)
    assert (HALL, None) == ((await other.games.game(4)).place, (await other.games.game(4)).channel_id)
    assert 5 == (await other.started("tama", place=Place(7, 75))).id
    assert [] == await other.check()


async def test_numbers_go_on(club: Club, other: Club) -> None:
    """The next game after one that has kept its number gets a higher one."""
    for place in (70, 71, 72):
        await club.started(place=Place(7, place))
    [there] = await moved(other, (await exported(club))[2:])
    assert (3, 4) == (there.id, (await other.started("tama")).id)


async def test_what_cannot_go_on(club: Club, other: Club) -> None:
    """A tournament's game, and one of a file that does not say how, or says what cannot be, are passed over; what is
    over comes in all the same. Nobody brings in a game that goes on but whoever runs the bot."""
    await begun(club)
    over, game = await exported(club)
    assert game.going_on is not None
    bare = replace(game, going_on=None)
    changes: list[dict[str, Any]] = [
        {"number": True}, {"place": None}, {"opener": "ten"}, {"clocks": []}, {"colours": [0]}, {"used": -1},
        {"clocks": [[1], [2]]}, {"channel": 1 << 70},
    ]  # fmt: skip
    wrong = [replace(game, going_on={**game.going_on, **change}) for change in changes]
    wrong += [replace(game, players=(ANA, None)), replace(game, going_on={"number": 1})]
    given = [over, replace(game, going_on=TOURNAMENT), bare, *wrong]
    done = await other.games.archive.import_games(
        [replace(one, line=line) for line, one in enumerate(given, start=1)], moving=True
    )
    assert {"tournament": [2], "unplaced": [3, *range(4, 4 + len(wrong))]} == done.passed_over
    assert ((1,), ()) == (done.games, done.going_on)

    done = await other.games.archive.import_games([game], strict=False)
    assert (0, 1) == (len(done.going_on), done.left_out)
    assert 1 == await other.count("games")


async def test_a_table_and_the_computer(club: Club, other: Club) -> None:
    """Three at the star with their colours, one of whom has left and is forgotten; and a game against the computer."""
    table = await club.challenge(opponent=None, variant="chinese-checkers", side=None, players=3, place=Place(7, 73))
    await club.games.lobby.choose_colour(table.id, ANA, 2, club.source())
    for person in (BEN, 13):
        table = await club.games.challenges.accept(table.id, person, club.source())
    await club.games.moves.resign(table.id, BEN, club.source())
    await club.games.privacy.forget(BEN, club.source())
    computer = await club.challenge(ANA, computer_of(3), clock="3d")
    table = await Club(club.store).games.game(table.id)

    there = await moved(other, await exported(club))

    assert [table.players, computer.players] == [game.players for game in there]
    assert table.colours == there[0].colours
    assert [] == await other.check()


async def test_nothing_is_half_moved(club: Club, other: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's computer stops in the middle of an import: nothing of it is there, and the next one brings in all."""
    for place in (70, 71):
        await club.play(await club.started(place=Place(7, place), clock="3d"), "c3-d4")
    games = await exported(club)
    before = await other.rows()
    announced = announcements.add_later
    told: list[Callable[[], int | None]] = []

    async def stops(*about: Any, **more: Any) -> Callable[[], int | None]:
        told.append(await announced(*about, **more))
        if len(told) == 2:
            raise KeyboardInterrupt
        return told[-1]

    monkeypatch.setattr(announcements, "add_later", stops)
    with pytest.raises(KeyboardInterrupt):
        await other.games.archive.import_games(games, moving=True)
    assert before == await other.rows()
    assert 2 == len(await moved(other, games))
    assert [] == await other.check()


async def test_by_command(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`damero export` and `damero import` move a bot; a second import says what it has passed over and why."""
    await begun(club)
    challenge = await club.challenge(13, 14)
    file = tmp_path / "games.jsonl"
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "damero.sqlite3"))
    assert 0 == await asyncio.to_thread(main, ["export", str(file)])
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "new.sqlite3"))
    alone = "An export holds games alone. Settings (languages, quiet hours, channels), ratings, tournaments, leagues,"
    assert f"Written to {file}. {alone}" in capsys.readouterr().out

    assert 0 == await asyncio.to_thread(main, ["import", "--strict", str(file)])
    told = capsys.readouterr().out
    assert "1 game imported. 1 game in progress was imported: time runs there again when" in told
    assert alone in told
    assert 0 == await asyncio.to_thread(main, ["import", str(file)])
    assert "1 game in progress was skipped (line 2): here already." in capsys.readouterr().out
    assert 0 == await asyncio.to_thread(main, ["check-store"])
    assert 3 == challenge.id  # it is not taken along
    assert 2 == len(file.read_text("utf-8").splitlines())


async def test_a_game_that_is_over_keeps_the_day_of_its_end(club: Club, other: Club) -> None:
    """Lists of games tell of it by that, not by the day on which it was brought in."""
    game = await club.play(await club.started(), "c3-d4")
    await club.games.moves.resign(game.id, BEN, club.source())
    ended = club.now
    club.now += 3 * DAY
    done = await other.games.archive.import_games(await exported(club), moving=True)
    assert 1 == len(done.games)
    for each in (club, other):
        (line,) = await each.games.lists.history(ANA)
        assert ended == line.changed_at


async def test_a_game_that_a_computer_opened_keeps_its_place(club: Club, other: Club) -> None:
    """As one of a file whose only player with an id is a computer."""
    (given,) = pdn_reader.loads('[Variant "pinoy"]\n[WhiteId "-3"]\n[Result "1-0"]\n\n1. c3-d4 1-0\n')
    await club.games.archive.import_games([given], place=HALL)
    (number,) = (await other.games.archive.import_games(await exported(club), moving=True)).games
    game = await other.games.game(number)
    assert (HALL, computer_of(3)) == (game.place, game.opener)
