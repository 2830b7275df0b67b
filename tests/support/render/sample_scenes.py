"""Scenes for the tests of pictures."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image

from render import Mark, Place, Player, Scene, Target, draw, star_place
from render.star_board import triangle


def square(name: str) -> Place:
    """ "c3" as a place."""
    return (ord(name[0]) - ord("a"), int(name[1:]) - 1)


def hole(name: str) -> Place:
    """ "e5" of the star as a place."""
    return star_place(ord(name[0]) - ord("a"), int(name[1:]) - 1)


def dark(columns: int, rows: int, odd: int = 0) -> frozenset[Place]:
    """Every other square; a1 among them when ``odd`` is 0."""
    return frozenset((x, y) for x in range(columns) for y in range(rows) if (x + y) % 2 == odd)


ALL = frozenset((x, y) for x in range(8) for y in range(8))


def marks(names: str, side: int) -> tuple[Mark, ...]:
    """ "a3 Kg7" as pieces of a side."""
    return tuple(Mark(square(name.lstrip("K")), side, name.startswith("K")) for name in names.split())


PLAYERS = (
    Player("José Ñuñez", "White", (0,), men=1, kings=1),
    Player("Արամ Պետրոսյան", "Black", (1,), to_move=True, men=2, note="7 of 12"),
)

CAPTURE = Scene(
    look="chequered",
    played=dark(8, 8),
    pieces=marks("a3 b2 a1 c1 e1 f2 g1 h2 g3 Kg7", 0) + marks("b8 d8 f8 a7 c7 e7 b6 a5 h6 Kh4", 1),
    ghosts=marks("d4 f6", 1),
    route=(square("c3"), square("e5"), square("g7")),
    players=PLAYERS,
    caption="Move 12",
)
BARE = replace(CAPTURE, ghosts=(), route=(), players=(), caption="")
LINED = replace(CAPTURE, look="lined")
TAMA = Scene(
    look="plain",
    played=ALL,
    pieces=marks("a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 e3 f3 g3 h3 d4", 0)
    + marks("a6 b6 c6 d6 f6 g6 h6 a7 b7 c7 d7 e7 f7 g7 h7 e5", 1),
    route=(square("e6"), square("e5")),
    players=(Player("Գոհար", "White", (0,), to_move=True), Player("Maria Clara", "Black", (1,))),
)


def home(side: int) -> tuple[Mark, ...]:
    """A peg set in its own triangle."""
    return tuple(Mark(place, side) for place in sorted(triangle(side)))


HOP = (hole("e5"), hole("g5"), hole("g7"), hole("i5"))
_HOPPED = (hole("f5"), hole("g6"), hole("h6"))
STAR = Scene(
    look="star",
    pieces=(
        *(mark for side in range(6) for mark in home(side) if mark.place not in (hole("d1"), hole("e4"), hole("n1"))),
        Mark(_HOPPED[0], 0),
        Mark(_HOPPED[1], 4),
        Mark(_HOPPED[2], 3, label="h6"),
        Mark(HOP[-1], 1),
    ),
    route=HOP,
    targets=(Target(hole("j5"), "j5"), Target(hole("k10"), "k10"), Target(hole("h3"))),
    players=tuple(
        Player(name, fallback, (side,), to_move=side == 3, note=f"{side}/10 home")
        for side, (name, fallback) in enumerate(
            (("Գոհար", "S"), ("Ligaya", "SW"), ("Ñora", "NW"), ("Արամ", "N"), ("Maria", "NE"), ("王小明", "South-east"))
        )
    ),
    caption="Turn 24",
)
STAR_BARE = replace(STAR, pieces=(), route=(), targets=(), players=(), caption="")
TWO_SETS = Scene(
    look="star",
    pieces=tuple(
        mark._replace(label="f10" if mark.place == hole("f10") else "") for side in range(6) for mark in home(side)
    ),
    players=(
        Player("Ana María de la Concepción Fernández", "South", (5, 0, 1), to_move=True, note="0/30 home"),
        Player("Bob", "North", (2, 3, 4), note="12/30 home"),
    ),
    colours=(2, 0, 1, 5, 3, 4),
)


def decoded(data: bytes) -> Image.Image:
    """A PNG file as an RGB picture."""
    return Image.open(io.BytesIO(data)).convert("RGB")


def picture(scene: Scene) -> Image.Image:
    """The scene, drawn and decoded."""
    return decoded(draw(scene))
