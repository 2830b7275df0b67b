"""Text to holes and back: typed turns and position strings of the star."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.engine.boards import FILES, STAR_ROWS, Board
from bot.engine.errors import UNREADABLE, BadPosition, IllegalMove, NotAMove, Unreadable, echoed
from bot.engine.move_text import plain
from bot.engine.star.geometry import SETS
from bot.engine.star.movegen import Pegs
from bot.i18n import N_, _

_EXAMPLE = N_("a position is written like 1:S=a1,b1:N=p1,q1")
_LAST = FILES[len(STAR_ROWS) - 1]
_HOLE = re.compile(f"([a-{_LAST}]) ?([1-9][0-9]?)")
_TURN = f"{_HOLE.pattern}(?: ?(?:-+|[x:,])? ?{_HOLE.pattern})*"
_PEGS = 10
# A chain visits each hole of a kind (there are 37 at most) once, but where it swaps.
_LONGEST = 300


def read_turn(text: str, board: Board) -> tuple[int, ...]:
    """The holes that ``text`` names, legal or not. Raises NotAMove, or IllegalMove for a hole that the star has not."""
    if len(text) > _LONGEST:
        raise NotAMove(_("That is too long for a move."))
    words = " ".join(plain(text).split())
    if not re.fullmatch(_TURN, words):
        raise Unreadable(_(UNREADABLE))
    return tuple(_hole(row, number, board) for row, number in _HOLE.findall(words))


def _hole(row: str, number: str, board: Board) -> int:
    place = board.index.get(row + number)
    if place is None:
        last = STAR_ROWS[FILES.index(row)]
        if last > 1:
            template = _("there is no hole {hole}: row {row} has {row}1 to {row}{last}")
        else:
            template = _("there is no hole {hole}: row {row} has {row}1 only")
        raise IllegalMove(template.format(hole=f"{row}{number}", row=row, last=last))
    return place


# Position strings


def write_position(seat: int, pegs: Pegs, sets: Sequence[str], board: Board) -> str:
    """The position string: who is to move, counted from 1, then the holes of each of ``sets``, by row and number."""
    parts = [str(seat + 1)]
    for name in sets:
        code = SETS.index(name) + 1
        parts.append(f"{name}=" + ",".join(board.names[hole] for hole, peg in enumerate(pegs) if peg == code))
    return ":".join(parts)


def read_position(text: str, seats: int, sets: Sequence[str], board: Board) -> tuple[int, dict[str, tuple[int, ...]]]:
    """The seat to move and the holes of each set that is named.

    Raises BadPosition with what is wrong: an unreadable part, a set that is not in the game, a hole named twice.
    """
    first, *parts = text.strip().rstrip(".").split(":")
    number = first.strip()
    if not (number.isascii() and number.isdigit() and len(number) == 1):
        raise _unreadable(text[:80])
    if not 1 <= int(number) <= seats:
        raise BadPosition(_("there is no player {number}: {count} play").format(number=number, count=seats))
    pegs: dict[str, tuple[int, ...]] = {}
    taken: set[int] = set()
    for part in parts:
        name, equals, holes = part.partition("=")
        name = name.strip().upper()
        if not equals or name not in SETS:
            raise _unreadable(part[:40])
        if name not in sets:
            template = _("the set {name} is not in this game; there are {sets}")
            raise BadPosition(template.format(name=name, sets=", ".join(sets)))
        if name in pegs:
            raise BadPosition(_("the set {name} is named twice").format(name=name))
        pegs[name] = tuple(_position_hole(word.strip(), taken, board) for word in holes.split(",") if word.strip())
        if len(pegs[name]) > _PEGS:
            template = _("the set {name} has {most} pegs, not {count}")
            raise BadPosition(template.format(name=name, most=_PEGS, count=len(pegs[name])))
    return int(number) - 1, pegs


def _unreadable(text: str) -> BadPosition:
    template = _("cannot read the position {text}; {example}")
    return BadPosition(template.format(text=repr(echoed(text)), example=_(_EXAMPLE)))


def _position_hole(word: str, taken: set[int], board: Board) -> int:
    place = board.index.get(word.lower())
    if place is None:
        template = _("{word} is not a hole of the star; {example}")
        raise BadPosition(template.format(word=repr(echoed(word[:12])), example=_(_EXAMPLE)))
    if place in taken:
        raise BadPosition(_("{square} is named twice").format(square=board.names[place]))
    taken.add(place)
    return place
