"""Answers and posts that are cards (Components V2): what they show, what their buttons do, and how they are known
again."""

from __future__ import annotations

import asyncio
import re
from itertools import product
from typing import Any

import pytest
from simcord.results import InteractionResult, ResponseMessage

from bot.chat import responses
from bot.engine import variants
from bot.i18n import LANGUAGES, _, speaking
from data.queries import ratings
from tests.support.discord.world import World, labels, pictures_of, said, words_of

CALLBACK = "/interactions/*/*/callback"


def card(answer: InteractionResult) -> ResponseMessage:
    """An answer that is a card: nothing stands outside of its components."""
    assert answer.response is not None
    assert answer.response.flags.components_v2
    assert not answer.response.content
    return answer.response


def logged_events(logged: list[Any]) -> list[str]:
    return [event["event"] for event in logged]


# Help


async def test_help_leads_to_a_first_game(here: World) -> None:
    """Its buttons work, also after a restart: a first game, and the tutorial."""
    shown = card(await here.alice.slash(here.channel, "help"))
    assert ["Play the computer", "Find an opponent", "Learn a game"] == labels(shown)
    assert len(words_of(shown).splitlines()) <= 5
    await here.restart()
    asked = await here.alice.click(shown, label="Play the computer")
    assert "Which game?" in said(asked)
    assert asked.response is not None
    await here.alice.select(asked.response, ["spanish"])
    await here.thought()
    assert here.alice.id == (await here.game()).players[0]
    assert "Which game?" in said(await here.alice.click(shown, label="Learn a game"))


async def test_help_tells_more_by_topic(here: World) -> None:
    """The menu leads from topic to topic in the one message, also after a restart; a topic of an older version is
    refused."""
    shown = card(await here.alice.slash(here.channel, "help"))
    await here.restart()
    answer = card(await here.alice.select(shown, ["days"], custom_id="menu:damero-help:topic"))
    assert "`/me vacation`" in words_of(answer)
    answer = card(await here.alice.select(answer, ["server"], custom_id="menu:damero-help:topic"))
    assert "`/server diagnose`" in words_of(answer)
    assert "vacation" not in words_of(answer)
    answer = card(await here.alice.select(answer, ["first"], custom_id="menu:damero-help:topic"))
    assert words_of(shown) == words_of(answer)


async def test_help_takes_the_colour_of_the_game_here(here: World) -> None:
    """The accent is the colour of its board, and the example one of its moves."""
    assert card(await here.alice.slash(here.channel, "help")).components[0].get("accent_color") is None
    await here.start("spanish")
    shown = card(await here.alice.slash(here.channel, "help"))
    assert 0x7F98AA == shown.components[0]["accent_color"]
    assert "your move (`b3-a4`)" in words_of(shown)


async def test_a_card_that_discord_does_not_take_is_an_ordinary_message(here: World, logged: list[Any]) -> None:
    """All of it is there: words, buttons; and the log says so."""
    here.env.inject_error("POST", CALLBACK, status=400, code=50035)
    answer = await here.alice.slash(here.channel, "help")
    assert answer.response is not None
    assert not answer.response.flags.components_v2
    assert "**Play draughts and Chinese checkers" in answer.response.content
    assert ["Play the computer", "Find an opponent", "Learn a game"] == labels(answer.response)
    assert "card refused" in logged_events(logged)


# Ratings


async def test_ratings_are_a_card(here: World) -> None:
    """A line for each pool with the finished games behind a button, and the graph; nobody is pinged."""
    game = await here.rated_game()
    shown = card(await here.bob.slash(here.channel, "me rating", player=here.alice))
    assert f"Ratings of {here.alice.mention} on this server:" in words_of(shown)
    ((name, words),) = pictures_of(shown)
    assert "rating.png" == name
    assert words.startswith("alice, Pinoy Dama")
    await here.restart()
    finished = await here.bob.click(shown, label="Finished games")
    assert f"`/game replay {game.id}`" in said(finished)
    # The card stays what it was.
    assert ["Finished games"] == labels(shown)


async def test_ratings_in_words(here: World) -> None:
    """Who wants pictures written out gets the graph's words as well, once there is more to say than in the line above;
    others do not."""
    await here.rated_game()
    await here.bob.slash(here.channel, "me settings", words=True)
    assert 1 == said(await here.bob.slash(here.channel, "me rating")).count("1259?")
    await here.rated_game()
    told = "after 2 games, between"
    assert told in said(await here.bob.slash(here.channel, "me rating"))
    assert told not in said(await here.alice.slash(here.channel, "me rating", player=here.bob))


