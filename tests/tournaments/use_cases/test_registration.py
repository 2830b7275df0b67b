"""Who takes part: the check-in, limits, and who starts where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.chat.tournaments.schedule_texts import called
from bot.games.model.errors import Refused
from bot.support.time_units import HOUR, MINUTE
from bot.tournaments.model.events import Kind, Limited, Scheduled, TournamentSettings
from tests.support.tournaments.automated_event import AutomatedEvent
from tests.support.tournaments.event import DIRECTOR

SWISS = TournamentSettings(Kind.SWISS, rounds=3)


async def test_check_in_and_waiting_list(club: AutomatedEvent) -> None:
    """Who does not check in is left out, who waits takes the place, and who is left out may join late."""
    start = club.now + 2 * HOUR
    plan = TournamentSettings(Kind.SWISS, rounds=3, limit=4, late_until=2)
    await club.planned(plan, range(11, 18), Scheduled(start, check_in=30))
    assert (15, 16, 17) == (await club.load()).state.beyond
    with pytest.raises(Refused, match="no check-in now"):
        await club.check_in(11)
    await club.tournaments.registration.leave(club.id, 12, 12, club.source())
    tournament = await club.load()
    assert (16, 17) == tournament.state.beyond
    assert ("up", tournament.last) in await club.wanted()
    await club.pass_time(start - 30 * MINUTE)
    assert ("checkin", 0) in await club.wanted()
    await club.check_in(11, 14, 16, 17)
    with pytest.raises(Refused, match="already"):
        await club.check_in(11)
    with pytest.raises(Refused, match="checks you in too"):
        await club.check_in(12)
    await club.tournaments.registration.join(club.id, 12, club.source())
    assert (await club.load()).state.by_person[12].checked_in
    await club.pass_time(start)
    tournament = await club.load()
    assert {11, 14, 16, 17} == {entrant.person for entrant in tournament.state.by_number.values()}
    # All places are taken: who is late waits, and comes in when one becomes free.
    late = await club.tournaments.registration.join(club.id, 13, club.source())
    assert (12, 13) == late.state.beyond
    for person in (11, 14):
        await club.tournaments.registration.leave(club.id, person, person, club.source())
    assert [5, 6] == [(await club.load()).state.by_person[person].number for person in (12, 13)]


async def test_places_are_kept_with_late_entries(club: AutomatedEvent) -> None:
    """Opened while round 1 runs, they bring nobody in where all places are taken; who waits has the next one that
    becomes free, the first before those who come later, and is told so."""
    registration = club.tournaments.registration
    await club.planned(TournamentSettings(Kind.SWISS, rounds=4, limit=4), range(11, 17), Scheduled())
    await club.start()
    direction = club.tournaments.direction
    await direction.change_settings(club.id, DIRECTOR, club.source(), lambda plan: replace(plan, late_until=3))
    assert (15, 16) == (await club.load()).state.beyond
    with pytest.raises(Refused, match="You are on the waiting list, and come in when one becomes free"):
        await registration.join(club.id, 15, club.source())
    assert (15, 16, 17) == (await registration.join(club.id, 17, club.source())).state.beyond
    await registration.leave(club.id, 12, 12, club.source())
    tournament = await club.load()
    assert ((16, 17), 5) == (tournament.state.beyond, tournament.state.by_person[15].number)
    assert ("up", tournament.last) in await club.wanted()
    assert (15,) == called(tournament, "up", tournament.last)
    with pytest.raises(Refused, match="All places are taken now"):
        await registration.join(club.id, 12, club.source())


async def test_late_entries_let_in_who_waits(club: AutomatedEvent) -> None:
    """Where places have become free before they are opened, those who waited have them at once."""
    await club.planned(TournamentSettings(Kind.SWISS, rounds=4, limit=4), range(11, 17), Scheduled())
    await club.start()
    for person in (11, 12):
        await club.tournaments.registration.leave(club.id, person, person, club.source())
    direction = club.tournaments.direction
    await direction.change_settings(club.id, DIRECTOR, club.source(), lambda plan: replace(plan, late_until=3))
    tournament = await club.load()
    assert ((), 5, 6) == (tournament.state.beyond, *(tournament.state.by_person[one].number for one in (15, 16)))
    told = [called(tournament, "up", tournament.last - back) for back in (1, 0)]
    assert [(15,), (16,)] == told


async def test_entry_limits(club: AutomatedEvent) -> None:
    """Roles, rated games and ratings keep people out, each with its reason; who has entered stays."""
    await club.planned(SWISS, range(0), Limited(roles=(5, 6)))

    async def join(person: int, *roles: int) -> None:
        await club.tournaments.registration.join(club.id, person, club.source(), roles)

    async def limit(**limits: Any) -> None:
        await club.tournaments.registration.limit(club.id, DIRECTOR, club.source(), Limited(**limits))

    with pytest.raises(Refused, match="<@&5>, <@&6>"):
        await join(13, 7)
    join_at = club.tournaments.registration.join
    with pytest.raises(Refused, match="roles: <@&6>") as refused:
        await join_at(club.id, 13, club.source(), (7,), (6, 7))
    assert "<@&5>" not in refused.value.sentence
    with pytest.raises(Refused, match=f"been deleted. <@{DIRECTOR}> can choose others"):
        await join_at(club.id, 13, club.source(), (7,), (7,))
    await join(12, 5, 7)
    await join(13, 6)
    for limits, said in (
        ({"games": 1}, "at least 1 rated game of this kind here; you have 0"),
        ({"rating_from": 1501}, "of 1501 and above; yours is 1500"),
        ({"rating_to": 1499}, "up to 1499; yours is 1500"),
    ):
        await limit(**limits)
        with pytest.raises(Refused, match=said):
            await join(14)
    with pytest.raises(Refused, match="above the highest"):
        await limit(rating_from=1700, rating_to=1600)
    await limit(rating_from=1500, rating_to=1500)
    await join(14)
    assert 3 == len((await club.load()).state.entrants)


async def test_seeding_by_hand(club: AutomatedEvent) -> None:
    """A director gives places; the others follow in the order that was announced; places can be taken back."""
    await club.planned(SWISS, range(11, 16))

    async def seed(person: int, place: int) -> tuple[int, ...]:
        tournament = await club.tournaments.registration.seed(club.id, DIRECTOR, club.source(), person, place)
        return await club.tournaments.registration.order(tournament)

    assert (15, 11, 12, 13, 14) == await seed(15, 1)
    assert (15, 12, 11, 13, 14) == await seed(11, 3)
    with pytest.raises(Refused, match="Someone else already has that place"):
        await seed(12, 1)
    assert (12, 15, 11, 13, 14) == (await seed(15, 0), await seed(12, 1), await seed(15, 2))[-1]
    last = (await club.load()).last
    await seed(13, 0)  # who has none
    assert last == (await club.load()).last
    with pytest.raises(Refused, match="not entered"):
        await seed(99, 1)
    tournament = await club.start()
    assert [12, 15, 11, 13, 14] == [tournament.state.by_number[number].person for number in range(1, 6)]
    with pytest.raises(Refused, match="begun already"):
        await seed(11, 1)
