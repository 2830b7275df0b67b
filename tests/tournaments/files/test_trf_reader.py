"""Report files: what is read, what is refused and where, and that what is written is read back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.errors import TournamentError, TrfError
from bot.tournaments.files.trf_reader import Forbidding, Person, Report, read
from bot.tournaments.files.trf_writer import ReportVersion, write
from bot.tournaments.pairing.record import CHESS, DRAUGHTS, Colour, Mark, Player, Points, RoundEntry, ordered
from tests.support.tournaments.records import EXERCISE, empty, record_of, season

PLAYERS = """\
012 Autumn cup
092 Individual: Swiss-System
XXR 5
001    1 m GM Ana Lopez                         2100 ESP      100001 1990/01/01  1.5    1     2 w 1     3 b =  0000 - H
001    2 w    Bo Chen                           2000 CHN      100002 1991/02/02  1.0    2     1 b 0  0000 - U
001    3      Cleo                                                               0.5    3  0000 - Z     1 w =
"""


def test_columns_are_read() -> None:
    """Every column of a player's line is found where it stands, and byes noted ahead are kept."""
    report = read(PLAYERS)
    first = report.record.players[1]
    assert ("Ana Lopez", 2100) == (first.name, first.rating)
    assert Person("m", "GM", "ESP", "100001", "1990/01/01", 1) == report.people[1]
    assert (
        RoundEntry(2, Colour.WHITE, Mark.WIN),
        RoundEntry(3, Colour.BLACK, Mark.DRAW),
        RoundEntry(None, None, Mark.HALF_BYE),
    ) == first.rounds
    assert (5, 2, "Autumn cup", False) == (
        report.record.rounds,
        report.record.rounds_paired,
        report.name,
        report.round_robin,
    )
    assert () == report.warnings


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_line_ends(end: str) -> None:
    """CR, LF and CRLF end lines alike, and a missing last one does no harm."""
    text = PLAYERS.replace("\n", end)
    assert read(PLAYERS) == read(text) == read(text.encode()) == read(text.rstrip())
    assert read(PLAYERS) == read(b"\xef\xbb\xbf" + text.encode())


def test_names_in_old_letters() -> None:
    """A file that is not UTF-8 is read in the letters of western Windows; columns count characters."""
    text = PLAYERS.replace("Ana Lopez", "Ana López").encode("cp1252")
    assert "Ana López" == read(text).record.players[1].name
    assert "Ana López" == read(text.decode("cp1252")).record.players[1].name


def test_sixteen_bit_text() -> None:
    """A file that an editor has kept in UTF-16 is read by its byte order mark."""
    assert read(PLAYERS) == read(PLAYERS.encode("utf-16")) == read(b"\xfe\xff" + PLAYERS.encode("utf-16-be"))


def test_columns_counted_in_bytes() -> None:
    """Where a name's letters of two bytes have moved its line's columns, they are counted in bytes."""
    text = PLAYERS.replace("Ana Lopez  ", "Ána López")
    assert replace(read(PLAYERS).record.players[1], name="Ána López") == read(text).record.players[1]
    with pytest.raises(TrfError, match="starting number"):
        read(text.replace("001    2", "001    x"))
    with pytest.raises(TrfError, match="rating"):
        read(PLAYERS.replace("Ana Lopez", "Ána Lopez").replace("2100", "21o0"))


def line(rounds: str, number: int = 1, points: str = " 0.0") -> str:
    return f"001 {number:4}      Player {number:<26}    0 {'':27}{points}    {number}{rounds}\n"


@pytest.mark.parametrize(
    ("rounds", "mark", "points"),
    [
        ("  0000 - U", Mark.PAIRING_BYE, 1),
        ("  0000 - F", Mark.FULL_BYE, 1),
        ("  0000 - H", Mark.HALF_BYE, Fraction(1, 2)),
        ("  0000 - =", Mark.HALF_BYE, Fraction(1, 2)),
        ("  0000 - Z", Mark.ZERO_BYE, 0),
        ("  0000 -  ", Mark.ZERO_BYE, 0),
        ("  0000 - -", Mark.FORFEIT_LOSS, 0),
        ("  0000 - +", Mark.FORFEIT_WIN, 1),
        ("       - u", Mark.PAIRING_BYE, 1),
    ],
)
def test_rounds_without_an_opponent(rounds: str, mark: Mark, points: Fraction) -> None:
    """Each letter of a round without an opponent has its worth."""
    entry = read(line(rounds)).record.players[1].entry(1)
    assert entry is not None
    assert (mark, points) == (entry.mark, CHESS.of(entry))


