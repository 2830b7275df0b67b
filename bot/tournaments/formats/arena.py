"""The pool of an arena: who waits since when, who pauses, and until when it lasts. Pure.

The rules, as they are said at creation: who waits is paired a few seconds later with the nearest in points and rating,
with somebody else than the last time where that is possible. Who lets their time run out, or does not come to a game,
pauses until they come back. At the end no further game begins; those that are going on are played out, and count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue
from bot.games.model.clock import CONTROLS
from bot.games.model.game import Game
from bot.games.model.places import came_to
from bot.i18n import N_, Phrase, _, phrase
from bot.support.time_units import MINUTE
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import (
    LEAST_MINUTES,
    MOST_MINUTES,
    RESULTS,
    Format,
    GameFields,
    OpenGame,
    late_seat,
    marks_of,
)
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, ArenaGame, Event, Kind, Started, TournamentSettings
from bot.tournaments.model.state import Entrant, Phase, Tournament
from bot.tournaments.pairing.arena import Waiting, arena_points, pair_waiting
from bot.tournaments.pairing.record import ANSWERS, DRAWN, PLAYED, WON, Mark
from bot.tournaments.standings.standings import Heading, Ranking, ranked

PATIENCE: Final = 90_000
"""Who has waited so long (ms) plays against the same opponent again rather than wait on."""


class ArenaFormat(Format):
    """An arena: games of two that have numbers and no rounds."""

    kind = Kind.ARENA
    pairs_who_waits = True
    pairs_itself = N_("In an arena, players are paired automatically as soon as two are waiting.")

    def refusal_of_settings(
        self, settings: TournamentSettings, ruleset: Ruleset, options: Mapping[str, OptionValue], clock: str, start: int
    ) -> str | None:
        if why := super().refusal_of_settings(settings, ruleset, options, clock, start):
            return why
        control = CONTROLS.get(clock)
        if control is None or not control.live:
            live = ", ".join(f"`{control.id}`" for control in CONTROLS.values() if control.live)
            return _("An arena is for an evening: choose a live clock ({clocks}).").format(clocks=live)
        if bool(settings.minutes) == bool(settings.ends_at):
            return _("Say either how many minutes the arena lasts or when it ends.")
        if settings.minutes and not LEAST_MINUTES <= settings.minutes <= MOST_MINUTES:
            return _("An arena lasts {least} to {most} minutes.").format(least=LEAST_MINUTES, most=MOST_MINUTES)
        if settings.ends_at and not start + LEAST_MINUTES * MINUTE <= settings.ends_at:
            return _("An arena must end at least {least} minutes after it begins.").format(least=LEAST_MINUTES)
        return None

    def takes_entries(self, state: Tournament) -> bool:
        return not state.pool_closed

    def ends_at(self, settings: TournamentSettings, history: Iterable[Event]) -> int | None:
        if settings.ends_at:
            return settings.ends_at
        started = next((event.at for event in history if isinstance(event.action, Started)), None)
        return None if started is None else started + settings.minutes * MINUTE

    def free(self, state: Tournament) -> tuple[int, ...]:
        busy = playing(state)
        return tuple(number for number, each in state.by_number.items() if takes_part(each) and number not in busy)

    def pool(
        self, state: Tournament, history: Sequence[Event], ratings: Mapping[int, float], now: int
    ) -> tuple[Waiting, ...]:
        """Who waits. ``ratings`` by person."""
        if state.phase is not Phase.RUNNING or state.pool_closed:
            return ()
        there = [entrant for entrant in state.by_number.values() if takes_part(entrant)]
        since = _since(state, history)
        points = {line.number: int(line.values[0]) for line in self.ranking(state).lines}
        games = _in_order(state)
        waiting = []
        for number in self.free(state):
            mine = [game for game in games if number in (game.white, game.black)]
            whites = [1 if game.white == number else -1 for game in mine if game.white_mark in PLAYED]
            last = None if not mine else mine[-1].black if mine[-1].white == number else mine[-1].white
            if len(there) == 2 or now - since[number] >= PATIENCE:
                # Nobody else is there, or comes in time.
                last = None
            rating = round(ratings.get(state.by_number[number].person, 1500))
            waiting.append(Waiting(number, rating, points[number], since[number], sum(whites), last))
        return tuple(waiting)

    def next_games(
        self, state: Tournament, history: Sequence[Event], ratings: Mapping[int, float], now: int
    ) -> tuple[ArenaGame, ...]:
        first = max(state.arena_games, default=0) + 1
        pairs = pair_waiting(self.pool(state, history, ratings, now))
        return tuple(ArenaGame(first + i, *pair, Mark.PENDING, Mark.PENDING) for i, pair in enumerate(pairs))

    def open_games(self, state: Tournament) -> tuple[OpenGame, ...]:
        games = _in_order(state) if state.phase is Phase.RUNNING else ()
        return tuple(OpenGame(each.game, (each.white, each.black)) for each in games if each.white_mark is Mark.PENDING)

    def heading(self, state: Tournament, game: OpenGame, fields: GameFields, until: int, *, in_match: bool) -> Phrase:
        return phrase("{event}, game {round}", **fields)

    def result_of(self, state: Tournament, game: OpenGame, played: Game) -> tuple[Action, ...]:
        assert played.result is not None
        winner, late = played.result.winner, late_seat(played)
        ended = ArenaGame(game.round, game.white, game.black, *marks_of(winner))
        if late is None:
            return (ended,)
        absentee = state.by_number[game.seats[late]]
        if not came_to(played, late):
            ended = self.forfeit(state, game, absentee.number)
        pauses = (events.Paused(absentee.person),) if takes_part(absentee) else ()
        return (ended, *pauses)

    def forfeit(self, state: Tournament, game: OpenGame, gone: int) -> ArenaGame:
        marks = (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN)
        return ArenaGame(game.round, game.white, game.black, *(marks if game.white == gone else marks[::-1]))

    def result_by_hand(
        self, state: Tournament, number: int, result: str, round_number: int | None, match: str | None
    ) -> ArenaGame:
        games = [game for game in _in_order(state) if number in (game.white, game.black)]
        game = next((game for game in games[::-1] if round_number in (None, game.game)), None)
        if game is None:
            raise TournamentError(
                _("That person has no such game in the arena. Its number stands above its first board.")
            )
        first, second = RESULTS[result] if game.white == number else RESULTS[result][::-1]
        return ArenaGame(game.game, game.white, game.black, first, second)

    def results(self, state: Tournament) -> Iterator[tuple[OpenGame, tuple[Mark, Mark]]]:
        for game in _in_order(state):
            if game.white_mark is not Mark.PENDING:
                yield OpenGame(game.game, (game.white, game.black)), (game.white_mark, game.black_mark)

    def ranking(self, state: Tournament) -> Ranking:
        results: dict[int, list[str]] = {number: [] for number in state.by_number}
        for game in _in_order(state):
            for number, mark in ((game.white, game.white_mark), (game.black, game.black_mark)):
                if mark is not Mark.PENDING:
                    won = mark in WON or mark is Mark.FORFEIT_WIN
                    results[number].append("1" if won else "=" if mark in DRAWN else "0")
        values = {
            number: (
                Fraction(arena_points(played, streaks=state.settings.streaks)),
                Fraction(played.count("1")),
                Fraction(len(played)),
            )
            for number, played in results.items()
        }
        return ranked((Heading.POINTS, Heading.WINS, Heading.GAMES), values, deciding=2)

    def refusal(self, state: Tournament, action: Action) -> str | None:
        if not isinstance(action, ArenaGame):
            return super().refusal(state, action)
        known, numbers = state.arena_games.get(action.game), {action.white, action.black}
        if known is not None and {known.white, known.black} != numbers:
            return _("Others have played that game.")
        fits = len(numbers) == 2 and action.black_mark in ANSWERS.get(action.white_mark, ())
        return None if fits and numbers <= set(state.by_number) else _("This is not a game of two players.")


def playing(state: Tournament) -> frozenset[int]:
    """Who is in a game now."""
    games = [game for game in state.arena_games.values() if game.white_mark is Mark.PENDING]
    return frozenset(number for game in games for number in (game.white, game.black))


def takes_part(entrant: Entrant) -> bool:
    """Whether a player wants to be paired."""
    return not entrant.is_gone and not entrant.paused and entrant.person > 0


def _in_order(state: Tournament) -> list[ArenaGame]:
    return sorted(state.arena_games.values(), key=lambda game: game.game)


def _since(state: Tournament, history: Sequence[Event]) -> dict[int, int]:
    """Since when each player has been free: the latest of the start, an entry, a return and the end of a game."""
    people = {person: n for n, e in state.by_number.items() for person in (e.person, *e.before)}
    since = dict.fromkeys(state.by_number, 0)
    for event in history:
        match event.action:
            case Started():
                since = dict.fromkeys(since, event.at)
            case events.Entered(person=person) | events.Returned(person=person) if person in people:
                since[people[person]] = event.at
            case ArenaGame(white=white, black=black):
                since |= {white: event.at, black: event.at}
    return since
