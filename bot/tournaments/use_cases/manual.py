"""What a director changes by hand: a round paired otherwise, an earlier event taken back; seen first with all that it
changes, then written down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from bot.games.model.errors import Refused
from bot.i18n import N_, _
from bot.support.frozen import frozen
from bot.tournaments.analysis import impact
from bot.tournaments.analysis.impact import Impact
from bot.tournaments.errors import IS_OVER, NO_ROUNDS
from bot.tournaments.formats.format import OpenGame, game_of, in_numbers
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, Ended, Event, PairedRound, Started, Undone, Written
from bot.tournaments.model.fold import taken_back
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.use_cases.rating_corrections import align, unrate
from bot.tournaments.use_cases.work import Overtaken, TournamentWork, refusing

FOR_GOOD = events.CheckedIn | events.Paused | Started | events.PoolClosed | events.ScheduleEvent
"""What cannot be taken back."""

_BEARING = Started | events.Entered | events.Substituted | PairedRound
"""Events that others stand on."""


ManualAction: TypeAlias = PairedRound | Undone
"""What a director changes by hand."""


@frozen
class ManualChange:
    """A round by hand or a taking-back, and what it changes. ``undone``: the event that it takes back; ``called_off``:
    how many games that are being played end with it."""

    action: ManualAction
    change: Impact
    undone: Event | None = None
    called_off: int = 0


class Manual:
    """Lets directors mend: pair a round by hand, or take an event back, having seen what that changes."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def preview(self, tournament_id: int, by: int, action: ManualAction) -> ManualChange:
        """What a round by hand, or a taking-back, would change. Raises Refused."""
        tournament = await self._work.load(tournament_id)
        shown: ManualChange = await self._work.in_thread(lambda: _previewed(tournament, by, action))
        return shown

    async def apply(
        self, tournament_id: int, by: int, source: str, action: ManualAction, *, again: bool, last: int | None = None
    ) -> StoredTournament:
        """Do it; with ``again`` later rounds that it changes, and that are still played, are paired again. ``last``:
        the number of the last event when it was seen what that changes. Raises Overtaken, a Refused, where there are
        later ones."""
        before = await self._work.load(tournament_id)
        if last is not None and before.last != last:
            raise Overtaken
        # Before the transaction: this can take seconds, in which others must be able to write.
        shown: ManualChange = await self._work.in_thread(lambda: _previewed(before, by, action))
        async with self._work.directed(tournament_id, by, source, last=before.last) as unit:
            await unit.add(action)
            for each in shown.change.open_rounds if again else ():
                await unit.add(each.fresh)
            origin = None if shown.undone is None else _root(before, shown.undone)
            root = None if origin is None else origin.action
            if isinstance(root, Ended):
                await unit.request("podium")
            if isinstance(root, Ended | PairedRound):
                await self._wait_for_the_director(unit)
            if origin is not None and isinstance(root, events.Left) and origin.by not in (root.person, SYSTEM):
                await unit.request("withdrawn", round_number=origin.number)
            if origin is not None and isinstance(root, events.Substituted):
                await unit.request("substitute", round_number=origin.number)
            if isinstance(root, Written):
                await self._rated_as_it_stands(unit, root)
            # A round that was taken back has a post too.
            for number in sorted({*before.state.rounds, *unit.tournament.state.rounds}):
                await unit.request("round", round_number=number)
            await unit.request("announcement", "standings")
        return unit.tournament

    async def _wait_for_the_director(self, unit: TournamentUnit) -> None:
        """What was taken back would else be done again by itself, in the same moment."""
        state = unit.tournament.state
        if state.phase is Phase.RUNNING and (state.timing.by_itself or state.pool_closed):
            await unit.add(events.Halted(state.rounds_paired, N_("An event was undone.")))

    async def _rated_as_it_stands(self, unit: TournamentUnit, lost: Written) -> None:
        """A result was taken back: ratings follow the one before it, or there is none."""
        history, game = unit.tournament.events, game_of(lost).key
        undone = taken_back(history)
        results = [e.action for e in history if isinstance(e.action, Written) and e.number not in undone]
        stands = next((result for result in reversed(results) if game_of(result).key == game), None)
        if stands is not None:
            await align(unit, self._work.in_thread, stands)
        else:
            await unrate(unit, self._work.in_thread, lost)


