"""Brackets of eliminations: matches in columns, the winner of two goes on to the one at their right."""

from __future__ import annotations

from itertools import pairwise

from render import glyphs, sheet
from render.charts.contents import COLUMNS, Bracket, Match
from render.sheet import BAND, DIM, EDGE, GOLD, GREEN, RULE, TEXT, Sheet

HIGH, GAP, KEY = 72, 14, 20
"""Of a match, between two, and of the line with its key."""


def bracket_picture(bracket: Bracket) -> bytes:
    """The bracket as a PNG file, 768 pixels wide, with four columns 980. Raises ValueError for columns that do not fit
    together."""
    _check(bracket)
    count = len(bracket.columns)
    width = sheet.WIDTH if count < COLUMNS else 980
    gap = 30
    wide = min(330, (width - 2 * EDGE - gap * (count - 1)) // count)
    head = (98 if bracket.note else 64) + 34
    unit = HIGH + GAP + KEY
    rows = max(len(bracket.columns[0]), 2 if bracket.third else 1)
    foot = (unit + 34 if bracket.third and len(bracket.columns[0]) < 4 else 0) + (52 if bracket.champion else 0)
    page = Sheet(width, head + rows * unit + foot + 10)
    page.headed(bracket.title, bracket.note)
    middles: list[list[int]] = []
    for c, (title, matches) in enumerate(zip(bracket.heads, bracket.columns, strict=True)):
        left = EDGE + c * (wide + gap)
        page.write(glyphs.writable(title), left, head - 18, 18, DIM, bold=True, room=wide)
        if not c:
            middles.append([head + i * unit + KEY + HIGH // 2 for i in range(len(matches))])
        elif len(matches) == len(middles[-1]):
            middles.append(list(middles[-1]))
        else:
            before = middles[-1]
            middles.append([(before[2 * i] + before[2 * i + 1]) // 2 for i in range(len(matches))])
        for i, match in enumerate(matches):
            y = middles[c][i]
            if c:
                _joined(page, middles[c - 1], len(matches) == len(middles[c - 1]), i, left - gap, left, y)
            _match(page, match, left, y - HIGH // 2, wide)
    if bracket.third is not None:
        left = EDGE + (count - 1) * (wide + gap)
        top = middles[-1][-1] + HIGH // 2 + GAP + 34
        page.write(glyphs.writable(bracket.third_head), left, top - 6, 18, DIM, bold=True, room=wide)
        _match(page, bracket.third, left, top + 8 + KEY, wide)
    if bracket.champion:
        y = page.height - 34
        page.disc(EDGE + 17, y, 17, GOLD)
        page.write("1", EDGE + 17, y, 20, sheet.INKS[-1], bold=True, anchor="middle")
        slots = (
            slot for match in bracket.columns[-1] for slot in match.slots if slot.won and slot.name == bracket.champion
        )
        name = glyphs.writable(bracket.champion, next((slot.fallback for slot in slots), "1"))
        page.write(name, EDGE + 48, y, 26, bold=True, room=width - 2 * EDGE - 48)
    return page.png()


def _check(bracket: Bracket) -> None:
    sizes = [len(matches) for matches in bracket.columns]
    if not 1 <= len(sizes) <= COLUMNS or len(bracket.heads) != len(sizes) or not sizes[0]:
        raise ValueError(f"A picture of a bracket has one to {COLUMNS} columns, each with its head and matches.")
    for before, after in pairwise(sizes):
        if after not in (before, before / 2):
            raise ValueError(f"A column of {after} matches cannot follow one of {before}.")


def _joined(page: Sheet, before: list[int], straight: bool, i: int, start: int, end: int, y: int) -> None:
    """The lines from the matches before to this one."""
    middle = (start + end) // 2
    page.box(middle if not straight else start, y - 1, end, y + 1, RULE)
    if not straight:
        upper, lower = before[2 * i], before[2 * i + 1]
        page.box(start, upper - 1, middle, upper + 1, RULE)
        page.box(start, lower - 1, middle, lower + 1, RULE)
        page.box(middle - 1, upper - 1, middle + 1, lower + 1, RULE)


def _match(page: Sheet, match: Match, left: int, top: int, wide: int) -> None:
    half, right = HIGH // 2, left + wide
    page.write(match.key, left + 2, top - KEY // 2, 15, GREEN if match.live else DIM, bold=match.live)
    page.box(left, top, right, top + HIGH, BAND)
    for i, slot in enumerate(match.slots):
        y = top + i * half + half // 2
        if slot.won:
            page.box(left, top + i * half, right, top + (i + 1) * half, sheet.WON)
        ink = TEXT if slot.known and not slot.out else DIM
        room = wide - 20
        if slot.score:
            room -= page.write(slot.score, right - 10, y, 20, ink, bold=slot.won, anchor="right") + 10
        name = glyphs.writable(slot.name, slot.fallback) if slot.name else ""
        page.write(name, left + 10, y, 20 if slot.known else 17, ink, bold=slot.won, room=room)
    page.box(left, top + half - 1, right, top + half, RULE)
    page.frame(left, top, right, top + HIGH, GREEN if match.live else RULE)
