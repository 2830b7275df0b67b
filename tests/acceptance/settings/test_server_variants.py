"""A server's own games: written by its managers, offered there and nowhere else, played under the rules they began
with."""

from __future__ import annotations

import json

import discord
import pytest
from simcord.actors import MemberActor

from bot.engine import transcript, variants
from bot.engine.ruleset import MOST_BYTES
from tests.support.discord.world import World, said

TEXT = variants.shipped("tama").text.replace('name = "Tama (Armenian draughts)"', 'name = "House dama"')


def manager(here: World, name: str = "manager") -> MemberActor:
    """Somebody who may manage the server."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    return here.guild.add_member(here.env.create_user(name), roles=[boss])


async def added(here: World, text: str = TEXT, name: str = "house") -> MemberActor:
    """A manager has sent in a file."""
    boss = manager(here)
    answer = await boss.slash(here.channel, "server variant add", name=name, file=(f"{name}.toml", text.encode()))
    assert "is offered on this server now" in said(answer)
    return boss


async def offered(here: World, who: MemberActor, typed: str = "house", command: str = "play") -> list[str]:
    return [each["value"] for each in await who.autocomplete(here.channel, command, "variant", typed)]


async def test_a_file_becomes_a_game_of_this_server(here: World) -> None:
    """It is suggested, explained, challenged to and played here by its title, and by everybody."""
    await added(here)
    (house,) = await offered(here, here.alice)
    choices = await here.alice.autocomplete(here.channel, "play", "variant", "house")
    assert ["House dama · 8x8 · this server's own"] == [each["name"] for each in choices]
    assert said(await here.carol.slash(here.channel, "rules", variant=house)).startswith("**House dama**")
    await here.play(house)
    assert "**House dama**" in here.last.content
    await here.bob.click(here.last, label="Accept")
    await here.alice.slash(here.channel, "move", move="a3-a4")
    game = await here.game()
    assert (1, f"house@{here.guild.id}", TEXT) == (game.ply, game.variant_id, game.rules.variant.ruleset.text)


async def test_no_other_server_has_it(here: World) -> None:
    """Not in its suggestions, not by its title, not by its id."""
    await added(here)
    elsewhere = here.env.create_guild("Another club")
    channel = elsewhere.create_text_channel("draughts")
    stranger = elsewhere.add_member(here.env.create_user("stranger"))
    assert [] == [e["value"] for e in await stranger.autocomplete(channel, "play", "variant", "house")]
    for typed in ("house", "House dama", f"house@{here.guild.id}"):
        assert "There is no game" in said(await stranger.slash(channel, "play", variant=typed))
    assert "There is no game" in said(await stranger.slash(channel, "rules", variant=f"house@{here.guild.id}"))


async def test_only_managers_write_rules(here: World) -> None:
    """Others do not even see the commands; where a server shows them to somebody, they are told so."""
    await added(here)
    assert "server variant add" not in here.alice.available_commands(here.channel)
    (server,) = [c for c in here.env.backend.commands[None].values() if c["name"] == "server"]
    here.guild.set_command_permissions(int(server["id"]), {here.alice: True})
    file = ("x.toml", TEXT.encode())
    for command, options in (
        ("add", {"name": "x", "file": file}),
        ("edit", {"name": "house", "file": file}),
        ("remove", {"name": "house"}),
        ("list", {}),
        ("show", {"variant": "house"}),
    ):
        answer = await here.alice.slash(here.channel, f"server variant {command}", **options)
        assert "Only people who can manage this server can change that" in said(answer)


async def test_a_game_is_copied_and_changed_in_a_form(here: World) -> None:
    """The form begins with the text of a game; what is sent in with a mistake is given back, with what is wrong."""
    boss = manager(here)
    shown = await boss.slash(here.channel, "server variant add", name="house", like="spanish")
    copied = await boss.submit_modal(shown, {"rules": variants.shipped("spanish").text})
    assert "Choose another name for yours" in said(copied)
    assert copied.response is not None
    assert ["house.toml"] == [file.filename for file in copied.response.attachments]

    text = variants.shipped("spanish").text.replace("Dama (Spanish draughts)", "Our dama")
    shown = await boss.slash(here.channel, "server variant add", name="house", like="spanish")
    done = await boss.submit_modal(shown, {"rules": text})
    assert "**Our dama** is offered on this server now" in said(done)
    assert [f"house@{here.guild.id}"] == await offered(here, here.alice, "our")


@pytest.mark.parametrize("like", variants.names())
async def test_every_game_fits_the_form(here: World, like: str) -> None:
    """Every shipped game can be changed in a form, also one with many ballots."""
    answer = await manager(here).slash(here.channel, "server variant add", name="house", like=like)
    assert answer.modal is not None


async def test_a_position_of_it_is_set_up_by_its_name(here: World) -> None:
    """People see the name that was given to it, not the server's number, and its buttons find it."""
    boss = await added(here)
    answer = await boss.slash(here.channel, "setup", variant="house", position="W:Wa3:Bh6")
    assert "**House dama** (`house`), White to move:" in said(answer)
    assert answer.response is not None
    await boss.click(answer.response, label="Share")
    assert "**House dama** (`house`), White to move:" in here.last.content


