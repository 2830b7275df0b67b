"""Who leaves a tournament: asked first where it costs games, withdrawn when forgotten, replaced as a director."""

from __future__ import annotations

import discord

from bot.tournaments.pairing.record import Mark
from tests.support.discord.director_panel import Panel
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, said, words_of


async def test_leaving_a_match_asks_first(here: World) -> None:
    """Whoever would lose their match at once is asked, and nothing has happened until they say yes."""
    club = Club(here, 2)
    await club.started("single elimination")
    one = club.players[0]
    asked = await one.click(club.announcement, label="Leave")
    assert asked.response is not None
    other = club.players[1].mention
    lost = f"The match against {other} is lost: {other} goes through."
    assert f"Leave **Autumn**? {lost} In an elimination, players who have left cannot come back." == said(asked)
    assert "Nothing has changed." == said(await one.click(asked.response, label="Stay"))
    assert not (await club.load()).state.by_person[one.id].is_gone
    asked = await one.click(club.announcement, label="Leave")
    assert asked.response is not None
    assert "You have left **Autumn**." == said(await one.click(asked.response, label="Leave"))
    assert (await club.load()).state.by_person[one.id].is_gone


async def test_leaving_counts_the_games_that_are_lost(here: World) -> None:
    """Where all games are played at once, the question says how many of them are lost."""
    club = Club(here, 3)
    await club.create("round robin", max_players=3, all_rounds_at_once=True)
    await club.join(*club.players)
    await club.direct("start")
    await club.quiet()
    asked = await club.players[0].click(club.announcement, label="Leave")
    assert "Leave **Autumn**? 2 games in progress are lost." == said(asked)


async def test_what_a_withdrawal_from_a_double_elimination_means(here: World) -> None:
    """The director is told that the match on the losers' side is lost too, or, between two matches, that whoever
    comes next goes through."""
    club = Club(here, 4)
    await club.started("double elimination")
    one = club.players[0]
    asked = await (await (await club.manage()).choose("Withdraw")).choose_values(one.id)
    assert "goes through. So is the match that would follow this loss." in asked.text
    await club.play(2)
    asked = await (await (await club.manage()).choose("Withdraw")).choose_values(one.id)
    assert "The next match is lost: whoever it would be against goes through." in asked.text
    left = await one.click(club.announcement, label="Leave")
    assert "The next match is lost" in said(left)


async def test_whoever_is_withdrawn_is_told(here: World) -> None:
    """Before the start the question says that they cannot come back by themselves, a post tells them, and that it is
    undone where it is."""
    club = Club(here, 3)
    await club.create("swiss")
    await club.join(*club.players)
    one = club.players[0]
    asked = await (await (await club.manage()).choose("Withdraw")).choose_values(one.id)
    assert f"Withdraw {one.mention} from **Autumn**? {one.mention} can come back only if you undo that." in asked.text
    await asked.press("Confirm")
    await club.quiet()
    told = club.post(f"{one.mention}: a director has withdrawn you from **Autumn**.")
    assert [one.id] == [user.id for user in told.mentions]
    await club.undo()
    await club.quiet()
    assert club.post(f"{one.mention}: your withdrawal from **Autumn** is undone.").id == told.id


async def test_results_after_the_end_are_refused_at_once(here: World) -> None:
    """An old *Enter a result* lists no games of a tournament that is over."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    panel = await club.manage()
    await club.play()
    await club.finish()
    told = (await panel.press("Enter a result")).text
    assert "**Autumn**: The tournament is over. Undo its end first: `/tournament manage`." == told


async def test_leaving_a_swiss_says_what_is_left_to_do(here: World) -> None:
    """A press of Leave is answered like the command, with the game that is still to be finished."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    told = said(await club.players[0].click(club.announcement, label="Leave"))
    assert "You have left **Autumn**. Please finish the game you are playing." == told


async def test_whoever_is_forgotten_is_paired_no_more(here: World) -> None:
    """In the middle of a Swiss they leave it as by *Leave*: of the four others nobody has a bye or a walkover."""
    club = Club(here, 5)
    await club.started("swiss", rounds=3)
    await club.play()
    gone = club.players[4]
    asked = await gone.slash(here.channel, "me forget")
    assert "leaves tournaments and leagues" in said(asked)
    assert asked.response is not None
    await gone.click(asked.response, label="Forget me")
    await club.quiet()
    for number in (2, 3):
        await club.direct("pair")
        await club.quiet()
        games = (await club.load()).state.paired[number].games
        assert {1, 2, 3, 4} == {seat for game in games for seat in game}
        assert "bye" not in words_of(club.post(f"**Autumn, round {number}**"))
        await club.play()
    marks = {mark for pair in (await club.load()).state.results.values() for mark in pair}
    assert not marks & {Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN}
    assert "Player 5 (name deleted)" == (await club.load()).call(5)


async def test_a_manager_of_the_server_takes_over(here: World) -> None:
    """A tournament whose only director was forgotten can be directed by whoever manages the server, and by nobody
    else."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    role = here.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[role])
    offered = said(await manager.click(club.announcement, label="Manage"))
    assert f"**Autumn** is directed by <@{club.director.id}>. As you manage this server" in offered
    assert "Only a director" in said(await here.alice.click(club.announcement, label="Manage"))

    asked = await club.director.slash(here.channel, "me forget")
    assert asked.response is not None
    await club.director.click(asked.response, label="Forget me")
    await club.quiet()
    offer = await manager.click(club.announcement, label="Manage")
    assert "Nobody directs **Autumn** any more." in said(offer)
    assert offer.response is not None
    assert ["Direct it too"] == labels(offer.response)
    assert "You direct **Autumn** too." == said(await manager.click(offer.response, label="Direct it too"))
    await club.quiet()
    assert f"Directed by <@{manager.id}>" in club.announcement.content
    assert (await club.load()).is_director(manager.id)


async def test_who_sits_out_is_named(here: World) -> None:
    """A round's post tells who has asked for a bye, with what it counts, and in a round robin who has left."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    one = club.players[0]
    await one.slash(here.channel, "tournament bye", round=2, worth="half a point")
    await club.play()
    await club.direct("pair")
    await club.quiet()
    assert f"<@{one.id}> sits out (½ point)." in words_of(club.post("**Autumn, round 2**"))


async def test_finishing_is_refused_before_it_is_asked(here: World) -> None:
    """While games have no result there is no question; with rounds left it says that they are not played."""
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    panel = await Panel.opened(club.director, here.channel)
    assert "**Autumn**: There are games without a result" in (await panel.choose("Finish the tournament")).text
    await club.play()
    panel = await Panel.opened(club.director, here.channel)
    assert "Finish **Autumn**? Its standings will be final." in (await panel.choose("Finish the tournament")).text
