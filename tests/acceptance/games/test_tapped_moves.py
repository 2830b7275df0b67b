from __future__ import annotations

import random
import re
from typing import Any

import discord
import pytest
from simcord.components import walk_components

from bot.chat.board_pictures import own_view
from bot.chat.components import ActionMenu
from bot.chat.games.tapped_moves import page_of
from bot.games.model.game import Game
from bot.games.persistence.integrity import check_games
from bot.presentation import board_scene
from render.scene import Scene
from tests.support.discord.taps import offered, tapped
from tests.support.discord.world import World, labels, pictures_of, said
from tests.support.thoroughness import THOROUGH

MOST = 16 if THOROUGH == 1 else 400
RESTARTED_AFTER = 7


@pytest.mark.parametrize("variant", ["spanish", "americanas", "international", "chinese-checkers"])
async def test_a_whole_game_by_taps(here: World, variant: str) -> None:
    """From challenge to result without a keyboard, over a restart: three taps a turn in draughts, four on the star."""
    await here.start(variant)
    game, lots, most = await here.game(), random.Random(f"taps {variant}"), 0
    game_id, star = game.id, game.rules.variant.family == "star"
    while game.status == "running":
        if game.ply == RESTARTED_AFTER:
            await here.restart()
        if game.ply >= MOST:
            asked = await here.mover(game).click(here.boards()[-1], label="Resign")
            assert asked.response is not None
            await here.mover(game).click(asked.response, label="Resign")
        else:
            # On a star nobody comes home by chance.
            turns = game.rules.ranked(game.state)[: 2 if star else None]
            _answer, taps = await tapped(here, here.mover(game), game, lots.choice(turns))
            most = max(most, taps)
        after = await here.bot.services.games.game(game_id)
        assert after.ply == game.ply + 1
        game = after
    assert most <= (4 if star else 3)
    assert game.ply > RESTARTED_AFTER
    assert [] == await check_games(here.bot.services.store)


