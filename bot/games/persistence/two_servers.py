"""What is to be seen of a game that is played on two servers, on either of them."""

from __future__ import annotations

from bot.games.model.game import Game
from data.queries import announcements
from data.store import Transaction


async def offers_post(tx: Transaction, game: Game, offer_id: int, *, second: bool) -> int | None:
    """The announcement whose post shows an offer, on the second server of two or the first."""
    # Where there is no thread yet, what was posted in an earlier one shows nothing.
    channel_id = None if game.mirror is None else (game.mirror.channel_id if second else game.channel_id) or 0
    return await announcements.offers_post(tx, offer_id, second=second, channel_id=channel_id)


async def board_seen(tx: Transaction, game: Game, *, second: bool) -> tuple[int, int] | None:
    """Channel and message of the board as it stands, on the second server of two or the first; None where it is not to
    be seen, or the game is of one."""
    if game.mirror is None:
        return None
    channel_id = game.mirror.channel_id if second else game.channel_id
    boards = await announcements.unseen(tx, game.id, game.ply, second=second)
    if channel_id is None or not boards or boards[-1][1] is None:
        return None
    return await announcements.posted(tx, game.id, "board", channel_id)
