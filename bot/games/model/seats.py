"""Who may do something in a game: by the seat that a player has in it. Pure."""

from __future__ import annotations

from bot.games.model.errors import NotRunning, NotSeated, Refused
from bot.games.model.game import Game
from bot.i18n import _


def seated(game: Game, player: int) -> int:
    """The seat of ``player``. Raises NotSeated."""
    seat = game.seat_of(player)
    if seat is None:
        raise NotSeated(_("You are not playing in this game."), game)
    return seat


def playing(game: Game, player: int) -> int:
    """The seat at which ``player`` still plays in a running game. Raises NotSeated or NotRunning."""
    seat = seated(game, player)
    if game.status == "open":
        raise NotRunning(_("This game has not begun: the challenge is still open."), game)
    if game.status != "running":
        raise NotRunning(_("This game is over."), game)
    if seat in game.left:
        raise NotSeated(_("You have left this game."), game)
    if seat not in game.playing:
        raise NotSeated(_("Your pegs are home: the others play on without you."), game)
    return seat


def present(game: Game, player: int) -> int:
    """The seat of who has not left a running game, still playing or home. Raises NotSeated or NotRunning."""
    seat = seated(game, player)
    return seat if game.status == "running" and seat in game.present else playing(game, player)


def can_go_back(game: Game, number: int) -> bool:
    """Whether entry ``number`` can still be taken back: nobody has left since, and all whose consent it takes are
    there. (Who came home and was forgotten by wish can agree to nothing.)"""
    left = any(entry.number >= number and entry.kind != "turn" for entry in game.line)
    return not left and all(game.players[at] is not None for at in game.present)


def check_moves_may_go_back(game: Game) -> None:
    """Raises Refused in a game of a tournament and in a rated one: there moves stand."""
    if not game.casual:
        raise Refused(_("In a tournament game moves stand: nothing can be taken back."), game)
    if game.rated:
        raise Refused(_("This game is rated, so moves stand: nothing can be taken back."), game)
