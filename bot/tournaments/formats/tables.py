"""A Swiss of tables, for games of three, four and six: every place is played out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue
from bot.games.model.game import Game
from bot.games.model.places import placing
from bot.i18n import Phrase, _, phrase
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import Format, GameFields, OpenGame, RoundRepairing, is_star, next_number, together
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, DidNotCome, Kind, TableScored, TablesSeated, TournamentSettings
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import Mark
from bot.tournaments.pairing.tables import SIZES, pair_tables, table_values
from bot.tournaments.standings.standings import Heading, Ranking, ranked

_USUAL_ROUNDS: Final = 3


class TablesFormat(Format):
    """Rounds of tables: near scores sit together, the same people as seldom as possible."""

    kind = Kind.TABLES
    in_rounds = True
    by_places = True
    least_players = 3
    byes = (Mark.ZERO_BYE,)
    chooses_rounds = True

    def rounds_for(self, players: int) -> int:
        return _USUAL_ROUNDS

    def refusal_of_settings(
        self, settings: TournamentSettings, ruleset: Ruleset, options: Mapping[str, OptionValue], clock: str, start: int
    ) -> str | None:
        if not is_star(ruleset):
            template = _("Tables are for games of three, four or six; {variant} is a game of two.")
            return template.format(variant=variants.load(ruleset).name)
        if settings.table_size not in SIZES:
            return _("Tables are for three, four or six.")
        if why := super().refusal_of_settings(settings, ruleset, {}, clock, start):
            return why
        if "players" in options:
            return _("How many sit at a table depends on who plays. Leave `players` out of the rules.")
        for size in (*SIZES, 2):
            try:
                variants.load(ruleset, {**options, "players": size, "places": True})
            except VariantError:
                template = _("These rules do not work at tables of {count}, which may be needed. Leave them out.")
                return template.format(count=size)
        return None

    def next_round(self, state: Tournament, *, pending_as_draws: bool = False) -> TablesSeated:
        number = next_number(state)
        if not self.is_played_out(state):
            raise TournamentError(_("Round {round} is not over.").format(round=_open_tables(state)[0][0]))
        present = sorted(
            n
            for n, entrant in state.by_number.items()
            if entrant.is_in(number) and entrant.person > 0 and (n, number) not in state.byes
        )
        paired = pair_tables(present, state.tables, preferred=state.settings.table_size)
        return TablesSeated(number, paired.tables, paired.bye)

    def round_by_hand(
        self, number: int, groups: tuple[tuple[int, ...], ...], bye: int | None, *, again: bool
    ) -> TablesSeated:
        return TablesSeated(number, groups, bye, by_hand=True, again=again)

    def open_games(self, state: Tournament) -> tuple[OpenGame, ...]:
        tables = _open_tables(state) if state.phase is Phase.RUNNING else ()
        return tuple(OpenGame(number, table, by_places=True) for number, table in tables)

    def repairings(self, before: Tournament, after: Tournament) -> list[RoundRepairing]:
        repairings = []
        for number, recorded in sorted(after.seated.items()):
            if recorded.by_hand or before.seated.get(number) != recorded or number == 1:
                continue
            fresh = seated_afresh(after, number)
            groups = together(fresh)
            lost = tuple(table for table in recorded.tables if frozenset(table) not in groups)
            if lost and together(seated_afresh(before, number)) != groups:
                over = all((number, table) in after.table_results for table in recorded.tables)
                repairings.append(RoundRepairing(number, fresh, lost, over))
        return repairings

    def heading(self, state: Tournament, game: OpenGame, fields: GameFields, until: int, *, in_match: bool) -> Phrase:
        table = state.seated[game.round].tables.index(game.seats) + 1
        return phrase("{event}, round {round}, table {table}", **fields, table=table)

    def tags(self, state: Tournament, game: OpenGame, call: Callable[[int], str]) -> dict[str, str]:
        tags = {"Round": str(game.round)}
        seated = state.seated.get(game.round)
        if seated is not None and game.seats in seated.tables:
            tags["Table"] = str(seated.tables.index(game.seats) + 1)
        return tags | {"Players": ", ".join(map(call, game.seats))}

    def result_of(self, state: Tournament, game: OpenGame, played: Game) -> tuple[Action, ...]:
        places = placing(played)
        absent = [DidNotCome(number, game.round) for number, at in zip(game.seats, places, strict=True) if not at]
        return (*absent, TableScored(game.round, game.seats, places))

    def forfeit(self, state: Tournament, game: OpenGame, gone: int) -> None:
        return None

    def result_by_hand(
        self, state: Tournament, number: int, result: str, round_number: int | None, match: str | None
    ) -> events.Written:
        raise TournamentError(_("At tables players get places: press *Enter a result*."))

    def missed(self, state: Tournament, game: OpenGame) -> tuple[int, ...]:
        places = state.table_results.get((game.round, game.seats), ())
        return tuple(number for number, place in zip(game.seats, places, strict=False) if not place)

    def ranking(self, state: Tournament) -> Ranking:
        values = table_values(sorted(state.by_number), state.tables)
        return ranked((Heading.POINTS, Heading.FIRSTS, Heading.OPPONENTS), values, deciding=3)

    def refusal(self, state: Tournament, action: Action) -> str | None:
        match action:
            case TablesSeated():
                return _refusal_of_seats(state, action)
            case TableScored(round=number, table=table, places=places):
                seated = state.seated.get(number)
                if seated is not None and table in seated.tables:
                    fits = len(places) == len(table) and all(0 <= place <= len(table) for place in places)
                    return None if fits else _("Each seat has one place, from 1.")
            case DidNotCome(number=number, round=round_number):
                seated = state.seated.get(round_number)
                if seated is not None and any(number in table for table in seated.tables):
                    return None
        return super().refusal(state, action)


def seated_afresh(state: Tournament, round_number: int) -> TablesSeated:
    """The tables of a round, seated from the rounds before it as they stand now; the same players take part."""
    seated = state.seated[round_number]
    players = [number for table in seated.tables for number in table] + ([] if seated.bye is None else [seated.bye])
    # Who was forgotten by wish cannot sit down again.
    players = [number for number in players if state.by_number[number].person > 0]
    earlier = replace(state, seated={n: tables for n, tables in state.seated.items() if n < round_number})
    fresh = pair_tables(sorted(players), earlier.tables, preferred=state.settings.table_size)
    # Who stays together keeps the seats, and the game that may be going on.
    seats = {frozenset(table): table for table in seated.tables}
    tables = tuple(seats.get(frozenset(table), table) for table in fresh.tables)
    return TablesSeated(round_number, tables, fresh.bye, again=True)


def _open_tables(state: Tournament) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """(round, players by seat) of the tables that have no result."""
    seated = ((number, table) for number, tables in sorted(state.seated.items()) for table in tables.tables)
    return tuple(each for each in seated if each not in state.table_results)


def _refusal_of_seats(state: Tournament, action: TablesSeated) -> str | None:
    number = action.round
    seats = [seat for table in action.tables for seat in table] + ([] if action.bye is None else [action.bye])
    if number in state.seated and not action.again:
        return _("The tables of round {round} are known already.").format(round=number)
    if not 1 <= number <= state.rounds_paired + 1 or len(seats) != len(set(seats)):
        return _("That is not the next round of tables, or someone has two seats.")
    if not set(seats) <= set(state.by_number) or any(len(table) not in (*SIZES, 2) for table in action.tables):
        return _("Someone there is not playing here, or a table does not have two, three, four or six seats.")
    return None
