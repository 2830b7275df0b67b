"""A sixth format with its texts, for tests alone: a simultaneous display, in which the first player meets all others at
once. That a module like this one is all that a format takes is what it is there for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bot.chat.tournaments.format_texts import FormatTexts
from bot.chat.tournaments.thread_links import ThreadLink
from bot.games.model.game import Game
from bot.games.model.places import came_to
from bot.i18n import Phrase, phrase
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import (
    RESULTS,
    SHOWN,
    Format,
    GameFields,
    OpenGame,
    late_seat,
    marks_of,
    next_number,
)
from bot.tournaments.model.events import Action, RoundPaired, Scored, TournamentSettings
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import ANSWERS, DRAWN, WON, Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.standings.standings import Heading, Ranking, ranked

KIND = "simultaneous display"
_FORFEIT = (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN)


class SimultaneousFormat(Format):
    """One round, in which everybody else has White against number 1."""

    kind = KIND
    in_rounds = True
    least_players = 3

    def rounds_planned(self, settings: TournamentSettings, players: int) -> int:
        return 1

    def next_round(self, state: Tournament, *, pending_as_draws: bool = False) -> RoundPaired:
        number = next_number(state)
        return RoundPaired(number, tuple((other, 1) for other in sorted(state.by_number) if other > 1))

    def open_games(self, state: Tournament) -> tuple[OpenGame, ...]:
        unfinished = state.unfinished if state.phase is Phase.RUNNING else ()
        return tuple(OpenGame(number, (white, black)) for number, white, black in unfinished)

    def heading(self, state: Tournament, game: OpenGame, fields: GameFields, until: int, *, in_match: bool) -> Phrase:
        return phrase("{event}, board {board}", event=fields["event"], board=game.white - 1)

    def tags(self, state: Tournament, game: OpenGame, call: Callable[[int], str]) -> dict[str, str]:
        return super().tags(state, game, call) | {"Board": str(game.white - 1)}

    def result_of(self, state: Tournament, game: OpenGame, played: Game) -> tuple[Action, ...]:
        assert played.result is not None
        late = late_seat(played)
        if late is not None and not came_to(played, late):
            return (self.forfeit(state, game, game.seats[late]),)
        return (self.adjudicated(state, game, played.result.winner),)

    def forfeit(self, state: Tournament, game: OpenGame, gone: int) -> Scored:
        return Scored(game.round, game.white, game.black, *(_FORFEIT if gone == game.white else _FORFEIT[::-1]))

    def adjudicated(self, state: Tournament, game: OpenGame, winner: int | None) -> Scored:
        return Scored(game.round, game.white, game.black, *marks_of(winner))

    def result_by_hand(
        self, state: Tournament, number: int, result: str, round_number: int | None, match: str | None
    ) -> Scored:
        if number == 1:
            raise TournamentError("Name the other player of that game.")
        return Scored(1, number, 1, *RESULTS[result])

    def ranking(self, state: Tournament) -> Ranking:
        points = {number: Fraction(0) for number in state.by_number}
        for (_round, *players), marks in state.results.items():
            for number, mark in zip(players, marks, strict=True):
                won = mark in WON or mark is Mark.FORFEIT_WIN
                points[number] += 1 if won else Fraction(1, 2) if mark in DRAWN else 0
        return ranked((Heading.POINTS,), {number: (each,) for number, each in points.items()}, deciding=1)

    def refusal(self, state: Tournament, action: Action) -> str | None:
        match action:
            case RoundPaired(round=1, games=games) if all(set(game) <= set(state.by_number) for game in games):
                return None
            case Scored(round=1, white=white, black=1, white_mark=first, black_mark=second) if white in state.by_number:
                return None if second in ANSWERS.get(first, ()) else "These two results do not go together."
        return super().refusal(state, action)


class SimultaneousTexts(FormatTexts):
    """What players read of it."""

    def rules(self, tournament: StoredTournament) -> list[str]:
        return ["Number 1 plays everybody else at once, and has Black."]

    def round_text(self, tournament: StoredTournament, number: int, link: ThreadLink) -> list[str]:
        lines = [f"**{tournament.name}, round {number}**"]
        for white, black in tournament.state.paired[number].games:
            marks = tournament.state.results.get((number, white, black), (Mark.PENDING, Mark.PENDING))
            lines.append(f"{tournament.call(white)} {SHOWN.get(marks[0], '-')}")
        return lines
