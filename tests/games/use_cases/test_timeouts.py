from __future__ import annotations

from dataclasses import replace
from datetime import time

import pytest
import sqlalchemy as sa

from bot.background.game_timers import handlers_for
from bot.background.scheduler import TOGETHER, Scheduler
from bot.games.model.announcements import Note
from bot.games.model.errors import Refused, TimeUp
from bot.games.model.game import Game, Place
from bot.games.model.preferences import Preferences
from bot.i18n import LANGUAGES, clock, speaking
from bot.i18n import _ as translated
from bot.support.time_units import DAY, HOUR, MINUTE
from tests.support.games.club import ANA, BEN, CAT, DAN, Club, payload


async def begun(club: Club, clock: str = "3d", channel: int = 70) -> Game:
    """A game in which both have made their first move; Ana is to move."""
    game = await club.started(clock=clock, place=Place(7, channel))
    return await club.play(game, "c3-d4", "b6-a5")


async def reminded(club: Club, game: Game) -> list[tuple[str, int]]:
    """The reminders that a game has sent, with whom they are for."""
    return [(payload(one)["stage"], payload(one)["to"]) for one in await club.said(game) if one.kind == "reminder"]


async def test_the_end_of_time_ends_the_game_once(club: Club) -> None:
    """The deadline is the server's work: Ana has lost, both are told by one post, and nothing more happens."""
    game = await begun(club)

    await club.pass_time(club.now + 4 * DAY)

    game = await club.games.game(game.id)
    assert "finished" == game.status
    assert game.result is not None
    assert (1, "White ran out of time") == (game.result.winner, game.result.reason)
    ends = [one for one in await club.said(game) if payload(one).get("event") == "timeout"]
    assert [[ANA, BEN]] == [payload(one)["tell"] for one in ends]
    assert [] == await club.check()


async def test_the_board_says_until_when(club: Club) -> None:
    """Each board carries the deadline of whoever is to move."""
    game = await begun(club)
    boards = [one for one in await club.said(game) if one.kind == "board"]
    assert [club.now + 2 * DAY, club.now + 2 * DAY, club.now + 3 * DAY] == [payload(one)["due"] for one in boards]
    assert club.now + 3 * DAY == await club.games.timeouts.due(game.id)


async def test_a_first_move_that_is_not_made_calls_the_game_off(club: Club) -> None:
    """48 hours, whatever the clock; the game does not count, and both are told."""
    game = await club.started(clock="14d")

    await club.pass_time(club.now + 2 * DAY - 1)
    assert "running" == (await club.games.game(game.id)).status
    await club.pass_time(club.now + 1)

    game = await club.games.game(game.id)
    assert "aborted" == game.status
    (note,) = [one for one in await club.said(game) if one.kind == "note"]
    assert [ANA, BEN] == payload(note)["tell"]


async def test_a_game_without_a_clock_has_no_timers(club: Club) -> None:
    """Nothing falls due in it, ever."""
    await club.started()
    assert 0 == await club.count("timers")


async def test_a_move_that_comes_too_late_is_refused(club: Club) -> None:
    """Between the end of the time and the timer's work no move slips through."""
    game = await begun(club)
    await club.deliver()
    club.now += 3 * DAY
    with pytest.raises(TimeUp, match="comes too late"):
        await club.play(game, "d4-e5")


async def test_an_outage_moves_the_deadline(club: Club) -> None:
    """The bot was away past the deadline: the player has as much time as when it went."""
    game = await begun(club)
    await club.deliver()
    club.now += 2 * DAY
    await club.games.outages.alive()
    club.now += 5 * DAY

    assert 5 * DAY == await club.games.outages.resume()
    await club.pass_time(club.now)
    assert "running" == (await club.games.game(game.id)).status
    await club.pass_time(club.now + DAY - 1)
    assert "running" == (await club.games.game(game.id)).status
    await club.pass_time(club.now + 2)
    assert "finished" == (await club.games.game(game.id)).status
    assert [] == await club.check()


async def test_a_board_that_cannot_be_posted_stops_the_clock(club: Club) -> None:
    """Discord is out of reach for five days: the time of whoever could not see the board begins when it is posted."""
    game = await begun(club)
    made = club.now
    for _ in range(5 * 24):
        club.now += HOUR
        await club.games.timeouts.time_passed(game.id)
    assert "running" == (await club.games.game(game.id)).status
    async with club.store.write() as tx:
        await tx.execute(
            sa.text("UPDATE announcements SET state = 'sent', done_at = :now, message_id = 1, channel_id = 1"),
            {"now": club.now},
        )
    await club.pass_time(made + 8 * DAY - MINUTE - 1)
    assert "running" == (await club.games.game(game.id)).status

    await club.pass_time(made + 8 * DAY)

    assert "finished" == (await club.games.game(game.id)).status
    assert [] == await club.check()


