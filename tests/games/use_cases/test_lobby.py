"""Tables for more than two, tried with a game that counts."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from bot.games.model.errors import NotOpen, NotSeated, NotYourTurn, Refused, TooMany
from tests.support.games.club import ANA, BEN, CAT, DAN, Club, payload


async def test_a_table_starts_when_all_seats_are_taken(club: Club) -> None:
    """People sit down one by one; each is told of in the challenge; with the last the game begins."""
    game = await club.challenge(opponent=None, variant="counting-3", side=None)
    assert ((ANA, None, None), (None, None, None)) == (game.players, game.invited)
    game = await club.games.challenges.accept(game.id, BEN, club.source())
    assert ("open", (ANA, BEN, None)) == (game.status, game.players)
    assert game == await club.games.game(game.id)
    with pytest.raises(NotSeated, match="already have a seat at this table"):
        await club.games.challenges.accept(game.id, BEN, club.source())
    game = await club.games.challenges.accept(game.id, CAT, club.source())
    assert ("running", {ANA, BEN, CAT}) == (game.status, set(game.players))
    assert ["challenge", "challenge_changed", "challenge_closed", "board"] == await club.kinds(game)
    with pytest.raises(NotOpen):
        await club.games.challenges.accept(game.id, DAN, club.source())


async def test_a_seat_is_kept_for_a_person_invited(club: Club) -> None:
    """The invited person's seat is nobody else's, until it is declined."""
    game = await club.challenge(opponent=BEN, variant="counting-3", side=None)
    game = await club.games.challenges.accept(game.id, CAT, club.source())
    with pytest.raises(NotSeated, match=f"for <@{BEN}>"):
        await club.games.challenges.accept(game.id, DAN, club.source())
    game = await club.games.challenges.decline(game.id, BEN, club.source())
    assert ("open", (None, None, None)) == (game.status, game.invited)
    game = await club.games.challenges.accept(game.id, DAN, club.source())
    assert {ANA, CAT, DAN} == set(game.players)


async def test_no_side_at_a_table_for_more(club: Club) -> None:
    """Seats of a large table are drawn."""
    with pytest.raises(Refused, match="At a table for more than two, seats are drawn at random"):
        await club.challenge(opponent=None, variant="counting-3", side="first")


async def test_a_game_goes_on_when_one_resigns(club: Club) -> None:
    """The turn passes over who has left; the last who stays has won."""
    game = await club.table(3)
    first, second, third = (player or 0 for player in game.players)
    game = await club.play(game, "1")
    game = await club.games.moves.resign(game.id, second, club.source())
    assert ("running", third, (0, 2)) == (game.status, game.to_move, game.playing)
    assert {"event": "resign", "by": second, "ping": third, "lot": False} == payload((await club.said(game))[-1])
    with pytest.raises(NotSeated, match="have left"):
        await club.games.moves.turn(game.id, second, "1", club.source())
    game = await club.play(game, "1")
    assert first == game.to_move
    game = await club.games.moves.resign(game.id, third, club.source())
    assert game.result is not None
    assert ("finished", 0) == (game.status, game.result.winner)
    assert game == await Club(club.store).games.game(game.id)
    assert [] == await club.check()


async def test_a_draw_needs_all_who_still_play(club: Club) -> None:
    """One who agrees is not enough at a table for three; who has left is not asked."""
    game = await club.table(4)
    one, two, three, four = (player or 0 for player in game.players)
    game = await club.games.moves.resign(game.id, four, club.source())
    game = await club.games.offers.offer_draw(game.id, one, club.source())
    assert [two, three] == payload((await club.said(game))[-1])["ping"]
    game = await club.games.offers.answer("draw", game.id, two, True, club.source())
    assert ("running", (1,)) == (game.status, game.offers[0].agreed)
    assert game == await club.games.game(game.id)
    with pytest.raises(TooMany, match="already agreed"):
        await club.games.offers.offer_draw(game.id, two, club.source())
    game = await club.games.offers.answer("draw", game.id, three, True, club.source())
    assert "finished" == game.status
    assert game.result is not None
    assert game.result.winner is None


async def test_moves_of_those_who_agreed_let_the_offer_stand(club: Club) -> None:
    """A draw offer lapses when one who has not agreed moves."""
    game = await club.table(3)
    one, two, _ = (player or 0 for player in game.players)
    game = await club.games.offers.offer_draw(game.id, one, club.source())
    game = await club.games.offers.answer("draw", game.id, two, True, club.source())
    game = await club.play(game, "1", "1")
    assert 1 == len(game.offers)
    game = await club.play(game, "1")
    assert () == game.offers


async def test_one_no_ends_an_offer(club: Club) -> None:
    """Any of the others can decline for all."""
    game = await club.table(3)
    one, two, three = (player or 0 for player in game.players)
    game = await club.games.offers.offer_draw(game.id, one, club.source())
    game = await club.games.offers.answer("draw", game.id, two, True, club.source())
    game = await club.games.offers.answer("draw", game.id, three, False, club.source())
    assert ("running", ()) == (game.status, game.offers)


async def test_takeback_at_a_table(club: Club) -> None:
    """All who still play must agree; what was played since goes too; not past somebody's leaving."""
    game = await club.table(3)
    one, two, three = (player or 0 for player in game.players)
    game = await club.play(game, "1", "2", "3")
    game = await club.games.offers.ask_takeback(game.id, two, club.source())
    game = await club.games.offers.answer("takeback", game.id, one, True, club.source())
    assert ("1", "2", "3") == game.turns
    game = await club.games.offers.answer("takeback", game.id, three, True, club.source())
    assert (("1",), two) == (game.turns, game.to_move)
    game = await club.games.moves.resign(game.id, three, club.source())
    with pytest.raises(Refused, match="has left since"):
        await club.games.offers.ask_takeback(game.id, one, club.source())
    assert game == await Club(club.store).games.game(game.id)


