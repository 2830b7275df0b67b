from __future__ import annotations

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