async def test_the_board_behind_move_is_the_movers_own(here: World) -> None:
    """The one who moves second gets the board with the own side down, for their eyes alone, and every move by name."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    posts = len(here.posts())

    answer = await here.bob.click(here.boards()[-1], label="Move")

    assert "Choose your move." == said(answer)
    assert posts == len(here.posts())
    assert answer.response is not None
    [picture] = answer.response.attachments
    assert "Turn 1: White b3-a4." in (picture.description or "")
    game = await here.game()
    assert sorted(turn.text for turn in game.rules.turns(game.state)) == sorted(offered(answer.response.message))


async def many_turns(here: World) -> Game:
    """A game whose legal turns are too many for one list."""
    await here.start("tama")
    while len((game := await here.game()).rules.turns(game.state)) <= 20:
        await here.mention(here.mover(game), game.rules.ranked(game.state)[-1].text)
    return game


async def test_a_piece_is_chosen_before_its_square(here: World) -> None:
    """Where a list would be long, the piece comes first; one may go back to another."""
    game = await many_turns(here)
    person = here.mover(game)
    pieces = await person.click(here.boards()[-1], label="Move")
    assert "Which piece do you move?" == said(pieces)
    assert pieces.response is not None
    several = next(label for label in offered(pieces.response.message) if "-" not in label)

    squares = await person.click(pieces.response, label=several)
    assert f"Where does the piece on **{several}** go?" == said(squares)
    assert squares.response is not None
    turns = [turn.text for turn in game.rules.turns(game.state) if turn.text.startswith(f"{several}-")]
    assert sorted(turns) == sorted(f"{several}-{label}" for label in offered(squares.response.message))
    back = await person.click(squares.response, label="Another piece")

    assert "Which piece do you move?" == said(back)


async def test_all_private_answers_name_squares_as_one_wants(here: World) -> None:
    """Who has chosen numbers is answered in them, and understood: boards, hints, questions, refusals, plans."""
    await here.alice.slash(here.channel, "me settings", notation="numbers")
    await here.start("pinoy")

    async def answer(command: str, **options: object) -> str:
        return said(await here.alice.slash(here.channel, command, **options))

    assert "May go to: " in (marked := await answer("board", targets="10"))
    assert not re.search(r"\b[a-h][1-8]\b", marked)
    assert "No piece on `1` can move now. Choose one of " in (refused := await answer("board", targets="1"))
    assert not re.search(r"\b[a-h][1-8]\b", refused)
    for text in ("10?", "moves", "men", "board", "32?"):
        told = await answer("move", move=text)
        assert "I do not understand" not in told
        assert re.search(r"\b[0-9]+\b", told)
        assert not re.search(r"\b[a-h][1-8]\b", told), told
    assert not re.search(r"\b[a-h][1-8]\b", await answer("move", move="10-19"))
    assert re.search(r"I would play \*\*[0-9]+-[0-9]+\*\*", await answer("game hint"))
    await answer("move", move="10-14")
    assert re.search("if 2[0-9]-[0-9]+, then 9-13", await answer("game plan set", lines="b6-a5 9-13"))
    assert not re.search(r"\b[a-h][1-8]\b", await answer("game plan show"))
    assert re.search(r"\b[a-h][1-8]\b", said(await here.bob.slash(here.channel, "move", move="moves")))


async def test_lessons_and_puzzles_name_squares_as_one_wants(here: World) -> None:
    """A lesson's words, its menu and its picture's words are in numbers too."""
    await here.alice.slash(here.channel, "me settings", notation="numbers")
    lesson = await here.alice.slash(here.channel, "tutorial", variant="pinoy")
    assert lesson.response is not None
    menus = [each for each in walk_components(lesson.response.components) if each.get("options")]
    shown = [*(option["label"] for menu in menus for option in menu["options"]), pictures_of(lesson.response)[0][1]]
    assert len(shown) > 1
    assert not any(re.search(r"\b[a-h][1-8]\b", text) for text in [*shown, said(lesson)])


async def test_squares_are_named_as_the_mover_wants(here: World) -> None:
    """Who has chosen numbers of squares taps numbers, and is told the move in numbers."""
    await here.alice.slash(here.channel, "me settings", notation="numbers")
    game = await here.start()
    numbered = [game.rules.board.numbered(turn.text) for turn in game.rules.turns(game.state)]

    answer = await here.alice.click(here.boards()[-1], label="Move")
    assert answer.response is not None
    assert sorted(numbered) == sorted(offered(answer.response.message))
    played = await here.alice.click(answer.response, label=numbered[0])

    assert f"Played: `{numbered[0]}`." == said(played)


async def test_taps_of_others_and_of_earlier_play_nothing(here: World) -> None:
    """What is tapped on a private board is refused with a sentence: to strangers, out of turn, and once the game has
    gone on, also after a restart."""
    await here.start()
    shown = await here.alice.click(here.boards()[-1], label="Move")
    assert shown.response is not None
    board = shown.response
    assert "You are not playing in this game" in said(await here.carol.click(here.boards()[-1], label="Move"))
    assert "White's turn" in said(await here.bob.click(here.boards()[-1], label="Move"))

    await here.mention(here.alice, "b3-a4")
    await here.restart()

    for label in (offered(board.message)[0], "Type it"):
        answer = await here.alice.click(board, label=label)
        assert "moved on" in said(answer)
    assert 1 == (await here.game()).ply


async def test_a_move_from_the_board_that_was_asked_for(here: World) -> None:
    """`/board` has *Move* for whoever is to move, and for nobody else; from there a move is tapped."""
    await here.start()
    for person in (here.bob, here.carol):
        shown = await person.slash(here.channel, "board")
        assert shown.response is not None
        assert [] == labels(shown.response.message)
    shown = await here.alice.slash(here.channel, "board")
    assert shown.response is not None
    choice = await here.alice.click(shown.response, label="Move")
    assert choice.response is not None
    await here.alice.click(choice.response, label="d3-c4")
    assert ("d3-c4",) == (await here.game()).turns


async def test_a_slip_is_undone_by_a_tap(here: World) -> None:
    """*Undo* under what was just played takes it back and offers the moves again; the next tap plays."""
    await here.start()
    game = await here.game()
    played, _taps = await tapped(here, here.alice, game, game.rules.turns(game.state)[0])
    assert played.response is not None
    assert ["Undo"] == labels(played.response.message)
    assert [] == played.response.attachments

    undone = await here.alice.click(played.response, label="Undo")

    assert said(undone).startswith("Undone. It is your turn again. Choose your move.")
    assert undone.response is not None
    assert () == (await here.game()).turns
    await here.alice.click(undone.response, label="d3-c4")
    assert ("d3-c4",) == (await here.game()).turns


async def test_a_slip_that_was_answered_stands(here: World) -> None:
    """Once the opponent has moved, *Undo* does nothing and says so."""
    await here.start()
    game = await here.game()
    played, _taps = await tapped(here, here.alice, game, game.rules.turns(game.state)[0])
    assert played.response is not None
    await here.mention(here.bob, "g6-h5")

    assert "moved on" in said(await here.alice.click(played.response, label="Undo"))
    assert 2 == len((await here.game()).turns)


async def test_in_a_rated_game_no_undo_is_offered(here: World) -> None:
    """Where moves stand there is no button that would say so."""
    await here.play(side=None, rated=True, clock="1d")
    await here.bob.click(here.last, label="Accept")
    game = await here.game()

    played, _taps = await tapped(here, here.mover(game), game, game.rules.turns(game.state)[0])

    assert played.response is not None
    assert [] == labels(played.response.message)


async def test_a_move_that_the_computer_has_answered_is_taken_back(here: World) -> None:
    """Against the computer *Undo* works after its answer too: it agrees to give both turns back."""
    await here.alice.slash(here.channel, "play", variant="pinoy", opponent=here.me, level=1, side="first")
    game = await here.game()
    played, _taps = await tapped(here, here.alice, game, game.rules.turns(game.state)[0])
    await here.thought()
    assert 2 == (await here.game()).ply
    assert played.response is not None

    posted = len(here.posts())
    undone = await here.alice.click(played.response, label="Undo")
    await here.thought()

    assert () == (await here.game()).turns
    assert said(undone).startswith("Undone. It is your turn again. Choose your move.")
    assert posted + 1 == len(here.posts())


async def test_a_king_with_more_squares_than_buttons(here: World) -> None:
    """Its moves stand in lists at once, so that three taps lead to each of them."""
    await here.play("tama", position="W:WKe5,a2:BKh7,b8")
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    turns = [turn for turn in game.rules.turns(game.state) if turn.text.startswith("e5")]
    assert len(turns) > 23
    _answer, taps = await tapped(here, here.mover(game), game, turns[-1])
    assert 3 == taps
    assert (turns[-1].text,) == (await here.bot.services.games.game(game.id)).turns


async def test_menus_of_many_pieces_go_by_rows(here: World) -> None:
    """Where pieces fill menus these are called by the rows of what they hold, in order, and no name says nothing."""
    options: dict[str, Any] = {"variant": "chinese-checkers", "players": 2, "rules": "sets=3"}
    answer = await here.alice.slash(here.channel, "play", **options, opponent=here.me, level=1, side="first")
    assert "begun" in said(answer)
    await here.thought()
    for _ in range(12):
        await here.mention(here.alice, (await here.game()).rules.ranked((await here.game()).state)[0].text)
        await here.thought()
    game = await here.game()
    page = page_of(game, own_view(game, here.alice.id))
    menus = [item.item for item in page.view.children if isinstance(item, ActionMenu)]
    assert menus
    labels_of = [[option.label for option in menu.options] for menu in menus if isinstance(menu, discord.ui.Select)]
    starts = [label.split("-")[0] for each in labels_of for label in each]
    assert starts == sorted(starts, key=lambda name: (name[0], int(name[1:])))
    for menu, each in zip(menus, labels_of, strict=True):
        first, last = each[0].split("-")[0], each[-1].split("-")[0]
        assert menu.placeholder == (first if first == last else f"{first} to {last}")


async def test_long_chains_are_told_apart(here: World) -> None:
    """Several captures from one square to one square are listed with every landing, and the one tapped is played."""
    position = "W:We1:Bd2,b2,d4,b4,f2,h2,f4,d6,b6"
    await here.play("russian", position=position)
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    turn = max(game.rules.turns(game.state), key=lambda turn: len(turn.path))

    _answer, taps = await tapped(here, here.alice, game, turn)

    assert (turn.text,) == (await here.bot.services.games.game(game.id)).turns
    assert taps <= 3


async def test_my_side_turns_the_board_for_one(here: World) -> None:
    """*My side* shows a player the board from the own side and anybody else the other one; one more tap turns it."""
    await here.start()
    board, posts = here.boards()[-1], len(here.posts())

    of_player, of_anybody = "Seen from {}'s side.", "The board with {} at the bottom."
    for person, text, side, other in (
        (here.bob, of_player, "Red", "White"),
        (here.alice, of_player, "White", "Red"),
        (here.carol, of_anybody, "Red", "White"),
    ):
        answer = await person.click(board, label="My side")
        assert text.format(side) == said(answer)
        assert answer.response is not None
        turned = await person.click(answer.response, label="Turn the board")
        assert text.format(other) == said(turned)
    assert posts == len(here.posts())


async def test_a_draw_is_no_turn(here: World) -> None:
    """After a draw by agreement the board's description still numbers the last turn, not what came after it."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.bob.click(here.boards()[-1], label="Draw")
    await here.alice.click(here.last, label="Accept")
    assert "Turn 1: White b3-a4." in (here.boards()[-1].attachments[0].description or "")


