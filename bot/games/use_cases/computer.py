"""Use cases: games against the computer, and hints."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.games.model.computer_seats import another, called, is_computer, persons
from bot.games.model.errors import NotSeated, NotYourTurn, Refused, TooMany
from bot.games.model.game import Game
from bot.games.persistence.transactions import reading
from bot.games.persistence.unit_of_work import playing
from bot.games.use_cases.challenges import Challenges, announce_change, still_open
from bot.games.use_cases.limits import check_computer, check_count
from bot.i18n import _, phrase
from data.queries import computers as queries
from data.queries import games as game_queries

HINTS: Final = 10
"""How many hints a player may have in one game."""


class ComputerSeats(Challenges):
    """What people do with the computer; what it does itself are the use cases that people have."""

    async def seat_computer(self, game_id: int, player: int, level: int, source: str) -> Game:
        """By the opener: the computer takes a seat of an open challenge that is kept for nobody. The game starts when
        no seat is free."""
        async with self._changing(game_id, source) as change:
            game = still_open(change.game)
            if player != game.opener:
                raise NotSeated(_("Only the one who made this challenge can let the computer play."), game)
            check_computer(level, rated=game.rated, game=game)
            free = [seat for seat, sits in enumerate(game.players) if sits is None]
            seat = next((seat for seat in free if game.invited[seat] is None), None)
            if seat is None:
                raise Refused(
                    _("Every free seat is kept for somebody. Withdraw this challenge, and `/play` the computer."), game
                )
            if not any(is_computer(sits) for sits in game.players):
                await check_count(change.tx, player, self.max_open_challenges)
            computer = another(game.players, level)
            await change.act("computer", player)
            players = (*game.players[:seat], computer, *game.players[seat + 1 :])
            change.game = replace(game, players=players)
            if None in players:
                await game_queries.sit_down(change.tx, game.id, seat, computer, change.now)
                await game_queries.change_game(change.tx, game.id, {"changed_at": change.now})
                await announce_change(change, "challenge_changed", {})
            else:
                await self._start(change, computer)
        return change.game

    async def with_computers(self) -> list[int]:
        """The running games in which the computer has a seat."""
        async with reading(self._store) as tx:
            return await queries.running(tx)

    async def hint(self, game_id: int, player: int, source: str) -> Game:
        """Note that ``player``, who is to move, is helped, and tell the other people in the game. Again at the same
        position changes nothing.

        Raises Refused where nobody may be helped, or too often already."""
        async with self._changing(game_id, source) as change:
            game = change.game
            seat = playing(game, player)
            if not game.casual:
                raise Refused(_("Nobody is helped in a tournament's game. Hints are for casual games."), game)
            if game.rated:
                raise Refused(_("This game is rated, so nobody is helped. Hints are for casual games."), game)
            if seat != game.state.seat:
                raise NotYourTurn(_("It is not your turn. Ask for a hint when it is."), game)
            here = f"hint:{game.id}:{game.ply}"
            if await game_queries.applied(change.tx, here):
                return game
            if await queries.hints(change.tx, game.id, player) >= HINTS:
                refusal = _("You have had {count} hints in this game, which is the most.")
                raise TooMany(refusal.format(count=HINTS), game)
            change.source = here
            await change.act("hint", player)
            if len(persons(game.players)) > 1:
                sentence = phrase("{player} has asked for a hint.", player=called(player))
                await change.announce("note", {"sentence": sentence, "ping": None})
        return change.game
