"""What a PDN file calls squares, results and games: GameType and its parameters (PDN 3.0, "GameType tag")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.engine import variants
from bot.engine.boards import FILES, Board
from bot.engine.errors import BadPosition, NotAMove
from bot.engine.rules import Rules
from bot.engine.turns import Seat
from bot.engine.variants import Variant
from bot.i18n import _
from bot.support.frozen import frozen

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

_GAME_TYPE = (
    r"\s*(?P<number>[0-9]{1,3})\s*(?:,\s*(?P<first>[WB])\s*,\s*(?P<width>[0-9]{1,2})\s*,\s*(?P<height>[0-9]{1,2})\s*"
    r",\s*(?P<notation>[ANS][0-3])\s*(?:,\s*[01]\s*)?)?"
)
SQUARE = r"(?:[a-p][0-9]{1,2}|[0-9]{1,3})"
_FEN_SQUARES = rf"(?i)(?P<king>K?)(?P<square>{SQUARE})(?:-(?P<last>[0-9]{{1,3}}))?"
_COUNTS = r"(?i)[HF][0-9]{1,4}|\+[0-9]\+[0-9]"


@frozen
class GameType:
    """The value of the tag. ``notation`` is a kind (A names, N numbers) and the corner of the first square as whoever
    begins sees the board: 0 and 1 below, 2 and 3 above, even ones at the left; "" where only the number is given. The
    last parameter is not kept: programs have meant two things by it."""

    number: int
    size: tuple[int, int] | None = None
    notation: str = ""


def game_type_of(text: str) -> GameType | None:
    """What the tag's text says; None where it is not written as one."""
    match = re.fullmatch(_GAME_TYPE, text)
    if match is None:
        return None
    size = (int(match["width"]), int(match["height"])) if match["width"] else None
    return GameType(int(match["number"]), size, match["notation"] or "")


class PdnSquares:
    """How a file names the squares of a board: by names, by numbers, or by both. ``notation`` as in GameType; without
    one the numbers are the board's own."""

    def __init__(self, board: Board, notation: str) -> None:
        self.board = board
        corner = int(notation[1]) if notation else 0
        self._numbers: Mapping[int, int] = board.number_index
        self._names: Mapping[str, int] = board.index
        if notation.startswith("N") or (corner and not self._numbers):
            self._numbers = _numbered(board, corner)
        if notation.startswith("A"):
            self._names = {_seen_from(board, place, corner): place for place in range(len(board.names))}
        by_number = notation.startswith("N")
        self._written = {place: str(number) for number, place in self._numbers.items()} if by_number else None
        self._written_names = {place: name for name, place in self._names.items()}

    @property
    def last(self) -> int:
        """The highest number of a square; 0 where squares have none."""
        return len(self._numbers)

    def place(self, text: str) -> int:
        """The place that a name or a number means. Raises NotAMove."""
        if text.isdigit():
            place = self._numbers.get(int(text))
            if place is None:
                raise NotAMove(_("there is no square {square}").format(square=text))
            return place
        place = self._names.get(text.lower())
        if place is None:
            raise NotAMove(_("there is no square {square}").format(square=text))
        return place

    def move(self, text: str) -> str:
        """A move of the file, also one with blanks or without a sign, in the names that the rules read. What is no move
        stays as it is. Raises NotAMove for a square that is not on the board."""
        if re.fullmatch("[0-9]{4}", text) and self.last < 100:
            text = f"{text[:2]}-{text[2:]}"
        squares = re.findall(SQUARE, text.lower())
        if len(squares) < 2 or re.sub(r"[-x:\s]", "", re.sub(SQUARE, "", text.lower())):
            return text
        sign = "x" if re.search("[x:]", re.sub(SQUARE, "", text.lower())) else "-"
        return sign.join(self.board.names[self.place(square)] for square in squares)

    def written(self, place: int) -> str:
        """What the file calls a place."""
        return self._written_names[place] if self._written is None else self._written[place]

    def position(self, position: str) -> str:
        """A position string with the file's squares: a FEN."""
        return self.board.renamed(position, self.written)

    def start(self, fen: str, seats: Sequence[Seat]) -> tuple[str, ...]:
        """The position strings that a FEN may mean: one, or one for each side where it does not say who is to move.
        Ranges, also of kings, are written out. Raises BadPosition."""
        turn, *sides = "".join(fen.split()).rstrip(".").split(":")
        sides = [side for side in sides if not re.fullmatch(_COUNTS, side)]
        if turn == "?":
            turns = [seat.key for seat in seats]
        elif turn.upper() in ("W", "B"):
            turns = [turn.upper()]
        else:
            raise BadPosition(_("a FEN begins with W, B or ?, not with {text}").format(text=repr(turn[:12])))
        if sorted(side[:1].upper() for side in sides) != ["B", "W"]:
            template = _("a FEN names the pieces of both sides, as in W:W31-50:B1-20, not {text}")
            raise BadPosition(template.format(text=repr(fen[:40])))
        pieces = ":".join(f"{side[0].upper()}{','.join(self._standing(side[1:]))}" for side in sides)
        return tuple(f"{turn}:{pieces}" for turn in turns)

    def _standing(self, squares: str) -> list[str]:
        found: list[str] = []
        for word in squares.split(",") if squares else ():
            match = re.fullmatch(_FEN_SQUARES, word)
            try:
                places = [self.place(square) for square in _range(match["square"], match["last"])] if match else []
            except NotAMove:
                places = []
            if not match or not places:
                raise BadPosition(_("{square} is not a square of this board").format(square=repr(word[:12])))
            found += [("K" if match["king"] else "") + self.board.names[place] for place in places]
        return found


