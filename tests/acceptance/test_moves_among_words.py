"""Moves as friends write them: in other forms, with words around them, several in a message."""

from __future__ import annotations

import pytest

from tests.support.discord.world import World, labels, said


@pytest.mark.parametrize(
    "text",
    [
        "1. c3-d4",
        "1.c3-d4",
        "c3 to d4",
        "c3/d4",
        "c3, d4",
        "c3 a d4",
        "from c3 to d4",
        "c3 hasta d4",
        "c3-d4 please",
        "I say c3-d4, thanks",
        "sorry, c3-d4",
        "My move is c3-d4. Thank you! :)",
        "man from c3 to d4 please",
        "move 1: c3-d4",
        "1. c3-d4 ok",
        "por favor, muevo la ficha de c3 a d4",
        "sige, c3-d4 po",
        "խնդրում եմ՝ c3-d4",
    ],
)
async def test_a_move_as_friends_write_it(here: World, text: str) -> None:
    """With its number, with a word between, and among words that say nothing else, if the bot is meant."""
    await here.start("pinoy")
    await here.mention(here.alice, text)
    assert ("c3-d4",) == (await here.game()).turns


@pytest.mark.parametrize(
    "text", ["c3-d4 or e3-f4", "is c3-d4 good", "c3-d4 please do something about it, " + "I say " * 30, "c3-e5 please"]
)
async def test_what_may_mean_anything_is_no_move(here: World, text: str) -> None:
    """Several moves, a question, a long text, what the rules forbid."""
    await here.start("pinoy")
    await here.mention(here.alice, text)
    assert () == (await here.game()).turns
    assert here.last.reference is not None


@pytest.mark.parametrize(
    "text",
    [
        "not c3-d4",
        "I won\u2019t play c3-d4",
        "c3-d4, just kidding",
        "instead of c3-d4",
        "you played c3-d4",
        "is c3-d4 best",
        "no problem: c3-d4",
        "en vez de c3-d4",
        "si juego c3-d4",
        "huwag c3-d4",
        "չխաղալ c3-d4",
        "~~c3-d4~~",
        "I go from c3 to d4 tomorrow",
        "c3-d4?",
        "¿c3-d4",
        "c3-d4?!",
        "c3-d4? please",
        "c3-d4\uff1f",
        "c3-d4՞",
        "is c3-d4 good?",
    ],
)
async def test_a_move_in_other_words_is_asked_about(here: World, text: str) -> None:
    """With any other word beside it, struck through or in a question, a move is not played but asked about; the answer
    has a button that plays it."""
    await here.start("pinoy")
    await here.mention(here.alice, text)
    assert () == (await here.game()).turns
    assert ("Do you want to play c3-d4?", ["Yes"]) == (here.last.content, labels(here.last))
    await here.alice.click(here.last, label="Yes")
    assert ("c3-d4",) == (await here.game()).turns


async def test_yes_plays_the_move_that_was_asked_about(here: World) -> None:
    """The question is answered in words too, in the words of its button; in numbers if it was in numbers."""
    await here.start("pinoy")
    await here.mention(here.alice, "not 10-14")
    assert "Do you want to play 10-14?" == here.last.content
    await here.alice.send(here.channel, "yes!", reply_to=here.last)
    assert ("c3-d4",) == (await here.game()).turns


@pytest.mark.parametrize("text", ["mejor c3-d4 que e3-d4", "c3-d4 or e3-d4?", "d4 please"])
async def test_several_moves_among_words_are_listed(here: World, text: str) -> None:
    """None is played; each has its button."""
    await here.start("pinoy")
    await here.mention(here.alice, text)
    assert here.last.content.startswith("More than one move fits. Which one do you mean?\n1. `c3-d4`\n2. `e3-d4`\n")
    await here.alice.click(here.last, label="2")
    assert ("e3-d4",) == (await here.game()).turns


