"""Use cases of arenas: to pause, and what an arena does by itself, which is to pair who waits, and to end."""

from __future__ import annotations

from bot.games.model.errors import Refused
from bot.i18n import _
from bot.ratings.rate import rating_of
from bot.tournaments.errors import NO_RESULTS
from bot.tournaments.model.events import Action, Ended, Paused, PoolClosed
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.use_cases.finalise import ARENA
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import timers as timer_queries


class Arenas:
    """How an arena runs: players pause, who waits is paired when its timer falls due, and at its time it ends."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def pause(self, tournament_id: int, person: int, source: str) -> StoredTournament:
        """Be paired no more until one joins again. A game that is going on goes on."""
        async with self._work.unit(tournament_id, person, source) as unit:
            if not unit.tournament.format.pairs_who_waits:
                raise Refused(_("Only in an arena can you pause. To leave for good, use `/tournament leave`."))
            known = unit.tournament.state.by_person.get(person)
            if known is None or known.is_gone:
                raise Refused(_("You are not playing in this tournament."))
            if known.paused:
                raise Refused(_("You are already paused. To play on, press *Join*."))
            await unit.add(Paused(person))
            await unit.request("announcement", "standings")
        return unit.tournament

    async def time_passed(self, tournament_id: int) -> None:
        """An arena's timer has fallen due: pair who waits; at the end close the pool; after the last game end all."""
        before = await self._work.load(tournament_id)
        source = f"arena:{tournament_id}:{before.last}:{self._work.now}"
        async with self._work.unit(tournament_id, SYSTEM, source) as unit:
            timer = await timer_queries.get(unit.tx, ARENA, tournament_id)
            if timer is None or timer.at > unit.now:
                return
            await timer_queries.drop(unit.tx, ARENA, tournament_id)
            tournament = unit.tournament
            if not tournament.format.pairs_who_waits or tournament.state.phase is not Phase.RUNNING:
                return
            end = tournament.format.ends_at(tournament.settings, tournament.events)
            if not tournament.state.pool_closed and end is not None and end <= unit.now:
                await unit.add(PoolClosed())
                await unit.request("announcement", "standings")
            if unit.tournament.state.pool_closed:
                # A director who has taken the end back ends it again.
                if unit.tournament.state.halted is None:
                    await self._end_arena(unit)
            else:
                await self._pair_arena(unit)

    async def _pair_arena(self, unit: TournamentUnit) -> None:
        tournament, state = unit.tournament, unit.tournament.state
        people = [state.by_number[number].person for number in tournament.format.free(state)]
        pool = tournament.rating_pool
        ratings = {person: (await rating_of(unit.tx, pool, person)).value for person in people}
        games: tuple[Action, ...] = await self._work.in_thread(
            lambda: tournament.format.next_games(state, tournament.events, ratings, unit.now)
        )
        for game in games:
            await unit.add(game)
        if games:
            await unit.request("standings")

    async def _end_arena(self, unit: TournamentUnit) -> None:
        if unit.tournament.open_games:
            # The end of the last game looks here again.
            return
        await unit.add(Ended())
        await unit.request("announcement", "standings", "podium")

    async def close_pool(self, unit: TournamentUnit) -> None:
        """A director ends an arena before its time: no further game begins, and after the last one it is over."""
        state = unit.tournament.state
        if state.halted is not None and unit.tournament.open_games:
            raise Refused(_(NO_RESULTS))
        if not state.pool_closed:
            await unit.add(PoolClosed())
            await unit.request("announcement", "standings")
        await self._end_arena(unit)
