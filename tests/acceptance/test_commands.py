from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.chat import command_sync
from bot.chat.onboarding.help import TOPICS, topic_card
from tests.support.discord.world import World, said

EXPECTED = {
    "play": ["variant", "opponent", "side", "rules", "players", "clock", "rated", "level", "computers", "position"],
    "move": ["move"],
    "board": ["turned", "numbers", "targets"],
    "rules": ["variant"],
    "help": [],
    "tutorial": ["variant"],
    "game": [
        "moves",
        "hint",
        "colour",
        "soplar",
        "oblige",
        "plan",
        "draw",
        "takeback",
        "undo",
        "resign",
        "abort",
        "show",
        "replay",
        "continue",
        "adjudicate",
        "export",
    ],
    "me": ["games", "next", "history", "rating", "settings", "vacation", "export", "data", "forget"],
    "server": ["puzzle", "settings", "variant", "import", "diagnose"],
    "tournament": [
        "standings",
        "history",
        "list",
        "export",
        "create",
        "start",
        "pair",
        "manage",
        "result",
        "join",
        "leave",
        "bye",
    ],
    "setup": ["variant", "position", "rules", "game", "turn"],
    "analysis": ["number", "variant", "position"],
    "puzzle": ["variant", "answer", "theme"],
    "leaderboard": ["variant", "live", "table", "everywhere"],
    "league": [
        "create",
        "start",
        "join",
        "leave",
        "remove",
        "standings",
        "history",
        "list",
        "directors",
        "close",
    ],
    "teams": ["challenge", "accept", "lineup", "standings", "cancel", "list"],
    "Play this move": [],
}

MOST_AT_TOP, MOST_IN_A_GROUP, MOST_OPTIONS = 16, 25, 10
MOST_OF_TOURNAMENTS = 12
"""What people can look over; Discord would take more at top level and of options."""


# Each command with its options, and a hash of all that Discord is told of it in English.
TOLD = Path(__file__).with_name("commands.txt")


def registered(here: World) -> list[dict[str, Any]]:
    return list(here.env.backend.commands[None].values())


