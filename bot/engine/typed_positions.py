"""Positions as people say them, checked: as position strings, in words, as first moves, as pieces that are taken off.

In words a position is each side with its pieces, and who is to move, in any language that the bot speaks: "white: men
c3 e3, king d4; black: b8; white to move", "blancas: peones 31-50; negras: K1-20; juegan negras". On a star pegs are
named by their set: "S: a1 b1; N: q1; south to move".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from bot.engine.errors import BadPosition, MoveError, echoed
from bot.engine.rules import Rules, State
from bot.engine.variants import in_own_words
from bot.i18n import LANGUAGES, _, full_stop, said, speaking

LONGEST: Final = 2_000
"""No position takes more letters: a square takes four, and the largest board has 256."""

MOST_MOVES: Final = 40
"""A longer opening is a game."""

_MEN, _KINGS, _TO_MOVE, _GIVES, _FILLING = (
    frozenset(words.split())
    for words in (
        "man men piece pieces pawn pawns checker checkers peg pegs peon peones pieza piezas ficha fichas hombre "
        "hombres simple simples clavija clavijas pitsa piyesa pyesa piyon քար քարեր քարերը խաղաքար խաղաքարեր",
        "k d king kings queen queens dama damas rey reyes reina reinas crowned coronada coronadas hari դամկա դամկաներ "
        "տամա տամաներ",
        "move moves play plays begin begins turn juegan juega mueven mueve empiezan empieza turno titira tira "
        "քայլում քայլը սկսում հերթը",
        "gives give plays without less minus odds da dan juega juegan menos ventaja handicap bawas ֆորա պակաս առանց",
        "to of s is de las los el la and y e on at the in en with has have con tiene tienen no none sin ang ng mga "
        "sa nasa may wala walang է են ու եւ կողմ կողմը կողմի կողմինն",
    )
)
_FEWER: Final = _GIVES - _TO_MOVE - {"da", "dan"}
_MOVES = r"(?i)\s*(?:[0-9]+\.+\s*|[a-z]?[0-9]+(?:\s?[-x:]\s?[a-z]?[0-9]+)+\s*)+"
_SEATS = (("first", "primero"), ("second", "segundo"))
_LETTERS = {"W": ("white", "blancas"), "B": ("black", "negras")}

_STRING = r"(?i)\s*[a-z0-9]\s*:\s*(?:[a-z]{1,2}\s*=|[wb]\s*(?::|,|k?\s*[a-z]?[0-9]))"
_TAG = r'(?i)\[\s*FEN\s+"([^"]*)"\s*\]'
_ALPHA = r"[^\W\d_]+"
_JOINED = rf"{_ALPHA}(?:-{_ALPHA})+(?![^\W_])"  # a side's name of two words: "timog-kanluran"
_WORD = rf"k?[0-9]+ ?- ?[0-9]+|{_JOINED}|{_ALPHA}[0-9]*|[0-9]+|\S"
_PLACE = r"(?P<king>k?)(?P<place>[a-z][0-9]+|[0-9]+(?:-[0-9]+)?)"


def state_of(rules: Rules, text: str) -> State:
    """The position that ``text`` says, as a position string or in words. Raises BadPosition."""
    if len(text) > LONGEST:
        raise BadPosition(_("this position is too long"))
    tag = re.search(_TAG, text)
    text = (text if tag is None else tag[1]).strip(" \t\r\n`\"'")
    return rules.start(text if re.match(_STRING, text) else _in_words(rules, text))


def any_state_of(rules: Rules, text: str) -> State:
    """As ``state_of``; or the beginning with a ``handicap``. Raises BadPosition."""
    return handicap(rules, text).state if is_handicap(rules, text) else state_of(rules, text)


def read(rules: Rules, text: str) -> State:
    """As ``any_state_of``, a position in which a game can begin (``check``). Raises BadPosition."""
    return handicap(rules, text).state if is_handicap(rules, text) else check(rules, state_of(rules, text))


def put_together(rules: Rules, pieces: Sequence[str], to_move: str) -> State:
    """The position of two whose pieces, by seat, and whose side to move are said in words. Raises BadPosition."""
    sides = [f"{name}: {text}" for (name, _other), text in zip(_SEATS, pieces, strict=True)]
    return read(rules, "; ".join([*sides, f"{to_move} to move"]))


@in_own_words
def check(rules: Rules, state: State) -> State:
    """``state``, in which a game can begin. Raises BadPosition where it cannot: a side has more pieces than the game,
    or there is nothing left to be played."""
    most = Counter(piece.owner for piece in rules.pieces(rules.start()).values())
    for seat, count in Counter(piece.owner for piece in rules.pieces(state).values()).items():
        if count > most[seat]:
            template = _("{side} has {count} pieces here, and {most} in the game")
            if rules.variant.family == "star":
                template = _("{side} has {count} pegs here, and {most} in the game")
            raise BadPosition(template.format(side=rules.seats[seat].name, count=count, most=most[seat]))
    if state.outcome is None:
        return state
    if not rules.seats[0].sets and not rules.moves(state) and not rules.moves(_turned(rules, state)):
        raise BadPosition(_("neither side can move"))
    raise BadPosition(_("the game would be over: {reason}").format(reason=said(state.outcome.reason)))


def _turned(rules: Rules, state: State) -> State:
    """The position of a game for two with the other side to move."""
    return rules.start(f"{rules.seats[1 - state.seat].key}:{rules.position(state).partition(':')[2]}")


# In words


class _Said(NamedTuple):
    """What words have said: the places of each side of a position string, K before a king, and the seat to move."""

    sides: Mapping[str, list[str]]
    seat: int | None


def _in_words(rules: Rules, text: str) -> str:
    """The position string of what is said in words. Raises BadPosition."""
    said_so = _understood(rules, text)
    if not any(said_so.sides.values()):
        raise _unclear(rules, _("Name at least one piece."))
    if said_so.seat is None:
        raise _unclear(rules, _("Say who is to move."))
    return _string(rules, said_so.sides, said_so.seat)


def _string(rules: Rules, sides: Mapping[str, list[str]], seat: int) -> str:
    if rules.seats[0].sets:
        return ":".join([str(seat + 1), *(f"{key}={','.join(places)}" for key, places in sides.items())])
    return ":".join([rules.seats[seat].key, *(each.key + ",".join(sides.get(each.key, ())) for each in rules.seats)])


def _understood(rules: Rules, text: str) -> _Said:
    # The bot's own words name players in brackets.
    words = re.findall(_WORD, _plain(re.sub(r"\([^()]*\)", " ", text)))
    seat = _taken_out(rules, words)
    names = _side_names(rules)
    sides: dict[str, list[str]] = {}
    side, king = None, False
    for word in words:
        if (named := names.get(_stem(word))) is not None:
            side, king = named, False
            sides.setdefault(side, [])
        elif word in _KINGS or word in _MEN:
            king = word in _KINGS
        elif (place := _place(rules, word)) is not None:
            if side is None:
                raise _unclear(rules, _("Say whose piece stands on {square}.").format(square=word))
            sides[side].append(f"K{place.lstrip('K')}" if king else place)
        elif word[0].isalnum() and word not in _FILLING:
            raise _unclear(rules, _("I do not understand {word}.").format(word=repr(echoed(word[:20]))))
    return _Said(sides, seat)


def _taken_out(rules: Rules, words: list[str]) -> int | None:
    """The seat that is said to be to move, before the verb ("white to move") or after it ("juegan blancas"); what says
    so is taken out of ``words``."""
    names = _seat_names(rules)
    for at, word in enumerate(words):
        if word not in _TO_MOVE:
            continue
        before, after = at - 1, at + 1
        while before >= 0 and (words[before] in _FILLING or words[before] == "'"):
            before -= 1
        while after < len(words) and (words[after] in _FILLING or words[after] == ":"):
            after += 1
        for other, (first, last) in ((before, (before, at)), (after, (at, after))):
            if 0 <= other < len(words) and (seat := names.get(_stem(words[other]))) is not None:
                del words[first : last + 1]
                return seat
    return None


def _place(rules: Rules, word: str) -> str | None:
    """A place, or a range of numbers, as position strings write it; None for a word that is none."""
    word = word.replace(" ", "")
    if word in rules.board.index:
        return word
    match = re.fullmatch(_PLACE, word)
    return None if match is None else match["king"].upper() + match["place"]


def _unclear(rules: Rules, what: str) -> BadPosition:
    """``what`` is the matter, with an example of how a position of this game is said."""
    pieces = rules.pieces(rules.start()).items()
    (one, *_more), (other, king, *_more) = (
        [rules.board.names[at] for at, piece in pieces if piece.owner == seat] for seat in (0, 1)
    )
    first, second = (said(seat.name).lower() for seat in rules.seats[:2])
    others, words = [other], _("{first}: {one}; {second}: {other}; {first} to move")
    if rules.variant.family != "star":
        others, words = [other, f"K{king}"], _("{first}: {one}; {second}: {other}, king {king}; {first} to move")
    string = _string(rules, {_side_of(rules, 0): [one], _side_of(rules, 1): others}, 0)
    words = words.format(first=first, one=one, second=second, other=other, king=king)
    template = _("{what} A position is written like `{string}`, or like `{words}`; a handicap like `{first} 2`.")
    told = template.format(what=what, string=string, words=words, first=first)
    return BadPosition(told.removesuffix(full_stop()))


def _side_of(rules: Rules, seat: int) -> str:
    return (*rules.seats[seat].sets, rules.seats[seat].key)[0]


def _side_names(rules: Rules) -> dict[str, str]:
    """The sides of position strings by what they are called; a set of a star by its letters, too."""
    sets = {key.casefold(): key for seat in rules.seats for key in seat.sets}
    return {name: _side_of(rules, seat) for name, seat in _seat_names(rules).items() if not name.isdigit()} | sets


def _seat_names(rules: Rules) -> dict[str, int]:
    """The seats by what they are called in all languages, as stems; on a star also by their numbers. White and Black
    are W and B, in whatever colour they play."""
    names = {_stem(name): at for at, both in enumerate(_SEATS) for name in both}
    names |= {_stem(name): at for at, seat in enumerate(rules.seats) for name in _LETTERS.get(seat.key, ())}
    for at, seat in enumerate(rules.seats):
        if seat.sets:
            names[str(at + 1)] = at
        for language in LANGUAGES:
            with speaking(language):
                names[_stem(_plain(said(seat.name)))] = at
    return names


def _stem(word: str) -> str:
    """Without number, gender and case, so that blanco, blancas and blancos are one word, սպիտակ and սպիտակները too."""
    return re.sub("[oae]?s?$|ն?եր(ը|ի)?$|ային$|ը$", "", word) if len(word) > 3 else word


def _plain(text: str) -> str:
    """In small letters without accents, and with plain dashes and colons."""
    plain = re.sub("[\u2010-\u2015\u2212]", "-", text).replace("՝", ":")
    letters = unicodedata.normalize("NFKD", plain.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


# First moves


def after_moves(rules: Rules, text: str) -> State:
    """The position after the moves of ``text`` from the set-up ("11-15 23-19 8-11"; numbers of moves are passed over),
    in which a game can begin. Raises BadPosition."""
    state = rules.start()
    words = re.sub(r"\b[0-9]+\.+", " ", text[:LONGEST]).split()
    if len(words) > MOST_MOVES:
        raise BadPosition(_("an opening has at most {most} moves").format(most=MOST_MOVES))
    for number, word in enumerate(words, start=1):
        try:
            state = rules.play(state, rules.read(state, word))
        except MoveError as error:
            template = _("move {number} of this opening, {move}: {why}")
            raise BadPosition(
                template.format(number=number, move=repr(echoed(word[:20])), why=error.message)
            ) from error
    return check(rules, state)


def is_moves(text: str) -> bool:
    """Whether an opening is written as its moves."""
    return re.fullmatch(_MOVES, text) is not None


def opening(rules: Rules, text: str) -> State:
    """The position that an opening leads to, which is written as its moves or as a position. Raises BadPosition."""
    return after_moves(rules, text) if is_moves(text) else read(rules, text)


# Handicaps


class Handicap(NamedTuple):
    """A set-up of which the side of ``seat`` lacks the pieces on ``places``. ``giver``: the seat that is worse off by
    that; None at a table for more than two."""

    state: State
    seat: int
    places: tuple[int, ...]
    giver: int | None


def is_handicap(rules: Rules, text: str) -> bool:
    """Whether ``text`` says what is taken off ("-c1 -e1", "white 2 men", "white without c1") rather than a position:
    that names who stands where and who is to move, so it has more than one number, and where squares have letters no
    number stands alone in it ("south 2; north 1")."""
    if re.fullmatch(r"(?:[^:]*\s)?-\w[^:]*|[^\d:;,]*\b\d{1,3}\b[^\d:;,]*", text) is not None:
        return True
    words = re.findall(_WORD, _plain(text[:LONGEST]))
    if re.match(_STRING, text) or re.search(_TAG, text) or _TO_MOVE & set(words):
        return False
    numbers = [word for word in words if word[-1].isdigit()]
    counted = bool(numbers) and not rules.board.by_number and all(number.isdigit() for number in numbers)
    return counted or bool(_FEWER & set(words))


def handicap(rules: Rules, text: str) -> Handicap:
    """The set-up without the pieces that ``text`` takes off one side: their places ("-c1 -e1"), or the side and how
    many ("white 2 men"), which are then those nearest to its own edge, from its left; on a star, to the point of its
    triangle. Raises BadPosition."""
    pieces = rules.pieces(rules.start())
    off, seats, counts = _taken_off(rules, text)
    if counts and off:
        raise _no_handicap(rules, _("Say which pieces, or how many, not both."))
    if not counts and not off:
        raise _no_handicap(rules, _("Say which pieces, or how many."))
    if counts == [0]:
        raise _no_handicap(rules, _("Take at least one piece off."))
    if not seats:
        raise _no_handicap(rules, _("Say which side begins with fewer."))
    if len(seats) > 1:
        raise _no_handicap(rules, _("Take pieces off one side alone."))
    if len(counts) > 1:
        raise _no_handicap(rules, _("Say one number: how many pieces are taken off."))
    [seat] = seats
    own = sorted((place for place, piece in pieces.items() if piece.owner == seat), key=partial(_depth, rules, seat))
    if max([*counts, len(off)]) >= len(own):
        template = _("{side} has {count} pieces, and must keep one.")
        if rules.variant.family == "star":
            template = _("{side} has {count} pegs, and must keep one.")
        raise _no_handicap(rules, template.format(side=said(rules.seats[seat].name), count=len(own)))
    off = off or set(own[: counts[0]])
    sides: dict[str, list[str]] = {}
    for place, piece in pieces.items():
        if place not in off and piece.owner >= 0:
            sides.setdefault(piece.set or rules.seats[piece.owner].key, []).append(rules.board.names[place])
    start = check(rules, rules.start(_string(rules, sides, rules.start().seat)))
    return Handicap(start, seat, tuple(sorted(off)), _giver(rules, seat))


def handicap_of(rules: Rules, state: State) -> Handicap | None:
    """The handicap with which a game begins from ``state``; None where it is none."""
    there, now = rules.pieces(rules.start()), rules.pieces(state)
    if state.seat != rules.start().seat or any(there.get(place) != piece for place, piece in now.items()):
        return None
    off = tuple(place for place in sorted(there) if place not in now)
    seats = {there[place].owner for place in off}
    if len(seats) != 1:
        return None
    [seat] = seats
    return Handicap(state, seat, off, _giver(rules, seat))


def fewer_is_better(rules: Rules) -> bool:
    """Whether a side that begins with fewer pieces has the better of it: as fewer have to come home on a star, or to be
    lost where that wins."""
    tables = rules.variant.tables
    return bool(rules.seats[0].sets) or (tables.family == "draughts" and tables.outcome.wins == "lose-all")


def _giver(rules: Rules, seat: int) -> int | None:
    if len(rules.seats) > 2:
        return None
    return 1 - seat if fewer_is_better(rules) else seat


def _taken_off(rules: Rules, text: str) -> tuple[set[int], set[int], list[int]]:
    """The places, the seats and the numbers that a handicap names. Raises BadPosition."""
    pieces, names = rules.pieces(rules.start()), _seat_names(rules)
    off, seats, counts = set[int](), set[int](), list[int]()
    for word in re.findall(rf"{_JOINED}|-?{_ALPHA}[0-9]*|-?[0-9]+", _plain(text[:LONGEST])):
        name = word.lstrip("-")
        place = None if word.isdigit() else rules.board.index.get(name)  # a number alone is how many
        if place is None and word.startswith("-") and name.isdigit() and len(name) < 4:
            place = rules.board.number_index.get(int(name))
        if place is not None:
            if place not in pieces or pieces[place].owner < 0:
                raise _no_handicap(rules, _("No piece stands on {square} at the beginning.").format(square=name))
            off.add(place)
            seats.add(pieces[place].owner)
        elif word.isdigit() and len(word) < 4 and not (counts and not seats and name in names):
            counts.append(int(word))
        elif (seat := names.get(_stem(name))) is not None:
            seats.add(seat)
        elif (name[-1:].isdigit() and word != name) or re.fullmatch("[a-z][0-9]+", name):
            raise _no_handicap(rules, _("There is no {square} on this board.").format(square=echoed(name[:20])))
        elif name not in _MEN | _FILLING | _GIVES:
            raise _no_handicap(rules, _("I do not understand {word}.").format(word=repr(echoed(name[:20]))))
    return off, seats, counts


def _depth(rules: Rules, seat: int, place: int) -> tuple[int, ...]:
    """What places are ordered by: those furthest back from ``seat``, from its left."""
    board, (x, y) = rules.board, rules.board.places[place]
    if rules.seats[seat].sets:
        # Half holes: a row is as far as the square root of three of them.
        return (-((x - board.width // 2) ** 2 + 3 * (y - board.height // 2) ** 2), place)
    return (y, x) if seat == 0 else (-y, -x)


def _no_handicap(rules: Rules, what: str) -> BadPosition:
    """``what`` is the matter, with an example of how a handicap of this game is said."""
    pieces = rules.pieces(rules.start())
    one = next(rules.board.names[place] for place, piece in sorted(pieces.items()) if piece.owner == 0)
    side = said(rules.seats[0].name).lower()
    template = _(
        "{what} Write a handicap like `{side} 2` (that many pieces fewer) or `-{square}` (without that piece)."
    )
    return BadPosition(template.format(what=what, side=side, square=one).removesuffix(full_stop()))
