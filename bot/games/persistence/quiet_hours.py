"""Quiet hours: who is not to be notified now, and what they are told when their quiet hours end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.games.model.announcements import Content, News, Notifying, not_to, notified
from bot.games.model.computer_seats import persons
from bot.games.model.game import Game
from bot.games.model.preferences import Preferences
from bot.games.model.timers import PING, HeldBack
from data.queries import timers as queries
from data.store import Transaction


async def without_quiet(
    tx: Transaction,
    game: Game,
    content: Content,
    now: int,
    preferences_of: Callable[[Transaction, int], Awaitable[Preferences]],
) -> tuple[Content, int | None]:
    """What is announced, without notifying those whose quiet hours it is, and when these end for the first of them whom
    there will be news for (None: for nobody); a timer is set for then. Games that begin at once notify all the same:
    who plays them has been told so, and news in the morning would be of a game that is lost."""
    if game.control is not None and game.control.prompt:
        return content, None
    until: dict[int, int] = {}
    for person in persons(notified(content)):
        quiet = (await preferences_of(tx, person)).quiet_until(now)
        if quiet is not None:
            until[person] = quiet
    if not until or not isinstance(content, Notifying):
        return content, None
    tell = content.tell or ()
    for_news = {person: at for person, at in until.items() if _news(game, person, over=person in tell) is not None}
    return not_to(content, until), await _hold(tx, game, for_news, now) if for_news else None


def news(game: Game, person: int, held: HeldBack) -> News | None:
    """What ``person`` is to be told of a game as it stands now; None where that is news no more."""
    if game.ply != held.ply or game.status != held.status:
        return None
    return _news(game, person, over=True)


def _news(game: Game, person: int, *, over: bool) -> News | None:
    if game.status == "running":
        return "turn" if game.to_move == person else None
    if game.status == "open":
        return "challenge" if person in game.invited else None
    return "over" if over else None


async def _hold(tx: Transaction, game: Game, until: Mapping[int, int], now: int) -> int:
    timer = await queries.get(tx, PING, game.id)
    held = None if timer is None else HeldBack.of(timer.payload, timer.at)
    same = held is not None and (held.ply, held.status) == (game.ply, game.status)
    people = {**(held.people if held is not None and same else {}), **until}
    await keep(tx, game.id, HeldBack(people, game.ply, game.status, now))
    return min(people.values())


async def keep(tx: Transaction, game_id: int, held: HeldBack) -> None:
    """Set the timer of a game for the first of those whose notifications are held back."""
    await queries.put(tx, PING, game_id, min(held.people.values()), held.to_json())
