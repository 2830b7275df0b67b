"""Use cases: a turn, resigning, aborting."""

from __future__ import annotations

from typing import Final

from bot.engine.errors import MoveError
from bot.games.model.announcements import Note
from bot.games.model.computer_seats import called, is_computer, persons
from bot.games.model.errors import MoveRefused, NotYourTurn, Refused, StalePly, TimeUp
from bot.games.model.game import Game, counts
from bot.games.model.seats import can_go_back, check_moves_may_go_back, playing
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.off_loop import read_turn
from bot.games.persistence.unit_of_work import GameUnit
from bot.games.use_cases.computer import end_among_computers, go_back, only_computers_mind
from bot.games.use_cases.conditional_moves import ConditionalMoves
from bot.i18n import _, phrase
from bot.support.time_units import MINUTE

UNDO: Final = MINUTE
"""How long a slip can be undone, in milliseconds."""


class Moves:
    """What a player does alone in a running game. After a turn, conditional moves follow."""

    def __init__(self, work: GameWork, conditional_moves: ConditionalMoves) -> None:
        self._work = work
        self._conditional_moves = conditional_moves

    async def turn(self, game_id: int, player: int, text: str, source: str, ply: int | None = None) -> Game:
        """Read ``text`` in the game as it stands, play it, store it. ``ply`` is what a button carries: another raises
        StalePly. Raises MoveRefused with the engine's error where the rules say no."""

        async def play(unit: GameUnit) -> None:
            game = unit.game
            seat = playing(game, player)
            if ply is not None and ply != game.ply:
                raise StalePly(_("The game has moved on since that board. Use the newest one."), game)
            if seat != game.state.seat:
                mover = game.state.seat
                template = _("It is not your turn: {side} ({player}) is to move.")
                raise NotYourTurn(template.format(side=game.seat_name(mover), player=called(game.to_move)), game)
            # A computer's time runs like anybody's, but nobody wins by its machine's being slow.
            clock = None if is_computer(player) else game.clock
            if clock is not None and clock.remaining(unit.now, await unit.stops(clock)) <= 0:
                raise TimeUp(_("Your time has run out, so this move comes too late."), game)
            try:
                turn = await read_turn(game.rules, game.state, text)
            except MoveError as error:
                raise MoveRefused(error, game, text) from error
            await unit.append("turn", seat, turn.text, turn)
            played = await self._conditional_moves.follow(unit)
            await unit.announce_board("turn", player, played_ahead=played)

        return await self._work.do(game_id, source, play)

    async def undo(self, game_id: int, player: int, source: str) -> Game:
        """Take a slip back: one's own last turn, within a minute, while nobody has done anything since, in a casual
        game. The thinking it took stays spent. Against computers alone at any time, their answers with it."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            seat = playing(game, player)
            last = game.entries[-1] if game.entries else None
            check_moves_may_go_back(game)
            if only_computers_mind(game, seat):
                await go_back(unit, seat, player)
                return unit.game
            if last is None or last.kind != "turn" or last.seat != seat:
                raise Refused(_why_no_slip(game, seat), game)
            if unit.now - last.at > UNDO:
                why = _("A move can be undone only within a minute.")
                raise Refused(f"{why} {_('Ask for a `/game takeback`.')}", game)
            await unit.append("takeback", seat, str(game.line[-2].number if len(game.line) > 1 else 0))
            await unit.announce_board("undo", player)
        return unit.game

    async def resign(self, game_id: int, player: int, source: str) -> Game:
        """At any time of a running game; with more than two seats the others play on."""
        async with self._work.unit(game_id, source) as unit:
            seat = playing(unit.game, player)
            await unit.append("resign", seat)
            await end_among_computers(unit)
            await unit.announce_board("resign", player)
        return unit.game

    async def abort(self, game_id: int, player: int, source: str) -> Game:
        """By any player, as long as not all who play have made a move. No result."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            seat = playing(game, player)
            if not game.casual:
                raise Refused(_("A tournament's game cannot be called off. Resign, or ask the director."), game)
            if counts(game):
                raise Refused(_("Everyone has moved, so this game counts. Offer a draw, or resign."), game)
            await unit.append("abort", seat)
            others = persons(other for other in game.players if other != player)
            sentence = phrase("{player} has called this game off; it does not count.", player=f"<@{player}>")
            await unit.announce(Note(sentence=sentence, notify=others if len(game.players) == 2 else ()))
        return unit.game


def _why_no_slip(game: Game, seat: int) -> str:
    """Why there is nothing that ``seat`` can undo, and what it can do instead."""
    turns = [entry for entry in game.line if entry.kind == "turn"]
    own = next((turn for turn in reversed(turns) if turn.seat == seat), None)
    if own is None:
        return _("You have not moved yet, so there is nothing to take back.")
    last = turns[-1].seat
    why = _("You can undo only your own last move, before anything else happens in the game.")
    if last != seat:
        template = _("{side} ({player}) moved last, and you can undo only your own last move.")
        why = template.format(side=game.seat_name(last), player=called(game.players[last]))
    return f"{why} {_('Ask for a `/game takeback`.')}" if can_go_back(game, own.number) else why
