"""The tables of a variant file: the keys that it may have, the values that they take, and what they mean."""

import unicodedata
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from bot.i18n import _, listed_or


def _plain(text: str) -> str:
    """Refuses what would break a line, turn it round or call somebody."""
    for character in text:
        if character == "@" or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in _TURNING:
            shown = character if character == "@" else f"U+{ord(character):04X}"
            raise ValueError(_("a text in one line, without {sign}").format(sign=shown))
    if not text.strip():
        raise ValueError(_("a text that is not empty"))
    return text


_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

# Discord takes no longer name among its choices; the others are as long as they are well read.
_Name = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_plain)]
_SideName = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_plain)]
_Line = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_plain)]
_Word = Annotated[str, Field(max_length=60)]
_Number = Annotated[int, Field(ge=-10_000, le=10_000)]
_Moves = Annotated[int, Field(ge=0, le=500)]

Direction = Literal[
    "forward",
    "backward",
    "sideways",
    "forward-diagonal",
    "backward-diagonal",
    "forward-straight",
    "backward-straight",
    "sideways-straight",
]
"""The straight ones are for boards of one colour: along a file or a rank to the next square of that colour, two on."""

Criterion = Literal["most-pieces", "most-value", "most-kings", "with-king", "kings-first"]
Range = Annotated[list[_Number], Field(min_length=2, max_length=2)]
"""The least and the most."""


