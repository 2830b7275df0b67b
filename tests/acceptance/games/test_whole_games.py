from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import pytest
from simcord.actors import MemberActor

from bot.engine.errors import AmbiguousMove
from bot.games.model.game import Game
from bot.games.persistence.integrity import check_games
from tests.support.discord.world import World, labels
from tests.support.engine.shipped import DRAUGHTS, FIRST

LONGEST = 160


async def by_mention(here: World, person: MemberActor, text: str) -> None:
    await here.mention(person, text)


async def by_reply(here: World, person: MemberActor, text: str) -> None:
    await person.send(here.channel, text, reply_to=here.boards()[-1])


async def by_command(here: World, person: MemberActor, text: str) -> None:
    answer = await person.slash(here.channel, "move", move=text)
    assert answer.ephemeral


async def by_form(here: World, person: MemberActor, text: str) -> None:
    shown = await here.form(person)
    assert shown.modal is not None
    answer = await person.submit_modal(shown, {"move": text})
    assert answer.acknowledged


async def by_message_command(here: World, person: MemberActor, text: str) -> None:
    said = await person.send(here.channel, text)
    answer = await person.context_menu(here.channel, "Play this move", said)
    assert answer.ephemeral


async def by_plain_text(here: World, person: MemberActor, text: str) -> None:
    await person.send(here.channel, text)


Way = Callable[[World, MemberActor, str], Awaitable[None]]
WAYS: list[Way] = [by_mention, by_reply, by_command, by_form, by_message_command]


def typed(game: Game, lots: random.Random) -> str:
    """A legal turn as some player may type it: any case, with or without signs."""
    turn = lots.choice([*game.rules.turns(game.state), *game.rules.remedies(game.state)])
    if turn.kind != "move":
        return turn.text
    board = game.rules.board
    names = [board.names[place] for place in turn.path]
    signs = [" ", "x" if turn.captured else "-", ":" if turn.captured else " - ", ""]
    if all(board.numbers[place] for place in turn.path) and (board.by_number or lots.random() < 0.4):
        names = [str(board.numbers[place]) for place in turn.path]
        signs.pop()
    text = lots.choice(signs).join(names)
    try:
        return text if game.rules.read(game.state, text) == turn and lots.random() < 0.5 else turn.text.upper()
    except AmbiguousMove:
        return turn.text


async def play_on(here: World, ways: list[Way], lots: random.Random, most: int = LONGEST) -> Game:
    """Play until the rules end the game, or somebody resigns after ``most`` turns."""
    game = await here.game()
    game_id = game.id
    while game.status == "running":
        if game.ply >= most:
            asked = await here.mover(game).slash(here.channel, "game resign")
            assert asked.response is not None
            await here.mover(game).click(asked.response, label="Resign")
        else:
            await ways[game.ply % len(ways)](here, here.mover(game), typed(game, lots))
        after = await here.bot.services.games.game(game_id)
        assert after.ply == game.ply + 1
        game = after
    return game


def check_posts(here: World, game: Game) -> None:
    """One post with a picture for each entry and one for the start; each pings the player to move and nobody else."""
    boards = here.boards()
    assert game.ply + 1 == len(boards)
    assert len({board.attachments[0].filename for board in boards}) == len(boards)
    for number, board in enumerate(boards):
        assert f"g{game.id}-m{number}.png" == board.attachments[0].filename
        assert 0 < len(board.attachments[0].description or "") <= 1024
    bodies = [body for body in here.sent() if body.get("attachments")]
    for number, body in enumerate(bodies[:-1]):
        allowed = body["allowed_mentions"]
        assert [] == allowed["parse"]
        line = [entry.seat for entry in game.entries[:number]]
        assert len(allowed["users"]) == 1, (number, line)
        assert f"<@{allowed['users'][0]}>, it is your turn" in body["content"]
        assert body["enforce_nonce"] is True
    assert [] == bodies[-1]["allowed_mentions"]["users"]
    assert len({body["nonce"] for body in here.sent() if "nonce" in body}) == len(boards) + 1


@pytest.mark.parametrize("variant", ["spanish", "pinoy", "americanas", "tama"])
async def test_a_whole_game_in_every_way_of_moving(here: World, variant: str) -> None:
    """From challenge to result, each turn typed another way, without the message-content intent."""
    await here.start(variant)

    game = await play_on(here, WAYS, random.Random(f"whole {variant}"))

    assert "finished" == game.status
    assert game.result is not None
    check_posts(here, game)
    assert ["Rematch", "Analyse", "Replay", "My side"] == labels(here.boards()[-1])
    assert await check_games(here.bot.services.store) == []


@pytest.mark.message_content
@pytest.mark.parametrize("variant", ["pinoy", "americanas"])
async def test_a_whole_game_in_plain_text(here: World, variant: str) -> None:
    """With the message-content intent the move alone is enough."""
    await here.start(variant)

    game = await play_on(here, [by_plain_text], random.Random(f"plain {variant}"), most=24)

    assert "finished" == game.status
    check_posts(here, game)


@pytest.mark.parametrize("variant", [name for name in DRAUGHTS if name not in FIRST])
async def test_a_game_of_the_wider_family(here: World, variant: str) -> None:
    """Each game that is a file is played from challenge to result, half of it by numbers where its squares have some;
    its boards are described whole."""
    await here.start(variant)

    game = await play_on(here, [by_mention, by_form], random.Random(f"family {variant}"), most=8)

    assert "finished" == game.status
    check_posts(here, game)
    assert not any((board.attachments[0].description or "").endswith("...") for board in here.boards())


async def test_plain_text_is_not_read_without_the_intent(here: World) -> None:
    """Without the intent Discord does not deliver the text, and nothing happens."""
    game = await here.start()

    await by_plain_text(here, here.alice, game.rules.turns(game.state)[0].text)

    assert 0 == (await here.game()).ply
    assert 1 == len(here.boards())
