"""Results by a director's hand: seen first with all that they change, then written down."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.games.model.errors import Refused
from bot.i18n import N_, _
from bot.tournaments.analysis import impact
from bot.tournaments.analysis.impact import Impact
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import NOT_COME, RESULTS
from bot.tournaments.formats.registry import format_of
from bot.tournaments.model.events import Action, ArenaGame, MatchGame, Scored, TableScored, Written
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.change import StoredTournament
from bot.tournaments.use_cases.rating_corrections import align
from bot.tournaments.use_cases.reconcile import Reconciler
from bot.tournaments.use_cases.work import TournamentWork

STALE = N_("Something else has happened in this tournament meanwhile. Look at the standings, and ask again.")


class Overtaken(Refused):
    """Something else has happened in the tournament since what was asked for was seen or reckoned."""

    def __init__(self) -> None:
        super().__init__(_(STALE))


@dataclass(frozen=True, slots=True)
class Preview:
    """A result that is to be written down, what it changes, and the number of the last event before it."""

    action: Written
    change: Impact
    last: int
    corrects: bool
    reason: str = ""


class Results:
    """What a result would change, and writing it down."""

    def __init__(self, work: TournamentWork, reconciler: Reconciler) -> None:
        self._work = work
        self._reconciler = reconciler

    async def preview(
        self, tournament_id: int, by: int, player: int, result: str, round_number: int | None, match: str | None
    ) -> Preview:
        """What a result would change. ``player``: the person whose result it is; ``result``: one of RESULTS."""
        tournament = await self._work.load(tournament_id)
        shown = await self.previewed(tournament, by, _action(tournament.state, player, result, round_number, match))
        return replace(shown, reason=result) if result == NOT_COME else shown

    async def previewed(self, tournament: StoredTournament, by: int, action: Written) -> Preview:
        """What an event would change, reckoned beside the event loop. Raises Refused."""
        if not tournament.is_director(by):
            raise Refused(_("Only a director of this tournament can do that."))
        if tournament.state.phase is Phase.OVER:
            raise Refused(_("The tournament is over. Take its end back first, with `/tournament undo`."))
        try:
            change: Impact = await self._work.in_thread(
                lambda: impact.what_changes(tournament.settings, tournament.events, action)
            )
        except TournamentError as error:
            raise Refused(error.message) from error
        return Preview(action, change, tournament.last, _is_known(tournament.state, action))

    async def write_down(
        self, tournament_id: int, by: int, source: str, preview: Preview, *, again: bool
    ) -> StoredTournament:
        """Write a result down; with ``again`` the rounds that it changes, and that are still played, are paired again.
        Refused when something has happened since the preview."""
        async with self._work.directed(tournament_id, by, source) as change:
            if change.tournament.last != preview.last:
                raise Overtaken
            await change.add(preview.action, preview.reason)
            for each in preview.change.pairings if again else ():
                if not each.over:
                    await change.add(each.fresh)
            await self._reconciler.reconcile(change)
            await align(change.tx, self._work.in_thread, change.tournament, preview.action)
            for number in (*change.tournament.state.paired, *change.tournament.state.seated):
                await change.request("round", round_number=number)
            await change.request("standings")
        return change.tournament


def _action(state: Tournament, person: int, result: str, round_number: int | None, match: str | None) -> Written:
    """The event that writes a player's result down. Raises Refused."""
    format_, entrant = format_of(state.settings), state.by_person.get(person)
    try:
        if not format_.by_places and (entrant is None or not entrant.number or result not in RESULTS):
            raise Refused(_("That person does not play in this tournament."))
        return format_.result_by_hand(state, entrant.number if entrant else 0, result, round_number, match)
    except TournamentError as error:
        raise Refused(error.message) from error


def _is_known(state: Tournament, action: Action) -> bool:
    """Whether the result corrects an earlier one."""
    if isinstance(action, Scored):
        return (action.round, action.white, action.black) not in state.unfinished
    if isinstance(action, TableScored):
        return (action.round, action.table) in state.table_results
    if isinstance(action, ArenaGame):
        return state.arena_games[action.game].white_mark is not Mark.PENDING
    return isinstance(action, MatchGame) and any(
        (game.match, game.number) == (action.match, action.game) for game in state.match_games
    )
