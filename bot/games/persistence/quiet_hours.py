"""Quiet hours: who is not to be pinged now, and what it is to be told when its quiet hours end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.computer_seats import persons
from bot.games.model.game import Game
from bot.games.model.preferences import Preferences
from bot.games.model.timers import PING
from data.queries import timers as queries

News = Literal["turn", "over", "challenge"]
"""What somebody is told after quiet hours: that it is to move, that its game is over, that it is challenged."""


async def without_quiet(
    tx: AsyncConnection,
    game: Game,
    payload: Mapping[str, Any],
    now: int,
    wishes_of: Callable[[AsyncConnection, int], Awaitable[Preferences]],
) -> tuple[Mapping[str, Any], int | None]:
    """An announcement's ``payload`` without the pings of those whose quiet hours it is, and when these end for the
    first of them whom there will be news for (None: for nobody); a timer is set for then."""
    until: dict[int, int] = {}
    for person in persons(_pinged(payload)):
        quiet = (await wishes_of(tx, person)).quiet_until(now)
        if quiet is not None:
            until[person] = quiet
    if not until:
        return payload, None
    ping = payload.get("ping")
    rest: dict[str, Any] = {"ping": [one for one in ping if one not in until] if isinstance(ping, list) else None}
    if not isinstance(ping, list) and ping not in until:
        rest["ping"] = ping
    if "tell" in payload:
        rest["tell"] = [one for one in payload["tell"] if one not in until]
    told = {person: at for person, at in until.items() if _news(game, person, payload) is not None}
    return {**payload, **rest}, await _hold(tx, game, told, now) if told else None


def held(payload: Mapping[str, Any], at: int) -> dict[int, int]:
    """Whose pings a timer of the kind PING, due ``at``, holds back, each with when the quiet hours end."""
    if "people" not in payload:  # as versions before kept one
        return {payload["person"]: at}
    return {int(person): int(until) for person, until in payload["people"].items()}


def news(game: Game, person: int, payload: Mapping[str, Any]) -> News | None:
    """What ``person`` is to be told of a game as it stands now; None where that is news no more."""
    if game.ply != payload["ply"] or game.status != payload.get("status", "running"):
        return None
    return _news(game, person, {"tell": [person]})


def _news(game: Game, person: int, payload: Mapping[str, Any]) -> News | None:
    if game.status == "running":
        return "turn" if game.to_move == person else None
    if game.status == "open":
        return "challenge" if person in game.invited else None
    return "over" if person in payload.get("tell", ()) else None


async def _hold(tx: AsyncConnection, game: Game, until: Mapping[int, int], now: int) -> int:
    state = {"ply": game.ply, "status": game.status}
    kept = await queries.get(tx, PING, game.id)
    same = kept is not None and state == {name: kept.payload.get(name) for name in state}
    people = (held(kept.payload, kept.at) if kept is not None and same else {}) | dict(until)
    await keep(tx, game.id, people, {**state, "since": now})
    return min(people.values())


async def keep(tx: AsyncConnection, game_id: int, until: Mapping[int, int], payload: Mapping[str, Any]) -> None:
    """Set the timer of a game for the first of those whose pings are held back."""
    people = {str(person): at for person, at in until.items()}
    await queries.put(tx, PING, game_id, min(until.values()), {**payload, "people": people})


def _pinged(payload: Mapping[str, Any]) -> Iterable[int | None]:
    ping = payload.get("ping")
    return [*(ping if isinstance(ping, list) else [ping]), *payload.get("tell", ())]
