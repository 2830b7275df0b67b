"""Positions of Tama that were looked for because they are slow: a king among very many ways to capture."""

from __future__ import annotations

from bot.engine import variants

LATTICE = "W:WKa3:BKf8,Kc7,Kg3,Kc3,Ke5,Ka2,Kd7,Kg5,Kh3,Kf4,Kh6,Ka4,Kd2,Kf1,Kb1,Kc8"
MEN = "W:WKh2:Bf4,c6,g6,e5,c7,h6,e2,c2,g7,d4,h4,e7,b3,g4,a6"

HOSTILE = (
    variants.shipped("tama")
    .text.replace('name = "Tama (Armenian draughts)"', 'name = "House dama"')
    .replace("width = 8", "width = 16")
    .replace("height = 8", "height = 16")
    .replace('removal = "at_once"', 'removal = "at_end"')
    .replace('"sideways"]\nreach', '"sideways", "forward-diagonal", "backward-diagonal"]\nreach')
)
"""A game in which kings fly along all lines of a large board, where no captured piece is taken off before the end."""
PREY = ",".join(f"{file}{rank}" for file in "bdfhjln" for rank in range(4, 16, 2))
"""Men among which such a king finds captures without end."""
