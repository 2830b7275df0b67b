"""A league or a team match as it is stored, and as it stands within the transaction that changes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from bot.engine.ruleset import Ruleset
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import _
from bot.support.frozen import frozen
from bot.tournaments.model.action_codec import A, Actions
from bot.tournaments.persistence.stored import Stored, ruleset_of, shared
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from data.queries import competitions
from data.queries.event_lists import EventRow
from data.store import Transaction


class Plan(Protocol):
    """What a competition was told when it was created."""

    def to_json(self) -> dict[str, Any]:
        """As it is stored."""


class CompetitionState(Protocol):
    """What a competition is after its events."""

    @property
    def status(self) -> str:
        """Whether it is "open", "running" or "over"."""

    @property
    def due(self) -> int | None:
        """When it does something by itself next (UTC ms), as far as its own events tell."""

    def has(self, person: int) -> bool:
        """Whether somebody plays in it, or is to."""


S = TypeVar("S", bound=CompetitionState)


@frozen(kw_only=True, slots=False)
class CompetitionKind(Generic[S, A]):
    """What tells leagues from team matches: their events, and what these add up to. ``name``: the one that they are
    stored under; ``begun``: one before its first event, by what it was told when it was created, as that is stored;
    ``after``: one after one more event, at that time, which never fails; ``none``: what is said where there is none of
    a number; ``none_on_server``: where it is none of a server; ``none_here``: where there is none in a channel."""

    name: str
    actions: Actions[A]
    begun: Callable[[Mapping[str, Any]], S]
    after: Callable[[S, A, int], S]
    none: str
    none_on_server: str
    none_here: str

    def refusal_of_number(self, number: int) -> Refused:
        """There is none of that number."""
        return Refused(_(self.none).format(number=number))


@frozen(kw_only=True, slots=False)
class Competition(Stored, Generic[S]):
    """A league or a team match as it is kept, and what its events add up to. ``made_at``: when it was announced (UTC
    ms); ``last``: the number of the last event. Of a team match: the guests' server and channel, and the ``code`` that
    they accept it with."""

    ruleset: Ruleset
    other_guild_id: int | None
    other_channel_id: int | None
    code: str | None
    made_at: int
    last: int
    state: S


@dataclass
class CompetitionUnit(Generic[S, A]):
    """A competition within the transaction that changes it. ``tournaments``: those of its that change with it.
    ``not_before``: nothing is done by itself until then."""

    tx: Transaction
    kind: CompetitionKind[S, A]
    competition: Competition[S]
    source: str
    now: int
    by: int
    tournaments: list[TournamentUnit] = field(default_factory=list)
    not_before: int = 0
    _added: int = 0

    @property
    def state(self) -> S:
        return self.competition.state

    def as_source(self, source: str) -> None:
        """Let the events that follow have this source: what is done by itself is done once, whatever has led to it."""
        self.source = source

    def wait(self, until: int) -> None:
        """Let nothing be done by itself before that moment."""
        self.not_before = until

    def of_tournament(self, tournament: StoredTournament, key: str) -> TournamentUnit:
        """A tournament of the competition, which changes with it; ``key`` tells its source from those of others."""
        return TournamentUnit(self.tx, tournament, f"{self.source}:{key}", self.now, self.by)

    async def add(self, action: A) -> None:
        """Append an event."""
        of = self.competition
        row = EventRow(of.last + 1, self.now, self.by, self.kind.actions.to_json(action))
        source = self.source if self._added == 0 else f"{self.source}+{self._added}"
        self._added += 1
        await competitions.stored.add_event(self.tx, of.id, row, source)
        state = self.kind.after(of.state, action, self.now)
        if state.status != of.status:
            await competitions.stored.change(self.tx, of.id, status=state.status)
        self.competition = replace(of, last=row.number, state=state, status=state.status)

    async def add_guests(self, place: Place) -> None:
        """A team match is played on another server too, in that channel."""
        guild_id, channel_id = place.guild_id, place.channel_id
        of = self.competition
        await competitions.stored.change(self.tx, of.id, other_guild_id=guild_id, other_channel_id=channel_id)
        self.competition = replace(of, other_guild_id=guild_id, other_channel_id=channel_id)

    async def request(self, *kinds: str, number: int = 0, to: bool | None = None) -> None:
        """Let these messages be posted, or edited, wherever the competition is shown; ``to``: of a team match, to the
        home team alone, or to the guests."""
        of = self.competition
        places = [(of.guild_id, of.channel_id)]
        if of.other_channel_id is not None:
            places.append((of.other_guild_id, of.other_channel_id))
        if to is not None:
            places = places[:1] if to else places[1:]
        for kind in kinds:
            for place in places:
                await competitions.posts.request(self.tx, of.id, kind, self.now, number, place=place)


async def load(
    tx: Transaction, kind: CompetitionKind[S, A], competition_id: int, *, to_change: bool = False
) -> Competition[S]:
    """A competition as it stands. Raises Refused when there is none of this kind."""
    row = await competitions.stored.get(tx, competition_id, to_change=to_change)
    if row is None or row.kind != kind.name:
        raise kind.refusal_of_number(competition_id)
    state, last = kind.begun(row.plan), 0
    for event in await competitions.stored.all_events(tx, competition_id):
        state, last = kind.after(state, kind.actions.of(event.action), event.at), event.number
    return Competition(
        **shared(row),
        ruleset=await ruleset_of(tx, row),
        other_guild_id=row.other_guild_id,
        other_channel_id=row.other_channel_id,
        code=row.code,
        made_at=row.made_at,
        last=last,
        state=state,
    )
