"""`/setup`: a position is set up, refused with the reason, played from, analysed, shown and changed."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.chat.positions import setup_form
from bot.engine.registry import rules_for
from bot.games.model.computer_seats import level_of
from tests.support.discord.world import World, labels, pictures_of, said, words_of

ENDING = "W:WKc3,e3:BKb8,d8"
BUTTONS = ["Play the computer", "Challenge", "Analyse", "Share", "Change"]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start at once, without compiling their search."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")


async def set_up(here: World, position: str = ENDING, variant: str = "pinoy", **more: Any) -> InteractionResult:
    """Alice sets a position up."""
    return await here.alice.slash(here.channel, "setup", variant=variant, position=position, **more)


async def press(person: MemberActor, answer: InteractionResult, label: str) -> InteractionResult:
    """Press a button under a private answer."""
    assert answer.response is not None
    return await person.click(answer.response, label=label)


def told(answer: InteractionResult) -> str:
    """What was answered at last."""
    last = answer.followups[-1] if answer.followups else answer.response
    assert last is not None
    return words_of(last)


async def test_a_position_is_shown(here: World) -> None:
    """The answer is private: a picture with its words, the position in both notations, what can be done with it."""
    answer = await set_up(here, "white: men e3, king c3; black: K b8, man d8; white to move", rules="quiet_moves=40")
    assert "**Pinoy Dama (Filipino draughts)** (`pinoy`), White to move:\n`W:WKc3,e3:BKb8,d8`" in said(answer)
    assert "`quiet_moves=40`" in said(answer)
    assert "`W:WK10,11:BK29,30`" in said(answer)
    assert answer.response is not None
    [picture] = answer.response.attachments
    assert "king c3" in (picture.description or "")
    assert BUTTONS == [child["label"] for row in answer.response.components for child in row["components"]]
    assert [] == here.posts()


async def test_numbers_rise(here: World) -> None:
    """With numbers the squares stand in their order, as other programs write them, whatever their letters are."""
    answer = await set_up(here, "W:WKa3,b2,c1:Bb8,Kh8")
    assert "`W:WKa3,b2,c1:Bb8,Kh8`" in said(answer)
    assert "`W:W2,5,K9:B29,K32`" in said(answer)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"variant": "pinoy", "position": "W:W1-13:Bb8"}, "White has 13 pieces here, and 12 in the game."),
        ({"variant": "pinoy", "position": "W:Wd8:Bb8"}, "d8 would be a king: write K"),
        ({"variant": "pinoy", "position": "W:W9-16:B17-24"}, "Neither side can move."),
        ({"variant": "pinoy", "position": "B:Wc4:Bb8"}, "c4 is not used"),
        ({"variant": "pinoy", "position": "W:Wc3:Bc3"}, "c3 is named twice."),
        ({"variant": "pinoy", "position": "W:Wa1:Bb2,c3"}, "The game would be over: White has no legal move."),
        ({"position": "W:Wc3:Bb8"}, "Choose which `variant`"),
        ({"variant": "pinoy", "turn": 3}, "Choose the `game` that the turn is from."),
        ({"variant": "pinoy", "game": 1}, "Choose either a game's number or a position, not both"),
        ({"game": 77}, "There is no game 77"),
    ],
)
async def test_what_is_impossible(here: World, options: dict[str, Any], says: str) -> None:
    """The reason is told, and nothing else happens."""
    assert says in said(await here.alice.slash(here.channel, "setup", **options))


async def test_the_form(here: World) -> None:
    """Without a position a form asks, with the pieces of the set-up in it; what is refused is not lost, and *Change*
    opens the form with what stands."""
    shown = await here.alice.slash(here.channel, "setup", variant="pinoy", rules="quiet_moves=40")
    written = {"first": "c3, K e3", "second": "dama b8", "turn": ["second"]}
    refused = await here.alice.submit_modal(shown, {**written, "second": "b9"})
    assert "I do not understand 'b9'" not in said(refused)
    assert "'b9' is not a square" in said(refused)
    assert "You wrote: `c3, K e3; b9`" in said(refused)

    shown = await here.alice.slash(here.channel, "setup", variant="pinoy", rules="quiet_moves=40")
    answer = await here.alice.submit_modal(shown, written)
    assert "`B:Wc3,Ke3:BKb8`" in said(answer)
    assert "`quiet_moves=40`" in said(answer)

    shown = await press(here.alice, answer, "Change")
    answer = await here.alice.submit_modal(shown, {"first": "c3", "second": "b8", "turn": ["first"]})
    assert "`W:Wc3:Bb8`" in said(answer)


async def test_the_form_of_a_star(here: World) -> None:
    """A star's position is one text."""
    shown = await here.alice.slash(here.channel, "setup", variant="chinese-checkers", rules="players=3")
    answer = await here.alice.submit_modal(shown, {"position": "2:S=a1,b1:NW=i1:NE=i9"})
    assert "Northwest to move" in said(answer)
    assert "`2:S=a1,b1:NW=i1:NE=i9`" in said(answer)
    assert "`players=3`" in said(answer)


