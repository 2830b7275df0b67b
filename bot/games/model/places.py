"""In which order the players of a game came in. Pure."""

from __future__ import annotations

from bot.games.model.game import Game


def places_of(game: Game) -> tuple[int, ...]:
    """The place of each seat at the end of a game of three or more, from 1. Those who played for nothing else any more
    share one place; who left stands behind all others, the last to leave before the first."""
    result = game.result
    assert result is not None
    home = result.places or (() if result.winner is None else (result.winner,))
    gone = [entry.seat for entry in game.line if entry.kind in ("resign", "timeout")]
    places = {seat: place for place, seat in enumerate(home, start=1)}
    sharing = [seat for seat in range(len(game.players)) if seat not in places and seat not in gone]
    places |= {seat: len(home) + 1 for seat in sharing}
    behind = len(home) + len(sharing)
    places |= {seat: behind + at for at, seat in enumerate(reversed([s for s in gone if s not in home]), start=1)}
    return tuple(places[seat] for seat in range(len(game.players)))


def came_to(game: Game, seat: int) -> bool:
    """Whether a seat has ever made a turn."""
    return any(entry.kind == "turn" and entry.seat == seat for entry in game.entries)


def placing(game: Game) -> tuple[int, ...]:
    """The place of each seat of a table, from 1; 0 for who has left without a single turn, and so did not come."""
    came = [seat not in game.left or came_to(game, seat) for seat in range(len(game.players))]
    places = [place if here else 0 for place, here in zip(places_of(game), came, strict=True)]
    return tuple(1 + sum(0 < other < place for other in places) if place else 0 for place in places)
