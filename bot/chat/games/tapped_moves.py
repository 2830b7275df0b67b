"""Moves that are tapped: behind the button *Move*, a board for the mover's eyes, with pieces and places on buttons."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import discord

from bot.chat.board_pictures import BoardView, own_view
from bot.chat.components import (
    BUTTONS_IN_A_ROW,
    LONGEST_CHOICE,
    LONGEST_LABEL,
    MOST_BUTTONS,
    MOST_CHOICES,
    ActionButton,
    ActionMenu,
    GameAction,
    Press,
    game_button,
    view_of,
)
from bot.chat.games.buttons import remedy_buttons
from bot.chat.games.room_checks import played_by
from bot.chat.permissions import with_warning
from bot.chat.responses import defer_if_slow, is_private, picking, replace, reply_privately
from bot.chat.services import Services
from bot.engine.turns import Turn
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.seats import check_moves_may_go_back
from bot.games.persistence.off_loop import find_turns
from bot.i18n import _, pgettext
from bot.presentation.board_scene import Highlights, ends_of, starts_of, turned_for
from bot.support.frozen import frozen

# What stands side by side on a phone, 360 pixels wide: moves, or the names of places.
MOVES_IN_A_ROW, PLACES_IN_A_ROW = 4, 5
# The last of Discord's five rows is for the other ways to go on.
ROWS = 4
MOST_ENDS = MOST_BUTTONS - 2
"""Buttons beside *Another piece* and *Type it*."""
SHORT = 7
"""So many letters the moves of a list have that is shown at once, "c3xe5xg"; longer ones are chosen piece by piece."""


@frozen
class Branch:
    """Turns that have begun alike, of the legal ones in the order of their paths: those from ``first`` up to ``end``.
    ``stops``: how many places of their paths are chosen already."""

    turns: tuple[Turn, ...]
    first: int
    stops: int = 0

    @property
    def arg(self) -> str:
        """What a button carries that leads to these turns."""
        return f"{self.first}-{self.first + len(self.turns)}"

    @property
    def start(self) -> int | None:
        """The place of the piece that all of them move."""
        return self.turns[0].path[0] if self.stops else None


def all_of(game: Game) -> Branch:
    """All legal turns."""
    ranks = game.rules.board.ranks
    turns = sorted(game.rules.turns(game.state), key=lambda turn: [ranks[place] for place in turn.path])
    return Branch(tuple(turns), 0)


def branch_of(whole: Branch, arg: str) -> Branch:
    """The turns that the button carries; all of them where it carries none, or none that there are."""
    first, __, end = arg.partition("-")
    turns = whole.turns[int(first) : int(end)] if arg else ()
    if not turns:
        return whole
    return Branch(turns, int(first), _alike(turns))


def _alike(turns: Sequence[Turn]) -> int:
    """How many places the paths have in common, from the start on, short of whole paths."""
    shortest = min(len(turn.path) for turn in turns) - (len(turns) == 1)
    same = (len({turn.path[at] for turn in turns}) == 1 for at in range(shortest))
    return next((at for at, alike in enumerate(same) if not alike), shortest)


def choices_of(branch: Branch) -> list[Branch]:
    """What ``branch`` is chosen from: single turns where they fit, else pieces, or the next place of long chains."""
    single = [Branch((turn,), branch.first + at) for at, turn in enumerate(branch.turns)]
    if not branch.stops:
        short = all(len(turn.text) <= SHORT for turn in branch.turns)
        if len(single) <= (MOVES_IN_A_ROW * ROWS if short else ROWS):
            return single
        pieces = list(_by_place(branch, 0))
        # A king with more squares than there are buttons would take a tap more.
        widest = max(len(piece.turns) for piece in pieces)
        return single if widest > MOST_ENDS and len(single) <= MOST_CHOICES * ROWS else pieces
    if len(single) <= MOST_CHOICES * ROWS:
        return single
    return list(_by_place(branch, branch.stops))


def _by_place(branch: Branch, at: int) -> Iterator[Branch]:
    first = branch.first
    for _place, alike in groupby(branch.turns, key=lambda turn: turn.path[at : at + 1]):
        turns = tuple(alike)
        yield Branch(turns, first, at + 1)
        first += len(turns)


@frozen
class ChoicePage:
    """One page of the choice: its words, its buttons, and what the board points out."""

    text: str
    view: discord.ui.View
    highlights: Highlights


def page_of(game: Game, seen: BoardView, arg: str = "") -> ChoicePage:
    """The choice among the turns that a button's ``arg`` stands for, all of them for ""."""
    rules = game.rules
    branch = branch_of(all_of(game), arg)
    # From left to right as the board is seen.
    choices = choices_of(branch)[:: -1 if seen.turned else 1]
    ends = [choice.turns[0].path[-1] for choice in choices]

    def name(place: int) -> str:
        return seen.written(game, rules.board.names[place])

    def label(choice: Branch) -> str:
        path = choice.turns[0].path
        if len(choice.turns) == 1:
            alone = branch.start is not None and ends.count(path[-1]) == 1
            return name(path[-1]) if alone else seen.written(game, choice.turns[0].text)
        return " ".join(name(place) for place in path[: choice.stops])

    named = [(label(choice), _carried(game, choice)) for choice in choices]
    star = rules.variant.family == "star"
    other = [game_button("type", game, pgettext("button", "Type it"), row=ROWS)]
    if branch.start is None:
        other[:0] = remedy_buttons(game, row=ROWS)[: BUTTONS_IN_A_ROW - 1]
    else:
        another = pgettext("button", "Another peg") if star else pgettext("button", "Another piece")
        other.insert(0, game_button("choose", game, another, row=ROWS))
    view = view_of([*_asked(game, named, MOST_BUTTONS - len(other)), *other])
    if branch.start is not None:
        template = _("Where does the peg on **{place}** go?") if star else _("Where does the piece on **{place}** go?")
        return ChoicePage(
            template.format(place=name(branch.start)),
            view,
            Highlights(ends_of(rules, branch.turns), chosen=branch.start),
        )
    starts = starts_of(rules, branch.turns)
    if not choices:
        return ChoicePage(_("You have no move: huff, or oblige."), view, Highlights())
    warning = ""
    if any(turn.neglects for turn in branch.turns):
        warning = _("You can capture: if you do not, your opponent may huff your piece or oblige you.")
    if len(choices) == len(branch.turns):
        text = f"{_('Choose your move.')} {warning}".rstrip()
        return ChoicePage(text, view, Highlights(ends_of(rules, branch.turns), starts))
    text = _("Which peg do you move?") if star else _("Which piece do you move?")
    return ChoicePage(f"{text} {warning}".rstrip(), view, Highlights(named=starts))


