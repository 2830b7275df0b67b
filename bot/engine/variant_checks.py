"""Whether a variant file, whose keys and values are right one by one, makes a game when they are taken together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bot.engine.boards import WAYS, Board, square_board
from bot.i18n import N_, _

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables, EndingTable, SideTable, Tables

_ONE_COLOUR = N_("only for boards that are played on one colour")
_ONE_KING = N_("only for endings with one king on the weak side")
_TWICE = N_("{name} is named twice")

_CORNERS = {("first", "left"): "0", ("first", "right"): "1", ("second", "left"): "2", ("second", "right"): "3"}
"""PDN's corners of the first square, by where numbers begin."""


def first_fault(tables: Tables) -> str | None:
    """What is wrong, as "key: what is allowed there"; None where the file makes a game."""
    return next(_faults(tables), None) if tables.family == "draughts" else None


def _faults(tables: DraughtsTables) -> Iterator[str]:
    if len({side.strip().casefold() for side in tables.sides}) < 2:
        yield f"sides: {_('the two need different names')}"
    yield from _board(tables)
    yield from _moving(tables)
    yield from _start(tables)
    for number, ending in enumerate(tables.draws.endings):
        where = f"draws.endings.{number}"
        yield from (f"{where}{fault}" for fault in _ending(ending, tables))
        if any(_conditions(ending) == _conditions(other) for other in tables.draws.endings[:number]):
            yield f"{where}: {_('this ending is named twice')}"
    yield from _pdn(tables)
    yield from _first_move(tables)


def _board(tables: DraughtsTables) -> Iterator[str]:
    board = tables.board
    if board.squares == "all" and board.mirror:
        yield f"board.mirror: {_(_ONE_COLOUR)}"
    if board.numbered_from is None:
        for key in ("numbered_side", "notation"):
            if getattr(board, key) in ("second", "numbers"):
                yield f"board.{key}: {_('needs numbered_from too')}"


def _moving(tables: DraughtsTables) -> Iterator[str]:
    diagonal = tables.board.squares == "diagonal"
    for where, names in (
        ("man.moves", tables.man.moves),
        ("man.captures", tables.man.captures),
        ("king.moves", tables.king.moves),
        ("king.captures", tables.king.captures),
        ("capture.choice", tables.capture.choice),
    ):
        for number, name in enumerate(names):
            if name in names[:number]:
                yield f"{where}.{number}: {_(_TWICE).format(name=repr(name))}"
            elif where != "capture.choice" and not name.endswith(("-diagonal", "-straight") if diagonal else _SQUARE):
                of_diagonal = _("the board has no {name}; it has the diagonal and the straight directions")
                of_all = _("the board has no {name}; it has all directions but the straight ones")
                yield f"{where}.{number}: {(of_diagonal if diagonal else of_all).format(name=repr(name))}"
    if not tables.man.captures and not tables.king.captures:
        yield f"man.captures: {_('at least one piece must be able to capture')}"
    if tables.capture.king_value != 1 and "most-value" not in tables.capture.choice:
        yield f"capture.king_value: {_('needs {name} in capture.choice').format(name=repr('most-value'))}"


_SQUARE = ("forward", "backward", "sideways", "-diagonal")


def _start(tables: DraughtsTables) -> Iterator[str]:
    start, half = tables.start, tables.board.height // 2
    if bool(start.rows) == bool(start.squares):
        yield f"start: {_('either rows or squares')}"
    if any(not 1 <= row <= half for row in start.rows):
        yield f"start.rows: {_('each row must be from 1 to {most}').format(most=half)}"
    if len(set(start.rows)) < len(start.rows):
        yield f"start.rows: {_('a row is named twice')}"
    if start.squares and (len(start.squares) != 2 or not all(start.squares)):
        yield f"start.squares: {_('a list for either side, with one square at least')}"
    board = _board_of(tables)
    last = (board.height - 1, 0)
    seen: set[str] = set()
    for side, names in enumerate(start.squares):
        for number, name in enumerate(names):
            where = f"start.squares.{side}.{number}"
            if board.index.get(name) not in board.played:
                yield f"{where}: {_('{name} is not a square that is played on').format(name=repr(name))}"
            elif name in seen:
                yield f"{where}: {_(_TWICE).format(name=repr(name))}"
            elif board.places[board.index[name]][1] == last[side]:
                yield f"{where}: {_('a man on {name} would be a king').format(name=repr(name))}"
            seen.add(name)


def _board_of(tables: DraughtsTables) -> Board:
    table = tables.board
    return square_board(table.width, table.height, table.squares, table.corner)


def _conditions(ending: EndingTable) -> object:
    return ending.kings, ending.strong, ending.weak, ending.total, ending.main_road


