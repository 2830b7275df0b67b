"""Use cases: the vacations that people take."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from bot.games.model.announcements import Note
from bot.games.model.errors import Damaged, Refused
from bot.games.model.game import Game
from bot.games.model.timers import BACK
from bot.games.persistence.game_work import GameWork
from bot.i18n import _, phrase
from bot.support.frozen import frozen
from bot.support.time_units import DAY, HOUR, SECOND
from data.queries import people, timers
from data.store import Transaction

VACATION: Final = 20 * DAY
"""How much vacation there is in a calendar year (UTC), counted in hours that have begun."""


@frozen
class Vacation:
    """How a person's vacation stands: ``left`` in milliseconds this year; ``until`` when the one that runs ends at the
    latest, None when none runs."""

    left: int
    until: int | None


class Vacations:
    """Lets people stop their clocks for some days of a year, and tells the games that it concerns."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    async def vacation(self, person: int) -> Vacation:
        """How a person's vacation stands."""
        now = self._work.clock()
        async with self._work.reading() as tx:
            taken = await timers.vacations_of(tx, person)
        running = next((until for start, until in taken if start <= now < until), None)
        return Vacation(max(0, _left(taken, _year(now), now)), running)

    async def start_vacation(self, person: int, source: str, wanted: int | None = None) -> tuple[Vacation, list[Game]]:
        """The clock of ``person`` stands still in all casual games by days, until they come back, until the moment
        ``wanted`` (UTC ms), or until the year's days are used up; those games are told. Raises Refused where no
        vacation is left, or not so much."""
        async with self._work.writing(source) as tx:
            now = self._work.clock()
            taken = await timers.vacations_of(tx, person)
            if any(start <= now < until for start, until in taken):
                raise Refused(_("You are already on vacation. Come back with `/me vacation stop`."))
            year = _year(now)
            left = _left(taken, year, now)
            if left <= 0:
                template = _("You have used all {days} days of vacation for this year.")
                raise Refused(template.format(days=VACATION // DAY))
            until = min(now + left, _begins(year + 1))
            if until == _begins(year + 1):
                # Over the turn of the year the next year's days are used.
                until += VACATION
            if wanted is not None:
                until = _within(wanted, now, until)
            await timers.add_vacation(tx, person, now, until)
            await timers.put(tx, BACK, person, until, {})
            sentence = phrase(
                "{player} is on vacation, until {day} at the latest. Their clock is stopped.",
                player=f"<@{person}>",
                day=f"<t:{until // 1000}:D>",
            )
            self._work.timer_set(tx, until)
            return Vacation(left, until), await self._tell(tx, person, source, sentence)

    async def stop_vacation(self, person: int, source: str) -> tuple[Vacation, list[Game]]:
        """Time runs again. What was begun of an hour counts as one. Raises Refused where no vacation runs."""
        async with self._work.writing(source) as tx:
            now = self._work.clock()
            taken = await timers.vacations_of(tx, person)
            begun = next((start for start, until in taken if start <= now < until), None)
            if begun is None:
                raise Refused(_("You are not on vacation. Start one with `/me vacation start`."))
            await timers.end_vacation(tx, person, begun, now)
            await timers.drop(tx, BACK, person)
            sentence = phrase("{player} is back from vacation. Their clock is running again.", player=f"<@{person}>")
            games = await self._tell(tx, person, source, sentence)
            taken = await timers.vacations_of(tx, person)
        return Vacation(max(0, _left(taken, _year(now), now)), None), games

    async def vacation_over(self, person: int) -> list[Game]:
        """The days of a vacation are used up: those whom it concerns are told that time runs. Returns the games."""
        async with self._work.writing() as tx:
            timer = await timers.get(tx, BACK, person)
            if timer is None or timer.at > self._work.clock():
                return []
            await timers.drop(tx, BACK, person)
            sentence = phrase("{player}'s vacation is over. Their clock is running again.", player=f"<@{person}>")
            return await self._tell(tx, person, f"vacation:{person}:{timer.at}", sentence)

    async def _tell(self, tx: Transaction, person: int, source: str, sentence: str) -> list[Game]:
        """Say it in each game that it concerns, and set the timers anew of those in which ``person`` is to move."""
        games = []
        for game_id in await people.clocked_of(tx, person):
            try:
                game = await self._work.repository.load(tx, game_id, to_change=True)
            except Damaged:
                # Nobody can go on with it, and nobody runs out of time in it; the others are no worse for that.
                continue
            unit = self._work.unit_in(tx, game, source)
            if unit.game.control is None or unit.game.control.live:
                continue
            await unit.announce(Note(sentence=sentence))
            if unit.game.to_move == person:
                await unit.schedule()
            games.append(unit.game)
        return games


def _within(wanted: int, now: int, latest: int) -> int:
    """The end that was asked for. Raises Refused where it is past, or after the ``latest`` that is left."""
    if wanted <= now:
        raise Refused(_("That moment has passed. Choose a later one."))
    if wanted > latest:
        template = _("You do not have that much vacation left: it can last until {moment} at the latest.")
        raise Refused(template.format(moment=f"<t:{latest // SECOND}:f>"))
    return wanted


def _left(taken: list[tuple[int, int]], year: int, now: int) -> int:
    """What is left of a year's vacation at ``now``: each is counted in hours that have begun."""
    start, end = _begins(year), _begins(year + 1)
    used = 0
    for begun, until in taken:
        length = min(until, end, now) - max(begun, start)
        used += max(0, -(-length // HOUR) * HOUR)
    return VACATION - used


def _year(at: int) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year


def _begins(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1000
