"""An elimination, single or double: who is beaten is out, or out when beaten twice. A drawn match is played on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from bot.games.model.game import Game
from bot.games.model.places import came_to
from bot.i18n import N_, Phrase, _, phrase
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import NOT_COME, Format, GameFields, OpenGame, late_seat, marks_of
from bot.tournaments.model.events import Action, Kind, MatchGame, TournamentSettings
from bot.tournaments.model.openings import Opening, drawn
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing import elimination
from bot.tournaments.pairing.elimination import Bracket, MatchState
from bot.tournaments.pairing.record import Mark
from bot.tournaments.standings.standings import Heading, Ranking, RankingLine


class EliminationFormat(Format):
    """An elimination; matches begin as soon as their two players are known."""

    has_bracket = True
    has_points = False
    has_returns = False
    plays_both = True
    pairs_itself = N_("In an elimination each match begins by itself when its two players are known.")

    def __init__(self, kind: Kind, *, double: bool) -> None:
        self.kind = kind
        self._double = double

    def bracket(self, settings: TournamentSettings, seeds: Sequence[int]) -> Bracket:
        third = settings.third_place
        bracket = elimination.double(seeds) if self._double else elimination.single(seeds, third_place=third)
        return replace(bracket, in_twos=bool(settings.both))

    def is_played_out(self, state: Tournament) -> bool:
        return state.bracket.champion is not None

    def walkovers(self, state: Tournament) -> tuple[MatchGame, ...]:
        """Who has left loses the open matches. Where both have, the better seed goes on, to lose the next."""
        walkovers = []
        for match in state.bracket.open if state.phase is Phase.RUNNING else ():
            numbers = sorted(number for number in match.players if number)
            staying = [number for number in numbers if not state.by_number[number].is_gone]
            if len(staying) < 2:
                walkovers.append(_walkover(match, (staying or numbers)[0]))
        return tuple(walkovers)

    def open_games(self, state: Tournament) -> tuple[OpenGame, ...]:
        return tuple(
            OpenGame(len(match.games) + 1, elimination.colours(state.bracket, match), match.match.key)
            for match in (state.bracket.open if state.phase is Phase.RUNNING else ())
        )

    def opening_of(self, state: Tournament, game: OpenGame) -> Opening | None:
        return drawn(state.settings, f"{game.match}.{(game.round + 1) // 2}")

    def heading(self, state: Tournament, game: OpenGame, fields: GameFields, until: int, *, in_match: bool) -> Phrase:
        name = elimination.match_name(state.bracket.bracket, game.match)
        if game.round > 1:
            return phrase("{event}, {name}, game {round}", **fields, name=name)
        return phrase("{event}, {name}", **fields, name=name)

    def tags(self, state: Tournament, game: OpenGame, call: Callable[[int], str]) -> dict[str, str]:
        return super().tags(state, game, call) | {"Round": f"{game.match}.{game.round}"}

    def result_of(self, state: Tournament, game: OpenGame, played: Game) -> tuple[Action, ...]:
        assert played.result is not None
        late = late_seat(played)
        missed = late is not None and not came_to(played, late)
        return (replace(self.adjudicated(state, game, played.result.winner), forfeit=missed),)

    def forfeit(self, state: Tournament, game: OpenGame, gone: int) -> MatchGame:
        return self.adjudicated(state, game, 1 - game.seats.index(gone))

    def given_up(self, state: Tournament, game: OpenGame) -> MatchGame | None:
        """The better seed goes on, to lose the next match where it is not come to either."""
        match = state.bracket.matches[game.match]
        return _walkover(match, min(game.seats)) if match.is_open else None

    def results(self, state: Tournament) -> Iterator[tuple[OpenGame, tuple[Mark, Mark]]]:
        for game in (game for match in state.bracket.matches.values() for game in match.games):
            seats = (game.white, game.black)
            winner = None if game.winner is None else seats.index(game.winner)
            yield OpenGame(game.number, seats, game.match), marks_of(winner, forfeit=game.forfeit)

    def adjudicated(self, state: Tournament, game: OpenGame, winner: int | None) -> MatchGame:
        victor = None if winner is None else game.seats[winner]
        return MatchGame(game.match, game.round, game.white, game.black, victor)

    def result_by_hand(
        self, state: Tournament, number: int, result: str, round_number: int | None, match: str | None
    ) -> MatchGame:
        mine = [each for each in state.bracket.matches.values() if number in each.players and all(each.players)]
        one = next((each for each in mine if (each.match.key == match if match else each.is_open)), None)
        if one is None or not (one.is_open or one.games):
            # Nor is the second final played where the first one has decided.
            raise TournamentError(_("That person has no such match. Choose one from the list."))
        if result == "both forfeit":
            raise TournamentError(
                _("In an elimination one of the two goes on: enter who did not come, or withdraw both.")
            )
        other = next(each for each in one.players if each and each != number)
        winner = {"won": number, "won by forfeit": number, "drew": None}.get(result, other)
        forfeit = result in ("won by forfeit", NOT_COME)
        if one.is_open:
            white, black = elimination.colours(state.bracket, one)
            return MatchGame(one.match.key, len(one.games) + 1, white, black, winner, forfeit)
        last = one.games[-1]
        return MatchGame(one.match.key, last.number, last.white, last.black, winner, forfeit)

    def missed(self, state: Tournament, game: OpenGame) -> tuple[int, ...]:
        match = state.bracket.matches.get(game.match)
        games = () if match is None else (each for each in match.games if each.number == game.round and each.forfeit)
        return tuple(number for each in games for number in (each.white, each.black) if number != each.winner)

    def ranking(self, state: Tournament) -> Ranking:
        """Who is not out yet shares the place that is certain."""
        bracket = state.bracket
        winners = [match.winner for match in bracket.matches.values() if match.games]
        lines = [
            RankingLine(bracket.places.get(number, 1), number, (Fraction(winners.count(number)),))
            for number in state.by_number
        ]
        lines.sort(key=lambda line: (line.rank, -line.values[0], line.number))
        return Ranking((Heading.WINS,), tuple(lines))

    def refusal(self, state: Tournament, action: Action) -> str | None:
        if isinstance(action, MatchGame):
            match = state.bracket.matches.get(action.match)
            if match is not None and {action.white, action.black} == set(match.players):
                the_two = (action.white, action.black, None)
                return None if action.winner in the_two else _("The winner must be one of the two.")
        return super().refusal(state, action)


def _walkover(match: MatchState, winner: int) -> MatchGame:
    """A game of a match that is won without being played."""
    one, other = sorted(number for number in match.players if number)
    return MatchGame(match.match.key, len(match.games) + 1, one, other, winner)
