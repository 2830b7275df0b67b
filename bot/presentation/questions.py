"""Questions about a board, answered in words: what stands on a square or in a row, which kings there are, what can be
captured. With them a game can be followed and played without its picture."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from bot.engine.errors import echoed
from bot.engine.rules import Rules, State
from bot.engine.turns import Piece, Turn
from bot.engine.variants import in_own_words
from bot.i18n import N_, _, full_stop, labelled, ngettext, sentence
from bot.presentation.alt_text import position_in_words, squares_by_kind, turn_in_words, whose_turn
from bot.presentation.board_scene import ShownGame

# Armenian asks within the word; pictures write the row l so that nobody takes it for a 1.
_AS_TYPED: Final = {ord("՞"): None, 0x2113: "l"}

_MOST_TURNS: Final = 60
"""So many turns are listed; of more it is said from where to where."""

# What may be asked, in the words of each language, those that mean the same between commas.
_BOARD = N_("board, position, pieces, all")
_LAST = N_("last, last move")
_MOVES = N_("moves, legal moves, what can I play")
_CAPTURES = N_("captures, capture, takes")
_KINGS = N_("kings, king")
_MEN = N_("men, man, pegs")
_ROW = N_("row, rank, line")
_COLUMN = N_("column, file")
_CLOCK = N_("clock, time")
_TURN = N_("turn, whose turn, whose turn is it, who is to move")
_HINT = N_("hint, a hint, give me a hint")
_RULES = N_("rules, the rules, how to play")
_QUESTIONS = N_("questions, help, what can I ask")
_RESIGNING = N_("resign, give up, I resign")
_DRAWING = N_("draw, offer a draw, offer draw")
_TAKING_BACK = N_("undo, take back, takeback")


@in_own_words
def answer(game: ShownGame, text: str, clock: str, *, undoing: str = "", numbers: bool = False) -> str | None:
    """The answer to a question such as ``c3``, ``row 4``, ``kings``, ``captures`` or ``last``, typed in English or in
    the language spoken now; None where ``text`` is no question. ``clock`` says how much time there is, ``undoing`` how
    a turn is taken back; ``numbers``: squares are asked for by number, also where the game is written in letters."""
    rules, state = game.rules, game.state
    # Phones and East Asian keyboards write wide digits.
    asked = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_AS_TYPED).rstrip("?։").split())
    if (place := _place(rules, asked, numbers=numbers)) is not None:
        return _on_square(rules, state, place)
    word, _space, name = asked.rpartition(" ")
    if word and _means(word, _ROW):
        return _in_row(rules, state, name)
    if word and _means(word, _COLUMN):
        return _in_column(rules, state, name)
    if re.fullmatch("[a-z][0-9]{1,2}", asked):
        return _("There is no {square} on this board.").format(square=asked)
    answers: Mapping[str, Callable[[], str]] = {
        _BOARD: lambda: "\n".join(
            [*position_in_words(rules, state), *map(sentence, state.notices), whose_turn(rules, state)]
        ),
        _LAST: lambda: _last(rules, state),
        _MOVES: lambda: moves_in_words(rules, state),
        _CAPTURES: lambda: _captures(rules, state),
        _KINGS: lambda: _of_kind(rules, state, "king"),
        _MEN: lambda: _of_kind(rules, state, "man"),
        _CLOCK: lambda: clock,
        _TURN: lambda: whose_turn(rules, state),
        _HINT: lambda: _("For a hint in a casual game, use `/game hint`."),
        _RULES: lambda: _("The rules in short: `/rules`."),
        _ROW: lambda: _in_row(rules, state, ""),
        _COLUMN: lambda: _in_column(rules, state, ""),
        _QUESTIONS: lambda: what_to_ask(rules, state),
        _RESIGNING: lambda: _("To resign, press *Resign* under the board, or use `/game resign`."),
        _DRAWING: lambda: _("To offer a draw, press *Draw* under the board, or use `/game draw`."),
        _TAKING_BACK: lambda: undoing,
    }
    return next((said() for words, said in answers.items() if _means(asked, words)), None)


@in_own_words
def what_to_ask(rules: Rules, state: State) -> str:
    """What may be asked of this game, and how one moves in it, with examples that fit its board."""
    board = rules.board
    square = board.names[min(rules.pieces(rules.start()), key=board.ranks.__getitem__)]
    if rules.variant.family == "star":
        template = _("Ask me: {square}?, row d, pegs, moves, last, board, clock.")
    else:
        template = _("Ask me: {square}?, row 4, kings, captures, moves, last, board, clock.")
    # An example of how moves are written, which is not worth a long search.
    turns = rules.turns(state) if rules.quick(state) and state.outcome is None else rules.turns(rules.start())
    moving = _("To move, press *Move* under the board or write a move such as {move}; `/help` tells more.")
    move = next((turn.text for turn in turns if turn.path), "")
    return f"{template.format(square=square)} {moving.format(move=move) if move else _('`/help` tells more.')}"


@in_own_words
def moves_in_words(rules: Rules, state: State) -> str:
    """What the side to move may play, and what it may do before."""
    if state.outcome is not None:
        return whose_turn(rules, state)
    turns = rules.turns(state)
    template = ngettext("{side} may play {count} move: {moves}.", "{side} may play {count} moves: {moves}.", len(turns))
    side = rules.seats[state.seat].name
    told = [template.format(side=side, count=len(turns), moves=_listed(rules, turns))] if turns else []
    if remedies := rules.remedies(state):
        told.append(_("Before moving: {remedies}").format(remedies=_listed(rules, remedies)) + full_stop())
    return " ".join(told)


def _means(asked: str, words: str) -> bool:
    return any(asked == word.strip() for text in (words, _(words)) for word in text.casefold().split(","))


def _place(rules: Rules, name: str, *, numbers: bool) -> int | None:
    """The place that is called so; a number alone may be many things where squares have letters."""
    board = rules.board
    if name.isascii() and name.isdigit() and (board.by_number or numbers):
        return board.number_index.get(int(name)) if len(name) < 4 else None
    return board.index.get(name)


def _on_square(rules: Rules, state: State, place: int) -> str:
    name = rules.board.names[place]
    if place not in rules.board.played:
        return _("{square} is not used in this game").format(square=name) + full_stop()
    piece = rules.pieces(state).get(place)
    if piece is None:
        return _("{square} is empty.").format(square=name)
    told = _("{square}: {piece}.").format(square=name, piece=_named(rules, piece))
    if state.outcome is not None or piece.owner != state.seat:
        return told
    turns = [turn for turn in rules.turns(state) if turn.path and turn.path[0] == place]
    if not turns:
        return f"{told} {_('It cannot move now.')}"
    return f"{told} {_('It may play {moves}.').format(moves=_listed(rules, turns))}"


def _in_row(rules: Rules, state: State, name: str) -> str:
    board = rules.board
    row = ord(name) - ord("a") + 1 if len(name) == 1 and name.isalpha() and name.isascii() else 0
    if rules.variant.family != "star":
        row = int(name) if name.isascii() and name.isdigit() and len(name) < 4 else 0
    if not 1 <= row <= board.height:
        first, last = ("a", "q") if rules.variant.family == "star" else ("1", str(board.height))
        if not name:
            return _("Which row? The rows are {first} to {last}.").format(first=first, last=last)
        return _("There is no row {name}; the rows are {first} to {last}.").format(
            name=echoed(name), first=first, last=last
        )
    places = [place for place in board.played if board.places[place][1] == row - 1]
    return _standing(rules, state, _("Row {name}").format(name=name), places)


def _in_column(rules: Rules, state: State, name: str) -> str:
    board = rules.board
    if rules.variant.family == "star":
        return _("A star has no columns. Ask for a row: row d.")
    column = ord(name) - ord("a") if len(name) == 1 and name.isascii() and name.isalpha() else -1
    if not 0 <= column < board.width:
        last = chr(ord("a") + board.width - 1)
        if not name:
            return _("Which column? The columns are a to {last}.").format(last=last)
        return _("There is no column {name}; the columns are a to {last}.").format(name=echoed(name), last=last)
    places = [place for place in board.played if board.places[place][0] == column]
    return _standing(rules, state, _("Column {name}").format(name=name), places)


def _standing(rules: Rules, state: State, head: str, places: Iterable[int]) -> str:
    """What stands on some places, in the order of the board."""
    pieces, names = rules.pieces(state), rules.board.names
    ordered = sorted((place for place in places if place in pieces), key=rules.board.ranks.__getitem__)
    template = _("{square} {piece}")
    there = [template.format(square=names[place], piece=_named(rules, pieces[place])) for place in ordered]
    return labelled(head, ", ".join(there) or _("empty")) + full_stop()


def _named(rules: Rules, piece: Piece) -> str:
    if piece.owner < 0:
        return _("a peg that never moves")
    template = {"man": _("{side} man"), "king": _("{side} king"), "peg": _("{side} peg")}[piece.kind]
    return template.format(side=rules.seats[piece.owner].name)


def _of_kind(rules: Rules, state: State, kind: str) -> str:
    """The kings or the men of each side; on a star its pegs."""
    if rules.variant.family == "star":
        return _("There are no kings in this game.") if kind == "king" else "\n".join(position_in_words(rules, state))
    lines = []
    for seat, side in enumerate(rules.seats):
        there = squares_by_kind(rules, state).get((seat, kind), [])
        count, squares = len(there), ", ".join(there)
        if kind == "king":
            template = ngettext("{side} has {count} king: {squares}.", "{side} has {count} kings: {squares}.", count)
            none = _("{side} has no king.")
        else:
            template = ngettext("{side} has {count} man: {squares}.", "{side} has {count} men: {squares}.", count)
            none = _("{side} has no man.")
        lines.append((template if there else none).format(side=side.name, count=count, squares=squares))
    return "\n".join(lines)


def _last(rules: Rules, state: State) -> str:
    if state.last is None:
        return _("No move has been made yet.")
    return sentence(turn_in_words(rules, state, state.last))


def _captures(rules: Rules, state: State) -> str:
    if rules.variant.family == "star":
        return _("Nothing is captured in this game.")
    if state.outcome is not None:
        return whose_turn(rules, state)
    captures = [turn for turn in rules.turns(state) if turn.captured]
    side = rules.seats[state.seat].name
    if not captures:
        return _("{side} has nothing to capture.").format(side=side)
    return _("{side} may capture: {moves}.").format(side=side, moves=_listed(rules, captures))


def _listed(rules: Rules, turns: Iterable[Turn]) -> str:
    """Turns by their notation, or where there are too many, where one may end from where."""
    listed = list(turns)
    if len(listed) <= _MOST_TURNS:
        return ", ".join(turn.text for turn in listed)
    template = _("{start} to {ends}")
    return "; ".join(template.format(start=start, ends=", ".join(ends)) for start, ends in by_start(rules, listed))


def by_start(rules: Rules, turns: Iterable[Turn]) -> list[tuple[str, list[str]]]:
    """From where to where one may go, for each piece: what a long list of chains comes down to."""
    names, ends = rules.board.names, dict[str, dict[str, None]]()
    for turn in turns:
        if turn.path:
            ends.setdefault(names[turn.path[0]], {})[names[turn.path[-1]]] = None
    return [(start, list(there)) for start, there in ends.items()]
