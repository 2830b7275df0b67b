"""What one person is told of games that wait: reminders and the daily digest."""

from __future__ import annotations

from bot.chat.games.posts import result_text
from bot.chat.services import Services
from bot.chat.timestamps import moment, until
from bot.games.model.announcements import Digest, Reminder
from bot.games.model.computer_seats import called
from bot.games.model.game import Game
from bot.i18n import N_, _, ngettext

_STAGES = {
    "half": N_("Half of your time for this move is gone."),
    "most": N_("Most of your time for this move is gone."),
    "last": N_("Your time for this move is almost over."),
    "turn": N_("It is your turn."),
    "over": N_("Your game is over."),
    "challenge": N_("You are challenged."),
}
_MUTE = N_("Too many of these? `/settings` mutes them or sets quiet hours.")


def still_holds(reminder: Reminder, ply: int, game: Game) -> bool:
    """Whether what a reminder, made at ``ply``, says of ``game``, as it stands now, is still so."""
    match reminder.stage:
        case "over":
            return game.status in ("finished", "aborted")
        case "challenge":
            return game.status == "open" and reminder.to in game.invited
    return game.to_move == reminder.to and game.ply == ply


async def text_of(news: Reminder | Digest, game: Game, services: Services) -> str:
    """What the person is told, with links."""
    if isinstance(news, Digest):
        return await _digest(news, services)
    link = await _link(game, news.to, services)
    name = f"**{game.rules.variant.name}**"
    lines = [f"{_with_others(name, game, news.to)}: {_(_STAGES[news.stage])}"]
    lines += [line for line in (result_text(game), until(news.due), link or "") if line]
    return "\n".join(lines)


async def _link(game: Game, person: int, services: Services) -> str | None:
    """The address of what the news is of: the newest board, or the challenge."""
    if game.status != "open":
        return await services.links.board(game, person)
    return await services.links.challenge(game)


async def _digest(digest: Digest, services: Services) -> str:
    count = digest.count
    says = ngettext(
        "**{count} game waits for your move.** The most urgent:",
        "**{count} games wait for your move.** The most urgent:",
        count,
    )
    lines = [says.format(count=count)]
    for game_id, deadline in digest.games:
        game = await services.games.game(game_id)
        if game.to_move != digest.to:
            continue
        link = await services.links.board(game, digest.to)
        due = "" if deadline is None else f", {moment(deadline)}"
        name = _with_others(game.rules.variant.name, game, digest.to)
        lines.append(f"- {name}{due} {link or ''}".rstrip())
    return "\n".join([*lines, _(_MUTE)])


def _with_others(name: str, game: Game, person: int) -> str:
    others = [f"{called(player)}" for player in game.players if player is not None and player != person]
    if not others:
        return _("{game}, alone").format(game=name)
    return _("{game}, with {players}").format(game=name, players=", ".join(others))