async def test_a_restart_is_no_outage(club: Club) -> None:
    """Half a minute away gives nobody anything."""
    await club.games.outages.resume()
    club.now += 30_000
    await club.games.outages.resume()
    assert 0 == await club.count("outages")


async def test_reminders_come_at_half_at_four_fifths_and_at_the_last_two_hours(club: Club) -> None:
    """Of a turn of three days: after 36 hours, after 57.6, and two hours before the end."""
    game, start = await begun(club), club.now
    expected = [("half", 36 * HOUR), ("most", 57 * HOUR + 36 * MINUTE), ("last", 70 * HOUR)]
    for number, (stage, after) in enumerate(expected, start=1):
        await club.pass_time(start + after - 1)
        assert number - 1 == len(await reminded(club, game))
        await club.pass_time(start + after)
        assert (stage, ANA) == (await reminded(club, game))[-1]


@pytest.mark.parametrize("clock", ["3d", "brisk"])
async def test_a_move_that_is_taken_back_is_reminded_of_once(club: Club, clock: str) -> None:
    """Its second try goes on with the time of the first: what is told at half was told, and four fifths come when so
    much of the three days is used."""
    game, start = await begun(club, clock), club.now
    await club.pass_time(start + 40 * HOUR)
    assert [("half", ANA)] == await reminded(club, game)
    await club.games.moves.turn(game.id, ANA, "d4-e5", club.source())
    await club.pass_time(start + 60 * HOUR)
    await club.games.offers.ask_takeback(game.id, ANA, club.source())
    await club.games.offers.answer("takeback", game.id, BEN, True, club.source())
    assert club.now + 32 * HOUR == await club.games.timeouts.due(game.id)
    again = club.now
    expected = [("half", ANA), ("most", ANA), ("last", ANA)]
    for after, many in ((17 * HOUR + 35 * MINUTE, 1), (17 * HOUR + 36 * MINUTE, 2), (30 * HOUR, 3)):
        await club.pass_time(again + after)
        assert expected[:many] == [each for each in await reminded(club, game) if each[1] == ANA]


async def test_who_leaves_meanwhile_brings_no_reminder_anew(club: Club) -> None:
    """The time for a move goes on as it was: half of it is told once."""
    game = await club.challenge(ANA, None, "counting-3", side=None, clock="brisk")
    for player in (BEN, CAT):
        game = await club.games.challenges.accept(game.id, player, club.source())
    game = await club.play(game, "1", "1", "1")
    start, mover = club.now, game.to_move
    await club.pass_time(start + 40 * HOUR)
    await club.games.moves.resign(game.id, next(each for each in (BEN, CAT) if each != mover), club.source())
    for after, stages in ((57 * HOUR, ["half"]), (58 * HOUR, ["half", "most"])):
        await club.pass_time(start + after)
        assert stages == [stage for stage, to in await reminded(club, game) if to == mover]


async def test_a_live_clock_reminds_nobody(club: Club) -> None:
    """Minutes are over before a reminder is read."""
    game = await begun(club, "5+3")
    await club.pass_time(club.now + 10 * MINUTE)
    assert [] == await reminded(club, game)
    assert "finished" == (await club.games.game(game.id)).status


async def test_whoever_has_looked_is_not_reminded(club: Club) -> None:
    """Ana opens the board after a day: no reminder at half. She does not look again: one at four fifths."""
    game, start = await begun(club), club.now
    await club.pass_time(start + DAY)
    await club.games.timeouts.looked_at(game.id, ANA)

    await club.pass_time(start + 60 * HOUR)

    assert [("most", ANA)] == await reminded(club, game)


async def test_each_reminder_can_be_muted(club: Club) -> None:
    """Ana wants to hear of the last two hours only."""
    await club.games.preferences.change(ANA, lambda w: replace(w, muted=frozenset({"half", "most"})), club.source())
    game = await begun(club)

    await club.pass_time(club.now + 71 * HOUR)

    assert [("last", ANA)] == await reminded(club, game)


