from __future__ import annotations

import pytest

from tests.support.discord.world import World, labels, said


@pytest.mark.parametrize("label", ["Move", "Draw", "Resign"])
async def test_a_strangers_press_gets_a_polite_no(here: World, label: str) -> None:
    """Carol does not play: each button of the board tells her so, alone, and nothing happens."""
    await here.start()
    posts = len(here.posts())

    answer = await here.carol.click(here.boards()[-1], label=label)

    assert "You are not playing in this game" in said(answer)
    assert posts == len(here.posts())
    assert 0 == (await here.game()).ply


@pytest.mark.parametrize("label", ["Move", "Draw", "Resign"])
async def test_an_old_button_says_where_the_board_is(here: World, label: str) -> None:
    """A button of a position that has passed does nothing on the new one; its answer links to the newest board."""
    await here.start()
    old = here.boards()[-1]
    await here.mention(here.alice, "b3-a4")

    answer = said(await here.bob.click(old, label=label))

    assert "This is an older board: the game has moved on. Here is the current one: " in answer
    assert f"https://discord.com/channels/{here.guild.id}/{here.channel.id}/{here.boards()[-1].id}" in answer
    assert 1 == (await here.game()).ply


async def test_the_form_is_for_the_player_to_move(here: World) -> None:
    """Bob, whose turn it is not, gets a word instead of the form."""
    await here.start()

    answer = await here.bob.click(here.boards()[-1], label="Move")

    assert answer.modal is None
    assert "White's turn" in said(answer)


async def test_a_form_sent_in_late_plays_nothing(here: World) -> None:
    """A form that was opened before the game went on is answered with the link to the board."""
    await here.start()
    shown = await here.form(here.alice)
    await here.mention(here.alice, "b3-a4")

    answer = await here.alice.submit_modal(shown, {"move": "d3-c4"})

    assert "moved on" in said(answer)
    assert 1 == (await here.game()).ply


async def test_a_slip_in_the_form_gets_the_reason_privately(here: World) -> None:
    """The refusal of a form is for its sender alone."""
    await here.start()
    posts = len(here.posts())
    shown = await here.form(here.alice)

    answer = await here.alice.submit_modal(shown, {"move": "b3-b5"})

    assert "b3" in said(answer)
    assert posts == len(here.posts())


async def test_resigning_is_asked_once_and_ends_the_game(here: World) -> None:
    """Button and command ask; the second press resigns. The result is on the last board, with a Rematch button."""
    await here.start()
    asked = await here.bob.click(here.boards()[-1], label="Resign")
    assert "This cannot be undone" in said(asked)
    assert 0 == (await here.game()).ply
    assert asked.response is not None

    await here.bob.click(asked.response, label="Resign")

    assert "Red resigned" in here.last.content
    assert f"{here.alice.mention} (White) wins." in here.last.content
    assert ["Rematch", "My side"] == labels(here.last)
    assert [] == here.sent()[-1]["allowed_mentions"]["users"]
    assert None is await here.bot.services.games.running_in(here.channel.id)


async def test_resigning_before_the_first_moves_offers_to_call_the_game_off(here: World) -> None:
    """As long as a game may be called off, the question says so and has a button for it; once all have moved, neither
    is there, and the button that is left over is refused."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    early = await here.bob.slash(here.channel, "game resign")
    assert early.response is not None
    assert "it will not count" in said(early)
    assert ["Call it off", "Resign"] == labels(early.response.message)

    await here.mention(here.bob, "c6-b5")
    late = await here.bob.slash(here.channel, "game resign")
    assert late.response is not None
    assert ["Resign"] == labels(late.response.message)
    assert "moved on" in said(await here.bob.click(early.response, label="Call it off"))
    assert "running" == (await here.game()).status


async def test_a_game_is_called_off_in_the_question_about_resigning(here: World) -> None:
    """The button calls the game off for both: no result, no rating."""
    await here.start()
    game = await here.game()
    asked = await here.bob.click(here.boards()[-1], label="Resign")
    assert asked.response is not None

    await here.bob.click(asked.response, label="Call it off")

    assert "has called this game off" in here.last.content
    assert "aborted" == (await here.bot.services.games.game(game.id)).status


async def test_the_buttons_of_a_game_that_is_over_say_so(here: World) -> None:
    """A press under an old board after the end is answered, and changes nothing."""
    await here.start()
    board = here.boards()[-1]
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")

    for label in ("Move", "Draw", "Resign"):
        assert "over" in said(await here.alice.click(board, label=label))


async def test_a_rematch_swaps_the_sides(here: World) -> None:
    """The button challenges the other player, who begins this time; a second press by the same person adds nothing."""
    await here.start()
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")
    end = here.last

    await here.alice.click(end, label="Rematch")
    assert f"{here.alice.mention} offers {here.bob.mention} a rematch" in here.last.content
    assert [here.bob.id] == here.sent()[-1]["allowed_mentions"]["users"]
    posts = len(here.posts())
    assert "You have offered a rematch" in said(await here.alice.click(end, label="Rematch"))
    assert posts == len(here.posts())
    await here.bob.click(here.last, label="Accept")

    assert (here.bob.id, here.alice.id) == (await here.game()).players


async def test_both_pressing_rematch_begin_it(here: World) -> None:
    """The second player's press on Rematch accepts the first one's."""
    await here.start()
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")
    end = here.last

    await here.alice.click(end, label="Rematch")
    await here.bob.click(end, label="Rematch")

    assert (here.bob.id, here.alice.id) == (await here.game()).players
    assert "not playing" in said(await here.carol.click(end, label="Rematch"))


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_rematch_is_offered_anew_after_a_refusal(here: World, restarted: bool) -> None:
    """Declined or withdrawn, it may be offered again by either; once it has begun, a press says which game it is."""
    await here.start()
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")
    end = here.last

    await here.alice.click(end, label="Rematch")
    await here.bob.click(here.last, label="Decline")
    if restarted:
        await here.restart()
    await here.bob.click(end, label="Rematch")
    assert f"{here.bob.mention} offers {here.alice.mention} a rematch" in here.last.content
    await here.bob.click(here.last, label="Withdraw")
    posts = len(here.posts())
    await here.bob.click(end, label="Rematch")
    assert posts + 1 == len(here.posts())
    await here.alice.click(here.last, label="Accept")
    assert f"is game {(await here.game()).id}" in said(await here.bob.click(end, label="Rematch"))


async def test_a_button_of_an_unknown_kind_is_answered(here: World) -> None:
    """A button that some older version posted gets a word, not silence."""
    await here.start()
    stored = here.env.backend.get_message(here.channel.id, here.boards()[-1].id)
    stored.components[0]["components"][0]["custom_id"] = "damero:juggle:1:0"

    answer = await here.alice.click(here.boards()[-1], custom_id="damero:juggle:1:0")

    assert "older version" in said(answer)
