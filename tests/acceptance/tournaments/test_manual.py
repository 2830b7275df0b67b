"""What directors change by hand in Discord: seen first, then done."""

from __future__ import annotations

from copy import deepcopy
from typing import Literal

import pytest
from simcord.results import ResponseMessage

from bot.chat.tournaments import preview_texts, round_code
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels


async def pairs(club: Club, status: Literal["running", "aborted"] = "running") -> set[tuple[int, int]]:
    return {(game.white, game.black) for game in (await club.load()).games if game.status == status}


async def hand_written(club: Club, pairings: str, round: int = 1) -> ResponseMessage:
    """What a director sees before a round is paired so."""
    panel = await (await club.manage()).choose("Pair by hand")
    return (await (await panel.press("Write the pairings")).send(pairings=pairings, round=str(round))).message


async def before_undo(club: Club, event: int | None = None) -> ResponseMessage:
    """What a director sees before an event is taken back."""
    panel = await (await club.manage()).choose("Undo")
    return (await panel.choose_values(event or max(map(int, panel.options.values())))).message


async def test_a_director_pairs_by_hand_and_takes_it_back(here: World) -> None:
    """Seen first, then done; games of pairings that are gone are called off, taken back they return."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    assert "Starting numbers: 1 <@" in (await (await club.manage()).choose("Pair by hand")).text
    before = {(game.white, game.black) for game in (await club.load()).games}

    seen = await club.by_hand("1-2, 3-4", 1, "")
    assert "This pairs round 1" in seen
    assert before == {(game.white, game.black) for game in (await club.load()).games if game.status == "running"}
    done = await club.by_hand("1-2, 3-4", 1)
    assert "is paired as you wrote" in done
    await club.quiet()
    running = {(game.white, game.black) for game in (await club.load()).games if game.status == "running"}
    assert {(1, 2), (3, 4)} == running

    seen = await club.undo(label="")
    assert "undoes event" in seen
    assert f"{club.director.mention} paired round 1 by hand\n" in seen
    number = (await club.load()).last
    assert f"event {number}" in seen
    assert "is undone" in await club.undo(number)
    await club.quiet()
    running = {(game.white, game.black) for game in (await club.load()).games if game.status == "running"}
    assert before == running
    refused = await club.by_hand("1-2, 2-3", 1)
    assert f"**Autumn**: 2 is there twice: {club.players[1].mention}. Write each player once." in refused
    assert "Pairings: 1-2, 2-3" in refused


async def test_a_preview_has_buttons_that_hold_after_a_restart(here: World) -> None:
    """Dropped, nothing is changed; confirmed with a new bot, the round is paired as the message says, with its sides;
    an event is taken back in the same way."""
    club = Club(here, 5)
    await club.started("swiss", rounds=3)
    before = await pairs(club)
    people = [f"<@{(await club.load()).state.by_number[number].person}>" for number in range(6) if number]

    message = await hand_written(club, "2 - 1; 4-3, 5")
    assert ["Confirm", "Back"] == labels(message.message)
    assert "This pairs round 1 of **Autumn**: `2-1, 4-3, 5`" in message.content
    assert f"1. {people[1]} (White) - {people[0]} (Black)" in message.content
    assert f"{people[4]} has the bye" in message.content
    assert "2 games in progress are called off" in message.content
    await club.director.click(message, label="Back")
    assert "Nothing has changed" in message.content
    assert "Confirm" not in labels(message.message)
    assert before == await pairs(club)

    message = await hand_written(club, "2-1, 4-3, 5")
    await here.restart()
    await club.director.click(message, label="Confirm")
    await club.quiet()
    assert "**Autumn**: round 1 is paired as you wrote" in message.content
    assert "Confirm" not in labels(message.message)
    assert {(2, 1), (4, 3)} == await pairs(club)

    message = await before_undo(club)
    assert "undoes event" in message.content
    await club.director.click(message, label="Confirm")
    await club.quiet()
    assert "is undone" in message.content
    assert before == await pairs(club)


async def test_a_preview_is_confirmed_whatever_its_words_are(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round stands in its buttons, and in its words only where they are of a version whose buttons carried none."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    with monkeypatch.context() as patched:
        patched.setattr(preview_texts, "manual_preview", lambda *_: "Take `1`, or `2-1, 3-4`.")
        message = await hand_written(club, "1-2, 4-3")
    await club.director.click(message, label="Confirm")
    assert {(1, 2), (4, 3)} == await pairs(club)

    with monkeypatch.context() as patched:
        patched.setattr(round_code, "encode", lambda groups: "")
        message = await hand_written(club, "2-1, 4-3")
    await club.director.click(message, label="Confirm")
    assert {(2, 1), (4, 3)} == await pairs(club)


async def test_a_round_by_hand_waits_for_the_one_before(here: World) -> None:
    """The round that is played is meant, at tables too; the next one is refused until it is over."""
    club = Club(here, 7)
    await club.started("tables", rounds=2, variant="chinese-checkers")
    message = await hand_written(club, "1-2-3, 4-5-6, 7")
    assert "This pairs round 1 of **Autumn**: `1-2-3, 4-5-6, 7`" in message.content
    people = [entrant.person for entrant in (await club.load()).state.by_number.values()]
    assert f"Table 2: <@{people[3]}>, <@{people[4]}>, <@{people[5]}>" in message.content
    assert f"<@{people[6]}> is alone, and has no table." in message.content
    refused = await club.by_hand("1-2-3, 4-5-6, 7", 2)
    assert "Round 1 is not over. To pair it again, write 1 as the round" in refused
    assert "press *Enter a result*" in await club.direct("pair")
    await club.director.click(message, label="Confirm")
    await club.quiet()
    assert ((1, 2, 3), (4, 5, 6)) == (await club.load()).state.seated[1].tables


async def test_a_preview_that_is_overtaken_is_shown_anew(here: World) -> None:
    """Something else has happened since: the button does nothing but show what would change now."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    before = await pairs(club)
    message = await hand_written(club, "1-2, 3-4")
    panel = await (await club.manage()).choose("Forbid")
    await panel.choose_values(club.players[0].id, club.players[1].id)
    await club.director.click(message, label="Confirm")
    assert "Something else has happened" in message.content
    assert "`1-2, 3-4`" in message.content
    assert ["Confirm", "Back"] == labels(message.message)
    assert before == await pairs(club)
    await club.director.click(message, label="Confirm")
    assert "**Autumn**: round 1 is paired as you wrote" in message.content


