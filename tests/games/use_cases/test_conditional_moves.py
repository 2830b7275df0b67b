from __future__ import annotations

import itertools

import pytest
import sqlalchemy as sa

from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.support.time_units import DAY
from data.notifications import EVERYTHING_MISSED, Word
from data.queries import mirrors
from data.store import Store
from tests.support.games.club import ANA, BEN, Club, payload


async def boards(club: Club, game: Game) -> int:
    return (await club.kinds(game)).count("board")


async def test_a_plan_is_played_at_once_with_one_post(club: Club) -> None:
    """Ana plans an answer; Ben moves so: both moves are stored, and one board tells of the pair."""
    game = await club.play(await club.started(clock="3d"), "c3-d4")
    _, lines = await club.games.conditional_moves.put(game.id, ANA, "if b6-a5 then d4e5; b6c5 d4xb6", club.source())
    assert (("b6-a5", "d4-e5"), ("b6-c5", "d4xb6")) == lines
    before = await boards(club, game)
    club.now += DAY

    game = await club.play(game, "b6-a5")

    assert ("c3-d4", "b6-a5", "d4-e5") == game.turns
    assert BEN == game.to_move
    assert before + 1 == await boards(club, game)
    board = [one for one in await club.said(game) if one.kind == "board"][-1]
    assert ([3], BEN) == (payload(board)["planned"], payload(board)["ping"])
    assert () == await club.games.conditional_moves.of(game.id, ANA)
    assert [] == await club.check()


@pytest.mark.parametrize("how", ["told of the game", "told that much was missed", "of two servers"])
async def test_a_plan_that_another_process_has_taken_down(club: Club, how: str) -> None:
    """It is played by whoever takes Ben's move, who had looked for plans before there was one."""
    game = await club.play(await club.started(), "c3-d4")
    other = Club(club.store)
    other._sources = itertools.count(1000)
    if how == "of two servers":
        async with club.store.write() as tx:
            await tx.execute(sa.text("UPDATE games SET casual = :no"), {"no": False})
            await mirrors.add(tx, mirrors.MirrorRow(game.id, 1, 8, 80, 800))
        club.games.heard(Word("forgotten", 99))  # what is in memory is of one server
    await other.games.conditional_moves.put(game.id, ANA, "b6-a5 d4-e5", other.source())
    if how != "of two servers":
        club.games.heard(Word("game", game.id) if "game" in how else EVERYTHING_MISSED)

    game = await club.play(game, "b6-a5")

    assert ("c3-d4", "b6-a5", "d4-e5") == game.turns


async def test_a_long_line_goes_on(club: Club) -> None:
    """Each true condition plays one answer; the rest of the line waits for the next."""
    game = await club.play(await club.started(), "c3-d4")
    await club.games.conditional_moves.put(game.id, ANA, "b6-a5 d4-e5 d6xf4 e3xg5", club.source())
    game = await club.play(game, "b6-a5")
    assert (("d6xf4", "e3xg5"),) == await club.games.conditional_moves.of(game.id, ANA)
    game = await club.play(game, "d6xf4")
    assert "e3xg5" == game.turns[-1]


async def test_another_move_ends_the_plan(club: Club) -> None:
    """Else nothing: what was not foreseen is not answered, and the plan is gone."""
    game = await club.play(await club.started(), "c3-d4")
    await club.games.conditional_moves.put(game.id, ANA, "b6-a5 d4-e5", club.source())
    game = await club.play(game, "h6-g5")
    assert 2 == game.ply
    assert () == await club.games.conditional_moves.of(game.id, ANA)
    assert 0 == await club.count("plans")


async def test_two_plans_answer_each_other(club: Club) -> None:
    """Ben moves, Ana's plan answers, Ben's plan answers that: one post for all."""
    game = await club.play(await club.started(), "c3-d4")
    await club.games.conditional_moves.put(game.id, ANA, "b6-a5 d4-e5", club.source())
    before = await boards(club, game)
    game = await club.play(game, "b6-a5")
    await club.games.conditional_moves.put(game.id, ANA, "d6xf4 e3xg5", club.source())
    game = await club.play(game, "d6xf4")
    assert before + 2 == await boards(club, game)
    assert ("d6xf4", "e3xg5") == game.turns[-2:]


async def test_a_takeback_ends_the_plan(club: Club) -> None:
    """The lines go on from a position that no longer stands."""
    game = await club.play(await club.started(), "c3-d4")
    await club.games.conditional_moves.put(game.id, ANA, "b6-a5 d4-e5", club.source())
    await club.games.offers.ask_takeback(game.id, ANA, club.source())
    await club.games.offers.answer("takeback", game.id, BEN, True, club.source())
    game = await club.play(await club.games.game(game.id), "c3-d4", "b6-a5")
    assert ANA == game.to_move


