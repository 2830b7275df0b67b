"""A tournament of the database as files, in Discord's form and at a terminal, and back again."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import AsyncIterator
from fractions import Fraction
from pathlib import Path

import pytest

from bot.cli import tournaments as terminal
from bot.cli.command_line import main
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.games.model.errors import Refused
from bot.tournaments.files.trf_reader import read
from bot.tournaments.model.events import ByeAsked, Forbade, Kind, TournamentSettings
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases import export
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import Club
from tests.support.tournaments.event import DIRECTOR, Event


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Event]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Event(store)
    await store.close()


def name_of(person: int) -> str:
    return f'Player "{person}"'


async def held_after(club: Event, plan: TournamentSettings, players: int, rounds: int) -> StoredTournament:
    await club.open(plan, range(11, 11 + players))
    await club.start()
    for number in range(rounds):
        if number:
            await club.pair()
        await club.play_out()
    return await club.load()


async def written(club: Event, tournament: StoredTournament, form: str) -> str:
    return export.content(tournament, form, name_of, await club.tournaments.export.games_of(tournament))


async def test_report_files_are_read_by_our_own_reader(club: Event) -> None:
    """TRF26 and TRF16 give the record back: pairings, colours, results."""
    tournament = await held_after(club, TournamentSettings(Kind.SWISS, rounds=2), 4, 2)
    for form in ("trf26", "trf16"):
        got = read((await written(club, tournament, form)).encode()).record
        for number, player in tournament.state.record.players.items():
            assert player.rounds == got.players[number].rounds


async def test_the_results_of_a_file_are_those_of_the_standings(club: Event) -> None:
    """PDN's result is what a director has written down, which every program reads; what the turns bear out stands
    beside it, and is the game's result when the file is read here again."""
    tournament = await held_after(club, TournamentSettings(Kind.SWISS, rounds=2), 4, 1)
    before = list(pdn_reader.loads(await written(club, tournament, "pdn")))
    assert not any("Ruling" in game.tags for game in before)
    white_first = tournament.state.paired[1].games[0][0] == 1
    for result, by_white in (("drew", "1/2-1/2"), ("lost", "0-1"), ("both forfeit", "0-0")):
        shown = await club.tournaments.results.preview(club.id, DIRECTOR, 11, result, 1, None)
        await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), shown, again=False)
        text = await written(club, await club.load(), "pdn")
        ruling = by_white if white_first else "-".join(reversed(by_white.split("-")))
        assert 1 == text.count(f'[Result "{ruling}"]\n[PlayedResult "')
        games = list(pdn_reader.loads(text))
        assert {None, ruling} == {game.tags.get("Ruling") for game in games}
        assert [(game.winner, game.reason) for game in before] == [(game.winner, game.reason) for game in games]
        assert text == pdn_writer.write(games)


async def test_a_file_has_what_was_decided_without_moves(club: Event, tmp_path: Path) -> None:
    """Who adds up a PDN file's results has the standings: a game that a director has decided, and one that nobody
    began, are in it. Our own import takes the file."""
    await club.open(TournamentSettings(Kind.ROUND_ROBIN), range(11, 15))
    await club.start()
    shown = await club.tournaments.results.preview(club.id, DIRECTOR, 11, "drew", 1, None)
    await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), shown, again=False)
    await club.play_out()
    await club.tournaments.registration.leave(club.id, 14, 14, club.source())
    for _round in range(2):
        await club.pair()
        await club.play_out()
    tournament = await club.load()
    text = await written(club, tournament, "pdn")
    games = list(pdn_reader.loads(text))
    assert 6 == len(games)
    values_of = {"1": Fraction(1), "0": Fraction(0), "1/2": Fraction(1, 2)}
    points: defaultdict[str, Fraction] = defaultdict(Fraction)
    for game, result in zip(games, re.findall(r'\[Result "(.*)"\]', text), strict=True):
        for name, value in zip(("White", "Black"), result.split("-"), strict=True):
            points[game.tags[name]] += values_of[value]
    people = tournament.state.by_number
    assert {name_of(people[line.number].person): line.values[0] for line in tournament.ranking.lines} == points

    store = Store(url_of(tmp_path / "other.sqlite3"))
    await store.open()
    other = Club(store)
    assert 6 == len((await other.games.archive.import_games(games)).games)
    assert 6 == (await other.games.archive.import_games(games)).known
    await store.close()


