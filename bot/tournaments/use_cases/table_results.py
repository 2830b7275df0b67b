"""The places of a table by a director's hand: seen first with all that they change, as other results."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.formats.registry import format_of
from bot.tournaments.model.events import TableScored
from bot.tournaments.model.state import Tournament
from bot.tournaments.use_cases.results import Preview, Results
from bot.tournaments.use_cases.work import TournamentWork


class TableResults:
    """What the places of a table would change; they are written down as all results are."""

    def __init__(self, work: TournamentWork, results: Results) -> None:
        self._work = work
        self._results = results

    async def preview(
        self, tournament_id: int, by: int, groups: Sequence[Sequence[int]], round_number: int | None
    ) -> Preview:
        """What the places of a table would change. ``groups``: persons from the first place on, together those who
        share one; who sits at the table and is not named did not come."""
        tournament = await self._work.load(tournament_id)
        return await self._results.previewed(tournament, by, places_of_people(tournament.state, groups, round_number))

    async def preview_table(
        self, tournament_id: int, by: int, round_number: int, table: int, places: Sequence[int]
    ) -> Preview:
        """The same for a table by its number from 0, with the places by seat."""
        tournament = await self._work.load(tournament_id)
        seated = tournament.state.seated.get(round_number)
        if seated is None or not 0 <= table < len(seated.tables):
            raise Refused(_("There is no such table in that round."))
        return await self._results.previewed(
            tournament, by, TableScored(round_number, seated.tables[table], tuple(places))
        )


def places_of_people(state: Tournament, groups: Sequence[Sequence[int]], round_number: int | None) -> TableScored:
    """The event that writes places down. Raises Refused."""
    if not format_of(state.settings).by_places:
        raise Refused(_("Places are for events of tables. Write results of two down with `/tournament result`."))
    number = round_number or state.rounds_paired
    seated = state.seated.get(number)
    people = [person for group in groups for person in group]
    if seated is None:
        raise Refused(_("That round is not seated yet."))
    if len(set(people)) != len(people):
        raise Refused(_("Somebody is named twice. Name each player of the table once."))
    entrants = [state.by_person.get(person) for person in people]
    tables = {next((t for t in seated.tables if e is not None and e.number in t), None) for e in entrants}
    if len(tables) != 1 or None in tables:
        raise Refused(_("These do not sit at one table in round {round}.").format(round=number))
    (table,) = tables
    assert table is not None
    places: dict[int, int] = {}
    for group in groups:
        place = len(places) + 1
        places |= {entrant.number: place for person in group if (entrant := state.by_person[person])}
    return TableScored(number, table, tuple(places.get(one, 0) for one in table))


def table_index(state: Tournament, action: TableScored) -> int:
    """The number of a table in its round, from 0."""
    return state.seated[action.round].tables.index(action.table)
