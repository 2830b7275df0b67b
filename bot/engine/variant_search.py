"""Games found by what people call them: by id, by name in every language that the bot speaks, by other names, by board.

A ``Listing`` is a game as it is offered; ``search`` lists those that fit what is typed so far, ``find`` takes a name
that is meant as it stands.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from math import inf

from bot.engine import variants
from bot.engine.errors import VariantError, echoed
from bot.engine.ruleset import OF_SERVER
from bot.engine.variants import Variant
from bot.i18n import LANGUAGES, _, listed_or, speaking
from bot.support.frozen import frozen

_MOST_NEAR = 3


@frozen(eq=False)
class Listing:
    """A game as it is offered. ``board``: its size, where it has one; ``names``: what people call it, as ``folded``
    writes it, the id first; ``order`` sorts the games that nobody has played yet."""

    variant: Variant
    board: str
    names: tuple[str, ...]
    order: tuple[float, bool, str, int, str]

    @property
    def id(self) -> str:
        return self.variant.id

    @property
    def title(self) -> str:
        """The game's name with its board, in the language spoken now; a server's own is told by that."""
        own = _("this server's own") if self.variant.ruleset.server is not None else ""
        return " · ".join(part for part in (f"{self.variant.name}", self.board, own) if part)


def listing(variant: Variant) -> Listing:
    """``variant`` as it is offered."""
    tables = variant.tables
    said = [variant.id.partition(OF_SERVER)[0], tables.name, *tables.aliases]
    for language in LANGUAGES:
        with speaking(language):
            said.append(f"{variant.name}")
    said += [latin for name in said if (latin := _in_latin(name)) != name]
    # "Dama (Spanish draughts)" goes by either name.
    said += [part for name in said for part in name.rstrip(")").split(" (") if "(" in name]
    board, area, squares = "", 0, ""
    if tables.family == "draughts":
        board = f"{tables.board.width}x{tables.board.height}"
        area, squares = tables.board.width * tables.board.height, tables.board.squares
    names = tuple(dict.fromkeys(name for name in map(folded, said) if name))
    order = (
        tables.featured or inf,
        not board,
        squares,
        area,
        variant.id,
    )
    return Listing(variant, board, names, order)


def _in_latin(name: str) -> str:
    """``name`` in small Latin letters, where a language says how its people write it so."""
    for letter, latin in _latin().items():
        name = name.casefold().replace(letter, latin) if not name.isascii() else name
    return name


@lru_cache(maxsize=1)
def _latin() -> dict[str, str]:
    tables = tomllib.loads(files("data").joinpath("locales", "latin.toml").read_text("utf-8"))
    return {letter.casefold(): latin for table in tables.values() for letter, latin in table.items()}


@lru_cache(maxsize=1)
def shipped() -> tuple[Listing, ...]:
    """The games that are shipped, in the order in which they are offered: those that are featured, then the others by
    kind of board, small boards first."""
    return tuple(sorted(map(listing, map(variants.load, variants.names())), key=lambda each: each.order))


def folded(text: str) -> str:
    """``text`` without what people leave out or write otherwise: capitals, accents, hyphens, signs."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


def search(typed: str, among: Iterable[Listing]) -> list[Listing]:
    """The games of ``among`` that fit ``typed``: first those of which it is a name, then those with a name that begins
    so, with a word that does, with it anywhere, and with all of its words; equal ones in their order."""
    wanted = folded(typed)
    ranked = [(not _is_named(typed, each), rank, each) for each in among if (rank := _rank(wanted, each)) is not None]
    return [each for *_rank_of, each in sorted(ranked, key=lambda ranks: ranks[:2])]


def find(text: str, among: Sequence[Listing]) -> Variant:
    """The game of ``among`` that ``text`` is the id or a name of, or the only one that it fits. Raises VariantError
    with the nearest."""
    for each in among:
        if each.id == text:
            return each.variant
    wanted = folded(text)
    meant = [each for each in among if _is_named(text, each)] or [
        each for each in among if wanted.removesuffix(f" {each.board}") in each.names
    ]
    fitting = meant or search(text, among)
    if len(fitting) == 1:
        return fitting[0].variant
    near = listed_or([f"{each.variant.name} (`{each.id}`)" for each in fitting[:_MOST_NEAR]])
    if meant:
        template = _("More than one game is called {name}: {near}. Say which.")
    elif near:
        template = _("There is no game {name} here. Do you mean {near}?")
    else:
        template = _("There is no game {name} here. Choose one of those that are offered as you type.")
    raise VariantError(template.format(name=repr(echoed(text)), near=near))


def _is_named(text: str, each: Listing) -> bool:
    """Whether ``text`` is the game's own name to the letter: "Frysk!" is not what others call Frisian draughts."""
    own = (each.variant.tables.name, f"{each.variant.name}", each.title)
    return text.strip().casefold() in map(str.casefold, own)


def _rank(wanted: str, each: Listing) -> int | None:
    if not wanted or wanted in each.names:
        return 0
    if any(name.startswith(wanted) for name in each.names):
        return 1
    if any(f" {wanted}" in name for name in each.names):
        return 2
    if any(wanted in name for name in each.names):
        return 3
    words = [each.board, *(word for name in each.names for word in name.split())]
    return 4 if all(any(word.startswith(part) for word in words) for part in wanted.split()) else None
