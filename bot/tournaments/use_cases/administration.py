"""Use cases around the games: when a tournament begins and its rounds follow, the call to the check-in, and what a
director decides about games that are not over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Refused
from bot.games.model.timers import SERVER
from bot.i18n import N_, _
from bot.support.time_units import DAY, HOUR, MINUTE
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.registry import format_of
from bot.tournaments.model.events import Cancelled, CheckInOpened, DateTold, Halted, Scheduled, TournamentSettings
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored import SYSTEM, NewCompetition
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit, load
from bot.tournaments.use_cases.finalise import TIMER, parts, set_timer
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import timers, tournaments
from data.store import Transaction

FARTHEST: Final = 366 * DAY
ADJUDICATED: Final = N_("adjudicated")
GONE_ON: Final = N_("The game has moved on. Ask for the verdict again.")
"""The reason of a result that a director, or a table of endgames, gave to a game that was not played to its end."""


class Administration:
    """Lets directors, and the timer, see to all around the rounds: dates, the check-in, games that must be decided."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def schedule(
        self, tournament_id: int, by: int, source: str, change_of: Callable[[Scheduled], Scheduled]
    ) -> StoredTournament:
        """Change what happens when; by a director."""
        async with self._work.directed(tournament_id, by, source) as unit:
            was = unit.tournament.state.timing
            new = change_of(was)
            if (new.start, new.check_in) != (was.start, was.check_in):
                check_start(new, self._work.now, is_open=unit.tournament.state.check_in_open)
                if unit.tournament.state.phase is Phase.ENTRIES:
                    check_settings(unit.tournament, unit.tournament.settings, new.start)
            if not was.at_once:
                check_at_once(new, unit.tournament.clock)
            await unit.add(new)
            await unit.request("announcement")
            if unit.tournament.state.phase is Phase.RUNNING:
                for number in unit.tournament.state.rounds:
                    await unit.request("round", round_number=number)
        return unit.tournament

    async def cancel(self, tournament_id: int, by: int, source: str, needed: int = 0) -> StoredTournament:
        """It does not take place, or ends at once, without its games; by a director, or by itself where fewer than
        ``needed`` have come."""
        async with self._work.directed(tournament_id, by, source) as unit:
            if unit.tournament.competition_id is not None:
                raise Refused(_("Its league or team match starts and ends it."))
            if unit.tournament.state.phase is Phase.RUNNING:
                for number in unit.tournament.state.rounds:
                    await unit.request("round", round_number=number)
                await unit.request("standings")
            await unit.add(Cancelled(len(unit.tournament.state.starters) if needed else 0, needed))
            await unit.request("announcement")
            for part in range(parts(unit.tournament.state) or 1):
                await unit.request("cancelled", round_number=part)
        return unit.tournament

    async def open_check_in(self, tournament_id: int, by: int, source: str) -> StoredTournament:
        """From now on people can say that they are there. All who have entered are called."""
        async with self._work.directed(tournament_id, by, source) as unit:
            await unit.add(CheckInOpened())
            await unit.request("announcement")
            for part in range(parts(unit.tournament.state)):
                await unit.request("checkin", round_number=part)
        return unit.tournament

    async def tell_date(self, tournament_id: int, by: int, source: str, number: int, *, come: bool) -> StoredTournament:
        """The deadline of a round is near, or has come, and games are not over: the directors are told."""
        async with self._work.directed(tournament_id, by, source) as unit:
            await unit.add(DateTold(number, come))
            await unit.request("date" if come else "near", round_number=number)
        return unit.tournament

    async def halt(self, tournament_id: int, by: int, source: str, number: int, why: str) -> StoredTournament:
        """The next round cannot begin by itself: the directors are told why."""
        async with self._work.directed(tournament_id, by, source) as unit:
            await unit.add(Halted(number, why))
            await unit.request("stopped", round_number=number)
        return unit.tournament

    async def postponed(self, tournament: StoredTournament) -> bool:
        """Whether nothing can be done now: the server has removed the bot, which may come back."""
        async with self._work.reading() as tx:
            return await timers.get(tx, SERVER, tournament.guild_id or 0) is not None

    async def set_timer(self, tournament_id: int) -> None:
        """Set the timer anew, by what comes next; while nothing can be done, it is asked for again in an hour."""
        async with self._work.writing(f"timer:{tournament_id}:{self._work.now}") as tx:
            tournament = await load(tx, tournament_id, to_change=True)
            at = await set_timer(tx, tournament)
            if at is not None and at <= self._work.now:
                at = self._work.now + HOUR
                await timers.put(tx, TIMER, tournament_id, at, {})
            self._work.set_timer(tx, at)

    async def dates_moved(self, tx: Transaction) -> None:
        """The bot was out of reach: deadlines of rounds that are being played have moved, and posts are to say so."""
        for tournament_id in await tournaments.running(tx, self._work.store.shards):
            try:
                tournament = await load(tx, tournament_id)
            except TournamentError:
                # What is kept of it cannot be read: nobody else has to wait for that.
                continue
            unit = TournamentUnit(tx, tournament, "", self._work.now, SYSTEM)
            dated = {pairing.round for pairing in tournament.open_games} if tournament.state.timing.days else set()
            for number in sorted(dated):
                await unit.request("round", round_number=number)
            if dated:
                await set_timer(tx, tournament)
                self._work.on_commit(tx, partial(self._work.tell, unit))

    async def adjudicate(
        self,
        tournament_id: int,
        by: int,
        source: str,
        game_id: int,
        winner: int | None,
        reason: str = ADJUDICATED,
        *,
        ply: int | None = None,
    ) -> StoredTournament:
        """Give a game that is being played its result (``winner``: the seat, None: drawn), and call it off.

        ``by`` is a director, or SYSTEM where a table of endgames has spoken. ``ply``: where the game must stand, if
        that matters.
        """
        async with self._work.directed(tournament_id, by, source) as unit:
            tournament = unit.tournament
            link = next((each for each in tournament.games if each.game_id == game_id), None)
            played = None if link is None else open_game_of(link)
            result = None
            if played is not None and played.key in {game.key for game in tournament.open_games}:
                result = tournament.format.adjudicated(tournament.state, played, winner)
            if link is None or result is None:
                raise Refused(_("That is not a running two-player game of this tournament."))
            await unit.add(result, reason)
            sentence = _("This game is adjudicated: it is a draw.")
            if winner is not None and played is not None:
                victor = tournament.call_in(played, played.seats[winner])
                sentence = _("This game is adjudicated: {player} wins.").format(player=victor)
            game = await self._work.games.tournament_games.call_off(unit.tx, game_id, f"{source}:adjudicated", sentence)
            # To be called off is an entry too.
            if ply is not None and game.ply != ply + 1:
                raise Refused(_(GONE_ON))
            unit.game_changed(game)
            await unit.request_round(link.round)
        return unit.tournament