async def test_quiet_hours_hold_reminders_back_but_no_clock(club: Club) -> None:
    """A reminder that falls in the night is sent in the morning; a deadline in the night ends the game."""
    game, start = await begun(club), club.now
    half = start + 36 * HOUR
    minute = half // MINUTE % 1440
    quiet = ((minute - 60) % 1440, (minute + 120) % 1440)
    await club.games.preferences.change(ANA, lambda w: replace(w, quiet=quiet), club.source())

    await club.pass_time(half + HOUR)
    assert [] == await reminded(club, game)
    await club.pass_time(half + 2 * HOUR)
    assert [("half", ANA)] == await reminded(club, game)
    await club.pass_time(start + 3 * DAY)
    assert "finished" == (await club.games.game(game.id)).status


async def test_a_board_in_quiet_hours_pings_in_the_morning(club: Club) -> None:
    """The board is posted at once, without a ping; if it still waits when the night is over, there is one reminder."""
    minute = club.now // MINUTE % 1440
    await club.games.preferences.change(BEN, lambda w: replace(w, quiet=(minute, (minute + 90) % 1440)), club.source())
    game = await club.play(await club.started(clock="3d"), "c3-d4")
    board = [one for one in await club.said(game) if one.kind == "board"][-1]
    assert payload(board)["ping"] is None

    await club.pass_time(club.now + 90 * MINUTE)

    assert [("turn", BEN)] == await reminded(club, game)


async def test_many_games_make_one_digest_a_day(club: Club) -> None:
    """With six games waiting Ana gets no reminders but one list a day, the most urgent first."""
    games = [await begun(club, "7d", 70 + n) for n in range(6)]
    start = club.now

    await club.pass_time(start + 5 * DAY)

    said = [one for game in games for one in await club.said(game) if one.kind in ("reminder", "digest")]
    assert {"digest"} == {one.kind for one in said}
    assert 2 == len(said)  # the first at half of seven days, the next a day later
    assert [game.id for game in games] == [one["game"] for one in payload(said[0])["games"]]
    assert (6, ANA) == (payload(said[0])["count"], payload(said[0])["to"])


async def test_a_damaged_game_is_on_no_list(club: Club) -> None:
    """Of seven games the most urgent cannot be replayed: the list of the other six comes."""
    games = [await begun(club, "7d", 70 + n) for n in range(7)]
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE turns SET text = 'a1-a8' WHERE game_id = :id"), {"id": games[0].id})
    club.games._work.repository.forget(games[0].id)

    await club.pass_time(club.now + 4 * DAY)

    (said,) = [one for game in games[1:] for one in await club.said(game) if one.kind == "digest"]
    assert [game.id for game in games[1:]] == [one["game"] for one in payload(said)["games"]]


async def test_a_vacation_stops_ones_own_clock_in_all_casual_games(club: Club) -> None:
    """Ana leaves for five days: her deadline moves by them, Ben's does not, and both games are told."""
    hers = await begun(club, "3d", 70)
    his = await club.play(await begun(club, "3d", 71), "d4-e5")
    start = club.now

    vacation, told = await club.games.vacations.start_vacation(ANA, club.source())
    assert {hers.id, his.id} == {game.id for game in told}
    assert 20 * DAY == vacation.left
    await club.pass_time(start + 5 * DAY)
    vacation, _ = await club.games.vacations.stop_vacation(ANA, club.source())

    assert 15 * DAY == vacation.left
    assert start + 8 * DAY == await club.games.timeouts.due(hers.id)
    assert "finished" == (await club.games.game(his.id)).status
    assert "running" == (await club.games.game(hers.id)).status
    notes = [one.content.sentence for one in await club.said(hers) if isinstance(one.content, Note)]
    assert ["is on vacation", "is back from vacation"] == [
        phrase
        for phrase, note in zip(["is on vacation", "is back from vacation"], notes, strict=True)
        if phrase in note
    ]
    assert [] == await club.check()


async def test_vacation_is_counted_in_hours_and_runs_out(club: Club) -> None:
    """Ten minutes are an hour; after twenty days time runs again by itself, and no more can be taken."""
    game = await begun(club)
    await club.games.vacations.start_vacation(ANA, club.source())
    with pytest.raises(Refused, match="You are already on vacation"):
        await club.games.vacations.start_vacation(ANA, club.source())
    club.now += 10 * MINUTE
    vacation, _ = await club.games.vacations.stop_vacation(ANA, club.source())
    assert 20 * DAY - HOUR == vacation.left
    with pytest.raises(Refused, match="not on vacation"):
        await club.games.vacations.stop_vacation(ANA, club.source())

    start = club.now
    await club.games.vacations.start_vacation(ANA, club.source())
    await club.pass_time(start + 25 * DAY)

    assert "finished" == (await club.games.game(game.id)).status
    with pytest.raises(Refused, match="used all 20 days"):
        await club.games.vacations.start_vacation(ANA, club.source())