def _range(first: str, last: str | None) -> list[str]:
    """The squares from the first to the last; none where these are not numbers."""
    if last is None:
        return [first]
    return [str(number) for number in range(int(first), int(last) + 1)] if first.isdigit() else []


def _numbered(board: Board, corner: int) -> dict[int, int]:
    """The places by number, row by row, from the corner that the notation names."""
    up, right = (1 if corner < 2 else -1), (1 if corner % 2 == 0 else -1)
    ordered = sorted(board.played, key=lambda place: (up * board.places[place][1], right * board.places[place][0]))
    return dict(enumerate(ordered, start=1))


def _seen_from(board: Board, place: int, corner: int) -> str:
    """What a place is called where a1 is in another corner."""
    x, y = board.places[place]
    return f"{FILES[x if corner % 2 == 0 else board.width - 1 - x]}{(y if corner < 2 else board.height - 1 - y) + 1}"


def own_game_type(variant: Variant) -> str:
    """The GameType that a game is written with; "" where it has none, as on the squares of the other colour, which the
    numbers would not mean, and in a server's own game, whose rules are not that type's."""
    tables = _tables(variant)
    return "" if tables.board.mirror or variant.ruleset.server is not None else tables.pdn.game_type


def own_results(variant: Variant) -> tuple[str, str, str]:
    """How a game's results are written: won by who begins, drawn, lost. English and American checkers, in which Black
    begins, have them so in their books and bases; PDN 3.0 does not say."""
    return ("2-0", "1-1", "0-2") if _tables(variant).pdn.results == "2-0" else ("1-0", "1/2-1/2", "0-1")


def own_capture(variant: Variant) -> str:
    """The sign between the squares of a capture."""
    return _tables(variant).pdn.capture


def rising(fen: str) -> str:
    """A position by numbers with the squares of either side in their order, as other programs write it."""
    turn, *sides = fen.split(":")
    in_order = (sorted(side[1:].split(","), key=lambda piece: int(piece.lstrip("K") or 0)) for side in sides)
    return ":".join([turn, *(side[0] + ",".join(pieces) for side, pieces in zip(sides, in_order, strict=True))])


def _tables(variant: Variant) -> DraughtsTables:
    if variant.tables.family != "draughts":
        raise TypeError(f"{variant.id} is not written in PDN")
    return variant.tables


def turned(tags: Mapping[str, str], rules: Rules) -> dict[str, str]:
    """The tags of a transcript for a PDN file and back: a transcript's "White" is who begins, PDN's is White."""
    if rules.seats[0].key == "W":
        return dict(tags)
    return {**tags, "White": tags.get("Black", "?"), "Black": tags.get("White", "?")}


def squares_of(rules: Rules, game_type: GameType | None) -> PdnSquares:
    """The squares of a file that says ``game_type``; where it says no notation, the game's own holds."""
    if game_type is None or not game_type.notation:
        game_type = game_type_of(own_game_type(rules.variant))
    return PdnSquares(rules.board, game_type.notation if game_type else "")


def shown_squares(rules: Rules) -> PdnSquares:
    """The squares of a file that says no GameType: the game's own numbers, and the letters that are shown here, which
    for some games are not those of their GameType."""
    own = game_type_of(own_game_type(rules.variant))
    return PdnSquares(rules.board, own.notation if own is not None and own.notation.startswith("N") else "")


@lru_cache(maxsize=1)
def _known() -> dict[str, GameType | None]:
    """The draughts games that are shipped, with their game types."""
    loaded = [variants.load(name) for name in variants.names()]
    return {v.id: game_type_of(own_game_type(v)) for v in loaded if v.family == "draughts"}


def of_game_type(said: GameType) -> list[str]:
    """The ids of the games that a GameType may be of, the likeliest first. A number alone means numbers for squares."""
    fits = [(name, own) for name, own in _known().items() if own is not None and own.number == said.number]
    if said.size is not None:
        fits = [(name, own) for name, own in fits if own.size == said.size] or fits
    notation = said.notation or "N"
    return [name for name, own in sorted(fits, key=lambda fit: not fit[1].notation.startswith(notation))]


def named(called: str) -> str:
    """The id of the game that other programs call so; "" where none is known."""
    return _by_name(tuple(_known())).get(called.strip().casefold(), "")


@lru_cache(maxsize=4)
def _by_name(games: tuple[str, ...]) -> dict[str, str]:
    """The ids of ``games`` by every name that they have, in small letters."""
    found: dict[str, str] = {}
    for name in games:
        tables = variants.load(name).tables
        found |= dict.fromkeys((called.casefold() for called in (name, tables.name, *tables.aliases)), name)
    return found
