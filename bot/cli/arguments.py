"""Numbers as the command line takes them."""

from __future__ import annotations

import argparse


def depth(text: str) -> int:
    """Plies to count, 1 to 99. Raises ArgumentTypeError."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError("DEPTH is a number from 1")
    return int(text)


def seconds(text: str) -> float:
    """Seconds above 0, an hour at most. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 3600:
        raise argparse.ArgumentTypeError("S is a number above 0, at most 3600")
    return number


def nodes(text: str) -> int:
    """A number of positions from 1. Raises ArgumentTypeError."""
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 18 or int(text) < 1:
        raise argparse.ArgumentTypeError("N is a whole number from 1")
    return int(text)


def pieces(text: str) -> int:
    """For how many pieces endgames are solved, 2 to 6. Raises ArgumentTypeError."""
    if text not in ("2", "3", "4", "5", "6"):
        raise argparse.ArgumentTypeError("N is a number from 2 to 6")
    return int(text)