def check_start(timing: Scheduled, now: int, *, is_open: bool = False) -> None:
    """Raises Refused where a start time, or that of the check-in (unless it ``is_open``), is no time to come."""
    if timing.start and timing.start <= now:
        raise Refused(_("That time has passed. Choose a later one."))
    if timing.start > now + FARTHEST:
        raise Refused(_("That is more than a year away. Choose an earlier time."))
    if timing.start and timing.start - timing.check_in * MINUTE < now and not is_open:
        raise Refused(_("The check-in would already be open. Make it shorter, or start the tournament later."))


def check_settings(event: NewCompetition | StoredTournament, plan: TournamentSettings, begins: int) -> None:
    """Raises Refused where a tournament cannot be held as planned. ``begins``: when it does, at the earliest (UTC
    ms)."""
    why = format_of(plan).refusal_of_settings(plan, event.ruleset, event.options, event.clock, begins)
    if why is not None:
        raise Refused(why)
    if plan.ends_at > begins + FARTHEST:
        raise Refused(_("That is more than a year away. Choose an earlier time."))


def check_at_once(timing: Scheduled, clock: str) -> None:
    """Raises Refused where all games of a round robin would run at once by a live clock: nobody can play them all."""
    if timing.at_once and CONTROLS[clock].live:
        raise Refused(_("With a live clock nobody can play all games at once. Choose a clock with days for each move."))
