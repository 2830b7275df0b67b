"""Why games end, and what is counted meanwhile, as phrases: kept in English, said to each in its own language."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final, TypeAlias

from bot.i18n import N_, NP_, Phrase, phrase, pphrase, recognised

SIDE: Final = "side"
"""The context of a side's name ("White"): elsewhere the same word may be a colour."""

KINGS: Final = "kings"
"""The context of a number of kings that others play against."""

_KINGS = (N_("one king"), N_("two kings"), N_("three kings"), N_("four kings"), N_("five kings"))
_MEN = (N_("one man"), N_("two men"), N_("three men"), N_("four men"), N_("five men"))
# Said with pphrase(KINGS, ...).
_OTHERS = (
    NP_("kings", "one"),
    NP_("kings", "two"),
    NP_("kings", "three"),
    NP_("kings", "four"),
    NP_("kings", "five"),
)

_MANY_KINGS, _MANY_MEN = N_("{count} kings"), N_("{count} men")
_BOTH_KINDS = N_("{kings} and {men}")
_ON_ROAD = N_("{others} on the main road")

AGREED: Final = phrase("draw by agreement")
"""The reason of a game that was drawn so."""

REPEATED: Final = phrase("the same position for the third time")
STUCK: Final = phrase("nobody can move")
ALL_HOME: Final = phrase("all the pegs are home")
FILLED: Final = phrase("every free hole of the target is filled")


def named(side: str) -> Phrase:
    """A side's name."""
    return pphrase(SIDE, side)


def _of(template: str, side: str) -> Phrase:
    return phrase(template, side=side)


resigned = partial(_of, N_("{side} resigned"))
out_of_time = partial(_of, N_("{side} ran out of time"))
no_piece = partial(_of, N_("{side} has no piece left"))
no_move = partial(_of, N_("{side} has no legal move"))
one_left = partial(_of, N_("{side} has one piece left"))
first_king = partial(_of, N_("{side} has the first king"))
first_home = partial(_of, N_("{side} came home first"))
first_home_and_agreed = partial(_of, N_("{side} came home first, and the others agreed to a draw"))
"""Each is told the side's name."""

_QUIET = N_("{moves} moves each without a capture or a man's move")
_AT_ONCE = N_("{kings} against {others}")
_OF_LONE = N_("{kings} against {others} after {moves} moves of the lone king")
_OF_EACH = N_("{kings} against {others} after {moves} moves each")


def quiet(moves: int) -> Phrase:
    """Nothing was taken or moved for good for so many moves."""
    return phrase(_QUIET, moves=moves)


Pieces: TypeAlias = tuple[int, int]
"""How many men and how many kings."""


def _number(count: int, words: tuple[str, ...], many: str) -> Phrase:
    return phrase(words[count - 1]) if count <= len(words) else phrase(many, count=count)


def _pieces(men: int, kings: int) -> Phrase:
    if not men:
        return _number(kings, _KINGS, _MANY_KINGS)
    if not kings:
        return _number(men, _MEN, _MANY_MEN)
    return phrase(_BOTH_KINDS, kings=_number(kings, _KINGS, _MANY_KINGS), men=_number(men, _MEN, _MANY_MEN))


def _sides(strong: Pieces, weak: Pieces, main_road: bool) -> dict[str, Phrase]:
    """Who plays against whom. Kings alone against kings alone are named but once."""
    alone = not strong[0] and not weak[0] and weak[1] <= len(_OTHERS)
    others = pphrase(KINGS, _OTHERS[weak[1] - 1]) if alone else _pieces(*weak)
    return {"kings": _pieces(*strong), "others": phrase(_ON_ROAD, others=others) if main_road else others}


@lru_cache(maxsize=256)
def ending(strong: Pieces, weak: Pieces, moves: int, *, lone: bool, main_road: bool = False) -> Phrase:
    """A counted ending: over after ``moves`` moves each, or of the ``lone`` king; 0: at once."""
    template = _AT_ONCE if not moves else _OF_LONE if lone else _OF_EACH
    return phrase(template, moves=moves, **_sides(strong, weak, main_road))


def counted(strong: Pieces, weak: Pieces, moves: int, done: int, *, lone: bool, main_road: bool = False) -> Phrase:
    """How far the count of such an ending has come."""
    fields = {**_sides(strong, weak, main_road), "done": done, "moves": moves}
    if lone:
        return phrase("{kings} against {others}: drawn after {moves} moves of the lone king ({done} so far)", **fields)
    return phrase("{kings} against {others}: drawn after {moves} moves each ({done} so far)", **fields)


def rests(square: str, moves: int) -> Phrase:
    """A king whose run has come to its end."""
    return phrase(
        "the king on {square} has made {moves} moves in a row: it may only capture now", square=square, moves=moves
    )


def huffed(captures: tuple[str, ...]) -> Phrase:
    """Why a piece was taken off: what it could have captured."""
    return phrase("huffed for leaving a capture: {captures}", captures=captures)


def pegs_home(counts: tuple[Phrase, ...]) -> Phrase:
    """``counts`` from ``home_of``."""
    return phrase("pegs home: {counts}", counts=counts)


def home_of(side: str, home: int, pegs: int) -> Phrase:
    return phrase("{side} {home} of {pegs}", side=side, home=home, pegs=pegs)


def came_home(places: tuple[str, ...]) -> Phrase:
    """The sides in the order in which they came."""
    sides = tuple(phrase("{place}. {side}", place=place, side=side) for place, side in enumerate(places, start=1))
    return phrase("came home: {sides}", sides=sides)


def out_of_game(reasons: tuple[str, ...]) -> Phrase:
    """Of a table that plays on: who has left it, and why."""
    return phrase("out of the game: {reasons} (their pegs only stand there)", reasons=reasons)


def passes(side: str) -> Phrase:
    return phrase("{side} has no legal move and passes", side=side)


# Reasons as they were stored

_OF_SIDES = (
    *(resigned, out_of_time, no_piece, no_move, one_left, first_king),
    *(first_home_and_agreed, first_home),
)


@lru_cache(maxsize=1024)
def reason_of(text: str) -> str:
    """The phrase that an English reason stands for, to be said in any language; a text that is none stays as it is."""
    for whole in (AGREED, REPEATED, STUCK, ALL_HOME, FILLED):
        if text == whole:
            return whole
    of_sides = (reason.args[0] for reason in _OF_SIDES)
    return recognised(text, *of_sides, _QUIET, _OF_LONE, _OF_EACH, _AT_ONCE, field=_field)


def _field(name: str, value: str) -> str:
    match name:
        case "side":
            return named(value)
        case "kings":
            return _kept_pieces(value)
        case "others":
            return _kept_others(value)
    return value


def _kept_others(text: str) -> str:
    if text in _OTHERS:
        return pphrase(KINGS, text)
    on_road = recognised(text, _ON_ROAD, field=lambda _, value: _kept_others(value))
    return _kept_pieces(text) if on_road is text else on_road


def _kept_pieces(text: str) -> str:
    """What a side had, as it was stored: "two kings and one man"."""
    if text in (*_KINGS, *_MEN):
        return phrase(text)
    return recognised(text, _BOTH_KINDS, _MANY_KINGS, _MANY_MEN, field=lambda _, value: _kept_pieces(value))
