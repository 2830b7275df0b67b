"""From a game to what its picture shows: engine states in, ``render`` scenes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, Protocol, cast

from bot.engine.boards import Board
from bot.engine.rules import Rules, State
from bot.engine.star.state import StarState
from bot.engine.turns import Piece, Seat, Turn
from bot.engine.variants import Variant
from bot.i18n import _, said
from bot.support.frozen import frozen
from render.scene import STAR_SETS, Mark, Place, Player, Scene, Target
from render.themes import THEMES, WOOD


class ShownGame(Protocol):
    """What pictures and words need of a game: its rules, its state, the position string from which it started, the
    number of its last turn, and the colours of pegs that players picked, by seat."""

    @property
    def rules(self) -> Rules: ...

    @property
    def state(self) -> State: ...

    @property
    def start(self) -> str | None: ...

    @property
    def turn_number(self) -> int: ...

    @property
    def colours(self) -> Sequence[int | None]: ...


@frozen
class ShownPosition:
    """A position that is no game's, to be shown as one."""

    rules: Rules
    state: State
    start: str | None = None
    turn_number: int = 0
    colours: tuple[int | None, ...] = ()


@frozen
class Highlights:
    """What a picture points out, by place index: ``targets``, marked and named; ``named``, the places of pieces that
    bear their names; ``chosen``, where a piece is ringed and named: then the last turn is not shown."""

    targets: tuple[int, ...] = ()
    named: tuple[int, ...] = ()
    chosen: int | None = None


NOTHING: Final = Highlights()


# The peg sets that start in the upper half of a star.
_FAR_SETS = ("NW", "N", "NE")

# By the words of variant files: a palette, and whether the first player has the second of its two men.
_PALETTES = {
    "white-black": ("ivory", False),
    "black-white": ("ivory", True),
    "red-white": ("red", False),
    "white-red": ("red", True),
}


def look_of(variant: Variant) -> tuple[str, str, bool]:
    """The look and the palette of a variant's pictures (render.themes), and whether the two men change places."""
    if variant.tables.family != "draughts":
        return "star", "ivory", False
    board = variant.tables.board
    return board.look, *_PALETTES[board.palette]


PieceColour = Literal["white", "black", "red"]


def piece_colours(variant: Variant) -> tuple[PieceColour, PieceColour]:
    """Which pieces whoever begins has, and the other; on a star, where they have all colours, as in most games."""
    if variant.tables.family != "draughts":
        return "white", "black"
    first, second = cast(tuple[PieceColour, PieceColour], variant.tables.board.palette.split("-"))
    return first, second


def accent(variant: Variant) -> int:
    """The colour that stands for a variant beside words about it: that of its board, 0xRRGGBB."""
    look, palette, _swapped = look_of(variant)
    red, green, blue = WOOD if look == "star" else THEMES[look, palette].played
    return red << 16 | green << 8 | blue


def scene_of(
    game: ShownGame,
    names: Sequence[str],
    *,
    turned: bool = False,
    numbers: bool = False,
    highlights: Highlights = NOTHING,
    size: int = 0,
    places: Sequence[int] = (),
) -> Scene:
    """The picture of ``game`` as it stands. ``names`` by seat ("" for none); ``turned`` shows it from the second
    player's side; ``numbers`` writes the squares' numbers, also where the game is written in letters;
    ``size`` is the width in pixels (0: the look's own); ``places`` in which the players of a table came in, by seat."""
    rules, state = game.rules, game.state
    look, palette, swapped = look_of(rules.variant)
    board = rules.board
    over = state.outcome is not None
    star = look == "star"

    def called(place: int) -> str:
        return str(board.numbers[place]) if numbers and board.numbers[place] is not None else board.names[place]

    def mark(place: int, piece: Piece) -> Mark:
        side = STAR_SETS.index(piece.set) if star else _colour(piece.owner, swapped)
        to_move = star and not over and piece.owner == state.seat and highlights.chosen is None
        label = called(place) if to_move or place in highlights.named or place == highlights.chosen else ""
        return Mark(board.places[place], side, king=piece.kind == "king", label=label)

    last = state.last
    # Where a capture was obliged the move was taken back: nothing of it is to be seen.
    retold = last is not None and last.kind == "move" and highlights.chosen is None
    route = tuple(board.places[place] for place in last.path) if last and retold else ()
    lost = rules.lost(state) if highlights.chosen is None else {}
    standing = rules.pieces(state)
    taken = [0] * len(rules.seats) if star else _taken(game, standing)
    out = state.left if isinstance(state, StarState) else ()
    return Scene(
        look=look,
        palette=palette,
        columns=board.width,
        rows=board.height,
        played=_played(board),
        pieces=tuple(mark(place, piece) for place, piece in sorted(standing.items())),
        ghosts=tuple(mark(place, piece) for place, piece in sorted(lost.items())),
        route=route,
        targets=tuple(Target(board.places[place], called(place)) for place in highlights.targets),
        chosen=None if highlights.chosen is None else board.places[highlights.chosen],
        players=tuple(
            Player(
                name=names[seat] if seat < len(names) else "",
                fallback=said(side.name),
                sides=tuple(STAR_SETS.index(pegs) for pegs in side.sets) or (_colour(seat, swapped),),
                to_move=not over and state.seat == seat,
                men=taken[seat],
                note=note,
                out=seat in out,
            )
            for seat, (side, note) in enumerate(zip(rules.seats, _notes(rules, state, places), strict=True))
        ),
        turned=turned,
        numbers=_numbers(rules) if numbers or board.by_number else (),
        names=not board.by_number,
        size=size,
        colours=set_colours(rules.seats, game.colours),
    )


