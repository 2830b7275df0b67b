"""Tournaments that run by themselves, over a store, on a clock that goes when told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.chat.tournaments import schedule_texts
from bot.games.model.errors import Duplicate, Refused
from bot.i18n import _ as in_words
from bot.i18n import speaking
from bot.support.time_units import DAY, HOUR, MINUTE
from bot.tournaments import automation
from bot.tournaments.errors import TournamentError
from bot.tournaments.model.events import Halted, Kind, Limited, Scheduled, Scored, TournamentSettings
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark, drawn_pending
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.use_cases.finalise import TIMER
from data.queries import timers as timer_queries
from tests.support.tournaments.automated_event import AutomatedEvent
from tests.support.tournaments.event import DIRECTOR

SWISS = TournamentSettings(Kind.SWISS, rounds=3)


async def test_from_start_to_podium_by_itself(club: AutomatedEvent) -> None:
    """It begins at its time, its rounds follow each other after the pause, and it ends; nobody directs."""
    start = club.now + 2 * HOUR
    await club.planned(SWISS, range(11, 17), Scheduled(start, pause=10))
    await club.pass_time(start - 1)
    assert Phase.ENTRIES is (await club.load()).state.phase
    await club.pass_time(start)
    for number in (1, 2, 3):
        assert number == await club.round_number()
        await club.play_out()
        await club.pass_time(club.now + 10 * MINUTE - 1)
        assert number == await club.round_number()
        assert Phase.RUNNING is (await club.load()).state.phase
        await club.pass_time(club.now + 1)
    tournament = await club.load()
    assert Phase.OVER is tournament.state.phase
    assert ("podium", 0) in await club.wanted()
    assert {SYSTEM} == {event.by for event in tournament.events if type(event.action).__name__ in ("Started", "Ended")}


async def test_too_few_players(club: AutomatedEvent) -> None:
    """With fewer than the least number it is called off, and says so."""
    start = club.now + HOUR
    await club.planned(SWISS, range(11, 14), Scheduled(start), Limited(least=4))
    await club.pass_time(start)
    tournament = await club.load()
    assert tournament.state.cancelled is not None
    assert (3, 4) == (tournament.state.cancelled.there, tournament.state.cancelled.needed)
    assert ("over", Phase.OVER) == (tournament.status, tournament.state.phase)
    assert ("cancelled", 0) in await club.wanted()
    with pytest.raises(Refused, match="Entries are closed"):
        await club.tournaments.registration.join(club.id, 20, club.source())
    await club.pass_time(start + 9 * DAY)


async def test_the_director_moves_the_start(club: AutomatedEvent) -> None:
    """It begins at the new time alone; times that are over, and other people's wishes, are refused."""
    start = club.now + HOUR
    await club.planned(SWISS, range(11, 15), Scheduled(start))
    tournaments = club.tournaments

    async def move(to: int, by: int = DIRECTOR) -> None:
        await tournaments.administration.schedule(club.id, by, club.source(), lambda timing: replace(timing, start=to))

    with pytest.raises(Refused, match="Only a director"):
        await move(start + DAY, by=11)
    with pytest.raises(Refused, match="has passed"):
        await move(club.now - 1)
    with pytest.raises(Refused, match="a year"):
        await move(club.now + 400 * DAY)
    with pytest.raises(Refused, match="Make it shorter, or start the tournament later"):
        await tournaments.administration.schedule(
            club.id, DIRECTOR, club.source(), lambda timing: replace(timing, check_in=61)
        )
    await move(start + DAY)
    await club.pass_time(start + HOUR)
    assert Phase.ENTRIES is (await club.load()).state.phase
    await club.pass_time(start + DAY)
    assert Phase.RUNNING is (await club.load()).state.phase
    with pytest.raises(Refused, match="only the pause"):
        await move(club.now + DAY)


async def test_a_check_in_that_opened_late_lasts_as_long(club: AutomatedEvent) -> None:
    """A bot that was away when the check-in was to open gives everybody the whole of it."""
    start = club.now + 2 * HOUR
    await club.planned(SWISS, range(11, 15), Scheduled(start, check_in=30))
    club.now = start + MINUTE
    await club.pass_time(club.now)
    tournament = await club.load()
    assert (Phase.ENTRIES, True) == (tournament.state.phase, tournament.state.check_in_open)
    await club.check_in(11, 12, 13)
    await club.pass_time(start + 30 * MINUTE)
    assert Phase.ENTRIES is (await club.load()).state.phase
    await club.pass_time(start + 31 * MINUTE)
    assert 3 == len((await club.load()).state.by_number)


