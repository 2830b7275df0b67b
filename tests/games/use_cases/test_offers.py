"""Draws by agreement and takebacks by consent."""

from __future__ import annotations

import pytest

from bot.games.model.errors import Duplicate, NoSuchOffer, NotRunning, NotSeated, Refused, TooMany
from bot.games.model.game import Game
from tests.support.games.club import ANA, BEN, CAT, Club, payload


async def draw(club: Club, game: Game, player: int) -> Game:
    return await club.games.offers.offer_draw(game.id, player, club.source())


async def test_offer_of_a_draw(club: Club) -> None:
    """An offer is told to the other, by an announcement whose id the offer has; the game goes on meanwhile."""
    game = await club.started()
    game = await draw(club, game, ANA)
    [offer] = game.offers
    assert ("draw", 0, 0) == (offer.kind, offer.seat, offer.ply)
    told = (await club.said(game))[-1]
    assert ("offer", offer.id) == (told.kind, told.id)
    assert {"offer": offer.id, "offer_kind": "draw", "by": ANA, "ping": [BEN], "back_to": None} == payload(told)
    assert game == await club.games.game(game.id)
    assert ("running", ANA) == (game.status, game.to_move)


async def test_agreeing_to_a_draw(club: Club) -> None:
    """The other agrees: drawn."""
    game = await draw(club, await club.started(), ANA)
    game = await club.games.offers.answer("draw", game.id, BEN, True, club.source(), game.offers[0].id)
    assert game.result is not None
    assert ("finished", None, "draw by agreement", ()) == (
        game.status, game.result.winner, game.result.reason, game.offers,
    )  # fmt: skip
    assert ["offer", "offer_closed", "board"] == (await club.kinds(game))[-3:]
    said = await club.said(game)
    assert "agreed" == payload(said[-2])["how"]
    assert {"event": "draw", "by": BEN, "ping": ANA, "lot": False} == payload(said[-1])
    assert game == await club.games.game(game.id)


async def test_both_offering_is_agreeing(club: Club) -> None:
    """An offer that meets the other's offer ends the game."""
    game = await draw(club, await club.started(), ANA)
    game = await draw(club, game, BEN)
    assert "finished" == game.status
    assert "draw" == game.entries[-1].kind


async def test_declining_a_draw(club: Club) -> None:
    """A declined offer is gone; the one who made it is told."""
    game = await draw(club, await club.started(), ANA)
    game = await club.games.offers.answer("draw", game.id, BEN, False, club.source())
    assert ("running", ()) == (game.status, game.offers)
    said = await club.said(game)
    assert ["offer_closed", "note"] == [told.kind for told in said[-2:]]
    assert ("declined", ANA) == (payload(said[-2])["how"], payload(said[-1])["ping"])
    with pytest.raises(NoSuchOffer, match="no longer stands"):
        await club.games.offers.answer("draw", game.id, BEN, True, club.source())


async def test_a_move_by_the_other_declines_silently(club: Club) -> None:
    """One's own move lets the offer stand; the other's move closes it."""
    game = await draw(club, await club.started(), ANA)
    game = await club.play(game, "a3-b4")
    assert 1 == len(game.offers)
    game = await club.play(game, "h6-g5")
    assert () == game.offers
    said = await club.said(game)
    assert ["offer_closed", "board"] == [told.kind for told in said[-2:]]
    assert "lapsed" == payload(said[-2])["how"]
    assert game == await club.games.game(game.id)


async def test_one_draw_offer_for_each_own_turn(club: Club) -> None:
    """A second offer needs a move of one's own in between."""
    game = await draw(club, await club.started(), ANA)
    with pytest.raises(TooMany, match="offered a draw: wait"):
        await draw(club, game, ANA)
    await club.games.offers.answer("draw", game.id, BEN, False, club.source())
    with pytest.raises(TooMany, match="Move before you offer another"):
        await draw(club, game, ANA)
    game = await club.play(game, "a3-b4")
    game = await draw(club, game, ANA)
    game = await club.play(game, "h6-g5")
    with pytest.raises(TooMany):
        await draw(club, game, ANA)
    game = await draw(club, game, BEN)
    assert 1 == len(game.offers)


async def test_who_may_offer_and_answer(club: Club) -> None:
    """Players only, not one's own offer, not after the end; an old button does not answer a new offer."""
    game = await draw(club, await club.started(), ANA)
    with pytest.raises(NotSeated):
        await draw(club, game, CAT)
    with pytest.raises(NotSeated):
        await club.games.offers.answer("draw", game.id, CAT, True, club.source())
    with pytest.raises(NotSeated, match="your own draw offer"):
        await club.games.offers.answer("draw", game.id, ANA, True, club.source())
    with pytest.raises(NoSuchOffer):
        await club.games.offers.answer("draw", game.id, BEN, True, club.source(), game.offers[0].id + 1)
    with pytest.raises(NoSuchOffer):
        await club.games.offers.answer("takeback", game.id, BEN, True, club.source())
    await club.games.moves.resign(game.id, ANA, club.source())
    with pytest.raises(NotRunning):
        await draw(club, game, BEN)
    with pytest.raises(NotRunning):
        await club.games.offers.answer("draw", game.id, BEN, True, club.source())