def _notes(rules: Rules, state: State, places: Sequence[int]) -> tuple[str, ...]:
    """What stands beside each player's name: a count, or at a table that somebody is out, or home while others play;
    at its end the place of each, unless all share one."""
    if len(set(places)) > 1:
        return tuple(_("place {place}").format(place=place) for place in places)
    if not isinstance(state, StarState):
        return rules.tally(state)
    notes = list(rules.tally(state))
    for place, seat in enumerate(state.home if rules.variant.options.get("places") else (), start=1):
        notes[seat] = _("place {place}").format(place=place)
    for seat in state.left:
        notes[seat] = _("out")
    return tuple(notes)


def turned_for(rules: Rules, seat: int) -> bool:
    """Whether a seat sees the board turned, with its own side nearest."""
    sets = rules.seats[seat].sets
    return sets[0] in _FAR_SETS if sets else seat > 0


def ends_of(rules: Rules, turns: Iterable[Turn]) -> tuple[int, ...]:
    """Where ``turns`` lead, each place once."""
    return tuple(sorted({turn.path[-1] for turn in turns if turn.kind == "move"}, key=rules.board.ranks.__getitem__))


def starts_of(rules: Rules, turns: Iterable[Turn]) -> tuple[int, ...]:
    """The places of the pieces that ``turns`` move."""
    return tuple(sorted({turn.path[0] for turn in turns if turn.kind == "move"}, key=rules.board.ranks.__getitem__))


def set_colours(seats: Sequence[Seat], picked: Sequence[int | None]) -> tuple[int, ...]:
    """The colour of each peg set, in the order of render.STAR_SETS: what a player picked goes to the first set of its
    seat, the others keep their usual colour or take the first that is free."""
    colours: list[int | None] = [None] * len(STAR_SETS)
    for seat, colour in zip(seats, picked, strict=False):
        if colour is not None and seat.sets:
            colours[STAR_SETS.index(seat.sets[0])] = colour
    for at in range(len(colours)):
        if colours[at] is None and at not in colours:
            colours[at] = at
    free = iter([colour for colour in range(len(colours)) if colour not in colours])
    return tuple(next(free) if colour is None else colour for colour in colours)


def _colour(seat: int, swapped: bool) -> int:
    return 1 - seat if swapped else seat


def _taken(game: ShownGame, standing: Mapping[int, Piece]) -> list[int]:
    """How many pieces each of two seats has taken since the start."""
    at_first, now = _at_first(game.rules, game.start), _by_owner(standing)
    return [at_first[1 - seat] - now[1 - seat] for seat in (0, 1)]


@lru_cache(maxsize=256)
def _at_first(rules: Rules, start: str | None) -> tuple[int, int]:
    """How many pieces each of two seats has where a game starts from the position ``start``."""
    return _by_owner(rules.pieces(rules.start(start)))


def _by_owner(pieces: Mapping[int, Piece]) -> tuple[int, int]:
    seconds = sum(piece.owner for piece in pieces.values())
    return len(pieces) - seconds, seconds


@lru_cache(maxsize=64)
def _played(board: Board) -> frozenset[Place]:
    """The places of ``board`` that are part of the game."""
    return frozenset(board.places[place] for place in board.played)


def _numbers(rules: Rules) -> tuple[tuple[Place, int], ...]:
    pairs = zip(rules.board.places, rules.board.numbers, strict=True)
    return tuple((place, number) for place, number in pairs if number is not None)
