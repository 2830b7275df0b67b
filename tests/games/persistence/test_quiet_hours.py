from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args
from zoneinfo import ZoneInfo

import pytest

from bot.games.model.announcements import Reminder
from bot.games.model.deadlines import Stage
from bot.games.model.game import Game, Place
from bot.games.model.preferences import Preferences
from bot.games.model.timers import PING
from bot.support.time_units import DAY, HOUR, MINUTE
from data.queries import timers as timer_queries
from tests.support.games.club import ANA, BEN, CAT, HALL, Club, payload

NIGHT = Preferences(quiet=(0, 10 * 60))
"""The club's time begins a quarter past midnight, UTC."""


async def sleeps(club: Club, *people: int, preferences: Preferences = NIGHT) -> None:
    """Some have quiet hours from now on."""
    for person in people:
        await club.games.preferences.change(person, lambda _: preferences, club.source())


async def told_of_the_end(club: Club, game: Game) -> list[int]:
    """Who was told, after its quiet hours, that a game is over."""
    return [payload(one)["to"] for one in await club.said(game) if payload(one).get("stage") == "over"]


async def test_who_is_asleep_is_told_of_a_challenge_in_the_morning(club: Club) -> None:
    """The post pings nobody; at ten Ben is told, if he has not answered."""
    await sleeps(club, BEN)
    game = await club.challenge()
    answered = await club.challenge(CAT, BEN, place=Place(7, 71))
    await club.games.challenges.decline(answered.id, BEN, club.source())

    await club.pass_time(9 * HOUR)
    (told,) = await club.said(game)
    assert [] == payload(told)["ping"]
    await club.pass_time(11 * HOUR)

    reminder = (await club.said(game))[-1]
    assert {"to": BEN, "stage": "challenge", "due": None} == payload(reminder)
    assert "reminder" not in await club.kinds(answered)


async def test_the_end_by_time_is_told_to_each_when_its_quiet_hours_end(club: Club) -> None:
    """Ana sleeps until ten, Ben until eight: the board pings neither, and each hears of it once, in its own time."""
    game = await club.play(await club.started(clock="1d"), "c3-d4", "b6-a5")
    await sleeps(club, ANA)
    await sleeps(club, BEN, preferences=replace(NIGHT, quiet=(0, 8 * 60)))

    await club.pass_time(club.now + DAY + MINUTE)
    (end,) = [one for one in await club.said(game) if payload(one).get("event") == "timeout"]
    assert [] == payload(end)["tell"]
    await club.pass_time(DAY + 9 * HOUR)
    assert [BEN] == await told_of_the_end(club, game)
    await club.pass_time(3 * DAY)
    assert [BEN, ANA] == await told_of_the_end(club, game)
    assert None is payload((await club.said(game))[-1])["due"]


async def test_who_has_looked_need_not_be_told(club: Club) -> None:
    """Ana has opened the board in the night: nothing is left to tell her in the morning."""
    game = await club.play(await club.started(clock="1d"), "c3-d4", "b6-a5")
    await sleeps(club, ANA)
    await club.pass_time(club.now + DAY + MINUTE)
    await club.games.timeouts.looked_at(game.id, ANA)

    await club.pass_time(club.now + DAY)

    assert [] == await told_of_the_end(club, game)


async def test_forgetting_ends_what_is_held_back_for_one(club: Club) -> None:
    """Ana is forgotten in the night: Ben alone is told in the morning."""
    game = await club.play(await club.started(clock="1d"), "c3-d4", "b6-a5")
    await sleeps(club, ANA, BEN)
    await club.pass_time(club.now + DAY + MINUTE)
    await club.games.privacy.forget(ANA, club.source())

    await club.pass_time(club.now + DAY)

    assert [BEN] == await told_of_the_end(club, game)


async def test_on_vacation_no_daily_list_comes(club: Club) -> None:
    """Six games wait for Ana, whose clock stands in all of them; after her vacation the lists go on."""
    games = [
        await club.play(await club.started(clock="7d", place=Place(7, 70 + n)), "c3-d4", "b6-a5") for n in range(6)
    ]

    async def lists() -> int:
        return [kind for game in games for kind in await club.kinds(game)].count("digest")

    await club.pass_time(club.now + 4 * DAY)
    before = await lists()
    assert 1 == before
    await club.games.vacations.start_vacation(ANA, club.source())
    await club.pass_time(club.now + 10 * DAY)
    assert before == await lists()
    await club.games.vacations.stop_vacation(ANA, club.source())
    await club.pass_time(club.now + 2 * DAY)
    assert before < await lists()


@pytest.mark.parametrize(
    ("zone", "quiet"),
    [
        ("Europe/Madrid", (22 * 60, 2 * 60 + 30)),
        ("America/Havana", (23 * 60, 30)),
        ("Australia/Lord_Howe", (22 * 60, 60 + 50)),
        ("Asia/Kolkata", (22 * 60, 7 * 60 + 30)),
        ("Pacific/Chatham", (2 * 60 + 45, 3 * 60 + 45)),
    ],
)
def test_quiet_hours_last_around_the_moment_they_are_asked_for(zone: str, quiet: tuple[int, int]) -> None:
    """Whatever the zone does to its clocks in a year: each quiet moment has a beginning behind it and an end to
    come, and there it is quiet no more."""
    preferences = Preferences(zone=zone, quiet=quiet)
    begin = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) * 1000
    for now in range(begin, begin + 366 * DAY, 10 * MINUTE):
        hours = preferences.quiet_hours(now)
        assert hours is None or (hours[0] <= now < hours[1] and preferences.quiet_until(hours[1]) is None)