class _Table(BaseModel):
    """A table of a variant file: it has no other keys than these, and their values no other types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class BoardTable(_Table):
    """``numbered_from``: at which end each row of numbered squares begins, as the first player sees it;
    ``numbered_side``: from whose side the rows are counted; ``notation``: how squares are called. ``look`` and
    ``palette`` (the first player's men, then the second's) are for bot.presentation, which draws the board: no rule
    depends on them."""

    width: Annotated[int, Field(ge=4, le=16)]
    height: Annotated[int, Field(ge=4, le=16)]
    squares: Literal["all", "diagonal"]
    corner: Literal["left", "right"] = "left"
    mirror: bool = False
    numbered_from: Literal["left", "right"] | None = None
    numbered_side: Literal["first", "second"] = "first"
    notation: Literal["letters", "numbers"] = "letters"
    look: Literal["chequered", "lined", "plain"] = "chequered"
    palette: Literal["white-black", "black-white", "white-red", "red-white"] = "white-black"


class StartTable(_Table):
    """Where the men stand: on all squares of ``rows``, counted from each player's own side, or on the ``squares`` of
    the first player and those of the second."""

    rows: Annotated[list[_Number], Field(max_length=8)] = []
    squares: Annotated[list[Annotated[list[_Word], Field(max_length=128)]], Field(max_length=2)] = []


class ManTable(_Table):
    """Where a man may step and capture to, forward being toward the other side; ``captures_kings``: kings too."""

    moves: Annotated[list[Direction], Field(min_length=1, max_length=8)]
    captures: Annotated[list[Direction], Field(max_length=8)]
    captures_kings: bool = True


class KingTable(_Table):
    """``reach``: how far a king moves; ``lands``: behind a captured piece on "any" free square, on the "next" only, or
    on the next only where the last piece that it takes is a king. ``run``: so many moves without a capture one king may
    make in a row while its side has men (0: any number)."""

    moves: Annotated[list[Direction], Field(min_length=1, max_length=8)]
    captures: Annotated[list[Direction], Field(max_length=8)]
    reach: Literal["short", "long"]
    lands: Literal["any", "next", "next-after-king"] = "any"
    run: Annotated[int, Field(ge=0, le=100)] = 0


class CaptureTable(_Table):
    """``choice`` ranks captures, first criterion first; empty: any capture may be chosen, but none broken off.
    ``king_value``: what a king counts in "most-value", where a man counts 1.
    ``crowning`` of a man that reaches the last row in a capture: it "stops" there, crowned; it "passes" through as a
    man, crowned only where it ends; or it "goes-on" as a king."""

    neglect: Literal["compulsory", "soplar"]
    choice: Annotated[list[Criterion], Field(max_length=5)]
    king_value: Annotated[float, Field(ge=1, le=10)] = 1.0
    removal: Literal["at_once", "at_end"]
    turn_back: bool
    crowning: Literal["stops", "passes", "goes-on"]


class OutcomeTable(_Table):
    """What ``wins``. "no-move": who cannot move loses. "lose-all": who cannot move, or has lost everything, wins. As in
    the first: with "first-king" who crowns first wins, with "one-left" a side with one piece left loses."""

    wins: Literal["no-move", "lose-all", "first-king", "one-left"] = "no-move"


class SideTable(_Table):
    """What one side of an ending has: the least and the most ``pieces``, and how many of these are ``kings``."""

    pieces: Range
    kings: Range


class EndingTable(_Table):
    """An ending in which moves are counted: so many ``kings`` against so many and nothing else; or what the ``strong``
    and the ``weak`` side have, and both in ``total``. ``main_road``: and the weak side's king holds the long diagonal,
    on which nothing else stands. After ``moves`` of the "lone" king, or of "both" sides each, the game is a draw; or,
    where the ``result`` is a win, the strong side's. Moves are counted ``since`` the material was last another, or
    since the ending arose. ``capture_first``: who can capture does so before the game ends."""

    kings: Range | None = None
    strong: SideTable | None = None
    weak: SideTable | None = None
    total: Range | None = None
    main_road: bool = False
    moves: _Moves
    counted: Literal["lone", "both"]
    since: Literal["material", "ending"] = "material"
    capture_first: bool
    result: Literal["draw", "win"] = "draw"


class DrawsTable(_Table):
    """What makes a draw: the third ``repetition`` of a position, so many ``quiet_moves`` of each side (0: any number
    may be made), and ``endings`` in which moves are counted."""

    repetition: bool = True
    quiet_moves: _Moves = 0
    endings: Annotated[list[EndingTable], Field(max_length=40)] = []


class PdnTable(_Table):
    """How the game is written in PDN, the draughts players' files: its ``game_type`` with all parameters
    ("20,W,10,10,N2,0"; empty: it has none), the sign of a ``capture``, and how ``results`` are written."""

    game_type: Annotated[str, Field(pattern=r"^([0-9]{1,3},[WB],[0-9]{1,2},[0-9]{1,2},[AN][0-3],[01])?$")] = ""
    capture: Literal["x", ":", "-"] = "x"
    results: Literal["1-0", "2-0"] = "1-0"


class OpeningTable(_Table):
    """A ballot with a name."""

    name: _Name
    moves: Annotated[str, Field(min_length=1, max_length=200)]


class BallotsTable(_Table):
    """First moves ("11-15 23-19 8-11") from which a balloted event draws."""

    openings: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=200)] | OpeningTable], Field(min_length=1, max_length=500)
    ]


class OptionTable(_Table):
    """A house rule that players may choose: the dotted key that it sets and the values it takes."""

    sets: _Word
    values: Annotated[list[bool | _Number | _Word], Field(max_length=20)]
    range: Range | None = None
    offered: _Number | None = None
    says: _Line


class LineTable(_Table):
    """A line of the rules that holds only ``when`` the options that it names have those values."""

    says: _Line
    when: Annotated[dict[_Word, bool | _Number | _Word], Field(max_length=10)]


def _ranked(value: object) -> object:
    """Files of older versions say whether, not where."""
    return int(value) if isinstance(value, bool) else value


class _Common(_Table):
    """What the file of every game says. ``about``: what is particular about it, where it is chosen from a list;
    ``aliases``: other names by which people look for it, in any language;
    ``featured``: its rank among the games that are offered first, 0 for others; ``colours``: whether players choose;
    ``begins``: the first seat, or the one that a toss names; ``says``: the rules in short. ``vocabulary``: by which
    translators know games that call their pieces otherwise than others do (bot.i18n); ``language``: that of its people,
    where Discord does not speak it, so that it is offered where the game is begun."""

    name: _Name
    about: Annotated[str, Field(max_length=100), AfterValidator(_plain)] | None = None
    aliases: Annotated[list[_Name], Field(max_length=60)] = []
    featured: Annotated[int, BeforeValidator(_ranked), Field(ge=0, le=99)] = 0
    colours: Literal["choice", "lot"]
    begins: Literal["first", "toss"] = "first"
    vocabulary: Annotated[str, Field(pattern="^[a-z-]{0,32}$")] = ""
    language: Annotated[str, Field(pattern="^([a-z]{2,3})?$")] = ""
    says: Annotated[list[_Line | LineTable], Field(min_length=1, max_length=40)]
    options: Annotated[
        dict[Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,31}$")], OptionTable], Field(max_length=20)
    ] = {}


class DraughtsTables(_Common):
    """A game of the draughts family. ``first``: what the side that begins is called in position strings and in PDN,
    whatever colours its ``sides`` have. ``hub``: what draughts programs call it in the Hub protocol, where they do."""

    family: Literal["draughts"]
    first: Literal["white", "black"] = "white"
    sides: Annotated[list[_SideName], Field(min_length=2, max_length=2)]
    board: BoardTable
    start: StartTable
    man: ManTable
    king: KingTable
    capture: CaptureTable
    outcome: OutcomeTable = Field(default_factory=OutcomeTable)
    draws: DrawsTable = Field(default_factory=DrawsTable)
    pdn: PdnTable = Field(default_factory=PdnTable)
    hub: Annotated[str, Field(pattern=r"^[a-z0-9!-]{0,20}$")] = ""
    ballots: BallotsTable | None = None


class StarTables(_Common):
    """Chinese checkers on the star of 121 holes."""

    family: Literal["star"]
    players: Literal[2, 3, 4, 6]
    sets: Literal[1, 2, 3]
    unused: Literal["empty", "filled"]
    blocked: Literal["swap", "filled", "none"]
    places: bool

    @model_validator(mode="after")
    def _sets_fit_players(self) -> Self:
        fitting = {2: (1, 3), 3: (1, 2)}.get(self.players, (1,))
        if self.sets not in fitting:
            template = _("{players} goes with {allowed}, not with {sets}")
            allowed = listed_or([f"sets={number}" for number in fitting])
            players, sets = f"players={self.players}", f"sets={self.sets}"
            raise ValueError(template.format(players=players, allowed=allowed, sets=sets))
        return self


Tables = DraughtsTables | StarTables
TABLES: TypeAdapter[Tables] = TypeAdapter(
    Annotated[Tables, Field(discriminator="family")], config=ConfigDict(defer_build=True)
)
