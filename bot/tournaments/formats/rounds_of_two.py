"""What a Swiss and a round robin share: rounds of two, which add up to a record with points and tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from bot.games.model.game import Game
from bot.games.model.places import came_to
from bot.i18n import Phrase, _, ngettext, phrase
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import RESULTS, Format, GameFields, OpenGame, late_seat, marks_of
from bot.tournaments.model.events import Action, DidNotCome, RoundPaired, Scored
from bot.tournaments.model.openings import Opening, drawn
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import ANSWERS, Mark, Record, RoundEntry, drawn_pending
from bot.tournaments.pairing.swiss.contenders import RoundPairing
from bot.tournaments.standings.standings import Ranking, standings


class RoundsOfTwo(Format):
    """A format whose rounds pair players two by two."""

    in_rounds = True
    has_draws = True
    has_record = True
    plays_both = True

    def round_by_hand(
        self, number: int, groups: tuple[tuple[int, ...], ...], bye: int | None, *, again: bool
    ) -> RoundPaired:
        if any(len(group) != 2 for group in groups):
            raise TournamentError(_("Two play each other: write `1-5`, with a comma between pairs, as in `1-5, 2-6`."))
        return RoundPaired(number, tuple((white, black) for white, black in groups), bye, by_hand=True, again=again)

    def open_games(self, state: Tournament) -> tuple[OpenGame, ...]:
        unfinished = state.unfinished if state.phase is Phase.RUNNING else ()
        # Of two games in turn the second waits for the first.
        waiting = set(unfinished) if state.settings.both == "in turn" else set()
        return tuple(
            OpenGame(number, (white, black))
            for number, white, black in unfinished
            if (number, black, white) not in waiting or (white, black) in state.paired[number].games
        )

    def is_played_out(self, state: Tournament) -> bool:
        return not state.unfinished

    def heading(self, state: Tournament, game: OpenGame, fields: GameFields, until: int, *, in_match: bool) -> Phrase:
        if until:
            date = f"<t:{until // 1000}:f>"
            return phrase("{event}, round {round}, until {date}", **fields, date=date)
        return phrase("{event}, round {round}", **fields)

    def tags(self, state: Tournament, game: OpenGame, call: Callable[[int], str]) -> dict[str, str]:
        tags = super().tags(state, game, call)
        if (paired := state.paired.get(game.round)) is not None:
            tags["Round"] = str(game.round)
            if board := [at for at, pair in enumerate(paired.games, start=1) if set(pair) == set(game.seats)]:
                tags["Board"] = str(board[0])
        return tags

    def result_of(self, state: Tournament, game: OpenGame, played: Game) -> tuple[Action, ...]:
        assert played.result is not None
        late = late_seat(played)
        if late is not None and not came_to(played, late):
            return (self.forfeit(state, game, game.seats[late]),)
        return (self.adjudicated(state, game, played.result.winner),)

    def forfeit(self, state: Tournament, game: OpenGame, gone: int) -> DidNotCome:
        return DidNotCome(gone, game.round, state.which_game(game.round, game.white, game.black))

    def results(self, state: Tournament) -> Iterator[tuple[OpenGame, tuple[Mark, Mark]]]:
        for number, paired in sorted(state.paired.items()):
            for game in (game for pair in paired.games for game in state.games_of(*pair)):
                if (marks := state.marks(number, *game))[0] is not Mark.PENDING:
                    yield OpenGame(number, game), marks

    def adjudicated(self, state: Tournament, game: OpenGame, winner: int | None) -> Scored:
        return Scored(game.round, game.white, game.black, *marks_of(winner))

    def result_by_hand(
        self, state: Tournament, number: int, result: str, round_number: int | None, match: str | None
    ) -> Scored:
        if state.timing.at_once and not round_number and state.rounds_paired > 1:
            # The rounds of such a tournament are shown nowhere.
            raise TournamentError(_("All games are played at once: choose the game with *Enter a result*."))
        round_number = round_number or state.rounds_paired
        paired = state.paired.get(round_number)
        if paired is None:
            raise TournamentError(_not_paired(state))
        game = next((game for game in paired.games if number in game), None)
        if game is None:
            raise TournamentError(_("That person has no game in round {round}.").format(round=round_number))
        if state.settings.both:
            games = state.games_of(*game)
            pending = [each for each in games if (paired.round, *each) in state.unfinished]
            if match not in (None, "1", "2") or (match is None and not pending):
                raise TournamentError(_("These two play two games: say which, `1` or `2`, with `match`."))
            game = games[int(match) - 1] if match else pending[0]
        first, second = RESULTS[result] if game[0] == number else RESULTS[result][::-1]
        return Scored(paired.round, *game, first, second)

    def missed(self, state: Tournament, game: OpenGame) -> tuple[int, ...]:
        marks = state.results.get((game.round, game.white, game.black), ())
        return tuple(seat for seat, mark in zip(game.seats, marks, strict=False) if mark is Mark.FORFEIT_LOSS)

    def opening_of(self, state: Tournament, game: OpenGame) -> Opening | None:
        return drawn(state.settings, str(game.round))

    def ranking(self, state: Tournament) -> Ranking:
        settings = state.settings
        record = _without_byes_to_come(state)
        return standings(record, settings.tie_breaks, rules=settings.rules, round_robin=self.is_fixed)

    def refusal(self, state: Tournament, action: Action) -> str | None:
        match action:
            case RoundPaired():
                return self._refusal_of_pairing(state, action)
            case Scored(round=number, white=white, black=black, white_mark=first, black_mark=second):
                paired = state.paired.get(number)
                if paired is not None and any((white, black) in state.games_of(*pair) for pair in paired.games):
                    return None if second in ANSWERS.get(first, ()) else _("These two results do not go together.")
            case DidNotCome(number=number, round=round_number, game=game):
                paired = state.paired.get(round_number)
                if paired is not None and any(number in pair for pair in paired.games):
                    return None if 1 <= game <= (2 if state.settings.both else 1) else super().refusal(state, action)
        return super().refusal(state, action)

    def _refusal_of_pairing(self, state: Tournament, action: RoundPaired) -> str | None:
        places = [number for game in action.games for number in game] + ([] if action.bye is None else [action.bye])
        if not 1 <= action.round <= state.rounds_paired + 1:
            return _("The next round to be paired is {round}.").format(round=state.rounds_paired + 1)
        if action.round in state.paired and not action.again:
            return _("Round {round} is paired already.").format(round=action.round)
        if len(places) != len(set(places)) or not set(places) <= set(state.by_number):
            return _("Someone is paired twice, or is not a player here.")
        absent = () if self.is_fixed else [n for n in places if not state.by_number[n].is_in(action.round)]
        return _("{player} is not there in that round.").format(player=absent[0]) if absent else None


def _not_paired(state: Tournament) -> str:
    """Which rounds there are, for who asks for another."""
    if not (count := state.rounds_paired):
        return _("No round is paired yet.")
    text = ngettext("Only round 1 is paired so far.", "Only rounds 1 to {count} are paired so far.", count)
    return text.format(count=count)


def _without_byes_to_come(state: Tournament) -> Record:
    """The record in which a bye counts when its round is over, as the games of that round do."""
    number = state.rounds_paired
    last = number - 1 if any(game[0] == number for game in state.unfinished) else number
    record = state.record
    players = {one: replace(player, rounds=_up_to(player.rounds, last)) for one, player in record.players.items()}
    return replace(record, players=players)


def _up_to(rounds: tuple[RoundEntry | None, ...], last: int) -> tuple[RoundEntry | None, ...]:
    kept = [entry if at < last or (entry and entry.opponent) else None for at, entry in enumerate(rounds)]
    while kept and kept[-1] is None:
        kept.pop()
    return tuple(kept)


def record_before(state: Tournament, round_number: int) -> Record:
    """What the pairing of a round is made from: the rounds before it, and who takes part in it."""
    paired = state.paired[round_number]
    taking_part = {number for game in paired.games for number in game} | {paired.bye}
    players = {}
    for number, player in drawn_pending(state.record).players.items():
        if state.by_number[number].joined > round_number:
            continue
        rounds = player.rounds[: round_number - 1]
        if number not in taking_part:
            rounds += (None,) * (round_number - 1 - len(rounds))
            rounds += (player.entry(round_number) or RoundEntry(None, None, Mark.ZERO_BYE),)
        players[number] = replace(player, rounds=rounds)
    return replace(state.record, players=players)


def paired_event(number: int, pairing: RoundPairing) -> RoundPaired:
    """A round that the pairing rules have made, as it is written down."""
    return RoundPaired(number, pairing.games, pairing.bye, pairing.system, pairing.relaxations)