@pytest.mark.parametrize("text", ["c3-c4 please", "please, c3-c4", "c3-c4, my friend", "c3-c4?"])
async def test_a_forbidden_move_among_words_is_told_its_rule(here: World, text: str) -> None:
    """The answer is that to the move alone."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-c4")
    alone = here.last.content
    assert "I cannot read" not in alone
    await here.mention(here.alice, text)
    assert alone == here.last.content


@pytest.mark.message_content
async def test_a_question_in_the_chat_is_left_alone(here: World) -> None:
    """Not said to the bot, a text with a question mark is no move, however it is written."""
    await here.start("pinoy")
    before = len(here.posts())
    for text in ("c3-d4?", "h4?", "¿h4?", "d4?", "c3-d4 ?!", "c3-d4\uff1f", "~~c3-d4~~", "12 to 15"):
        await here.alice.send(here.channel, text)
    assert (0, before) == ((await here.game()).ply, len(here.posts()))


@pytest.mark.message_content
@pytest.mark.parametrize("text", ["1. c3-d4", "1... c3-d4", "c3 to d4", "c3/d4", "from c3 to d4"])
async def test_what_is_understood_alone_is_understood_in_the_chat(here: World, text: str) -> None:
    """All ways of writing a move count as plain text too."""
    await here.start("pinoy")
    await here.alice.send(here.channel, text)
    assert ("c3-d4",) == (await here.game()).turns


@pytest.mark.message_content
async def test_talk_that_names_a_move_is_no_move(here: World) -> None:
    """What is not said to the bot is a move only if it is nothing else."""
    await here.start("pinoy")
    before = len(here.posts())
    for text in ("c3-d4 please", "I say c3-d4", "c3/d4 hm", "1. c3-d4 b6-a5 2. what"):
        await here.alice.send(here.channel, text)
    assert (0, before) == ((await here.game()).ply, len(here.posts()))


@pytest.mark.parametrize("text", ["c3-d4 please", "c3-d4, good luck", "c3-d4?"])
async def test_in_a_rated_game_words_around_a_move_are_not_guessed_at(here: World, text: str) -> None:
    """Where moves stand nothing is played that might be talk: it is asked about."""
    await here.play("pinoy", side=None, rated=True, clock="1d")
    await here.bob.click(here.last, label="Accept")
    mover = here.mover(await here.game())
    await here.mention(mover, text)
    assert () == (await here.game()).turns
    assert "Do you want to play c3-d4?" == here.last.content
    await mover.click(here.last, label="Yes")
    assert ("c3-d4",) == (await here.game()).turns


async def test_commands_and_forms_ask_about_a_move_among_words(here: World) -> None:
    """`/move` and the form behind the button play nothing but a move; the private question has the button."""
    await here.start("pinoy")
    form = await here.form(here.alice)
    for answer in (
        await here.alice.slash(here.channel, "move", move="c3-d4 please"),
        await here.alice.slash(here.channel, "move", move="c3-d4?"),
        await here.alice.submit_modal(form, {"move": "c3-d4 please"}),
    ):
        assert "Do you want to play c3-d4?" == said(answer)
    assert () == (await here.game()).turns
    assert answer.response is not None
    await here.alice.click(answer.response, label="Yes")
    assert ("c3-d4",) == (await here.game()).turns


async def test_a_text_is_read_to_its_end(here: World) -> None:
    """A long text is not cut to one that happens to be a move: neither a mention's nor a message command's."""
    await here.start()
    text = "d3" + "-" * 116 + "c4 is what I think of"
    await here.mention(here.alice, text)
    assert "too long" in here.last.content
    message = await here.alice.send(here.channel, text)
    answer = await here.alice.context_menu(here.channel, "Play this move", message)
    assert "too long" in said(answer)
    assert () == (await here.game()).line


async def test_the_first_move_of_a_message_is_played(here: World) -> None:
    """*Play this move* finds the first move in what was said that may be played."""
    await here.start()
    message = await here.alice.send(here.channel, "not c3-d4, what about b3-a4 ?")

    answer = await here.alice.context_menu(here.channel, "Play this move", message)

    assert "Played: `b3-a4`." == said(answer)


async def test_of_several_moves_in_a_message_none_is_played(here: World) -> None:
    """*Play this move* guesses nothing where what was said holds two that may be played."""
    await here.start()
    message = await here.alice.send(here.channel, "maybe b3-a4 or b3-c4 (c5)")
    answer = await here.alice.context_menu(here.channel, "Play this move", message)
    assert "That message holds several moves: `b3-a4`, `b3-c4`. Play one of them with `/move`." == said(answer)
    assert 0 == (await here.game()).ply
