"""An event is played by the rules that it was announced with, whatever becomes of them meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.background.nightly import tidy
from bot.engine import variants
from bot.engine.ruleset import Ruleset
from bot.games.model.errors import Refused
from bot.games.persistence.integrity import check_rulesets
from bot.tournaments.leagues.model import LeaguePlan
from bot.tournaments.model.events import Kind, TournamentSettings
from bot.tournaments.use_cases import direction
from data.store import Store
from tests.support.tournaments.competitions import NEW, CompetitionClub
from tests.support.tournaments.event import DIRECTOR, Event

TEXT = variants.shipped("tama").text.replace("Tama (Armenian draughts)", "House dama")
OTHER = TEXT.replace("turn_back = false", "turn_back = true")


async def announced(club: Event) -> None:
    """A Swiss of the server's own game, entered by four."""
    own = await club.games.variants.add(7, "house", TEXT)
    new = direction.NewTournament(
        director=DIRECTOR,
        name="Autumn",
        ruleset=own.ruleset,
        options={},
        clock="3d",
        rated=True,
        place=NEW.place,
        plan=TournamentSettings(Kind.SWISS, rounds=2),
        seeding="entry",
    )
    club.id = (await club.tournaments.direction.create(new, club.source())).id
    for person in range(11, 15):
        await club.tournaments.registration.join(club.id, person, club.source())


async def test_a_tournament_keeps_the_rules_that_it_was_announced_with(store: Store) -> None:
    """The variant is changed before the first round, and removed before the second: all games are played by the text
    that stood when people entered."""
    club = Event(store)
    await announced(club)
    await club.games.variants.edit(7, "house", OTHER)
    await club.start()
    await club.games.variants.remove(7, "house")
    await tidy(store, club.clock)
    await club.play_out()
    await club.pair()
    tournament = await club.load()
    assert Ruleset("house@7", TEXT) == tournament.ruleset
    played = [(await club.games.game(link.game_id)).rules.variant.ruleset.text for link in tournament.games]
    assert [TEXT] * 4 == played
    assert [] == await club.check()


async def test_a_league_keeps_them_over_its_seasons(store: Store) -> None:
    """What is played in it is what it was announced with."""
    club = CompetitionClub(store)
    own = await club.games.variants.add(7, "house", TEXT)
    league = await club.leagues.create(replace(NEW, ruleset=own.ruleset), LeaguePlan(), club.source())
    await club.games.variants.remove(7, "house")
    await tidy(store, club.clock)
    assert own.ruleset == (await club.leagues.competitions.load(league.id)).ruleset


async def test_an_event_whose_rules_are_lost_says_so(store: Store) -> None:
    """No other rules are put in their place."""
    club = Event(store)
    await announced(club)
    async with store.write() as tx:
        await tx.execute(sa.text("DELETE FROM server_variants"))
        await tx.execute(sa.text("DELETE FROM rulesets"))
    with pytest.raises(Refused, match="The rules of Autumn are no longer known here"):
        await club.load()
    assert ["Tournament 1: the text of its rules is missing."] == await check_rulesets(store)


async def test_a_text_that_was_changed_in_the_store_is_found(store: Store) -> None:
    """`damero check-store` names it; nothing is wrong before."""
    club = Event(store)
    await announced(club)
    assert [] == await check_rulesets(store)
    async with store.write() as tx:
        await tx.execute(sa.text("UPDATE rulesets SET text = text || ' '"))
    (found,) = await check_rulesets(store)
    assert f"Rules {Ruleset('', TEXT).hash[:12]}: the text is another than it was kept as." == found