async def test_in_another_language(here: World) -> None:
    """Who reads Spanish is answered in Spanish, writes in Spanish, and the buttons find the position all the same."""
    await here.alice.slash(here.channel, "me settings", language="es")
    answer = await set_up(
        here, "blancas: dama c3, peones e3; negras: b8 y dama d8; juegan negras", rules="quiet_moves=40"
    )
    assert "turno de Negras" in said(answer)
    assert "`B:WKc3,e3:Bb8,Kd8`" in said(answer)
    levels = await press(here.alice, answer, "Jugar contra la máquina")
    assert "`quiet_moves=40`" in said(levels)
    refused = await set_up(here, "blancas c3; negras b8")
    assert "Di a quién le toca mover." in said(refused)


async def test_from_a_game(here: World) -> None:
    """A game's position after any of its turns, also of one that runs; not more turns than it has."""
    game = await here.start("pinoy")
    for move in ("c3-d4", "b6-a5"):
        game = await here.game()
        await here.mention(here.mover(game), move)
    rules = rules_for("pinoy")
    for turn, moves in ((0, ()), (1, ("c3-d4",)), (2, ("c3-d4", "b6-a5"))):
        state = rules.start()
        for move in moves:
            state = rules.play(state, rules.read(state, move))
        answer = await here.carol.slash(here.channel, "setup", game=game.id, turn=turn)
        assert f"`{rules.position(state)}`" in said(answer)
    assert "has 2 turns" in said(await here.carol.slash(here.channel, "setup", game=game.id, turn=3))


async def test_the_computer_plays_from_it(here: World) -> None:
    """*Play the computer* asks for a level; whoever pressed plays the side that is to move; also after a restart."""
    answer = await set_up(here, "B:WKc3,e3:BKb8,d8")
    await here.restart()
    levels = await press(here.alice, answer, "Play the computer")
    assert "`B:WKc3,e3:BKb8,d8`" in said(levels)
    done = await press(here.alice, levels, "1")
    assert done.acknowledged
    await here.thought()
    game = await here.game()
    assert ("B:WKc3,e3:BKb8,d8", here.alice.id, 1) == (game.start, game.to_move, game.seat_of(here.alice.id))
    assert 1 == level_of(game.players[0] or 0)


