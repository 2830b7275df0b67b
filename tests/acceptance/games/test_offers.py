from __future__ import annotations

from tests.support.discord.world import World, labels, said


async def test_a_draw_is_offered_and_accepted(here: World) -> None:
    """The offer is a post with Accept and Decline for the other player; accepting ends the game, drawn."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game draw")
    offer = here.last
    assert f"{here.alice.mention} offers a draw." in offer.content
    assert ["Accept", "Decline"] == labels(offer)
    assert [here.bob.id] == here.sent()[-1]["allowed_mentions"]["users"]

    await here.bob.click(offer, label="Accept")

    assert "**Drawn by agreement.**" in here.last.content
    assert ["Rematch", "Analyse", "Replay", "My side"] == labels(here.last)
    assert [] == labels(next(post for post in here.posts() if post.id == offer.id))


async def test_a_draw_is_offered_by_button_and_declined(here: World) -> None:
    """The board's button offers; declining is written into the offer, and the game goes on."""
    await here.start()
    await here.bob.click(here.boards()[-1], label="Draw")
    offer = here.last

    await here.alice.click(offer, label="Decline")

    assert "declined by" in next(post for post in here.posts() if post.id == offer.id).content
    assert "running" == (await here.game()).status


async def test_an_offer_to_a_player_who_is_not_to_move_pings_nobody(here: World) -> None:
    """During a game the player to move alone is ever pinged."""
    await here.start()

    await here.alice.slash(here.channel, "game draw")

    assert [] == here.sent()[-1]["allowed_mentions"]["users"]


async def test_a_move_declines_the_offer(here: World) -> None:
    """The other player's move lets the offer lapse; its buttons go, and an old press gets a word."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game draw")
    offer = here.last

    await here.mention(here.bob, "g6-h5")

    closed = next(post for post in here.posts() if post.id == offer.id)
    assert "Draw offer: no longer open" in closed.content
    assert [] == labels(closed)


async def test_offering_where_the_other_has_offered_is_agreeing(here: World) -> None:
    """Two offers make a draw."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game draw")

    answer = await here.bob.slash(here.channel, "game draw")

    assert "drawn" in said(answer)
    assert "**Drawn by agreement.**" in here.last.content


async def test_one_cannot_answer_ones_own_offer(here: World) -> None:
    """Neither the one who offers nor a stranger can accept."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game draw")
    offer = here.last

    assert said(await here.alice.click(offer, label="Accept"))
    assert said(await here.carol.click(offer, label="Accept"))
    assert "running" == (await here.game()).status


async def test_a_takeback_by_consent(here: World) -> None:
    """The mover asks; when the other agrees the board stands as before, in a new post that pings the mover."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game takeback")
    assert "asks to take back the last turn" in here.last.content

    await here.bob.click(here.last, label="Accept")

    game = await here.game()
    assert () == game.line
    assert here.alice.id == game.to_move
    assert "White takes back the last turn" in here.last.content
    assert f"{here.alice.mention}, it is your turn (White)." in here.last.content
    assert [here.alice.id] == here.sent()[-1]["allowed_mentions"]["users"]
    await here.mention(here.alice, "d3-c4")
    assert ["d3-c4"] == [entry.text for entry in (await here.game()).line]


async def test_a_takeback_declined(here: World) -> None:
    """Without consent the turn stands."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game takeback")

    await here.bob.click(here.last, label="Decline")

    assert ["b3-a4"] == [entry.text for entry in (await here.game()).line]


async def test_nothing_to_take_back(here: World) -> None:
    """Before one's own first turn there is nothing to take back."""
    await here.start()

    assert said(await here.bob.slash(here.channel, "game takeback"))
    assert 1 == len(here.boards())


async def test_a_game_can_be_called_off_before_both_have_moved(here: World) -> None:
    """`/game abort` ends it without a result; once both have moved it is refused."""
    await here.start()
    await here.mention(here.alice, "b3-a4")

    await here.bob.slash(here.channel, "game abort")

    assert None is await here.bot.services.games.running_in(here.channel.id)
    assert f"{here.bob.mention} has called this game off; it does not count." == here.last.content
    assert [] == labels(here.last)

    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.mention(here.bob, "g6-h5")
    assert said(await here.alice.slash(here.channel, "game abort"))
    assert "running" == (await here.game()).status


async def test_commands_of_players_are_not_for_strangers(here: World) -> None:
    """Carol may neither resign, offer, ask nor call off."""
    await here.start()

    for command in ("resign", "draw", "takeback", "abort", "oblige"):
        assert "not playing" in said(await here.carol.slash(here.channel, f"game {command}"))
    assert 0 == (await here.game()).ply


async def test_an_offer_is_over_with_the_game(here: World) -> None:
    """Its post does not say that the game went on."""
    await here.start("pinoy")
    for _turn in range(2):
        game = await here.game()
        await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
    await here.alice.slash(here.channel, "game draw")
    offer = here.last
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")
    closed = next(post for post in here.posts() if post.id == offer.id)
    assert "Draw offer: no longer open, as the game is over." == closed.content
