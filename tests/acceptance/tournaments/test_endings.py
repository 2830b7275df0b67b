"""How tournaments end: who has won is told with the last game, and what the director has to do then."""

from __future__ import annotations

import pytest

from tests.support.discord.tournament_club import Club, give_up
from tests.support.discord.world import World, labels, pictures_of, said, words_of


@pytest.mark.parametrize(("kind", "more"), [("single elimination", {}), ("swiss", {"rounds": 1}), ("round robin", {})])
async def test_the_last_game_tells_who_has_won(here: World, kind: str, more: dict[str, int]) -> None:
    """One message says so at once and notifies the director, who finishes by the button under it: then it is the
    podium, with its picture."""
    club = Club(here, 3)
    await club.started(kind, **more)
    while running := [game for game in (await club.load()).games if game.status == "running"]:
        assert not [post for post in here.posts() if "all games are over" in words_of(post)]
        people = (await club.load()).state.by_number
        await give_up(club, running[0].game_id, people[max(running[0].white, running[0].black)].person)
        await club.quiet()
        if (await club.load()).step_by_hand == "pair":
            await club.direct("pair")
            await club.quiet()
    post = club.post("**Autumn: all games are over.**")
    tournament = await club.load()
    best = tournament.ranking.lines[0].number
    assert f"🥇 {tournament.call(best)}" in words_of(post)
    assert f"<@{club.director.id}>: check the results, then press *Finish*." in words_of(post)
    sent = [body for body in here.sent() if "all games are over" in str(body)]
    assert [[club.director.id]] == [body["allowed_mentions"]["users"] for body in sent]
    assert ["Finish", "Enter a result", "Manage"] == labels(post)
    assert [] == pictures_of(post)

    assert "are final" in said(await club.director.click(post, label="Finish"))
    await club.quiet()
    over = club.post("**Autumn is over.**")
    assert over.id == post.id
    ((name, words),) = pictures_of(over)
    assert "podium-1.png" == name
    # The card's words tell the same.
    assert "The picture, as told in the message." == words
    assert [] == labels(over)


async def test_a_correction_takes_the_winner_back(here: World) -> None:
    """Where a corrected result opens a match of a knockout again, the message says that it goes on."""
    club = Club(here, 4)
    await club.started("single elimination")
    await club.play()
    post = club.post("**Autumn: all games are over.**")
    shown = await club.director.slash(
        here.channel, "tournament result", player=club.players[3], result="won", match="W1-1"
    )
    assert shown.response is not None
    assert "Semifinal 1" in words_of(shown.response)
    await club.director.click(shown.response, label="Save it")
    await club.quiet()
    assert post.id == club.post("**Autumn goes on.**").id
    await club.play()
    assert post.id == club.post("**Autumn: all games are over.**").id
