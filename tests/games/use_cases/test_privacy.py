from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from bot.games.model.game import Place
from bot.games.model.preferences import ServerPreferences
from bot.support.time_units import DAY, HOUR
from data.queries import study
from tests.support.games.club import ANA, BEN, CAT, Club


async def everywhere(club: Club, person: int) -> list[str]:
    """The tables and columns in which a person's id stands."""
    found = []
    async with club.store.read() as tx:
        names = await tx.run_sync(lambda connection: sa.inspect(connection).get_table_names())
        for name in names:
            for row in (await tx.execute(sa.text(f"SELECT * FROM {name}"))).mappings():
                for column, value in row.items():
                    text = f" {value} ".replace(",", " ").replace("]", " ").replace("[", " ").replace("}", " ")
                    if f" {person} " in text and column not in ("id", "number", "ply", "at", "game_id", "seat"):
                        found.append(f"{name}.{column}: {value}")
    return found


async def test_a_person_is_forgotten_everywhere(club: Club) -> None:
    """Running games are resigned, challenges closed, finished games without a name; nothing else is left."""
    old = await club.play(await club.started(clock="3d"), "c3-d4", "b6-a5")
    await club.games.moves.resign(old.id, BEN, club.source())
    running = await club.play(await club.started(clock="3d"), "c3-d4", "b6-a5")
    own = await club.challenge(ANA, CAT)
    others = await club.challenge(CAT, ANA, place=Place(7, 71))
    await club.games.preferences.change(ANA, lambda w: replace(w, zone="Europe/Madrid"), club.source())
    await club.games.vacations.start_vacation(ANA, club.source())
    await club.games.timeouts.looked_at(running.id, ANA)
    assert await everywhere(club, ANA)

    said = await club.games.privacy.forget(ANA, club.source())

    assert {running.id, own.id, others.id} == {game.id for game in said}
    assert [] == await everywhere(club, ANA)
    game = await club.games.game(running.id)
    assert (None, BEN) == game.players
    assert game.result is not None
    assert "White resigned" == game.result.reason
    assert (None, BEN) == (await club.games.game(old.id)).players
    assert "withdrawn" == (await club.games.game(own.id)).status
    assert "declined" == (await club.games.game(others.id)).status
    assert [] == await club.check()
    assert 2 == len(await club.games.lists.history(BEN))


async def test_who_was_only_invited_is_forgotten_too(club: Club) -> None:
    """A seat at a table was kept for a person and given up: what was said of it, and what is to be said, goes."""
    person = 900_013
    for sent in (True, False):
        game = await club.challenge(ANA, person, variant="counting-4", side=None)
        for other in (BEN, CAT):
            await club.games.challenges.accept(game.id, other, club.source())
        if sent:
            for number, one in enumerate(await club.outbox.due(game.id)):
                await club.outbox.sent(one, number, 70)
        await club.games.lobby.start_early(game.id, ANA, club.source())
    assert await everywhere(club, person)

    await club.games.privacy.forget(person, club.source())

    assert [] == await everywhere(club, person)


async def test_nothing_falls_due_for_who_was_forgotten(club: Club) -> None:
    """Reminders, digests, notes and pings that were to come are gone, or name nobody."""
    person = 900_014
    for number in range(7):
        place = Place(7, 700 + number)
        game = await club.challenge(person, BEN, place=place, clock="3d")
        game = await club.play(await club.games.challenges.accept(game.id, BEN, club.source()), "c3-d4", "b6-a5")
        if number == 0:
            await club.pass_time(club.now + 37 * HOUR)
    table = await club.challenge(person, None, variant="counting-3", side=None)
    await club.games.preferences.change(person, lambda w: replace(w, quiet=(0, 1439)), club.source())
    for other in (BEN, CAT):
        table = await club.games.challenges.accept(table.id, other, club.source())
    while table.to_move != BEN:
        table = await club.play(table, str(table.ply + 1))
    await club.pass_time(club.now + 37 * HOUR)
    await club.games.vacations.start_vacation(person, club.source())

    await club.games.privacy.forget(person, club.source())

    async with club.store.read() as tx:
        said = [str(row[0]) for row in await tx.execute(sa.text("SELECT payload FROM announcements"))]
        timers = [str(row[0]) for row in await tx.execute(sa.text("SELECT payload FROM timers"))]
    assert [] == [text for text in [*said, *timers] if str(person) in text]
    assert any("is on vacation" in text and "somebody" in text for text in said)
    assert [] == await club.check()


async def test_a_table_of_many_plays_on(club: Club) -> None:
    """Of three players one is forgotten: the other two go on, without a name at the third seat."""
    game = await club.table(3)
    person = game.players[1]
    assert person is not None
    await club.games.privacy.forget(person, club.source())
    game = await club.games.game(game.id)
    assert "running" == game.status
    assert (0, 2) == game.playing
    game = await club.play(game, "1", "2")
    assert [] == await club.check()


