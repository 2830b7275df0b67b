"""A substitute plays on for somebody: who has played what, and who is told."""

from __future__ import annotations

from tests.support.discord.tournament_club import Club, give_up
from tests.support.discord.world import World, said, words_of


async def test_a_game_stays_with_who_plays_it(here: World) -> None:
    """The round's post, the history, the thread and the files name who has played the game, and who has the place now;
    later games are the substitute's. What is written down for the game later is still of who played it."""
    club = Club(here, 4)
    await club.started("swiss", rounds=2)
    second = club.players[1]
    (link,) = [game for game in (await club.load()).games if 2 in (game.white, game.black)]
    await club.tap("Substitute", second, here.alice)
    await give_up(club, link.game_id, second.id)
    await club.quiet()
    called = f"<@{second.id}> (now <@{here.alice.id}>)"
    other = f"<@{club.players[(link.white if link.black == 2 else link.black) - 1].id}>"
    line = f"{called} 0 - 1 {other}" if link.white == 2 else f"{other} 1 - 0 {called}"
    assert line in club.post("**Autumn, round 1**").content
    assert f"Round 1: {line}" in await club.direct("history")

    await club.play()
    await club.direct("pair")
    await club.quiet()
    assert f"(now <@{here.alice.id}>)" not in club.post("**Autumn, round 2**").content
    assert f"<@{here.alice.id}>" in club.post("**Autumn, round 2**").content
    panel = await (await club.manage()).choose("Enter a result")
    (of_second,) = [label for label in panel.options if label.startswith("Round 1: ") and "player2" in label]
    await panel.choose(of_second)
    assert called in panel.text


async def test_a_substitute_is_told(here: World) -> None:
    """A post names the event and whose place it is, and that the game in progress is not the substitute's; nobody else
    is notified. Taken back, it says so."""
    club = Club(here, 4)
    await club.started("swiss", rounds=2)
    second = club.players[1]
    await club.tap("Substitute", second, here.alice)
    await club.quiet()
    start = f"<@{here.alice.id}>: you take over from <@{second.id}> in **Autumn**."
    post = club.post(start)
    assert f"{start} <@{second.id}> still finishes the game in progress." == words_of(post)
    (sent,) = [body for body in here.sent() if "you take over from" in str(body)]
    assert [str(here.alice.id)] == list(map(str, sent["allowed_mentions"]["users"]))
    assert [] == sent["allowed_mentions"].get("parse", [])

    await club.undo()
    await club.quiet()
    after = club.post("**Autumn**: ")
    assert post.id == after.id
    assert f"**Autumn**: <@{here.alice.id}> will not take over from <@{second.id}> after all." == words_of(after)
    assert "(now" not in club.post("**Autumn, round 1**").content


async def test_a_match_stays_with_who_plays_it(here: World) -> None:
    """The bracket, too, says who has lost a match in whose place."""
    club = Club(here, 4)
    await club.started("single elimination")
    last = club.players[3]
    (link,) = [game for game in (await club.load()).games if 4 in (game.white, game.black)]
    await club.tap("Substitute", last, here.alice)
    await give_up(club, link.game_id, last.id)
    await club.play()
    bracket = said(await club.director.slash(here.channel, "tournament standings", shown="text"))
    assert f"Semifinal 1: <@{club.players[0].id}> beat <@{last.id}> (now <@{here.alice.id}>)" in bracket
    assert f"<@{club.players[0].id}> beat <@{club.players[1].id}> ·" in bracket


async def test_who_waits_for_a_place_plays_on(here: World) -> None:
    """Whoever got no place is the first whom a director would take; they wait no more, and who plays is refused."""
    club = Club(here, 3)
    await club.create("swiss", rounds=1, max_players=2)
    await club.join(*club.players)
    await club.direct("start")
    await club.quiet()
    one, other, waiting = club.players
    assert "The substitute is already playing." in await club.tap("Substitute", one, other)
    assert f"{waiting.mention} takes over from {one.mention}" in await club.tap("Substitute", one, waiting)
    await club.quiet()
    state = (await club.load()).state
    assert ((), {1: waiting.id, 2: other.id}) == (state.waiting, {n: e.person for n, e in state.by_number.items()})
    assert f"{waiting.mention}: " in club.post(f"{waiting.mention}: ").content
    assert "**2 entered**" in club.announcement.content


async def test_a_substitute_gives_the_place_back(here: World) -> None:
    """Where all games are played at once a substitute is told before leaving what happens to the place and the games,
    and whoever has it again is told in a post."""
    club = Club(here, 3)
    await club.create("round robin", max_players=3, all_rounds_at_once=True)
    await club.join(*club.players)
    await club.direct("start")
    await club.quiet()
    first = club.players[0]
    await club.tap("Substitute", first, here.alice)
    await club.quiet()
    asked = await here.alice.slash(here.channel, "tournament leave")
    back = f"Your place goes back to {first.mention}"
    games = f"games in which nobody has moved begin anew with {first.mention}, and the other games that you are playing"
    assert f"Leave **Autumn**? {back}: {games} are lost." == said(asked)
    assert asked.response is not None
    assert f"You have left **Autumn**. {back}." == said(await here.alice.click(asked.response, label="Leave"))
    await club.quiet()
    assert club.post(f"{first.mention}: you take over from {here.alice.mention} in **Autumn**.")
    assert 3 == len((await club.load()).open_games)
