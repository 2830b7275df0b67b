"""Boards at a terminal: in text, as a picture file, and a game of two people at one keyboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import render
from bot.cli.positions import opened, played_on
from bot.engine.errors import AmbiguousMove, MoveError
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset
from bot.engine.turns import Turn
from bot.engine.variants import OptionValue
from bot.presentation.board_scene import ShownPosition, scene_of

_SIGNS = {("man", 0): "o", ("king", 0): "O", ("man", 1): "x", ("king", 1): "X"}
_STAR_SIGNS = {"S": "1", "SW": "2", "NW": "3", "N": "4", "NE": "5", "SE": "6"}


def picture(
    variant: str | Ruleset, position: str | None, moves: Sequence[str], options: Mapping[str, OptionValue], out: Path
) -> None:
    """Write the picture of a position, after ``moves`` were played in it, to the file ``out``.

    Raises EngineError, IllegalMove for the first move that cannot be played, OSError for the file."""
    rules, state = opened(variant, position, options)
    state = played_on(rules, state, moves)[-1]
    names = [seat.name for seat in rules.seats]
    out.write_bytes(render.draw(scene_of(ShownPosition(rules, state, position), names)))


def in_text(rules: Rules, state: State) -> str:
    """The board in characters: o x men, O X kings of the first and second player, . an empty square to play on. At the
    left a row has its own number, or that of its first square where squares are called by numbers."""
    board, pieces = rules.board, rules.pieces(state)
    by_place = {board.places[place]: place for place in board.played}
    star = rules.variant.family == "star"
    lines = []
    for y in range(board.height - 1, -1, -1):
        cells = []
        for x in range(board.width):
            place = by_place.get((x, y))
            piece = None if place is None else pieces.get(place)
            if piece is not None:
                cells.append(_STAR_SIGNS[piece.set] if star else _SIGNS[piece.kind, piece.owner])
            else:
                cells.append(" " if place is None else ".")
        row = "".join(cells) if star else " ".join(cells)
        first = next(board.names[p] for p in sorted(board.played) if board.places[p][1] == y)
        label = first[0] if star else f"{first if board.by_number else y + 1:>2}"
        lines.append(f"{label} {row}".rstrip())
    if not star and not board.by_number:
        files = [name[0] for name, (_, y) in zip(board.names, board.places, strict=True) if y == 0]
        lines.append("   " + " ".join(files))
    return "\n".join(lines)


def play(
    variant: str | Ruleset,
    position: str | None,
    options: Mapping[str, OptionValue],
    ask: Callable[[str], str],
    tell: Callable[[str], None],
    opponent: Callable[[Rules, State], Turn] | None = None,
) -> None:
    """Two people play at one terminal, or one against ``opponent``: ``ask`` shows a prompt and returns a line, ``tell``
    shows a text. The board is shown when it has changed.

    Ends with the game, with "quit", or when ``ask`` raises EOFError. Raises EngineError for a bad start."""
    rules, state = opened(variant, position, options)
    tell(f"{rules.variant.name}. Type a move, moves, back, or quit.")
    past: list[State] = []
    offered: tuple[Turn, ...] = ()
    person, shown = state.seat, None
    while state.outcome is None:
        if opponent is not None and state.seat != person:
            turn = opponent(rules, state)
            state = rules.play(state, turn)
            tell(f"{rules.seats[1 - person].name if len(rules.seats) == 2 else 'The computer'} plays {turn.text}")
            continue
        if state is not shown:
            shown = state
            tell("\n" + in_text(rules, state))
            for notice in state.notices:
                tell(notice)
            if remedies := rules.remedies(state):
                tell(f"A capture was neglected. You may type {', '.join(turn.text for turn in remedies)}, or move.")
        try:
            text = ask(f"{rules.seats[state.seat].name}> ").strip()
        except EOFError:
            return
        match text.lower():
            case "quit" | "exit":
                return
            case "moves":
                tell(", ".join(turn.text for turn in rules.turns(state)))
                continue
            case "back":
                if past:
                    state, offered = past.pop(), ()
                else:
                    tell("There is no move to take back.")
                continue
            case "":
                continue
        try:
            picked = int(text) if text.isascii() and text.isdigit() else 0
            turn = offered[picked - 1] if 1 <= picked <= len(offered) else rules.read(state, text)
        except AmbiguousMove as error:
            offered = error.candidates
            tell("More than one move fits. Type one of them, or its number:")
            for number, candidate in enumerate(offered, start=1):
                tell(f"  {number}. {candidate.text}")
            continue
        except MoveError as error:
            tell(error.sentence)
            continue
        past.append(state)
        offered = ()
        state = rules.play(state, turn)
        tell(turn.text)
    tell("\n" + in_text(rules, state))
    winner, reason = state.outcome.winner, state.outcome.reason
    tell(f"Drawn: {reason}." if winner is None else f"{rules.seats[winner].name} has won: {reason}.")