@pytest.fixture
def scenes(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """What is drawn, oldest first."""
    drawn: list[Scene] = []
    scene_of = board_scene.scene_of

    def watched(*args: Any, **given: Any) -> Scene:
        drawn.append(scene_of(*args, **given))
        return drawn[-1]

    monkeypatch.setattr(board_scene, "scene_of", watched)
    return drawn


async def test_the_only_person_sees_the_own_side(here: World, scenes: list[Scene]) -> None:
    """Against the computer boards are posted from the person's side, also for who plays second; else as ever."""
    await here.alice.slash(here.channel, "play", variant="pinoy", opponent=here.me, level=1, side="second")
    await here.thought()
    assert {True} == {scene.turned for scene in scenes}
    assert "Turn 1: White" in (here.boards()[-1].attachments[0].description or "")

    scenes.clear()
    channel = here.guild.create_text_channel("more")
    await here.alice.slash(channel, "play", variant="pinoy", opponent=here.bob, side="second")
    await here.bob.click(here.posts(channel)[-1], label="Accept")
    assert {False} == {scene.turned for scene in scenes}


async def test_a_posted_star_names_what_may_be_reached(here: World, scenes: list[Scene]) -> None:
    """Every hole that the mover can reach is marked and named on the board that all see."""
    await here.start("chinese-checkers")
    game = await here.game()

    ends = {game.rules.board.names[turn.path[-1]] for turn in game.rules.turns(game.state)}
    assert ends == {target.label for target in scenes[-1].targets}
