"""A game in words: what the picture shows, for those who do not see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.engine.rules import Rules, State, Turn
from bot.engine.star_layout import NAMES

LONGEST = 1024
"""Discord takes no longer description of a picture."""


class Told(Protocol):
    """What words need of a game: its rules, its state and the number of its last entry."""

    @property
    def rules(self) -> Rules: ...

    @property
    def state(self) -> State: ...

    @property
    def ply(self) -> int: ...


def alt_text(game: Told, names: Sequence[str] = ()) -> str:
    """The last turn, the position and whose turn it is, in at most 1024 characters."""
    rules, state = game.rules, game.state
    parts = [f"{rules.variant.name}."]
    if state.last is not None:
        parts.append(f"Turn {game.ply}: {turn_in_words(rules, state, state.last)}.")
    parts.extend(position_in_words(rules, state))
    parts.extend(f"{notice[:1].upper()}{notice[1:]}." for notice in state.notices)
    parts.append(_whose_turn(rules, state, names))
    text = " ".join(parts)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def turn_in_words(rules: Rules, state: State, turn: Turn) -> str:
    """The turn that led to ``state``: "White c3xe5xg7, taking 2 pieces, crowned"."""
    # After an oblige the obliged player is to move; after a huff the huffer still is; else the other one moved.
    if turn.kind == "oblige":
        return f"{rules.seats[state.seat].name} is obliged to capture"
    if turn.kind == "huff":
        return f"{rules.seats[state.seat].name} huffs {rules.board.names[turn.path[0]]}"
    standing = rules.pieces(state).get(turn.path[-1])
    who = f"{rules.seats[standing.owner].name} " if standing else ""
    count = len(turn.captured)
    taking = f", taking {count} piece{'s' * (count > 1)}" if count else ""
    return f"{who}{turn.text}{taking}{', crowned' if turn.crowns else ''}"


def position_in_words(rules: Rules, state: State) -> list[str]:
    """One sentence for each side: "White: king g7; men a1, b2."."""
    if rules.variant.family == "star":
        return _star_in_words(rules, state)
    pieces = rules.pieces(state)
    places = sorted(pieces, key=lambda place: rules.board.places[place])
    told = []
    for seat, side in enumerate(rules.seats):
        groups = []
        for kind, one, many in (("king", "king", "kings"), ("man", "man", "men")):
            here = [rules.board.names[p] for p in places if pieces[p].owner == seat and pieces[p].kind == kind]
            if here:
                groups.append(f"{one if len(here) == 1 else many} {', '.join(here)}")
        told.append(f"{side.name}: {'; '.join(groups) or 'no pieces'}.")
    return told


def _star_in_words(rules: Rules, state: State) -> list[str]:
    """By row, then number; each set of a side that has several by itself, as each has a target of its own."""
    holes: dict[str, list[str]] = {}
    for place, peg in sorted(rules.pieces(state).items()):
        holes.setdefault(peg.set, []).append(rules.board.names[place])
    told = []
    for side in rules.seats:
        named = {name: ", ".join(holes.pop(name, [])) or "none" for name in side.sets}
        alone = f"pegs {named[side.sets[0]]}"
        groups = [f"{NAMES[name]} pegs {where}" for name, where in named.items()] if len(named) > 1 else [alone]
        told.append(f"{side.name}: {'; '.join(groups)}.")
    if holes:
        told.append(f"Pegs that nobody moves: {', '.join(hole for set_ in holes.values() for hole in set_)}.")
    return told


def _whose_turn(rules: Rules, state: State, names: Sequence[str]) -> str:
    if state.outcome is not None:
        winner = state.outcome.winner
        reason = state.outcome.reason
        return f"Drawn: {reason}." if winner is None else f"{rules.seats[winner].name} has won: {reason}."
    seat = rules.seats[state.seat].name
    name = names[state.seat] if state.seat < len(names) else ""
    return f"{seat} ({name}) to move." if name else f"{seat} to move."