async def test_calling_off_a_table(club: Club) -> None:
    """Anyone may, until everyone has moved."""
    game = await club.table(3)
    game = await club.play(game, "1", "1")
    aborted = await club.games.moves.abort(game.id, game.players[0] or 0, club.source())
    assert "aborted" == aborted.status
    game = await club.table(3)
    game = await club.play(game, "1", "1", "1")
    with pytest.raises(Refused, match="Everyone has moved"):
        await club.games.moves.abort(game.id, game.players[0] or 0, club.source())


async def test_rematch_of_a_table(club: Club) -> None:
    """The same people are invited again; the seats are drawn anew."""
    game = await club.table(3)
    one, two, three = (player or 0 for player in game.players)
    game = await club.games.moves.resign(game.id, one, club.source())
    game = await club.games.moves.resign(game.id, two, club.source())
    rematch = await club.games.challenges.rematch(game.id, two, club.source())
    assert {one, three} == set(rematch.invited) - {None}
    rematch = await club.games.challenges.accept(rematch.id, three, club.source())
    rematch = await club.games.challenges.accept(rematch.id, one, club.source())
    assert ("running", {one, two, three}) == (rematch.status, set(rematch.players))


async def test_turns_go_round(club: Club) -> None:
    """Six people in turn."""
    game = await club.table(6)
    order = []
    for _ in range(7):
        order.append(game.to_move)
        with pytest.raises(NotYourTurn):
            await club.games.moves.turn(game.id, game.players[game.state.seat - 1] or 0, "1", club.source())
        game = await club.play(game, "1")
    assert [*game.players, game.players[0]] == order


async def test_chinese_checkers_for_three(club: Club) -> None:
    """A real table: joined, played, one resigns, a draw by the others, and the record adds up."""
    game = await club.challenge(opponent=None, variant="chinese-checkers", side=None, players=3)
    for person in (BEN, CAT):
        game = await club.games.challenges.accept(game.id, person, club.source())
    for _ in range(9):
        game = await club.play(game, game.rules.turns(game.state)[0].text)
    game = await club.games.moves.resign(game.id, game.to_move or 0, club.source())
    assert ("running", 2) == (game.status, len(game.playing))
    mover = game.to_move or 0
    game = await club.play(game, game.rules.turns(game.state)[-1].text)
    other = game.to_move or 0
    game = await club.games.offers.ask_takeback(game.id, mover, club.source())
    game = await club.games.offers.answer("takeback", game.id, other, True, club.source())
    assert (9, mover) == (len(game.turns), game.to_move)
    game = await club.games.offers.offer_draw(game.id, mover, club.source())
    game = await club.games.offers.answer("draw", game.id, other, True, club.source())
    assert "finished" == game.status
    assert game == await Club(club.store).games.game(game.id)
    assert [] == await club.check()


async def test_a_table_counts_when_all_who_stay_have_moved(club: Club) -> None:
    """One who left without a move does not keep the others' game from counting: it cannot be called off any more."""
    game = await club.table(3)
    first, second, third = (player or 0 for player in game.players)
    game = await club.games.moves.resign(game.id, second, club.source())
    game = await club.play(game, "1", "1")
    with pytest.raises(Refused, match="so this game counts"):
        await club.games.moves.abort(game.id, first, club.source())
    with pytest.raises(NotSeated, match="have left"):
        await club.games.moves.abort(game.id, second, club.source())
    assert third in game.players


async def test_no_takeback_without_one_who_came_home_and_was_forgotten(club: Club) -> None:
    """Nobody could agree for that player, nor play the turn again."""
    game = await club.table(3)
    await club.play(game, "1", "2", "3")
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE seats SET player = NULL, sat_at = NULL WHERE seat = 2"))
    with pytest.raises(Refused, match="has left since"):
        await Club(club.store).games.offers.ask_takeback(game.id, game.players[1] or 0, club.source())
