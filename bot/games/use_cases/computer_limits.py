"""What stands in the way of a game against the computer."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.computer_seats import LEVELS
from bot.games.model.errors import Refused, TooMany
from bot.games.model.game import Game
from bot.i18n import _, ngettext
from data.queries import computers as queries


def check_computer(level: int, *, rated: bool, game: Game | None = None) -> None:
    """Raises Refused for a level that there is not, and where the game is rated."""
    if level not in LEVELS:
        refusal = _("There is no level {level}. The levels are {first} to {last}.")
        raise Refused(refusal.format(level=level, first=LEVELS[0], last=LEVELS[-1]), game)
    if rated:
        raise Refused(_("Games against the computer are never rated. Play an unrated one."), game)


async def check_count(tx: AsyncConnection, player: int, most: int) -> None:
    """Raises TooMany where ``player`` has so many games against the computer going on."""
    if await queries.count(tx, player) >= most:
        refusal = ngettext(
            "You have {count} game against the computer going on, which is the most. Finish it first.",
            "You have {count} games against the computer going on, which is the most. Finish one first.",
            most,
        )
        raise TooMany(refusal.format(count=most))