async def test_who_confirms_twice_hears_twice_that_it_is_done(here: World) -> None:
    """The second of two presses at once pairs nothing, and asks nothing."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    message = await hand_written(club, "1-2, 3-4")
    stored = here.env.backend.get_message(here.channel.id, message.id)
    buttons = deepcopy(stored.components)
    await club.director.click(message, label="Confirm")
    last, done = (await club.load()).last, message.content
    stored.components = buttons
    await club.director.click(message, label="Confirm")
    assert "**Autumn**: round 1 is paired as you wrote" in message.content
    assert (last, done) == ((await club.load()).last, message.content)


async def test_later_rounds_are_kept_or_paired_again_by_a_button(here: World) -> None:
    """Taking a result back that a later round stands on asks what becomes of it."""
    club = Club(here, 8)
    await club.started("swiss", rounds=4)
    await club.play()
    await club.direct("pair")
    await club.quiet()
    tournament = await club.load()
    scored = next(event.number for event in tournament.events if type(event.action).__name__ == "Scored")
    message = await before_undo(club, scored)
    assert ["Keep the pairings", "Pair again", "Back"] == labels(message.message)
    await club.director.click(message, label="Pair again")
    assert "is undone" in message.content
    await club.quiet()
    tournament = await club.load()
    assert tournament.state.paired[2].again
    assert {game for game in await pairs(club) if game in tournament.state.paired[2].games} == set(
        tournament.state.paired[2].games
    )