@pytest.mark.parametrize(
    ("mine", "theirs", "points"),
    [
        ("w 1", "b 0", 1),
        ("b =", "w =", Fraction(1, 2)),
        ("w W", "b L", 1),
        ("w D", "b D", Fraction(1, 2)),
        ("w l", "b w", 0),
        ("w +", "b -", 1),
        ("- +", "- -", 1),
        ("w -", "b -", 0),
        ("w 0", "b 0", 0),
    ],
)
def test_rounds_with_an_opponent(mine: str, theirs: str, points: Fraction) -> None:
    """Each result of a game, played or forfeited, has its worth."""
    report = read(line(f"     2 {mine}", 1) + line(f"     1 {theirs}", 2))
    assert points == report.record.score(1)


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("", (1, 1), "no players"),
        ("001    x\n", (1, 8), "starting number"),
        ("001     \n", (1, 5), "starting number"),
        (line("") + line(""), (2, 5), "line 1 already"),
        (line("     1 w 1"), (1, 92), "opponent of itself"),
        (line("     x w 1"), (1, 95), "the opponent is a number"),
        (line("     2 w 1"), (1, 92), "no player 2"),
        (line("     2 x 1"), (1, 97), "colour is w, b or -"),
        (line("  0000 w 1"), (1, 97), "no opponent"),
        (line("  0000 - 1"), (1, 99), "none of the results"),
        (line("     2 w ?"), (1, 99), "none of the results"),
        (line("     2 - 1"), (1, 97), "no colour"),
        (line("     2 w H"), (1, 99), "is a bye"),
        (line("    2 w 1"), (1, 96), "a space belongs"),
        (line("     2 w 1", 1) + line("", 2), (1, 92), "line of 2"),
        (line("     2 w 1", 1) + line("     1 w 0", 2), (1, 97), "same colour"),
        (line("     2 w 1", 1) + line("     1 b 1", 2), (1, 99), "contradicts"),
        (line("     2 w 1", 1) + line("     1 b -", 2), (1, 99), "contradicts"),
        ("XXR\n" + line(""), (1, 4), "missing"),
        ("XXR five\n" + line(""), (1, 5), "number of rounds"),
        ("142 5 6\n" + line(""), (1, 7), "too much"),
        ("152 X\n" + line(""), (1, 5), "W or B"),
        ("162 Q 1.0\n" + line(""), (1, 5), "not known"),
        ("162 W 1.0 ?\n" + line(""), (1, 11), "a letter and a number"),
        ("BBW one\n" + line(""), (1, 5), "points"),
        ("XXP 1 9\n" + line(""), (1, 5), "no player 9"),
        ("XXZ 9\n" + line(""), (1, 5), "no player 9"),
        ("240 Q   1    1\n" + line(""), (1, 5), "kind of bye"),
        ("240 H   1    9\n" + line(""), (1, 14), "no player 9"),
        ("XXR 1\n" + line("     2 w 1     2 b 1", 1) + line("     1 b 0     1 w 0", 2), (1, 5), "planned"),
        (line("").replace("    0 ", "  12x ", 1), (1, 50), "the rating"),
        (line("", points=" one"), (1, 81), "points"),
        ("240 F 1000000000 1\n" + line(""), (1, 7), "to 9999"),
        ("XXR " + "9" * 5000 + "\n" + line(""), (1, 5), "to 9999"),
        ("142 " + "9" * 5000 + "\n" + line(""), (1, 5), "to 9999"),
        ("BBW " + "9" * 5000 + "\n" + line(""), (1, 5), "points"),
        ("162 W " + "9" * 400 + "\n" + line(""), (1, 7), "points"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r"])
def test_what_cannot_be_read_is_named_by_line_and_column(text: str, at: tuple[int, int], said: str, end: str) -> None:
    """A refusal names the line, the column and what is wrong there."""
    with pytest.raises(TrfError, match=said) as refusal:
        read(text.replace("\n", end))
    assert at == (refusal.value.line, refusal.value.column)
    assert refusal.value.message.startswith(f"line {at[0]}, column {at[1]}: ")


def test_half_a_game_is_a_warning() -> None:
    """A director may have scored a game so; that it is no slip of the pen has to be seen."""
    report = read(line("     2 w 1", 1, " 1.0") + line("     1 b =", 2, " 0.5"))
    assert ("line 2, column 99: round 1 is a draw here, but not on the line of 1 (line 1)",) == report.warnings


def test_points_that_do_not_agree_are_a_warning() -> None:
    """Points are counted from the results; a line that says otherwise is named."""
    report = read(line("  0000 - U", points=" 0.5"))
    assert ("line 1, column 81: 0.5 points are noted, the results give 1.0",) == report.warnings
    assert 1 == report.record.score(1)


@pytest.mark.parametrize(
    "said", ["162  W 3.0    D 1.0    P 2.0\n", "BBW  3.0\nBBD 1.0\nBBU 2.0\n", "XXS W=3 D=1 PAB=2\n"]
)
def test_points_of_other_systems(said: str) -> None:
    """The points of results come from 162, from BBW and its like, or from XXS."""
    points = read(said + line("")).record.points
    assert Points(Fraction(3), Fraction(1), pairing_bye=Fraction(2)) == points


def test_what_concerns_the_next_round() -> None:
    """240, 260, XXP, XXZ, XXC and 152: byes, forbidden pairs in force, absences, the initial colour."""
    four = "".join(line("", number) for number in (1, 2, 3, 4))
    report = read("240 H   1    1    2\n260   1   1    3    4\n260   2   9    1    2\nXXZ 3\nXXC black1\n" + four)
    assert report.record.forbidden == {frozenset((3, 4))}
    assert report.absent == {3}
    assert Colour.BLACK is report.record.initial_colour
    assert [Mark.HALF_BYE] * 2 == [e.mark for n in (1, 2) if (e := report.record.players[n].entry(1))]
    assert (Forbidding((3, 4), 1, 1), Forbidding((1, 2), 2, 9)) == report.forbidding
    assert {frozenset(p) for p in ((1, 2), (1, 3), (2, 3))} == read("XXP 1 2 3\n152 W\n" + four).record.forbidden


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("092 Individual: Round-Robin\n", True),
        ("192 FIDE_DUTCH_2026\n", False),
        ("092 Berger tables\n", True),
        ("012 Club evening\n", None),
    ],
)
def test_the_kind_of_tournament(told: str, known: bool | None) -> None:
    """Round robins are known by the file's own word."""
    assert known is read(told + line("")).round_robin


