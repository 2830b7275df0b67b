"""The store's transactions, with its failures told in words for people."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Final, Protocol

from sqlalchemy.exc import IntegrityError

from bot.games.model.errors import Duplicate, InDoubt, NotStored, Refused
from bot.i18n import N_, _
from data.notifications import Word
from data.queries import games
from data.shards import Shards
from data.store import Store, Transaction, Unavailable

Begun = AbstractAsyncContextManager[Transaction]


class Readable(Protocol):
    """What can be read in transactions, as a store can."""

    def read(self, *, once: bool = False) -> Begun: ...


_IN_DOUBT: Final = N_("I am not sure that this was saved. Please check before you try again.")


def writing(store: Store, *, lasting: bool = True) -> Begun:
    """A transaction that may write, with the store's failures told to people. What is not ``lasting`` may be taken back
    by the loss of power. Raises NotStored."""
    return _told(partial(store.write, lasting=lasting), N_("That was not saved. Please try again in a moment."))


def reading(store: Readable, *, once: bool = False) -> Begun:
    """A transaction that reads, with one statement at most where it is for ``once``. Raises NotStored."""
    return _told(partial(store.read, once=once), N_("I cannot read the games right now. Please try again in a moment."))


@asynccontextmanager
async def _told(begin: Callable[[], Begun], failure: str) -> AsyncIterator[Transaction]:
    try:
        async with begin() as tx:
            yield tx
    except Unavailable as error:
        raise (InDoubt(_(_IN_DOUBT)) if error.in_doubt else NotStored(_(failure))) from error


class Transactions:
    """The transactions of use cases: one that brings in a source a second time ends as Duplicate, and what is to be
    done after the commit is remembered until then."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._after: dict[Transaction, list[Callable[[], None]]] = {}
        self._in_doubt: dict[Transaction, list[Callable[[], None]]] = {}
        self._words: dict[Transaction, set[Word]] = {}

    @property
    def shards(self) -> Shards:
        """Those that this process acts for."""
        return self._store.shards

    def reading(self, *, once: bool = False) -> Begun:
        """A transaction that reads, with one statement at most where it is for ``once``. Raises NotStored."""
        return reading(self._store, once=once)

    @asynccontextmanager
    async def writing(self, source: str | None = None) -> AsyncIterator[Transaction]:
        """A transaction that may write. ``source`` is what it brings in: a refusal or a collision of what was applied
        before becomes Duplicate. Raises NotStored."""
        after: list[Callable[[], None]] = []
        in_doubt: list[Callable[[], None]] = []
        try:
            async with writing(self._store) as tx:
                try:
                    self._after[tx], self._in_doubt[tx], self._words[tx] = after, in_doubt, set()
                    yield tx
                    await self._store.tell(tx, sorted(self._words[tx]))
                except NotStored:
                    # What was to bring it in may stand in the transaction already.
                    raise
                except Refused:
                    if source is not None and await games.applied(tx, source):
                        raise Duplicate(source) from None
                    raise
                finally:
                    for kept in (self._after, self._in_doubt, self._words):
                        kept.pop(tx, None)
        except InDoubt:
            for call in in_doubt:
                call()
            raise
        except IntegrityError as error:
            if source is None:
                raise
            async with reading(self._store) as tx:
                if await games.applied(tx, source):
                    raise Duplicate(source) from error
            raise NotStored(
                _("That was not saved: something else happened at the same moment. Please try again.")
            ) from error
        for call in after:
            call()

    def on_commit(self, tx: Transaction, call: Callable[[], None]) -> None:
        """Let ``call`` be made once ``tx`` has been committed."""
        self._after[tx].append(call)

    def if_in_doubt(self, tx: Transaction, call: Callable[[], None]) -> None:
        """Let ``call`` be made where nobody knows whether ``tx`` was committed."""
        self._in_doubt[tx].append(call)

    def tell(self, tx: Transaction, word: Word) -> None:
        """Let other processes hear, once ``tx`` has been committed, of what it has changed that they may know."""
        self._words[tx].add(word)

    def tell_owner(self, tx: Transaction, guild_id: int | None, word: Word) -> None:
        """The same of what belongs to a server, where that is another process's."""
        if not self.shards.own(guild_id):
            self.tell(tx, word)