async def test_ratings_in_spanish(here: World) -> None:
    """Whoever reads Spanish has their ratings in it: the lines, the picture's description with its dates, the button,
    and the list behind it; also of somebody who reads English."""
    await here.rated_game()
    await here.rated_game()
    await here.bob.slash(here.channel, "me settings", language="es", words=True)
    for whose, name, result in ((here.bob, "bob", "perdida"), (here.alice, "alice", "ganada")):
        shown = card(await here.bob.slash(here.channel, "me rating", player=whose))
        told = words_of(shown)
        assert told.startswith(
            f"Puntuación de {whose.mention} en este servidor:\n- Pinoy Dama (damas filipinas) por días:"
        )
        assert re.search(rf"^{name}, Pinoy .* tras 2 partidas, entre .* y .*, del 1 ene 2026 al", told, re.MULTILINE)
        ((_name, words),) = pictures_of(shown)
        assert "La imagen, como se describe en el mensaje." == words
        assert ["Partidas terminadas"] == labels(shown)
        finished = said(await here.bob.click(shown, label="Partidas terminadas"))
        assert f"Partidas terminadas de {whose.mention}:" in finished
        assert re.search(rf"\*\*{result}\*\* \(abandono de (Blancas|Negras)\)", finished)
    everywhere = said(await here.bob.slash(here.channel, "me rating", everywhere=True))
    assert "en todos los servidores:" in everywhere
    board = said(await here.bob.slash(here.channel, "leaderboard", variant="pinoy"))
    assert board.startswith("**Pinoy Dama (damas filipinas) por días**\nTodavía no hay nadie en la lista")


async def test_ratings_that_discord_takes_in_no_card(here: World) -> None:
    """An ordinary message with the picture."""
    await here.rated_game()
    here.env.inject_error("POST", CALLBACK, status=400, code=50035)
    check_ordinary(await here.alice.slash(here.channel, "me rating"))


@pytest.mark.time_goes_by
async def test_an_answer_that_was_put_off(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a card too; where Discord takes no pictures in one, which it has been seen to do, an ordinary message."""
    await here.rated_game()
    monkeypatch.setattr(responses, "PATIENCE", 0.01)
    draw = here.bot.services.pictures.drawn

    async def slow(picture: Any) -> Any:
        # Timers fire in the simulated Discord's order, however busy the machine is.
        await asyncio.sleep(2 * responses.PATIENCE)
        return await draw(picture)

    monkeypatch.setattr(here.bot.services.pictures, "drawn", slow)
    answer = await here.alice.slash(here.channel, "me rating")
    assert 5 == here.sent(ending="/callback")[-1]["type"]
    assert ["rating.png"] == [name for name, _words in pictures_of(card(answer))]
    here.env.inject_error("POST", "/webhooks/*/*", status=400, code=50035)
    check_ordinary(await here.alice.slash(here.channel, "me rating"))


def check_ordinary(answer: InteractionResult) -> None:
    """The ratings are all there, in no card."""
    assert answer.response is not None
    assert not answer.response.flags.components_v2
    assert "Ratings of" in answer.response.content
    assert ["Finished games"] == labels(answer.response)
    assert ["rating.png"] == [name for name, _words in pictures_of(answer.response)]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_more_ratings_than_a_message_holds(here: World, language: str) -> None:
    """Of somebody who plays everything at every pace the first are told, and that there are more; the graph and the
    button stay."""
    await here.rated_game()
    await here.alice.slash(here.channel, "me settings", language=language)
    async with here.bot.services.store.write() as tx:
        (kept,) = await ratings.of_person(tx, here.alice.id, here.guild.id)
        for name, slow, table in product(variants.names(), (True, False), ("", "/table")):
            await ratings.put(tx, kept._replace(variant_id=f"{name}{table}", correspondence=slow))
        await ratings.put(tx, kept._replace(games=2))
    shown = card(await here.alice.slash(here.channel, "me rating", variant="pinoy"))
    with speaking(language):
        assert f"-# {_('Not everything fits in one message.')}" == words_of(shown).splitlines()[-1]
    assert 3500 < len(words_of(shown)) <= 4000
    assert 1 == len(labels(shown))
    assert ["rating.png"] == [name for name, _words in pictures_of(shown)]
