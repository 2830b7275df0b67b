"""A tournament for other programs."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest

from bot.tournaments.errors import TournamentError
from bot.tournaments.files import values as exports
from bot.tournaments.files.trf_reader import read
from bot.tournaments.files.trf_writer import write
from bot.tournaments.model.events import Forbade, Kind, Left, TournamentSettings
from tests.support.tournaments.director import Directed, swiss


def test_report_file() -> None:
    """A Swiss goes through a TRF26 file: the same record, ranks, absences and forbidden pairs come back."""
    cup = swiss(7, 5).play(2, random.Random(1))(Left(103), Forbade(1, 2))
    sent = exports.report(cup.state, "Cup", lambda number: f"Name {number}")
    got = read(write(sent))
    assert (sent.record, sent.people, sent.absent, sent.kind) == (got.record, got.people, got.absent, got.kind)
    assert "Name 3" == got.record.players[3].name
    assert got.round_robin is False
    assert read(write(exports.report(Directed(TournamentSettings(Kind.ROUND_ROBIN), 4).state, "RR", str))).round_robin
    with pytest.raises(TournamentError, match="Report files hold a Swiss or a round robin"):
        exports.report(Directed(TournamentSettings(Kind.ARENA), 3).state, "Arena", str)


def test_table() -> None:
    """CSV has a header, a line a player by rank, and the rounds."""
    cup = swiss(4, 3).play(2, random.Random(2))
    rows = list(csv.reader(io.StringIO(exports.as_csv(cup.state, lambda number: f"A, {number}"))))
    assert ["Rank", "No", "Name", "PTS"] == rows[0][:4]
    assert ["R1", "R2"] == rows[0][-2:]
    assert 5 == len(rows)
    assert {"A, 1", "A, 2", "A, 3", "A, 4"} == {row[2] for row in rows[1:]}
    assert len(rows[0]) == len(rows[4])


@pytest.mark.parametrize("name", ["=1+1", "+x", "-5", "@SUM(A1)", "\t=1"])
def test_names_are_no_formulas(name: str) -> None:
    """What a spreadsheet would reckon with is guarded in a name; numbers and other names are as they are."""
    cup = swiss(2, 1).play(1, random.Random(2))
    rows = list(csv.reader(io.StringIO(exports.as_csv(cup.state, lambda number: name if number == 1 else "A=1"))))
    assert {f"'{name}", "A=1"} == {row[2] for row in rows[1:]}
    assert not [cell for row in rows for cell in (*row[:2], *row[3:]) if cell.startswith("'")]


def test_plain_values() -> None:
    """Everything can be written as JSON, tables of Chinese checkers too."""
    for cup in (swiss(4, 3).play(1, random.Random(3)), Directed(TournamentSettings(Kind.TABLES, 3), 7)):
        values = json.loads(json.dumps(exports.as_values(cup.state, cup.events, str)))
        assert len(cup.events) == len(values["events"])
        assert len(cup.state.by_number) == len(values["standings"]) == len(values["players"])
        assert "Entered" == values["events"][0]["action"]
