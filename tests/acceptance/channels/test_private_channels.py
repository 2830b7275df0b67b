"""What stands in a channel that somebody does not see is nowhere to be had for that person, but for who takes part."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType

from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, said

VIEW = discord.Permissions(view_channel=True).value


def hide(here: World, person: MemberActor) -> None:
    """From now on ``person`` does not see the channel."""
    overwrite = Overwrite(target_id=person.id, type=OverwriteType.MEMBER, allow=0, deny=VIEW)
    here.env.backend.set_overwrite(here.channel.id, overwrite)


async def pressed(here: World, person: MemberActor, room: ChannelHandle, custom_id: str) -> str:
    """What is answered to a press of a button that was never posted, under the last message of a channel."""
    message = room.last_message
    assert message is not None
    here.env.backend.get_message(room.id, message.id).components[0]["components"][0]["custom_id"] = custom_id
    return said(await person.click(message, custom_id=custom_id))


@pytest.fixture
def lobby(here: World) -> ChannelHandle:
    """A channel that everybody sees; Carol does not see the other one."""
    hide(here, here.carol)
    return here.guild.create_text_channel("lobby")


GAME: list[tuple[str, dict[str, Any]]] = [
    ("game show", {"number": 1}),
    ("game replay", {"number": 1}),
    ("game export", {"number": 1}),
    ("analysis", {"number": 1}),
    ("setup", {"game": 1}),
]


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
async def test_games(here: World, lobby: ChannelHandle, over: bool) -> None:
    """A game is refused to a stranger as if there were none, whatever the command, and its players have it anywhere."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    if over:
        await here.bot.services.games.moves.resign(1, here.bob.id, "test:resign")
    dave = here.person("dave")

    for command, options in GAME:
        assert "There is no game 1 on this server." == said(await here.carol.slash(lobby, command, **options)), command
        none = dict.fromkeys(options, 9)
        assert "There is no game 9 on this server." == said(await here.carol.slash(lobby, command, **none)), command
        for person in (here.alice, dave):
            answer = await person.slash(lobby, command, **options)
            assert "There is no game 1" not in (answer.response.content if answer.response else ""), command


async def test_lists_of_games(here: World, lobby: ChannelHandle) -> None:
    """The history of a player leaves out what the asker does not see."""
    game = await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.mention(here.bob, "a6-b5")
    await here.bot.services.games.moves.resign(game.id, here.bob.id, "test:resign")
    dave = here.person("dave")

    assert "has not finished any games here" in said(await here.carol.slash(lobby, "me history", player=here.alice))
    assert "/game replay 1" in said(await dave.slash(lobby, "me history", player=here.alice))
    assert "/game replay 1" in said(await here.alice.slash(lobby, "me history"))


async def test_a_game_that_was_continued(here: World, lobby: ChannelHandle) -> None:
    """It stands where it went on, over or not: for those who see that channel, and in their lists alone."""
    game = await here.start()
    dave = here.person("dave")
    hide(here, dave)
    room = here.guild.create_text_channel("room")
    here.expected_errors.add("not posted")
    here.env.backend.delete_channel(here.channel.id)
    await here.env.settle()
    await here.alice.slash(room, "game continue", number=game.id)
    here.env.backend.set_overwrite(room.id, Overwrite(target_id=dave.id, type=OverwriteType.MEMBER, allow=0, deny=VIEW))
    for person, text in ((here.alice, "b3-a4"), (here.bob, "a6-b5")):
        await here.mention(person, text, room)
    for over in (False, True):
        if over:
            await here.bot.services.games.moves.resign(game.id, here.bob.id, "test:resign")
        for command, options in GAME[:2]:
            assert "There is no game 1" not in said(await here.carol.slash(lobby, command, **options))
            assert "There is no game 1" in said(await dave.slash(lobby, command, **options))

    assert "/game replay 1" in said(await here.carol.slash(lobby, "me history", player=here.alice))
    assert "has not finished any games here" in said(await dave.slash(lobby, "me history", player=here.alice))
    await here.restart()
    assert room.id == (await here.bot.services.games.game(game.id)).place.channel_id


EVENT: list[tuple[str, dict[str, Any]]] = [
    ("tournament standings", {"tournament": "1"}),
    ("tournament history", {"tournament": "1"}),
    ("tournament export", {"tournament": "1", "format": "csv"}),
]
PRESSES = ["join:1", "leave:1", "here:1", "pause:1", "why:1:1", "need:1", "text:1", "keep:1:1.1.0.1."]


async def test_tournaments(here: World, lobby: ChannelHandle) -> None:
    """Nor are tournaments listed, shown or joined; players and directors have theirs anywhere."""
    club = Club(here, 4)
    await club.started("swiss", rounds=2)
    hide(here, club.players[0])
    hide(here, club.director)

    for command, options in EVENT:
        assert "There is no tournament 1 on this server." == said(await here.carol.slash(lobby, command, **options))
        none = {**options, "tournament": "9"}
        assert "There is no tournament 9 on this server." == said(await here.carol.slash(lobby, command, **none))
        for person in (club.players[0], club.director, here.alice):
            answer = await person.slash(lobby, command, **options)
            assert "There is no tournament 1" not in (answer.response.content if answer.response else ""), command
    assert "Autumn" not in said(await here.carol.slash(lobby, "tournament list"))
    for person in (club.director, here.alice):
        assert "Autumn" in said(await person.slash(lobby, "tournament list"))
    await here.alice.slash(lobby, "play", variant="tama")
    before = await club.load()
    for press in PRESSES:
        refusal = await pressed(here, here.carol, lobby, f"tournament:{press}")
        assert "There is no tournament 1 on this server" in refusal, press
    assert "There is no game 1 on this server" in said(await here.carol.slash(lobby, "game adjudicate", number=1))
    assert "There is no game 1 on this server" in await pressed(here, here.carol, lobby, "damero-adjudicate:1:0")
    assert before.last == (await club.load()).last


