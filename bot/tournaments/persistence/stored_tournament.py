"""A tournament as it is stored, and as it stands within the transaction that changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from bot.engine import variants
from bot.engine.ruleset import Ruleset
from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.persistence import kept_rules
from bot.i18n import N_, _
from bot.ratings.pools import EVERYWHERE, RatingPool
from bot.support.frozen import frozen
from bot.tournaments.errors import IS_OVER
from bot.tournaments.formats.format import HAS_LEFT, Format, OpenGame
from bot.tournaments.formats.registry import fold, format_of, settings_of
from bot.tournaments.model.events import (
    ACTIONS,
    Action,
    Cancelled,
    Ended,
    Event,
    Limited,
    PairedRound,
    Scored,
    Substituted,
    TournamentSettings,
    Undone,
)
from bot.tournaments.model.fold import foreseen, further
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.game_links import counting, open_game_of
from bot.tournaments.persistence.stored import SYSTEM, Stored, ruleset_of, shared
from bot.tournaments.standings.standings import Ranking
from data.queries import timers, tournaments
from data.queries.event_lists import EventRow
from data.queries.tournaments import TournamentGame, TournamentRow
from data.store import Transaction


@frozen(kw_only=True, slots=False)
class StoredTournament(Stored):
    """A tournament as it is kept: its events, its games, and what they add up to. ``seed``: what its lots are drawn
    from; ``announced``: its settings before events changed them; ``competition_id``: the league or team match that it
    is part of; ``outages``: from when until when nobody could move in it; ``players``: who sits at each game, by
    its id, known where anybody was substituted."""

    only_directors = N_("Only a director of this tournament can do that.")

    ruleset: Ruleset
    seed: str
    competition_id: int | None
    announced: TournamentSettings
    events: tuple[Event, ...]
    games: tuple[TournamentGame, ...]
    state: Tournament
    outages: tuple[tuple[int, int], ...] = ()
    players: Mapping[int, tuple[int | None, ...]] = field(default_factory=dict)
    before_round: Tournament | None = field(default=None, compare=False)
    """How it stood when the last round was paired, where that is at hand."""

    @property
    def settings(self) -> TournamentSettings:
        """As they are now."""
        return self.state.settings

    @property
    def format(self) -> Format:
        return format_of(self.settings)

    @cached_property
    def open_games(self) -> tuple[OpenGame, ...]:
        """The games that are paired and have no result."""
        return self.format.open_games(self.state)

    @cached_property
    def ranking(self) -> Ranking:
        """How it stands."""
        return self.format.ranking(self.state)

    @cached_property
    def results(self) -> Mapping[object, tuple[OpenGame, tuple[Mark, Mark]]]:
        """The games of two that have a result, with what it is to each, by the games' keys."""
        return {game.key: (game, marks) for game, marks in self.format.results(self.state)}

    @property
    def step_by_hand(self) -> Literal["start", "pair", "finish", ""]:
        """What its director can do now to let it go on; "": nothing, until something happens."""
        state, format_ = self.state, self.format
        if state.phase is Phase.ENTRIES:
            return "start" if len(state.starters) >= format_.least_players else ""
        if state.phase is Phase.OVER or self.competition_id is not None or format_.pairs_who_waits:
            return ""
        if self.open_games or not format_.is_played_out(state):
            return ""
        return "pair" if format_.in_rounds and state.rounds_paired < state.rounds_planned else "finish"

    @property
    def is_team_match(self) -> bool:
        """Whether it is the games of a team match, as that of a league is a division, which plays all at once."""
        return self.competition_id is not None and not self.state.timing.at_once

    @property
    def takes_results(self) -> bool:
        """Whether results can be entered and corrected: while it runs, and where its league or team match has ended it,
        whose end nobody takes back; once that was cancelled, those that there are."""
        over = self.state.phase is Phase.OVER and (self.state.cancelled is None or bool(self.state.results))
        return self.state.phase is Phase.RUNNING or (self.competition_id is not None and over)

    def check_takes_results(self) -> None:
        """Raises Refused where no results can be entered or corrected any more."""
        if self.state.phase is Phase.OVER and not self.takes_results:
            raise Refused(_(IS_OVER) if self.state.cancelled is None else _("The tournament is cancelled."))

    @property
    def is_corrected(self) -> bool:
        """Whether results were corrected after it had ended."""
        latest = max((event.number for event in self.events if isinstance(event.action, Ended | Cancelled)), default=0)
        is_over = self.state.phase is Phase.OVER
        return is_over and any(isinstance(event.action, Scored) for event in self.events[latest:])

    @property
    def takes_late_entries(self) -> bool:
        """Whether it runs and can still be entered, be it by those alone who have missed the check-in."""
        state = self.state
        return state.phase is Phase.RUNNING and (
            self.format.takes_entries(state)
            or any(self.format.lets_in(state, person) for person in state.without_check_in)
        )

    @property
    def limited_since(self) -> int:
        """The number of the event that says who may enter; 0: everybody may."""
        return next((event.number for event in reversed(self.events) if isinstance(event.action, Limited)), 0)

    @property
    def rating_pool(self) -> RatingPool:
        """The ratings of two by which players are seeded, let in, and paired in an arena."""
        return RatingPool(self.variant_id, not CONTROLS[self.clock].live, server=self.guild_id or EVERYWHERE)

    def going_on(self, number: int) -> list[set[int]]:
        """Of a round before the last one, whose games go on while others are paired, who still play each other."""
        state = self.state
        games = self.open_games if state.timing.carry and number < state.rounds_paired else ()
        return [set(game.seats) for game in games if game.round == number]

    def when_paired(self, number: int) -> Tournament:
        """How it stood when a round was paired last, where games may go on for rounds: what counted as a draw for the
        pairing may have become a win since. Elsewhere how it stands."""
        paired = (e.number for e in self.events if isinstance(e.action, PairedRound) and e.action.round == number)
        until = max(paired, default=0) if self.state.timing.carry else 0
        return fold(self.announced, [each for each in self.events if each.number <= until]) if until else self.state

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.events[-1].number if self.events else 0

    def after(self, action: Action) -> Tournament:
        """How it would stand after one more event."""
        return foreseen(self.state, self.events, action)

    def call(self, number: int) -> str:
        """A player by the starting number, as a mention; who was forgotten by wish has no name."""
        entrant = self.state.by_number.get(number)
        return _called(number, 0 if entrant is None else entrant.person)

    @cached_property
    def _links(self) -> Mapping[object, TournamentGame]:
        return {open_game_of(link).key: link for link in counting(self.games)}

    def sits_at(self, game: OpenGame, number: int) -> int:
        """Who plays or played a game under a starting number: it stays theirs when another goes on with the number. 0:
        who was forgotten by wish."""
        link = self._links.get(game.key) if self.players else None
        seated = () if link is None else self.players.get(link.game_id, ())
        if link is None or not seated or number not in (seats := open_game_of(link).seats):
            return self.state.by_number[number].person if number in self.state.by_number else 0
        return seated[seats.index(number)] or 0

    def call_in(self, game: OpenGame, number: int) -> str:
        """A player of a game as ``call`` says it, with who has the number now where that is another."""
        person, entrant = self.sits_at(game, number), self.state.by_number.get(number)
        if entrant is None or max(person, 0) == max(entrant.person, 0):
            return self.call(number)
        text = _("{player} (now {substitute})")
        return text.format(player=_called(number, person), substitute=self.call(number))

    def played_by(self, person: int) -> list[tuple[OpenGame, int]]:
        """The games without a result at which somebody sits, each with the starting number: also of whose place another
        has now."""
        return [
            (game, number)
            for game in self.open_games
            for number in game.seats
            if self.sits_at(game, number) == person > 0
        ]

    def is_playing(self, person: int) -> bool:
        """Whether somebody sits at a game that has no result."""
        return bool(self.played_by(person))

    def loses_by_leaving(self, person: int) -> bool:
        """Whether whoever leaves loses games at once: all that they would play in an elimination, or that they still
        play where all games began together."""
        entrant = self.state.by_person.get(person)
        if self.state.phase is not Phase.RUNNING or (entrant is not None and entrant.is_gone):
            return False
        if self.format.has_bracket:
            return entrant is not None and entrant.number in self.state.bracket.to_play
        return self.state.timing.at_once and self.is_playing(person)

    def gives_back_to(self, person: int) -> int:
        """To whom the place goes back that somebody has as a substitute, should they leave it where all games began
        together; 0: to nobody, as there is nobody, or they have given up."""
        entrant = self.state.by_person.get(person)
        if self.state.phase is not Phase.RUNNING or not self.state.timing.at_once:
            return 0
        if entrant is None or entrant.is_gone or not entrant.before:
            return 0
        first = entrant.before[0]
        has_left = any(event.by == first and event.reason == HAS_LEFT for event in self.events)
        return 0 if first in self.state.by_person or has_left else max(first, 0)