async def test_report_files_are_paired_and_ranked_as_the_event_is(club: Event, tmp_path: Path) -> None:
    """A late entry, a bye asked for, a withdrawal, a no-show, a forbidden pairing: before each round the file gives the
    pairing that the event gets, and the standings that it has. So does a round robin that somebody leaves."""
    plan = TournamentSettings(Kind.SWISS, rounds=5, late_until=3)
    tournaments, director = club.tournaments, 1

    async def checked() -> None:
        tournament = await club.load()
        files_of = [(form, await written(club, tournament, form)) for form in ("trf26", "trf16")]
        table = [row[:2] for row in csv.reader(io.StringIO(await written(club, tournament, "csv")))]
        paired = (await club.pair()).state.paired[tournament.state.rounds_paired + 1]
        bye = [] if paired.bye is None else [f"{paired.bye} 0"]
        for form, text in files_of:
            file = tmp_path / f"event.{form}"
            file.write_text(text)
            lines, _remarks = terminal.pair(file)
            assert [*(f"{white} {black}" for white, black in paired.games), *bye] == lines
            ranked, _remarks = terminal.standings(file, ",".join(map(str, tournament.settings.tie_breaks)))
            assert [row[:2] for row in table] == [line.split("\t")[:2] for line in ranked]

    await club.open(plan, range(11, 19))
    await club.start()
    await club.play_out()
    await tournaments.registration.join(club.id, 19, club.source())
    await tournaments.direction.decide(club.id, 12, club.source(), ByeAsked(2, 3))
    await tournaments.direction.decide(club.id, director, club.source(), Forbade(1, 3))
    await checked()
    await club.play_out()
    await checked()
    tournament = await club.load()
    white, _black = tournament.state.paired[3].games[0]
    await club.play_out(frozenset({white}))
    person = tournament.state.by_number[white].person
    shown = await tournaments.results.preview(club.id, director, person, "did not come", 3, None)
    await tournaments.results.write_down(club.id, director, club.source(), shown, again=False)
    await tournaments.registration.leave(club.id, 17, 17, club.source())
    await checked()
    await club.play_out()
    await checked()

    await club.open(TournamentSettings(Kind.ROUND_ROBIN), range(21, 26))
    await club.start()
    for number in range(4):
        await club.play_out()
        if number == 2:
            await tournaments.registration.leave(club.id, 24, 24, club.source())
        await checked()


async def test_games_of_an_event_are_brought_in_again(club: Event, tmp_path: Path) -> None:
    """PDN: all games with event, round, board and names; our own import takes them, and they are the same games."""
    tournament = await held_after(club, TournamentSettings(Kind.SWISS, rounds=2), 4, 2)
    text = await written(club, tournament, "pdn")
    games = list(pdn_reader.loads(text))
    tags = [(g.tags["Event"], g.tags["Round"], g.tags["Board"], g.tags["White"]) for g in games]
    assert [("Autumn", str(link.round), name_of(10 + link.white)) for link in tournament.games] == [
        (event, number, white) for event, number, _, white in tags
    ]
    assert ["1", "2", "1", "2"] == [board for _, _, board, _ in tags]

    store = Store(url_of(tmp_path / "other.sqlite3"))
    await store.open()
    other = Club(store)
    assert 4 == len((await other.games.archive.import_games(games)).games)
    assert 4 == (await other.games.archive.import_games(games)).known
    theirs, ours = (await other.games.archive.transcripts()).games, (await club.games.archive.transcripts()).games
    await store.close()
    assert [(g.players, g.winner, g.reason) for g in ours] == [(g.players, g.winner, g.reason) for g in theirs]
    assert [[step.text for step in g.steps] for g in ours] == [[step.text for step in g.steps] for g in theirs]


async def test_matches_and_tables_of_values(club: Event) -> None:
    """In an elimination the round is the match; JSON holds every game; a table of values has a line a player."""
    tournament = await held_after(club, TournamentSettings(Kind.SINGLE_ELIMINATION), 3, 1)
    rounds = {game.tags["Round"] for game in pdn_reader.loads(await written(club, tournament, "pdn"))}
    assert len(rounds) == len(tournament.games)
    assert all(number.endswith(".1") for number in rounds)
    values = json.loads(await written(club, tournament, "json"))
    assert len(tournament.games) == len(values["games"])
    assert 4 == len((await written(club, tournament, "csv")).splitlines())
    with pytest.raises(Refused, match="Report files hold a Swiss or a round robin"):
        await written(club, tournament, "trf26")


async def test_nothing_to_write(club: Event) -> None:
    """Before the start there is nothing; before the first game ends there are no games."""
    await club.open(TournamentSettings(Kind.SWISS, rounds=1), range(11, 13))
    with pytest.raises(Refused, match="has not begun"):
        await written(club, await club.load(), "csv")
    await club.start()
    with pytest.raises(Refused, match="No game"):
        await written(club, await club.load(), "pdn")


async def test_the_command_line(
    club: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``damero export tournament ID --format``: to standard output or a file; what is asked wrongly is told."""
    await held_after(club, TournamentSettings(Kind.SWISS, rounds=1), 4, 1)
    await club.store.close()
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "damero.sqlite3"))

    def run(*words: str) -> tuple[int, str]:
        status = main(["export", *words])
        shown = capsys.readouterr()
        return status, shown.out + shown.err

    async def beside(*words: str) -> tuple[int, str]:
        return await asyncio.to_thread(run, *words)

    status, out = await beside("tournament", "1", "--format", "trf26")
    assert (0, 4) == (status, len(read(out.encode()).record.players))
    assert "11" in read(out.encode()).record.players[1].name
    file = tmp_path / "games.pdn"
    assert 0 == (await beside("tournament", "1", "--format", "pdn", str(file)))[0]
    assert 2 == len(list(pdn_reader.loads(file.read_text())))
    assert 0 == (await beside("tournament", "1", "--format", "csv"))[0]
    status, out = await beside("--game", "1", "--format", "pdn")
    assert (0, True) == (status, '[Round "1"]' in out and '[Board "' in out)
    assert (1, "damero: There is no tournament 9.\n") == await beside("tournament", "9", "--format", "csv")
    for wrong in (
        ("tournament",),
        ("tournament", "x"),
        ("--format", "csv"),
        ("a", "b"),
        ("tournament", "1", "--game", "3"),
    ):
        with pytest.raises(SystemExit, match="2"):
            await beside(*wrong)
