"""Use cases: a turn, resigning, aborting."""

from __future__ import annotations

from bot.engine.refusals import MoveError
from bot.games.desk import Desk, playing
from bot.games.game import Game, moved
from bot.games.refused import MoveRefused, NotYourTurn, Refused, StalePly, TimeUp


class Moves(Desk):
    """What a player does alone in a running game."""

    async def turn(self, game_id: int, player: int, text: str, source: str, ply: int | None = None) -> Game:
        """Read ``text`` in the game as it stands, play it, store it. ``ply`` is what a button carries: another raises
        StalePly. Raises MoveRefused with the engine's error where the rules say no."""
        async with self._changing(game_id, source) as change:
            game = change.game
            seat = playing(game, player)
            if ply is not None and ply != game.ply:
                raise StalePly("The game has moved on since that board. Use the newest one.", game)
            if seat != game.state.seat:
                mover = game.state.seat
                raise NotYourTurn(f"It is not your turn: {game.seat_name(mover)} (<@{game.to_move}>) is to move.", game)
            if game.clock is not None and game.clock.remaining(change.now, await change.stops(game.clock)) <= 0:
                raise TimeUp("Your time has run out, so this move comes too late.", game)
            try:
                turn = game.rules.read(game.state, text)
            except MoveError as error:
                raise MoveRefused(error, game) from error
            await change.enter("turn", seat, turn.text, turn)
            await change.announce_board("turn", player)
        return change.game

    async def resign(self, game_id: int, player: int, source: str) -> Game:
        """At any time of a running game; with more than two seats the others play on."""
        async with self._changing(game_id, source) as change:
            seat = playing(change.game, player)
            await change.enter("resign", seat)
            await change.announce_board("resign", player)
        return change.game

    async def abort(self, game_id: int, player: int, source: str) -> Game:
        """By any player, as long as not all who play have made a move. No result."""
        async with self._changing(game_id, source) as change:
            game = change.game
            seat = playing(game, player)
            if moved(game) >= set(game.playing):
                raise Refused("Everyone has moved, so this game counts. Offer a draw, or resign.", game)
            await change.enter("abort", seat)
            others = [other for other in game.players if other != player]
            ping = others[0] if len(others) == 1 else None
            await change.announce("note", {"sentence": f"<@{player}> has called this game off.", "ping": ping})
        return change.game