async def test_a_live_event_that_begins_late_calls_its_players_first(club: AutomatedEvent) -> None:
    """Where the bot was away at the start of an evening, those who are still there are asked; by days it begins."""
    start = club.now + 2 * HOUR
    await club.planned(SWISS, range(11, 15), Scheduled(start), clock="10+5")
    club.now = start + HOUR
    await club.pass_time(club.now)
    tournament = await club.load()
    assert (Phase.ENTRIES, True) == (tournament.state.phase, tournament.state.check_in_open)
    assert ("checkin", 0) in await club.wanted()
    await club.check_in(12, 13)
    await club.pass_time(start + HOUR + 15 * MINUTE)
    tournament = await club.load()
    assert {12, 13} == {entrant.person for entrant in tournament.state.by_number.values()}
    start = club.now + HOUR
    await club.planned(SWISS, range(11, 15), Scheduled(start))
    club.now = start + HOUR
    await club.pass_time(club.now)
    assert 4 == len((await club.load()).state.by_number)


async def test_dates_and_adjudication(club: AutomatedEvent) -> None:
    """At the deadline the directors are told twice, and the next round waits for their verdict."""
    await club.planned(SWISS, range(11, 15), Scheduled(days=10), clock="14d")
    await club.start()
    begun = club.now
    tournament = await club.load()
    first, second = tournament.games
    await club.resign(first.game_id, max(first.white, first.black))
    await club.play_some(second.game_id)
    await club.pass_time(begun + 9 * DAY)
    assert ("near", 1) in await club.wanted()
    await club.pass_time(begun + 10 * DAY)
    assert ("date", 1) in await club.wanted()
    await club.pass_time(begun + 11 * DAY)
    assert 1 == await club.round_number()
    tournaments, source = club.tournaments, club.source()
    with pytest.raises(Refused, match="Only a director"):
        await tournaments.administration.adjudicate(club.id, 11, club.source(), second.game_id, 0)
    with pytest.raises(Refused, match="not a running two-player game"):
        await tournaments.administration.adjudicate(club.id, DIRECTOR, club.source(), first.game_id, 0)
    tournament = await tournaments.administration.adjudicate(club.id, DIRECTOR, source, second.game_id, None)
    with pytest.raises(Duplicate):
        await tournaments.administration.adjudicate(club.id, DIRECTOR, source, second.game_id, None)
    assert (Mark.DRAW, Mark.DRAW) == tournament.state.results[1, second.white, second.black]
    assert "adjudicated" == next(e.reason for e in reversed(tournament.events) if isinstance(e.action, Scored))
    assert "aborted" == (await club.games.game(second.game_id)).status
    await club.pass_time(club.now)
    assert 2 == await club.round_number()


async def test_an_outage_moves_the_last_date(club: AutomatedEvent) -> None:
    """As long as the bot was out of reach, so much later the directors are told, and the round's post says so; what
    was stopped goes on by itself all the same."""
    await club.planned(SWISS, range(11, 15), Scheduled(days=10), clock="14d")
    await club.start()
    begun = club.now
    for link in (await club.load()).games:
        await club.play_some(link.game_id)
    for post in await club.tournaments.messages.pending(club.id):
        await club.tournaments.messages.mark_posted(post, 5)
    await club.games.outages.alive()
    club.now += 4 * DAY
    assert 4 * DAY == await club.games.outages.resume()
    assert {("round", 1)} == await club.wanted()
    await club.pass_time(begun + 13 * DAY - 1)
    assert {("round", 1)} == await club.wanted()
    await club.pass_time(begun + 13 * DAY)
    assert ("near", 1) in await club.wanted()
    assert ("date", 1) not in await club.wanted()
    await club.pass_time(begun + 14 * DAY)
    assert ("date", 1) in await club.wanted()


async def test_rounds_go_by_their_dates(club: AutomatedEvent) -> None:
    """Without a pause the next round begins at the date, though all games are over; a changed date is kept to."""
    await club.planned(SWISS, range(11, 15), Scheduled(days=5))
    await club.start()
    begun = club.now
    await club.play_out()
    await club.pass_time(begun + 5 * DAY - 1)
    assert 1 == await club.round_number()
    await club.tournaments.administration.schedule(
        club.id, DIRECTOR, club.source(), lambda timing: replace(timing, days=6)
    )
    await club.pass_time(begun + 6 * DAY - 1)
    assert 1 == await club.round_number()
    await club.pass_time(begun + 6 * DAY)
    assert 2 == await club.round_number()


