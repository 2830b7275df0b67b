"""Sample tables, brackets and graphs for the tests of pictures."""

from __future__ import annotations

from collections.abc import Callable
from math import sin

from render.charts.brackets import bracket_picture
from render.charts.contents import (
    Bracket,
    Cell,
    CrossLine,
    CrossTable,
    Evaluation,
    Line,
    Match,
    Podium,
    RatingCurve,
    RatingPoint,
    Slot,
    Step,
    Table,
    Turning,
)
from render.charts.graphs import evaluation_graph, rating_graph
from render.charts.podiums import podium_picture
from render.charts.standings_tables import cross_pages, table_pages

NAMES = (
    "José Ñuñez",
    "Արամ Պետրոսյան",
    "Maximiliano Alejandro de los Santos y Villanueva",
    "Ligaya",
    "王小明",
    "Bo",
    "Гоша",
    "W" * 64,
    "Ana",
)


def name(i: int) -> str:
    """The name of player ``i``, from 0."""
    return NAMES[i % len(NAMES)] + (f" {i}" if i >= len(NAMES) else "")


def table(count: int, values: int = 6, *, changes: bool = True) -> Table:
    """Standings of so many players."""
    odd = ("13½", "12", "40¼", "5", "0", "3", "22")
    lines = tuple(
        Line(
            i + 1,
            name(i),
            (f"{7 - i % 7}½", *odd[: values - 1]),
            medal=i + 1 if i < 3 else 0,
            change=i % 5 - 2 if changes else None,
            faded=i == 5,
        )
        for i in range(count)
    )
    headings = ("Pts", "BH-C1", "BH", "SB", "WIN", "DE", "BPG", "KS")[:values]
    return Table("Copa de otoño de la comunidad", "Clasificación tras 3 de 5 rondas", "Jugador", headings, lines)


def swiss(count: int, rounds: int) -> CrossTable:
    """A cross-table by rounds."""
    results = (("1", "won"), ("½", "drawn"), ("0", "lost"), ("+", "won"), ("", ""))
    lines = []
    for i in range(count):
        cells = []
        for r in range(rounds):
            result, kind = results[(i + r) % 5]
            colour = "white" if (i + r) % 2 else "black"
            cells.append(
                Cell("bye", "free") if i == r == 2 else Cell(result, kind, str((i * 7 + r) % count + 1), colour)  # type: ignore[arg-type]
            )
        lines.append(CrossLine(i + 1, name(i), "4½", tuple(cells), i + 1 if i < 3 else 0))
    headings = tuple(str(r + 1) for r in range(rounds))
    return CrossTable("Autumn Cup", f"After {rounds} rounds", "Player", "Points", headings, tuple(lines))


def everybody(count: int, result: str = "1") -> CrossTable:
    """A cross-table of everybody against everybody."""
    lines = tuple(
        CrossLine(
            i + 1,
            name(i),
            "12",
            tuple(Cell("", "self") if i == j else Cell(result, "won") for j in range(count)),
            i < 1,
        )
        for i in range(count)
    )
    headings = tuple(str(i + 1) for i in range(count))
    return CrossTable("Round robin", "", "Player", "Points", headings, lines)


def match(key: str, i: int, done: bool = True) -> Match:
    """A match: over, or with one place still open."""
    won = Slot(name(i), "No 1", "2" if i % 3 == 0 else "", won=done)
    other = Slot(name(i + 3), "No 2", "1" if i % 3 == 0 else "", out=True) if done else Slot("W1-1 ↑", known=False)
    return Match(key, (won, other) if i % 2 else (other, won), live=not done and i % 2 == 0)


def bracket(first: int, columns: int, *, third: bool = False, champion: str = "") -> Bracket:
    """A bracket whose first column has so many matches."""
    made = tuple(
        tuple(match(f"W{c + 1}-{i + 1}", i, c < columns - 1 or bool(champion)) for i in range(first >> c))
        for c in range(columns)
    )
    heads = tuple(f"Round {c + 1}" for c in range(columns))
    below = match("T", 1) if third else None
    return Bracket("Copa de otoño", "Single elimination", heads, made, below, "Third place" if third else "", champion)


LOSERS = Bracket(
    "Copa de otoño",
    "Losers' side",
    ("L1", "L2", "L3", "L4"),
    tuple(tuple(match(f"L{c + 1}-{i + 1}", i, c < 2) for i in range(count)) for c, count in enumerate((4, 4, 2, 2))),
)
PODIUM = Podium(
    "Copa de otoño",
    "Final standings",
    (
        Step(1, ((name(0), "No 1"),), "3½ points"),
        Step(
            2,
            ((name(1), "No 2"), (name(2), "No 3"), (name(3), "No 4"), (name(4), "No 5"), (name(5), "No 6")),
            "3 points",
        ),
    ),
)
GAME = Evaluation(
    tuple(sin(i / 7) * i / 60 for i in range(61)),
    ("José Ñuñez", "Արամ Պետրոսյան"),
    ("White", "Black"),
    ("87 %", "62 %"),
    (Turning(14, "c3-d4?"), Turning(33, "e7xg5??")),
    "How game 12 went",
    "Damas by days",
    "Turns",
)
CURVE = RatingCurve(
    tuple(RatingPoint(i * 3.0 + i * i, 1500 + 9 * i + 40 * sin(i), max(60.0, 300 * 0.9**i)) for i in range(40)),
    "Maria Clara",
    "Dama live: 40 games",
    "3 Jan 2026",
    "21 Nov 2026",
    "1879",
)
SHEETS: dict[str, Callable[[], bytes]] = {
    "sheet-standings": lambda: table_pages(table(9))[0],
    "sheet-leaderboard": lambda: table_pages(table(5, 3, changes=False))[0],
    "sheet-swiss": lambda: cross_pages(swiss(9, 5))[0],
    "sheet-everybody": lambda: cross_pages(everybody(8))[0],
    "sheet-bracket": lambda: bracket_picture(bracket(4, 3, third=True, champion="José Ñuñez")),
    "sheet-losers": lambda: bracket_picture(LOSERS),
    "sheet-podium": lambda: podium_picture(PODIUM),
    "sheet-game": lambda: evaluation_graph(GAME),
    "sheet-rating": lambda: rating_graph(CURVE),
}