async def test_a_game_is_changed_removed_and_shown(here: World) -> None:
    """In a form or by a file; a running game keeps its rules, and is played to the end after the removal."""
    boss = await added(here)
    await here.start("house")
    other = TEXT.replace("turn_back = false", "turn_back = true").replace("House dama", "New dama")
    shown = await boss.slash(here.channel, "server variant edit", name="house")
    assert "keep theirs" in said(await boss.submit_modal(shown, {"rules": other}))
    assert "`house`: New dama" in said(await boss.slash(here.channel, "server variant list"))
    assert "The rules of New dama" in said(await boss.slash(here.channel, "server variant show", variant="house"))
    assert "House dama" in said(await here.alice.slash(here.channel, "me games"))
    assert "Games and events that have begun go on" in said(
        await boss.slash(here.channel, "server variant remove", name="house")
    )
    assert [] == await offered(here, here.alice)
    assert "This server has no games of its own" in said(await boss.slash(here.channel, "server variant list"))

    await here.restart()
    assert "House dama" in said(await here.alice.slash(here.channel, "me games"))
    await here.alice.slash(here.channel, "move", move="a3-a4")
    assert TEXT == (await here.game()).rules.variant.ruleset.text
    asked = await here.bob.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.bob.click(asked.response, label="Resign")
    again = await here.bob.click(here.last, label="Rematch")
    assert "This server has no variant 'house'" in said(again)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"x" * (MOST_BYTES + 1), "too long: 16,384 bytes at most"),
        (b"\xff\xfe", "Save it as UTF-8, and send it again"),
        (b"nonsense", "not TOML"),
        (TEXT.replace("House dama", "@everyone").encode(), "name: a text in one line, without @"),
        (TEXT.replace("House dama", "**House**").encode(), "`name`: letters, digits and common punctuation, not `*`"),
    ],
)
async def test_files_that_are_refused(here: World, content: bytes, says: str) -> None:
    """With one sentence, and nothing is offered."""
    boss = manager(here)
    answer = await boss.slash(here.channel, "server variant add", name="house", file=("house.toml", content))
    assert says in said(answer)
    assert [] == await offered(here, here.alice)


async def test_what_a_manager_must_choose(here: World) -> None:
    """A file or a game, not both and not neither; a name that there is."""
    boss = manager(here)
    assert "Send a `file`" in said(await boss.slash(here.channel, "server variant add", name="house"))
    assert "no variant 'house'" in said(await boss.slash(here.channel, "server variant edit", name="house"))
    assert "no variant 'house'" in said(await boss.slash(here.channel, "server variant remove", name="house"))


async def test_the_computer_plays_it_and_files_hold_it(here: World) -> None:
    """The computer plays it, and an export holds its rules."""
    await added(here)
    await here.play("house", opponent=here.me, level=1)
    await here.thought()
    await here.alice.slash(here.channel, "move", move="a3-a4")
    await here.thought()
    game = await here.game()
    assert 2 <= game.ply
    exported = transcript.dumps(await here.bot.services.games.archive.transcript(game.id))
    assert TEXT == json.loads(exported)["rules"]
    assert game.rules.variant.ruleset == next(iter(transcript.loads(exported))).variant


async def test_its_ratings_are_this_servers(here: World) -> None:
    """A rated game changes a rating here, named by the game's title; there is none of all servers."""
    await added(here)
    await here.play("house", side=None, rated=True, clock="3d")
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    people = {here.alice.id: here.alice, here.bob.id: here.bob}
    for move in ("a3-a4", "a6-a5", "b3-b4", "b6-b5"):
        await people[(await here.game()).to_move or 0].slash(here.channel, "move", move=move)
    loser = people[(await here.game()).to_move or 0]
    asked = await loser.slash(here.channel, "game resign")
    assert asked.response is not None
    await loser.click(asked.response, label="Resign")
    assert game.rated
    assert "- House dama, correspondence: **" in said(await here.alice.slash(here.channel, "me rating"))
    assert "No rated games yet" in said(await here.alice.slash(here.channel, "me rating", everywhere=True))
