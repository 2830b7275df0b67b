"""Signals: something has happened, and whoever was connected is told. Receivers are connected where parts are put
together (bot.chat.services) and where a feature is set up, never later."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Signal(Generic[P]):
    """Tells its receivers at once, in the order in which they were connected."""

    def __init__(self) -> None:
        self._receivers: list[Callable[P, object]] = []

    def connect(self, receiver: Callable[P, object]) -> None:
        """Let ``receiver`` be called from now on."""
        self._receivers.append(receiver)

    def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        for receiver in self._receivers:
            receiver(*args, **kwargs)


class AwaitedSignal(Generic[P]):
    """The same for receivers that are awaited, one after the other: what they do is part of what has happened, such as
    what follows in the same transaction."""

    def __init__(self) -> None:
        self._receivers: list[Callable[P, Awaitable[None]]] = []

    def connect(self, receiver: Callable[P, Awaitable[None]]) -> None:
        """Let ``receiver`` be awaited from now on."""
        self._receivers.append(receiver)

    async def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell every receiver, and wait until it has done what it does."""
        for receiver in self._receivers:
            await receiver(*args, **kwargs)