def _previewed(tournament: StoredTournament, by: int, action: ManualAction) -> ManualChange:
    tournament.check_directed(by)
    undone = _to_take_back(tournament, action.event) if isinstance(action, Undone) else None
    if tournament.state.cancelled is not None:
        raise Refused(_("The tournament was cancelled."))
    if tournament.state.phase is Phase.OVER and tournament.competition_id is not None:
        raise Refused(_("Its league or team match has ended it. Correct a result with *Enter a result*."))
    if tournament.state.phase is Phase.OVER and (undone is None or not isinstance(undone.action, Ended)):
        raise Refused(_(IS_OVER))
    if tournament.competition_id is not None and not (undone is not None and _is_result(tournament, undone)):
        raise Refused(_("Its league or team match pairs and ends it: only results can be taken back."))
    with refusing():
        change = impact.what_changes(tournament.announced, tournament.events, action)
    if isinstance(action, Undone):
        _check_that_all_stands(tournament, action)
    elif action.round > tournament.state.rounds_paired and _is_played(tournament) and not tournament.state.timing.carry:
        template = _(
            "Round {round} is not over. To pair it again, write {round} as the round; to go on, enter its results "
            "first."
        )
        raise Refused(template.format(round=tournament.state.rounds_paired))
    elif (why := tournament.format.refusal_by_hand(tournament.state, action)) is not None:
        raise Refused(why)
    return ManualChange(action, change, undone, _called_off(tournament, action))


def _is_played(tournament: StoredTournament) -> bool:
    """Whether games of the last round are still played."""
    return any(pairing.round == tournament.state.rounds_paired for pairing in tournament.open_games)


def _called_off(tournament: StoredTournament, action: Action) -> int:
    """How many games that are being played are not to be played any more after an action."""
    after = tournament.after(action)
    to_play = {game.key for game in tournament.format.open_games(after)}
    return sum(open_game_of(link).key not in to_play for link in tournament.games if link.status == "running")


def _to_take_back(tournament: StoredTournament, number: int) -> Event:
    """The event of that number. Raises Refused where it cannot be taken back."""
    event = next((each for each in tournament.events if each.number == number), None)
    if event is None:
        template = _("There is no event {number}. `/tournament history` lists them with their numbers.")
        raise Refused(template.format(number=number))
    if number in taken_back(tournament.events):
        raise Refused(_("Event {number} is already undone.").format(number=number))
    if isinstance(event.action, FOR_GOOD):
        raise Refused(_("That cannot be undone: too much has followed from it."))
    if isinstance(event.action, Undone) and isinstance(_root(tournament, event).action, Ended):
        raise Refused(_("End the tournament with *Finish*."))
    return event


def _root(tournament: StoredTournament, event: Event) -> Event:
    """What an event is about in the end: a taking-back may take back another."""
    while isinstance(event.action, Undone):
        event = tournament.events[event.action.event - 1]
    return event


def _is_result(tournament: StoredTournament, event: Event) -> bool:
    """Whether it has given a game its result, or has taken one back."""
    return isinstance(_root(tournament, event).action, Written | events.DidNotCome)


def _check_that_all_stands(tournament: StoredTournament, action: Undone) -> None:
    """Raises Refused where later rounds or entries would fall with what is taken back, or numbers would move."""
    after = tournament.after(action)
    fallen = {number for number in after.ignored if number not in tournament.state.ignored}
    standing = [event for event in tournament.events if event.number in fallen and isinstance(event.action, _BEARING)]
    if standing:
        if isinstance(standing[0].action, Started):
            raise Refused(_("The tournament began with it. Withdraw the player instead."))
        template = _("Event {number} depends on it. Undo that first, or correct a result with `/tournament result`.")
        raise Refused(template.format(number=standing[-1].number))
    if any(
        after.by_person[person].number != one.number
        for person, one in tournament.state.by_person.items()
        if person in after.by_person
    ):
        raise Refused(_("Others would get other starting numbers. Withdraw the player instead."))
    if tournament.format.pairs_who_waits:
        twice = _playing_twice(tournament.format.open_games(after))
        if twice and not _playing_twice(tournament.open_games):
            template = _(
                "{player} is playing another game now, and cannot play this one again at the same time. Correct its "
                "result with `/tournament result`, or wait until that game is over."
            )
            raise Refused(template.format(player=tournament.call(twice[0])))


