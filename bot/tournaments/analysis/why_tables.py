"""Why this table: who sits there with how many points, who has met before, and why the seats are as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from bot.i18n import _, decimal, ngettext
from bot.tournaments.errors import TournamentError
from bot.tournaments.model.state import Tournament
from bot.tournaments.pairing.tables import TableHistory, sizes


def why_this_table(
    state: Tournament, round_number: int, number: int, call: Callable[[int], str] = str
) -> tuple[str, ...]:
    """Sentences on a player's table of a round. Raises TournamentError when the player does not sit in that round."""
    seated = state.seated.get(round_number)
    if seated is None:
        raise TournamentError(_("Round {round} is not seated yet.").format(round=round_number))
    table = next((table for table in seated.tables if number in table), None)
    if table is None:
        if seated.bye == number:
            return (_("Nobody else was there to share a table with."),)
        raise TournamentError(
            _("{player} does not sit in round {round}.").format(player=call(number), round=round_number)
        )
    players = [one for each in seated.tables for one in each]
    earlier = replace(state, seated={n: each for n, each in state.seated.items() if n < round_number}).tables
    sentences = [_("The director seated this round by hand.")] if seated.by_hand else []
    sentences.append(_sizes(len(players), state.settings.table_size))
    if not earlier.rounds:
        sentences.append(
            _("In the first round the players are dealt to the tables by their starting numbers, to and fro.")
        )
    else:
        sentences.append(_scores(earlier, table, players, call))
        sentences.append(_met(earlier, table, call))
    sentences.append(_seat(earlier, table, number, call))
    return tuple(sentences)


def _sizes(count: int, preferred: int) -> str:
    shape = ", ".join(map(str, sizes(count, preferred)))
    text = _("{count} players sit at tables of {shape}: as many of {preferred} as possible, and nobody alone.")
    return text.format(count=count, shape=shape, preferred=preferred)


def _scores(earlier: TableHistory, table: tuple[int, ...], players: list[int], call: Callable[[int], str]) -> str:
    scores = earlier.scores(players)
    listed = ", ".join(f"{call(one)} {_amount(scores[one])}" for one in sorted(table, key=lambda one: -scores[one]))
    return _("Players with similar points sit together. At this table: {listed}.").format(listed=listed)


def _met(earlier: TableHistory, table: tuple[int, ...], call: Callable[[int], str]) -> str:
    meetings = earlier.meetings()
    again = [(pair, times) for pair in combinations(sorted(table), 2) if (times := meetings.get(frozenset(pair), 0))]
    if not again:
        return _("None of them has sat with another of them before.")
    pairs = [
        ngettext("{one} and {other} once", "{one} and {other} {count} times", times).format(
            one=call(one), other=call(other), count=times
        )
        for (one, other), times in again
    ]
    text = _("Before, these have sat together: {pairs}. To avoid that, others far away in points would have to meet.")
    return text.format(pairs=", ".join(pairs))


def _seat(earlier: TableHistory, table: tuple[int, ...], number: int, call: Callable[[int], str]) -> str:
    seat = table.index(number) + 1
    past = earlier.seats(number)
    if not past:
        text = _("{player} has seat {seat} of {count}; seats change so that nobody always moves early.")
        return text.format(player=call(number), seat=seat, count=len(table))
    listed = ", ".join(_("{seat} of {count}").format(seat=at + 1, count=size) for at, size in past)
    text = _("{player} has seat {seat} of {count} (so far: {past}); seats change so that nobody always moves early.")
    return text.format(player=call(number), seat=seat, count=len(table), past=listed)


def _amount(value: Fraction) -> str:
    return decimal(float(value))
