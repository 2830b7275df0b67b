"""Results of a knockout corrected in Discord: what is said before, in the threads, and in the bracket."""

from __future__ import annotations

from simcord.results import ResponseMessage

from tests.support.discord.tournament_club import Club, give_up
from tests.support.discord.world import World, labels, pictures_of, said, words_of


async def correction(club: Club, person: int, match: str) -> ResponseMessage:
    """What the director sees before somebody is said to have won a match."""
    winner = next(each for each in club.players if each.id == person)
    shown = await club.director.slash(club.here.channel, "tournament result", player=winner, result="won", match=match)
    assert shown.response is not None
    return shown.response


async def test_a_running_match_is_called_off_with_a_word(here: World) -> None:
    """Before it is saved it is named with who plays instead; afterwards its thread says so, and is linked no more."""
    club = Club(here, 4)
    await club.started("single elimination")
    await club.play(1, 4)
    (first,) = [link for link in (await club.load()).games if link.status == "running"]
    await give_up(club, first.game_id, club.players[3].id)
    await club.quiet()
    (final,) = [link for link in (await club.load()).games if link.status == "running"]
    call = (await club.load()).call
    out, stays, back = call(1), call(2), call(4)
    shown = await correction(club, club.players[3].id, "W1-1")
    one, other = call(final.white), call(final.black)
    assert f"Final: {one} - {other}, in progress, is called off. " in words_of(shown)
    assert f"{back} plays {stays} instead, in a new game." in words_of(shown)
    assert "keep or pair again" not in words_of(shown)
    assert "Nothing else changes" not in words_of(shown)
    assert ["Save it"] == labels(shown.message)

    await club.director.click(shown, label="Save it")
    await club.quiet()
    thread = next(each for each in here.channel.threads if each.id == final.channel_id)
    told = thread.history()[-1].content
    assert f"**Autumn**: {back} plays {stays} in the final, and {out} does not. This game is called off." in told
    new = next(link for link in (await club.load()).games if link.match == "W2-1" and link.status == "running")
    assert str(new.channel_id) in words_of(club.standings)
    assert str(final.channel_id) not in words_of(club.standings)


async def test_a_match_that_was_won_is_named_before_it_no_longer_counts(here: World) -> None:
    """And one that is still played after it too."""
    club = Club(here, 8)
    await club.started("single elimination")
    for key in ("W1-1", "W1-2", "W2-1"):
        (link,) = [each for each in (await club.load()).games if each.match == key]
        numbers = (await club.load()).state.by_number
        for number in (link.white, link.black):
            games = here.bot.services.games
            game = await games.game(link.game_id)
            assert game.to_move is not None
            await games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, f"t:{key}:{number}")
        await give_up(club, link.game_id, numbers[max(link.white, link.black)].person)
        await club.quiet()
    tournament = await club.load()
    semifinal = tournament.state.bracket.matches["W2-1"]
    quarter = tournament.state.bracket.matches["W1-2"]
    assert semifinal.winner
    assert semifinal.loser
    assert quarter.loser
    shown = await correction(club, tournament.state.by_number[quarter.loser].person, "W1-2")
    call = tournament.call
    lost = f"Semifinal 1: {call(semifinal.winner)}'s win against {call(semifinal.loser)} no longer counts. "
    assert lost in words_of(shown)
    assert "instead, in a new game." in words_of(shown)


async def test_who_is_withdrawn_from_a_running_match_loses_it(here: World) -> None:
    """The director is told before and after; nothing is said of a game that is still to be played."""
    club = Club(here, 4)
    await club.started("single elimination")
    panel = await (await club.manage()).choose("Withdraw")
    player = club.players[0]
    asked = (await panel.choose_values(player.id)).text
    assert f" is lost: {club.players[3].mention} goes through. {player.mention} can come back only if" in asked
    done = (await panel.press("Confirm")).text
    assert f"{player.mention} is withdrawn from **Autumn**. The match against " in done
    assert "still to be played" not in done
    neither = await club.director.slash(
        here.channel, "tournament result", player=club.players[1], result="both forfeit", match="W1-2"
    )
    assert "one of the two goes on: enter who did not come, or withdraw both" in said(neither)


async def test_what_is_cancelled_does_not_begin(here: World) -> None:
    """And nobody is asked whether it shall."""
    club = Club(here, 2)
    await club.create("swiss", rounds=1)
    await club.join(club.players[0])
    await club.tap("Cancel")
    assert "**Autumn** is cancelled." == await club.direct("start", tournament="1")


async def test_who_is_out_is_not_offered_to_be_withdrawn(here: World) -> None:
    """Who has lost a match of a knockout is out already; who waits for the next one is not."""
    club = Club(here, 4)
    await club.started("single elimination")
    await club.play(1, 4)
    panel = await (await club.manage()).choose("Withdraw")
    assert {str(club.players[number].id) for number in (0, 1, 3)} == set(panel.options.values())


async def test_who_did_not_come_to_a_match(here: World) -> None:
    """It is told as a forfeit in the preview, the thread, the bracket, the history and the file, whichever of the two
    it was; that the other has won is a correction then."""
    club = Club(here, 4)
    await club.started("single elimination")
    for link, absent in zip((await club.load()).games[:2], ("white", "black"), strict=True):
        await club.quiet()
        tournament = await club.load()
        gone, there = (link.white, link.black) if absent == "white" else (link.black, link.white)
        panel = await (await club.manage()).choose("Enter a result")
        label = next(one for one in panel.options if f"player{link.white} - player{link.black}" in one)
        panel = await (await panel.choose(label)).press(f"player{gone} did not come")
        told = f"won by {tournament.call(there)}, as {tournament.call(gone)} did not come"
        assert f"This enters a result: {label.partition(':')[0]}, game 1: " in panel.text
        assert told in panel.text
        await panel.press("Save it")
        await club.quiet()
        thread = next(each for each in here.channel.threads if each.id == link.channel_id)
        result = "0 - 1 (forfeit)" if absent == "white" else "1 - 0 (forfeit)"
        assert result in thread.history()[-1].content
        tournament = await club.load()
        ((_name, shown),) = pictures_of(club.standings)
        assert f"player{there} wins because player{gone} did not come" in shown
        assert f"{told} (entered by {club.director.mention})" in await club.direct("history")
        assert tournament.state.by_number[gone].person in await here.bot.services.tournaments.registration.marked(
            [each.id for each in club.players]
        )

    link = (await club.load()).games[0]
    panel = await (await (await club.manage()).choose("Enter a result")).choose("Semifinal 1")
    panel = await panel.press(f"player{link.black} wins")
    assert "This corrects a result." in panel.text
    await panel.press("Save it")
    await club.quiet()
    tournament = await club.load()
    assert f"player{link.black} beat player{link.white}" in pictures_of(club.standings)[0][1]
    marked = await here.bot.services.tournaments.registration.marked([each.id for each in club.players])
    assert tournament.state.by_number[link.white].person not in marked