async def test_what_an_earlier_version_held_back_is_told(club: Club) -> None:
    """Its timers name one person, who is to move."""
    game = await club.play(await club.started(), "c3-d4")
    async with club.store.write() as tx:
        values = {"person": BEN, "ply": 1, "since": club.now}
        await timer_queries.put(tx, PING, game.id, club.now + HOUR, values)
    await club.pass_time(club.now + 2 * HOUR)
    assert {"to": BEN, "stage": "turn", "due": None} == payload((await club.said(game))[-1])


async def reminded(club: Club, game: Game) -> list[tuple[str, int, int | None]]:
    """The reminders of the time for a turn that were sent in a game: what each says, when, and until when."""
    every = [(one.content, one.made_at) for one in await club.said(game)]
    return [
        (what.stage, at, what.due) for what, at in every if isinstance(what, Reminder) and what.stage in get_args(Stage)
    ]


async def waits_at_midnight(club: Club, preferences: Preferences, place: Place = HALL) -> Game:
    """A game in which Ana is to move within a day, from midnight (UTC) on."""
    await sleeps(club, ANA, preferences=preferences)
    game = await club.started(clock="1d", place=place)
    club.now = -(-club.now // DAY) * DAY
    return await club.play(game, "c3-d4", "b6-a5")


@pytest.mark.parametrize("zone", ["Europe/Madrid", "UTC", "America/Sao_Paulo", "Asia/Yerevan", "Asia/Manila"])
async def test_who_sleeps_through_the_end_is_warned_before_the_night(club: Club, zone: str) -> None:
    """In each zone: half an hour before the night in which the time ends, with the time at which it does."""
    start = -(-club.now // DAY) * DAY
    local = datetime.fromtimestamp(start / 1000, ZoneInfo(zone))
    minute = local.hour * 60 + local.minute
    night = Preferences(zone=zone, quiet=((minute - 5 * 60) % 1440, (minute + 60) % 1440))
    game = await waits_at_midnight(club, night)

    await club.pass_time(start + DAY - MINUTE)

    evening = ("quiet", start + 18 * HOUR + 30 * MINUTE, start + DAY)
    assert [("half", start + 12 * HOUR, start + DAY), evening] == await reminded(club, game)


@pytest.mark.parametrize(
    ("quiet", "stages"),
    [
        ((21 * 60, 60), ["half", "most", "quiet"]),
        ((21 * 60, 22 * 60 + 30), ["half", "most", "quiet", "last"]),
        ((20 * 60, 21 * 60 + 30), ["half", "most", "last"]),
        ((22 * 60 + 30, 6 * 60), ["half", "most", "last"]),
        ((18 * 60, 6 * 60), ["half", "quiet"]),
        ((0, 23 * 60 + 45), ["last"]),
    ],
)
async def test_what_is_said_around_the_night(club: Club, quiet: tuple[int, int], stages: list[str]) -> None:
    """What falls in quiet hours is said after them if there is time left then; before them, too, where the end is in
    them or soon after."""
    game = await waits_at_midnight(club, Preferences(quiet=quiet))
    await club.pass_time(club.now + DAY - MINUTE)
    assert stages == [stage for stage, *_ in await reminded(club, game)]


@pytest.mark.parametrize(("muted", "stages"), [({"most", "last"}, ["half"]), ({"most"}, ["half", "quiet"])])
async def test_a_warning_before_the_night_is_muted_with_all_that_it_stands_for(
    club: Club, muted: set[str], stages: list[str]
) -> None:
    """Both the end of most of the time and its last two hours fall into the night."""
    game = await waits_at_midnight(club, Preferences(quiet=(18 * 60, 6 * 60), muted=frozenset(muted)))
    await club.pass_time(club.now + DAY - MINUTE)
    assert stages == [stage for stage, *_ in await reminded(club, game)]


async def test_each_of_several_games_is_warned_of_before_the_night(club: Club) -> None:
    """Three games end in the same night: each has its warning."""
    night = Preferences(quiet=(21 * 60, 60))
    games = [await waits_at_midnight(club, night, Place(7, 70 + number)) for number in range(3)]
    await club.pass_time(club.now + DAY - MINUTE)
    assert [["half", "most", "quiet"]] * 3 == [[stage for stage, *_ in await reminded(club, game)] for game in games]


@pytest.mark.parametrize(("given_up", "last"), [(False, "quiet"), (True, "last")])
async def test_quiet_hours_that_are_chosen_late_are_heeded(club: Club, given_up: bool, last: str) -> None:
    """Ana chooses them in the evening: the warning comes before they begin, unless she gives them up again."""
    game = await waits_at_midnight(club, Preferences())
    start = club.now
    await club.pass_time(start + 20 * HOUR)
    await sleeps(club, ANA, preferences=Preferences(quiet=(21 * 60, 60)))
    await club.games.timeouts.quiet_hours_changed(ANA)
    if given_up:
        await sleeps(club, ANA, preferences=Preferences())
    await club.pass_time(start + DAY - MINUTE)
    assert ["half", "most", last] == [stage for stage, *_ in await reminded(club, game)]


async def test_on_vacation_nobody_is_warned_of_a_night(club: Club) -> None:
    """The end moves with the vacation, and so does the warning."""
    game = await waits_at_midnight(club, Preferences(quiet=(21 * 60, 60)))
    start = club.now
    await club.pass_time(start + 20 * HOUR)
    await club.games.vacations.start_vacation(ANA, club.source())
    await club.pass_time(start + 2 * DAY + 20 * HOUR)
    assert ["half", "most"] == [stage for stage, *_ in await reminded(club, game)]
    await club.games.vacations.stop_vacation(ANA, club.source())
    await club.pass_time(start + 3 * DAY - MINUTE)
    assert ["half", "most", "quiet"] == [stage for stage, *_ in await reminded(club, game)]