async def test_the_end_closes_offers(club: Club) -> None:
    """When the game ends otherwise, a standing offer lapses with it."""
    game = await draw(club, await club.started(), ANA)
    game = await club.games.moves.resign(game.id, ANA, club.source())
    assert () == game.offers
    assert ["offer_closed", "board"] == (await club.kinds(game))[-2:]


async def test_the_same_source_offers_and_answers_once(club: Club) -> None:
    """Offers and answers that are delivered twice count once."""
    game = await club.started()
    await club.games.offers.offer_draw(game.id, ANA, "i:1")
    with pytest.raises(Duplicate):
        await club.games.offers.offer_draw(game.id, ANA, "i:1")
    await club.games.offers.answer("draw", game.id, BEN, False, "i:2")
    with pytest.raises(Duplicate):
        await club.games.offers.answer("draw", game.id, BEN, False, "i:2")


async def takeback(club: Club, game: Game, player: int) -> Game:
    other = BEN if player == ANA else ANA
    game = await club.games.offers.ask_takeback(game.id, player, club.source())
    return await club.games.offers.answer("takeback", game.id, other, True, club.source(), game.offers[0].id)


async def test_taking_back_the_last_turn(club: Club) -> None:
    """Before the opponent has moved, the asker's turn alone goes; the entries stay, the position is the one before."""
    start = await club.started()
    game = await club.play(start, "a3-b4")
    game = await takeback(club, game, ANA)
    assert ("takeback", 0, "0") == (game.entries[-1].kind, game.entries[-1].seat, game.entries[-1].text)
    assert (start.state, (), 2, ANA) == (game.state, game.line, game.ply, game.to_move)
    assert {"event": "takeback", "by": BEN, "ping": ANA, "lot": False} == payload((await club.said(game))[-1])
    assert game == await Club(club.store).games.game(game.id)
    game = await club.play(game, "c3-d4")
    assert ("c3-d4",) == game.turns


async def test_taking_back_after_the_answer(club: Club) -> None:
    """When the opponent has moved since, both turns go; earlier ones stand."""
    game = await club.started()
    earlier = await club.play(game, "a3-b4", "h6-g5")
    game = await club.play(earlier, "b2-a3", "g7-h6")
    game = await takeback(club, game, ANA)
    assert (earlier.state, earlier.turns, ANA) == (game.state, game.turns, game.to_move)
    game = await takeback(club, game, BEN)
    assert (("a3-b4",), BEN) == (game.turns, game.to_move)
    assert [] == await club.check()


async def test_taking_a_huff_back(club: Club) -> None:
    """A huff belongs to the move that follows it: both are taken back, and all remedies are there again."""
    before = await club.started("americanas")
    before = await club.play(before, "c3-d4", "f6-e5", "g3-h4")
    game = await club.play(before, "soplar d4", "e5-d4")
    game = await takeback(club, game, BEN)
    assert (before.state, before.turns) == (game.state, game.turns)


async def test_no_takeback_of_nothing(club: Club) -> None:
    """Who has not moved has nothing to take back, and the other's request is answered first."""
    game = await club.started()
    game = await club.play(game, "a3-b4")
    with pytest.raises(Refused, match="nothing to take back"):
        await club.games.offers.ask_takeback(game.id, BEN, club.source())
    game = await club.play(game, "h6-g5")
    game = await club.games.offers.ask_takeback(game.id, ANA, club.source())
    with pytest.raises(Refused, match=f"<@{ANA}> asks for a takeback"):
        await club.games.offers.ask_takeback(game.id, BEN, club.source())
    with pytest.raises(TooMany, match="asked for a takeback"):
        await club.games.offers.ask_takeback(game.id, ANA, club.source())


async def test_declining_a_takeback(club: Club) -> None:
    """A declined request leaves the turns, and cannot be repeated before one's next move."""
    game = await club.started()
    game = await club.play(game, "a3-b4")
    game = await club.games.offers.ask_takeback(game.id, ANA, club.source())
    game = await club.games.offers.answer("takeback", game.id, BEN, False, club.source())
    assert (("a3-b4",), ()) == (game.turns, game.offers)
    with pytest.raises(TooMany):
        await club.games.offers.ask_takeback(game.id, ANA, club.source())


async def test_any_move_ends_a_request_to_take_back(club: Club) -> None:
    """A request is for the position in which it was made: whoever moves, it lapses."""
    game = await club.started()
    game = await club.play(game, "a3-b4", "h6-g5")
    game = await club.games.offers.ask_takeback(game.id, ANA, club.source())
    game = await club.play(game, "b2-a3")
    assert () == game.offers
    game = await club.games.offers.ask_takeback(game.id, ANA, club.source())
    game = await club.play(game, "g7-h6")
    assert () == game.offers
