"""What a director mends by hand: a round paired otherwise, an earlier event taken back; seen first with all that it
changes, then written down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.games.refused import Refused
from bot.language import _
from bot.tournaments import corrections
from bot.tournaments.corrections import Change
from bot.tournaments.desk import Changing, Held, directing
from bot.tournaments.events import (
    Action,
    Allowed,
    ArenaGame,
    ByeAsked,
    DidNotCome,
    Ended,
    Entered,
    Event,
    Forbade,
    Kind,
    Left,
    MatchGame,
    Returned,
    RoundPaired,
    Scored,
    Substituted,
    TableScored,
    TablesSeated,
    Undone,
)
from bot.tournaments.following import Following
from bot.tournaments.rated import Written, align
from bot.tournaments.record import Mark
from bot.tournaments.refused import TournamentError
from bot.tournaments.state import Phase
from data import tournaments as queries

MENDABLE = (
    Entered,
    Left,
    Returned,
    Substituted,
    ByeAsked,
    Forbade,
    Allowed,
    RoundPaired,
    TablesSeated,
    Scored,
    DidNotCome,
    MatchGame,
    TableScored,
    ArenaGame,
    Ended,
    Undone,
)
"""What can be taken back."""


@dataclass(frozen=True, slots=True)
class Mending:
    """Something that is to be mended, and what that changes. ``undone``: the event that it takes back."""

    action: RoundPaired | TablesSeated | Undone
    change: Change
    undone: Event | None = None


class Mendings(Following):
    """Previews, and mending."""

    async def mending(self, tournament_id: int, by: int, action: RoundPaired | TablesSeated | Undone) -> Mending:
        """What mending would change. Raises Refused."""
        return _seen(await self.held(tournament_id), by, action)

    async def mend(
        self, tournament_id: int, by: int, source: str, action: RoundPaired | TablesSeated | Undone, *, again: bool
    ) -> Held:
        """Mend; with ``again`` later rounds that it changes, and that are still played, are paired again."""
        async with self._changing(tournament_id, by, source) as change:
            directing(change)
            mending = _seen(change.held, by, action)
            await change.add(action)
            for each in mending.change.pairings if again else ():
                if not each.over:
                    await change.add(each.fresh)
            if mending.undone is not None:
                await self._taken_back(change, mending.undone.action)
            await self._follow(change)
            if mending.undone is not None and isinstance(mending.undone.action, Written):
                await self._rated_as_it_stands(change, mending.undone.action)
            for number in (*change.held.state.paired, *change.held.state.seated):
                await change.want("round", round_number=number)
            await change.want("announcement", "standings")
        return change.held

    async def _taken_back(self, change: Changing, action: Action) -> None:
        """What stands beside the list of events follows it."""
        if isinstance(action, Ended):
            await queries.change(change.tx, change.held.row.id, status="running")
            await change.read_again()

    async def _rated_as_it_stands(self, change: Changing, taken_back: Written) -> None:
        """A result was taken back: ratings follow the one before it, or there is none."""
        undone = _undone(change.held.events)
        before = [
            event.action
            for event in change.held.events
            if event.number not in undone and _same_game(event.action, taken_back)
        ]
        stands: Action | None = before[-1] if before else _without_result(taken_back)
        if isinstance(stands, Written):
            await align(change.tx, self._in_thread, change.held, stands)


def _seen(held: Held, by: int, action: RoundPaired | TablesSeated | Undone) -> Mending:
    if not held.is_director(by):
        raise Refused(_("Only a director of this tournament can do that."))
    undone = None
    if isinstance(action, Undone):
        undone = next((event for event in held.events if event.number == action.event), None)
        if undone is None:
            says = _("There is no event {number}. `/tournament history` lists them with their numbers.")
            raise Refused(says.format(number=action.event))
        if undone.number in _undone(held.events):
            raise Refused(_("Event {number} is taken back already.").format(number=action.event))
        if not isinstance(undone.action, MENDABLE):
            raise Refused(_("That cannot be taken back: too much has followed from it."))
    elif held.state.phase is Phase.OVER:
        raise Refused(_("The tournament is over. Take its end back first, with `/tournament undo`."))
    try:
        return Mending(action, corrections.what_changes(held.plan, held.events, action), undone)
    except TournamentError as error:
        raise Refused(error.message) from error


def last_to_undo(held: Held) -> int:
    """The newest event that can be taken back. Raises Refused where there is none."""
    undone = _undone(held.events)
    found = [e for e in held.events if isinstance(e.action, MENDABLE) and e.number not in undone]
    if not found:
        raise Refused(_("Nothing has happened yet that could be taken back."))
    return found[-1].number


def by_hand(held: Held, text: str, round_number: int | None) -> RoundPaired | TablesSeated:
    """A round as a director writes it, by starting numbers: "1-5, 3-2, 4" (who stands alone has the bye), at tables
    "1-4-7, 2-5-8". White, or the first seat, stands first. ``round_number`` None: the last round if games of it are
    still played, else the next one. Raises Refused."""
    state, kind = held.state, held.plan.kind
    if kind not in (Kind.SWISS, Kind.TABLES) and not kind.all_play_all:
        raise Refused(_("Rounds are paired by hand in a Swiss, in a round robin and at tables."))
    playing = any(game[0] == state.rounds_paired for game in state.unfinished)
    number = round_number or (state.rounds_paired if playing else state.rounds_paired + 1)
    groups = [group.strip() for group in re.split(r"[,;\n]", text) if group.strip()]
    seats = [tuple(int(n) for n in re.findall("[0-9]{1,6}", group)) for group in groups]
    if not seats or any(not re.fullmatch(r"[0-9]+(\s*[-: ]\s*[0-9]+)*", group) for group in groups):
        raise Refused(_("Write a round by starting numbers, such as `1-5, 3-2, 4`: who stands alone has the bye."))
    alone = [group[0] for group in seats if len(group) == 1]
    if len(alone) > 1:
        raise Refused(_("Only one can have the bye of a round; give the others one with `/tournament bye` before."))
    bye = alone[0] if alone else None
    known = number in state.paired or number in state.seated
    together = tuple(group for group in seats if len(group) > 1)
    if kind is Kind.TABLES:
        return TablesSeated(number, together, bye, by_hand=True, again=known)
    if any(len(group) != 2 for group in together):
        raise Refused(_("Two play each other: write `1-5`."))
    games = tuple((group[0], group[1]) for group in together)
    return RoundPaired(number, games, bye, by_hand=True, again=known)


def as_text(held: Held, round_number: int) -> str:
    """A round as ``by_hand`` reads it."""
    paired, seated = held.state.paired.get(round_number), held.state.seated.get(round_number)
    groups: list[Sequence[int]] = [*(paired.games if paired else ()), *(seated.tables if seated else ())]
    bye = paired.bye if paired else seated.bye if seated else None
    return ", ".join(["-".join(map(str, group)) for group in groups] + ([] if bye is None else [str(bye)]))


def _undone(events: Sequence[Event]) -> set[int]:
    """The numbers of the events that are taken back; a later taking-back may itself be taken back."""
    undone: set[int] = set()
    for event in reversed(events):
        if isinstance(event.action, Undone) and event.number not in undone:
            undone.add(event.action.event)
    return undone


def _same_game(one: Action, other: Written) -> bool:
    match one, other:
        case Scored(), Scored():
            return (one.round, one.white, one.black) == (other.round, other.white, other.black)
        case MatchGame(), MatchGame():
            return (one.match, one.game) == (other.match, other.game)
        case TableScored(), TableScored():
            return (one.round, one.table) == (other.round, other.table)
        case ArenaGame(), ArenaGame():
            return one.game == other.game
    return False


def _without_result(action: Written) -> Written | None:
    """The same game as if it had not been played; None where that cannot be said of it."""
    match action:
        case Scored(round=number, white=white, black=black):
            return Scored(number, white, black, Mark.PENDING, Mark.PENDING)
        case ArenaGame(game=number, white=white, black=black):
            return ArenaGame(number, white, black, Mark.PENDING, Mark.PENDING)
        case TableScored(round=number, table=table):
            return TableScored(number, table, (0,) * len(table))
        case _:
            return None