def _playing_twice(games: Sequence[OpenGame]) -> list[int]:
    """Who has more than one of some games to play."""
    playing = [number for game in games for number in game.seats]
    return sorted({number for number in playing if playing.count(number) > 1})


def consequences_of(tournament: StoredTournament, event: Event) -> list[tuple[int, Written]]:
    """The results that were written down because somebody has left, with their events' numbers, as far as they
    stand."""
    if not isinstance(event.action, events.Left):
        return []
    undone, found = taken_back(tournament.events), []
    for each in tournament.events[event.number :]:
        if (each.at, each.by) != (event.at, event.by) or not isinstance(each.action, Written):
            break
        if each.number not in undone:
            found.append((each.number, each.action))
    return found


def left_out(state: Tournament, action: ManualAction) -> tuple[int, ...]:
    """Who is there in a round by hand, and was named for no game of it."""
    if isinstance(action, Undone):
        return ()
    named = {number for group in action.groups for number in group} | {action.bye}
    there = {number for number, one in state.by_number.items() if one.is_in(action.round) and one.person > 0}
    return tuple(sorted(there - named))


def to_undo(tournament: StoredTournament) -> list[Event]:
    """The events that may be taken back, the newest first: of a league or a team match only results."""
    undone, within = taken_back(tournament.events), tournament.competition_id is not None
    if within and tournament.state.phase is Phase.OVER:
        return []
    return [
        event
        for event in reversed(tournament.events)
        if not isinstance(event.action, FOR_GOOD)
        and event.number not in undone
        and not (within and not _is_result(tournament, event))
    ]


def by_hand(tournament: StoredTournament, text: str, round_number: int | None) -> PairedRound:
    """A round as a director writes it, by starting numbers: "1-5, 3-2, 4" (who stands alone has the bye), at tables
    "1-4-7, 2-5-8". White, or the first seat, stands first. ``round_number`` None: the last round if games of it are
    still played, else the next one. Raises Refused."""
    state, format_ = tournament.state, tournament.format
    if not format_.in_rounds:
        raise Refused(_(NO_ROUNDS))
    number = round_number or (state.rounds_paired if _is_played(tournament) else state.rounds_paired + 1)
    groups = [group.strip() for group in re.split(r"[,;\n]", text) if group.strip()]
    seats = [tuple(int(n) for n in re.findall("[0-9]{1,6}", group)) for group in groups]
    if not seats or any(not re.fullmatch(r"[0-9]+(\s*[-: ]\s*[0-9]+)*", group) for group in groups):
        raise Refused(_("Write a round by starting numbers, such as `1-5, 3-2, 4`: a number alone has the bye."))
    named = [n for group in seats for n in group]
    if twice := [n for n in named if named.count(n) > 1]:
        text = _("{number} is there twice: {player}. Write each player once.")
        raise Refused(text.format(number=twice[0], player=tournament.call(twice[0])), event=tournament.name)
    if unknown := [n for n in named if n not in state.by_number]:
        text = _("There is no number {number}: the starting numbers go from 1 to {last}.")
        raise Refused(text.format(number=unknown[0], last=max(state.by_number, default=0)), event=tournament.name)
    alone = [group[0] for group in seats if len(group) == 1]
    if len(alone) > 1:
        raise Refused(_("Only one player can have the bye of a round. Give others one first, with *Give a bye*."))
    bye = alone[0] if alone else None
    together = tuple(group for group in seats if len(group) > 1)
    with refusing():
        return format_.round_by_hand(number, together, bye, again=number in state.rounds)


def as_text(tournament: StoredTournament, round_number: int) -> str:
    """A round that is paired as ``by_hand`` reads it; "" where it is not."""
    paired = tournament.state.rounds.get(round_number)
    return "" if paired is None else in_numbers(paired)
