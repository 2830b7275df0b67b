"""Rated games as people play them."""

from __future__ import annotations

from data.queries import ratings
from tests.support.discord.world import World, labels, pictures_of, said


async def test_a_rated_game_from_the_challenge_to_the_ratings(here: World) -> None:
    """The challenge says that it is rated; moves stand; the last post tells how ratings have changed; it is done once,
    also by a bot that starts again."""
    refused = await here.play("pinoy", side=None, clock="none", rated=True)
    assert "needs a clock" in said(refused)
    await here.play("pinoy", side=None, clock="3d", rated=True)
    assert "**Rated**" in here.last.content
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    assert game.rated
    assert "This game is rated." in here.boards()[-1].content
    for _ in range(2):
        game = await here.game()
        await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
    assert "moves stand" in said(await here.bob.slash(here.channel, "game takeback"))
    assert "moves stand" in said(await here.alice.slash(here.channel, "game takeback"))
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.restart()
    await here.bob.click(asked.response, label="Resign")
    last = here.last
    # In the order of the seats, which are by lot, and without a difference.
    alice, bob = f"<@{here.alice.id}> 1500? → **1741?**", f"<@{here.bob.id}> 1500? → **1259?**"
    assert any(f"Ratings: {one}, {other}.\n" in last.content for one, other in ((alice, bob), (bob, alice)))
    assert "A rating with a `?` is still settling: it moves a lot at first." in last.content
    assert "Pinoy Dama" in said(await here.alice.slash(here.channel, "me rating"))
    assert "**1259?**" in said(await here.alice.slash(here.channel, "me rating", player=here.bob))
    await here.alice.click(last, label="Rematch")
    assert "**Rated**" in here.last.content
    assert "Accept" in labels(here.last)


async def test_ratings_have_pictures_with_words(here: World) -> None:
    """Under the text of `/me rating` a graph with its words, of the game asked for; a leaderboard once somebody is
    ranked."""
    await here.rated_game()
    answer = (await here.alice.slash(here.channel, "me rating", variant="pinoy")).response
    assert answer is not None
    ((name, words),) = pictures_of(answer)
    assert "rating.png" == name
    assert "rating 1741? after 1 game, Jan" in words
    assert "between" not in words
    other = (await here.alice.slash(here.channel, "me rating", variant="tama")).response
    assert other is not None
    assert not pictures_of(other)
    nobody = (await here.alice.slash(here.channel, "leaderboard", variant="pinoy")).response
    assert nobody is not None
    assert not nobody.attachments
    two = await here.alice.slash(here.channel, "leaderboard", variant="pinoy", table=True)
    assert "is a game for two. Leave `table` out." in said(two)
    assert "Nobody is ranked yet: you need 5 rated games, and a rating that is sure to less than ±80." in nobody.content

    async with here.bot.services.store.write() as tx:
        (kept,) = await ratings.of_person(tx, here.alice.id, here.guild.id)
        await ratings.put(tx, kept._replace(games=7, deviation=60.0))
    ranked = (await here.alice.slash(here.channel, "leaderboard", variant="pinoy")).response
    assert ranked is not None
    assert f"1. <@{here.alice.id}> **1741**" in ranked.content
    assert "1 more is not ranked yet." in ranked.content
    assert ["leaderboard.png"] == [file.filename for file in ranked.attachments]
    assert "1. alice 1741" in (ranked.attachments[0].description or "")
