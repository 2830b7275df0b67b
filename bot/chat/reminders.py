"""What one person is told of games that wait: reminders and the daily digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.chat.desk import Desk
from bot.chat.moments import moment, until
from bot.games.game import Game
from bot.games.outbox import Announcement

_STAGES = {
    "half": "Half of your time for this move is gone.",
    "most": "Most of your time for this move is gone.",
    "last": "Your time for this move is almost over.",
    "turn": "It is your turn.",
}
_MUTE = "Too many of these? `/settings` mutes them or sets quiet hours."


def still_holds(announcement: Announcement, game: Game) -> bool:
    """Whether what a reminder says of ``game``, as it stands now, is still so."""
    return game.to_move == announcement.payload["to"] and game.ply == announcement.ply


async def text_of(announcement: Announcement, game: Game, desk: Desk) -> str:
    """What the person is told, with links."""
    if announcement.kind == "digest":
        return await _digest(announcement.payload, desk)
    payload = announcement.payload
    link = await desk.link(game)
    lines = [f"**{game.rules.variant.name}**, {_against(game, payload['to'])}: {_STAGES[payload['stage']]}"]
    lines += [line for line in (until(payload.get("due")), link or "") if line]
    return "\n".join(lines)


async def _digest(payload: Mapping[str, Any], desk: Desk) -> str:
    lines = [f"**{payload['count']} games wait for your move.** The most urgent:"]
    for one in payload["games"]:
        game = await desk.games.game(one["game"])
        if game.to_move != payload["to"]:
            continue
        link = await desk.link(game)
        due = "" if one.get("due") is None else f", {moment(one['due'])}"
        lines.append(f"- {game.rules.variant.name}, {_against(game, payload['to'])}{due} {link or ''}".rstrip())
    return "\n".join([*lines, _MUTE])


def _against(game: Game, person: int) -> str:
    others = [f"<@{player}>" for player in game.players if player is not None and player != person]
    return f"with {', '.join(others)}" if others else "alone"
