"""What people can do with games. Every method is one transaction: it checks, applies, stores and announces, or does nothing.

``source`` names what brought the wish in ("m:<message id>", "i:<interaction id>"); the same source again raises Duplicate.
Everything that is not allowed raises a Refused (bot.games.refused), whose sentence is for the person who asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from bot.engine.variants import OptionValue
from bot.games.game import Entry, Game, GameSummary, Offer, Place, Result, Side
from bot.games.refused import (
    Damaged,
    Duplicate,
    MoveRefused,
    NoSuchGame,
    NoSuchOffer,
    NotOpen,
    NotRunning,
    NotSeated,
    NotStored,
    NotYourTurn,
    Refused,
    StalePly,
    TooMany,
)
from data.store import Store

__all__ = [
    "Damaged",
    "Duplicate",
    "Entry",
    "Game",
    "GameSummary",
    "Games",
    "MoveRefused",
    "NoSuchGame",
    "NoSuchOffer",
    "NotOpen",
    "NotRunning",
    "NotSeated",
    "NotStored",
    "NotYourTurn",
    "Offer",
    "Place",
    "Refused",
    "Result",
    "Side",
    "StalePly",
    "TooMany",
]


class Games:
    """The use cases. ``clock`` gives UTC in milliseconds; ``lots`` draws seats; ``cache_size`` is in folded games."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        lots: random.Random,
        *,
        max_open_challenges: int = 5,
        cache_size: int = 256,
    ) -> None:
        raise NotImplementedError

    async def open_challenge(
        self,
        *,
        source: str,
        opener: int,
        opponent: int | None,
        variant_id: str,
        options: Mapping[str, OptionValue] | None,
        side: Side | None,
        place: Place,
    ) -> Game:
        """A challenge to ``opponent``, or to anyone. ``side`` is the opener's seat, None whatever the variant draws or
        defaults to. Refused: an unknown variant or option, a challenge to oneself, a side where colours go by lot."""
        raise NotImplementedError

    async def accept(self, game_id: int, player: int, source: str) -> Game:
        """Sit down. The game starts when no seat is free; it is played in the challenge's channel if no other game runs
        there, else it needs a thread (``Game.needs_thread``, ``settle_channel``)."""
        raise NotImplementedError

    async def decline(self, game_id: int, player: int, source: str) -> Game:
        """By a person invited."""
        raise NotImplementedError

    async def withdraw(self, game_id: int, player: int, source: str) -> Game:
        """By the opener, before the game starts."""
        raise NotImplementedError

    async def settle_channel(self, game_id: int, channel_id: int) -> Game:
        """Give a running game its own channel (a thread). Again with the same channel changes nothing."""
        raise NotImplementedError

    async def turn(self, game_id: int, player: int, text: str, source: str, ply: int | None = None) -> Game:
        """Read ``text`` in the game as it stands, play it, store it. ``ply`` is what a button carries: another raises
        StalePly. Raises MoveRefused with the engine's error where the rules say no."""
        raise NotImplementedError

    async def resign(self, game_id: int, player: int, source: str) -> Game:
        """At any time of a running game; with more than two seats the others play on."""
        raise NotImplementedError

    async def abort(self, game_id: int, player: int, source: str) -> Game:
        """By any player, as long as not everyone has made a move. No result."""
        raise NotImplementedError

    async def offer_draw(self, game_id: int, player: int, source: str) -> Game:
        """Offer a draw (once per own turn). Where another's offer stands, this is agreeing to it."""
        raise NotImplementedError

    async def answer_draw(
        self, game_id: int, player: int, agree: bool, source: str, offer_id: int | None = None
    ) -> Game:
        """Answer the draw offer that stands; ``offer_id`` (of a button) must be that one, else NoSuchOffer."""
        raise NotImplementedError

    async def ask_takeback(self, game_id: int, player: int, source: str) -> Game:
        """Ask to go back to before one's own last turn (once per own turn)."""
        raise NotImplementedError

    async def answer_takeback(
        self, game_id: int, player: int, agree: bool, source: str, offer_id: int | None = None
    ) -> Game:
        """Answer the takeback that is asked for."""
        raise NotImplementedError

    async def rematch(self, game_id: int, player: int, source: str) -> Game:
        """A challenge by ``player`` to the others of a finished game, seats moved on by one. One rematch a game: a second
        call returns the first one's game, whatever has become of it."""
        raise NotImplementedError

    async def game(self, game_id: int, ply: int | None = None) -> Game:
        """The game as it stands, or as it stood after entry ``ply`` (without offers; result only if it had one)."""
        raise NotImplementedError

    async def running_in(self, channel_id: int) -> Game | None:
        """The running game of a channel."""
        raise NotImplementedError

    async def games_of(self, player: int, *, guild_id: int | None = None) -> list[GameSummary]:
        """Running and open games of ``player``, whose turn it is first, then the ones that wait longest."""
        raise NotImplementedError

    async def check(self) -> list[str]:
        """Replay every game; each disagreement is a sentence that names game and entry."""
        raise NotImplementedError