@pytest.mark.parametrize(
    ("plan", "variant"),
    [(SWISS, "pinoy"), (TournamentSettings(Kind.TABLES, rounds=2, table_size=4), "chinese-checkers")],
)
async def test_changed_dates_are_shown(club: AutomatedEvent, plan: TournamentSettings, variant: str) -> None:
    """The announcement and the round that is played tell the new deadline, in a tournament of tables as well."""
    await club.planned(plan, range(11, 15), Scheduled(days=5), variant=variant)
    await club.start()
    for post in await club.tournaments.messages.pending(club.id):
        await club.tournaments.messages.mark_posted(post, 5)
    await club.tournaments.administration.schedule(
        club.id, DIRECTOR, club.source(), lambda timing: replace(timing, days=6)
    )
    assert {("announcement", 0), ("round", 1)} == await club.wanted()


async def test_games_carried_on_count_as_drawn_for_pairing_alone(club: AutomatedEvent) -> None:
    """The next round is paired as if the game were drawn; later its true result counts."""
    await club.planned(SWISS, range(11, 15), Scheduled(days=3, carry=True), clock="14d")
    await club.start()
    begun = club.now
    first, second = (await club.load()).games
    await club.resign(first.game_id, max(first.white, first.black))
    await club.play_some(second.game_id)
    with pytest.raises(Refused, match="1 game is still in progress, until"):
        await club.pair()
    await club.pass_time(begun + 3 * DAY)
    tournament = await club.load()
    assert 2 == tournament.state.rounds_paired
    assert (1, second.white, second.black) in tournament.state.unfinished
    drawn = drawn_pending(tournament.state.record)
    assert {Mark.DRAW} == {drawn.players[n].rounds[0].mark for n in (second.white, second.black)}  # type: ignore[union-attr]
    top = min(first.white, first.black)
    leaders = next(game for game in tournament.state.paired[2].games if top in game)
    assert set(leaders) - {top} <= {second.white, second.black}
    await club.games.moves.resign(second.game_id, tournament.state.by_number[second.white].person, club.source())
    tournament = await club.load()
    assert (Mark.LOSS, Mark.WIN) == tournament.state.results[1, second.white, second.black]
    assert ("round", 1) in await club.wanted()


async def test_all_games_at_once(club: AutomatedEvent) -> None:
    """A round robin whose games all begin together; who leaves loses what is not over; it ends by itself."""
    plan = TournamentSettings(Kind.ROUND_ROBIN, limit=8)
    await club.planned(plan, range(11, 16), Scheduled(at_once=True, pause=0))
    await club.start()
    tournament = await club.load()
    assert (10, 5) == (len(tournament.games), tournament.state.rounds_paired)
    assert not [post for post in await club.wanted() if post[0] == "round"]
    await club.tournaments.registration.leave(club.id, 15, 15, club.source())
    tournament = await club.load()
    assert 4 == sum(game.status == "aborted" for game in tournament.games)
    assert not tournament.state.no_shows
    await club.play_out()
    await club.pass_time(club.now)
    assert Phase.OVER is (await club.load()).state.phase
    with pytest.raises(Refused, match="up to 16"):
        await club.planned(replace(plan, limit=0), range(0), Scheduled(at_once=True))
    with pytest.raises(Refused, match="Only in a round robin"):
        await club.planned(SWISS, range(0), Scheduled(at_once=True))
    with pytest.raises(Refused, match="With a live clock nobody can play all games at once"):
        await club.planned(plan, range(0), Scheduled(at_once=True), clock="5+3")
    await club.planned(plan, range(0), clock="5+3")
    with pytest.raises(Refused, match="With a live clock nobody can play all games at once"):
        await club.tournaments.administration.schedule(
            club.id, DIRECTOR, club.source(), lambda was: replace(was, at_once=True)
        )


async def test_an_elimination_ends_by_itself(club: AutomatedEvent) -> None:
    """After the final and the pause it is over."""
    await club.planned(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15), Scheduled(club.now + HOUR, pause=5))
    await club.pass_time(club.now + HOUR)
    await club.play_out()
    assert Phase.RUNNING is (await club.load()).state.phase
    await club.pass_time(club.now + 5 * MINUTE)
    assert Phase.OVER is (await club.load()).state.phase


