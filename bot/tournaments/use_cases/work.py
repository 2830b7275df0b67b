"""What the use cases of tournaments share: one transaction in which events are added, and what follows from them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import field

from bot.games.model.errors import Duplicate, Refused, about
from bot.games.persistence.transactions import reading
from bot.games.service import Games
from bot.i18n import _
from bot.support.frozen import frozen
from bot.support.in_thread import InThread, RunWithNotice, run_without_notice
from bot.support.signals import Signal
from bot.tournaments.errors import TournamentError
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit, load
from bot.tournaments.use_cases.finalise import finalise
from bot.tournaments.use_cases.reconcile import reconcile
from data.notifications import Word
from data.queries import tournaments as queries
from data.queries.event_lists import EventLists, R
from data.queries.live_messages import LiveMessage
from data.store import Store, Transaction


class Overtaken(Refused):
    """Something else has happened in the tournament since what was asked for was seen or reckoned."""

    def __init__(self) -> None:
        super().__init__(
            _("Something else has happened in this tournament in the meantime. Look at the standings, and try again.")
        )


@frozen
class TournamentChanged:
    """A tournament has something to say, and so have ``games``: those that were made or called off with it.
    ``tournament``: how it stood after that; ``requested``: how often each message was to be posted or edited then."""

    tournament_id: int
    games: tuple[int, ...] = ()
    tournament: StoredTournament | None = None
    requested: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @staticmethod
    def of(unit: TournamentUnit) -> TournamentChanged:
        """What has changed in a transaction."""
        return TournamentChanged(unit.tournament.id, tuple(unit.woken), unit.tournament, unit.requested)

    def shown_by(self, post: LiveMessage) -> StoredTournament | None:
        """The tournament as a message is to show it; None where something else was to be shown since, or before: then
        it is to be loaded."""
        return self.tournament if self.requested.get((post.kind, post.number)) == post.wanted else None


class TournamentWork:
    """What use cases of tournaments need to begin and to end: the store, the games, and who is told of changes.
    ``in_thread`` runs long work beside the event loop; ``run_with_notice`` awaits what may take long."""

    def __init__(
        self, store: Store, games: Games, in_thread: InThread, run_with_notice: RunWithNotice = run_without_notice
    ) -> None:
        self.store = store
        self.games = games
        self.in_thread = in_thread
        self.run_with_notice = run_with_notice
        self.changed: Signal[[TournamentChanged]] = Signal()

    @property
    def now(self) -> int:
        """UTC in milliseconds."""
        return self.games.now

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that reads."""
        return reading(self.store)

    def writing(self, source: str) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that may write, with the failures of a use case."""
        return self.games.transactions.writing(source)

    @asynccontextmanager
    async def once(self, stored: EventLists[R], source: str) -> AsyncIterator[Transaction]:
        """A transaction that may write, for a source of its own. Raises Duplicate for one that was applied before."""
        async with self.writing(source) as tx:
            if await stored.by_source(tx, source) is not None:
                raise Duplicate(source)
            yield tx

    async def load(self, tournament_id: int) -> StoredTournament:
        """A tournament as it stands. Raises Refused when there is none."""
        async with self.reading() as tx:
            return await load(tx, tournament_id)

    @asynccontextmanager
    async def unit(self, tournament_id: int, by: int, source: str) -> AsyncIterator[TournamentUnit]:
        """The transaction of a use case on one tournament. Raises Duplicate for a source that was applied before."""
        async with self.once(queries.stored, source) as tx:
            unit = TournamentUnit(tx, await load(tx, tournament_id, to_change=True), source, self.now, by)
            with about(unit.tournament.name):
                yield unit
            await self.finalise(unit)
        self.tell(unit)

    @asynccontextmanager
    async def directed(
        self, tournament_id: int, by: int, source: str, *, last: int | None = None
    ) -> AsyncIterator[TournamentUnit]:
        """The same of a use case that is a director's. Raises Refused for who does not direct the tournament, and
        Overtaken where the event ``last`` is not the last one any more."""
        async with self.unit(tournament_id, by, source) as unit:
            unit.tournament.check_directed(by)
            if last not in (None, unit.tournament.last):
                raise Overtaken
            yield unit

    async def finalise(self, unit: TournamentUnit) -> None:
        """End a change: its games follow its events, and what bot.tournaments.use_cases.finalise says."""
        await reconcile(self.games, unit)
        self.set_timer(unit.tx, await finalise(unit))
        self.tell_owners(unit)

    def tell_owners(self, unit: TournamentUnit) -> None:
        """Let the process that acts for a tournament's server, where that is another, hear of it and of its games."""
        for word in (Word("tournament", unit.tournament.id), *(Word("game", game_id) for game_id in unit.woken)):
            self.tell_owner(unit.tx, unit.tournament.guild_id, word)

    def tell_owner(self, tx: Transaction, guild_id: int | None, word: Word) -> None:
        """Let the process hear, once ``tx`` has been committed, that acts for a server, where that is another."""
        self.games.transactions.tell_owner(tx, guild_id, word)

    def set_timer(self, tx: Transaction, at: int | None) -> None:
        """Let the timers look at that moment, once ``tx`` has been committed."""
        if at is not None:
            self.games.tournament_games.timer_set(tx, at)

    def on_commit(self, tx: Transaction, call: Callable[[], None]) -> None:
        """Let ``call`` be made once ``tx`` has been committed."""
        self.games.transactions.on_commit(tx, call)

    def tell(self, unit: TournamentUnit) -> None:
        """A tournament has changed: whoever was connected is told."""
        self.changed.send(TournamentChanged.of(unit))


@contextmanager
def refusing() -> Iterator[None]:
    """What makes no sense for a tournament is refused to the person who asked, in its own words."""
    try:
        yield
    except TournamentError as error:
        raise Refused(error.message) from error