def walked(commands: list[dict[str, Any]], group: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Each command and group with its whole name, those in groups too."""
    for command in commands:
        name = f"{group} {command['name']}".strip()
        yield name, command
        yield from walked([option for option in command.get("options", []) if option["type"] in (1, 2)], name)


async def test_the_commands_are_these(here: World) -> None:
    """Names, options and their order are what people and other programs rely on."""
    assert {c["name"]: [option["name"] for option in c["options"]] for c in registered(here)} == EXPECTED


def lines_of(commands: list[dict[str, Any]], group: str = "") -> Iterator[str]:
    """A line for each command, below each group its own."""
    for command in commands:
        name = f"{group} {command['name']}".strip()
        options = command.get("options", [])
        inner = [option for option in options if option["type"] in (1, 2)]
        own = [option for option in options if option not in inner]
        told = json.dumps({**command, "options": own}, sort_keys=True).encode()
        yield " ".join([hashlib.sha256(told).hexdigest()[:16], f"{name}:", *(option["name"] for option in own)])
        yield from lines_of(inner, name)


async def test_discord_is_told_the_same_of_each_command(here: World) -> None:
    """Descriptions, kinds and limits of options, choices, suggestions, permissions: what changes in one of them changes
    its line in the file, and is then meant."""
    told = [command.to_dict(here.bot.tree) for command in here.bot.tree.get_commands()]
    told.sort(key=lambda command: (command["type"], command["name"]))

    assert TOLD.read_text(encoding="utf-8").splitlines() == list(lines_of(told))


async def test_the_commands_keep_within_discords_limits(here: World) -> None:
    """Names, descriptions, choices: one that is wrong and Discord takes none of the commands."""
    slash = [command for command in registered(here) if command["type"] == 1]
    assert len([command for command in registered(here) if command["type"] == 3]) <= 5
    for name, command in walked(slash):
        assert re.fullmatch(r"[a-z]{1,32}", name.rpartition(" ")[2])
        assert 1 <= len(command["description"]) <= 100
        for option in (each for each in command.get("options", []) if each["type"] not in (1, 2)):
            assert re.fullmatch(r"[_a-z]{1,32}", option["name"])
            assert 1 <= len(option["description"]) <= 100
            assert len(option.get("choices", [])) <= 25
    on_servers = {"tournament", "league", "teams", "server", "leaderboard"}
    for command in registered(here):
        here_alone = command["name"] in on_servers
        assert ([0] if here_alone else [0, 1, 2]) == command["contexts"]
        assert ([0] if here_alone else [0, 1]) == command["integration_types"]


async def test_the_commands_can_be_looked_over(here: World) -> None:
    """At most sixteen at top level, twenty-five in a group, ten options for one."""
    slash = [command for command in registered(here) if command["type"] == 1]
    inner = {name: [each["type"] for each in command.get("options", [])] for name, command in walked(slash)}

    assert MOST_AT_TOP >= len(slash)
    assert [] == [name for name, types in inner.items() if {1, 2} & {*types} and len(types) > MOST_IN_A_GROUP]
    single = {name: types for name, types in inner.items() if not {1, 2} & {*types}}
    assert [] == [name for name, types in single.items() if len(types) > MOST_OPTIONS]
    assert len(inner["tournament"]) <= MOST_OF_TOURNAMENTS


async def test_only_managers_are_shown_what_is_for_them(here: World) -> None:
    """`/server` stands in nobody's list but theirs, and in no direct message; the others in everybody's."""
    permissions = {c["name"]: c.get("default_member_permissions") for c in registered(here) if c["type"] == 1}

    assert {"server": str(discord.Permissions(manage_guild=True).value)} == {
        name: str(given) for name, given in permissions.items() if given is not None
    }


async def test_commands_are_registered_once(here: World) -> None:
    """A restart reads what Discord has and registers nothing."""
    assert 1 == len(here.sent("PUT", "/commands"))

    await here.restart()

    assert 1 == len(here.sent("PUT", "/commands"))


async def test_commands_that_have_not_changed_are_not_translated(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """To know that Discord has been told, nothing is put into other languages: at a start that would be in the way."""
    monkeypatch.setattr(command_sync, "payload_of", None)

    assert not await command_sync.sync(here.bot.tree, here.bot.services.store, here.bot.application_id or 0)


async def test_changed_translations_are_registered(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash covers the catalogues of the languages that Discord has."""
    monkeypatch.setattr(command_sync, "catalogue_text", lambda language: f"another {language}")

    assert await command_sync.sync(here.bot.tree, here.bot.services.store, here.bot.application_id or 0)


async def test_commands_that_discord_lost_are_registered_again(here: World) -> None:
    """The hash alone is not trusted: an application without its commands gets them back."""
    here.env.backend.commands[None].clear()

    await here.restart()

    assert EXPECTED.keys() == {command["name"] for command in registered(here)}


async def test_changed_commands_are_registered(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash covers what Discord is told."""
    before = command_sync.digest(here.bot.tree)
    command = here.bot.tree.get_command("help")
    assert command is not None
    monkeypatch.setattr(command, "description", "Something else")

    assert before != command_sync.digest(here.bot.tree)
    assert await command_sync.sync(here.bot.tree, here.bot.services.store, here.bot.application_id or 0)


async def test_moves_are_suggested_from_memory(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Autocomplete lists legal moves, what is typed first, without asking the database."""
    await here.start()
    monkeypatch.setattr(here.bot.services.store, "read", None)
    monkeypatch.setattr(here.bot.services.store, "write", None)

    async def offered(typed: str) -> list[str]:
        return [choice["value"] for choice in await here.alice.autocomplete(here.channel, "move", "move", typed)]

    game = here.bot.services.recent.seen(here.channel.id)
    assert game is not None
    assert {turn.text for turn in game.rules.turns(game.state)} == set(await offered(""))
    assert ["b3-a4", "b3-c4"] == await offered("b3")
    assert ["b3-c4", "d3-c4"] == await offered("C4")
    assert ["d3-c4"] == await offered("d3 c")
    assert [] == await offered("zz")
    assert [] == await here.bob.autocomplete(here.channel, "move", "move", "")
    assert [] == await here.carol.autocomplete(here.channel, "move", "move", "")
    monkeypatch.undo()  # the bot's end is written down


async def test_moves_are_suggested_after_a_restart(here: World) -> None:
    """A process that has not seen the game yet looks it up."""
    await here.start()
    await here.restart()

    assert 7 == len(await here.alice.autocomplete(here.channel, "move", "move", ""))


async def test_moves_are_not_suggested_where_no_game_runs(here: World) -> None:
    """An empty list, not an error."""
    assert [] == await here.alice.autocomplete(here.channel, "move", "move", "c3")


async def test_the_board_is_shown_from_ones_own_side(here: World) -> None:
    """`/board` is private, with a picture and its description; the second player sees it turned."""
    await here.start()

    mine = await here.alice.slash(here.channel, "board")
    theirs = await here.bob.slash(here.channel, "board")
    plain = await here.bob.slash(here.channel, "board", turned=False)
    numbered = await here.carol.slash(here.channel, "board", turned=True, numbers=True)

    pictures = []
    for answer, name in ((mine, ""), (theirs, "-turned"), (plain, ""), (numbered, "-turned-numbers")):
        assert "is to move" in said(answer)
        assert answer.response is not None
        [attachment] = answer.response.attachments
        assert f"g1-m0{name}.png" == attachment.filename
        assert "to move" in (attachment.description or "")
        pictures.append(await attachment.read())
    assert pictures[0] == pictures[2]
    assert 3 == len(set(pictures))
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


async def test_moves_lists_what_may_be_played(here: World) -> None:
    """`/game moves` is private and names the side."""
    await here.start()

    listed = said(await here.carol.slash(here.channel, "game moves"))

    assert "White may play (7):" in listed
    assert "`b3-a4`" in listed


async def test_rules_of_the_channels_game_show_its_options(here: World) -> None:
    """In a game's channel `/rules` tells what was chosen, as it holds, and nothing that is as usual."""
    assert "Choose the game whose rules you want" in said(await here.alice.slash(here.channel, "rules"))
    await here.start("pinoy", rules="removal=at_end")

    for options in ({}, {"variant": "pinoy"}):
        text = said(await here.alice.slash(here.channel, "rules", **options))
        assert "- `removal=at_end`: Captured pieces leave when the move is complete; none may be jumped twice." in text
        assert "`mirror=false`" not in text
    assert "House rules" in said(await here.alice.slash(here.channel, "rules", variant="tama"))


async def test_games_lists_mine_and_whose_turn_it_is(here: World) -> None:
    """Running games with a link and whose turn it is, challenges that wait; nobody else's."""
    assert "no game here" in said(await here.alice.slash(here.channel, "me games"))
    await here.start()
    await here.alice.slash(here.channel, "play", variant="tama", opponent=here.carol)

    mine = said(await here.alice.slash(here.channel, "me games"))
    theirs = said(await here.bob.slash(here.channel, "me games"))

    assert "**your turn**" in mine
    assert f"/{here.boards()[-1].id}" in mine
    assert f"with {here.carol.mention}: waiting for an answer" in mine
    assert f"{here.alice.mention} to move" in theirs
    assert "waits" not in theirs


async def test_help_says_how_to_play(here: World) -> None:
    """`/help` and its topics name each command."""
    text = said(await here.alice.slash(here.channel, "help"))
    text += "".join(topic_card(topic, plain=False).text for topic in TOPICS)

    for command in EXPECTED:
        assert f"/{command}" in text or command in ("help", "Play this move")
        assert all(f"`/{command} {sub}" in text for sub in EXPECTED[command] if command in ("game", "me", "server"))


async def topic_of_moves(here: World) -> str:
    asked = await here.alice.slash(here.channel, "help")
    assert asked.response is not None
    return said(await here.alice.select(asked.response, ["moves"], custom_id="menu:damero-help:topic"))


async def test_help_does_not_name_plain_text_where_it_is_not_read(here: World) -> None:
    """Without the intent nobody is told to type a move alone."""
    assert "just type the move" not in await topic_of_moves(here)


@pytest.mark.message_content
async def test_help_with_the_intent_names_plain_text(here: World) -> None:
    """With the intent a plain move counts, and the help says so."""
    assert "just type the move" in await topic_of_moves(here)


@pytest.mark.parametrize(
    "command", ["move", "game moves", "board", "game resign", "game draw", "game takeback", "game abort", "game oblige"]
)
async def test_commands_about_a_game_say_when_there_is_none(here: World, command: str) -> None:
    """In a channel without a game each says so, and how to start one."""
    options = {"move": "c3-d4"} if command == "move" else {}

    assert "No game is running in this channel" in said(await here.alice.slash(here.channel, command, **options))


async def test_trouble_is_owned_up_to(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that nobody foresaw is logged without the text, and the person is told that nothing was changed."""
    here.expected_errors |= {"interaction failed", "message failed"}
    await here.start()

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(here.bot.services.games.moves, "turn", broken)
    shown = await here.form(here.alice)
    answer = await here.alice.submit_modal(shown, {"move": "b3-a4"})
    assert "Something went wrong on our side" in said(answer)
    await here.mention(here.alice, "b3-a4")
    assert "Something went wrong" in here.last.content


@pytest.mark.simcord(check_errors=False)
async def test_trouble_in_a_command_is_owned_up_to(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for a slash command."""
    here.expected_errors.add("interaction failed")
    await here.start()
    monkeypatch.setattr(here.bot.services.games.offers, "offer_draw", None)

    answer = await here.alice.slash(here.channel, "game draw")

    assert "Something went wrong" in said(answer)