async def test_a_plan_survives_a_restart(club: Club, store: Store) -> None:
    """It is in the store, not in the process."""
    game = await club.play(await club.started(), "c3-d4")
    await club.games.conditional_moves.put(game.id, ANA, "b6-a5 d4-e5", club.source())
    again = Club(store)
    game = await again.games.moves.turn(game.id, BEN, "b6-a5", "m:new")
    assert 3 == game.ply


async def test_huffs_are_part_of_lines(club: Club) -> None:
    """In a game with soplar an answer may be a huff and the move after it."""
    game = await club.play(await club.started("americanas"), "c3-d4", "f6-g5")
    await club.games.conditional_moves.put(game.id, BEN, "d4-e5 d6xf4", club.source())
    game = await club.play(game, "d4-e5")
    assert "d6xf4" == game.turns[-1]
    for text in ("a3-b4 soplar:g3 f4-g3", "if a3b4, then huff g3, f4-g3, else nothing", "a3-b4 soplar f4-g3"):
        await club.games.conditional_moves.put(game.id, BEN, text, club.source())
        assert (("a3-b4", "soplar g3", "f4-g3"),) == await club.games.conditional_moves.of(game.id, BEN)
    await club.games.conditional_moves.put(game.id, BEN, "a3-b4 Soplar g3 f4-g3", club.source())
    game = await club.play(game, "a3-b4")
    assert ("a3-b4", "soplar g3", "f4-g3") == game.turns[-3:]
    assert ANA == game.to_move


async def test_moves_of_a_plan_may_have_blanks_in_them(club: Club) -> None:
    """Squares in a row are a move as far as they can be played; moves of either kind stand side by side."""
    game = await club.play(await club.started(), "c3-d4")
    for text, planned in (
        ("b6 a5 d4 e5", ("b6-a5", "d4-e5")),
        ("b6 a5 d4-e5", ("b6-a5", "d4-e5")),
        ("b6-c5, d4 b6", ("b6-c5", "d4xb6")),
        ("if b6 c5 then d4 b6 and a7 c5, e3 d4", ("b6-c5", "d4xb6", "a7xc5", "e3-d4")),
    ):
        await club.games.conditional_moves.put(game.id, ANA, text, club.source())
        assert (planned,) == await club.games.conditional_moves.of(game.id, ANA)
    with pytest.raises(Refused, match="Line 1, b6 b5: "):
        await club.games.conditional_moves.put(game.id, ANA, "b6 b5 d4 e5", club.source())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" ; ", "Write lines of moves"),
        ("b6-a5", "ends with your opponent's move"),
        ("b6-a5 d4-e5; b6-b5 d4-e5", "Line 2, b6-b5"),
        ("b6-a5 hello", "Line 1, hello"),
        ("b6-c5 d4-e5", "Line 1, d4-e5: you must capture"),
        ("b6-a5 d4-e5; b6-a5 d4-c5", "after b6-a5, another line answers d4-e5"),
        (";".join(["b6-a5 d4-e5"] * 11), "at most 10 lines"),
    ],
)
async def test_a_plan_that_does_not_hold_is_refused(club: Club, text: str, why: str) -> None:
    """With the line, the move and the rule's reason, in whole sentences; nothing is kept."""
    game = await club.play(await club.started(), "c3-d4")
    with pytest.raises(Refused, match=why) as refused:
        await club.games.conditional_moves.put(game.id, ANA, text, club.source())
    assert refused.value.sentence[-1] in ".`"
    assert 0 == await club.count("plans")


async def test_a_huff_of_a_plan_is_named_as_it_is_written(club: Club) -> None:
    """Where it cannot be, the sentence has its words as players write them."""
    game = await club.play(await club.started("americanas"), "c3-d4", "b6-c5")
    with pytest.raises(Refused, match="Line 1, soplar e5: ") as refused:
        await club.games.conditional_moves.put(game.id, BEN, "g3-h4 soplar e5", club.source())
    assert "soplar:e5" not in refused.value.sentence


async def test_who_is_to_move_does_not_plan(club: Club) -> None:
    """Move first; and only players plan."""
    game = await club.started()
    with pytest.raises(Refused, match="It is your turn"):
        await club.games.conditional_moves.put(game.id, ANA, "b6-a5 d4-e5", club.source())
    with pytest.raises(Refused, match="not playing"):
        await club.games.conditional_moves.put(game.id, 99, "b6-a5 d4-e5", club.source())


async def test_the_end_of_a_game_is_the_end_of_its_plans(club: Club) -> None:
    """Ben runs out of time before he can make Ana's plan come true: nothing is kept of it."""
    game = await club.play(await club.started(clock="1d"), "c3-d4", "b6-a5", "d4-e5")
    await club.games.conditional_moves.put(game.id, ANA, "d6xf4 e3xg5", club.source())
    assert 1 == await club.count("plans")
    await club.pass_time(club.now + 2 * DAY)
    assert "finished" == (await club.games.game(game.id)).status
    assert 0 == await club.count("plans")
