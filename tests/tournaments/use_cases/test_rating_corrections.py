"""Rated games: which, in which pools, once; and ratings that follow the corrections of a director."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.engine.variants import OptionValue
from bot.games.model.errors import Duplicate, Refused
from bot.games.model.game import Game
from bot.ratings.leaderboards import RatingAfterGame
from bot.ratings.pools import EVERYWHERE, RatingPool, reckon
from bot.ratings.recalculate import games_of
from bot.support.time_units import DAY, HOUR
from bot.tournaments.model.events import Kind, TournamentSettings
from data.queries import ratings as queries
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import ANA, BEN, CAT, DAN, HALL, payload
from tests.support.tournaments.event import DIRECTOR, Event


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Event]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Event(store)
    await store.close()


async def challenge(
    club: Event, *people: int, variant: str = "pinoy", clock: str = "3d", is_rated: bool = True
) -> Game:
    """A game that has begun, rated unless it is said otherwise."""
    options: dict[str, OptionValue] = {} if len(people) == 2 else {"players": len(people)}
    game = await club.games.challenges.open(
        source=club.source(),
        opener=people[0],
        opponent=people[1] if len(people) == 2 else None,
        variant=variant,
        options=options,
        side=None,
        place=HALL,
        clock=clock,
        rated=is_rated,
    )
    for person in people[1:]:
        game = await club.games.challenges.accept(game.id, person, club.source())
    return game


async def move_all(club: Event, game: Game) -> Game:
    """A turn of each player."""
    for _ in game.players:
        assert game.to_move is not None
        text = game.rules.turns(game.state)[0].text
        game = await club.games.moves.turn(game.id, game.to_move, text, club.source())
    return game


async def beaten(club: Event, loser: int, game: Game) -> Game:
    game = await move_all(club, game)
    return await club.games.moves.resign(game.id, loser, club.source())


async def values(club: Event, slow: bool = True, server: int = HALL.guild_id or 0) -> dict[int, float]:
    return {row.person: row.value for row in await club.ratings.in_pool(RatingPool("pinoy", slow, server=server))}


async def test_a_rated_game_changes_ratings_here_and_everywhere(club: Event) -> None:
    """The winner gains what the loser loses, on this server and on all; the last post tells of it."""
    game = await beaten(club, BEN, await challenge(club, ANA, BEN))
    here = await values(club)
    assert here[ANA] > 1500 > here[BEN]
    assert here == await values(club, server=EVERYWHERE)
    assert {} == await values(club, slow=False)
    board = (await club.said(game))[-1]
    assert [ANA, BEN] == sorted(person for person, _, _ in payload(board)["ratings"])


async def test_a_game_is_rated_once(club: Event) -> None:
    """The same wish again changes nothing; nor does another bot on the same database."""
    game = await move_all(club, await challenge(club, ANA, BEN))
    await club.games.moves.resign(game.id, BEN, "i:5")
    before = await values(club)
    with pytest.raises(Duplicate):
        await club.games.moves.resign(game.id, BEN, "i:5")
    again = Event(club.store)
    with pytest.raises(Refused):
        await again.games.moves.resign(game.id, BEN, "i:6")
    assert before == await values(club)
    assert 4 == await club.count("rated_games")


async def test_casual_called_off_and_unplayed_games_are_not_rated(club: Event) -> None:
    """Unrated unless agreed; what was called off is not rated, nor, as is said, where somebody has not moved."""
    await beaten(club, BEN, await challenge(club, ANA, BEN, is_rated=False))
    off = await challenge(club, ANA, BEN)
    await club.games.moves.abort(off.id, ANA, club.source())
    early = await challenge(club, ANA, BEN)
    await club.games.moves.resign(early.id, BEN, club.source())
    assert {} == await values(club)
    assert "Not everyone has made a move" in payload((await club.said(early))[-1])["unrated"]


async def test_live_games_and_games_by_days_are_pools_of_their_own(club: Event) -> None:
    """A live game leaves the other ratings alone; so does a game of another variant."""
    await beaten(club, BEN, await challenge(club, ANA, BEN, clock="10+5"))
    assert {} == await values(club)
    assert 2 == len(await values(club, slow=False))


async def test_rated_games_need_a_clock_and_the_lot(club: Event) -> None:
    """Without a clock a game need not end; a side of one's choice is an advantage."""
    with pytest.raises(Refused, match="needs a clock"):
        await challenge(club, ANA, BEN, clock="none")
    with pytest.raises(Refused, match="In a rated game, sides are drawn at random"):
        await club.games.challenges.open(
            source=club.source(),
            opener=ANA,
            opponent=BEN,
            variant="pinoy",
            options={},
            side="first",
            place=HALL,
            clock="3d",
            rated=True,
        )