async def test_leagues(here: World, lobby: ChannelHandle) -> None:
    """Nor leagues, which cannot be joined either; members have theirs anywhere."""
    club = Club(here, 1)
    member = club.players[0]
    await club.director.slash(here.channel, "league create", name="Winter", variant="pinoy", clock="3d")
    await member.slash(here.channel, "league join")
    hide(here, member)

    for command in ("standings", "history", "join", "leave"):
        answer = await here.carol.slash(lobby, f"league {command}", league="1")
        assert "There is no league **1** on this server" in said(answer), command
    assert "Winter" not in said(await here.carol.slash(lobby, "league list"))
    for person in (member, club.director, here.alice):
        assert "Winter" in said(await person.slash(lobby, "league list"))
        assert "There is no league" not in said(await person.slash(lobby, "league standings", league="1"))
    await here.alice.slash(lobby, "play", variant="tama")
    for press in ("join", "leave"):
        refusal = await pressed(here, here.carol, lobby, f"contest:{press}:1")
        assert "There is no league **1** on this server" in refusal
    assert (member.id,) == (await here.bot.services.leagues.competitions.load(1)).state.members


async def test_team_matches(here: World, lobby: ChannelHandle) -> None:
    """Nor matches between servers."""
    club = Club(here, 0)
    await club.director.slash(here.channel, "teams challenge", name="Derby", variant="pinoy", clock="3d", boards=2)

    answer = await here.carol.slash(lobby, "teams standings", match="1")
    assert "There is no team match **1** on this server" in said(answer)
    assert "Derby" not in said(await here.carol.slash(lobby, "teams list"))
    for person in (club.director, here.alice):
        assert "Derby" in said(await person.slash(lobby, "teams list"))


async def test_presses_are_of_their_own_server(here: World) -> None:
    """On another server a button that names a tournament or a league of this one is refused, and changes nothing."""
    club = Club(here, 2)
    await club.create("swiss", rounds=2)
    await club.director.slash(here.channel, "league create", name="Winter", variant="pinoy", clock="3d")
    other = here.env.create_guild("Elsewhere")
    room = other.create_text_channel("draughts")
    eve = other.add_member(here.env.create_user("eve"))
    await eve.slash(room, "play", variant="tama")

    for press in PRESSES:
        refusal = await pressed(here, eve, room, f"tournament:{press}")
        assert "There is no tournament 1 on this server" in refusal, press
    for press in ("join", "leave"):
        refusal = await pressed(here, eve, room, f"contest:{press}:1")
        assert "There is no league **1** on this server" in refusal
    assert not (await club.load()).state.entrants
    director = other.add_member(club.director.user)
    await club.join(*club.players)
    await club.direct("start")
    await club.quiet()
    before = (await club.load()).last
    keep = f"tournament:keep:1:{before}.{club.players[0].id}.0.1."
    assert "There is no tournament 1 on this server" in await pressed(here, director, room, keep)
    assert before == (await club.load()).last
    assert not (await here.bot.services.leagues.competitions.load(1)).state.members


OF_CHALLENGES = ("accept", "decline", "withdraw", "leave", "computer", "level", "begin", "colour", "rematch")
OF_GAMES = (
    *("move", "choose", "listed", "type", "pick", "undo", "soplar", "oblige", "draw", "agree", "refuse"),
    *("resign", "resignnow", "abort", "side", "show", "language", "replay", "analyse"),
)


@pytest.mark.parametrize("who", ["of another server", "who does not see the channel"])
async def test_presses_are_of_a_channel_that_is_seen(here: World, lobby: ChannelHandle, who: str) -> None:
    """Nobody takes a seat in a challenge of another server, or of a channel that they do not see, nor learns from a
    press that there is such a game; who sees the channel does."""
    await here.alice.slash(here.channel, "play", variant="spanish")
    room, person = lobby, here.carol
    if who == "of another server":
        other = here.env.create_guild("Elsewhere")
        room = other.create_text_channel("draughts")
        person = other.add_member(here.env.create_user("zed"))
    await person.slash(room, "play", variant="tama")
    args = {"level": ":1", "colour": ":1", "pick": ":#0", "language": ":es"}
    args |= {"agree": ":draw-1", "refuse": ":draw-1"}

    for press in OF_CHALLENGES:
        custom_id = f"damero:{press}:1:0{args.get(press, '')}"
        assert "There is no game 1 on this server." == await pressed(here, person, room, custom_id), press
    assert "open" == (await here.bot.services.games.game(1)).status
    await here.bob.click(here.last, label="Accept")
    for press in (*OF_CHALLENGES, *OF_GAMES):
        custom_id = f"damero:{press}:1:0{args.get(press, '')}"
        assert "There is no game 1 on this server." == await pressed(here, person, room, custom_id), press
    assert here.carol.id not in (await here.bot.services.games.game(1)).players