def _called(number: int, person: int) -> str:
    return f"<@{person}>" if person > 0 else nameless(number)


def nameless(number: int) -> str:
    """What a player is called who was forgotten by wish."""
    return _("Player {number} (name deleted)").format(number=number)


_OF_DIVISIONS = ("standings", "substitute")


@dataclass
class TournamentUnit:
    """A tournament within the transaction that changes it. ``woken``: the games that have something to say;
    ``requested``: how often each message, by kind and round, was to be posted or edited, this change included."""

    tx: Transaction
    tournament: StoredTournament
    source: str
    now: int
    by: int
    woken: list[int] = field(default_factory=list)
    requested: dict[tuple[str, int], int] = field(default_factory=dict)
    began: StoredTournament = field(init=False)
    _added: int = 0

    def __post_init__(self) -> None:
        self.began = self.tournament

    async def add(self, action: Action, reason: str = "", *, by_itself: bool = False) -> None:
        """Append an event. Raises Refused when it makes no sense."""
        tournament = self.tournament
        why = refusal(tournament.state, action)
        if why is not None:
            raise Refused(why)
        event = Event(tournament.last + 1, self.now, SYSTEM if by_itself else self.by, action, reason)
        row = EventRow(event.number, event.at, event.by, ACTIONS.to_json(action), reason)
        source = self.source if self._added == 0 else f"{self.source}+{self._added}"
        self._added += 1
        await tournaments.stored.add_event(self.tx, tournament.id, row, source)
        events = (*tournament.events, event)
        state, before_round = further(tournament.state, events), _before_round(tournament, action)
        if isinstance(action, Substituted):
            # From now on it matters who has played what.
            tournament = replace(tournament, players=await tournaments.players_of(self.tx, tournament.id))
        if state.phase is not tournament.state.phase:
            await tournaments.stored.change(self.tx, tournament.id, status=state.phase)
            tournament = replace(tournament, status=state.phase)
        self.tournament = replace(tournament, events=events, state=state, before_round=before_round)

    async def set_directors(self, directors: Sequence[int]) -> None:
        """From now on these may direct it."""
        await tournaments.stored.change(self.tx, self.tournament.id, directors=directors)
        self.tournament = replace(self.tournament, directors=directors)

    async def add_game(self, link: TournamentGame, people: Sequence[int]) -> None:
        """A game has been made, for ``people`` by seat."""
        await tournaments.add_game(self.tx, link)
        tournament = self.tournament
        if any(isinstance(event.action, Substituted) for event in tournament.events):
            tournament = replace(tournament, players={**tournament.players, link.game_id: tuple(people)})
        self.tournament = replace(tournament, games=(*tournament.games, link))
        self.woken.append(link.game_id)

    def game_changed(self, game: Game) -> None:
        """A game has been called off, or was over already."""
        games = tuple(
            link._replace(status=game.status) if link.game_id == game.id else link for link in self.tournament.games
        )
        self.tournament = replace(self.tournament, games=games)
        self.woken.append(game.id)

    async def request(self, *kinds: str, round_number: int = 0) -> None:
        """Let these messages be posted, or edited to show how the tournament stands."""
        if self.tournament.competition_id is not None:
            # Leagues and team matches have posts of their own, besides the tables and substitutes of divisions, which
            # play all at once.
            kinds = tuple(each for each in kinds if each in _OF_DIVISIONS and self.tournament.state.timing.at_once)
        for kind in kinds:
            if kind == "round" and self.tournament.state.timing.at_once:
                # All rounds are played at once: the standings tell it all.
                continue
            times = await tournaments.posts.request(self.tx, self.tournament.id, kind, self.now, round_number)
            self.requested[kind, round_number] = times

    async def request_round(self, number: int) -> None:
        """Let the standings be edited, and the post of a round whose games have changed."""
        await self.request("standings")
        if self.tournament.format.in_rounds:
            await self.request("round", round_number=number)


