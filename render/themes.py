"""The themes of boards of squares: their colours, what is drawn on the ground, and how pieces look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from render.colours import CROSS, FRAME, FRAME_EDGE, RGB, mix, rgb

Ground = Literal["squares", "grid", "points"]
PieceStyle = Literal["discs", "caps"]


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one side's pieces: the face, its lit part, grooves, rim, wall below, text on it, and the metal of
    its bottle caps."""

    face: RGB
    lit: RGB
    groove: RGB
    rim: RGB
    wall: RGB
    text: RGB
    metal: RGB


@dataclass(frozen=True, slots=True)
class Theme:
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


def _theme(
    colours: str, sides: tuple[Side, Side], inks: str, ground: Ground = "squares", piece_style: PieceStyle = "discs"
) -> Theme:
    played, other, line, tint, route = map(rgb, colours.split())
    return Theme(played, other, line, tint, route, sides, tuple(map(rgb, inks.split())), ground, piece_style)


IVORY = Side(
    rgb("#FBF3E2"), rgb("#FFFDF6"), rgb("#CDB994"), rgb("#6B5233"), rgb("#B69C74"), rgb("#2A1E12"), rgb("#D3D2CC")
)
EBONY = Side(FRAME, rgb("#464146"), rgb("#6B656B"), FRAME_EDGE, FRAME_EDGE, rgb("#FFFFFF"), rgb("#6B656B"))
RED = Side(CROSS, rgb("#CE3A30"), rgb("#EE9A86"), rgb("#4C0905"), rgb("#74100C"), rgb("#FFFFFF"), rgb("#D98A78"))
WHITE_MEN = Side(
    rgb("#FBF3E2"), rgb("#FFFFFF"), rgb("#BDB6A8"), rgb("#4D4A45"), rgb("#9D988E"), rgb("#1F1C18"), rgb("#CFCFCF")
)

# The inks of a theme: what is flat in the picture, and the shades that soften its edges. Sixteen fit four bits a pixel.
# A row of the picture is then half as long, and deflate, which looks 32,768 bytes back, finds each piece of the row of
# squares above again.
BROWN = _theme(
    "#B07E55 #F0DAB4 #7A5230 #C3BC45 #0F58AC",
    (IVORY, EBONY),
    "#171210 #2B2320 #464146 #6B656B #6B5233 #B69C74 #C3B5A2 #B07E55 #F0DAB4 #FBF3E2 #F5B321 #C3BC45 #0F58AC "
    "#C01818 #7BDCA0 #0E6B3F",
)
SLATE = _theme(
    "#7F98AA #EAE5D8 #4C6171 #BDBB5A #3B1E87",
    (RED, WHITE_MEN),
    "#171210 #2B2320 #74100C #B06068 #E59A80 #9D988E #C3B5A2 #7F98AA #EAE5D8 #FBF3E2 #F5B321 #BDBB5A #3B1E87 "
    "#C01818 #7BDCA0 #0E6B3F",
)
PLANK = _theme(
    "#DDB27C #DDB27C #6A4322 #D6CE55 #0F58AC",
    (IVORY, EBONY),
    "#171210 #2B2320 #6B656B #6A4322 #A37A4F #C3B5A2 #DDB27C #EBD0A6 #B69C74 #FBF3E2 #F5B321 #D6CE55 #0F58AC "
    "#C01818 #7BDCA0 #0E6B3F",
    "grid",
)
PLANK_RED = _theme(
    "#DDB27C #DDB27C #6A4322 #D6CE55 #3B1E87",
    (RED, WHITE_MEN),
    "#171210 #2B2320 #74100C #6A4322 #A37A4F #C3B5A2 #DDB27C #E59A80 #9D988E #FBF3E2 #F5B321 #D6CE55 #3B1E87 "
    "#C01818 #7BDCA0 #0E6B3F",
    "grid",
)
CAPS = _theme(
    "#DDB27C #DDB27C #6A4322 #D6CE55 #0F58AC",
    (IVORY, EBONY),
    "#171210 #2B2320 #6B656B #6A4322 #A37A4F #C3B5A2 #DDB27C #EBD0A6 #D3D2CC #FBF3E2 #F5B321 #D6CE55 #0F58AC "
    "#C01818 #7BDCA0 #0E6B3F",
    "points",
    "caps",
)
CAPS_RED = _theme(
    "#DDB27C #DDB27C #6A4322 #D6CE55 #3B1E87",
    (RED, WHITE_MEN),
    "#171210 #2B2320 #5A0F0A #6A4322 #A37A4F #C3B5A2 #DDB27C #D98A78 #CFCFCF #FBF3E2 #F5B321 #D6CE55 #3B1E87 "
    "#C01818 #7BDCA0 #0E6B3F",
    "points",
    "caps",
)

THEMES: dict[tuple[str, str], Theme] = {
    ("chequered", "ivory"): BROWN,
    ("chequered", "red"): SLATE,
    ("lined", "ivory"): CAPS,
    ("lined", "red"): CAPS_RED,
    ("plain", "ivory"): PLANK,
    ("plain", "red"): PLANK_RED,
}
"""The theme of each look and palette: what a scene may ask for."""

LOOKS = (*dict.fromkeys(look for look, _ in THEMES), "star")
PALETTES = tuple(dict.fromkeys(palette for _, palette in THEMES))
