"""Whether a variant file, whose keys and values are right one by one, makes a game when they are taken together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.boards import WAYS, Board, square_board
from bot.engine.variant_tables import DraughtsTables, EndingTable, SideTable, Tables

_CORNERS = {("first", "left"): "0", ("first", "right"): "1", ("second", "left"): "2", ("second", "right"): "3"}
"""PDN's corners of the first square, by where numbers begin."""


def first_fault(tables: Tables) -> str | None:
    """What is wrong, as "key: what is allowed there"; None where the file makes a game."""
    return next(_faults(tables), None) if isinstance(tables, DraughtsTables) else None


def _faults(tables: DraughtsTables) -> Iterator[str]:
    if len({side.strip().casefold() for side in tables.sides}) < 2:
        yield "sides: the two need different names"
    yield from _board(tables)
    yield from _moving(tables)
    yield from _start(tables)
    for number, ending in enumerate(tables.draws.endings):
        where = f"draws.endings.{number}"
        yield from (f"{where}{fault}" for fault in _ending(ending, tables))
        if any(_conditions(ending) == _conditions(other) for other in tables.draws.endings[:number]):
            yield f"{where}: this ending is named twice"
    yield from _pdn(tables)
    yield from _first_move(tables)


def _board(tables: DraughtsTables) -> Iterator[str]:
    board = tables.board
    if board.squares == "all" and board.mirror:
        yield "board.mirror: for boards that are played on one colour"
    if board.numbered_side == "second" and board.numbered_from is None:
        yield "board.numbered_side: needs numbered_from too"


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
                yield f"{where}.{number}: '{name}' is named twice"
            elif where != "capture.choice" and not name.endswith(("-diagonal", "-straight") if diagonal else _SQUARE):
                lines = "the diagonal and the straight ones" if diagonal else "all but the straight ones"
                yield f"{where}.{number}: the board has no '{name}'; it has {lines}"
    if not tables.man.captures and not tables.king.captures:
        yield "man.captures: somebody must be able to capture"
    if tables.capture.king_value != 1 and "most-value" not in tables.capture.choice:
        yield "capture.king_value: needs 'most-value' in capture.choice"


_SQUARE = ("forward", "backward", "sideways", "-diagonal")


def _start(tables: DraughtsTables) -> Iterator[str]:
    start, half = tables.start, tables.board.height // 2
    if bool(start.rows) == bool(start.squares):
        yield "start: either rows or squares"
    if any(not 1 <= row <= half for row in start.rows):
        yield f"start.rows: each row must be from 1 to {half}"
    if len(set(start.rows)) < len(start.rows):
        yield "start.rows: a row is named twice"
    if start.squares and (len(start.squares) != 2 or not all(start.squares)):
        yield "start.squares: a list for either side, with one square at least"
    board = _board_of(tables)
    last = (board.height - 1, 0)
    seen: set[str] = set()
    for side, names in enumerate(start.squares):
        for number, name in enumerate(names):
            where = f"start.squares.{side}.{number}"
            if board.index.get(name) not in board.played:
                yield f"{where}: {name!r} is not a square that is played on"
            elif name in seen:
                yield f"{where}: {name!r} is named twice"
            elif board.places[board.index[name]][1] == last[side]:
                yield f"{where}: a man on {name!r} would be a king"
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
        yield ": either kings, or strong and weak"
        return
    if ending.kings is not None:
        if not 1 <= ending.kings[1] <= ending.kings[0] <= 128:
            yield ".kings: the greater number first, then one of 1 at least"
        if ending.total is not None:
            yield ".total: for endings of strong and weak"
    one_king = ending.kings is not None and ending.kings[1] == 1
    if strong is not None and weak is not None:
        yield from (f".strong{fault}" for fault in _side(strong))
        yield from (f".weak{fault}" for fault in _side(weak))
        least, most = (strong.pieces[end] + weak.pieces[end] for end in (0, 1))
        if ending.total is not None and not (
            _ordered(ending.total) and least <= ending.total[1] and ending.total[0] <= most
        ):
            yield f".total: the least and the most, within {least} to {most}"
        one_king = (weak.pieces, weak.kings) == ([1, 1], [1, 1])
        if ending.result == "win" and strong == weak:
            yield ".result: strong and weak are the same, so nobody would have won"
    if ending.result == "win" and ending.moves:
        yield ".result: a win is at once, with moves = 0"
    if ending.result == "win" and ending.kings is not None and ending.kings[0] == ending.kings[1]:
        yield ".result: both have as many kings, so nobody would have won"
    if ending.counted == "lone" and not one_king:
        yield ".counted: 'lone' is for endings with one king on the weak side"
    if ending.main_road and not one_king:
        yield ".main_road: for endings with one king on the weak side"
    if ending.main_road and tables.board.squares != "diagonal":
        yield ".main_road: for boards that are played on one colour"


def _side(side: SideTable) -> Iterator[str]:
    if not (_ordered(side.pieces) and side.pieces[0] >= 1):
        yield ".pieces: the least and the most, 1 at least"
    if not (_ordered(side.kings) and side.kings[0] >= 0 and side.kings[0] <= side.pieces[1]):
        yield ".kings: the least and the most, no more than there are pieces"


def _ordered(least_and_most: Sequence[int]) -> bool:
    return least_and_most[0] <= least_and_most[1] <= 128


def _pdn(tables: DraughtsTables) -> Iterator[str]:
    if not tables.pdn.game_type:
        return
    board = tables.board
    _, colour, width, height, notation, inverted = tables.pdn.game_type.split(",")
    colour_here = "W" if tables.first == "white" else "B"
    numbers = "N" + _CORNERS[board.numbered_side, board.numbered_from] if board.numbered_from else "A0 (no numbers)"
    inverted_here = "0" if board.squares == "all" or "a1" in _names_played(tables) else "1"
    for given, here, what in (
        (colour, colour_here, "who begins"),
        (width, str(board.width), "the board's width"),
        (height, str(board.height), "the board's height"),
        (notation, notation if notation.startswith("A") else numbers, "where the squares' numbers begin"),
        (inverted, inverted_here, "which corner is played on (0: the lower left one)"),
    ):
        if given != here:
            yield f"pdn.game_type: {given} in it must be {here}: {what}"


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
    yield "start: nobody can move from here"


def _men(tables: DraughtsTables, board: Board, side: int) -> set[tuple[int, int]]:
    """Where a side's men stand before the first move."""
    squares = tables.start.squares[side] if tables.start.squares else ()
    rows = tables.start.rows if side == 0 else [board.height + 1 - row for row in tables.start.rows]
    places = (place for place in board.played if board.places[place][1] + 1 in rows or board.names[place] in squares)
    return {board.places[place] for place in places}
