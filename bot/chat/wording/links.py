"""Links that open a message in Discord, and the server on which it is."""

from __future__ import annotations

from bot.games.model.game import Game, GameSummary, Place
from bot.games.persistence.outbox import Outbox, PostedMessage


class Links:
    """Finds the message that shows a game: the newest board, or the challenge. None where none was posted."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    async def board(self, game: Game | GameSummary, person: int | None = None) -> str | None:
        """The newest board of ``game``; of a game of two servers, which a summary does not know of, the one on that of
        ``person``."""
        mirror = game.mirror if isinstance(game, Game) else None
        if mirror is None:
            # Where the bot may only answer, boards are shown elsewhere too: each to one player.
            where = game.channel_id if game.place.answers_only else None
            return address(game.place.guild_id, await self._outbox.posted(game.id, "board", where))
        away = person is not None and game.players[mirror.seat] == person
        posted = await self._outbox.posted(game.id, "board", mirror.channel_id if away else game.channel_id)
        return address(mirror.guild_id if away else game.place.guild_id, posted)

    async def challenge(self, game: Game) -> str | None:
        """The challenge with which ``game`` began."""
        return address(game.place.guild_id, await self._outbox.posted(game.id, "challenge"))


def channel_text(place: Place, channel_id: int | None = None) -> str:
    """A channel as it is written: of a server by its name, a chat of people, which has none, by its address."""
    number = channel_id or place.channel_id
    return f"<#{number}>" if place.guild_id is not None else f"https://discord.com/channels/@me/{number}"


def guild_of(game: Game, *, mirrored: bool) -> int | None:
    """The server on which a game is played, or the second one of a game of two."""
    return game.mirror.guild_id if mirrored and game.mirror is not None else game.place.guild_id


def plays_away(game: Game, person: int) -> bool:
    """Whether ``person`` plays on the second server of the game."""
    return game.mirror is not None and game.players[game.mirror.seat] == person


def address(guild_id: int | None, posted: PostedMessage | None) -> str | None:
    """A link that opens a message, None where there is no message."""
    if posted is None:
        return None
    return f"https://discord.com/channels/{guild_id or '@me'}/{posted.channel_id}/{posted.message_id}"
