"""Who does what a button or a form says. Every press checks everything anew: who, which game, which position."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Generic, TypeVar

from bot.chat.components import CustomId, Press
from bot.chat.responses import meet, not_done
from bot.chat.services import Services
from bot.games.model.errors import Refused
from bot.i18n import N_, _

C = TypeVar("C", bound=CustomId)
Handler = Callable[[C, Press, Services], Awaitable[None]]

_OLDER = N_("This button belongs to an older version of the bot.")


class Handlers(Generic[C]):
    """The handlers of one kind of custom id. ``older`` is said where a button asks for what is not done any more."""

    def __init__(self, kind: type[C], older: str = _OLDER) -> None:
        self.kind = kind
        self._older = older
        self._by_act: dict[str, Handler[C]] = {}

    def on(self, *acts: str) -> Callable[[Handler[C]], Handler[C]]:
        """Register a handler for what the field ``act`` says; without ``acts`` for a kind that has no such field."""

        def register(handler: Handler[C]) -> Handler[C]:
            self._by_act.update(dict.fromkeys(acts or ("",), handler))
            return handler

        return register

    async def handle(self, carried: C, interaction: Press, services: Services) -> None:
        """Do what ``carried`` says. Raises Refused where nobody does it any more."""
        handler = self._by_act.get(getattr(carried, "act", ""))
        if handler is None:
            raise Refused(_(self._older))
        await handler(carried, interaction, services)


async def dispatch(handlers: Iterable[Handlers[Any]], custom_id: str, interaction: Press, services: Services) -> None:
    """Do what ``custom_id`` says, or tell whoever asked why not. What is none of ours is left alone."""
    for each in handlers:
        if (carried := each.kind.decode(custom_id)) is not None:
            try:
                await meet(interaction)
                await each.handle(carried, interaction, services)
            except Exception as error:
                await not_done(interaction, error)
            return
