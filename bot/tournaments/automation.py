"""Tournaments that run by themselves: what is done when the timer of one falls due.

Each step is a use case like a director's, by the service itself. What is read before it and what has happened meanwhile
are compared in its transaction, so that a step is done once, whatever stops or repeats it."""

from __future__ import annotations

from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Duplicate, NotStored, Refused
from bot.i18n import ENGLISH, _, speaking
from bot.support.time_units import MINUTE
from bot.tournaments.model.schedule import LATE, ScheduleStep, StepKind, next_step
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.service import Tournaments

_STEPS = 20
"""More than that cannot be due at once: something else changes the tournament all the time, or nothing helps."""


async def time_passed(tournaments: Tournaments, tournament_id: int) -> None:
    """Do all that a tournament is to do by itself by now. Raises Refused where that cannot be done just now."""
    for _step in range(_STEPS):
        tournament = await tournaments.load(tournament_id)
        step = next_step(tournament.state, tournament.events, tournament.outages)
        if step is None or step.at > tournaments.now or await tournaments.administration.postponed(tournament):
            await tournaments.administration.set_timer(tournament_id)
            return
        try:
            # What is refused is kept, and said in the language of those who read it.
            with speaking(ENGLISH):
                await _do(tournaments, tournament, step)
        except Duplicate:
            continue
        except NotStored:
            raise
        except Refused as refused:
            if (await tournaments.load(tournament_id)).last != tournament.last:
                # Somebody has entered, left or scored at the same moment.
                continue
            if step.what not in (StepKind.START, StepKind.PAIR):
                raise
            source = _source(tournament, "halt")
            await tournaments.administration.halt(tournament_id, SYSTEM, source, step.round, refused.sentence)
    raise Refused(_("The tournament changes all the time."))


async def _do(tournaments: Tournaments, tournament: StoredTournament, step: ScheduleStep) -> None:
    number, source = tournament.id, _source(tournament, step.what)
    match step.what:
        case StepKind.CHECK_IN:
            await tournaments.administration.open_check_in(number, SYSTEM, source)
        case StepKind.START:
            needed = max(tournament.format.least_players, tournament.state.limits.least)
            late = tournaments.now - step.at > LATE * MINUTE
            if late and CONTROLS[tournament.clock].live and not tournament.state.check_in_open:
                # The bot was away when all were there, and who is not would lose by the clock: they are called anew.
                await tournaments.administration.open_check_in(number, SYSTEM, source)
            elif len(tournament.state.starters) < needed:
                await tournaments.administration.cancel(number, SYSTEM, source, needed)
            else:
                await tournaments.direction.start(number, SYSTEM, source, before=tournament)
        case StepKind.NEAR | StepKind.COME:
            await tournaments.administration.tell_date(
                number, SYSTEM, source, step.round, come=step.what is StepKind.COME
            )
        case StepKind.PAIR:
            await tournaments.direction.pair(number, SYSTEM, source, before=tournament)
        case StepKind.FINISH:
            await tournaments.direction.finish(number, SYSTEM, source)


def _source(tournament: StoredTournament, what: str) -> str:
    return f"course:{tournament.id}:{tournament.last}:{what}"
