"""Use cases at a table before its game starts, and the colours of pegs."""

from __future__ import annotations

from dataclasses import replace

from bot.engine import typed_positions
from bot.engine.errors import BadPosition, VariantError
from bot.engine.rules import Rules
from bot.engine.variants import OptionValue
from bot.games.model.announcements import ChallengeChanged
from bot.games.model.clock import with_seat
from bot.games.model.errors import NotOpen, NotSeated, Refused
from bot.games.model.game import Game
from bot.games.persistence.game_work import GameWork
from bot.games.use_cases.challenges import announce_change, change_seat, check_free, start_game, still_open
from bot.i18n import _, ngettext
from data.queries import games

COLOURS = 6
"""How many colours there are; a colour is an index from 0."""


class Lobby:
    """Lets those who sit at a table change it before its game starts: get up, begin with fewer, choose colours."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    async def stand_up(self, game_id: int, player: int, source: str) -> Game:
        """Leave a table before the game starts; the seat is anyone's. The opener withdraws instead."""
        async with self._work.unit(game_id, source) as unit:
            game = still_open(unit.game)
            if player == game.opener:
                raise NotSeated(_("You opened this table: press *Withdraw* to close it."), game)
            seat = game.seat_of(player)
            if seat is None:
                raise NotSeated(_("You have no seat at this table."), game)
            await unit.act("stand up", player)
            players, colours = with_seat(game.players, seat, None), with_seat(game.colours, seat, None)
            unit.change(replace(game, players=players, colours=colours))
            await change_seat(unit, seat, player=None, sat_at=None, colour=None)
        return unit.game

    async def start_early(self, game_id: int, player: int, source: str) -> Game:
        """By the opener: begin with those who sit, where the game can be played by so many."""
        async with self._work.unit(game_id, source) as unit:
            game = still_open(unit.game)
            if player != game.opener:
                raise NotSeated(
                    _("Only the person who opened this table can start it before all seats are taken."), game
                )
            sitting = [(p, c) for p, c in zip(game.players, game.colours, strict=True) if p is not None]
            options: dict[str, OptionValue] = {**game.options, "players": len(sitting)}
            try:
                rules = self._work.rules_for(game.rules.variant.ruleset, options)
            except VariantError as error:
                count, most = len(sitting), game.rules.variant.option_specs["players"].allowed
                template = ngettext(
                    "You are alone at the table: this game is for {players} players.",
                    "There are {count} at the table: this game is for {players} players.",
                    count,
                )
                raise Refused(template.format(count=count, players=most), game) from error
            try:
                start = _start_for(rules, game)
            except BadPosition as error:
                template = _("This position is for {count} players: wait until all seats are taken.")
                raise Refused(template.format(count=len(game.players)), game) from error
            await check_free(unit.tx, game.place)
            await unit.act("start early", player)
            await games.change_game(unit.tx, game.id, options=dict(rules.variant.options))
            unit.change(
                replace(
                    game,
                    rules=rules,
                    options=rules.variant.options,
                    players=tuple(p for p, _ in sitting),
                    invited=tuple(None for _ in sitting),
                    colours=tuple(c for _, c in sitting),
                    start=start,
                    state=rules.start(start),
                )
            )
            await start_game(unit, player, self._work.rng)
        return unit.game

    async def choose_colour(self, game_id: int, player: int, colour: int, source: str) -> Game:
        """Take ``colour`` (0 to 5) for one's pegs, before the game or while it runs, unless another player has it."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            if game.status not in ("open", "running"):
                raise NotOpen(_("This game is over."), game)
            seat = game.seat_of(player)
            if seat is None:
                raise NotSeated(_("Only players can choose a colour: take a seat first."), game)
            if not any(side.sets for side in game.rules.seats):
                template = _("In {game} the sides have their own colours.")
                raise Refused(template.format(game=game.rules.variant.name), game)
            if not 0 <= colour < COLOURS:
                raise Refused(_("There is no such colour."), game)
            if colour in game.colours and game.colours[seat] != colour:
                raise Refused(_("That colour is taken. Pick another."), game)
            await unit.act("colour", player)
            await games.change_seat(unit.tx, game.id, seat, colour=colour)
            unit.change(replace(game, colours=with_seat(game.colours, seat, colour)))
            if game.status == "open":
                await announce_change(unit, ChallengeChanged())
        return unit.game


def _start_for(rules: Rules, game: Game) -> str | None:
    """The position that ``game`` begins from where fewer play it, by ``rules``: with the same handicap. Raises
    BadPosition for one that they cannot play."""
    if game.start is None or not game.from_position:
        return game.start
    given = game.handicap
    if given is None:
        rules.start(game.start)
        return game.start
    places = " ".join(f"-{game.rules.board.names[place]}" for place in given.places)
    return rules.position(typed_positions.handicap(rules, places).state)
