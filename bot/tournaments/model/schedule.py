"""What a tournament does by itself next, and when: read from its events alone, so that a restart changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from types import UnionType
from typing import Final

from bot.i18n import _
from bot.support.frozen import frozen
from bot.support.time_units import DAY, MINUTE
from bot.tournaments.errors import BEGUN, NOT_ENTERED, NOT_RUNNING
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, Event, PairedRound, Scheduled, TournamentSettings
from bot.tournaments.model.state import Phase, Tournament

LATE: Final = 15
"""Minutes that a start may be late; and those of the check-in that comes first, where it is later (see automation)."""

Outages = Iterable[tuple[int, int]]
"""From when until when the bot was out of reach (UTC ms)."""


class StepKind(StrEnum):
    """What a tournament can do by itself: call to the check-in, begin, tell that a round's deadline is near or has
    come, pair the next round, end. The names stand in the sources of events."""

    CHECK_IN = "check-in"
    START = "start"
    NEAR = "near"
    COME = "come"
    PAIR = "pair"
    FINISH = "finish"


@frozen
class ScheduleStep:
    """At ``at`` (UTC ms) the tournament does something; ``round``: the last round that is paired."""

    what: StepKind
    at: int
    round: int = 0


def next_step(state: Tournament, history: Sequence[Event], outages: Outages) -> ScheduleStep | None:
    """What comes next by itself; None: nothing, until something happens."""
    if state.phase is Phase.ENTRIES:
        return None if state.halted is not None else _before(state, history)
    if state.phase is Phase.OVER or not state.timing.by_itself or state.format.pairs_who_waits:
        return None
    if state.halted is not None and state.halted.round == state.rounds_paired:
        return None
    return _between(state, history, outages)


def starts_at(state: Tournament, history: Iterable[Event]) -> int:
    """When it begins by itself (0: never): as planned, but not before the check-in was open as long as planned."""
    timing = state.timing
    window = (timing.check_in or LATE) * MINUTE
    if not timing.start or not state.check_in_open:
        return timing.start
    opened = _last(history, events.CheckInOpened)
    return opened + window if opened + window > timing.start + MINUTE else timing.start


def last_date(state: Tournament, history: Iterable[Event], round_number: int, outages: Outages) -> int:
    """Until when the games of a round are to be over (0: no date): as many days after its pairing as was said, not
    counting what has passed while nobody could move."""
    if not state.timing.days:
        return 0
    paired_at = [e.at for e in history if isinstance(e.action, PairedRound) and e.action.round == round_number]
    if not paired_at:
        return 0
    counted = min(paired_at)
    date = counted + state.timing.days * DAY
    for start, until in sorted(outages):
        if start < date and until > counted:
            date += until - max(start, counted)
            counted = until
    return date


def _before(state: Tournament, history: Sequence[Event]) -> ScheduleStep | None:
    timing = state.timing
    if not timing.start:
        return None
    if timing.check_in and not state.check_in_open:
        return ScheduleStep(StepKind.CHECK_IN, timing.start - timing.check_in * MINUTE)
    return ScheduleStep(StepKind.START, starts_at(state, history))


def _between(state: Tournament, history: Sequence[Event], outages: Outages) -> ScheduleStep | None:
    timing, number = state.timing, state.rounds_paired
    is_last = number >= state.rounds_planned
    date = last_date(state, history, number, outages)
    if state.format.is_played_out(state):
        ended = _last(history, events.Started | PairedRound | events.Written | events.DidNotCome | events.Undone)
        at = ended + (timing.pause or 0) * MINUTE
        if is_last:
            return ScheduleStep(StepKind.FINISH, at, number)
        # Without a pause rounds go by their dates.
        return ScheduleStep(StepKind.PAIR, max(at, date) if timing.pause is None else at, number)
    if not date:
        return None
    if timing.carry:
        return None if is_last else ScheduleStep(StepKind.PAIR, date, number)
    if (number, True) in state.dates_told:
        return None
    if (number, False) not in state.dates_told:
        return ScheduleStep(StepKind.NEAR, date - min(DAY, timing.days * DAY // 4), number)
    return ScheduleStep(StepKind.COME, date, number)


def _last(history: Iterable[Event], kinds: type | UnionType) -> int:
    return max((event.at for event in history if isinstance(event.action, kinds)), default=0)


def refusal_of_schedule_event(state: Tournament, action: Action) -> str | None:
    """Why one of these events makes no sense now, as a sentence; None: it does."""
    entries = state.phase is Phase.ENTRIES
    match action:
        case Scheduled():
            return _refusal_of_schedule(state, action)
        case events.Limited(rating_from=low, rating_to=high, least=least):
            if not entries and not (state.phase is Phase.RUNNING and state.rounds_paired < state.settings.late_until):
                return _("Entries are closed.")
            if low and high and low > high:
                return _("The lowest rating is above the highest.")
            if 0 < state.settings.limit < least:
                return _contradiction(state.settings.limit, least)
        case events.Seeded(person=person, place=place):
            if not entries:
                return _(BEGUN)
            if person not in state.by_person:
                return _(NOT_ENTERED)
            if place and any(
                at == place and who != person for who, at in state.seeds.items() if who in state.by_person
            ):
                return _("Someone else already has that place. Take it from them first.")
        case events.CheckInOpened():
            if not entries or state.check_in_open:
                return _("There is no check-in to open.")
        case events.Cancelled() | events.SettingsChanged():
            if state.cancelled is not None:
                return _("The tournament is cancelled.")
            if state.phase is Phase.OVER:
                return _("The tournament is over.")
            if not entries and (action.needed if isinstance(action, events.Cancelled) else _too_late(state, action)):
                return _(BEGUN)
            if not entries and isinstance(action, events.SettingsChanged):
                return _refusal_of_late_entries(state, int(action.settings["late_until"]))
            limit = int(action.settings.get("limit", 0)) if isinstance(action, events.SettingsChanged) else 0
            if 0 < limit < state.limits.least:
                return _contradiction(limit, state.limits.least)
        case events.DateTold() | events.Halted():
            begins = entries and isinstance(action, events.Halted) and not action.round
            if state.phase is not Phase.RUNNING and not begins:
                return _(NOT_RUNNING)
    return None


def _contradiction(limit: int, least: int) -> str:
    text = _("At most {most} can play, but {least} are needed to begin. Change one of the two.")
    return text.format(most=limit, least=least)


def _refusal_of_schedule(state: Tournament, new: Scheduled) -> str | None:
    format_, was = state.format, state.timing
    if state.phase is Phase.OVER:
        return _("The tournament is over.")
    if state.phase is Phase.RUNNING and (new.start, new.check_in, new.at_once) != (
        was.start,
        was.check_in,
        was.at_once,
    ):
        return _("The tournament has begun: only the pause and the dates of its rounds can be changed.")
    if new.check_in and not new.start:
        return _("A check-in needs a start time. Choose one.")
    if new.at_once and not format_.most_at_once:
        return _("Only in a round robin can all games begin at once.")
    if new.at_once and not 2 <= state.settings.limit <= format_.most_at_once:
        text = _("To play all games at once, first say how many can play: up to {most} (`max_players`).")
        return text.format(most=format_.most_at_once)
    if (new.days or new.carry) and not format_.in_rounds:
        return _("Only tournaments with rounds have dates for them.")
    if new.carry and not format_.has_draws:
        return _("Tables have no draws to pair by: let the director decide unfinished games.")
    if min(new.start, new.check_in, new.days, new.pause or 0) < 0:
        return _("Times cannot be negative.")
    if state.check_in_open and was.check_in and not new.check_in:
        return _("The check-in is already open, and cannot be closed again.")
    return None


def _too_late(state: Tournament, action: events.SettingsChanged) -> bool:
    """Whether settings would be changed that stand once it runs: all but until when one may enter."""
    settings = TournamentSettings.of(action.settings)
    return settings != replace(state.settings, late_until=settings.late_until)


def _refusal_of_late_entries(state: Tournament, until: int) -> str | None:
    if not state.format.can_open_entries(state):
        return _("Nobody can be let in late any more.")
    if until > state.rounds_planned:
        return _("Late entries end with the last round, {last}, at the latest.").format(last=state.rounds_planned)
    if 0 < until <= state.rounds_paired and until != state.settings.late_until:
        text = _("Round {paired} is paired already. Write {next} or a later round, or nothing for no late entries.")
        return text.format(paired=state.rounds_paired, next=state.rounds_paired + 1)
    return None
