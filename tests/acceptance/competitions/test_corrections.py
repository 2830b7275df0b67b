"""Results are corrected after a match or a season has ended."""

from __future__ import annotations

from tests.support.discord.director_panel import Panel
from tests.support.discord.league_club import LeagueClub
from tests.support.discord.team_sides import begun, games_of, quiet, resigned
from tests.support.discord.world import World, said


async def test_a_result_of_a_match_that_is_over(here: World) -> None:
    """A director corrects it: both servers' posts follow, and the panel offers nothing else."""
    home, away = await begun(here)
    first, second = await games_of(here)
    await resigned(here, first, away.players[0])
    await resigned(here, second, home.players[1])
    assert "**Autumn** is over: a draw, 1 : 1." == away.post("**Autumn** is over")

    panel = await Panel.opened(home.captain, home.channel)
    assert ["Enter a result", "Add a director"] == list(panel.options)
    await panel.choose("Enter a result")
    await panel.choose("Round 1: home 1")
    await panel.press("Draw")
    assert "\nScore: 1 : 1 → ½ : 1½\nNothing else changes." in panel.text
    await panel.press("Save it")
    await quiet(here)
    for side in (home, away):
        told = side.post("**Autumn** is over")
        assert "**Autumn** is over, won by The guests, ½ : 1½. A result was corrected after the end." == told
        assert "1. home 1 ½ - ½ guests 1" in side.post("**Autumn** (team match")
        assert "Score: The club **½ : 1½** The guests" in side.post("**Autumn** (team match")


async def test_a_result_of_a_season_that_is_over(here: World) -> None:
    """A director corrects it: the season's post, the standings and the winner follow; who goes up does not."""
    club = LeagueClub(here, 6)
    await club.started()
    await club.play()
    await here.env.advance_time(60)
    await club.quiet()
    first, second, *_others, top, bottom = club.players
    assert f"\n1. {top.mention} **1**\n" in club.post("**Autumn, season 1** is over").content

    panel = await Panel.opened(club.director, here.channel, tournament="Autumn, season 1, division 2")
    assert ["Enter a result"] == list(panel.options)
    await panel.choose("Enter a result")
    await panel.choose("Round 1")
    await panel.press("player6 wins")
    assert panel.text.endswith("\nWho goes up and down stays the same.")
    await panel.press("Save it")
    await club.quiet()
    told = club.post("**Autumn, season 1** is over").content
    assert f"\n1. {bottom.mention} **1**\n2. {top.mention} **0**\n" in told
    assert f"Promoted to division 1: {top.mention}." in told
    assert "Corrected after the end of the season: division 2. Who goes up and down stays the same." in told
    assert f"\n1. {bottom.mention} **1**" in await club.direct("standings")
    assert f"2: {bottom.mention}" in said(await here.alice.slash(here.channel, "league history"))

    answer = said(
        await club.director.slash(
            here.channel,
            "tournament result",
            player=first,
            round=1,
            result="lost",
            tournament="Autumn, season 1, division 1",
        )
    )
    assert "This enters a result" in answer or "This corrects" in answer, answer
    assert second
