"""The rows that docs/family.md must have: what the files say, in the words of the files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bot.engine import variants
from bot.engine.variant_tables import DraughtsTables
from bot.engine.variants import Variant, show
from tests.support.engine.shipped import DRAUGHTS, FIRST

PAGE = Path(__file__).parents[3] / "docs" / "family.md"
WIDER = tuple(name for name in DRAUGHTS if name not in FIRST)


def section(title: str) -> str:
    """A section of the page."""
    return PAGE.read_text("utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """The rows of a section's table, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def games() -> Iterator[list[str]]:
    """Game, name, board, men of each side, who begins, PDN's game type."""
    for name in WIDER:
        variant, tables = loaded(name)
        board = tables.board
        squares = "all" if board.squares == "all" else f"of the lower {board.corner}"
        men = len(tables.start.rows) * (board.width if board.squares == "all" else board.width // 2)
        kind = f"`{tables.pdn.game_type}`" if tables.pdn.game_type else ""
        yield [f"`{name}`", f"{variant.name}", f"{board.width}x{board.height}, {squares}", str(men), tables.first, kind]


def axes() -> Iterator[list[str]]:
    """Game, where men capture to, kings, which capture, when captured pieces leave, crowning, what wins."""
    for name in WIDER:
        _variant, tables = loaded(name)
        man = "forward, backward" if set(tables.king.captures) == set(tables.man.captures) else "forward"
        if "sideways-straight" in tables.man.captures:
            man = "in all eight directions"
        if "sideways" in tables.man.captures:
            man = "forward, sideways"
        king = f"{tables.king.reach}, `{tables.king.lands}`" if tables.king.reach == "long" else tables.king.reach
        chosen = ", ".join(f"`{criterion}`" for criterion in tables.capture.choice) or "any"
        if not tables.man.captures_kings:
            man += ", no kings"
        leave = f"`{tables.capture.removal}`"
        crowning, wins = f"`{tables.capture.crowning}`", f"`{tables.outcome.wins}`"
        yield [f"`{name}`", man, king, chosen, leave, crowning, wins]


def options() -> Iterator[list[str]]:
    """Game, and what may be chosen, the usual value first."""
    for name in WIDER:
        variant, _tables = loaded(name)
        offered = [
            f"`{spec.name}`: {', '.join(show(value) for value in spec.values)}"
            + (f", {spec.bounds[0]} to {spec.bounds[1]}" if spec.bounds else "")
            for spec in variant.option_specs.values()
        ]
        yield [f"`{name}`", "; ".join(offered)]


def counts() -> dict[str, list[int]]:
    """The known counts of each game by depth, from 1 on."""
    return {name.strip("`"): [int(cell) for cell in cells if cell] for name, *cells in rows("Known counts")}


def deep_counts() -> dict[str, tuple[int, int]]:
    """For each game a depth of about a minute, and its count."""
    return {name.strip("`"): (int(depth), int(count)) for name, depth, count, *_ in rows("Deep counts")}


def loaded(name: str) -> tuple[Variant, DraughtsTables]:
    variant = variants.load(name)
    assert isinstance(variant.tables, DraughtsTables)
    return variant, variant.tables


def table(head: list[str], made: Iterator[list[str]]) -> str:
    """A table of the page, to be pasted there."""
    lines = [head, ["---"] * len(head), *made]
    return "\n".join("| " + re.sub(" +", " ", " | ".join(line)) + " |" for line in lines)