async def test_all_that_is_kept_can_be_had(club: Club) -> None:
    """Settings, vacations, acts and games, as they are."""
    game = await club.play(await club.started(), "c3-d4")
    await club.games.preferences.change(ANA, lambda w: replace(w, zone="Europe/Madrid"), club.source())
    kept = await club.games.privacy.data_of(ANA)
    assert {"zone": "Europe/Madrid"} == kept["settings"]
    assert ["open"] == [act["what"] for act in kept["acts"]]
    assert "c3-d4" == kept["games"][0]["record"][0]["text"]
    assert game.id == kept["acts"][0]["game"]
    assert [] == (await club.games.privacy.data_of(99))["games"]


async def test_a_server_that_has_gone_is_forgotten_after_thirty_days(club: Club) -> None:
    """Its settings stay for thirty days, and for good if it comes back in that time."""
    for guild in (7, 8):
        await club.games.servers.change(guild, lambda s: replace(s, clock="brisk"), club.source())
    async with club.store.write() as tx:
        for guild in (7, 9):
            await study.put_daily(tx, study.DailyRow(guild, 70, None))
    assert ([7, 8, 9], []) == await club.games.privacy.servers_changed([])
    for guild in (7, 8, 9):
        await club.games.privacy.server_gone(guild)
    await club.pass_time(club.now + 29 * DAY)
    await club.games.privacy.server_back(8)
    assert "brisk" == (await club.games.servers.load(7)).clock

    await club.pass_time(club.now + 2 * DAY)

    assert ServerPreferences() == await club.games.servers.load(7)
    assert "brisk" == (await club.games.servers.load(8)).clock
    assert 0 == await club.count("daily_puzzles")


async def test_games_of_a_server_that_has_gone_wait(club: Club) -> None:
    """No time runs while the bot is not there; back, it posts each board once, and time runs again."""
    game = await club.play(await club.started(clock="1d"), "c3-d4", "b6-a5")
    await club.deliver()
    assert ([7], []) == await club.games.privacy.servers_changed([8])
    assert [game.id] == [one.id for one in await club.games.channels.server_out_of_reach(7)]
    await club.games.privacy.server_gone(7)
    assert ([], [7]) == await club.games.privacy.servers_changed([7])
    for _ in range(10):
        club.now += DAY
        await club.games.timeouts.time_passed(game.id)
    assert "running" == (await club.games.game(game.id)).status

    assert await club.games.privacy.server_back(7)
    assert [game.id] == [one.id for one in await club.games.channels.server_in_reach(7)]
    assert ([], []) == await club.games.privacy.servers_changed([7])

    assert 1 == (await club.kinds(game)).count("board")
    await club.pass_time(club.now + 23 * HOUR)
    assert "running" == (await club.games.game(game.id)).status
    await club.pass_time(club.now + HOUR)
    assert "finished" == (await club.games.game(game.id)).status
    assert [] == await club.check()


async def test_what_is_kept_names_seats_challenges_and_timers(club: Club) -> None:
    """Where a person plays, whom it waits for, and what is to happen for it alone; nothing of other people."""
    game = await club.play(await club.started(clock="3d"), "c3-d4", "b6-a5")
    invited = await club.challenge(CAT, ANA, place=Place(7, 71))
    own = await club.challenge(ANA, None, side=None, place=Place(7, 72))
    await club.games.vacations.start_vacation(ANA, club.source())

    kept = await club.games.privacy.data_of(ANA)

    told = {seat["game"]: (seat["status"], seat["channel"], bool(seat["invited"])) for seat in kept["seats"]}
    expected = {game.id: ("running", 70, False), invited.id: ("open", 71, True), own.id: ("open", 72, False)}
    assert expected == told
    assert [("back", club.now + 20 * DAY)] == [(timer["kind"], timer["at"]) for timer in kept["timers"]]
    other = await club.games.privacy.data_of(CAT)
    assert [invited.id] == [seat["game"] for seat in other["seats"]]
    assert [] == other["timers"]


async def test_a_damaged_game_keeps_nobody_from_being_forgotten(club: Club) -> None:
    """It cannot be resigned, so it is called off; the name goes from it as from all others."""
    damaged = await club.play(await club.started(clock="3d"), "c3-d4", "b6-a5")
    sound = await club.play(await club.started(clock="3d"), "c3-d4")
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE turns SET text = 'a1-a8' WHERE game_id = :id"), {"id": damaged.id})
    club.games._work.repository.forget(damaged.id)

    said = await club.games.privacy.forget(ANA, club.source())

    assert [sound.id] == [game.id for game in said]
    assert [] == await everywhere(club, ANA)
    assert [] == await club.games.lists.games_of(BEN)
    assert {0} == {await club.count(f"timers WHERE subject = {game.id}") for game in (damaged, sound)}
