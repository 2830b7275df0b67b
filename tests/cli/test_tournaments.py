"""``damero pair`` and ``damero standings``: their output to the letter, since other programs read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli.command_line import main
from bot.tournaments.files.trf_reader import Report
from bot.tournaments.files.trf_writer import ReportVersion, write
from tests.support.tournaments.records import EXERCISE, record_of

# A tournament before round 3, in columns as programs write them.
BEFORE_ROUND_3 = """\
012 Autumn cup
XXR 3
001    1      Lopez, Ana                        2100                             2.0    1     4 w 1     2 b 1
001    2      Chen, Bo                          2000                             1.0    3     5 b 1     1 w 0
001    3      Diaz, Cleo                        1900                             2.0    2     6 w 1     4 b 1
001    4      Evans, Dan                        1800                             0.0    5     1 b 0     3 w 0  0000 - Z
001    5      Fox, Eve                          1700                             1.0    4     2 w 0     6 b 1
001    6      Gray, Finn                        1600                             0.0    6     3 b 0     5 w 0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.trf"
    path.write_bytes(BEFORE_ROUND_3.encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_pair(file: Path, end: str, capsys: pytest.CaptureFixture[str]) -> None:
    """White, a space, black; boards in order; the bye last with 0; nothing else."""
    file.write_bytes(BEFORE_ROUND_3.replace("\n", end).encode())
    assert 0 == main(["pair", str(file)])
    assert ("1 5\n3 2\n6 0\n", "") == capsys.readouterr()


def test_standings(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The header as asked, a line a player by rank, tabs between, numbers with a point."""
    assert 0 == main(["standings", str(file), "--tiebreaks", "PTS,BH,SB,WIN,BPG"])
    assert (
        "Rank\tNo\tName\tPTS\tBH\tSB\tWIN\tBPG\n"
        "1\t1\tLopez, Ana\t2.0\t1.0\t1.0\t2.0\t1.0\n"
        "2\t3\tDiaz, Cleo\t2.0\t0.0\t0.0\t2.0\t1.0\n"
        "3\t2\tChen, Bo\t1.0\t3.0\t1.0\t1.0\t1.0\n"
        "4\t5\tFox, Eve\t1.0\t1.0\t0.0\t1.0\t1.0\n"
        "5\t4\tEvans, Dan\t0.0\t4.0\t0.0\t0.0\t1.0\n"
        "6\t6\tGray, Finn\t0.0\t3.0\t0.0\t0.0\t1.0\n"
    ) == capsys.readouterr().out


def test_every_tie_break(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All that can be asked for, in any case and way of writing; the headings stay as they were asked."""
    path = tmp_path / "exercise.trf"
    path.write_text(write(Report(record_of(EXERCISE, 16), "Exercise", "Swiss"), ReportVersion.TRF16), newline="")
    asked = "PTS,BH,BH-C1,BH-M1,SB,DE,PS,WIN,WON,BPG,KS"
    assert 0 == main(["standings", str(path), "--tiebreaks", asked])
    out = capsys.readouterr().out.splitlines()
    assert ["Rank", "No", "Name", *asked.split(",")] == out[0].split("\t")
    assert "1\t2\tPlayer 2\t4.0\t13.0\t12.0\t8.5\t9.5\t0.0\t13.0\t3.0\t3.0\t3.0\t2.0" == out[1]
    assert 17 == len(out)
    assert 0 == main(["standings", str(path), "--tiebreaks", "pts,bh/c1"])
    assert "Rank\tNo\tName\tpts\tbh/c1" == capsys.readouterr().out.splitlines()[0]


def test_pair_where_all_play_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that says so is paired by the Berger tables; one whose rounds are others is not."""
    path = tmp_path / "all.trf"
    for rounds, status, out in (
        ([], 0, "1 4\n2 3\n"),
        (["1 4 1, 2 3 ="], 0, "4 3\n1 2\n"),
        (["1 4 +, 2 3 1", "4 3 0, 1 2 1", "2 4 =, 3 1 1"], 1, ""),
        (["1 2 1, 3 4 1"], 1, ""),
    ):
        path.write_text(write(Report(record_of(rounds, 4), "Cup", "Individual: Round-Robin")))
        assert (status, out) == (main(["pair", str(path)]), capsys.readouterr().out)
    path.write_text(write(Report(record_of(["1 3 1, 2 U"], 3), "Cup", "Round Robin")))
    assert 1 == main(["pair", str(path)])
    assert "Round 1 is not that of the Berger tables" in capsys.readouterr().err


def test_standings_before_the_first_round(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With nothing played everything is nothing, and all are first."""
    file.write_text(write(Report(record_of([], 3))))
    asked = "PTS,BH,BH-C1,BH-M1,SB,DE,PS,WIN,WON,BPG,KS,FB,AOB,REP"
    assert 0 == main(["standings", str(file), "--tiebreaks", asked])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert ["1", "2", "3"] == [line.split("\t")[1] for line in lines]
    assert {"1"} == {line.split("\t")[0] for line in lines}
    assert all(set(line.split("\t")[3:]) == {"0.0"} for line in lines)


def test_what_is_to_be_said_goes_beside(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Doubtful points and given-up rules are told on the error stream; the answer stays clean."""
    file.write_text(BEFORE_ROUND_3.replace("     2.0    1", "     2.5    1"))
    assert 0 == main(["pair", str(file)])
    out, err = capsys.readouterr()
    assert "1 5\n3 2\n6 0\n" == out
    assert "damero: line 3, column 81: 2.5 points are noted, the results give 2.0\n" == err


def test_refusals(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Line and column of what cannot be read (2); a round that cannot be paired, a file that is not there (1)."""
    file.write_text(BEFORE_ROUND_3.replace("     5 b 1", "     5 b X"))
    assert 2 == main(["pair", str(file)])
    assert f"{file}: line 4, column 99: 'X' is none of the results" in capsys.readouterr().err
    file.write_text(BEFORE_ROUND_3.replace("XXR 3", "XXR 2"))
    assert 1 == main(["pair", str(file)])
    assert "damero: All 2 rounds are paired.\n" == capsys.readouterr().err
    file.write_text(BEFORE_ROUND_3 + "250      1.0   1   2    1    3\n")
    assert 2 == main(["pair", str(file)])
    assert "line 9, column 1: accelerated" in capsys.readouterr().err
    assert 1 == main(["standings", str(file), "--tiebreaks", "PTS,XX"])
    assert "XX is not a tie-break" in capsys.readouterr().err
    assert 1 == main(["pair", str(file.with_name("none.trf"))])
    assert "none.trf" in capsys.readouterr().err
