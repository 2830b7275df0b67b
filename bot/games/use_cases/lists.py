"""Questions about many games at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from bot.engine.outcomes import reason_of
from bot.games.model.game import EntryKind, Game, GameSummary, Place, Status
from bot.games.model.timers import CLOCK, ClockTimer
from bot.games.persistence.game_work import GameWork
from bot.i18n import phrase
from data.queries import games, people, rulesets, timers
from data.queries.game_rows import GameRow, SeatRow
from data.store import Transaction


class Lists:
    """Answers which games somebody plays and has played, from columns beside the games: none is replayed."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    async def games_of(self, player: int, *, guild_id: int | None = None) -> list[GameSummary]:
        """Running and open games of ``player``, and challenges to them, the most urgent first: those where they are to
        move, by deadline, then without a clock by how long they wait; then the others."""
        async with self._work.reading() as tx:
            rows = await games.going_on(tx, player, guild_id)
            clocks = await timers.of_kind(tx, CLOCK, [row.id for row, _ in rows])
            titles = await _titles(tx, rows)
        due = {timer.subject: ClockTimer.of(timer.payload).due for timer in clocks}
        return sorted(
            (_summary(row, seats, titles, due.get(row.id)) for row, seats in rows),
            key=lambda game: (game.to_move != player, game.due is None, game.due or game.changed_at, game.id),
        )

    async def history(self, player: int, *, guild_id: int | None = None, most: int = 500) -> list[GameSummary]:
        """Games of ``player`` that are over and count, the latest first."""
        async with self._work.reading() as tx:
            rows = await games.over(tx, player, guild_id, most)
            titles = await _titles(tx, rows)
            left = await people.leavings(tx, player, [row.id for row, _ in rows])
        summaries = [_summary(row, seats, titles, None) for row, seats in rows]
        return [replace(each, left=cast(EntryKind | None, left.get(each.id))) for each in summaries]

    async def last_in(self, channel_id: int, player: int) -> Game | None:
        """The game of a channel that ended last of those that ``player`` was in."""
        async with self._work.reading() as tx:
            game_id = await games.last_in(tx, channel_id, player)
        return None if game_id is None else await self._work.loaded(game_id)

    async def variants_played(self, guild_id: int) -> list[str]:
        """The ids of the variants played on a server of late, the one played most first."""
        async with self._work.reading() as tx:
            return await games.variants_played(tx, guild_id)


async def _titles(tx: Transaction, rows: Iterable[tuple[GameRow, list[SeatRow]]]) -> dict[str, str]:
    return await rulesets.titles(tx, {row.rules_hash for row, _ in rows if row.rules_hash is not None})


def _summary(row: GameRow, seats: list[SeatRow], titles: Mapping[str, str], due: int | None) -> GameSummary:
    players = tuple(seat.player for seat in seats)
    return GameSummary(
        id=row.id,
        variant_id=row.variant_id,
        # Where the rules are not known any more, the variant's id is all there is.
        name=phrase(titles.get(row.rules_hash or "", row.variant_id)),
        status=cast(Status, row.status),
        place=Place(row.guild_id, row.place_channel_id, row.answers_only),
        channel_id=row.channel_id,
        opener=row.opener,
        players=players,
        invited=tuple(seat.invited for seat in seats),
        to_move=None if row.to_seat is None else players[row.to_seat],
        ply=row.ply,
        # What was imported has changed since it ended.
        changed_at=row.changed_at if row.ended_at is None else row.ended_at,
        due=due,
        winner=row.winner,
        reason=None if row.reason is None else reason_of(row.reason),
        casual=row.casual,
    )
