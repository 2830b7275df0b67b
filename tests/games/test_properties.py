"""Random people do random things: the record always adds up to what is kept beside it."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.model.errors import Duplicate, Refused
from bot.games.model.game import Game, Place, blank_of, fold
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import ANA, BEN, CAT, DAN, Club
from tests.support.thoroughness import THOROUGH

PEOPLE = (ANA, BEN, CAT, DAN)
VARIANTS = ("pinoy", "americanas", "counting-2", "counting-3", "counting-4")
ACTS = ("turn",) * 8 + (
    "offer", "agree", "decline", "ask", "give", "keep", "resign", "abort", "challenge", "accept", "accept",
    "decline challenge", "withdraw", "rematch", "forget", "again", "settle",
)  # fmt: skip


async def act(club: Club, lots: Random, what: str, games: list[int]) -> str | None:
    """Let somebody do something; the source, if it was taken."""
    person, source = lots.choice(PEOPLE), club.source()
    uses = club.games
    club.now += lots.randrange(1000)
    if what == "challenge" or not games:
        other = lots.choice([None, *(p for p in PEOPLE if p != person)])
        place = Place(7, lots.randrange(3))
        game = await uses.challenges.open(
            source=source, opener=person, opponent=other, variant=lots.choice(VARIANTS), options={}, side=None,
            place=place,
        )  # fmt: skip
        games.append(game.id)
        return source
    game = await uses.game(lots.choice(games[-4:]))
    if what == "turn":
        choices = [*game.rules.turns(game.state), *game.rules.remedies(game.state)]
        text = lots.choice(choices).text if choices else "c3-d4"
        mover = game.to_move if game.to_move and lots.random() < 0.9 else person
        await uses.moves.turn(game.id, mover, text, source)
    elif what in ("agree", "decline"):
        await uses.offers.answer("draw", game.id, person, what == "agree", source)
    elif what in ("give", "keep"):
        await uses.offers.answer("takeback", game.id, person, what == "give", source)
    elif what == "rematch":
        rematch = await uses.challenges.rematch(game.id, person, source)
        if rematch.id in games:
            return None
        games.append(rematch.id)
    elif what == "settle":
        if not game.needs_thread:
            return None
        await uses.channels.settle_channel(game.id, 1000 + game.id)
        return None
    else:
        offers, moves, challenges = uses.offers, uses.moves, uses.challenges
        doing = {
            "offer": offers.offer_draw, "ask": offers.ask_takeback, "resign": moves.resign, "abort": moves.abort,
            "accept": challenges.accept, "decline challenge": challenges.decline, "withdraw": challenges.withdraw,
        }[what]  # fmt: skip
        await doing(game.id, person, source)
    return source


async def evening(seed: int, length: int, path: str) -> None:
    lots = Random(seed)
    store = Store(url_of(Path(path) / "evening.sqlite3"))
    await store.open()
    try:
        club = Club(store, lots, max_open_challenges=20, cache_size=lots.choice([1, 3, 256]))
        games: list[int] = []
        sources: list[str] = []
        for _ in range(length):
            what = lots.choice(ACTS)
            if what == "forget":
                club.games = Club(store, lots, max_open_challenges=20).games
            elif what == "again" and sources:
                await once_more(club, lots.choice(sources), games)
            else:
                try:
                    source = await act(club, lots, what, games)
                except Refused:
                    continue
                if source is not None:
                    sources.append(source)
        assert [] == await club.check()
        for game_id in games:
            game = await club.games.game(game_id)
            assert game == await Club(store).games.game(game_id)
            assert len(game.entries) == len({entry.source for entry in game.entries})
            if game.started_at is not None:
                holds_for(game)
        assert len(sources) == await club.count("turns") + await club.count("acts")
    finally:
        await store.close()


async def once_more(club: Club, source: str, games: list[int]) -> None:
    """A source that was taken before changes nothing, whatever comes with it."""
    before = await club.rows()
    for game_id in games[-2:]:
        for wish in (club.games.moves.resign, club.games.challenges.accept, club.games.offers.offer_draw):
            try:
                await wish(game_id, ANA, source)
            except Duplicate:
                continue
            raise AssertionError(f"{source} was applied twice")
    assert before == await club.rows()


def holds_for(game: Game) -> None:
    """What is true of every game that has started."""
    folded = fold(blank_of(game), game.entries)
    assert (game.state, game.status, game.result, game.line) == (
        folded.state, folded.status, folded.result, folded.line,
    )  # fmt: skip
    assert (game.status == "finished") == (game.result is not None)
    assert (game.to_move is None) == (game.status != "running")
    assert len(set(game.players)) == len(game.players)
    assert all(offer.ply <= game.ply for offer in game.offers)
    assert game.status == "running" or not game.offers


@settings(max_examples=6 * THOROUGH)
@given(seed=st.integers(0, 2**32), length=st.integers(10, 120))
def test_the_record_is_the_truth(seed: int, length: int) -> None:
    """Whatever random people do, in whatever order, with messages that come twice and a memory that is lost: every game
    replays to what is kept, no source is applied twice, and what was refused has changed nothing."""
    with tempfile.TemporaryDirectory() as path:
        asyncio.run(evening(seed, length, path))