async def test_an_opponent_that_is_nobody(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody has put in the place of a person belongs to no version of the form."""
    answer = await here.alice.slash(here.channel, "setup", variant="pinoy", position="W:Wa1,c3:Bh8")
    shown = await press(here.alice, answer, "Challenge")
    monkeypatch.setattr(setup_form, "sent_in", lambda _interaction: {"opponent": "zzz"})
    assert "older version" in said(await here.alice.submit_modal(shown, {"side": ["lot"]}))


async def test_somebody_is_challenged_to_it(here: World) -> None:
    """*Challenge* asks whom, and for the side; nobody chosen, anyone may accept."""
    answer = await set_up(here)
    shown = await press(here.alice, answer, "Challenge")
    await here.alice.submit_modal(shown, {"opponent": [here.bob], "side": ["second"]})
    assert f"{here.alice.mention} challenges {here.bob.mention}" in here.last.content
    assert f"From a position, White to move: `{ENDING}`" in here.last.content
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    assert (ENDING, (here.bob.id, here.alice.id)) == (game.start, game.players)

    answer = await here.carol.slash(here.channel, "setup", variant="tama", position="W:Wa2:Bh7")
    shown = await press(here.carol, answer, "Challenge")
    await here.carol.submit_modal(shown, {"side": ["lot"]})
    assert "Anyone may accept." in here.last.content


async def test_it_is_shared(here: World) -> None:
    """*Share* shows it to the channel, with its picture; others play from it or analyse it, also after a restart."""
    answer = await set_up(here)
    await press(here.alice, answer, "Share")
    shared = here.last
    assert f"{here.alice.mention} shows a position.\n**Pinoy Dama" in shared.content
    assert f"`{ENDING}`" in shared.content
    assert shared.attachments
    assert BUTTONS[:3] == labels(shared)
    await here.restart()
    shown = await here.bob.click(shared, label="Challenge")
    await here.bob.submit_modal(shown, {"side": ["first"]})
    assert f"From a position, White to move: `{ENDING}`" in here.last.content


async def test_it_is_analysed(here: World) -> None:
    """The best lines with what they promise, in private; by the button, and by `/analysis`."""
    position = "white: c3, g3; black: d4, h8; white to move"
    answer = await press(here.alice, await set_up(here, position), "Analyse")
    assert "Best moves for White" in told(answer)
    assert "c3xe5" in told(answer)
    again = await here.alice.slash(here.channel, "analysis", variant="pinoy", position=position)
    assert "c3xe5" in told(again)
    # It is a card, and a position like any other: shared from there after a restart.
    assert again.response is not None
    assert again.response.flags.components_v2
    assert ["Black: men d4, h8." in words for _name, words in pictures_of(again.response)] == [True]
    await here.restart()
    await press(here.alice, again, "Share")
    assert f"{here.alice.mention} shows a position.\n**Pinoy Dama" in here.last.content
    assert "number, or the" in said(await here.alice.slash(here.channel, "analysis", variant="pinoy"))


async def test_nobody_is_helped_in_a_rated_game(here: World) -> None:
    """The position of one's own rated game is not analysed while it runs."""
    await here.play("pinoy", side=None, rated=True, clock="3d")
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
    answer = await here.alice.slash(here.channel, "setup", game=game.id)
    refused = await press(here.alice, answer, "Analyse")
    assert f"game {game.id}, where no help is allowed" in said(refused)
    other = await press(here.carol, await here.carol.slash(here.channel, "setup", game=game.id), "Analyse")
    assert "Best moves for Black" in told(other)


async def test_the_set_up_that_all_games_begin_with_is_nobodys_secret(here: World) -> None:
    """While a rated game stands at its first turn, a hint is given in another game that does, and finished games are
    analysed."""
    await here.play("pinoy", side=None, rated=True, clock="3d")
    await here.bob.click(here.last, label="Accept")
    elsewhere = here.guild.create_text_channel("elsewhere")
    await here.alice.slash(elsewhere, "play", variant="pinoy", level=1, side="first")
    hint = await here.alice.slash(elsewhere, "game hint")
    await here.thought()
    assert "I would play **" in said(hint)
    await press(here.alice, await here.alice.slash(elsewhere, "game resign"), "Resign")
    over = await here.bot.services.games.lists.history(here.alice.id)
    assert "where no help is allowed" not in said(await here.alice.slash(elsewhere, "analysis", number=over[0].id))


async def test_nobody_is_helped_by_another_game_from_a_position_of_a_rated_one(here: World) -> None:
    """Playing the computer from where one's own rated game stands is refused as its analysis is; a hint where another
    game comes to stand so, and the analysis of one that began so, too. Others may, and oneself when it has moved on."""
    elsewhere = here.guild.create_text_channel("elsewhere")
    await here.alice.slash(elsewhere, "play", variant="pinoy", level=1, side="second")
    await here.thought()
    alike = await here.game(elsewhere)
    await here.play("pinoy", side=None, rated=True, clock="3d")
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    await here.mention(here.mover(game), alike.line[0].text)
    game = await here.game()
    refusal = f"That is the position of your game {game.id}, where no help is allowed."
    alone = {"variant": "pinoy", "level": 1, "side": "second"}

    assert refusal in said(await here.alice.slash(elsewhere, "game hint"))
    await here.alice.slash(elsewhere, "game abort")

    start = game.rules.position(game.state)
    assert refusal in said(await here.alice.slash(elsewhere, "play", position=start, **alone))
    shown = await press(here.alice, await here.alice.slash(elsewhere, "setup", game=game.id), "Play the computer")
    assert refusal in said(await press(here.alice, shown, "1"))
    await here.alice.slash(elsewhere, "play", variant="pinoy", position=start, side="second")
    levels = await here.alice.click(here.boards(elsewhere)[-1], label="Play the computer")
    assert refusal in said(await press(here.alice, levels, "1"))
    await here.alice.click(here.boards(elsewhere)[-1], label="Withdraw")

    assert "begun" in said(await here.carol.slash(elsewhere, "play", position=start, **alone))
    third = here.guild.create_text_channel("third")
    await here.alice.slash(third, "play", variant="pinoy", opponent=here.bob, position=start, side="second")
    await here.bob.click(here.boards(third)[-1], label="Accept")
    await here.mention(here.alice, game.rules.turns(game.state)[0].text, third)
    asked = await here.bob.slash(third, "game resign")
    await press(here.bob, asked, "Resign")
    over = await here.bot.services.games.lists.history(here.alice.id)
    assert refusal in said(await here.alice.slash(third, "analysis", number=over[0].id))

    await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
    assert "begun" in said(await here.alice.slash(third, "play", position=start, **alone))
    await here.thought()