async def test_a_rematch_of_a_rated_game_is_rated(club: Event) -> None:
    """The two play on as they did; the sides change."""
    game = await beaten(club, BEN, await challenge(club, ANA, BEN))
    assert (await club.games.challenges.rematch(game.id, BEN, club.source())).rated


async def test_of_many_games_that_one_abandons_only_the_first_is_rated(club: Event) -> None:
    """Time runs out in three games of one player: the first costs rating. After a turn elsewhere it counts again."""
    games = [await move_all(club, await challenge(club, ANA, other)) for other in (BEN, CAT, DAN)]
    for game in games:
        if game.to_move != ANA:
            assert game.to_move is not None
            await club.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, club.source())
    await club.pass_time(club.now + 4 * DAY)
    assert [1500 > (await values(club))[ANA], 2] == [True, len(await values(club))]
    after = (await values(club))[ANA]
    game = await move_all(club, await challenge(club, ANA, BEN))
    if game.to_move != ANA:
        assert game.to_move is not None
        await club.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, club.source())
    await club.pass_time(club.now + 4 * DAY)
    assert (await values(club))[ANA] < after


async def test_a_table_of_three_is_rated_in_a_pool_of_its_own(club: Event) -> None:
    """Places come from the end: who stays has won, who left first is last."""
    game = await challenge(club, ANA, BEN, CAT, variant="chinese-checkers")
    game = await move_all(club, game)
    await club.games.moves.resign(game.id, CAT, club.source())
    await club.games.moves.resign(game.id, ANA, club.source())
    rows = await club.ratings.in_pool(RatingPool("chinese-checkers", True, table=True, server=HALL.guild_id or 0))
    assert [BEN, ANA, CAT] == [row.person for row in rows]
    assert [] == await club.ratings.in_pool(RatingPool("chinese-checkers", True, server=HALL.guild_id or 0))
    assert all(row.pool.table for row in rows)


async def test_two_at_chinese_checkers_are_rated_like_any_two(club: Event) -> None:
    """Two at a star are a pair, not a table."""
    await beaten(club, BEN, await challenge(club, ANA, BEN, variant="chinese-checkers"))
    rows = await club.ratings.in_pool(RatingPool("chinese-checkers", True, server=HALL.guild_id or 0))
    assert [ANA, BEN] == [row.person for row in rows]


async def test_the_history_of_a_rating(club: Event) -> None:
    """A point for each game, the last of which is the rating; from a moment on, those since."""
    points: list[RatingAfterGame] = []
    for loser in (BEN, ANA, BEN):
        club.now += DAY
        await beaten(club, loser, await challenge(club, ANA, BEN))
        points = await club.ratings.history(ANA, RatingPool("pinoy", True, server=HALL.guild_id or 0))
    shown = [point.value for point in points]
    assert [True, False, True] == [now > was for was, now in itertools.pairwise([1500.0, *shown])]
    assert points[-1].value == (await values(club))[ANA]
    since = await club.ratings.history(ANA, RatingPool("pinoy", True, server=HALL.guild_id or 0), since=club.now)
    assert points[-1:] == since


# Moves stand


@pytest.mark.parametrize("is_rated", [True, False])
async def test_moves_of_rated_games_stand(club: Event, is_rated: bool) -> None:
    """Neither /game undo nor /game takeback in a rated game; in a casual one both."""
    game = await challenge(club, ANA, BEN, is_rated=is_rated)
    mover = game.to_move
    assert mover is not None
    await club.games.moves.turn(game.id, mover, game.rules.turns(game.state)[0].text, club.source())
    if is_rated:
        with pytest.raises(Refused, match="rated, so moves stand"):
            await club.games.moves.undo(game.id, mover, club.source())
        with pytest.raises(Refused, match="rated, so moves stand"):
            await club.games.offers.ask_takeback(game.id, mover, club.source())
    else:
        await club.games.offers.ask_takeback(game.id, mover, club.source())
        await club.games.moves.undo(game.id, mover, club.source())


