"""Text to squares and back: typed moves and position strings of the square boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from bot.engine.boards import FILES, Board
from bot.engine.errors import UNREADABLE, BadOrder, BadPosition, IllegalMove, NotAMove, Unreadable, echoed
from bot.engine.move_text import HUFF, plain
from bot.engine.turns import Seat
from bot.i18n import _
from bot.support.frozen import frozen

_ORDERS = dict.fromkeys(HUFF.split("|"), "huff") | dict.fromkeys(("oblige", "obligar", "obligo"), "oblige")
# What may stand between a huff and its square: "soplo la ficha de d4".
_ITS_PIECE = frozenset(
    (
        "the",
        "piece",
        "man",
        "king",
        "on",
        "at",
        "la",
        "el",
        "su",
        "tu",
        "ficha",
        "pieza",
        "peon",
        "peón",
        "dama",
        "rey",
        "de",
    )
)
_LONGEST = 120


@frozen
class Typed:
    """What a typed text says. ``places`` in the order typed; ``capture`` True with x or :, False with -, None where the
    text does not tell; ``order`` "huff" or "oblige" instead of a move."""

    places: tuple[int, ...]
    capture: bool | None = None
    order: Literal["huff", "oblige"] | None = None


@lru_cache(maxsize=32)
def _square_pattern(board: Board) -> re.Pattern[str]:
    ranks = "|".join(str(rank) for rank in range(board.height, 0, -1))
    return re.compile(f"[{FILES[: board.width]}](?:{ranks})")


@lru_cache(maxsize=32)
def _move_pattern(board: Board) -> re.Pattern[str]:
    square = _square_pattern(board).pattern
    return re.compile(f"{square}(?:[-x:]?{square})*")


def read_move(text: str, board: Board, huffed: Sequence[int] = ()) -> Typed:
    """What ``text`` says, legal or not; ``huffed``: the places of the pieces that may be huffed. Raises NotAMove, or
    IllegalMove for a square that is not played on."""
    if len(text) > _LONGEST:
        raise NotAMove(_("That is too long for a move."))
    # "Te soplo", as Spanish players say it.
    words = plain(text).removeprefix("te ")
    first, *rest = words.split() or [""]
    if first in _ORDERS:
        return _read_order(first, "".join(word for word in rest if word not in _ITS_PIECE), board, huffed)
    spaced = " ".join(words.split())
    # Numbers that nothing but spaces parts would be one number without them.
    joined = spaced if re.fullmatch("[0-9 ]+", spaced) else re.sub(r"--+", "-", spaced.replace(" ", ""))
    more = "*" if board.by_number else "+"
    if re.fullmatch(rf"[0-9]+(?:[-x: ][0-9]+){more}", joined) and board.number_index:
        places = [_numbered(number, board) for number in re.split("[-x: ]", joined)]
    elif _move_pattern(board).fullmatch(joined):
        places = [_played(name, board) for name in _square_pattern(board).findall(joined)]
    else:
        raise Unreadable(_(UNREADABLE))
    capture = True if re.search("[x:]", joined) else False if "-" in joined else None
    return Typed(tuple(places), capture)


def is_order(text: str) -> bool:
    """Whether ``text`` says to huff or to oblige, however the rest of it reads."""
    return next(iter(plain(text).removeprefix("te ").split()), "") in _ORDERS


def _read_order(word: str, rest: str, board: Board, huffed: Sequence[int]) -> Typed:
    if _ORDERS[word] == "oblige":
        if rest:
            raise BadOrder(_("To oblige the capture, type oblige alone."))
        return Typed((), order="oblige")
    if re.fullmatch("[0-9]+", rest) and board.number_index:
        return Typed((_numbered(rest, board),), order="huff")
    if rest and not _square_pattern(board).fullmatch(rest):
        example = board.names[huffed[0] if huffed else sorted(board.played)[len(board.played) // 2]]
        raise BadOrder(_("To huff a piece, give its square: {order}.").format(order=f"`{word} {example}`"))
    return Typed((_played(rest, board),) if rest else (), order="huff")


def _numbered(text: str, board: Board) -> int:
    # Longer than any number there is: not even worth turning into one.
    place = board.number_index.get(int(text)) if len(text) <= 4 else None
    if place is None:
        template = _("There is no square {number}; the squares are numbered 1 to {last}.")
        raise NotAMove(template.format(number=text[:12], last=len(board.number_index)))
    return place


def _played(name: str, board: Board) -> int:
    place = board.index[name]
    if place not in board.played:
        raise IllegalMove(_("{square} is not used in this game").format(square=name))
    return place


# Position strings


def write_position(turn: int, men: Sequence[int], kings: Sequence[int], board: Board, seats: Sequence[Seat]) -> str:
    """The position string: the side to move, then White's pieces and Black's by file, then rank, or by number; K before
    a king."""
    parts = {}
    for side, seat in enumerate(seats):
        occupied = (place for place in board.played if (men[side] | kings[side]) >> place & 1)
        places = sorted(occupied, key=board.ranks.__getitem__)
        parts[seat.key] = ",".join(("K" if kings[side] >> p & 1 else "") + board.names[p] for p in places)
    return f"{seats[turn].key}:W{parts['W']}:B{parts['B']}"


def read_position(
    text: str, board: Board, crown: tuple[int, int], seats: Sequence[Seat]
) -> tuple[int, tuple[int, int], tuple[int, int]]:
    """The side to move and the bits of both sides' men and kings. ``crown``: bits of each side's last row. Squares are
    names or numbers, and numbers may be ranges, as PDN has them: ``31-50`` are men, ``K1-3`` kings.

    Raises BadPosition with what is wrong: an unreadable part, a square twice, a man on its last row.
    """
    parts = "".join(text.split()).rstrip(".").split(":")
    if len(parts) != 3 or {part[:1].upper() for part in parts[1:]} != {"W", "B"} or parts[0].upper() not in ("W", "B"):
        template = _("cannot read the position {text}; {example}")
        raise BadPosition(template.format(text=repr(echoed(text)), example=_example(board)))
    sides = {seat.key: side for side, seat in enumerate(seats)}
    men, kings = [0, 0], [0, 0]
    for part in parts[1:]:
        side = sides[part[0].upper()]
        for word in (word.strip() for word in part[1:].split(",") if part[1:].strip()):
            king = _is_king(word, board)
            for place in _position_squares(word[1:] if king else word, board):
                bit = 1 << place
                if (men[0] | men[1] | kings[0] | kings[1]) & bit:
                    raise BadPosition(_("{square} is named twice").format(square=board.names[place]))
                if not king and crown[side] & bit:
                    template = _("a man of {side} on {square} would be a king: write K")
                    raise BadPosition(template.format(side=seats[side].name, square=board.names[place]))
                (kings if king else men)[side] |= bit
    return sides[parts[0].upper()], (men[0], men[1]), (kings[0], kings[1])


def _is_king(word: str, board: Board) -> bool:
    """Whether ``word`` begins with the K of a king. On boards with a file k a small letter is the file, and so is a
    capital where a number behind it is no square's."""
    if word.lower() not in board.index:
        return word[:1] in ("K", "k")
    return word[0] == "K" and int(word[1:]) in board.number_index


def _example(board: Board) -> str:
    position = "W:W21-24,K15:B5,8" if board.by_number else "W:Wc3,e3,Kd4:Bb8"
    return _("a position is written like {position}").format(position=position)


def _position_squares(word: str, board: Board) -> list[int]:
    """The squares that a part names: one, or a range of numbers."""
    ends = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", word)
    if ends is None:
        return [_position_square(word, board)]
    for end in ends.groups():
        _position_square(end, board)  # is there
    numbers = range(int(ends[1]), int(ends[2]) + 1)
    if not numbers:
        template = _("{range} names no squares: write the smaller number first")
        raise BadPosition(template.format(range=repr(echoed(word))))
    return [board.number_index[number] for number in numbers]


def _position_square(word: str, board: Board) -> int:
    place = board.index.get(word.lower())
    if place is None and word.isascii() and word.isdigit() and len(word) <= 4:
        place = board.number_index.get(int(word))
    if place is None:
        template = _("{word} is not a square of this board; {example}")
        raise BadPosition(template.format(word=repr(echoed(word[:12])), example=_example(board)))
    if place not in board.played:
        template = _("{square} is not used in this game")
        raise BadPosition(template.format(square=board.names[place]))
    return place
