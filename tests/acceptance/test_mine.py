from __future__ import annotations

import json

from simcord.results import InteractionResult

from bot.engine import pdn, transcript
from tests.acceptance.world import World, said


async def test_a_game_is_taken_along(here: World) -> None:
    """As PDN by default, as JSON on demand; both can be read again."""
    game = await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")

    answer = await here.bob.slash(here.channel, "export game")
    assert "1 game." in said(answer)
    file = await attached(answer)
    assert f"damero-{game.id}.pdn" == file[0]
    (read,) = pdn.loads(file[1].decode())
    assert "c3-d4" == read.steps[0].text

    answer = await here.bob.slash(here.channel, "export mine", form="json")
    (read,) = transcript.loads((await attached(answer))[1].decode())
    assert (here.alice.id, here.bob.id) == read.players


async def test_who_has_not_played_has_nothing_to_take(here: World) -> None:
    """A sentence instead of an empty file."""
    assert "not played a game yet" in said(await here.carol.slash(here.channel, "export mine"))


async def attached(answer: InteractionResult) -> tuple[str, bytes]:
    """Name and content of the file of a private answer."""
    assert answer.response is not None
    (file,) = answer.response.attachments
    return file.filename, await file.read()


async def test_forgetting_asks_once_and_resigns(here: World) -> None:
    """After the press the game is over, the board says so without a name, and nothing is kept."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    asked = await here.bob.slash(here.channel, "forget-me")
    assert "cannot be undone" in said(asked)
    assert "running" == (await here.game()).status

    assert asked.response is not None
    await here.bob.click(asked.response, label="Forget me")

    assert "Black resigned" in here.last.content
    assert here.bob.mention not in here.last.content
    answer = await here.bob.slash(here.channel, "my-data")
    name, content = await attached(answer)
    assert "damero-my-data.json" == name
    kept = json.loads(content)
    assert ([], {}) == (kept["games"], kept["settings"])
