"""What a tournament's format is asked, and what it answers with. Each format is a module beside this one; its texts
stand in bot.chat.tournaments.format_texts. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeAlias

from bot.engine import variants
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue
from bot.games.model.game import Game
from bot.i18n import N_, Phrase, _, ngettext
from bot.support.frozen import frozen
from bot.tournaments.errors import NO_ROUNDS, NOT_RUNNING, TournamentError
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, Event, PairedRound, RoundPaired, TournamentSettings, Written
from bot.tournaments.model.openings import Opening, drawn
from bot.tournaments.model.state import FormatRules, Phase, Tournament
from bot.tournaments.pairing.elimination import Bracket
from bot.tournaments.pairing.record import Mark
from bot.tournaments.standings.standings import Ranking
from bot.tournaments.standings.tiebreaks import TieBreak, parse

MOST_ROUNDS: Final = 30
LEAST_MINUTES, MOST_MINUTES = 10, 12 * 60
"""How long one may last whose length is chosen."""

NOT_COME: Final = N_("did not come")
"""The reason of a result that a director writes down for who did not come."""

HAS_LEFT: Final = N_("left")
"""The reason of a result that follows from somebody's leaving."""

NEITHER_CAME: Final = N_("neither came")
"""The reason of a result that ends a match which neither player comes to."""

RESULTS: Mapping[str, tuple[Mark, Mark]] = {
    N_("won"): (Mark.WIN, Mark.LOSS),
    N_("drew"): (Mark.DRAW, Mark.DRAW),
    N_("lost"): (Mark.LOSS, Mark.WIN),
    N_("won by forfeit"): (Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS),
    NOT_COME: (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN),
    N_("both forfeit"): (Mark.FORFEIT_LOSS, Mark.FORFEIT_LOSS),
}
"""The results of a player of a game of two that a director can write down, with the marks of the two."""

GameFields: TypeAlias = Mapping[str, str | int]
"""What every heading of a game is kept with: its event, round and match."""

SHOWN: Final[Mapping[Mark, str]] = {
    Mark.WIN: "1",
    Mark.SHORT_WIN: "1",
    Mark.DRAW: "½",
    Mark.SHORT_DRAW: "½",
    Mark.LOSS: "0",
    Mark.SHORT_LOSS: "0",
    Mark.FORFEIT_WIN: "+",
    Mark.FORFEIT_LOSS: "-",
}
"""How results are written, each of the two."""

_STRANGE: Final[Mapping[type[object], str]] = {
    RoundPaired: N_("This tournament is not paired in rounds of two."),
    events.TablesSeated: N_("That is not the next round of tables, or someone has two seats."),
    events.Scored: N_("These two do not play each other with these colours in that round."),
    events.DidNotCome: N_("The player has no game in that round."),
    events.MatchGame: N_("These two do not meet in that match."),
    events.TableScored: N_("There is no such table in that round."),
}
"""What is said of events that are none of a format, or name what is not there."""


@frozen
class OpenGame:
    """A game that is to be played. ``round``: of an elimination the game's number in its match, of an arena its number.

    ``seats``: the starting numbers of those who play, White or who moves first at the beginning; nobody has the first
    seat twice in a round. ``match``: of an elimination. ``by_places``: it ends with a place for each seat."""

    round: int
    seats: tuple[int, ...]
    match: str = ""
    by_places: bool = False

    @property
    def white(self) -> int:
        return self.seats[0]

    @property
    def black(self) -> int:
        return self.seats[1]

    @property
    def key(self) -> tuple[int, str, tuple[int, ...]]:
        """What its game is found again by: a game of a match is the same whoever has White."""
        return self.round, self.match, tuple(sorted(self.seats)) if self.match else self.seats


def game_of(result: Written) -> OpenGame:
    """The game that a result is of."""
    match result:
        case events.MatchGame():
            return OpenGame(result.game, (result.white, result.black), result.match)
        case events.TableScored():
            return OpenGame(result.round, result.table, by_places=True)
        case events.Scored(round=number) | events.ArenaGame(game=number):
            return OpenGame(number, (result.white, result.black))


