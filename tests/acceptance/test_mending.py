"""What directors mend in Discord: seen first, then done."""

from __future__ import annotations

from tests.acceptance.test_tournaments import Club
from tests.acceptance.world import World


async def test_a_director_pairs_by_hand_and_takes_it_back(here: World) -> None:
    """Shown without `confirm`, done with it; games of pairings that are gone are called off, taken back they return."""
    club = Club(here, 4)
    await club.create("swiss", rounds=3)
    await club.join(*club.players)
    await club.direct("start")
    await club.quiet()
    assert "Starting numbers: 1 <@" in await club.direct("by-hand")
    before = {(game.white, game.black) for game in (await club.held()).games}

    seen = await club.direct("by-hand", pairings="1-2, 3-4")
    assert "This pairs round 1" in seen
    assert "with `confirm`" in seen
    assert before == {(game.white, game.black) for game in (await club.held()).games if game.status == "running"}
    done = await club.direct("by-hand", pairings="1-2, 3-4", confirm="keep later rounds")
    assert "paired as you say" in done
    await club.quiet()
    running = {(game.white, game.black) for game in (await club.held()).games if game.status == "running"}
    assert {(1, 2), (3, 4)} == running

    seen = await club.direct("undo")
    assert "takes event" in seen
    assert "round paired" in seen
    assert "Say with `event`" in await club.direct("undo", confirm="keep later rounds")
    number = (await club.held()).last
    assert f"event: {number}" in seen
    assert "taken back" in await club.direct("undo", event=number, confirm="pair later rounds again")
    await club.quiet()
    running = {(game.white, game.black) for game in (await club.held()).games if game.status == "running"}
    assert before == running
    refused = await club.direct("by-hand", pairings="1-2, 2-3", confirm="keep later rounds")
    assert "paired twice" in refused
