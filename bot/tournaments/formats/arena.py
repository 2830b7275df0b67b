"""The pool of an arena: who waits since when, who pauses, and until when it lasts. Pure.

The rules, as they are said at creation: who waits is paired a few seconds later with the nearest in points and rating,
with somebody else than the last time where that is possible. Who lets their time run out, or does not come to a game,
pauses until they come back. At the end no further game begins; those that are going on are played out, and count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.games.model.clock import CONTROLS
from bot.i18n import _
from bot.tournaments.formats.next_round import ranking
from bot.tournaments.model.events import ArenaGame, Entered, Event, Kind, Returned, Started, TournamentSettings
from bot.tournaments.model.state import Entrant, Phase, Tournament
from bot.tournaments.pairing.arena import Waiting, pair_waiting
from bot.tournaments.pairing.record import PLAYED, Mark

MINUTE: Final = 60_000
PAIR_AFTER: Final = 8_000
"""So long (ms) is waited for others who come to the pool, before those in it are paired."""

PATIENCE: Final = 90_000
"""Who has waited so long (ms) plays against the same opponent again rather than wait on."""

LEAST, MOST = 10, 12 * 60
"""Minutes that an arena may last."""


def refusal_of_length(plan: TournamentSettings, clock: str, now: int) -> str | None:
    """Why an arena cannot be held so, as a sentence; None: it can."""
    control = CONTROLS.get(clock)
    if control is None or not control.live:
        live = ", ".join(f"`{control.id}`" for control in CONTROLS.values() if control.live)
        return _("An arena is for an evening: choose a live clock ({clocks}).").format(clocks=live)
    if bool(plan.minutes) == bool(plan.ends_at):
        return _("Say how many minutes the arena lasts, or until when: one of the two.")
    if plan.minutes and not LEAST <= plan.minutes <= MOST:
        return _("An arena lasts {least} to {most} minutes.").format(least=LEAST, most=MOST)
    if plan.ends_at and not now + LEAST * MINUTE <= plan.ends_at:
        return _("The arena must end at least {least} minutes from now.").format(least=LEAST)
    return None


def ends_at(plan: TournamentSettings, events: Iterable[Event]) -> int | None:
    """Until when games begin (UTC ms); None before the start of an arena of so many minutes."""
    if plan.ends_at:
        return plan.ends_at
    started = next((event.at for event in events if isinstance(event.action, Started)), None)
    return None if started is None else started + plan.minutes * MINUTE


def playing(state: Tournament) -> frozenset[int]:
    """Who is in a game now."""
    games = [game for game in state.arena_games.values() if game.white_mark is Mark.PENDING]
    return frozenset(number for game in games for number in (game.white, game.black))


def takes_part(entrant: Entrant) -> bool:
    """Whether a player wants to be paired."""
    return not entrant.is_gone and not entrant.paused and entrant.person > 0


def free(state: Tournament) -> tuple[int, ...]:
    """Who could be paired now."""
    busy = playing(state)
    return tuple(number for number, each in state.by_number.items() if takes_part(each) and number not in busy)


def pool(state: Tournament, events: Sequence[Event], ratings: Mapping[int, float], now: int) -> tuple[Waiting, ...]:
    """Who waits. ``ratings`` by person."""
    if state.phase is not Phase.RUNNING or state.plan.kind is not Kind.ARENA or state.pool_closed:
        return ()
    there = [entrant for entrant in state.by_number.values() if takes_part(entrant)]
    since = _since(state, events)
    points = {line.number: int(line.values[0]) for line in ranking(state).lines}
    games = sorted(state.arena_games.values(), key=lambda game: game.game)
    found = []
    for number in free(state):
        mine = [game for game in games if number in (game.white, game.black)]
        whites = [1 if game.white == number else -1 for game in mine if game.white_mark in PLAYED]
        last = None if not mine else mine[-1].black if mine[-1].white == number else mine[-1].white
        if len(there) == 2 or now - since[number] >= PATIENCE:
            # Nobody else is there, or comes in time.
            last = None
        rating = round(ratings.get(state.by_number[number].person, 1500))
        found.append(Waiting(number, rating, points[number], since[number], sum(whites), last))
    return tuple(found)


def next_games(state: Tournament, waiting: Sequence[Waiting]) -> tuple[ArenaGame, ...]:
    """The games that begin now."""
    first = max(state.arena_games, default=0) + 1
    pairs = pair_waiting(waiting)
    return tuple(ArenaGame(first + i, *pair, Mark.PENDING, Mark.PENDING) for i, pair in enumerate(pairs))


def _since(state: Tournament, events: Sequence[Event]) -> dict[int, int]:
    """Since when each player has been free: the latest of the start, an entry, a return and the end of a game."""
    people = {person: n for n, e in state.by_number.items() for person in (e.person, *e.before)}
    found = dict.fromkeys(state.by_number, 0)
    for event in events:
        match event.action:
            case Started():
                found = dict.fromkeys(found, event.at)
            case Entered(person=person) | Returned(person=person) if person in people:
                found[people[person]] = event.at
            case ArenaGame(white=white, black=black):
                found |= {white: event.at, black: event.at}
    return found