def _carried(game: Game, choice: Branch) -> GameAction:
    if len(choice.turns) == 1:
        return picking(game, choice.turns[0])
    return GameAction("choose", game.id, game.ply, choice.arg)


def _asked(game: Game, named: Sequence[tuple[str, GameAction]], most: int) -> Iterator[ActionButton | ActionMenu]:
    """The choices as buttons; where they are more than ``most``, in menus, which take a tap to open."""
    wide = len(named) <= MOVES_IN_A_ROW * ROWS and any(len(label) > len("a10") for label, _carried in named)
    in_a_row = MOVES_IN_A_ROW if wide else PLACES_IN_A_ROW
    if len(named) <= most:
        for at, (label, carried) in enumerate(named):
            yield ActionButton.of(carried, _short(label, LONGEST_LABEL), row=at // in_a_row)
        return
    # As the board is seen nobody could tell in which menu a piece is.
    named = sorted(named, key=lambda each: _by_row(each[0]))
    for number in range(min(ROWS, -(-len(named) // MOST_CHOICES))):
        listed = named[number * MOST_CHOICES : (number + 1) * MOST_CHOICES]
        options = [
            discord.SelectOption(label=_short(label, LONGEST_CHOICE), value=carried.encode())
            for label, carried in listed
        ]
        ends = [listed[0][0], listed[-1][0]]
        starts = [re.split("[-x ]", label)[0] for label in ends]
        first, last = ends if starts[0] == starts[1] else starts
        span = first if first == last else _("{first} to {last}").format(first=first, last=last)
        yield ActionMenu.of(GameAction("listed", game.id, game.ply, str(number)), _short(span, LONGEST_CHOICE), options)


def _by_row(label: str) -> list[tuple[str, int]]:
    """In the order of the letters of squares or holes, then of their numbers."""
    return [(letters, int(number)) for letters, number in re.findall("([a-z]*)([0-9]+)", label)]


def _short(label: str, most: int) -> str:
    """A long chain by its ends."""
    if len(label) <= most:
        return label
    half = (most - 1) // 2
    return f"{label[:half]}…{label[-half:]}"


async def show_choice(interaction: Press, services: Services, game: Game, arg: str = "", *, first: str = "") -> None:
    """Let the mover choose among the turns that ``arg`` stands for; in place of what was pressed, if that was private.
    ``first`` is said before."""
    await find_turns(game)
    preferences = await services.games.preferences.load(interaction.user.id)
    seen = own_view(game, interaction.user.id, preferences)
    # Where turns take long to find there are many.
    page = (
        page_of(game, seen, arg) if game.rules.quick(game.state) else await asyncio.to_thread(page_of, game, seen, arg)
    )
    name = f"g{game.id}-m{game.ply}-move{arg}.png"
    file = await defer_if_slow(interaction, services.pictures.board(game, name, seen, page.highlights))
    text = " ".join(filter(None, (first, page.text)))
    if is_private(interaction):
        await replace(interaction, text, page.view, file)
    else:
        await reply_privately(interaction, text, view=page.view, file=file)


async def show_played(interaction: Press, services: Services, game: Game) -> None:
    """Say what was just played, in place of what was pressed."""
    person = interaction.user.id
    seen = own_view(game, person, await services.games.preferences.load(person))
    text = _("Played: `{move}`.").format(move=seen.written(game, played_by(interaction, game)))
    # What all see nobody else is to undo.
    await replace(
        interaction, with_warning(interaction, text), undo_view(game, person) if is_private(interaction) else None
    )


def undo_view(game: Game, person: int) -> discord.ui.View | None:
    """Under what ``person`` has just played: a way back, where there is one."""
    try:
        check_moves_may_go_back(game)
    except Refused:
        return None
    last = game.entries[-1]
    if game.status != "running" or last.kind != "turn" or game.players[last.seat] != person:
        return None
    return view_of([game_button("undo", game, pgettext("button", "Undo"))])


def side_text(game: Game, seen: BoardView, person: int) -> str:
    """Above a board at which ``person`` looks: from the side of a player who sits at it, else turned or not."""
    seat = next((at for at in range(len(game.players)) if turned_for(game.rules, at) is seen.turned), 0)
    seen_from = _("Seen from {side}'s side.") if person in game.players else _("The board with {side} at the bottom.")
    return seen_from.format(side=game.seat_name(seat))
