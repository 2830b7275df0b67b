from __future__ import annotations

import json
import re
from typing import get_args

import pytest
from simcord.results import InteractionResult

from bot.chat.privacy.readable import EVENTS
from bot.engine import transcript
from bot.engine.pdn import pdn_reader
from bot.games.model.computer_seats import is_computer
from bot.games.persistence.integrity import check_games
from bot.tournaments.leagues.model import LeagueAction
from bot.tournaments.model.events import Action
from bot.tournaments.team_matches.model import MatchAction
from tests.support.discord.league_club import LeagueClub
from tests.support.discord.world import World, said


async def test_a_game_is_taken_along(here: World) -> None:
    """As PDN by default, as JSON on demand; both can be read again."""
    game = await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")

    answer = await here.bob.slash(here.channel, "game export")
    assert "1 game." in said(answer)
    file = await attached(answer)
    assert f"damero-{game.id}.pdn" == file[0]
    (read,) = pdn_reader.loads(file[1].decode())
    assert "c3-d4" == read.steps[0].text
    # Names are for people; the ids stay, so that the file can be read in again.
    assert '[White "alice"]\n[Black "bob"]\n' in file[1].decode()
    assert (here.alice.id, here.bob.id) == read.players

    answer = await here.bob.slash(here.channel, "me export", format="json")
    (read,) = transcript.loads((await attached(answer))[1].decode())
    assert (here.alice.id, here.bob.id) == read.players


async def test_who_has_not_played_has_nothing_to_take(here: World) -> None:
    """A sentence instead of an empty file."""
    assert "You have not played any games yet" in said(await here.carol.slash(here.channel, "me export"))


async def attached(answer: InteractionResult) -> tuple[str, bytes]:
    """Name and content of the file of a private answer."""
    assert answer.response is not None
    (file,) = answer.response.attachments
    return file.filename, await file.read()


async def test_times_in_ones_data_can_be_read(here: World) -> None:
    """Quiet hours, a vacation and a seat at a game stand with hours and dates, not with minutes and milliseconds;
    the games can be read in again all the same."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    await here.alice.slash(here.channel, "me settings", quiet_hours="22:00-07:00", time_zone="UTC")
    await here.alice.slash(here.channel, "me vacation start")
    _, content = await attached(await here.alice.slash(here.channel, "me data"))
    kept = json.loads(content)
    assert "22:00-07:00" == kept["settings"]["quiet"]
    (vacation,) = kept["vacations"]
    assert re.fullmatch(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z", vacation["start"])
    mine = json.dumps({key: value for key, value in kept.items() if key != "games"})
    assert not re.search(r"\b[0-9]{13}\b", mine)
    (read,) = transcript.loads(json.dumps(kept["games"][0]))
    assert "c3-d4" == read.steps[0].text


async def test_ones_data_is_in_words(here: World) -> None:
    """Names stand beside the numbers of games, servers, channels and events, and words for what is stored as a sign."""
    club = LeagueClub(here, 2)
    await club.started()
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    await here.bob.slash(here.channel, "game draw")
    _, content = await attached(await here.bob.slash(here.channel, "me data"))
    kept = json.loads(content)
    assert ["accepted a challenge", "offered a draw"] == [act["what"] for act in kept["acts"]]
    assert {"Pinoy Dama (Filipino draughts)"} == {row["variant_name"] for row in (*kept["acts"], *kept["seats"])}
    (seat,) = kept["seats"]
    assert ("The club", "draughts") == (seat["server_name"], seat["channel_name"])

    _, content = await attached(await club.players[0].slash(here.channel, "me data"))
    kept = json.loads(content)
    rows = kept["leagues_and_team_matches"]
    assert [("league", "Autumn", "somebody joined the league", True)] == [
        (row["kind"], row["name"], row["what"], row["by_you"]) for row in rows[:1]
    ]
    assert {"somebody entered", "the tournament began"} == {row["what"] for row in kept["tournaments"]}
    assert {"Autumn, season 1, division 1"} == {row["name"] for row in kept["tournaments"]}
    _, content = await attached(await club.director.slash(here.channel, "me data"))
    assert "a season began" in content.decode()


def test_all_that_is_kept_has_words() -> None:
    """Whatever can happen in an event is told in words."""
    every = (*get_args(Action), *get_args(LeagueAction), *get_args(MatchAction))
    assert {action.__name__ for action in every} == set(EVENTS)


async def test_forgetting_asks_once_and_resigns(here: World) -> None:
    """After the press the game is over, the board says so without a name, and nothing is kept."""
    await here.start("pinoy")
    await here.mention(here.alice, "c3-d4")
    asked = await here.bob.slash(here.channel, "me forget")
    assert "cannot be undone" in said(asked)
    assert "running" == (await here.game()).status

    assert asked.response is not None
    await here.bob.click(asked.response, label="Forget me")

    assert "Black resigned" in here.last.content
    assert here.bob.mention not in here.last.content
    answer = await here.bob.slash(here.channel, "me data")
    name, content = await attached(answer)
    assert "damero-my-data.json" == name
    kept = json.loads(content)
    assert ([], {}) == (kept["games"], kept["settings"])


async def test_a_computer_plays_on_after_who_is_forgotten(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table of two people and a computer, the player to move is forgotten: the next one moves, were it the
    computer."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    options = {"players": 3, "opponent": here.me, "computers": 1, "level": 1}
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", **options)
    await here.bob.click(here.last, label="Join")
    await here.thought()
    game = await here.game()
    while not is_computer(game.players[(game.players.index(game.to_move) + 1) % 3]):
        await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
        await here.thought()
        game = await here.game()
    mover = here.mover(game)
    seat = game.seat_of(mover.id)
    assert seat is not None
    asked = await mover.slash(here.channel, "me forget")
    assert asked.response is not None
    await mover.click(asked.response, label="Forget me")
    await here.thought()

    game = await here.game()
    assert here.waiter(game).id == mover.id
    assert mover.mention not in "".join(post.content for post in here.posts()[-2:])
    assert any(f"{game.seat_name(seat)} resigns; the others" in post.content for post in here.posts())
    assert [] == await check_games(here.bot.services.store)
