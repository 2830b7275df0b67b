"""Direct messages of a person with the bot, which posts there as in a channel."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

import discord
import pytest
from simcord import interactions
from simcord.builders import UserHandle

from bot.games.model.game import Game
from tests.support.discord.world import World, labels, words_of

LONGEST = {"chinese-checkers": 8}


@pytest.fixture
def ana(here: World) -> UserHandle:
    return here.env.create_user("ana")


async def game_of(here: World, person: UserHandle) -> Game:
    game = await here.bot.services.games.running_in(person.dm_channel.id)
    assert game is not None
    return game


def board(person: UserHandle) -> discord.Message:
    message = person.dm_channel.last_message
    assert message is not None
    return message


async def test_help_fits_direct_messages(here: World, ana: UserHandle) -> None:
    """Moves are typed as they are, there is nobody else to find, and no command of servers is named."""
    shown = (await ana.slash("help")).response
    assert shown is not None
    assert "Or just type it." in words_of(shown)
    assert ["Play the computer", "Learn a game"] == labels(shown)
    assert ["moves", "days", "study", "you"] == re.findall(r"'value': '([a-z]+)'", str(shown.components))


@pytest.mark.parametrize("variant", ["americanas", "tama", "chinese-checkers"])
async def test_a_whole_game_with_the_computer(here: World, ana: UserHandle, variant: str) -> None:
    """Typed as it is, without a mention, and by forms, over a restart; nobody needs to be named as the opponent."""
    await ana.slash("play", variant=variant, level=1)
    await here.thought()
    lots, game = random.Random(f"alone {variant}"), await game_of(here, ana)
    while game.status == "running":
        turn = lots.choice(game.rules.turns(game.state)).text
        if game.ply >= LONGEST.get(variant, 12):
            asked = await ana.click(board(ana), label="Resign")
            await ana.click(asked.response, label="Resign")
        elif game.ply % 4 < 2:
            await ana.send_dm(turn)
        else:
            choice = await ana.click(board(ana), label="Move")
            form = await ana.click(choice.response, label="Type it")
            await ana.submit_modal(form, {"move": turn})
        await here.thought()
        after = await here.bot.services.games.game(game.id)
        assert after.ply > game.ply
        if game.ply < 2:
            await here.restart()
            await here.thought()
        game = after
    assert "Rematch" in labels(board(ana))
    await ana.click(board(ana), label="Rematch")
    await here.thought()
    assert (await game_of(here, ana)).rematch_of == game.id


async def test_nobody_else_is_there(here: World, ana: UserHandle) -> None:
    """Without an opponent the computer plays; somebody else cannot be challenged there."""
    ben = here.env.create_user("ben")
    answer = await ana.slash("play", variant="spanish", opponent=ben)
    assert "Only you and I see this chat" in answer.response.content
    begun = await ana.slash("play", variant="chinese-checkers", players=3)
    assert "Your game begins." == begun.response.content
    await here.thought()
    assert 2 == sum(player is not None and player < 0 for player in (await game_of(here, ana)).players)
    again = await ana.slash("play", variant="spanish")
    assert "room for only one" in again.response.content


async def test_what_is_no_move_is_answered(here: World, ana: UserHandle) -> None:
    """All that is written there is said to the bot, so that silence would be rude."""
    await ana.send_dm("hello")
    assert board(ana).content.startswith("We are not playing a game right now. `/play` begins one against me,")
    await ana.slash("play", variant="spanish", side="first")
    await here.thought()
    await ana.send_dm("hello")
    assert "I cannot read that as a move" in board(ana).content


async def test_a_puzzle_is_solved(here: World, ana: UserHandle) -> None:
    """Puzzles are had, and answered, over a restart."""
    answer = await ana.slash("puzzle", variant="spanish")
    assert "to move and win" in answer.response.content
    await here.restart()
    form = await ana.click(answer.response, label="Answer")
    assert form.modal is not None
    solved = await ana.submit_modal(form, {"move": "a1-b2"})
    assert solved.acknowledged


async def test_hint_list_and_settings(here: World, ana: UserHandle) -> None:
    """Hints, the list of one's games with links that open there, the most urgent of them, settings."""
    await ana.slash("play", variant="spanish", level=1, side="first")
    await here.thought()
    hint = await ana.slash("game hint")
    await here.env.settle()
    said: list[Any] = [hint.response, *hint.followups]
    assert any("I would play" in each.content for each in said if each is not None)
    for command in ("me games", "me next"):
        listed = await ana.slash(command)
        assert "https://discord.com/channels/@me/" in listed.response.content
    settings = await ana.slash("me settings")
    assert "Your settings" in settings.response.content


async def test_an_analysis_of_the_last_game(here: World, ana: UserHandle) -> None:
    """A game of there is analysed there."""
    await ana.slash("play", variant="spanish", level=1, side="first")
    await here.thought()
    for _turn in range(3):
        game = await game_of(here, ana)
        await ana.send_dm(game.rules.turns(game.state)[0].text)
        await here.thought()
    asked = await ana.click(board(ana), label="Resign")
    await ana.click(asked.response, label="Resign")
    analysed = await ana.slash("analysis")
    for _look in range(600):
        await here.env.settle()
        if "Analysing game" not in analysed.response.content:
            break
        await asyncio.sleep(0.05)
    assert "turn by turn" in words_of(analysed.response)
    page = await ana.click(analysed.response, label="Turn by turn")
    assert "page 1 of 1:" in words_of(page.response)


async def test_the_language_is_the_reader_s(here: World, ana: UserHandle) -> None:
    """No server says which language is spoken: the one who began the game reads the board."""
    await ana.slash("me settings", language="es")
    await ana.slash("play", variant="spanish", side="first")
    await here.thought()
    assert "te toca" in board(ana).content


@pytest.mark.parametrize("owners", [{"0": "0"}, {"1": "2"}, {"0": "0", "1": "2"}])
async def test_who_has_installed_it_decides_nothing(
    here: World, ana: UserHandle, owners: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In direct messages with the bot it posts, whether a server or a person has installed it."""
    made = interactions.base_payload

    def with_owners(*args: Any, **given: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = made(*args, **given)
        return record, payload | {"authorizing_integration_owners": owners}

    monkeypatch.setattr(interactions, "base_payload", with_owners)
    await ana.slash("play", variant="spanish", level=1, side="first")
    await here.thought()
    assert f"POST /channels/{ana.dm_channel.id}/messages" in [
        f"{each.method} {each.path}" for each in here.env.http_requests
    ]
    assert not (await game_of(here, ana)).place.answers_only


async def test_the_computer_gives_the_handicap_there(here: World, ana: UserHandle) -> None:
    """Nobody else can be meant, whether the computer is named or not."""
    await ana.slash("play", variant="pinoy", position="white 2")
    assert 1 == (await game_of(here, ana)).seat_of(ana.id)
