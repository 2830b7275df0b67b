from __future__ import annotations

import pytest

from tests.support.discord.world import World, labels, said


async def neglect(here: World) -> None:
    """Red, who could capture d4xb6, moves on the other wing."""
    await here.start("americanas")
    for text in ("c3-d4", "b6-c5", "g3-h4"):
        await here.mention(here.mover(await here.game()), text)


async def test_a_neglected_capture_offers_its_remedies(here: World) -> None:
    """The board says that a capture was left, and has a button for each piece that may be huffed and one to oblige."""
    await neglect(here)

    huffer = here.mover(await here.game())
    assert (
        f"Red could have captured. Before moving, {huffer.mention} may huff (`soplar d4`) or `oblige`."
        in here.last.content
    )
    assert ["Move", "Draw", "Resign", "My side", "Oblige", "Huff d4"] == labels(here.last)


async def test_huffing_by_button(here: World) -> None:
    """The piece is taken off, and the huffer is still to move."""
    await neglect(here)
    huffer = here.mover(await here.game())

    await huffer.click(here.last, label="Huff d4")

    game = await here.game()
    assert ["c3-d4", "b6-c5", "g3-h4", "soplar d4"] == [entry.text for entry in game.line]
    assert huffer.id == game.to_move
    told = "White huffs (soplar): the piece on **d4** is removed.\nHuffed for leaving a capture: d4xb6.\n"
    assert here.last.content.startswith(told)
    assert "Huffed for leaving a capture: d4xb6." in (here.last.attachments[0].description or "")
    assert [huffer.id] == here.sent()[-1]["allowed_mentions"]["users"]
    assert ["Move", "Draw", "Resign", "My side"] == labels(here.last)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("huff?", "Do you want to huff d4?"),
        ("soplar d4?", "Do you want to huff d4?"),
        ("don't huff d4", "Do you want to huff d4?"),
        ("should I huff d4?", "Do you want to huff d4?"),
        ("oblige?", "Do you want to oblige?"),
        ("please don't oblige", "Do you want to oblige?"),
    ],
)
async def test_a_question_neither_huffs_nor_obliges(here: World, text: str, asked: str) -> None:
    """Nor do words that may say that it is not to be done: they are asked about, with a button."""
    await neglect(here)
    huffer, before = here.mover(await here.game()), (await here.game()).turns
    await here.mention(huffer, text)
    assert (asked, ["Yes"]) == (here.last.content, labels(here.last))
    assert before == (await here.game()).turns
    await huffer.click(here.last, label="Yes")
    assert before != (await here.game()).turns


async def test_huffing_as_friends_ask_for_it(here: World) -> None:
    """With words around it that say nothing else; `/game soplar` with a question mark asks."""
    await neglect(here)
    huffer = here.mover(await here.game())
    asked = await huffer.slash(here.channel, "game soplar", square="d4?")
    assert "Do you want to huff d4?" == said(asked)
    await here.mention(huffer, "I huff it, thanks")
    assert "soplar d4" == (await here.game()).line[-1].text


@pytest.mark.parametrize("text", ["te soplo la ficha d4", "sopla d4", "¡Te soplo!", "soplo la de d4"])
@pytest.mark.parametrize("addressed", [True, False])
@pytest.mark.message_content
async def test_huffing_in_spanish(here: World, text: str, addressed: bool) -> None:
    """As it is said at a table, to the bot or not."""
    await neglect(here)
    huffer = here.mover(await here.game())
    await (here.mention(huffer, text) if addressed else huffer.send(here.channel, text))
    await here.env.settle()
    assert "soplar d4" == (await here.game()).line[-1].text


@pytest.mark.parametrize("text", ["sopla el viento", "te soplo luego", "no te soplo", "soplar es divertido"])
@pytest.mark.message_content
async def test_talk_of_huffing_is_talk(here: World, text: str) -> None:
    """Nothing is played, and nobody answered."""
    await neglect(here)
    before = [message.id for message in here.channel.history()]
    await here.mover(await here.game()).send(here.channel, text)
    await here.env.settle()
    assert 1 == len(list(here.channel.history())) - len(before)
    assert "soplar d4" != (await here.game()).line[-1].text


async def test_a_capture_is_pointed_out_before_it_is_neglected(here: World) -> None:
    """The choice behind *Move* says that there is a capture and what follows if it is left; elsewhere nothing."""
    await here.start("americanas")
    for text in ("c3-d4", "b6-c5"):
        shown = await here.mover(await here.game()).click(here.boards()[-1], label="Move")
        assert "huff" not in said(shown)
        await here.mention(here.mover(await here.game()), text)
    shown = await here.mover(await here.game()).click(here.boards()[-1], label="Move")
    assert "You can capture: if you do not, your opponent may huff your piece or oblige you." in said(shown)


