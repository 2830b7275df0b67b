"""Tables of tournaments and ratings: who stands where, and who played whom."""

from __future__ import annotations

from collections.abc import Sequence

from render import glyphs, sheet, text
from render.charts.contents import Cell, CrossLine, CrossTable, Line, Table, paged
from render.sheet import BAND, BRONZE, DIM, EDGE, GOLD, GREEN, LOST, RED, RULE, SILVER, TEXT, WON, Sheet

NAME_LEAST = 220
MEDALS = {1: GOLD, 2: SILVER, 3: BRONZE}


def table_pages(table: Table, most: int | None = None) -> tuple[bytes, ...]:
    """The table as PNG files of up to 24 lines, 768 pixels wide, at most 60 KB each; no more than ``most`` of them.

    Values that leave too little room for names are left out, the last ones first. Without lines one page with the
    heads alone."""
    columns = _columns(table)
    pages = paged(table.lines)
    return tuple(_page(table, columns, lines, i, len(pages)) for i, lines in enumerate(pages[:most], start=1))


def _columns(table: Table) -> list[int]:
    """The widths of the columns of values that are shown."""
    widths: list[int] = []
    room = sheet.WIDTH - 2 * EDGE - _start(table) - NAME_LEAST
    for i, heading in enumerate(table.headings):
        size = 24 if i == 0 else 20
        wide = max(
            text.width(glyphs.writable(heading), 18, True),
            *(text.width(line.values[i], size, i == 0) for line in table.lines if i < len(line.values)),
            24,
        )
        if widths and sum(widths) + wide + 20 > room:
            break
        widths.append(wide + 20)
    return widths


def _start(table: Table) -> int:
    """Where names begin."""
    return 52 + (48 if any(line.change is not None for line in table.lines) else 0)


def _page(table: Table, columns: Sequence[int], lines: Sequence[Line], number: int, pages: int) -> bytes:
    high = 44
    page, head = _headed(table, sheet.WIDTH, high * len(lines), number, pages)
    start, right = _start(table), page.width - EDGE
    edges = [right - sum(columns[i + 1 :]) for i in range(len(columns))]
    names = right - sum(columns) - EDGE - start - 8
    page.write(glyphs.writable(table.player), EDGE + start, head + 14, 18, DIM, bold=True, room=names)
    for i, edge in enumerate(edges):
        page.write(glyphs.writable(table.headings[i]), edge - 6, head + 14, 18, DIM, bold=True, anchor="right")
    for row, line in enumerate(lines):
        top = head + 34 + row * high
        y = top + high // 2
        if row % 2 == 0:
            page.box(EDGE - 8, top, right + 8, top + high, BAND)
        ink = DIM if line.faded else TEXT
        rank(page, EDGE + 20, y, line.rank, line.medal)
        if line.change is not None:
            _change(page, EDGE + 50, y, line.change)
        name = glyphs.writable(line.name, line.fallback or f"{table.player} {line.rank}")
        page.write(name, EDGE + start, y, 22, ink, bold=line.medal > 0, room=names)
        for i, (edge, value) in enumerate(zip(edges, line.values, strict=False)):
            size, shade = (24, ink) if i == 0 else (20, DIM)
            page.write(value, edge - 6, y, size, shade, bold=i == 0, anchor="right")
    return page.png()


def _headed(table: Table | CrossTable, width: int, lines: int, number: int, pages: int) -> tuple[Sheet, int]:
    """A page with the table's title and its number, and room for headings and ``lines`` pixels; the title's height."""
    page = Sheet(width, (98 if table.note else 64) + 34 + lines + 14)
    if pages > 1:
        page.write(f"{number}/{pages}", page.width - EDGE, 34, 24, DIM, anchor="right")
    return page, page.headed(table.title, table.note, 70 if pages > 1 else 0)


def rank(page: Sheet, x: int, y: int, place: int, medal: int = 0) -> None:
    """A place, on a medal where there is one."""
    if medal in MEDALS:
        page.disc(x, y, 17, MEDALS[medal])
        page.write(str(place), x, y, 20, sheet.INKS[-1], bold=True, anchor="middle")
    else:
        page.write(str(place), x, y, 21, DIM, anchor="middle")


