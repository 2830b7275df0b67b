"""Pictures of tournaments: one message that is edited, its alt text, and the same in words."""

from __future__ import annotations

import discord
from simcord import ResponseMessage

from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, pictures_of, said, words_of


def alts(message: discord.Message | ResponseMessage) -> list[str]:
    """What stands behind a message's pictures for those who do not see them."""
    return [words for _name, words in pictures_of(message)]


def files(message: discord.Message | ResponseMessage) -> list[str]:
    """What a message's pictures are called."""
    return [name for name, _words in pictures_of(message)]


async def test_the_standings_are_one_picture_that_is_kept_up_to_date(here: World) -> None:
    """A round robin: one message, its picture replaced when a game ends, its alt text telling the standings; everybody
    can have the same in words, and the cross-table."""
    club = Club(here, 4)
    await club.started("round robin")
    first = club.standings
    assert ["standings-1-1.png"] == files(first)
    assert "player1" in alts(first)[0]
    assert ["As text"] == labels(first)

    await club.play()
    later = club.standings
    assert first.id == later.id
    assert 1 == len(files(later))
    assert alts(first) != alts(later)
    assert "1. player1 1" in alts(later)[0]

    words = said(await here.alice.click(later, label="As text"))
    assert f"<@{club.players[0].id}>" in words
    answer = await here.alice.slash(here.channel, "tournament standings", shown="crosstable")
    message = answer.response
    assert message is not None
    assert ["crosstable-1-1.png"] == files(message)
    assert alts(message)[0].startswith("Cross-table of Autumn.")
    assert "**Autumn**: Only an elimination has a bracket." == said(
        await here.alice.slash(here.channel, "tournament standings", shown="bracket")
    )


async def test_an_elimination_shows_its_bracket(here: World) -> None:
    """The message of a double elimination shows the parts that are played, in words what is played and who has won."""
    club = Club(here, 6)
    await club.started("double elimination")
    post = club.standings
    assert all(name.startswith("bracket-1-") for name in files(post))
    assert any("Match W1-2: player4 plays player5; " in words for words in alts(post))
    await club.play()
    answer = await here.alice.slash(here.channel, "tournament standings")
    message = answer.response
    assert message is not None
    assert len(files(message)) >= 2
    assert any(" beat " in words for words in alts(message))
    assert (await here.alice.slash(here.channel, "tournament standings", shown="standings")).response is not None


async def test_leafing_through_the_standings_in_words(here: World) -> None:
    """Of thirty, *As text* and the command show the first page; *Next* shows the rest in the same private answer."""
    club = Club(here, 30)
    await club.started("swiss")
    reader = club.players[29]
    for first in (
        await reader.click(club.standings, label="As text"),
        await reader.slash(here.channel, "tournament standings", shown="text"),
    ):
        assert first.response is not None
        assert "Your place: 1 of 30." in said(first)
        assert "(page 1 of 2)" in said(first)
        assert ["Previous", "Next"] == labels(first.response)
        await reader.click(first.response, label="Next")
        assert "(page 2 of 2)" in words_of(first.response)
        assert f"<@{club.players[27].id}>" in words_of(first.response)
    drawn = await reader.slash(here.channel, "tournament standings")
    assert "Your place: 1 of 30." in said(drawn)


async def test_pictures_speak_as_the_server_does(here: World) -> None:
    """On a Spanish server the message and what stands behind its picture are Spanish; who reads English is answered in
    English."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    await manager.slash(here.channel, "server settings", language="es")
    await here.alice.slash(here.channel, "me settings", language="en")
    club = Club(here, 3)
    await club.create("round robin")
    await here.env.settle()
    tournament = await club.load()
    for person in club.players:
        await here.bot.services.tournaments.registration.join(tournament.id, person.id, f"t:{person.id}", [])
    await here.bot.services.tournaments.direction.start(tournament.id, club.director.id, "t:start")
    await club.quiet()
    post = club.standings
    assert words_of(post).startswith("### Autumn\nClasificación")
    assert "Clasificación" in alts(post)[0]
    answer = (await here.alice.slash(here.channel, "tournament standings")).response
    assert answer is not None
    assert "Standings" in alts(answer)[0]
    await club.play()
    await here.bot.services.tournaments.direction.finish(tournament.id, club.director.id, "t:finish")
    await club.quiet()
    assert ["La imagen, como se describe en el mensaje."] == alts(club.post("**Autumn ha terminado.**"))