async def test_huffing_by_taps(here: World) -> None:
    """The choice behind *Move* holds the remedies too; who has huffed chooses a move at once."""
    await neglect(here)
    huffer = here.mover(await here.game())
    shown = await huffer.click(here.last, label="Move")
    assert shown.response is not None
    assert ["Oblige", "Huff d4", "Type it"] == labels(shown.response.message)[-3:]

    huffed = await huffer.click(shown.response, label="Huff d4")

    assert said(huffed).startswith("Played: `soplar d4`. Choose your move.")
    assert huffed.response is not None
    assert "Oblige" not in labels(huffed.response.message)
    await huffer.click(huffed.response, label="c5-b4")
    assert ["soplar d4", "c5-b4"] == [entry.text for entry in (await here.game()).line][-2:]


async def test_obliging_by_taps(here: World) -> None:
    """Obliging from the choice is told as a move is."""
    await neglect(here)
    mover = here.mover(await here.game())
    shown = await mover.click(here.last, label="Move")
    assert shown.response is not None
    assert "Played: `oblige`." == said(await mover.click(shown.response, label="Oblige"))
    assert "oblige" == (await here.game()).line[-1].text


STUCK = "B:Wa3,a5,b4,c3,c5,d2,e3,f4,g3,h4:Ba7,b6,c7,d4,d6,e5,e7,Kf2,f6,g5,h6,h8"


async def test_nothing_to_do_but_huff(here: World) -> None:
    """Who has no ordinary move is told so, and huffs by a tap."""
    await here.play("americanas", position=STUCK)
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    await here.mention(here.mover(game), "h8-g7")
    game = await here.game()
    assert () == game.rules.turns(game.state)
    shown = await here.mover(game).click(here.last, label="Move")
    assert "You have no move: huff, or oblige." == said(shown)
    assert shown.response is not None
    label = next(label for label in labels(shown.response.message) if label.startswith("Huff"))
    await here.mover(game).click(shown.response, label=label)
    assert (await here.game()).line[-1].text == label.replace("Huff", "soplar")


async def test_moves_in_words_after_a_neglected_capture(here: World) -> None:
    """What is asked for by a word names moves, and what may be done before."""
    await neglect(here)
    await here.mention(here.mover(await here.game()), "moves")
    assert "White may play 7 moves: " in here.last.content
    assert here.last.content.endswith("Before moving: soplar d4, oblige.")


async def test_huffing_by_command_with_suggestions(here: World) -> None:
    """`/game soplar` suggests the squares that there are, to the player to move alone."""
    await neglect(here)
    game = await here.game()
    huffer, other = here.mover(game), here.waiter(game)

    assert ["d4"] == [c["value"] for c in await huffer.autocomplete(here.channel, "game soplar", "square", "")]
    assert [] == await other.autocomplete(here.channel, "game soplar", "square", "")
    assert "soplar d4" in said(await huffer.slash(here.channel, "game soplar", square="d4"))
    assert "soplar d4" == (await here.game()).line[-1].text


async def test_obliging_by_button_and_by_command(here: World) -> None:
    """The neglecting move is taken back, and its player must capture."""
    await neglect(here)
    neglecter = here.waiter(await here.game())
    await here.mover(await here.game()).click(here.last, label="Oblige")

    game = await here.game()
    assert neglecter.id == game.to_move
    assert "the capture must be played" in here.last.content
    assert ["d4xb6"] == [turn.text for turn in game.rules.turns(game.state)]
    await here.mention(neglecter, "g3-h4")
    assert 4 == (await here.game()).ply

    await here.mention(neglecter, "d4xb6")
    assert 5 == (await here.game()).ply


async def test_huffing_as_typed(here: World) -> None:
    """`huff d4` is read like any move."""
    await neglect(here)

    await here.mention(here.mover(await here.game()), "Huff D4")

    assert "soplar d4" == (await here.game()).line[-1].text


async def test_simply_moving_waives_it(here: World) -> None:
    """A move instead of a remedy lets the neglect pass."""
    await neglect(here)
    game = await here.game()

    await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)

    assert "could have captured" not in here.last.content or "White could" in here.last.content
    assert 4 == (await here.game()).ply


async def test_without_a_neglect_there_is_nothing_to_huff(here: World) -> None:
    """The commands are refused with the reason."""
    await here.start("americanas")
    mover = here.mover(await here.game())

    assert said(await mover.slash(here.channel, "game soplar", square="c3"))
    assert said(await mover.slash(here.channel, "game oblige"))
    assert 0 == (await here.game()).ply


async def test_when_capturing_is_compulsory_the_move_is_refused(here: World) -> None:
    """With `neglect=compulsory` the same move gets the reason, and a capture that fits."""
    await here.start("americanas", rules="neglect=compulsory")
    for text in ("c3-d4", "b6-c5", "g3-h4"):
        await here.mention(here.mover(await here.game()), text)

    assert "must capture" in here.last.content
    assert "d4xb6" in here.last.content
    assert 2 == (await here.game()).ply
