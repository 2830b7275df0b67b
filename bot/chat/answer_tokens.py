"""By which presses a game can be shown where the bot may only answer: each press brings a token, which holds for a
quarter of an hour. Kept in memory only: after a restart the next press brings another."""

from __future__ import annotations

from collections.abc import Callable

from bot.chat.components import Press
from bot.games.model.game import Game
from bot.support.bounded import Bounded
from bot.support.frozen import frozen
from bot.support.signals import Signal
from bot.support.time_units import MINUTE, SECOND

HOLDS = 14 * MINUTE
"""Milliseconds for which a token is used. Discord's hold for fifteen minutes; a request takes some of them."""

_KEPT = 5_000
# What takes longer to be handled than this many milliseconds is not waited for.
_LONGEST = 30 * SECOND


@frozen
class ShownMessage:
    """A message that shows a game, and the press by whose token it can be changed: as what it has answered
    (``original``), or as a message that followed."""

    press: Press
    message_id: int
    until: int
    original: bool


class AnswerTokens:
    """The presses of games where the bot may only answer. A press is taken while it is handled, and released when all
    that it has to say by itself is said: ``released`` is told of each game that can be shown by it now."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._handled: Bounded[int, tuple[int, set[int]]] = Bounded(_KEPT)
        self._fresh: Bounded[int, tuple[Press, int]] = Bounded(_KEPT)
        self._shown: Bounded[int, ShownMessage] = Bounded(_KEPT)
        self._others: Bounded[int, dict[int, ShownMessage]] = Bounded(_KEPT)
        self._wanted: set[int] = set()
        self.released: Signal[[int]] = Signal()

    def take(self, press: Press, game: Game) -> None:
        """``press`` is about ``game``, which waits for what it comes to."""
        if game.place.answers_only:
            self._handled.setdefault(press.id, (self._clock() + _LONGEST, set()))[1].add(game.id)

    def release(self, press: Press) -> None:
        """``press`` is done with; it may show its games."""
        for game_id in self._handled.pop(press.id, (0, ()))[1]:
            self._fresh[game_id] = (press, self._clock() + HOLDS)
            self.released.send(game_id)

    def is_handled(self, game_id: int) -> bool:
        """Whether a press of the game is being handled, which is going to show it."""
        now = self._clock()
        return any(game_id in games and now < until for until, games in self._handled.values())

    def fresh(self, game_id: int) -> Press | None:
        """The newest press of a game that has not shown it yet."""
        press, until = self._fresh.get(game_id, (None, 0))
        return press if self._clock() < until else None

    def spend(self, game_id: int, press: Press) -> None:
        """``press`` has shown its game, or cannot."""
        if self._fresh.get(game_id, (None, 0))[0] is press:
            del self._fresh[game_id]

    def want(self, game_id: int) -> None:
        """Somebody wants to see the game, whether there is news of it or not."""
        self._wanted.add(game_id)

    def is_wanted(self, game_id: int) -> bool:
        """Whether somebody wants to see it; said once."""
        wanted = game_id in self._wanted
        self._wanted.discard(game_id)
        return wanted

    def shows(self, game_id: int, press: Press, message_id: int, *, original: bool) -> None:
        """From now on this message shows the game."""
        before, others = self._shown.get(game_id), self._others.setdefault(game_id, {})
        if before is not None:
            others[before.message_id] = before
        others.pop(message_id, None)
        self._shown[game_id] = ShownMessage(press, message_id, self._clock() + HOLDS, original)

    def shown(self, game_id: int) -> ShownMessage | None:
        """The message that shows the game, where it can still be changed."""
        shown = self._shown.get(game_id)
        return shown if shown is not None and self._clock() < shown.until else None

    def others(self, game_id: int) -> list[ShownMessage]:
        """The messages that showed the game before that one, where they can still be changed and have buttons."""
        now = self._clock()
        others = {key: each for key, each in self._others.get(game_id, {}).items() if now < each.until}
        if game_id in self._others:
            self._others[game_id] = others
        return list(others.values())

    def without_buttons(self, game_id: int, message_id: int) -> None:
        """A message that showed the game has no buttons any more."""
        self._others.get(game_id, {}).pop(message_id, None)

    def forget(self, game_id: int) -> None:
        """Discord does not take the token any more by which the game was shown."""
        self._shown.pop(game_id, None)