def game_missed(state: Tournament, event: events.DidNotCome) -> OpenGame | None:
    """The game that somebody did not come to; None where it is not paired any more."""
    paired = state.paired.get(event.round)
    for pair in () if paired is None else paired.games:
        if event.number in pair:
            return OpenGame(event.round, state.games_of(*pair)[event.game - 1])
    return None


def result_text(result: Written) -> str:
    """A result of a game of two as it is written between them: ``1 - 0``; "" of a table."""
    match result:
        case events.MatchGame(white=white, winner=winner, forfeit=forfeit):
            return marks_text(*marks_of(None if winner is None else int(winner != white), forfeit=forfeit))
        case events.TableScored():
            return ""
        case events.Scored(white_mark=first, black_mark=second) | events.ArenaGame(white_mark=first, black_mark=second):
            return marks_text(first, second)


def marks_text(first: Mark, second: Mark) -> str:
    """What a game of two was to each of them: ``1 - 0``; that it was not played, in words. "" for no mark yet."""
    came = {Mark.FORFEIT_WIN: "1", Mark.FORFEIT_LOSS: "0"}
    if first not in came or second not in came:
        return f"{SHOWN[first]} - {SHOWN[second]}" if first in SHOWN and second in SHOWN else ""
    text = _("{result} (neither came)") if first is second else _("{result} (forfeit)")
    return text.format(result=f"{came[first]} - {came[second]}")


@frozen
class RoundRepairing:
    """A later round that would be paired otherwise now. ``lost``: its recorded games or tables that would not be.

    ``over``: it has been played to the end, so that nobody will think of pairing it again."""

    round: int
    fresh: PairedRound
    lost: tuple[tuple[int, ...], ...]
    over: bool

    @property
    def loss(self) -> str:
        """What would be lost of it, in words."""
        count = len(self.lost)
        if isinstance(self.fresh, RoundPaired):
            template = ngettext("{count} pairing of round {round}", "{count} pairings of round {round}", count)
        else:
            template = ngettext("{count} table of round {round}", "{count} tables of round {round}", count)
        return template.format(count=count, round=self.round)