async def test_a_vacation_may_be_given_its_end(club: Club) -> None:
    """It ends at the moment that was asked for, and those days are used; none that is past, or more than is left."""
    game = await begun(club)
    start = club.now
    for wanted, why in ((start, "That moment has passed"), (start + 20 * DAY + 1, "not have that much vacation left")):
        with pytest.raises(Refused, match=why):
            await club.games.vacations.start_vacation(ANA, club.source(), wanted)

    vacation, _ = await club.games.vacations.start_vacation(ANA, club.source(), start + 5 * DAY)
    assert start + 5 * DAY == vacation.until
    await club.pass_time(start + 6 * DAY)

    assert [5 * DAY, None] == [20 * DAY - (stands := await club.games.vacations.vacation(ANA)).left, stands.until]
    assert start + 8 * DAY == await club.games.timeouts.due(game.id)
    notes = [one.content.sentence for one in await club.said(game) if isinstance(one.content, Note)]
    assert "vacation is over" in notes[-1]
    assert [] == await club.check()


async def test_a_takeback_gives_no_time_back(club: Club) -> None:
    """The clocks after a takeback: the asker's thinking stays spent, the record replays to the same."""
    game = await begun(club)
    await club.deliver()
    club.now += 2 * DAY
    game = await club.play(game, "d4-e5")
    await club.games.offers.ask_takeback(game.id, ANA, club.source())
    game = await club.games.offers.answer("takeback", game.id, BEN, True, club.source())

    assert game.clock is not None
    assert (DAY, 3 * DAY) == game.clock.left
    assert club.now + DAY == await club.games.timeouts.due(game.id)
    assert [] == await club.check()


async def test_a_first_move_taken_back_gives_no_time(club: Club) -> None:
    """The 48 hours of the first move are not given anew by a slip."""
    game = await club.started(clock="3d")
    due = await club.games.timeouts.due(game.id)
    await club.pass_time(club.now + 47 * HOUR)
    game = await club.play(game, "c3-d4")

    await club.games.moves.undo(game.id, ANA, club.source())

    assert due == await club.games.timeouts.due(game.id)
    await club.pass_time(club.now + HOUR)
    assert "aborted" == (await club.games.game(game.id)).status


async def test_who_leaves_gives_the_player_to_move_no_time(club: Club) -> None:
    """At a table of four one resigns while another thinks about the first move."""
    game = await club.challenge(ANA, None, "chinese-checkers", side=None, clock="3d", players=4)
    for player in (BEN, CAT, DAN):
        game = await club.games.challenges.accept(game.id, player, club.source())
    due = await club.games.timeouts.due(game.id)
    await club.pass_time(club.now + 47 * HOUR)

    await club.games.moves.resign(game.id, next(p for p in (ANA, BEN) if p != game.to_move), club.source())

    assert due == await club.games.timeouts.due(game.id)


@pytest.mark.parametrize(
    ("text", "quiet"),
    [
        ("22:00-07:30", (1320, 450)),
        ("22-7", (1320, 420)),
        ("10 pm to 7:30 am", (1320, 450)),
        ("10:00 PM \u2013 7 AM", (1320, 420)),
        *((text, None) for text in ("0:00 - 24:00", "off", "23-23", "soon-late", "22-7-8")),
    ],
)
def test_quiet_hours_as_people_write_them(text: str, quiet: tuple[int, int] | None) -> None:
    """Hours alone or with minutes, over midnight too; the whole day is not one."""
    try:
        assert quiet == Preferences().with_quiet(text).quiet
    except Refused:
        assert quiet is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_quiet_hours_are_read_as_they_are_shown(language: str) -> None:
    """In each language, hour by hour."""
    with speaking(language):
        for hour in range(23):
            start, end = (clock(time(each, 30)) for each in (hour, hour + 1))
            shown = translated("{start} to {end}").format(start=start, end=end)
            assert (hour * 60 + 30, hour * 60 + 90) == Preferences().with_quiet(shown).quiet


def test_quiet_hours_are_of_the_persons_own_zone() -> None:
    """22 to 7 in Madrid is 21 to 6 in winter and 20 to 5 in summer, by UTC."""
    preferences = Preferences().with_zone("europe/madrid").with_quiet("22:00-07:00")
    winter, summer = 1_800_000_000_000 // DAY * DAY, 1_815_000_000_000 // DAY * DAY
    assert winter + 6 * HOUR == preferences.quiet_until(winter + 5 * HOUR)
    assert winter + DAY + 6 * HOUR == preferences.quiet_until(winter + 21 * HOUR)
    assert preferences.quiet_until(winter + 20 * HOUR) is None
    assert summer + 5 * HOUR == preferences.quiet_until(summer + 4 * HOUR)
    with pytest.raises(Refused, match="no time zone"):
        preferences.with_zone("Moon")


