"""Books of puzzles: what stands in their files, and how `damero puzzles` adds to one."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.cli.command_line import main
from bot.computer.puzzle_games import SelfPlay
from bot.computer.puzzles import Puzzle
from bot.study.puzzle_books import PuzzleBook, PuzzleBookError, line_of, puzzles_in

EASY = Puzzle("spanish", {}, "B:Wb3,d5,f1,g2,h3,h5:Ba6,b7,e4,f7,g8,h7", ("f7-g6", "h5xf7", "g8xe6xc4xa2"), 1100)
HARD = Puzzle("spanish", {}, "W:Wa2,a4,b3,c4,h1,h3:Ba6,c6,d3,e6,f3,f7,g6,g8", ("c4-b5", "a6xc4", "b3xd5xb7"), 1500)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The games that have been played: the third has one puzzle, the fifth the same one, and one more."""
    numbers: list[int] = []

    def found(job: SelfPlay) -> tuple[Puzzle, ...]:
        numbers.append(job.number)
        return {2: (EASY,), 4: (EASY, HARD)}.get(job.number, ())

    monkeypatch.setattr("bot.cli.making.play_for_puzzles", found)
    return numbers


def test_a_book_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Each puzzle in few bytes; what is no book of that game is refused, whatever it is."""
    file = tmp_path / "spanish.txt"
    book = PuzzleBook("spanish", {})
    assert 2 == book.add((EASY, HARD, EASY))
    book.games["7"] = 12
    book.write(file)
    again = PuzzleBook.opened(file, "spanish", {})
    assert ([EASY, HARD], {"7": 12}) == (again.puzzles, again.games)
    assert [file] == list(tmp_path.iterdir())
    assert 150 * 2 > len(book.text())
    for other in ("pinoy", "tama"):
        with pytest.raises(PuzzleBookError, match=f"holds no puzzles of {other}: they are of spanish"):
            PuzzleBook.opened(file, other, {})
    for text in (
        "",
        "{}",
        "[]",
        "1100 - W:Wa1:Bb2 a1-b2",
        book.text() + "nonsense\n",
        book.text() + "1 - W:Wa1:Bb8 a1-h8\n",
    ):
        file.write_text(text)
        with pytest.raises(PuzzleBookError, match="holds no puzzles of spanish"):
            PuzzleBook.opened(file, "spanish", {})


def test_a_search_for_puzzles_goes_on_where_it_was(
    played: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games of a seed that the file has had are not played again; another seed's are. In the end it holds each puzzle
    once, and says what it is from."""
    file = tmp_path / "spanish.txt"
    asked = ["puzzles", "spanish", "--into", str(file), "--games"]
    assert 0 == main([*asked, "3"])
    assert 0 == main([*asked, "6"])
    assert list(range(6)) == played
    assert 2 == len(capsys.readouterr().out.splitlines())
    assert [EASY, HARD] == list(puzzles_in(file.read_text()))
    assert 0 == main([*asked, "6", "--seed", "9"])
    assert "no new puzzle" in capsys.readouterr().err
    assert {"0": 6, "9": 6} == PuzzleBook.opened(file, "spanish", {}).games
    assert 2 == main(["puzzles", "pinoy", "--into", str(file)])
    assert "they are of spanish" in capsys.readouterr().err


def test_a_search_that_is_broken_off_has_kept_what_it_found(
    played: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for the games since it was written last, which are played again."""
    monkeypatch.setattr("bot.cli.making.AT_ONCE", 2)
    file = tmp_path / "spanish.txt"
    with monkeypatch.context() as dying:
        dying.setattr("bot.cli.making.line_of", Mock(side_effect=MemoryError))
        with pytest.raises(MemoryError):
            main(["puzzles", "spanish", "--into", str(file), "--games", "6"])
    assert {"0": 1} == PuzzleBook.opened(file, "spanish", {}).games
    assert 0 == main(["puzzles", "spanish", "--into", str(file), "--games", "6"])
    assert [0, 1, 2, 1, 2, 3, 4, 5] == played
    assert [EASY, HARD] == PuzzleBook.opened(file, "spanish", {}).puzzles


def test_a_book_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What the search finds with another solution, or not at all, is printed; nothing is played for it."""
    monkeypatch.setattr("bot.computer.puzzles.SEARCHED", 2_500)
    file = tmp_path / "pinoy.txt"
    position, solution = "W:Wa3,d2,d6,e1,e3:Ba5,d8,Kh6,h8", ("d6-c7", "d8xb6", "d2-c3", "h6xd2xb4", "a3xc5xa7")
    holds = Puzzle("pinoy", {}, position, solution, 1500, ("sacrifices", "king-caught"))
    book = PuzzleBook("pinoy", {})
    book.add((holds,))
    book.write(file)
    assert 0 == main(["puzzles", "pinoy", "--check", str(file)])
    wrong = holds._replace(position="W:Wa3,c3,d4:Ba5,b6,f6", solution=("a3-b4", "f6-g5", "d4-e5"), themes=())
    assert 1 == book.add((wrong,))
    book.write(file)
    capsys.readouterr()
    assert 1 == main(["puzzles", "pinoy", "--check", str(file)])
    assert [line_of(wrong)] == capsys.readouterr().out.splitlines()
    assert 1 == main(["puzzles", "pinoy", "--check", str(tmp_path / "none.txt")])
    assert "none.txt cannot be read" in capsys.readouterr().err
