"""What comes next in a tournament, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bot.i18n import _
from bot.tournaments.errors import TournamentError
from bot.tournaments.model.events import Kind, MatchGame, RoundPaired, TablesSeated
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing import tables
from bot.tournaments.pairing.arena import arena_points
from bot.tournaments.pairing.record import DRAWN, WON, Mark, Player, Record
from bot.tournaments.pairing.round_robin import berger
from bot.tournaments.pairing.swiss import dutch
from bot.tournaments.pairing.swiss.contenders import RoundPairing
from bot.tournaments.standings.standings import standings


def next_round(state: Tournament, *, pending_as_draws: bool = False) -> RoundPaired:
    """The next round of a Swiss or a round robin, not yet written down.

    ``pending_as_draws``: games that go on over the round's end are paired as if drawn. Raises TournamentError where
    there is no next round now."""
    _running(state)
    number = state.rounds_paired + 1
    if state.plan.kind.all_play_all:
        left = rounds_left(state, list(state.paired.values()))
        return replace(left[0], round=number) if left else _no_more(state)
    if state.plan.kind is not Kind.SWISS:
        raise TournamentError(f"A {state.plan.kind} has no rounds of pairs.")
    if number > state.rounds_planned > 0:
        _no_more(state)
    record = drawn_pending(state.record) if pending_as_draws else state.record
    absent = [n for n, entrant in state.by_number.items() if not entrant.is_in(number)]
    return _as_event(number, dutch.next_round(record, absent))


def upcoming(state: Tournament, *, pending_as_draws: bool = False) -> RoundPaired | TablesSeated:
    """The next round of whatever has rounds; see ``next_round`` and ``next_tables``."""
    if state.plan.kind is Kind.TABLES:
        return next_tables(state)
    return next_round(state, pending_as_draws=pending_as_draws)


def every_round(state: Tournament) -> tuple[RoundPaired, ...]:
    """All rounds of a round robin, for starting them one by one or all at once."""
    _running(state)
    cycles = 2 if state.plan.kind is Kind.DOUBLE_ROUND_ROBIN else 1
    rounds = berger(sorted(state.by_number), cycles)
    return tuple(_as_event(number, paired) for number, paired in enumerate(rounds, start=1))


def rounds_left(state: Tournament, played: Sequence[RoundPaired]) -> list[RoundPaired]:
    """The rounds of a round robin that are still to be paired: a director may have changed their order, or sides."""
    left = list(every_round(state))
    for one in played:
        same = [each for each in left if same_pairs(one, each)]
        found = next((each for each in same if set(each.games) == set(one.games)), same[0] if same else None)
        if found is not None:
            left.remove(found)
    return left


def same_pairs(one: RoundPaired, other: RoundPaired) -> bool:
    """Whether the same people meet in two rounds, whoever has which side."""
    return {frozenset(game) for game in one.games} == {frozenset(game) for game in other.games}


def next_tables(state: Tournament) -> TablesSeated:
    """The next round of a Swiss of tables. Raises TournamentError where there is none now."""
    _running(state)
    number = state.rounds_paired + 1
    if state.plan.kind is not Kind.TABLES:
        raise TournamentError(f"A {state.plan.kind} has no tables.")
    if number > state.rounds_planned > 0:
        _no_more(state)
    for round_number, seated in state.seated.items():
        if any((round_number, table) not in state.table_results for table in seated.tables):
            raise TournamentError(_("Round {round} is not over.").format(round=round_number))
    present = sorted(
        n
        for n, entrant in state.by_number.items()
        if entrant.is_in(number) and entrant.person > 0 and (n, number) not in state.byes
    )
    paired = tables.pair_tables(present, state.tables, preferred=state.plan.table_size)
    return TablesSeated(number, paired.tables, paired.bye)


def walkovers(state: Tournament) -> tuple[MatchGame, ...]:
    """What is to be written down for those who have left an elimination: their opponents win the open matches.

    Where both have left, the better seed goes on, to lose the next. To be asked again after these are written down."""
    found = []
    running = state.plan.kind.knocks_out and state.phase is Phase.RUNNING
    for match in state.bracket.open if running else ():
        numbers = sorted(number for number in match.players if number)
        staying = [number for number in numbers if not state.by_number[number].is_gone]
        if len(staying) < 2:
            winner = (staying or numbers)[0]
            found.append(MatchGame(match.match.key, len(match.games) + 1, numbers[0], numbers[1], winner))
    return tuple(found)


def drawn_pending(record: Record) -> Record:
    """The record as if every unfinished game were drawn."""
    players = {}
    for number, player in record.players.items():
        rounds = tuple(
            replace(entry, mark=Mark.DRAW) if entry is not None and entry.mark is Mark.PENDING else entry
            for entry in player.rounds
        )
        players[number] = replace(player, rounds=rounds)
    return replace(record, players=players)


@dataclass(frozen=True, slots=True)
class Line:
    """A place in the standings; ``values``: one for each heading."""

    rank: int
    number: int
    values: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The standings of any kind of tournament. ``rules``: the text that tie-breaks follow, where there are any."""

    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    rules: str = ""