def _change(page: Sheet, x: int, y: int, change: int) -> None:
    """An arrow up or down with the places gained or lost; a dash where nothing has changed."""
    if change == 0:
        page.box(x + 4, y - 1, x + 16, y + 1, RULE)
        return
    ink = GREEN if change > 0 else RED
    page.write("▲" if change > 0 else "▼", x, y, 16, ink)
    page.write(str(abs(change)), x + 17, y, 17, ink)


_DISCS = {"white": TEXT, "black": sheet.INKS[-1], "red": RED}
_GROUNDS = {"won": WON, "lost": LOST, "drawn": RULE, "self": sheet.INKS[-1]}


def cross_pages(table: CrossTable, most: int | None = None) -> tuple[bytes, ...]:
    """The cross-table as PNG files of up to 24 lines, 768 pixels wide or, for many columns, as wide as they need; no
    more than ``most`` of them."""
    wide = 26 + max(
        (text.width(cell.result, 20, True) for line in table.lines for cell in line.cells if not cell.opponent),
        default=12,
    )
    if any(cell.opponent for line in table.lines for cell in line.cells):
        wide = max(wide, 62)
    pages = paged(table.lines)
    return tuple(_cross_page(table, wide, lines, i, len(pages)) for i, lines in enumerate(pages[:most], start=1))


def _cross_page(table: CrossTable, wide: int, lines: Sequence[CrossLine], number: int, pages: int) -> bytes:
    paired = any(cell.opponent for line in table.lines for cell in line.cells)
    high = 56 if paired else 44
    points = 20 + max(
        text.width(glyphs.writable(table.points), 18, True),
        *(text.width(line.points, 24, True) for line in table.lines),
        24,
    )
    cells = wide * len(table.headings)
    width = max(sheet.WIDTH, 2 * EDGE + 52 + NAME_LEAST + points + cells)
    page, head = _headed(table, width, high * len(lines), number, pages)
    right = width - EDGE
    first = right - cells
    names = first - points - EDGE - 52 - 8
    page.write(glyphs.writable(table.player), EDGE + 52, head + 14, 18, DIM, bold=True, room=names)
    page.write(glyphs.writable(table.points), first - 10, head + 14, 18, DIM, bold=True, anchor="right")
    for i, heading in enumerate(table.headings):
        page.write(heading, first + i * wide + wide // 2, head + 14, 18, DIM, bold=True, anchor="middle", room=wide - 4)
    for row, line in enumerate(lines):
        top = head + 34 + row * high
        y = top + high // 2
        if row % 2 == 0:
            page.box(EDGE - 8, top, first, top + high, BAND)
        rank(page, EDGE + 20, y, line.rank, line.medal)
        name = glyphs.writable(line.name, line.fallback or f"{table.player} {line.rank}")
        page.write(name, EDGE + 52, y, 22, bold=line.medal > 0, room=names)
        page.write(line.points, first - 10, y, 24, bold=True, anchor="right")
        for i, cell in enumerate(line.cells):
            _cell(page, cell, first + i * wide, top, wide, high)
    return page.png()


def _cell(page: Sheet, cell: Cell, left: int, top: int, wide: int, high: int) -> None:
    page.box(left + 1, top + 1, left + wide - 1, top + high - 1, _GROUNDS.get(cell.kind, BAND))
    x, y = left + wide // 2, top + high // 2
    if not cell.opponent:
        free = cell.kind == "free"
        page.write(cell.result, x, y, 20, DIM if free else TEXT, bold=not free, anchor="middle")
        return
    # Colour and opponent above, the result below.
    if cell.colour:
        page.disc(left + 14, y - 12, 7, _DISCS[cell.colour], DIM)
    page.write(cell.opponent, left + wide - 8, y - 12, 18, DIM, anchor="right")
    page.write(cell.result, x, y + 13, 20, bold=True, anchor="middle")
