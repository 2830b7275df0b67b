"""The games that are shipped, as tests go through them: all where it is cheap, some where one more teaches nothing."""

from __future__ import annotations

from bot.engine import variants

EVERY = variants.names()
DRAUGHTS = tuple(name for name in EVERY if variants.load(name).family == "draughts")
FIRST = tuple(name for name in EVERY if variants.load(name).tables.featured)
"""The five that are offered first, with weights, endgame tables and puzzles of their own."""

SOME = (*FIRST, "canadian", "english", "thai", "turkish")
"""The five, and others that differ from them most: the largest board, Black to begin, other kings, all squares."""
