"""A podium: the first three of a tournament on their steps, those who share a place on one."""

from __future__ import annotations

from collections.abc import Sequence

from render import glyphs, sheet
from render.charts.contents import Podium, Step
from render.charts.standings_tables import MEDALS
from render.sheet import BAND, DIM, EDGE, RULE, Sheet

NAMES = 4
"""So many names stand above a step at most."""
_STEPS = {2: (0, 112), 1: (1, 152), 3: (2, 84)}
"""From left to right, and how high each is."""
_LINE, _GAP = 34, 18


def podium_picture(podium: Podium) -> bytes:
    """The podium as a PNG file, 768 pixels wide. Raises ValueError for a place that has no step."""
    if unknown := [step.place for step in podium.steps if step.place not in _STEPS]:
        raise ValueError(f"There is no step for place {unknown[0]}.")
    tallest = max((_STEPS[step.place][1] + _LINE * len(_shown(step.names)) for step in podium.steps), default=0)
    page = Sheet(sheet.WIDTH, 98 + tallest + 24 + 16)
    page.headed(podium.title, podium.note)
    wide = (page.width - 2 * EDGE - 2 * _GAP) // 3
    for step in podium.steps:
        column, high = _STEPS[step.place]
        _step(page, step, EDGE + column * (wide + _GAP), page.height - 16 - high, wide)
    return page.png()


def _step(page: Sheet, step: Step, left: int, top: int, wide: int) -> None:
    middle, bottom = left + wide // 2, page.height - 16
    page.box(left, top, left + wide, bottom, BAND)
    page.frame(left, top, left + wide, bottom, RULE)
    page.disc(middle, top + 34, 22, MEDALS[step.place])
    page.write(str(step.place), middle, top + 34, 26, sheet.INKS[-1], bold=True, anchor="middle")
    page.write(
        glyphs.writable(step.note) if step.note else "", middle, top + 68, 18, DIM, anchor="middle", room=wide - 8
    )
    for row, name in enumerate(reversed(_shown(step.names))):
        page.write(name, middle, top - 22 - row * _LINE, 24, bold=step.place == 1, anchor="middle", room=wide)


def _shown(names: Sequence[tuple[str, str]]) -> list[str]:
    """The names that fit, and how many there are besides."""
    most = NAMES if len(names) <= NAMES else NAMES - 1
    shown = [glyphs.writable(name, fallback) for name, fallback in names[:most]]
    return [*shown, f"+ {len(names) - most}"] if len(names) > most else shown
