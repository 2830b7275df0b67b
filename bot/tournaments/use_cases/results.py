"""Results by a director's hand: seen first with all that they change, then written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.games.model.errors import Refused
from bot.i18n import N_, _
from bot.tournaments.analysis import impact
from bot.tournaments.analysis.impact import Impact
from bot.tournaments.errors import TournamentError
from bot.tournaments.model.events import Action, ArenaGame, Kind, MatchGame, Scored, TableScored
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing import elimination
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.base import TournamentWork
from bot.tournaments.use_cases.change import StoredTournament, directing
from bot.tournaments.use_cases.no_shows import NOT_COME
from bot.tournaments.use_cases.rating_corrections import Written, align
from bot.tournaments.use_cases.reconcile import Reconciler

STALE = N_("Something else has happened in this tournament meanwhile. Look at the standings, and ask again.")


class Overtaken(Refused):
    """Something else has happened in the tournament since what was asked for was seen or reckoned."""

    def __init__(self) -> None:
        super().__init__(_(STALE))


RESULTS: Mapping[str, tuple[Mark, Mark]] = {
    N_("won"): (Mark.WIN, Mark.LOSS),
    N_("drew"): (Mark.DRAW, Mark.DRAW),
    N_("lost"): (Mark.LOSS, Mark.WIN),
    N_("won by forfeit"): (Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS),
    NOT_COME: (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN),
    N_("both forfeit"): (Mark.FORFEIT_LOSS, Mark.FORFEIT_LOSS),
}


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
                lambda: impact.what_changes(tournament.plan, tournament.events, action)
            )
        except TournamentError as error:
            raise Refused(error.message) from error
        return Preview(action, change, tournament.last, _is_known(tournament.state, action))

    async def write_down(
        self, tournament_id: int, by: int, source: str, preview: Preview, *, again: bool
    ) -> StoredTournament:
        """Write a result down; with ``again`` the rounds that it changes, and that are still played, are paired again.
        Refused when something has happened since the preview."""
        async with self._work.unit(tournament_id, by, source) as change:
            directing(change)
            if change.tournament.last != preview.last:
                raise Overtaken
            await change.add(preview.action, preview.reason)
            for each in preview.change.pairings if again else ():
                if not each.over:
                    await change.add(each.fresh)
            await self._reconciler.reconcile(change)
            await align(change.tx, self._work.in_thread, change.tournament, preview.action)
            for number in (*change.tournament.state.paired, *change.tournament.state.seated):
                await change.want("round", round_number=number)
            await change.want("standings")
        return change.tournament


def _action(
    state: Tournament, person: int, result: str, round_number: int | None, match: str | None
) -> Scored | MatchGame | ArenaGame:
    """The event that writes a player's result down. Raises Refused."""
    if state.plan.kind is Kind.TABLES:
        raise Refused(_("At tables places are written down: use `/tournament places`."))
    entrant = state.by_person.get(person)
    marks = RESULTS.get(result)
    if entrant is None or not entrant.number or marks is None:
        raise Refused(_("That person does not play in this tournament."))
    me = entrant.number
    if state.plan.kind.knocks_out:
        return _of_match(state, me, result, match)
    if state.plan.kind is Kind.ARENA:
        return _of_arena(state, me, marks, round_number)
    paired = state.paired.get(round_number or state.rounds_paired)
    game = None if paired is None else next((game for game in paired.games if me in game), None)
    if paired is None or game is None:
        raise Refused(_("That person has no game in that round."))
    first, second = marks if game[0] == me else marks[::-1]
    return Scored(paired.round, *game, first, second)


def _of_arena(state: Tournament, me: int, marks: tuple[Mark, Mark], number: int | None) -> ArenaGame:
    mine = [game for game in state.arena_games.values() if me in (game.white, game.black)]
    found = [game for game in mine if number in (None, game.game)]
    if not found:
        raise Refused(_("That person has no such game in the arena. Its number stands above its first board."))
    game = max(found, key=lambda each: each.game)
    first, second = marks if game.white == me else marks[::-1]
    return ArenaGame(game.game, game.white, game.black, first, second)


def _of_match(state: Tournament, me: int, result: str, key: str | None) -> MatchGame:
    mine = [each for each in state.bracket.matches.values() if me in each.players and all(each.players)]
    found = [each for each in mine if (each.match.key == key if key else each.is_open)]
    if not found:
        raise Refused(_("That person has no such match. Say which one, as `W1-1`."))
    if result == "both forfeit":
        raise Refused(_("One of the two must go on."))
    one = found[0]
    other = next(number for number in one.players if number and number != me)
    winner = {"won": me, "won by forfeit": me, "drew": None}.get(result, other)
    if one.is_open:
        white, black = elimination.colours(state.bracket, one)
        return MatchGame(one.match.key, len(one.games) + 1, white, black, winner)
    last = one.games[-1]
    return MatchGame(one.match.key, last.number, last.white, last.black, winner)


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
