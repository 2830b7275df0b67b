"""`check` finds what does not agree, and says where."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from bot.games.model.errors import Damaged
from bot.games.model.game import Place
from tests.support.games.club import ANA, BEN, CAT, Club


async def spoil(club: Club, statement: str) -> None:
    """Change rows behind the bot's back, and forget what is in memory."""
    async with club.store.write() as tx:
        await tx.execute(sa.text(statement))
    club.__init__(club.store)  # type: ignore[misc]


async def test_a_sound_store(club: Club) -> None:
    """Games of every kind and in every state agree with their records."""
    await club.challenge(CAT, None)
    for variant in ("spanish", "pinoy", "americanas", "tama"):
        game = await club.started(variant)
        for _ in range(6):
            game = await club.play(game, game.rules.turns(game.state)[0].text)
        game = await club.games.moves.resign(game.id, ANA, club.source())
    await club.table(3)
    assert [] == await club.check()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE games SET position = 'W:Wa1:Bh8'", r"Game 1, entry 2: the position is kept as 'W:Wa1:Bh8'"),
        ("UPDATE games SET ply = 3", r"Game 1, entry 2: the number of entries is kept as 3, the replay gives 2"),
        ("UPDATE games SET to_seat = 1", r"the seat to move is kept as 1, the replay gives 0"),
        ("UPDATE turns SET text = 'a3-a4' WHERE number = 1", r"Game 1, entry 1: a3-a4: "),
        ("UPDATE turns SET text = 'A3-B4' WHERE number = 1", r"Game 1, entry 1: A3-B4 is written a3-b4"),
        ("UPDATE turns SET seat = 0 WHERE number = 2", r"Game 1, entry 2: seat 1 is to move, not 0"),
        ("DELETE FROM turns WHERE number = 1", r"Game 1, entry 2: follows entry 0"),
        ("UPDATE turns SET kind = 'takeback', text = '7' WHERE number = 2", r"no entry '7' to go back to"),
        ("UPDATE turns SET kind = 'abort' WHERE number = 1", r"Game 1, entry 2: the game is aborted"),
        ("UPDATE games SET variant_id = 'chess', rules_hash = NULL", r"Game 1: .*no variant 'chess'"),
        ("DELETE FROM rulesets", "Game 1: the text of its rules is missing"),
        ("UPDATE rulesets SET text = text || ' '", "Game 1: the text of its rules is not the one that it began with"),
        ("UPDATE games SET status = 'aborted', to_seat = NULL, ended_at = 5", "status is kept as 'aborted'"),
    ],
)
async def test_what_does_not_agree(club: Club, statement: str, says: str) -> None:
    """Each disagreement is one sentence that names game and entry."""
    await club.play(await club.started(), "a3-b4", "h6-g5")
    await spoil(club, statement)
    found = await club.check()
    assert any(re.search(says, sentence) for sentence in found), found


async def test_a_damaged_record_is_refused(club: Club) -> None:
    """A game that cannot be replayed is not played on; the sentence says whom to ask."""
    game = await club.play(await club.started(), "a3-b4", "h6-g5")
    await spoil(club, "UPDATE turns SET text = 'h1-h8' WHERE number = 2")
    with pytest.raises(Damaged, match=r"entry 2: h1-h8: .*`damero check-store`"):
        await club.games.moves.turn(game.id, ANA, "b2-a3", club.source())
    with pytest.raises(Damaged):
        await club.games.running_in(70)
    assert [game.id] == [summary.id for summary in await club.games.lists.games_of(BEN)]


@pytest.mark.parametrize(
    "change",
    [
        "turns SET text = CAST(x'612073656372657480' AS TEXT)",
        "turns SET at = 'a secret'",
        "games SET options = '{a secret'",
        f"games SET options = '{'[' * 100_000}'",
        "games SET origin = '\"a secret\"'",
        "games SET origin = '{\"a secret\": 1}'",
        "games SET started_at = 'a secret'",
        "announcements SET made_at = 'a secret'",
    ],
)
async def test_what_cannot_be_read(club: Club, change: str) -> None:
    """A value that others have written, and that is none of ours, is found, not told; other games are checked."""
    if club.store.file is None:
        pytest.skip("PostgreSQL takes no such value")
    for place in (70, 71):
        await club.play(await club.started(place=Place(7, place), clock="3d"), "c3-d4")
    table = change.partition(" ")[0]
    await spoil(club, f"UPDATE {change} WHERE {'id' if table == 'games' else 'game_id'} = 1")
    await spoil(club, "UPDATE games SET to_seat = 0 WHERE id = 2")
    found = await club.check()
    assert [1, 1] == [sum(f"Game {game}" in sentence for sentence in found) for game in (1, 2)]
    assert "a secret" not in "".join(found)


async def test_outages_that_cannot_be_read(club: Club) -> None:
    """Without them no clock can be checked: that is said, and all else is checked."""
    if club.store.file is None:
        pytest.skip("PostgreSQL takes no such value")
    await club.play(await club.started(clock="3d"), "c3-d4")
    await spoil(club, "INSERT INTO outages (start, until) VALUES (1, 'a secret')")
    await spoil(club, "UPDATE games SET to_seat = 0")
    unknown, wrong = await club.check()
    assert "When the bot was away is not known, as a row of it cannot be read: clocks are not checked." == unknown
    assert "the seat to move is kept as 0" in wrong