@pytest.mark.parametrize("form", list(ReportVersion))
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_what_is_written_is_read_back(form: ReportVersion, end: str) -> None:
    """A report written in either form gives the same report again."""
    record = replace(record_of(EXERCISE, 16, planned=9, points=DRAUGHTS), initial_colour=Colour.BLACK)
    people = {number: Person(title="FM", federation="PHI", rank=number) for number in record.players}
    report = Report(record, "Cup", "Swiss", people=people, other=("022 Manila", "### a remark"))
    assert report == read(write(report, form).replace("\n", end))


def test_rules_of_the_next_round_are_written() -> None:
    """Byes ahead, forbidden pairs and absences survive a TRF26 file."""
    players = [Player(1, "A", rounds=(RoundEntry(None, None, Mark.HALF_BYE),)), Player(2, "B"), Player(3, "C")]
    record = replace(empty(3, 5), players=ordered(players), forbidden=frozenset({frozenset((2, 3))}))
    report = Report(record, forbidding=(Forbidding((2, 3), 1, 4),), absent=frozenset({3}))
    text = write(report)
    assert "240 H   1    1" in text
    again = read(text)
    assert (report.forbidding, report.absent, record) == (again.forbidding, again.absent, again.record)


@given(st.integers(0, 10_000))
def test_any_tournament_is_written_and_read_back(seed: int) -> None:
    """Whole random tournaments with byes, forfeits and withdrawals survive the way through a file."""
    *_, (record, _) = season(seed, 7, 4, troubled=True)
    for form in ReportVersion:
        assert record == read(write(Report(record), form)).record


@pytest.mark.parametrize("form", list(ReportVersion))
def test_points_and_kinds_are_written(form: ReportVersion) -> None:
    """Other points, games still being played, forbidden pairs without an end: all come back."""
    points = Points(Fraction(3), Fraction(1), pairing_bye=Fraction(2))
    record = replace(record_of(["1 2 *, 3 U"], 3, points=points), forbidden=frozenset({frozenset((1, 3))}))
    again = read(write(Report(record, encoded_kind="FIDE_DUTCH_2026", forbidding=(Forbidding((1, 3)),)), form))
    assert record == again.record
    assert ("FIDE_DUTCH_2026" if form is ReportVersion.TRF26 else "") == again.encoded_kind


def test_other_lines_are_kept() -> None:
    """Lines that nothing here reads stay, XXC's further words are named, acceleration is pointed at."""
    report = read("022 Manila\n\nXXC white1 rank\n013 Team\n250      1.0   1   2    1    3\n" + line(""))
    assert ("022 Manila", "013 Team", "250      1.0   1   2    1    3") == report.other
    assert ("line 3, column 12: XXC rank is not heeded",) == report.warnings
    assert (5, 1) == report.accelerated
    with pytest.raises(TrfError, match="points for 'Q'"):
        read("XXS Q=1\n" + line(""))
    with pytest.raises(TrfError, match="before the results"):
        read(line("").rstrip().ljust(89) + "x\n")


def test_what_does_not_fit_is_refused() -> None:
    """Points past a column's width are refused rather than cut, and so are numbers."""
    with pytest.raises(TournamentError, match="end at 9999"):
        write(Report(replace(empty(1, 1), players={10000: Player(10000, "A")})))
    record = record_of(["1 2 1"], 2, points=replace(DRAUGHTS, win=Fraction(100)))
    with pytest.raises(TournamentError, match=r"99\.9"):
        write(Report(record))
