"""What directors are told who begin or pair a tournament that is not there to be begun or paired."""

from __future__ import annotations

import pytest

from bot.games.model.errors import Refused
from bot.tournaments.model.events import Kind, TournamentSettings
from data.store import Store
from tests.support.tournaments.event import DIRECTOR, Event

KINDS = {
    Kind.SWISS: TournamentSettings(Kind.SWISS, rounds=3),
    Kind.TABLES: TournamentSettings(Kind.TABLES, rounds=3),
    Kind.ARENA: TournamentSettings(Kind.ARENA, minutes=60),
    Kind.ROUND_ROBIN: TournamentSettings(Kind.ROUND_ROBIN),
    Kind.DOUBLE_ROUND_ROBIN: TournamentSettings(Kind.DOUBLE_ROUND_ROBIN),
    Kind.SINGLE_ELIMINATION: TournamentSettings(Kind.SINGLE_ELIMINATION),
    Kind.DOUBLE_ELIMINATION: TournamentSettings(Kind.DOUBLE_ELIMINATION),
}


async def opened(store: Store, kind: Kind) -> Event:
    """A tournament that nobody has entered."""
    club = Event(store)
    star = {"variant": "chinese-checkers", "clock": "3d"} if kind is Kind.TABLES else {}
    more = {"clock": "5+3"} if kind is Kind.ARENA else {}
    await club.open(KINDS[kind], range(0), **star, **more)
    return club


@pytest.mark.parametrize("kind", KINDS)
async def test_what_has_not_begun_is_not_paired(store: Store, kind: Kind) -> None:
    """Whatever its kind, a director is told that it is not running, before the start and after it was called off."""
    club = await opened(store, kind)
    for _ in range(2):
        with pytest.raises(Refused, match="The tournament is not running"):
            await club.pair()
        if (await club.load()).status == "entries":
            await club.tournaments.administration.cancel(club.id, DIRECTOR, club.source())


@pytest.mark.parametrize("kind", KINDS)
async def test_what_was_called_off_does_not_begin(store: Store, kind: Kind) -> None:
    """Nor is it told that too few have entered: that is said as long as somebody may enter."""
    club = await opened(store, kind)
    with pytest.raises(Refused, match="players are needed to start"):
        await club.start()
    await club.tournaments.administration.cancel(club.id, DIRECTOR, club.source())
    with pytest.raises(Refused, match="is cancelled"):
        await club.start()


async def test_who_joins_at_that_moment_plays(store: Store) -> None:
    """An entry between the look at the tournament and its start holds nothing up."""
    club = Event(store)
    await club.open(KINDS[Kind.SWISS], range(11, 14))
    before = await club.load()
    await club.tournaments.registration.join(club.id, 14, club.source())
    begun = await club.tournaments.direction.start(club.id, DIRECTOR, club.source(), before=before)
    assert {11, 12, 13, 14} == {entrant.person for entrant in begun.state.by_number.values()}
