"""Questions about the board, typed to the bot."""

from __future__ import annotations

import pytest

from tests.support.discord.world import World, said

WHAT_TO_ASK = (
    "Ask me: a1?, row 4, kings, captures, moves, last, board, clock. "
    "To move, press *Move* under the board or write a move such as a3-b4; `/help` tells more."
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("c3", "c3: White man. It may play c3-b4, c3-d4."),
        ("row 8", "Row 8: b8 Black man, d8 Black man, f8 Black man, h8 Black man."),
        ("¿captures?", "White has nothing to capture."),
        ("captures?", "White has nothing to capture."),
        ("clock", "This game has no clock."),
        (
            "who is winning?",
            f"I do not understand that. {WHAT_TO_ASK}",
        ),
        ("undo", "To undo a slip, use `/game undo` within a minute; later, ask for a `/game takeback`."),
        ("help", WHAT_TO_ASK),
    ],
)
async def test_a_question_is_answered(here: World, text: str, said: str) -> None:
    """Whoever asks the bot in a game's channel, the player to move or not, is answered under the question."""
    await here.start("pinoy")
    asked = await here.mention(here.carol, text)
    assert said == here.last.content
    assert here.last.reference is not None
    assert asked.id == here.last.reference.message_id
    assert 0 == (await here.game()).ply


async def test_undo_in_a_rated_game(here: World) -> None:
    """Typed, it names no command that would refuse, but says that moves stand."""
    await here.play(side=None, rated=True, clock="1d")
    await here.bob.click(here.last, label="Accept")
    await here.mention(here.carol, "undo")
    assert "This game is rated, so moves stand: nothing can be taken back." == here.last.content


async def test_words_out_of_turn_are_no_move(here: World) -> None:
    """Whoever is not to move and says what can be no move is told what may be asked, and nobody is named; who says a
    move is told whose turn it is."""
    await here.start("pinoy")
    for text in ("who wins", "hmm", "columns"):
        await here.mention(here.bob, text)
        assert here.last.content.startswith("I do not understand that. Ask me: a1?, row 4")
        assert here.alice.mention not in here.last.content
    asked = await here.bob.slash(here.channel, "move", move="who wins")
    assert said(asked).startswith("I do not understand that. Ask me: ")
    await here.mention(here.bob, "b6-a5")
    assert here.last.content.startswith("It is not your turn: White")


async def test_a_star_has_no_columns(here: World) -> None:
    """Who asks for one is told what to ask for, whose turn it may be."""
    await here.start("chinese-checkers")
    for person in (here.alice, here.bob):
        await here.mention(person, "column 4")
        assert "A star has no columns. Ask for a row: row d." == here.last.content
    await here.mention(here.bob, "row d")
    assert here.last.content.startswith("Row d: ")


async def test_what_is_not_said_to_the_bot_is_no_question(here: World) -> None:
    """A square that people name among themselves stays theirs."""
    await here.start("pinoy")
    before = len(here.posts())
    await here.carol.send(here.channel, "c3")
    assert before == len(here.posts())


async def test_a_square_alone_is_a_move_where_it_can_be_one(here: World) -> None:
    """The player to move goes there; with a question mark, or where nobody can go, it is a question."""
    await here.start("pinoy")
    await here.mention(here.alice, "h4?")
    assert "h4 is empty." == here.last.content
    await here.mention(here.alice, "h2")
    assert "h2: White man. It cannot move now." == here.last.content
    await here.mention(here.alice, "h4")
    assert ["g3-h4"] == [entry.text for entry in (await here.game()).line]


async def test_questions_are_answered_wherever_a_move_is_typed(here: World) -> None:
    """The form behind the button and `/move` answer them too, to who asked alone; a move with a question mark
    is asked about."""
    await here.start("pinoy")
    form = await here.form(here.alice)
    assert "Black has no king." in said(await here.alice.submit_modal(form, {"move": "kings"}))
    answer = await here.alice.slash(here.channel, "move", move="c3?")
    assert "c3: White man. It may play c3-b4, c3-d4." == said(answer)
    assert answer.ephemeral
    assert "There is no z9" in said(await here.bob.slash(here.channel, "move", move="z9"))
    assert 0 == (await here.game()).ply
    answer = await here.alice.slash(here.channel, "move", move="c3-b4?")
    assert "Do you want to play c3-b4?" == said(answer)
    assert 0 == (await here.game()).ply
