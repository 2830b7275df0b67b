"""The themes of boards of squares: their colours, what is drawn on the ground, and how pieces look (themes.toml)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal, NamedTuple

from render.colours import RGB, mix, rgb

Ground = Literal["squares", "grid", "points"]
PieceStyle = Literal["discs", "caps"]


class Side(NamedTuple):
    """The colours of one side's pieces: the face, its lit part, grooves, rim, wall below, text on it, and the metal of
    its bottle caps."""

    face: RGB
    lit: RGB
    groove: RGB
    rim: RGB
    wall: RGB
    text: RGB
    metal: RGB


class Theme(NamedTuple):
    """How a board of squares looks: the colours of squares played on, of the others, of lines, of the last turn's tint
    and of its route, and of both sides' pieces. ``inks`` are the sixteen of the picture. ``ground``: coloured squares,
    a grid of lines, or points joined by lines. ``piece_style``: turned discs, or bottle caps."""

    played: RGB
    other: RGB
    line: RGB
    tint: RGB
    route: RGB
    sides: tuple[Side, Side]
    inks: tuple[RGB, ...]
    ground: Ground
    piece_style: PieceStyle

    @property
    def plain(self) -> RGB:
        """The ground under a piece."""
        return self.played if self.ground == "squares" else self.other

    @property
    def number(self) -> RGB:
        """The colour of the squares' numbers."""
        return mix(self.played, (0, 0, 0), 0.75)


_TABLES = tomllib.loads(Path(__file__).with_name("themes.toml").read_text("utf-8"))

SIDES = {
    name: Side(**{part: rgb(colour) for part, colour in table.items()}) for name, table in _TABLES["sides"].items()
}
"""The colours of pieces, by name."""


def _theme(table: dict[str, Any]) -> Theme:
    colours = {name: rgb(table[name]) for name in ("played", "other", "line", "tint", "route")}
    first, second = (SIDES[name] for name in table["sides"])
    inks = tuple(map(rgb, table["inks"]))
    return Theme(**colours, sides=(first, second), inks=inks, ground=table["ground"], piece_style=table["piece_style"])


THEMES = {
    (look, palette): _theme(table)
    for look, palettes in _TABLES["themes"].items()
    for palette, table in palettes.items()
}
"""The theme of each look and palette: what a scene may ask for."""

WOOD = rgb("#E3C79B")
"""The ground of the star's board."""

LOOKS = (*dict.fromkeys(look for look, _ in THEMES), "star")
PALETTES = tuple(dict.fromkeys(palette for _, palette in THEMES))
