"""A game in words: what the picture shows, for those who do not see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.outcomes import AGREED, SIDE
from bot.engine.rules import Rules, State
from bot.engine.star.geometry import NAMES
from bot.engine.star.state import StarState
from bot.engine.turns import Turn
from bot.engine.variants import in_own_words
from bot.i18n import _, full_stop, labelled, listed_and, ngettext, pgettext, sentence
from bot.presentation.board_scene import ShownGame

LONGEST = 1024
"""Discord takes no longer description of a picture."""


@in_own_words
def alt_text(game: ShownGame, names: Sequence[str] = ()) -> str:
    """The last turn, the position and whose turn it is, in at most 1024 characters."""
    rules, state = game.rules, game.state
    text = " ".join([f"{rules.variant.name}{full_stop()}", *board_told(game), whose_turn(rules, state, names)])
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


@in_own_words
def board_told(game: ShownGame) -> list[str]:
    """The last turn, the position, and what is to be known of it, each a sentence."""
    rules, state = game.rules, game.state
    parts = []
    if state.last is not None:
        turn = turn_in_words(rules, state, state.last)
        # A position that is no game's has no turns to be counted.
        told = _("Turn {number}: {turn}.").format(number=game.turn_number, turn=turn)
        parts.append(told if game.turn_number else sentence(turn))
    parts.extend(position_in_words(rules, state))
    parts.extend(sentence(notice) for notice in state.notices)
    return parts


@in_own_words
def written_out(game: ShownGame, beside: str = "") -> str:
    """What a board's picture shows, ``beside`` a text that says who is to move, and mostly the last turn: what that
    took, and the position, in one line each."""
    rules, state = game.rules, game.state
    lines = position_in_words(rules, state)
    if state.last is not None and state.last.captured:
        taken = _("Taken: {squares}.").format(squares=listed_and(_names(rules, state.last.captured)))
        said_so = f"**{state.last.text}**" in beside
        lines.insert(0, taken if said_so else sentence(turn_in_words(rules, state, state.last)))
    return "\n".join(lines)


@in_own_words
def turn_in_words(rules: Rules, state: State, turn: Turn) -> str:
    """The turn that led to ``state``: "White c3xe5xg7, taking d4 and f6, crowned"."""
    # After an oblige the obliged player is to move; after a huff the huffer still is; else the other one moved.
    if turn.kind == "oblige":
        return _("{side} is obliged to capture").format(side=rules.seats[state.seat].name)
    if turn.kind == "huff":
        square = rules.board.names[turn.path[0]]
        return _("{side} huffs {square}").format(side=rules.seats[state.seat].name, square=square)
    standing = rules.pieces(state).get(turn.path[-1])
    text = f"{rules.seats[standing.owner].name} {turn.text}" if standing else turn.text
    template = _("{turn}, crowned") if turn.crowns else "{turn}"
    if turn.captured:
        template = _("{turn}, taking {squares}, crowned") if turn.crowns else _("{turn}, taking {squares}")
    return with_swaps(rules, state, template.format(turn=text, squares=listed_and(_names(rules, turn.captured))))


def with_swaps(rules: Rules, state: State, text: str) -> str:
    """``text``, which tells the turn that led to ``state``, and on a star whose pegs changed places with its own."""
    if state.last is None or not state.last.swaps:
        return text
    pieces, names = rules.pieces(state), rules.board.names
    sides = [rules.seats[pieces[place].owner].name for _start, place in state.last.swaps if place in pieces]
    moves = ", ".join(f"{names[start]}-{names[end]}" for start, end in state.last.swaps)
    template = _("{turn}, which swaps with a peg of {sides} ({moves})")
    return template.format(turn=text, sides=listed_and(list(dict.fromkeys(sides))), moves=moves)


def _names(rules: Rules, places: Iterable[int]) -> list[str]:
    return [rules.board.names[place] for place in places]


@in_own_words
def position_in_words(rules: Rules, state: State) -> list[str]:
    """One sentence for each side: "White: king g7; men a1, b2."."""
    if isinstance(state, StarState):
        return _star_in_words(rules, state)
    lines, squares_of = [], squares_by_kind(rules, state)
    for seat, side in enumerate(rules.seats):
        groups = []
        for kind in ("king", "man"):
            squares = squares_of.get((seat, kind), [])
            if kind == "king":
                template = ngettext("king {squares}", "kings {squares}", len(squares))
            else:
                template = ngettext("man {squares}", "men {squares}", len(squares))
            if squares:
                groups.append(template.format(squares=", ".join(squares)))
        lines.append(labelled(f"{side.name}", "; ".join(groups) or _("no pieces")) + full_stop())
    return lines


def squares_by_kind(rules: Rules, state: State) -> dict[tuple[int, str], list[str]]:
    """Where the kings and the men of each side stand, in the order of the board, by seat and kind."""
    pieces, board = rules.pieces(state), rules.board
    found: dict[tuple[int, str], list[str]] = {}
    for place in sorted(pieces, key=board.ranks.__getitem__):
        piece = pieces[place]
        found.setdefault((piece.owner, piece.kind), []).append(board.names[place])
    return found


def _star_in_words(rules: Rules, state: StarState) -> list[str]:
    """By row, then number; each set of a side that has several by itself, as each has a target of its own."""
    holes: dict[str, list[str]] = {}
    for place, peg in sorted(rules.pieces(state).items()):
        holes.setdefault(peg.set, []).append(rules.board.names[place])
    lines = []
    for seat, side in enumerate(rules.seats):
        named = {name: ", ".join(holes.pop(name, [])) or _("none") for name in side.sets}
        if len(named) > 1:
            of_set = _("{set} pegs {holes}")
            groups = [of_set.format(set=pgettext(SIDE, NAMES[name]), holes=where) for name, where in named.items()]
        else:
            groups = [_("pegs {holes}").format(holes=named[side.sets[0]])]
        head = f"{side.name}"
        if seat in state.left:
            head = _("{side} (out)").format(side=side.name)
        elif seat in state.home and rules.variant.options.get("places"):
            head = _("{side} (place {place})").format(side=side.name, place=state.home.index(seat) + 1)
        lines.append(labelled(head, "; ".join(groups)) + full_stop())
    if holes:
        unmoved = ", ".join(hole for set_ in holes.values() for hole in set_)
        lines.append(_("Pegs that never move: {holes}.").format(holes=unmoved))
    return lines


@in_own_words
def whose_turn(rules: Rules, state: State, names: Sequence[str] = ()) -> str:
    """Who is to move, or how the game has ended. ``names`` by seat ("" for none)."""
    if state.outcome is not None:
        winner, reason = state.outcome.winner, state.outcome.reason
        if reason == AGREED:
            return _("Drawn by agreement.")
        if winner is None:
            return _("Drawn: {reason}.").format(reason=reason)
        return _("{side} has won: {reason}.").format(side=rules.seats[winner].name, reason=reason)
    side = rules.seats[state.seat].name
    name = names[state.seat] if state.seat < len(names) else ""
    if name:
        return _("{side} ({name}) to move.").format(side=side, name=name)
    return _("{side} to move.").format(side=side)