def _ending(ending: EndingTable, tables: DraughtsTables) -> Iterator[str]:
    """What is wrong with one ending, each as the rest of its key and what is allowed."""
    strong, weak = ending.strong, ending.weak
    if (ending.kings is None) == (strong is None and weak is None) or (strong is None) != (weak is None):
        yield f": {_('either kings, or strong and weak')}"
        return
    if ending.kings is not None:
        if not 1 <= ending.kings[1] <= ending.kings[0] <= 128:
            yield f".kings: {_('the greater number first, then one of 1 at least')}"
        if ending.total is not None:
            yield f".total: {_('for endings of strong and weak')}"
    one_king = ending.kings is not None and ending.kings[1] == 1
    if strong is not None and weak is not None:
        yield from (f".strong{fault}" for fault in _side(strong))
        yield from (f".weak{fault}" for fault in _side(weak))
        least, most = (strong.pieces[end] + weak.pieces[end] for end in (0, 1))
        if ending.total is not None and not (
            _ordered(ending.total) and least <= ending.total[1] and ending.total[0] <= most
        ):
            yield f".total: {_('the least and the most, within {least} to {most}').format(least=least, most=most)}"
        one_king = (weak.pieces, weak.kings) == ([1, 1], [1, 1])
        if ending.result == "win" and strong == weak:
            yield f".result: {_('both sides have the same, so nobody would have won')}"
    if ending.result == "win" and ending.moves:
        yield f".result: {_('a win is at once, with moves = 0')}"
    if ending.result == "win" and ending.kings is not None and ending.kings[0] == ending.kings[1]:
        yield f".result: {_('both sides have the same, so nobody would have won')}"
    if ending.counted == "lone" and not one_king:
        yield f".counted: {_(_ONE_KING)}"
    if ending.main_road and not one_king:
        yield f".main_road: {_(_ONE_KING)}"
    if ending.main_road and tables.board.squares != "diagonal":
        yield f".main_road: {_(_ONE_COLOUR)}"


def _side(side: SideTable) -> Iterator[str]:
    if not (_ordered(side.pieces) and side.pieces[0] >= 1):
        yield f".pieces: {_('the least and the most, 1 at least')}"
    if not (_ordered(side.kings) and side.kings[0] >= 0 and side.kings[0] <= side.pieces[1]):
        yield f".kings: {_('the least and the most, no more than there are pieces')}"


def _ordered(least_and_most: Sequence[int]) -> bool:
    return least_and_most[0] <= least_and_most[1] <= 128


def _pdn(tables: DraughtsTables) -> Iterator[str]:
    if not tables.pdn.game_type:
        return
    board = tables.board
    __, colour, width, height, notation, inverted = tables.pdn.game_type.split(",")
    colour_here = "W" if tables.first == "white" else "B"
    numbers = "N" + _CORNERS[board.numbered_side, board.numbered_from] if board.numbered_from else "A0"
    inverted_here = "0" if board.squares == "all" or "a1" in _names_played(tables) else "1"
    for given, here, what in (
        (colour, colour_here, N_("who begins")),
        (width, str(board.width), N_("the board's width")),
        (height, str(board.height), N_("the board's height")),
        (notation, notation if notation.startswith("A") else numbers, N_("where the squares' numbers begin")),
        (inverted, inverted_here, N_("which corner is played on (0: the lower left one)")),
    ):
        if given != here:
            template = _("{given} in it must be {here}: {what}")
            yield f"pdn.game_type: {template.format(given=given, here=here, what=_(what))}"


def _names_played(tables: DraughtsTables) -> frozenset[str]:
    board = _board_of(tables)
    return frozenset(board.names[place] for place in board.played)


def _first_move(tables: DraughtsTables) -> Iterator[str]:
    """Whether who begins can move or capture."""
    board = _board_of(tables)
    own, foreign = (_men(tables, board, side) for side in (0, 1))
    empty = {board.places[place] for place in board.played} - own - foreign
    for x, y in own:
        if any((x + dx, y + dy) in empty for name in tables.man.moves for dx, dy in WAYS[name]):
            return
        for dx, dy in (step for name in tables.man.captures for step in WAYS[name]):
            if (x + dx, y + dy) in foreign and (x + 2 * dx, y + 2 * dy) in empty:
                return
    yield f"start: {_('nobody can move from here')}"


def _men(tables: DraughtsTables, board: Board, side: int) -> set[tuple[int, int]]:
    """Where a side's men stand before the first move."""
    squares = tables.start.squares[side] if tables.start.squares else ()
    rows = tables.start.rows if side == 0 else [board.height + 1 - row for row in tables.start.rows]
    places = (place for place in board.played if board.places[place][1] + 1 in rows or board.names[place] in squares)
    return {board.places[place] for place in places}