def ranking(state: Tournament) -> Ranking:
    """How a tournament stands. In an elimination, who is not out yet shares the place that is certain."""
    if state.plan.kind.knocks_out:
        return _of_bracket(state)
    if state.plan.kind is Kind.ARENA:
        return _of_arena(state)
    if state.plan.kind is Kind.TABLES:
        rows = tables.table_standings(sorted(state.by_number), state.tables)
        lines = (Line(row.rank, row.player, (row.points, Fraction(row.firsts), row.opposition)) for row in rows)
        return Ranking(("Points", "Firsts", "Opponents"), tuple(lines))
    table = standings(
        state.record, state.plan.tie_breaks, rules=state.plan.rules, round_robin=state.plan.kind.all_play_all
    )
    return Ranking(
        tuple(map(str, table.tie_breaks)),
        tuple(Line(row.rank, row.number, row.values) for row in table.rows),
        table.rules,
    )


def crosstable(state: Tournament) -> tuple[tuple[Line, tuple[str, ...]], ...]:
    """The standings with each player's rounds, as ``5w1`` (against 5, white, won), ``bye``, ``-`` (not there)."""
    record = state.record
    return tuple(
        (line, tuple(_cell(record.players[line.number], number) for number in range(1, record.rounds_paired + 1)))
        for line in ranking(state).lines
    )


def _cell(player: Player, round_number: int) -> str:
    entry = player.entry(round_number)
    if entry is None or entry.mark is Mark.ZERO_BYE:
        return "-"
    if entry.opponent is None:
        return "½" if entry.mark is Mark.HALF_BYE else "bye"
    return f"{entry.opponent}{entry.colour or ''}{entry.mark}"


def _of_bracket(state: Tournament) -> Ranking:
    bracket = state.bracket
    wins = dict.fromkeys(state.by_number, 0)
    for match in bracket.matches.values():
        if match.games and match.winner:
            wins[match.winner] += 1
    undecided = 1
    rows = [(bracket.places.get(number, undecided), -wins[number], number) for number in state.by_number]
    return Ranking(("Wins",), tuple(Line(rank, number, (Fraction(-lost),)) for rank, lost, number in sorted(rows)))


def _of_arena(state: Tournament) -> Ranking:
    results: dict[int, list[str]] = {number: [] for number in state.by_number}
    for game in sorted(state.arena_games.values(), key=lambda game: game.game):
        for number, mark in ((game.white, game.white_mark), (game.black, game.black_mark)):
            if mark is not Mark.PENDING:
                won = mark in WON or mark is Mark.FORFEIT_WIN
                results[number].append("1" if won else "=" if mark in DRAWN else "0")
    points = {number: arena_points(made, streaks=state.plan.streaks) for number, made in results.items()}
    rows = sorted((-points[number], -made.count("1"), number) for number, made in results.items())
    lines = [
        Line(
            1 + sum(other[:2] < row[:2] for other in rows),
            row[2],
            (Fraction(-row[0]), Fraction(-row[1]), Fraction(len(results[row[2]]))),
        )
        for row in rows
    ]
    return Ranking(("Points", "Wins", "Games"), tuple(lines))


def _as_event(number: int, paired: RoundPairing) -> RoundPaired:
    return RoundPaired(number, paired.games, paired.bye, paired.system, paired.notes)


def _running(state: Tournament) -> None:
    if state.phase is not Phase.RUNNING:
        raise TournamentError(_("The tournament is not running."))


def _no_more(state: Tournament) -> RoundPaired:
    raise TournamentError(_("All {count} rounds are paired.").format(count=state.rounds_planned))
