"""The colours of the boards, and how far apart they are."""

from __future__ import annotations

from dataclasses import dataclass

from render.scene import Look, Palette

RGB = tuple[int, int, int]


def rgb(text: str) -> RGB:
    """``#RRGGBB`` as three numbers."""
    return (int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """``a`` with ``share`` (0 to 1) of it replaced by ``b``."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2)."""
    parts = [value / 255 for value in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: RGB, b: RGB) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


FRAME = rgb("#2B2320")
FRAME_EDGE = rgb("#171210")
PILL = rgb("#453932")
TEXT = rgb("#F6EBD9")
DIM = rgb("#C3B5A2")
TURN = rgb("#7BDCA0")
WHITE = rgb("#FFFFFF")
CROSS = rgb("#C01818")
TARGET = rgb("#0E6B3F")
GOLD = rgb("#F5B321")
GOLD_DARK = rgb("#3A2303")


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
    """The colours of a draughts board: the squares played on, the others, lines, the last turn's tint and its route."""

    played: RGB
    other: RGB
    line: RGB
    tint: RGB
    route: RGB
    sides: tuple[Side, Side]


IVORY = Side(
    rgb("#FBF3E2"), rgb("#FFFDF6"), rgb("#CDB994"), rgb("#6B5233"), rgb("#B69C74"), rgb("#2A1E12"), rgb("#D3D2CC")
)
EBONY = Side(FRAME, rgb("#464146"), rgb("#6B656B"), FRAME_EDGE, FRAME_EDGE, rgb("#FFFFFF"), rgb("#6B656B"))
RED = Side(CROSS, rgb("#CE3A30"), rgb("#EE9A86"), rgb("#4C0905"), rgb("#74100C"), rgb("#FFFFFF"), rgb("#D98A78"))
WHITE_MEN = Side(
    rgb("#FBF3E2"), rgb("#FFFFFF"), rgb("#BDB6A8"), rgb("#4D4A45"), rgb("#9D988E"), rgb("#1F1C18"), rgb("#CFCFCF")
)

BROWN = Theme(rgb("#B07E55"), rgb("#F0DAB4"), rgb("#7A5230"), rgb("#C3BC45"), rgb("#0F58AC"), (IVORY, EBONY))
SLATE = Theme(rgb("#7F98AA"), rgb("#EAE5D8"), rgb("#4C6171"), rgb("#BDBB5A"), rgb("#3B1E87"), (RED, WHITE_MEN))
PLANK = Theme(rgb("#DDB27C"), rgb("#DDB27C"), rgb("#6A4322"), rgb("#D6CE55"), rgb("#0F58AC"), (IVORY, EBONY))
PLANK_RED = Theme(rgb("#DDB27C"), rgb("#DDB27C"), rgb("#6A4322"), rgb("#D6CE55"), rgb("#3B1E87"), (RED, WHITE_MEN))


def theme(look: Look, palette: Palette) -> Theme:
    """The colours of a draughts look in one of the palettes."""
    if look == "chequered":
        return BROWN if palette == "ivory" else SLATE
    return PLANK if palette == "ivory" else PLANK_RED


def number_colour(theme: Theme) -> RGB:
    """The colour of the squares' numbers."""
    return mix(theme.played, (0, 0, 0), 0.75)


def _inks(hexes: str) -> tuple[RGB, ...]:
    return tuple(rgb(each) for each in hexes.split())


# Sixteen inks for each board of squares: what is flat in the picture, and the shades that soften its edges. Sixteen fit
# four bits a pixel. A row of the picture is then half as long, and deflate, which looks 32,768 bytes back, finds each
# piece of the row of squares above again.
INKS: dict[tuple[Look, Palette], tuple[RGB, ...]] = {
    ("lined", "ivory"): _inks(
        "#171210 #2B2320 #6B656B #6A4322 #A37A4F #C3B5A2 #DDB27C #EBD0A6 #D3D2CC #FBF3E2 #F5B321 #D6CE55 #0F58AC "
        "#C01818 #7BDCA0 #0E6B3F"
    ),
    ("lined", "red"): _inks(
        "#171210 #2B2320 #5A0F0A #6A4322 #A37A4F #C3B5A2 #DDB27C #D98A78 #CFCFCF #FBF3E2 #F5B321 #D6CE55 #3B1E87 "
        "#C01818 #7BDCA0 #0E6B3F"
    ),
    ("plain", "ivory"): _inks(
        "#171210 #2B2320 #6B656B #6A4322 #A37A4F #C3B5A2 #DDB27C #EBD0A6 #B69C74 #FBF3E2 #F5B321 #D6CE55 #0F58AC "
        "#C01818 #7BDCA0 #0E6B3F"
    ),
    ("plain", "red"): _inks(
        "#171210 #2B2320 #74100C #6A4322 #A37A4F #C3B5A2 #DDB27C #E59A80 #9D988E #FBF3E2 #F5B321 #D6CE55 #3B1E87 "
        "#C01818 #7BDCA0 #0E6B3F"
    ),
    ("chequered", "ivory"): _inks(
        "#171210 #2B2320 #464146 #6B656B #6B5233 #B69C74 #C3B5A2 #B07E55 #F0DAB4 #FBF3E2 #F5B321 #C3BC45 #0F58AC "
        "#C01818 #7BDCA0 #0E6B3F"
    ),
    ("chequered", "red"): _inks(
        "#171210 #2B2320 #74100C #B06068 #E59A80 #9D988E #C3B5A2 #7F98AA #EAE5D8 #FBF3E2 #F5B321 #BDBB5A #3B1E87 "
        "#C01818 #7BDCA0 #0E6B3F"
    ),
}
