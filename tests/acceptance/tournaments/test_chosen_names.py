"""Names that somebody has chosen: as they are in files and pictures, harmless in messages."""

from __future__ import annotations

from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, pictures_of, said, words_of


async def test_a_name_full_of_signs(here: World) -> None:
    """No formatting and no further line comes of it; files and alt texts have it as it was given."""
    club = Club(here, 2)
    refused = await club.director.slash(
        here.channel, "tournament create swiss", name=" \n ", variant="pinoy", clock="3d", rounds=1
    )
    assert "Choose a readable name" in said(refused)
    await club.create("swiss", rounds=1, name="Autumn, **My_cup**\n001    9 \\o/ @everyone")
    (post,) = [message for message in here.posts() if "(tournament 1)" in message.content]
    assert post.content.startswith("**Autumn, \\*\\*My\\_cup\\*\\* 001 9 \\\\o/ @everyone** (tournament 1)")
    for player in club.players:
        await player.click(post, label="Join")
    await club.direct("start")
    await club.play()
    await club.finish()
    answer = await club.director.slash(here.channel, "tournament export", format="trf26")
    assert answer.response is not None
    (file,) = answer.response.attachments
    first, *others = (await file.read()).decode().splitlines()
    assert "012 Autumn, **My_cup** 001 9 \\o/ @everyone" == first
    assert 2 == sum(line.startswith("001") for line in others)
    (final,) = [message for message in here.posts() if "Final standings" in words_of(message)]
    assert words_of(final).startswith("### Autumn, \\*\\*My\\_cup\\*\\* 001 9 \\\\o/ @everyone\n")
    assert pictures_of(final)[0][1].startswith("Autumn, **My_cup** 001 9 \\o/")
