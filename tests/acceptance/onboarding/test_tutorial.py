"""`/tutorial`: a game learnt by six positions."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.study.lessons import lessons_of
from tests.support.discord.world import World, said


def shown(answer: InteractionResult) -> Any:
    """The private message of the lesson."""
    assert answer.response is not None
    return answer.response


@pytest.mark.parametrize("game", ["spanish", "americanas", "chinese-checkers"])
async def test_a_game_is_learnt_by_tapping(here: World, game: str) -> None:
    """Six lessons, each by its menu, with a picture and its words; a restart in the middle changes nothing; after the
    last a game against the computer begins."""
    lessons = lessons_of(game)
    answer = await here.alice.slash(here.channel, "tutorial", variant=game)
    message = shown(answer)
    for number, lesson in enumerate(lessons):
        assert f"lesson {number + 1} of {len(lessons)}" in message.content
        assert "to move" in (message.attachments[0].description or "")
        if number == 2:
            await here.restart()
        answer = await here.alice.select(message, [lesson.solutions[0].text])
        message = shown(answer)
        assert f"Right: `{lesson.solutions[0].text}`." in message.content
        if number + 1 < len(lessons):
            message = shown(await here.alice.click(message, label="Next lesson"))
    assert "That was the last lesson" in message.content
    assert [] == here.posts()

    await here.alice.click(message, label="Play the computer")

    await here.thought()
    assert here.alice.id in (await here.game()).players


async def test_typed_answers_and_help(here: World) -> None:
    """What is not legal gets the rule's reason, what is legal and something else is told; the solution is shown to
    whoever asks."""
    crowning = next(number for number, lesson in enumerate(lessons_of("spanish")) if lesson.goal == "crown")
    lesson = lessons_of("spanish")[crowning]
    other = next(turn for turn in lesson.rules.turns(lesson.state) if turn not in lesson.solutions)
    message = shown(await here.alice.slash(here.channel, "tutorial", variant="spanish"))
    for number in range(crowning):
        solution = lessons_of("spanish")[number].solutions[0].text
        message = shown(await here.alice.select(message, [solution]))
        message = shown(await here.alice.click(message, label="Next lesson"))

    async def typed(text: str) -> Any:
        form = await here.alice.click(message, label="Type a move")
        return shown(await here.alice.submit_modal(form, {"move": text}))

    assert "I cannot read that as a move." in (await typed("hello")).content
    assert "is legal, but not what this lesson is about" in (await typed(other.text)).content
    told = shown(await here.alice.click(message, label="Show me"))
    assert f"Play `{lesson.solutions[0].text}`." in told.content
    assert "It makes a king." in (await typed(lesson.solutions[0].text)).content


async def test_the_game_is_chosen_from_a_list(here: World) -> None:
    """Without a game `/tutorial` asks which, and everything is said in the reader's language."""
    await here.alice.slash(here.channel, "me settings", language="es")
    answer = await here.alice.slash(here.channel, "tutorial")
    assert "aprender" in said(answer)
    message = shown(await here.alice.select(shown(answer), ["tama"]))
    assert "lección 1 de 6" in message.content
