"""What a correction changes: asked before it is written down, so that a director sees what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bot.i18n import _, ngettext
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.next_round import drawn_pending, ranking
from bot.tournaments.model.events import Action, Event, Kind, RoundPaired, TablesSeated, TournamentSettings
from bot.tournaments.model.fold import fold
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing.record import Mark, Record, RoundEntry
from bot.tournaments.pairing.swiss import dutch
from bot.tournaments.pairing.tables import pair_tables


@dataclass(frozen=True, slots=True)
class RoundRepairing:
    """A later round that would be paired otherwise now. ``lost``: its recorded games or tables that would not be.

    ``over``: it has been played to the end, so that nobody will think of pairing it again."""

    round: int
    fresh: RoundPaired | TablesSeated
    lost: tuple[tuple[int, ...], ...]
    over: bool

    @property
    def told(self) -> str:
        """What would be lost of it, in words."""
        count = len(self.lost)
        if isinstance(self.fresh, RoundPaired):
            says = ngettext("{count} pairing of round {round}", "{count} pairings of round {round}", count)
        else:
            says = ngettext("{count} table of round {round}", "{count} tables of round {round}", count)
        return says.format(count=count, round=self.round)


@dataclass(frozen=True, slots=True)
class Impact:
    """What follows from one more event: (before, after) of those whom it moves; ``reopened``: matches to be played."""

    points: Mapping[int, tuple[Fraction, Fraction]]
    ranks: Mapping[int, tuple[int, int]]
    pairings: tuple[RoundRepairing, ...]
    reopened: tuple[str, ...]
    ignored: tuple[int, ...]

    @property
    def question(self) -> str:
        """What to ask the director; empty when no round that is still being played is touched."""
        parts = [each.told for each in self.pairings if not each.over]
        parts += [_("match {match}").format(match=key) for key in self.reopened]
        return _("Changes {what}: keep or pair again?").format(what=", ".join(parts)) if parts else ""


def what_changes(plan: TournamentSettings, events: Sequence[Event], action: Action) -> Impact:
    """The consequences of an action, compared with leaving things as they are.

    Raises TournamentError where the action makes no sense."""
    before = fold(plan, events)
    if (reason := refusal(before, action)) is not None:
        raise TournamentError(reason)
    number = max((event.number for event in events), default=0) + 1
    after = fold(plan, [*events, Event(number, 0, 0, action)])
    if Phase.ENTRIES in (before.phase, after.phase):
        return Impact({}, {}, (), (), ())
    was, now = ({line.number: line for line in ranking(state).lines} for state in (before, after))
    both = [n for n in was if n in now]
    points = {n: (was[n].values[0], now[n].values[0]) for n in both if was[n].values[0] != now[n].values[0]}
    ranks = {n: (was[n].rank, now[n].rank) for n in both if was[n].rank != now[n].rank}
    ignored = tuple(n for n in after.ignored if n not in before.ignored)
    return Impact(points, ranks, tuple(_repairings(before, after)), _reopened(before, after), ignored)


def paired_afresh(state: Tournament, round_number: int) -> RoundPaired:
    """A round that is paired already, paired from what is known of the rounds before it now; the same players take
    part. Games that are not over count as drawn. Raises TournamentError where that cannot be done."""
    fresh = dutch.next_round(_record_before(state, round_number))
    return RoundPaired(round_number, fresh.games, fresh.bye, fresh.system, fresh.notes, again=True)


def _record_before(state: Tournament, round_number: int) -> Record:
    """What the pairing of a round is made from: the rounds before it, and who takes part in it."""
    paired = state.paired[round_number]
    taking_part = {number for game in paired.games for number in game} | {paired.bye}
    players = {}
    for number, player in drawn_pending(state.record).players.items():
        if state.by_number[number].joined > round_number:
            continue
        rounds = player.rounds[: round_number - 1]
        if number not in taking_part:
            rounds += (None,) * (round_number - 1 - len(rounds))
            rounds += (player.entry(round_number) or RoundEntry(None, None, Mark.ZERO_BYE),)
        players[number] = replace(player, rounds=rounds)
    return replace(state.record, players=players)


def seated_afresh(state: Tournament, round_number: int) -> TablesSeated:
    """The tables of a round, seated from the rounds before it as they stand now; the same players take part."""
    seated = state.seated[round_number]
    players = [number for table in seated.tables for number in table] + ([] if seated.bye is None else [seated.bye])
    # Who was forgotten by wish cannot sit down again.
    players = [number for number in players if state.by_number[number].person > 0]
    earlier = replace(state, seated={n: tables for n, tables in state.seated.items() if n < round_number})
    fresh = pair_tables(sorted(players), earlier.tables, preferred=state.plan.table_size)
    # Who stays together keeps the seats, and the game that may be going on.
    seats = {frozenset(table): table for table in seated.tables}
    tables = tuple(seats.get(frozenset(table), table) for table in fresh.tables)
    return TablesSeated(round_number, tables, fresh.bye, again=True)


def _reseatings(before: Tournament, after: Tournament) -> Iterator[RoundRepairing]:
    for number, recorded in sorted(after.seated.items()):
        if recorded.by_hand or before.seated.get(number) != recorded or number == 1:
            continue
        fresh = seated_afresh(after, number)
        kept = set(map(frozenset, fresh.tables))
        lost = tuple(table for table in recorded.tables if frozenset(table) not in kept)
        if lost and set(map(frozenset, seated_afresh(before, number).tables)) != kept:
            over = all((number, table) in after.table_results for table in recorded.tables)
            yield RoundRepairing(number, fresh, lost, over)


def _repairings(before: Tournament, after: Tournament) -> list[RoundRepairing]:
    if after.plan.kind is Kind.TABLES:
        return list(_reseatings(before, after))
    if after.plan.kind is not Kind.SWISS:
        return []
    found = []
    for number, recorded in sorted(after.paired.items()):
        if recorded.by_hand or before.paired.get(number) != recorded or number == 1:
            continue
        if _record_before(before, number) == _record_before(after, number):
            # Pairing takes long where players are many.
            continue
        try:
            fresh = paired_afresh(after, number)
            if _pairs(fresh) == _pairs(recorded) or _pairs(fresh) == _pairs(paired_afresh(before, number)):
                continue
        except TournamentError:
            continue
        lost = tuple(game for game in recorded.games if frozenset(game) not in _pairs(fresh))
        over = not any(game[0] == number for game in after.unfinished)
        found.append(RoundRepairing(number, fresh, lost, over))
    return found


def _pairs(pairing: RoundPaired) -> set[frozenset[int]]:
    return {frozenset(game) for game in pairing.games}


def _reopened(before: Tournament, after: Tournament) -> tuple[str, ...]:
    if not after.plan.kind.knocks_out:
        return ()
    return tuple(
        key
        for key, match in before.bracket.matches.items()
        if match.games and match.winner is not None and after.bracket.matches[key].winner is None
    )