class Format(FormatRules, Protocol):
    """A format: what may be chosen for it, what comes next in it, what its games mean, and how it stands.

    What is said here holds for a format that does not say otherwise: games of two, which follow from the state."""

    kind: str
    """The name that it is stored under."""
    least_players: int = 2
    usual_tie_breaks: tuple[TieBreak, ...] = parse("PTS,BH-C1,BH,SB,WIN,DE")
    """What decides between those with equal points where nobody has chosen it."""
    has_record: bool = False
    """Whether rounds of two add up to a record: then there are tie-breaks, a cross-table, and places to be foreseen."""
    report_kind: str = ""
    """What report files call it; "" where it does not fit one."""
    chooses_rounds: bool = False
    """Whether its number of rounds can be chosen; else that follows from who plays."""
    has_bracket: bool = False
    by_places: bool = False
    """Whether a game ends with a place for each seat, and not with a winner or a draw."""
    has_points: bool = True
    """Whether its standings are by points."""
    has_returns: bool = True
    """Whether who has left may come back."""
    byes: tuple[Mark, ...] = ()
    """What a round that a player sits out can count as, the usual first; nothing where none can be sat out."""
    can_forbid: bool = False
    """Whether a director can say who shall not meet."""
    plays_both: bool = False
    """Whether two who meet can play both colours of an opening."""
    pairs_itself: str = ""
    """What is said to who wants its next round paired where nobody has to do that."""

    # Before it begins

    def refusal_of_settings(
        self, settings: TournamentSettings, ruleset: Ruleset, options: Mapping[str, OptionValue], clock: str, start: int
    ) -> str | None:
        """Why a tournament cannot be held so, as a sentence; None: it can. ``start``: when it begins, at the earliest
        (UTC ms)."""
        if is_star(ruleset) and options.get("players", 2) not in (2, "2"):
            return _("For tables of three to six choose the kind *Tables*. All other kinds are for games of two.")
        if not 0 <= settings.rounds <= MOST_ROUNDS:
            return _("There can be up to {most} rounds.").format(most=MOST_ROUNDS)
        if not self.chooses_rounds and (settings.rounds or settings.late_until):
            return _("Only a Swiss and tables have a number of rounds and late entries. Leave them out.")
        if settings.openings and self.by_places:
            return _("Tables always begin from the usual position. Leave `position` and `ballots` out.")
        if len(settings.openings) > 1 and not self.plays_both:
            return _("Ballots need two games with both colours, so arenas and tables have none.")
        if 0 < settings.rounds < settings.late_until:
            return _("Late entries end with the last round, {last}, at the latest.").format(last=settings.rounds)
        if not self.pairs_who_waits and (settings.minutes or settings.ends_at):
            return _("Only an arena has a length. Leave that out.")
        return None

    def rounds_planned(self, settings: TournamentSettings, players: int) -> int:
        return settings.rounds

    def rounds_for(self, players: int) -> int:
        """How many rounds suit so many players, where that can be chosen and was not; 0: there is nothing to choose."""
        return 0

    def takes_entries(self, state: Tournament) -> bool:
        return self.chooses_rounds and state.rounds_paired < state.settings.late_until

    def lets_in(self, state: Tournament, person: int) -> bool:
        """Also who has missed the check-in, while there is a place, until the second round is paired."""
        has_place = not state.settings.limit or len(state.by_number) < state.settings.limit
        missed = state.rounds_paired < 2 and self.can_open_entries(state) and has_place
        return self.takes_entries(state) or (missed and person in state.without_check_in)

    def can_open_entries(self, state: Tournament) -> bool:
        return self.chooses_rounds and state.phase is Phase.RUNNING and state.rounds_paired < state.rounds_planned

    # What comes next

    def next_round(self, state: Tournament, *, pending_as_draws: bool = False) -> PairedRound:
        """The next round, not yet written down. ``pending_as_draws``: games that go on over the round's end are paired
        as if drawn. Raises TournamentError where there is none now."""
        check_running(state)
        raise TournamentError(f"A {self.kind} has no rounds of pairs.")

    def every_round(self, state: Tournament) -> tuple[RoundPaired, ...]:
        """All rounds at once. Raises TournamentError where they are not known from the start."""
        raise TournamentError(f"The rounds of a {self.kind} are not known from the start.")

    def round_by_hand(
        self, number: int, groups: tuple[tuple[int, ...], ...], bye: int | None, *, again: bool
    ) -> PairedRound:
        """A round that a director has made. Raises TournamentError where it cannot be one."""
        raise TournamentError(_(NO_ROUNDS))

    def refusal_by_hand(self, state: Tournament, action: PairedRound) -> str | None:
        """Why a director cannot pair a round so, as a sentence; None: that can be done."""
        return None

    def ends_at(self, settings: TournamentSettings, history: Iterable[Event]) -> int | None:
        """Until when games begin (UTC ms); None where that is not known, or does not end by the clock."""
        return None

    def free(self, state: Tournament) -> tuple[int, ...]:
        """Who waits and could be paired now."""
        return ()

    def next_games(
        self, state: Tournament, history: Sequence[Event], ratings: Mapping[int, float], now: int
    ) -> tuple[Action, ...]:
        """The games that begin now between those who wait. ``ratings`` by person."""
        return ()

    def walkovers(self, state: Tournament) -> tuple[Action, ...]:
        """What is to be written down for those who have left; to be asked again when that is done."""
        return ()

    def open_games(self, state: Tournament) -> tuple[OpenGame, ...]:
        """The games that are paired and have no result; nothing while it does not run."""

    def repairings(self, before: Tournament, after: Tournament) -> list[RoundRepairing]:
        """Which rounds would be paired otherwise after a correction."""
        return []

    # Its games

    def opening_of(self, state: Tournament, game: OpenGame) -> Opening | None:
        """What a game begins from; None: as ever."""
        return drawn(state.settings, "") if len(state.settings.openings) == 1 else None

    def heading(self, state: Tournament, game: OpenGame, fields: GameFields, until: int, *, in_match: bool) -> Phrase:
        """What a game is part of, as it stands above its first board; whoever reads that may speak another language.

        ``until``: the deadline that is told with its round (UTC ms), 0: none; ``in_match``: of a team match."""

    def tags(self, state: Tournament, game: OpenGame, call: Callable[[int], str]) -> dict[str, str]:
        """The tags of a game in files: its round, and who plays."""
        return {"White": call(game.white), "Black": call(game.black)}

    def result_of(self, state: Tournament, game: OpenGame, played: Game) -> tuple[Action, ...]:
        """What is written down when a game has ended with a result."""

    def forfeit(self, state: Tournament, game: OpenGame, gone: int) -> Action | None:
        """What is written down where a player cannot play a game at all; None: the others play on."""

    def given_up(self, state: Tournament, game: OpenGame) -> Action | None:
        """What is written down, and again, where neither player comes to the games of a match; None: nothing."""
        return None

    def results(self, state: Tournament) -> Iterable[tuple[OpenGame, tuple[Mark, Mark]]]:
        """The games of two that have a result, played or not, with what each counts as for its two."""
        return ()

    def adjudicated(self, state: Tournament, game: OpenGame, winner: int | None) -> Written | None:
        """What is written down where a director gives a game of two its result; None: that cannot be done."""
        return None

    def result_by_hand(
        self, state: Tournament, number: int, result: str, round_number: int | None, match: str | None
    ) -> Written:
        """What writes a player's result down, one of RESULTS. Raises TournamentError where there is no such game."""

    def missed(self, state: Tournament, game: OpenGame) -> tuple[int, ...]:
        """Who has lost a game by not coming, as its result says that counts."""
        return ()

    # How it stands

    def ranking(self, state: Tournament) -> Ranking:
        """How it stands."""

    def is_played_out(self, state: Tournament) -> bool:
        return not self.open_games(state)

    def bracket(self, settings: TournamentSettings, seeds: Sequence[int]) -> Bracket:
        raise TournamentError(f"A {self.kind} has no bracket.")

    def refusal(self, state: Tournament, action: Action) -> str | None:
        """What is no event of the format makes no sense."""
        return _(_STRANGE.get(type(action), N_("This is not a game of two players.")))


