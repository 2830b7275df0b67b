"""Thematic and balloted tournaments, as a director creates them and players see them."""

from __future__ import annotations

from bot.engine.variants import load
from bot.tournaments.model.openings import drawn
from bot.tournaments.use_cases.written_openings import openings_of
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, said


async def test_a_balloted_tournament(here: World) -> None:
    """The game's own ballots are offered; the announcement tells how they are drawn, the round and the first board of
    each game which one it is; the second game follows the first, also after a restart; the secret is told at the
    end."""
    club = Club(here, 2)
    offered = await club.director.autocomplete(
        here.channel, "tournament create swiss", "openings", "", variant="english"
    )
    count = len(openings_of(load("english")))
    assert [("own", f"own: the {count} openings of the game")] == [(each["value"], each["name"]) for each in offered]

    await club.started("swiss", variant="english", clock="5+3", rounds=1, openings="own")
    assert f"One of {count} openings is drawn by ballot" in club.announcement.content
    assert "Opponents play two games, one with each colour, one after the other" in club.announcement.content
    settings = (await club.load()).settings
    assert settings.secret not in club.announcement.content
    opening = drawn(settings, "1")
    assert opening is not None
    ballot = f"Ballot {opening.number} of {count}, by the seed `{opening.seed}`: **{opening}**"
    assert ballot in club.post("**Autumn, round 1**").content

    [link] = (await club.load()).games
    first = await here.bot.services.games.game(link.game_id)
    await here.restart()
    await club.play()
    await club.quiet()
    games = (await club.load()).games
    assert [(link.white, link.black), (link.black, link.white)] == [(each.white, each.black) for each in games]
    second = await here.bot.services.games.game(games[1].game_id)
    assert first.start == second.start is not None
    headings = [text for entry in here.sent() if "begins." in (text := entry.get("content") or "")]
    assert len([text for text in headings if f"round 1, ballot {opening.number}: {opening}**" in text]) == 2

    await club.finish()
    await club.quiet()
    assert settings.secret not in club.announcement.content
    assert f"The ballots' secret was `{settings.secret}`" in await club.direct("history")


async def test_a_thematic_tournament(here: World) -> None:
    """All games begin from the director's position, over days both games of two at once."""
    club = Club(here, 2)
    await club.started("round robin", openings="B:Wc3,e3:Bb8,d8")
    assert "All games begin from `B:Wc3,e3:Bb8,d8`." in club.announcement.content
    assert "play two games at once" in club.announcement.content
    games = [await here.bot.services.games.game(link.game_id) for link in (await club.load()).games]
    assert [("B:Wc3,e3:Bb8,d8", 1)] * 2 == [(game.start, game.state.seat) for game in games]
    assert games[0].players == games[1].players[::-1]


async def test_what_is_refused(here: World) -> None:
    """Openings that cannot be, and what does not go together, is told to the director."""
    club = Club(here, 2)
    for options, says in (
        ({"openings": "W:Wc4:Bb8"}, "c4 is not used in this game"),
        ({"openings": "9-13; 9-14"}, "Opening 2, '9-14'"),
        ({"openings": "own"}, "Pinoy Dama (Filipino draughts) has no openings of its own"),
        ({"openings": ";;;"}, "No opening is written there"),
    ):
        values = {"name": "Autumn", "variant": "pinoy", "clock": "3d", "rounds": 1, **options}
        assert says in said(await club.director.slash(here.channel, "tournament create swiss", **values))
    assert [] == here.posts()