async def test_what_a_tournaments_game_allows(club: Event) -> None:
    """No taking back, no undoing, no calling off, no draw before the first moves, no vacation; plans, draws after the
    first moves and resigning are allowed."""
    await club.open(TournamentSettings(Kind.SWISS, rounds=1), range(11, 13))
    await club.start()
    (link,) = (await club.load()).games
    game = await club.games.game(link.game_id)
    first, second = (player for player in game.players if player is not None)
    with pytest.raises(Refused, match="once everyone has moved"):
        await club.games.offers.offer_draw(game.id, first, club.source())
    with pytest.raises(Refused, match="cannot be called off"):
        await club.games.moves.abort(game.id, first, club.source())
    game = await club.games.moves.turn(game.id, first, game.rules.turns(game.state)[0].text, club.source())
    for refused in (club.games.moves.undo, club.games.offers.ask_takeback):
        with pytest.raises(Refused, match="tournament"):
            await refused(game.id, first, club.source())
    reply = game.rules.turns(game.state)[0]
    answer = game.rules.turns(game.rules.play(game.state, reply))[0]
    await club.games.conditional_moves.put(game.id, first, f"{reply.text} {answer.text}", club.source())
    game = await club.games.moves.turn(game.id, second, reply.text, club.source())
    assert answer.text == game.entries[-1].text
    due = await club.games.timeouts.due(game.id)
    await club.games.vacations.start_vacation(second, club.source())
    assert due == await club.games.timeouts.due(game.id)
    await club.games.offers.offer_draw(game.id, first, club.source())
    await club.games.offers.answer("draw", game.id, second, True, club.source())
    assert 2 == len(await values(club))


# Corrections


async def rows_of(club: Event) -> list[queries.RatedRow]:
    async with club.store.read() as tx:
        return await queries.from_on(tx, ("pinoy", True, HALL.guild_id or 0), 0, 0)


async def consistent(club: Event) -> None:
    """The ratings are those that the games give from the first one on, and each line says what is reckoned."""
    rows = await rows_of(club)
    reckoned = reckon(RatingPool("pinoy", True), games_of(rows), {})
    last = {one.person: one.after.value for one in reckoned if one.after.at is not None}
    assert {p: pytest.approx(v) for p, v in last.items() if p > 0} == await values(club)
    noted = {(row.game_id, row.person): (row.before, row.after) for row in rows}
    assert noted == {(o.game, o.person): pytest.approx((o.before.value, o.after.value)) for o in reckoned}


async def correct(club: Event, player: int, result: str, round_number: int) -> None:
    shown = await club.tournaments.results.preview(club.id, DIRECTOR, player, result, round_number, None)
    await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), shown, again=False)


async def test_a_corrected_result_is_rated_as_if_it_had_been_right(club: Event) -> None:
    """Round 1 is corrected after round 2 and a game outside: all since is reckoned anew. By forfeit it is not rated;
    corrected back, all is as it was."""
    await club.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15))
    await club.start()
    for number in (1, 2):
        if number > 1:
            await club.pair()
        club.now += HOUR
        await club.play_out()
    club.now += HOUR
    await beaten(club, 11, await challenge(club, 11, 13))
    await consistent(club)
    before = await values(club)

    await correct(club, 11, "lost", 1)
    await consistent(club)
    assert (await values(club))[11] < before[11]
    await correct(club, 11, "won by forfeit", 1)
    await consistent(club)
    assert 2 == sum(row.score is None for row in await rows_of(club))
    history = await club.ratings.history(11, RatingPool("pinoy", True, server=HALL.guild_id or 0))
    assert 2 == len(history)
    await correct(club, 11, "won", 1)
    assert before == {person: pytest.approx(value) for person, value in (await values(club)).items()}


async def test_a_correction_after_somebody_was_forgotten(club: Event) -> None:
    """Nothing names the person any more, and the ratings of the others are still right."""
    await club.open(TournamentSettings(Kind.SWISS, rounds=2), range(11, 15))
    await club.start()
    await club.play_out()
    await club.games.privacy.forget(12, club.source())
    assert 12 not in {row.person for row in await rows_of(club)}
    await correct(club, 11, "lost", 1)
    await consistent(club)
    assert 12 not in await values(club)
    assert 0 == min(await values(club)) // 12


async def test_ratings_of_an_older_version_are_reckoned_from_the_start(club: Event) -> None:
    """What an older version has not kept is reckoned from the first game of the pool on."""
    await club.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15))
    await club.start()
    for number in (1, 2):
        if number > 1:
            await club.pair()
        club.now += HOUR
        await club.play_out()
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE rated_games SET deviation = NULL, volatility = NULL, games = NULL"))
    await correct(club, 11, "drew", 2)
    await consistent(club)
    assert all(row.deviation is not None for row in await rows_of(club))


async def test_an_elimination_is_corrected_too(club: Event) -> None:
    """The result of a match's game changes the ratings; one by forfeit is not rated."""
    await club.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 13))
    await club.start()
    await club.play_out()
    before = await values(club)
    shown = await club.tournaments.results.preview(club.id, DIRECTOR, 12, "won", None, "W1-1")
    await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), shown, again=False)
    assert before[11] == pytest.approx((await values(club))[12])
    shown = await club.tournaments.results.preview(club.id, DIRECTOR, 12, "won by forfeit", None, "W1-1")
    await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), shown, again=False)
    assert {} == await values(club)
    await consistent(club)
