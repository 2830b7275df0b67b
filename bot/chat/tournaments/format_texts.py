"""What the messages of arenas and of events of tables say besides: their rules, their tables, who plays or pauses."""

from __future__ import annotations

from fractions import Fraction

from bot.chat.timestamps import moment
from bot.chat.tournaments.schedule_texts import after_round
from bot.games.model.clock import FIRST_AT_ONCE, MINUTE
from bot.i18n import _, ngettext
from bot.tournaments.formats.arena import PATIENCE, ends_at, free, playing
from bot.tournaments.model.events import Kind
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.tables import TableResult
from bot.tournaments.use_cases.change import StoredTournament

_MOST_GAMES = 20


def amount(value: Fraction) -> str:
    """A number of points: ``3½``, or with a point where halves do not do."""
    whole, rest = divmod(value, 1)
    if rest == 0:
        return str(whole)
    return f"{whole or ''}½" if rest == Fraction(1, 2) else f"{float(value):.4g}"


def kind_of(tournament: StoredTournament) -> str:
    """The kind of an arena or of an event of tables in words; nothing for others."""
    plan = tournament.plan
    if plan.kind is Kind.TABLES:
        text = ngettext("tables, {count} round", "tables, {count} rounds", plan.rounds)
        return text.format(count=plan.rounds)
    return _("an arena") if plan.kind is Kind.ARENA else ""


def rules(tournament: StoredTournament) -> list[str]:
    """The rules of an arena or of tables, as they are said before anybody enters."""
    plan = tournament.plan
    if plan.kind is Kind.TABLES:
        text = _(
            "Tables of {size} where it can be, else of three, four or six. Near points sit together, the same people "
            "as seldom as possible, and seats change."
        )
        return [
            text.format(size=plan.table_size),
            _(
                "Every place is played out: 5, 3, 2, 1, 0, 0 points from the first on; who shares places shares their "
                "points. Who leaves a game comes behind all who stay, the first to leave last; who leaves without a "
                "move did not come, and gets none."
            ),
        ]
    if plan.kind is not Kind.ARENA:
        return []
    return [
        _length(tournament),
        _(
            "Who waits is paired with the nearest in points and rating, not twice running with the same opponent "
            "unless nobody else comes within {seconds} seconds."
        ).format(seconds=PATIENCE // 1000),
        _points(tournament),
        _(
            "Who lets the time run out, or makes no first move within {minutes} minutes, loses the game and pauses "
            "until they press *Join*."
        ).format(minutes=FIRST_AT_ONCE // MINUTE),
        _("At the end no game begins any more; games that are going on are played out, and count."),
    ]


def _points(tournament: StoredTournament) -> str:
    if tournament.plan.streaks:
        return _("A win is 2 points, a draw 1; after two wins in a row games count double until one is not won.")
    return _("A win is 2 points, a draw 1.")


def _length(tournament: StoredTournament) -> str:
    end = ends_at(tournament.plan, tournament.events)
    if end is not None:
        return _("Games begin until {time} ({from_now}).").format(time=moment(end, "t"), from_now=moment(end))
    text = ngettext("Games begin for {count} minute.", "Games begin for {count} minutes.", tournament.plan.minutes)
    return text.format(count=tournament.plan.minutes)


def round_of_tables(tournament: StoredTournament, number: int) -> list[str]:
    """The tables of a round: before its end by seat, then by place with the points."""
    state = tournament.state
    seated = state.seated[number]
    title = _("**{event}, round {round}**").format(event=tournament.row.name, round=number)
    lines = [f"{title} {_('(seated by hand)')}" if seated.by_hand else title]
    for index, table in enumerate(seated.tables, start=1):
        places = state.table_results.get((number, table))
        name = _("Table {number}").format(number=index)
        if places is None:
            lines.append(f"{name}: {', '.join(map(tournament.call, table))}")
        else:
            lines.append(f"{name}: {_placed(tournament, table, places)}")
    if seated.bye is not None:
        lines.append(_("{player} is alone, and has no table.").format(player=tournament.call(seated.bye)))
    if after := after_round(tournament, number):
        lines.append(after)
    return lines


def _placed(tournament: StoredTournament, table: tuple[int, ...], places: tuple[int, ...]) -> str:
    points = TableResult(table, places).points()
    ordered = sorted(zip(places, table, strict=True), key=lambda each: (each[0] or len(table) + 1, each[1]))
    return ", ".join(
        f"{place}. {tournament.call(one)} ({amount(points[one])})"
        if place
        else _("{player} did not come").format(player=tournament.call(one))
        for place, one in ordered
    )


def sign(tournament: StoredTournament, number: int) -> str:
    """What stands behind a player of an arena in the standings."""
    state = tournament.state
    if not state.format.has_pool or state.phase is not Phase.RUNNING:
        return ""
    if number in playing(state):
        return " ♟"
    if state.by_number[number].paused and not state.by_number[number].is_gone:
        return _(" (pauses)")
    return ""


def arena_now(tournament: StoredTournament) -> list[str]:
    """What goes on in an arena: until when, who plays whom, how many wait."""
    state = tournament.state
    if not state.format.has_pool or state.phase is not Phase.RUNNING:
        return []
    games = tournament.open_games
    if state.pool_closed:
        text = ngettext(
            "No game begins any more; {count} is still played.",
            "No game begins any more; {count} are still played.",
            len(games),
        )
        lines = [text.format(count=len(games))]
    else:
        waiting = ngettext("{count} waits.", "{count} wait.", len(free(state))).format(count=len(free(state)))
        lines = [f"{_length(tournament)} {waiting}"]
    lines += [f"♟ {tournament.call(game.white)} - {tournament.call(game.black)}" for game in games[:_MOST_GAMES]]
    return lines
