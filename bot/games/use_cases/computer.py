"""Use cases: games against the computer, and hints."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.games.model.announcements import Note
from bot.games.model.computer_seats import another, called, is_computer, persons
from bot.games.model.errors import NotSeated, NotYourTurn, Refused, StalePly, TooMany
from bot.games.model.game import Game, before_last_turn
from bot.games.model.seats import can_go_back, playing
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.unit_of_work import GameUnit
from bot.games.use_cases.challenges import check_computer, check_count, check_free, free_seats, sit, still_open
from bot.games.use_cases.fair_play import check_unhelped
from bot.i18n import N_, _, phrase
from data.queries import games as queries
from data.store import Transaction

HINTS: Final = 10
"""How many hints a player may have in one game."""
OPENER_ONLY: Final = N_("Only the person who made this challenge can let the computer play.")


class ComputerSeats:
    """Seating the computer and asking it for hints. Its own moves go through the same use cases as a person's.
    ``most``: how many running games against the computer one person may have."""

    def __init__(self, work: GameWork, most: int) -> None:
        self._work = work
        self._most = most

    async def seat(self, game_id: int, player: int, level: int, source: str) -> Game:
        """By the opener: the computer takes a seat that is kept for nobody. The game starts when none is free."""
        async with self._work.unit(game_id, source) as unit:
            game = still_open(unit.game)
            if player != game.opener:
                raise NotSeated(_(OPENER_ONLY), game)
            check_computer(level, rated=game.rated, game=game)
            seat = next((seat for seat in free_seats(game) if game.invited[seat] is None), None)
            if seat is None:
                raise Refused(
                    _("Every free seat is kept for someone. Withdraw this challenge, and `/play` the computer."), game
                )
            if not any(is_computer(sits) for sits in game.players):
                await check_count(unit.tx, player, self._most)
            if game.start is not None:
                await check_unhelped(unit.tx, player, game.variant_id, game.rules.position(game.state))
            computer = another(game.players, level)
            if game.players.count(None) == 1:
                await check_free(unit.tx, game.place)
            await unit.act("computer", player)
            await sit(unit, seat, computer, self._work.rng)
        return unit.game

    async def left_alone(self, game_id: int, source: str) -> Game:
        """End a game in which nobody but computers plays any more."""
        async with self._work.unit(game_id, source) as unit:
            await end_among_computers(unit)
            if unit.game.status != "running":
                await unit.announce_board("draw", None)
        return unit.game

    async def with_computers(self) -> list[int]:
        """The running games in which the computer has a seat."""
        async with self._work.reading() as tx:
            return await queries.with_computers(tx, self._work.transactions.shards)

    async def hint_for(self, game_id: int, player: int) -> Game:
        """The game, for whose position ``player``, who is to move, may have a hint. Raises Refused where nobody may be
        helped, or too often already."""
        game = await self._work.loaded(game_id)
        async with self._work.reading() as tx:
            await _hinted(tx, game, player)
        return game

    async def hint(self, game_id: int, player: int, source: str, ply: int | None = None) -> Game:
        """Note that ``player``, who is to move, is helped, and tell the other people in the game; ``ply``: at that
        position alone. Again at the same position changes nothing. Raises Refused as ``hint_for``, and StalePly."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            if ply not in (None, game.ply):
                raise StalePly(_("The game has moved on."), game)
            if await _hinted(unit.tx, game, player):
                return game
            await unit.act("hint", player, source=_once(game))
            if len(persons(game.players)) > 1:
                sentence = phrase("{player} has asked for a hint.", player=called(player))
                await unit.announce(Note(sentence=sentence))
        return unit.game


def only_computers_mind(game: Game, seat: int) -> bool:
    """Whether nobody but computers, which never mind, has to agree when ``seat`` takes a turn back."""
    return game.casual and all(is_computer(game.players[at]) for at in game.present if at != seat)


async def before_own_turn(game: Game, seat: int) -> int:
    """The number of the entry before the last turn of ``seat``, to which the game goes back. Raises Refused."""
    back_to = await asyncio.to_thread(before_last_turn, game, seat)
    if back_to is None:
        raise Refused(_("You have not moved yet, so there is nothing to take back."), game)
    if not can_go_back(game, back_to + 1):
        raise Refused(_("A player has left since your last turn, so it cannot be taken back."), game)
    return back_to


async def go_back(unit: GameUnit, seat: int, player: int) -> None:
    """Take back the last turn of ``seat``, and what has been answered to it. Raises Refused."""
    await unit.append("takeback", seat, str(await before_own_turn(unit.game, seat)))
    await unit.announce_board("takeback", player)


async def end_among_computers(unit: GameUnit) -> None:
    """Nobody wants to see computers play each other to the end: where nobody else is left, it is a draw among them."""
    game = unit.game
    if game.status == "running" and all(is_computer(game.players[seat]) for seat in game.playing):
        await unit.append("draw", game.playing[0], source=f"alone:{game.id}:{game.ply + 1}")


def _once(game: Game) -> str:
    return f"hint:{game.id}:{game.ply}"


async def _hinted(tx: Transaction, game: Game, player: int) -> bool:
    """Whether ``player`` has had the hint of this position already. Raises Refused where they may have none."""
    seat = playing(game, player)
    if not game.casual:
        raise Refused(_("There are no hints in tournament games, only in casual ones."), game)
    if game.rated:
        raise Refused(_("There are no hints in rated games, only in casual ones."), game)
    if seat != game.state.seat:
        raise NotYourTurn(_("It is not your turn. Ask for a hint when it is."), game)
    await check_unhelped(tx, player, game.variant_id, game.rules.position(game.state))
    if await queries.applied(tx, _once(game)):
        return True
    if await queries.hints(tx, game.id, player) >= HINTS:
        refusal = _("You have had {count} hints in this game, the most allowed.")
        raise TooMany(refusal.format(count=HINTS), game)
    return False
