"""The games that this process saw last, as they stood then."""

from __future__ import annotations

from bot.games.model.game import Game
from bot.games.service import Games
from bot.support.bounded import Bounded

_KEPT = 2_000


class RecentGames:
    """Remembers games, so that what must be quick need not ask the store."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._latest: Bounded[int, Game] = Bounded(_KEPT)
        self._by_channel: Bounded[int, int] = Bounded(_KEPT)

    def remember(self, game: Game) -> None:
        """Keep ``game`` in mind, as the one of its channel."""
        self._latest[game.id] = game
        if game.channel_id is not None:
            self._by_channel[game.channel_id] = game.id

    def seen(self, channel_id: int) -> Game | None:
        """The game of a channel as it was last seen. Good for suggestions only."""
        return self._latest.get(self._by_channel.get(channel_id, 0))

    async def at_ply(self, game_id: int, ply: int) -> Game:
        """A game as it stood after entry ``ply``; from memory where that is how it was last seen."""
        latest = self._latest.get(game_id)
        return latest if latest is not None and latest.ply == ply else await self._games.game(game_id, ply)

    def forget(self, person: int) -> None:
        """Keep nothing in mind of ``person``."""
        for game in [game for game in self._latest.values() if person in (*game.players, *game.invited)]:
            del self._latest[game.id]
