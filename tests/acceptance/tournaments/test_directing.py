"""A tournament directed with one command and taps."""

from __future__ import annotations

from tests.support.discord.director_panel import Panel
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, said


async def test_a_swiss_of_five_by_one_command_and_taps(here: World) -> None:
    """Three rounds follow from five players; one result is corrected; after `/tournament create` the director taps."""
    club = Club(here, 5)
    director = club.director
    created = await director.slash(here.channel, "tournament create swiss", name="Autumn", variant="pinoy")
    assert "press *Start*" in said(created)
    assert ["Join", "Leave", "Manage"] == labels(club.announcement)
    await club.join(*club.players)
    assert ["Join", "Leave", "Start", "Manage"] == labels(club.announcement)

    begun = said(await director.click(club.announcement, label="Start"))
    assert begun == "**Autumn** has begun with 5 players. It has 3 rounds."
    await club.quiet()
    assert ["Leave", "Enter a result", "Manage"] == labels(club.announcement)
    await club.play()
    assert ["Leave", "Pair next round", "Enter a result", "Manage"] == labels(club.announcement)
    await director.click(club.post("**Autumn, round 1**"), label="Pair next round")
    await club.play()

    panel = Panel(director, await director.click(club.announcement, label="Enter a result"))
    white, black = (await club.load()).state.paired[1].games[0]
    await panel.choose(f"1: player{white} - player{black}")
    await panel.press(f"player{max(white, black)} wins")
    assert "This corrects a result" in panel.text
    assert "**Autumn**" in panel.text
    await panel.press("Write it down" if "Write it down" in panel.labels else "Keep the pairings")
    assert "Round 3 is paired" not in panel.text
    said_next = said(await director.click(club.announcement, label="Pair next round"))
    assert said_next == "**Autumn**: round 3 is paired; its games are open."
    await club.play()
    assert ["Leave", "Finish", "Enter a result", "Manage"] == labels(club.announcement)
    assert "are final" in said(await director.click(club.announcement, label="Finish"))
    await club.quiet()
    assert [] == labels(club.announcement)
    assert club.post("**Autumn is over.**")
    commands = [e for e in here.env.http_requests if e.path.endswith("/callback")]
    assert commands
