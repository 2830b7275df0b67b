"""Use cases at a table before its game starts, and the colours of pegs."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.errors import VariantError
from bot.engine.variants import OptionValue
from bot.games.model.errors import NotOpen, NotSeated, Refused
from bot.games.model.game import Game
from bot.games.use_cases.challenges import Challenges, announce_change, still_open
from bot.i18n import _, ngettext
from data.queries import games as game_queries

COLOURS = 6
"""How many colours there are; a colour is an index from 0."""


class Lobby(Challenges):
    """Getting up again, starting with fewer, choosing a colour."""

    async def stand_up(self, game_id: int, player: int, source: str) -> Game:
        """Leave a table before the game starts; the seat is anyone's. The opener withdraws instead."""
        async with self._changing(game_id, source) as change:
            game = still_open(change.game)
            if player == game.opener:
                raise NotSeated(_("You opened this table: press Withdraw to take it away."), game)
            seat = game.seat_of(player)
            if seat is None:
                raise NotSeated(_("You have no seat at this table."), game)
            await change.act("stand up", player)
            await game_queries.stand_up(change.tx, game.id, seat)
            await game_queries.change_game(change.tx, game.id, {"changed_at": change.now})
            change.game = replace(
                game, players=_with(game.players, seat, None), colours=_with(game.colours, seat, None)
            )
            await announce_change(change, "challenge_changed", {})
        return change.game

    async def start_early(self, game_id: int, player: int, source: str) -> Game:
        """By the opener: begin with those who sit, where the game can be played by so many."""
        async with self._changing(game_id, source) as change:
            game = still_open(change.game)
            if player != game.opener:
                raise NotSeated(_("Only the one who opened this table can start it before all seats are taken."), game)
            sitting = [(p, c) for p, c in zip(game.players, game.colours, strict=True) if p is not None]
            options: dict[str, OptionValue] = {**game.options, "players": len(sitting)}
            try:
                rules = self._rules_for(game.variant_id, options)
            except VariantError as error:
                count = len(sitting)
                says = ngettext("You are alone at the table: {why}.", "There are {count} at the table: {why}.", count)
                raise Refused(says.format(count=count, why=error.message), game) from error
            await change.act("start early", player)
            values = {"options": dict(rules.variant.options)}
            await game_queries.change_game(change.tx, game.id, values)
            change.game = replace(
                game,
                rules=rules,
                options=rules.variant.options,
                players=tuple(p for p, _ in sitting),
                invited=tuple(None for _ in sitting),
                colours=tuple(c for _, c in sitting),
                state=rules.start(),
            )
            await self._start(change, player)
        return change.game

    async def choose_colour(self, game_id: int, player: int, colour: int, source: str) -> Game:
        """Take ``colour`` (0 to 5) for one's pegs, before the game or while it runs; one that another player picked is
        taken."""
        async with self._changing(game_id, source) as change:
            game = change.game
            if game.status not in ("open", "running"):
                raise NotOpen(_("This game is over."), game)
            seat = game.seat_of(player)
            if seat is None:
                raise NotSeated(_("Colours are for those who play: take a seat first."), game)
            if not any(side.sets for side in game.rules.seats):
                says = _("In {game} the sides have their own colours.")
                raise Refused(says.format(game=game.rules.variant.name), game)
            if not 0 <= colour < COLOURS:
                raise Refused(_("There is no such colour."), game)
            if colour in game.colours and game.colours[seat] != colour:
                raise Refused(_("That colour is taken. Pick another."), game)
            await change.act("colour", player)
            await game_queries.paint(change.tx, game.id, seat, colour)
            change.game = replace(game, colours=_with(game.colours, seat, colour))
            if game.status == "open":
                await announce_change(change, "challenge_changed", {})
        return change.game


def _with(values: tuple[int | None, ...], seat: int, value: int | None) -> tuple[int | None, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
