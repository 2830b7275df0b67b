"""PDN text into games and their words, as people write it (PDN 3.0, "PDN Reading Grammar" and what is seen besides)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from itertools import accumulate
from typing import Final, NamedTuple, cast

from bot.engine.errors import EngineError
from bot.engine.move_text import HUFF
from bot.engine.pdn.pdn_squares import SQUARE
from bot.engine.transcript import TranscriptError
from bot.i18n import _
from bot.support.frozen import frozen

_RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*")

OWN_TAGS: Final = (
    *("Result", "GameType", "Variant", "Rules", "Options", "SetUp", "FEN", "Clock", "Began", "WhiteId", "BlackId"),
    *("Termination", "Ruling", "PlayedResult"),
)
"""The tags that are made of a game's own values; all others are kept as they are."""

RULED: Final = "ruled by the director"
"""The tag ``Termination`` of a game that counts otherwise than by its moves."""

BOTH_LOST: Final = "both"
"""The tag ``Forfeit`` of a game that was declared lost for both players: here it is called off."""

_SIGN = r"[-x:\u00d7\u2010-\u2015\u2212]"
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
    | (?P<line>[;%][^\n]*)
    | \[\s*(?P<tag>[A-Za-z][\w-]*)\s+"(?P<value>(?:\\.|[^"\\\n]++)*+)"\s*\]
    | \{{(?P<comment>[^}}]*)\}}
    | /\s*FEN\s+"?(?P<setup>[^"/]*)"?\s*/
    | (?P<nag>\$[0-9]+)
    | (?P<strength>[!?]+|\([!?]+\))
    | (?P<bracket>[()])
    | (?P<result>{"|".join(re.escape(text) for text in _RESULTS)})(?![^\s\[{{(;%$!?])
    | (?P<number>[0-9]+\.(?:\.\.)?)
    | (?P<ellipsis>\.\.\.|\u2026)
    | (?P<unknown>-\s*-(?![^\s\[{{(;%$!?]))
    | (?P<order>(?:{HUFF})[\s,:]+(?:[a-p][0-9]{{1,2}}\b\.?|[0-9]{{1,3}}(?!\.))(?![0-9a-z]|\s*{_SIGN}\s*{SQUARE}))
    | (?P<move>{SQUARE}(?:\s*{_SIGN}\s*{SQUARE}(?![0-9]))+)(?:\*(?=\s|$))?
    | (?P<word>[^\s(){{}};$\[!?]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ITALIAN = {"Dati": "Event", "Anno": "Date", "Bianco": "White", "Nero": "Black", "Risultato": "Result"}
_PASSED_OVER = ("space", "line", "nag", "strength", "number")
_TAG = re.compile(r'^[ \t]*\[[ \t]*[A-Za-z][\w-]*[ \t]+"', re.MULTILINE)


class Token(NamedTuple):
    """A word of a PDN file and where it stands; of a tag ``text`` is the name and ``value`` what it says."""

    kind: str
    text: str
    line: int
    column: int
    value: str = ""

    def wrong(self, why: str) -> TranscriptError:
        """What is wrong here."""
        return TranscriptError(self.line, why, self.column)


@frozen
class RawGame:
    """One game's tags by name and the words of its movetext, variations left out."""

    tags: dict[str, Token] = field(default_factory=dict)
    words: list[Token] = field(default_factory=list)

    @property
    def line(self) -> int:
        """Where it begins."""
        return min((token.line for token in (*self.tags.values(), *self.words)), default=0)

    @property
    def begun(self) -> bool:
        """Whether there is more than comments, which may stand before the tags."""
        return bool(self.tags) or any(word.kind != "comment" for word in self.words)

    @property
    def last_move(self) -> Token | None:
        """The last word that is to be a move."""
        return next((word for word in reversed(self.words) if word.kind in ("move", "word")), None)

    def wrong(self, where: Token | None, why: str) -> TranscriptError:
        """What is wrong at a tag, or with the game as a whole."""
        return where.wrong(why) if where else TranscriptError(self.line, why)

    @contextmanager
    def reporting(self, where: Token | None) -> Iterator[None]:
        """What the engine refuses is wrong at a tag. Raises TranscriptError."""
        try:
            yield
        except EngineError as error:
            raise self.wrong(where, error.message) from error


class _Unreadable(Exception):  # noqa: N818 - said of the text
    """What is wrong with a text, and from where on to look for the next game."""

    def __init__(self, why: TranscriptError, at: int) -> None:
        super().__init__(str(why))
        self.why, self.at = why, at


def games(text: str) -> Iterator[RawGame | TranscriptError]:
    """The games of a file, one after the other; of one that cannot be read, what is wrong with it and where. Reading
    goes on at the next header."""
    # Lines end as they do on Unix, Windows or old Macs; files from DOS end with a control character.
    scanner = _Scanner(re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff").replace("\x1a", " ")))
    while not scanner.done:
        try:
            game = scanner.game()
        except _Unreadable as error:
            yield error.why
            scanner.pass_to_header(error.at)
            continue
        if game.begun:
            yield game


class _Scanner:
    """Goes through a text; ``at`` is how far it has come."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self._lines = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))

    @property
    def done(self) -> bool:
        return self.at >= len(self.text)

    def game(self) -> RawGame:
        """The next game, up to its result or to the next header. Raises _Unreadable."""
        game, depth = RawGame(), 0
        while not self.done:
            begin, token = self.at, self._token()
            if token is None:
                continue
            if token.kind == "tag":
                if depth:
                    raise _Unreadable(token.wrong(_("a variation is not closed")), begin)
                if game.words and game.begun:
                    self.at = begin
                    return game
                game.words.clear()
                game.tags[_ITALIAN.get(token.text, token.text)] = token
            elif token.kind == "bracket":
                depth += 1 if token.text == "(" else -1
                if depth < 0:
                    raise _Unreadable(token.wrong(_("this ) closes nothing")), self.at)
            elif not depth:
                if token.kind == "result":
                    # Alone it is a separator behind a result.
                    if game.begun or token.text != "*":
                        game.words.append(token)
                    return game
                game.words.append(token)
        if depth:
            raise _Unreadable(self._here("end", "").wrong(_("a variation is not closed")), self.at)
        return game

    def pass_to_header(self, at: int) -> None:
        """Go on at the next line with a tag that stands behind one without."""
        for match in _TAG.finditer(self.text, at):
            before = self.text[max(0, match.start() - 1_000) : match.start()]
            if not before.rstrip().rpartition("\n")[2].lstrip().startswith("["):
                self.at = match.start()
                return
        self.at = len(self.text)

    def _token(self) -> Token | None:
        """The next word; None for what is passed over. Raises _Unreadable."""
        match = _TOKEN.match(self.text, self.at)
        if match is None or (match["comment"] and _TAG.search(match["comment"])):
            shown = _("this cannot be read: {text}").format(text=repr(self.text[self.at : self.at + 20]))
            what = {
                "[": _('a tag is written [Name "value"]'),
                "{": _("a comment is not closed"),
                "}": _("a comment ends that did not begin: comments do not stand in comments"),
            }.get(self.text[self.at], shown)
            raise _Unreadable(self._here("", "").wrong(what), self.at + 1)
        kind = cast(str, match.lastgroup)
        if kind == "value":
            token = self._here("tag", match["tag"], re.sub(r"\\(.)", r"\1", match["value"]))
        else:
            token = self._here(kind, match[kind])
        self.at = match.end()
        return None if kind in _PASSED_OVER else token

    def _here(self, kind: str, text: str, value: str = "") -> Token:
        line = bisect_right(self._lines, self.at)
        return Token(kind, text, line, self.at - self._lines[line - 1] + 1, value)
