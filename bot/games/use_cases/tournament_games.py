"""Games that nobody challenges anybody to: a tournament arranges them, and calls them off."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

from bot.engine import typed_positions
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue
from bot.games.model.announcements import BoardPosted, Note
from bot.games.model.game import Game, Mirror, Place
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.kept_rules import made
from bot.games.persistence.repository import new_row
from data.queries import mirrors
from data.queries.game_rows import SeatRow
from data.queries.mirrors import MirrorRow
from data.store import Transaction


@lru_cache(maxsize=64)
def _position_after(rules: Any, opening: str) -> str:
    """Kept, as all games of a round begin from one."""
    return str(rules.position(typed_positions.opening(rules, opening)))


class TournamentGames:
    """What tournaments need of games: each method works in a transaction that is open already."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    def timer_set(self, tx: Transaction, at: int) -> None:
        """``tx`` sets a timer for ``at``: whoever waits for timers is told once it has been committed."""
        self._work.timer_set(tx, at)

    def seed(self) -> str:
        """A seed that nobody can foresee, for a lot that everybody can check."""
        return f"{self._work.rng.getrandbits(64):016x}"

    async def arrange(
        self,
        tx: Transaction,
        *,
        source: str,
        players: Sequence[int],
        variant: str | Ruleset,
        options: Mapping[str, OptionValue],
        place: Place,
        clock: str,
        heading: str,
        rated: bool = False,
        away: tuple[int, Place] | None = None,
        opening: str | None = None,
    ) -> Game:
        """A running game, not casual, of ``players`` by seat. It has a thread of its own in ``place``.

        ``away``: a seat, and where on another server it plays, in a thread there.
        ``opening``: the moves or the position that it begins from, None for the set-up.
        ``heading``: what it is played in, said above its first board, which notifies all of its players."""
        rules = await made(self._work.rules_for, variant, options)
        # Whoever pairs has balanced who begins: no toss undoes that.
        start = rules.opening(0) if rules.variant.toss else None
        if opening is not None:
            start = await asyncio.to_thread(_position_after, cast(Any, rules), opening)
        state = rules.start(start)
        now = self._work.clock()
        new = new_row(rules, place, players[0], now)._replace(
            start=start,
            side="first",
            status="running",
            position=rules.position(state),
            to_seat=state.seat,
            started_at=now,
            clock=clock,
            casual=False,
            rated=rated,
        )
        seats = [SeatRow(seat, person, None, now) for seat, person in enumerate(players)]
        game = await self._work.repository.add(tx, rules, new, seats)
        if away is not None and away[1].guild_id is not None:
            mirror = Mirror(away[0], away[1].guild_id, away[1].channel_id)
            row = MirrorRow(game.id, mirror.seat, mirror.guild_id, mirror.place_channel_id, mirror.channel_id)
            await mirrors.add(tx, row)
            game = replace(game, mirror=mirror)
        unit = self._work.unit_in(tx, game, source)
        await unit.act("arrange", players[0])
        await unit.schedule()
        first = BoardPosted(
            event="start", notify=(players[state.seat],), tell=tuple(players), due=unit.due, heading=heading
        )
        await unit.announce(first)
        return game

    async def call_off(self, tx: Transaction, game_id: int, source: str, sentence: str) -> Game:
        """End a running game without a result; one that is over stays as it is."""
        unit = self._work.unit_in(tx, await self._work.repository.load(tx, game_id, to_change=True), source)
        if unit.game.status == "running":
            await unit.append("abort", unit.game.state.seat)
            await unit.announce(Note(sentence=sentence, tell=()))
        return unit.game

    async def tell(self, tx: Transaction, game_id: int, source: str, sentence: str) -> Game:
        """Say something in the thread of a game."""
        unit = self._work.unit_in(tx, await self._work.repository.load(tx, game_id, to_change=True), source)
        await unit.announce(Note(sentence=sentence, tell=()))
        return unit.game
