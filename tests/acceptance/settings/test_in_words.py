"""What pictures show, written out for those who want it: a whole game, and tables, can be followed without them."""

from __future__ import annotations

import random
import re

import discord
import pytest
from simcord.actors import MemberActor

from bot.engine.rules import Rules, State
from bot.engine.typed_positions import state_of
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, pictures_of, said, words_of


def manager(here: World) -> MemberActor:
    """Somebody who may manage the server."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    return here.guild.add_member(here.env.create_user("manager"), roles=[boss])


LATE = (
    "S: n1 n2 n3 n4 o1 o2 o3 p1 k6 m6; N: a1 b1 b2 c1 c2 c3 d1 d2 e7 g7; south to move"  # two pegs of each to come home
)


def told_position(rules: Rules, post: str, side: str) -> State:
    """The position that a post tells, where ``side`` is to move; read side by side, on a star with each peg's owner."""
    lines = re.findall(r"^(\w+): ((?:king|man|men|peg|no pieces)[^.]*)\.$", post, re.MULTILINE)
    keys = {seat.name: seat.sets[0] if seat.sets else seat.name for seat in rules.seats}
    assert list(keys) == [name for name, _pieces in lines]
    return state_of(rules, "; ".join([*(f"{keys[name]}: {pieces}" for name, pieces in lines), f"{side} to move"]))


def chosen(post: str, side: str, lots: random.Random) -> str:
    """One of the moves that a post lists; on a star one that leads furthest home."""
    listed = re.search(rf"^{side} may play [0-9]+ moves?: (.*)\.$", post, re.MULTILINE)
    assert listed is not None
    moves: list[str] = listed[1].split("; ")[0].split(", ")
    if side in ("South", "North"):
        ahead = 1 if side == "South" else -1
        gains = [ahead * (ord(move.split("-")[-1][0]) - ord(move[0])) for move in moves]
        moves = [move for move, gain in zip(moves, gains, strict=True) if gain == max(gains)]
    return lots.choice(moves)


@pytest.mark.parametrize("variant", ["americanas", "tama", "chinese-checkers"])
async def test_a_game_by_words_alone(here: World, variant: str) -> None:
    """Once one of the players wants words, each post tells whose turn it is, the position and what may be played; a
    game is played to its end from that alone, and the end is told."""
    lots = random.Random(variant)
    assert "- Pictures: also put into words" in said(await here.alice.slash(here.channel, "me settings", words=True))
    await here.play(variant, **({"position": LATE} if variant == "chinese-checkers" else {}))
    await here.bob.click(here.last, label="Accept")
    people = {str(person.id): person for person in (here.alice, here.bob)}
    rules = (await here.game()).rules
    for _ply in range(200):
        post = here.boards()[-1].content
        # What stands in the text is not told once more.
        assert ["The picture, as told in the message."] == [words for _name, words in pictures_of(here.boards()[-1])]
        game = await here.bot.services.games.game(1)
        turn = re.search(r"<@([0-9]+)>, it is your turn \((\w+)\)\.", post)
        if turn is None:
            break
        assert (str(game.to_move), game.seat_name(game.state.seat)) == turn.groups()
        assert rules.position(game.state) == rules.position(told_position(rules, post, turn[2]))
        await here.mention(people[turn[1]], chosen(post, turn[2], lots).replace(" to ", "-"))
    outcome = game.state.outcome
    assert outcome is not None
    # Where nobody is to move, the pieces are compared.
    assert rules.pieces(game.state) == rules.pieces(told_position(rules, post, rules.seats[game.state.seat].name))
    if outcome.winner is None:
        assert "**Drawn.**" in post
    else:
        won = re.search(r"\*\*<@([0-9]+)> \((\w+)\) wins\.\*\*", post)
        assert won is not None
        assert (str(game.players[outcome.winner]), rules.seats[outcome.winner].name) == won.groups()


async def test_a_capture_is_told_once(here: World) -> None:
    """Under the move stands what it took, and not the move again; after another event the last move is told whole."""
    await here.alice.slash(here.channel, "me settings", words=True)
    await here.start("pinoy")
    for move in ("c3-d4", "b6-a5", "d4-c5", "d6xb4"):
        await here.mention(here.mover(await here.game()), move)
    post = here.boards()[-1].content
    assert "Black: **d6xb4**\n" in post
    assert "\nTaken: c5.\n" in post
    assert 1 == post.count("d6xb4")
    await here.bot.services.games.moves.resign((await here.game()).id, here.bob.id, "m:1")
    here.bot.services.games_changed.send(await here.bot.services.games.game(1))
    await here.env.settle()
    assert "\nBlack d6xb4, taking c5.\n" in here.boards()[-1].content


async def test_others_are_not_bothered(here: World) -> None:
    """Without the setting a post is as short as ever."""
    await here.start("spanish")
    assert not re.search(r"^White: men", here.boards()[-1].content, re.MULTILINE)
    assert "White: men" in pictures_of(here.boards()[-1])[0][1]


async def test_private_answers(here: World) -> None:
    """What only one person sees is written out for that one alone."""
    await here.start("spanish")
    await here.bob.slash(here.channel, "me settings", words=True)
    shown = await here.bob.slash(here.channel, "board")
    assert "White: men a2, b1" in said(shown)
    assert "White may play 7 moves: b3-a4, " in said(shown)
    # The game and who is to move are told once.
    assert (1, 0) == (said(shown).count("Spanish"), said(shown).count("to move.") - said(shown).count("is to move."))
    assert shown.response is not None
    # What stands in the text is not told once more.
    assert ["The picture, as told in the message."] == [words for _name, words in pictures_of(shown.response)]
    assert "White: men a2, b1" not in said(await here.alice.slash(here.channel, "board"))


async def test_a_hint_is_not_told_as_played(here: World) -> None:
    """The board after it is told as that, without a turn that nobody has made and without who is to move after it."""
    await here.start("spanish")
    await here.alice.slash(here.channel, "me settings", words=True)
    hint = said(await here.alice.slash(here.channel, "game hint"))
    assert "\nThe board after that: White: men " in hint
    assert "Turn 1" not in hint
    assert "to move" not in hint


async def test_a_server_that_wants_words(here: World) -> None:
    """Then every board there is written out."""
    answer = said(await manager(here).slash(here.channel, "server settings", words=True))
    assert "- Pictures: also put into words" in answer
    await here.start("spanish")
    assert "\nWhite: men a2, b1" in here.boards()[-1].content


async def test_standings(here: World) -> None:
    """Of a tournament too: the table is there as lines, whether or not there is a picture."""
    await manager(here).slash(here.channel, "server settings", words=True)
    club = Club(here, 4)
    await club.started("round robin")
    table = club.standings
    for player in club.players:
        assert f"<@{player.id}>" in words_of(table)
    private = said(await here.bob.slash(here.channel, "tournament standings", tournament="1"))
    assert "player1" not in private
    assert "1\\. <@" not in private
    await here.bob.slash(here.channel, "me settings", words=True)
    shown = await here.bob.slash(here.channel, "tournament standings", tournament="1")
    assert "1\\. <@" in said(shown)
    for message in (table, shown.response):
        assert message is not None
        assert ["The picture, as told in the message."] == [words for _name, words in pictures_of(message)]
    crosses = await here.bob.slash(here.channel, "tournament standings", tournament="1", shown="crosstable")
    assert crosses.response is not None
    ((_name, description),) = pictures_of(crosses.response)
    assert "Cross-table of Autumn." in said(crosses)
    assert "Cross-table" not in description