def _before_round(tournament: StoredTournament, action: Action) -> Tournament | None:
    """How a tournament stood when its last round was paired first, after one more event; None: not known."""
    if isinstance(action, Undone):
        return None
    if isinstance(action, PairedRound):
        earlier = [each.action for each in tournament.events if isinstance(each.action, PairedRound)]
        return None if any(each.round == action.round for each in earlier) else tournament.state
    return tournament.before_round


def stored_of(
    row: TournamentRow, ruleset: Ruleset, events: tuple[Event, ...] = (), games: tuple[TournamentGame, ...] = ()
) -> StoredTournament:
    """A tournament by its row and its rules, with the events and the games that it has so far."""
    settings = replace(settings_of(row.plan), seeding=row.seeding)
    return StoredTournament(
        **shared(row),
        ruleset=ruleset,
        seed=row.lot,
        competition_id=row.contest_id,
        announced=settings,
        events=events,
        games=games,
        state=fold(settings, events),
    )


async def add(tx: Transaction, row: TournamentRow, ruleset: Ruleset) -> StoredTournament:
    """Keep a new tournament with the text of its rules; its id is given here. IntegrityError when its source is there
    already."""
    await kept_rules.keep(tx, variants.load(ruleset))
    return stored_of(replace(row, id=await tournaments.stored.add(tx, row)), ruleset)


class NoSuchTournament(Refused):
    """No tournament has that id."""


async def load(tx: Transaction, tournament_id: int, *, to_change: bool = False) -> StoredTournament:
    """A tournament as it stands. Raises NoSuchTournament."""
    row = await tournaments.stored.get(tx, tournament_id, to_change=to_change)
    if row is None:
        raise NoSuchTournament(_("There is no tournament {number}.").format(number=tournament_id))
    rows = await tournaments.stored.all_events(tx, tournament_id)
    events = tuple(Event(each.number, each.at, each.by, ACTIONS.of(each.action), each.reason) for each in rows)
    ruleset = await ruleset_of(tx, row)
    tournament = stored_of(row, ruleset, events, tuple(await tournaments.games_of(tx, tournament_id)))
    if any(isinstance(event.action, Substituted) for event in events):
        tournament = replace(tournament, players=await tournaments.players_of(tx, tournament_id))
    if not tournament.format.in_rounds:
        return tournament
    return replace(tournament, outages=tuple(timers.stops_of(await timers.all_outages(tx, row.made_at), row.guild_id)))