async def test_a_few_minutes_without_discord_cost_nobody_anything(club: Club) -> None:
    """Lost and found again between two signs of life: what a live clock lost is given back, also to a move that comes
    before time is taken up."""
    game = await begun(club, clock="5+3")
    await club.deliver()
    await club.games.outages.alive()
    club.now += MINUTE
    club.games.outages.lost()
    club.now += 4 * MINUTE
    club.games.outages.lost()
    game = await club.play(game, "d4-e5")
    assert game.entries[-1].shown is not None
    assert 4 * MINUTE + 3_000 == game.entries[-1].shown.left[0]

    await club.deliver()
    assert club.games.outages.is_lost
    club.now += 3 * MINUTE
    await club.games.outages.alive()

    assert not club.games.outages.is_lost
    await club.pass_time(club.now + 5 * MINUTE - 1)
    assert "running" == (await club.games.game(game.id)).status
    assert [] == await club.check()


async def test_a_vacation_that_is_used_up_is_told(club: Club) -> None:
    """Twenty days later the games hear, once, that the clock runs again."""
    game = await begun(club, clock="14d")
    vacation, _ = await club.games.vacations.start_vacation(ANA, club.source())
    await club.deliver()
    assert vacation.until is not None
    club.now = vacation.until - 1
    assert [] == await club.games.vacations.vacation_over(ANA)
    club.now += 1

    assert [game.id] == [told.id for told in await club.games.vacations.vacation_over(ANA)]
    assert [] == await club.games.vacations.vacation_over(ANA)
    notes = [said.content.sentence for said in await club.said(game) if isinstance(said.content, Note)]
    assert [f"<@{ANA}>'s vacation is over" in note for note in notes] == [False, True]


async def test_a_damaged_game_keeps_nobody_from_a_vacation(club: Club) -> None:
    """One of Ana's two games cannot be replayed: in the other her clock stands still all the same."""
    damaged, sound = await begun(club, "3d", 70), await begun(club, "3d", 71)
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE turns SET text = 'a1-a8' WHERE game_id = :id"), {"id": damaged.id})
    club.games._work.repository.forget(damaged.id)

    _, told = await club.games.vacations.start_vacation(ANA, club.source())
    assert [sound.id] == [game.id for game in told]
    await club.pass_time(club.now + 10 * DAY)
    assert "running" == (await club.games.game(sound.id)).status


async def due_together(club: Club, many: int) -> tuple[list[Game], Scheduler]:
    """Games whose time is up at one moment, and who lets it be so."""
    games = [await begun(club, channel=100 + n) for n in range(many)]
    await club.deliver()
    club.now += 4 * DAY
    club.restart()

    async def alive() -> None:
        pass

    handlers = handlers_for(club.games, lambda game: None)
    return games, Scheduler(club.store, club.clock, handlers, alive, lambda: (0,), lambda: False)


async def test_timers_of_one_moment(club: Club) -> None:
    """Many games that end at one moment end in few transactions."""
    games, timers = await due_together(club, TOGETHER + 3)
    writes: list[bool] = []
    club.store.watch(lambda spent: writes.append(spent.writes))

    await timers.tick()

    assert 2 == sum(writes)
    assert ["finished"] * len(games) == [(await club.games.game(game.id)).status for game in games]
    assert [] == await club.check()


async def test_one_that_cannot_end_holds_up_no_other(club: Club) -> None:
    """Where one of many timers fails, the others are done all the same, once, and it is tried again."""
    games, timers = await due_together(club, 5)
    tried: list[tuple[int, bool]] = []
    timers.tried.connect(lambda row, _late, done: tried.append((row.subject, done)))
    async with club.store.write() as tx:
        await tx.execute(sa.text(f"UPDATE turns SET text = 'a1-h8' WHERE game_id = {games[2].id} AND number = 2"))

    await timers.tick()

    assert [(game.id, game != games[2]) for game in games] == tried
    ended = [games[at] for at in (0, 1, 3, 4)]
    assert ["finished"] * 4 == [(await club.games.game(game.id)).status for game in ended]
    assert [1] * 4 == [sum(payload(one).get("event") == "timeout" for one in await club.said(game)) for game in ended]