@pytest.mark.parametrize("kind", [Kind.TABLES, Kind.ARENA])
async def test_other_kinds_begin_by_themselves(club: AutomatedEvent, kind: Kind) -> None:
    """Tables and arenas begin at their time, and tables need three."""
    start = club.now + HOUR
    if kind is Kind.ARENA:
        plan, more = TournamentSettings(kind, minutes=60), {"clock": "5+3"}
    else:
        plan, more = TournamentSettings(kind, rounds=2), {"variant": "chinese-checkers"}
    await club.planned(plan, range(11, 13), Scheduled(start, pause=0), **more)
    await club.pass_time(start - 1)
    if kind is Kind.TABLES:
        await club.pass_time(start)
        assert Phase.OVER is (await club.load()).state.phase
        start = club.now + HOUR
        await club.planned(plan, range(11, 15), Scheduled(start, pause=0), **more)
    await club.pass_time(start)
    tournament = await club.load()
    assert Phase.RUNNING is tournament.state.phase
    assert (kind is Kind.TABLES) == (1 == tournament.state.rounds_paired)


async def test_a_round_that_cannot_be_paired(club: AutomatedEvent) -> None:
    """Where nobody is left to be paired, the directors are told once, and nothing is tried for ever."""
    await club.planned(TournamentSettings(Kind.SWISS, rounds=3), range(11, 14), Scheduled(pause=0))
    await club.start()
    await club.play_out()
    for person in (11, 12, 13):
        await club.tournaments.registration.leave(club.id, person, person, club.source())
    await club.pass_time(club.now + DAY)
    tournament = await club.load()
    assert 1 == sum(isinstance(event.action, Halted) for event in tournament.events)
    assert ("stopped", 1) in await club.wanted()
    async with club.store.read() as tx:
        assert await timer_queries.get(tx, TIMER, club.id) is None


async def test_a_step_is_done_once(club: AutomatedEvent) -> None:
    """The same step asked for again and again, at one moment and after a restart, is done once."""
    start = club.now + HOUR
    await club.planned(SWISS, range(11, 17), Scheduled(start, pause=0))
    club.now = start
    for _ in range(3):
        await automation.time_passed(club.tournaments, club.id)
    assert 3 == len((await club.load()).games)
    await club.play_out()
    for _ in range(3):
        await automation.time_passed(club.tournaments, club.id)
    tournament = await club.load()
    assert (2, 6) == (tournament.state.rounds_paired, len(tournament.games))


async def test_a_server_that_has_removed_the_bot_is_waited_for(club: AutomatedEvent) -> None:
    """Nothing begins where nobody can play; when the bot is back, it does."""
    start = club.now + HOUR
    await club.planned(SWISS, range(11, 15), Scheduled(start))
    await club.games.privacy.server_gone(7)
    await club.pass_time(start + 3 * HOUR)
    assert Phase.ENTRIES is (await club.load()).state.phase
    await club.games.privacy.server_back(7)
    await club.pass_time(start + 5 * HOUR)
    assert Phase.RUNNING is (await club.load()).state.phase


async def test_a_start_that_is_refused_is_told(club: AutomatedEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not tried again and again in silence: the directors are told once, in words that can be said in their
    language, why and what to do; begun by hand it goes on by itself."""
    start = club.now + HOUR
    await club.planned(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15), Scheduled(start, pause=0))
    work = club.tournaments.work
    pairs = work.in_thread

    async def refuses(_work: Callable[[], Any]) -> Any:
        raise TournamentError(in_words("The round cannot be paired."))

    monkeypatch.setattr(work, "in_thread", refuses)
    with speaking("es"):
        await club.pass_time(start + DAY)
    tournament = await club.load()
    assert [Halted(0, "The round cannot be paired.")] == [
        event.action for event in tournament.events if isinstance(event.action, Halted)
    ]
    assert ("stopped", 0) in await club.wanted()
    with speaking("es"):
        told, beginnings = schedule_texts.call(tournament, "stopped", 0)
    assert told.endswith(
        "no puede empezar solo. La ronda no se puede emparejar. "
        "Cambia en *Organizar* lo que lo impide y pulsa *Empezar*."
    )
    assert told.startswith(beginnings)

    monkeypatch.setattr(work, "in_thread", pairs)
    await club.start()
    await club.play_out()
    await club.pass_time(club.now + HOUR)
    assert 2 == (await club.load()).state.rounds_paired