def check_running(state: Tournament) -> None:
    """Raises TournamentError unless it runs."""
    if state.phase is not Phase.RUNNING:
        raise TournamentError(_(NOT_RUNNING))


def next_number(state: Tournament) -> int:
    """The number of the next round. Raises TournamentError where there is none."""
    check_running(state)
    if state.rounds_paired >= state.rounds_planned > 0:
        raise all_paired(state)
    return state.rounds_paired + 1


def all_paired(state: Tournament) -> TournamentError:
    """There is no next round."""
    return TournamentError(_("All {count} rounds are paired.").format(count=state.rounds_planned))


def together(paired: PairedRound) -> set[frozenset[int]]:
    """Who plays together in a round, whoever has which seat."""
    return set(map(frozenset, paired.groups))


def in_numbers(paired: PairedRound) -> str:
    """A round as a director writes it, by starting numbers."""
    alone = () if paired.bye is None else ((paired.bye,),)
    return ", ".join("-".join(map(str, group)) for group in (*paired.groups, *alone))


def marks_of(winner: int | None, *, forfeit: bool = False) -> tuple[Mark, Mark]:
    """The marks of the two of a game; ``winner``: the seat, None: drawn; ``forfeit``: the other did not come to it."""
    marks = (Mark.DRAW, Mark.DRAW) if winner is None else (Mark.WIN, Mark.LOSS)
    if forfeit and winner is not None:
        marks = (Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS)
    return marks[::-1] if winner == 1 else marks


def late_seat(game: Game) -> int | None:
    """The seat whose time has run out, where the game has ended so."""
    last = game.entries[-1]
    return last.seat if last.kind == "timeout" else None


def is_star(ruleset: Ruleset) -> bool:
    """Whether a variant is a game of the star, which three, four and six can play too."""
    return variants.load(ruleset).family == "star"
