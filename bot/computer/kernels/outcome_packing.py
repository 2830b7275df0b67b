"""Packing who wins the positions of a class (see outcome_blocks), and how far from a conversion, in a form that runs as
it is and that numba compiles as well."""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import Ints
from bot.computer.kernels.outcome_blocks import BLOCK, BLOCK_BITS, LENGTHS
from bot.computer.kernels.outcome_solver import DRAW, MOVES, SHUT, TAKES, WIN

FREE = 3
"""Of a place that nobody asks for."""
END = 255
"""Behind the tokens of a block while they are packed."""
PAIRS = 256


def asked(byte: int) -> int:
    """The worth that a solved byte tells of, FREE where nobody asks for it."""
    if byte == SHUT or (byte >= TAKES and byte < MOVES):
        return FREE
    return byte & 3 if byte >= MOVES else DRAW


def tokens_of(worths: bytearray, start: int, o: Ints, first: int, last: int, tokens: bytearray, top: int) -> int:
    """Enter the numbers from ``first`` to ``last``, whole blocks, as runs; where the list of tokens ends now. ``o``:
    how many ranks the four groups have, the slowest first, then how far each goes in ``worths``."""
    d = first % o[3]
    rest = first // o[3]
    c = rest % o[2]
    rest //= o[2]
    b = rest % o[1]
    a = rest // o[1]
    for block in range(first, last, BLOCK):
        worth = FREE
        length = 0
        for _ in range(block, min(block + BLOCK, last)):
            here = asked(worths[start + a * o[4] + b * o[5] + c * o[6] + d * o[7]] + 0)
            if here not in (worth, FREE):
                if worth != FREE:
                    top = put_run(tokens, top, worth, length)
                    length = 0
                worth = here
            length += 1
            d += 1
            if d == o[3]:
                d = 0
                c += 1
                if c == o[2]:
                    c = 0
                    b += 1
                    if b == o[1]:
                        b = 0
                        a += 1
        top = put_run(tokens, top, DRAW if worth == FREE else worth, length)
        tokens[top] = END
        top += 1
    return top


def fill(worths: bytearray, start: int, size: int, distances: bytearray) -> int:
    """Have all that is not won by moves of a class stand as what is before it; the greatest distance."""
    last = 0
    most = 0
    for place in range(start, start + size):
        byte = worths[place] + 0
        if byte != SHUT and byte >= MOVES and byte & 3 == WIN:
            last = distances[place] + 0
            most = max(most, last)
        else:
            distances[place] = last
    return most


def put_run(tokens: bytearray, top: int, worth: int, length: int) -> int:
    """Enter a run, its longest part first."""
    for bits in range(BLOCK_BITS, -1, -1):
        if length >> bits & 1:
            tokens[top] = worth * LENGTHS + bits
            top += 1
    return top


def commonest(tokens: bytearray, top: int, counts: Ints) -> int:
    """The two tokens that stand most often beside each other, the first times PAIRS more the second; -1 where none do
    often enough."""
    for pair in range(PAIRS * PAIRS):
        counts[pair] = 0
    best = -1
    most = 8
    for i in range(top - 1):
        first, second = tokens[i] + 0, tokens[i + 1] + 0
        if first != END and second != END:
            pair = first * PAIRS + second
            counts[pair] += 1
    for pair in range(PAIRS * PAIRS):
        if counts[pair] > most:
            most = counts[pair]
            best = pair
    return best


def merged(tokens: bytearray, top: int, first: int, second: int, token: int) -> int:
    """Put a token in the place of two, wherever these stand; where the list ends now."""
    at = 0
    i = 0
    while i < top:
        here = tokens[i] + 0
        if here == first and i + 1 < top and tokens[i + 1] == second:
            here = token
            i += 1
        tokens[at] = here
        at += 1
        i += 1
    return at


def without_ends(tokens: bytearray, top: int, begin: int, starts: Ints) -> int:
    """Take the ends out of a list, and note where each block begins, ``begin`` on; where the list ends now."""
    at = 0
    block = 0
    fresh = True
    for i in range(top):
        if fresh:
            starts[block] = begin + at
            block += 1
        fresh = tokens[i] == END
        if not fresh:
            tokens[at] = tokens[i]
            at += 1
    return at
