"""Games of other programs, sent in to be replayed and analysed."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError

from bot.engine.pdn import pdn_writer
from bot.engine.ruleset import Ruleset, shipped
from tests.support.discord.world import World, said

INTERNATIONAL = b'[White "Ana"]\n[Black "Ben"]\n[Result "2-0"]\n1. 32-28 18-23 2. 33-29 23x32 2-0\n'


def manager(here: World) -> MemberActor:
    """Somebody who may manage the server."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    return here.guild.add_member(here.env.create_user("manager"), roles=[boss])


async def test_a_file_that_names_no_game_asks_for_it(here: World) -> None:
    """Which game it is of is asked; with it, the game is brought in, once, for those who see the channel."""
    boss = manager(here)
    answer = await boss.slash(here.channel, "server import", file=("games.pdn", INTERNATIONAL))
    assert "Choose it with `variant:`" in said(answer)
    answer = await boss.slash(here.channel, "server import", file=("games.pdn", INTERNATIONAL), variant="international")
    assert "Imported game 1: `/game replay` shows it" in said(answer)
    game = await here.bot.services.games.game(1)
    assert ((None, None), "international", 0) == (game.players, game.variant_id, game.result and game.result.winner)
    assert "Game 1, 0 of 5: the start" in said(await here.alice.slash(here.channel, "game replay", number=1))
    again = await boss.slash(here.channel, "server import", file=("games.pdn", INTERNATIONAL), variant="international")
    assert "1 game was here already." == said(again)


async def test_players_are_called_as_the_file_calls_them(here: World) -> None:
    """In words and in the picture's; what it has in place of a name calls nobody and marks nothing up."""
    named = INTERNATIONAL.replace(b"Ben", b"@everyone *Ben*")
    await manager(here).slash(here.channel, "server import", file=("games.pdn", named), variant="international")
    shown = await here.alice.slash(here.channel, "game show", number=1)
    assert "game 1: White Ana, Black @\u200beveryone \\*Ben\\*." in said(shown)
    assert "**Ana (White) wins.**" in said(shown)
    game = await here.bot.services.games.game(1)
    assert ("Ana", "@everyone *Ben*") == await here.bot.services.pictures.names_of(game)


async def test_one_bad_game_keeps_no_other_out(here: World) -> None:
    """What is wrong with it is named with its line; the command is for managers."""
    two = INTERNATIONAL + b"\n" + INTERNATIONAL.replace(b"33-29", b"33-24")
    options: dict[str, Any] = {"file": ("games.pdn", two), "variant": "international"}
    with pytest.raises(SetupError, match="not visible"):
        await here.bob.slash(here.channel, "server import", **options)
    answer = said(await manager(here).slash(here.channel, "server import", **options))
    assert "Imported game 1" in answer
    assert "\n- Line 9, column " in answer
    assert "variant:" not in answer


async def test_what_is_wrong_with_a_file_is_told_in_the_readers_language(here: World) -> None:
    """To a Spanish manager in Spanish, the rules' own reasons too; which game it is is asked only where that helps."""
    boss = manager(here)
    await boss.slash(here.channel, "me settings", language="es")
    bad = INTERNATIONAL.replace(b"33-29", b"33-24") + b"\n[Variant"
    options: dict[str, Any] = {"file": ("games.pdn", bad), "variant": "international"}
    answer = said(await boss.slash(here.channel, "server import", **options)).splitlines()
    assert answer[0].startswith("- Línea 4, columna 19: entrada 3, '33-24': ")
    assert "una etiqueta se escribe" in answer[1]
    named = b'[GameType "20"]\n[Result "2-0"]\n1. 32-28 18-23 2. 33-24 2-0\n'
    assert "variant:" not in said(await boss.slash(here.channel, "server import", file=("games.pdn", named)))


async def test_a_game_that_a_file_tells_nothing_of_is_told_of_as_little(here: World) -> None:
    """Nobody has left who was never named, and no day is made up when it is taken along again."""
    bare = b"1. 32-28 18-23 2. 33-29 23x32 2-0\n"
    await manager(here).slash(here.channel, "server import", file=("games.pdn", bare), variant="international")
    shown = said(await here.alice.slash(here.channel, "game show", number=1))
    assert "game 1: White ?, Black ?." in shown
    pdn = pdn_writer.dumps(await here.bot.services.games.archive.transcript(1))
    assert '[Site "?"]\n[Date "????.??.??"]' in pdn


async def test_other_servers_do_not_see_it(here: World) -> None:
    """A game that was brought in belongs to its server, and another may bring the same one in."""
    await manager(here).slash(here.channel, "server import", file=("a.pdn", INTERNATIONAL), variant="international")
    elsewhere = here.env.create_guild("Another club")
    channel = elsewhere.create_text_channel("draughts")
    boss = elsewhere.add_member(
        here.env.create_user("stranger"),
        roles=[elsewhere.create_role("boss", permissions=discord.Permissions(manage_guild=True))],
    )
    assert "There is no game 1 on this server." in said(await boss.slash(channel, "game replay", number=1))
    answer = await boss.slash(channel, "server import", file=("a.pdn", INTERNATIONAL), variant="international")
    assert "Imported game 2" in said(answer)


async def test_games_of_the_servers_own_rules_come_in_again(here: World) -> None:
    """A file of a game that was played by them names them; of another server's, and of rules that are not kept, it is
    told that they are left out. Those without a result are counted."""
    own = shipped("pinoy").text.replace('name = "', 'name = "House ', 1)
    await here.bot.services.games.variants.add(here.guild.id, "house", own)
    kept = Ruleset(f"house@{here.guild.id}", own)
    text = '[Variant "{name}"]\n[Rules "{hash}"]\n\n1. c3-d4 {result}\n\n'
    game_of = [
        text.format(name=kept.id, hash=kept.hash, result="1-0"),
        text.format(name="house@5", hash=kept.hash, result="1-0"),
        text.format(name=kept.id, hash="0" * 64, result="1-0"),
        *[text.format(name=kept.id, hash=kept.hash, result="*")] * 2,
    ]
    answer = await manager(here).slash(here.channel, "server import", file=("own.pdn", "".join(game_of).encode()))
    for part in (
        "Imported game 1",
        "Line 11, column 1: the rules of house@",
        "Line 6: this game uses another server",
        "Lines 16, 21: 2 games have no result.",
    ):
        assert part in said(answer)
    game = await here.bot.services.games.game(1)
    assert own == game.rules.variant.ruleset.text
