"""Games against the computer: it moves, waits, offers and ends like anybody, and never twice."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.background.computer_player import ComputerPlayer
from bot.chat.games.commands.hints import hint_text
from bot.computer import levels
from bot.computer.levels import find_level
from bot.computer.workers.executors import ProcessExecutor
from bot.computer.workers.jobs import Answer
from bot.games.model.computer_seats import computer_of, is_computer
from bot.games.model.game import Game
from bot.games.persistence.integrity import check_games
from bot.settings import Settings
from data.queries.games import change_game
from tests.support.discord.world import World, labels, said


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start at once, without compiling their search."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")


async def against(here: World, variant: str = "pinoy", level: int = 1, **more: Any) -> Game:
    """Alice begins a game against the computer, which has moved where it begins."""
    options: dict[str, Any] = {"side": "first", **more}
    options = {name: value for name, value in options.items() if value is not None}
    answer = await here.alice.slash(here.channel, "play", variant=variant, opponent=here.me, level=level, **options)
    assert "has begun" in said(answer)
    await here.thought()
    return await here.game()


async def press(person: MemberActor, answer: InteractionResult, label: str) -> InteractionResult:
    """Press a button of a private answer."""
    assert answer.response is not None
    return await person.click(answer.response, label=label)


@asynccontextmanager
async def thinking_long(here: World) -> AsyncIterator[int]:
    """The computer thinks as long as this lasts, however busy the machine is; the process in which it does."""
    await here.bot.services.workers.start()
    [executor] = here.bot.services.workers.executors
    assert isinstance(executor, ProcessExecutor)
    assert executor.process is not None
    process = executor.process
    os.kill(process, signal.SIGSTOP)
    yield process
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGCONT)


async def placed(here: World, game: Game, start: str, seat: int = 0) -> Game:
    """The game stands as ``start`` says, without a move, after a restart."""
    async with here.bot.services.store.write() as tx:
        await change_game(tx, game.id, start=start, position=start, to_seat=seat)
    await here.restart()
    await here.thought()
    return await here.game()


async def test_levels_are_suggested_with_their_ratings(here: World) -> None:
    """Each of the eight levels is offered with about how strong it is, by the game that was chosen; of what is typed no
    other than that."""
    for variant, family in (("tama", "draughts"), ("chinese-checkers", "star")):
        offered = await here.alice.autocomplete(here.channel, "play", "level", "", variant=variant)
        assert list(range(1, 9)) == [choice["value"] for choice in offered]
        for choice in offered:
            assert str(find_level(choice["value"], family).rating) in choice["name"]
    # In a game in which nobody has measured them no rating is told.
    offered = await here.alice.autocomplete(here.channel, "play", "level", "", variant="frisian")
    names = ["1: easy to beat", *"234567", "8: its best"]
    assert names == [choice["name"] for choice in offered]
    for typed, fit in (("3", [3]), ("9", [])):
        offered = await here.alice.autocomplete(here.channel, "play", "level", typed, variant="tama")
        assert fit == [choice["value"] for choice in offered]


@pytest.fixture
def with_an_engine(bot_settings: Settings) -> Settings:
    """The host has given the bot an engine for Dama."""
    command = f"{sys.executable} -m tests.support.computer.hub_stub spanish none"
    return replace(bot_settings, computer_hub=f"spanish={command}")


async def test_a_guest_engine_plays_where_there_is_one(here: World, with_an_engine: Settings) -> None:
    """Level 9, for its game by the usual rules; where there is none it is neither offered nor taken."""
    offered = await here.alice.autocomplete(here.channel, "play", "level", "9", variant="spanish")
    assert [] == offered
    answer = await here.alice.slash(here.channel, "play", variant="spanish", opponent=here.me, level=9)
    assert "No guest engine plays Dama (Spanish draughts) by these rules here" in said(answer)

    await here.restart(with_an_engine)
    offered = await here.alice.autocomplete(here.channel, "play", "level", "9", variant="spanish")
    assert ["9: Guest engine"] == [choice["name"] for choice in offered]
    options = {"variant": "spanish", "opponent": here.me, "level": 9, "rules": "mirror=true"}
    assert "No guest engine" in said(await here.alice.slash(here.channel, "play", **options))
    await against(here, variant="spanish", level=9)
    assert "Guest engine plays Red" in here.last.content
    await here.mention(here.alice, "d3-c4")
    await here.thought()
    assert "a6-b5" == (await here.game()).turns[-1]


async def test_the_computer_answers(here: World) -> None:
    """`/play opponent:@Damero level:3` begins at once; after a move it thinks for all to see, and moves once."""
    game = await against(here, level=3)
    assert (here.alice.id, computer_of(3)) == game.players
    assert f"{here.alice.mention} plays White and Damero level 3 plays Black" in here.last.content

    await here.mention(here.alice, "c3-b4")
    assert "Damero level 3 is thinking" in here.boards()[1].content
    await here.thought()

    assert 2 == (await here.game()).ply
    assert 3 == len(here.boards())
    assert f"{here.alice.mention}, it is your turn" in here.last.content
    assert "Black (Damero level 3) to move" not in (here.last.attachments[0].description or "")
    assert [] == await check_games(here.bot.services.store)


async def test_a_whole_game(here: World) -> None:
    """A game to its end, in which the computer begins, and the rematch, which begins at once with sides swapped."""
    lots = random.Random(4)
    game = await against(here, "pinoy", 2, side="second")
    while game.status == "running":
        assert game.to_move == here.alice.id
        await here.mention(here.alice, lots.choice(game.rules.turns(game.state)).text)
        await here.thought()
        game = await here.bot.services.games.game(game.id)
    assert game.ply + 1 == len(here.boards())
    assert game.result is not None
    assert 0 == game.result.winner
    assert "**Damero level 2 (White) wins.**" in here.last.content

    await here.alice.click(here.last, label="Rematch")
    await here.thought()
    again = await here.game()
    assert (game.id, (here.alice.id, computer_of(2))) == (again.rematch_of, again.players)
    assert [] == await check_games(here.bot.services.store)


@pytest.mark.parametrize("variant", ["spanish", "americanas", "tama"])
async def test_every_draughts_game(here: World, variant: str) -> None:
    """The computer begins, and answers."""
    game = await against(here, variant, side="second")
    assert 1 == game.ply
    await here.mention(here.alice, game.rules.turns(game.state)[0].text)
    await here.thought()
    assert 3 <= (await here.game()).ply


async def test_a_table_of_people_and_computers(here: World) -> None:
    """Two people and two computers at a table: the computers take the seats that they were given, and move."""
    answer = await here.alice.slash(
        here.channel, "play", variant="chinese-checkers", players=4, opponent=here.me, computers=2, level=2
    )
    assert "table is posted" in said(answer)
    assert "At the table: " in here.last.content
    assert "Damero level 2" in here.last.content
    await here.bob.click(here.last, label="Join")
    await here.thought()
    for _ in range(4):
        game = await here.game()
        assert game.to_move in (here.alice.id, here.bob.id)
        await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
        await here.thought()
    game = await here.game()
    assert 2 == sum(map(is_computer, game.players))
    assert 8 <= game.ply
    assert [] == await check_games(here.bot.services.store)

    # A seat that has left is part of the record that workers replay; where no people are left, nobody plays on.
    await here.mention(here.mover(game), game.rules.turns(game.state)[0].text)
    await here.thought()
    for person in (here.alice, here.bob):
        asked = await person.slash(here.channel, "game resign")
        await press(person, asked, "Resign")
        await here.thought()
    assert "Only computers are left, so the game ends here." in here.last.content


async def test_play_the_computer_instead(here: World) -> None:
    """Nobody answers a challenge: its opener lets the computer play, at a level of its choice; nobody else can."""
    await here.alice.slash(here.channel, "play", variant="pinoy", side="first")
    challenge = here.last
    assert "Play the computer" in labels(challenge)
    assert "Only the person who made" in said(await here.bob.click(challenge, label="Play the computer"))

    levels = await here.alice.click(challenge, label="Play the computer")
    assert "1 is easy to beat, 8 is its best" in said(levels)
    late = await here.alice.click(challenge, label="Play the computer")
    await press(here.alice, levels, "4")
    await here.thought()

    game = await here.game()
    assert (here.alice.id, computer_of(4)) == game.players
    assert "already been accepted" in said(await press(here.alice, late, "5"))
    assert 1 == len(here.boards())


async def test_who_may_not_have_the_computer(here: World) -> None:
    """A level beside a person, computers without seats, a rated game: refused with what to do."""
    assert "out, or choose me as your opponent" in said(await here.play(level=3))
    many = {"variant": "pinoy", "opponent": here.me, "computers": 2}
    assert "cannot take 2 seats" in said(await here.alice.slash(here.channel, "play", **many))
    rated = {"variant": "pinoy", "opponent": here.me, "rated": True, "clock": "1d"}
    assert "never rated" in said(await here.alice.slash(here.channel, "play", **rated))
    await here.alice.slash(here.channel, "play", variant="pinoy", rated=True, clock="1d")
    assert "Play the computer" not in labels(here.last)


async def test_strangers_cannot_move_for_the_computer(here: World) -> None:
    """While the computer is to move nobody else is, and its offers and seat are nobody's."""
    await against(here, level=6)
    async with thinking_long(here):
        await here.mention(here.alice, "c3-b4")
        board = here.boards()[1]
        assert "not playing" in said(await here.bob.click(board, label="Move"))
        assert "turn" in said(await here.alice.click(board, label="Move"))
        await here.mention(here.bob, "b6-a5")
        assert "not playing" in here.last.content
    await here.thought()
    assert 2 == (await here.game()).ply


async def test_twenty_games_with_one_worker(here: World) -> None:
    """Twenty games in twenty channels, one worker: every move comes, and each once."""
    people = [here.alice, here.bob]
    halls = [here.guild.create_text_channel(f"hall-{number}") for number in range(20)]
    for number, hall in enumerate(halls):
        options = {"variant": "pinoy", "opponent": here.me, "level": 3, "side": "second"}
        await people[number % 2].slash(hall, "play", **options)
    refused = await here.alice.slash(here.channel, "play", variant="pinoy", opponent=here.me)
    assert "10 games against the computer" in said(refused)
    await here.thought()

    for hall in halls:
        assert 1 == (await here.game(hall)).ply
        assert 2 == len(here.boards(hall))
    workers = here.bot.services.workers
    assert (0, 0) == (len(workers.playing), len(workers.background))


async def test_a_killed_worker(here: World) -> None:
    """The worker is killed while it thinks: another one thinks again, and the move is made once."""
    await against(here, level=6)
    await here.mention(here.alice, "c3-b4")
    await here.thought()

    game = await here.game()
    async with thinking_long(here) as before:
        await here.mention(here.alice, game.rules.turns(game.state)[0].text)
        os.kill(before, signal.SIGKILL)
        await here.thought()

    assert 4 == (await here.game()).ply
    assert 5 == len(here.boards())
    [executor] = here.bot.services.workers.executors
    assert isinstance(executor, ProcessExecutor)
    assert executor.process not in (None, before)


async def test_a_restart_while_it_thinks(here: World) -> None:
    """The bot ends while the computer thinks: the next one thinks again and moves once."""
    await against(here, level=7)
    async with thinking_long(here):
        await here.mention(here.alice, "c3-b4")
        assert 1 == (await here.game()).ply
        await here.restart()
    await here.restart()
    await here.thought()

    assert 2 == (await here.game()).ply
    assert 3 == len(here.boards())
    await here.restart()
    await here.thought()
    assert 2 == (await here.game()).ply
    assert [] == await check_games(here.bot.services.store)


async def test_a_move_that_came_before_the_restart_is_not_made_again(here: World) -> None:
    """What the computer does is named by game and entry: the same thought a second time changes nothing."""
    game = await against(here)
    await here.mention(here.alice, "c3-b4")
    await here.thought()
    computer = game.players[1]
    assert computer is not None
    here.bot.services.computer.wake(game.id)
    here.bot.services.computer.wake(game.id)
    await here.thought()
    assert 2 == (await here.game()).ply


async def test_draw_offers_are_answered(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once: declined early in the game and where the computer is better, accepted where it is not."""
    game = await against(here)
    await here.alice.slash(here.channel, "game draw")
    await here.thought()
    assert "Draw offer: declined by Damero level 1." == here.last.content

    monkeypatch.setattr(levels, "NO_DRAW_BEFORE", 0)
    await placed(here, game, "W:Wa3:Bb8,d8,f8,h8,g7")
    await here.mention(here.alice, "a3-b4")
    await here.thought()
    await here.alice.slash(here.channel, "game draw")
    await here.thought()
    assert "Draw offer: declined by Damero level 1." == here.last.content
    assert "running" == (await here.game()).status

    await here.mention(here.alice, (await here.game()).rules.turns((await here.game()).state)[0].text)
    await here.thought()


async def test_a_fair_draw_is_accepted(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One king each: the computer agrees."""
    monkeypatch.setattr(levels, "NO_DRAW_BEFORE", 0)
    game = await against(here)
    await placed(here, game, "W:WKa1:BKh2")
    await here.alice.slash(here.channel, "game draw")
    await here.thought()
    assert "**Drawn by agreement.**" in here.last.content


async def test_takebacks_and_calling_off(here: World) -> None:
    """The computer lets people take turns back, and a game that has not begun is called off."""
    await against(here)
    await here.mention(here.alice, "c3-b4")
    await here.thought()
    posted = len(here.posts())
    assert "It is your turn again" in said(await here.alice.slash(here.channel, "game takeback"))
    # No offer that nobody needs to answer.
    assert posted + 1 == len(here.posts())
    assert "the last 2 turns are taken back" in here.last.content
    await here.thought()
    game = await here.game()
    assert () == game.turns
    assert here.alice.id == game.to_move

    assert "called off" in said(await here.alice.slash(here.channel, "game abort"))
    assert "aborted" == (await here.bot.services.games.game(game.id)).status


async def test_undo_after_the_answer_of_the_computer(here: World) -> None:
    """`undo`, typed, names the command, and that takes back the move and the answer, also after more than a minute."""
    await against(here)
    await here.mention(here.alice, "c3-b4")
    await here.thought()
    await here.mention(here.alice, "undo")
    assert "To take your last move back, and what I answered, use `/game undo`." == here.last.content
    await here.env.advance_time(90)
    assert "It is your turn again" in said(await here.alice.slash(here.channel, "game undo"))
    assert "the last 2 turns are taken back" in here.last.content
    game = await here.game()
    assert ((), here.alice.id) == (game.turns, game.to_move)
    assert "You have not moved yet" in said(await here.alice.slash(here.channel, "game undo"))


async def test_a_capture_that_the_computer_may_huff(here: World) -> None:
    """While the computer is to move nobody is told to huff, and there are no buttons for it."""
    await against(here, "americanas")
    async with thinking_long(here):
        for text in ("c3-d4", "b6-c5", "g3-h4"):
            game = await here.game()
            await here.bot.services.games.moves.turn(game.id, game.to_move or 0, text, f"m:{text}")
            here.bot.services.games_changed.send(await here.game())
        await here.env.settle()
    assert [] == [post.content for post in here.posts() if "could have captured" in post.content]
    assert "Oblige" not in {label for post in here.posts() for label in labels(post)}


async def test_a_hint(here: World) -> None:
    """Whoever is to move is shown a move and why; the opponent is told; the same position gives the same hint."""
    game = await here.start("pinoy")
    hint = await here.alice.slash(here.channel, "game hint")
    await here.thought()
    text = said(hint)
    assert "I would play **" in text
    assert text.split("**")[1] in [turn.text for turn in game.rules.turns(game.state)]
    assert f"{here.alice.mention} has asked for a hint." == here.last.content
    again = await here.alice.slash(here.channel, "game hint")
    await here.thought()
    assert text == said(again)
    assert 1 == len([post for post in here.posts() if "asked for a hint" in post.content])

    assert "not your turn" in said(await here.bob.slash(here.channel, "game hint"))
    assert "not playing" in said(await here.carol.slash(here.channel, "game hint"))


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize("late", [False, True])
async def test_a_hint_is_told_of_when_it_is_there(here: World, monkeypatch: pytest.MonkeyPatch, late: bool) -> None:
    """One that fails is nobody's hint: the opponent hears nothing, at once or later."""
    await here.start("pinoy")
    before = len(here.posts())

    async def failing(*_job: object) -> None:
        raise RuntimeError("the worker is gone")

    async def not_yet(*_how: object) -> None:
        """There is a queue."""

    if late:
        monkeypatch.setattr(ComputerPlayer, "suggestion", not_yet)
    here.expected_errors.add("interaction failed")
    with monkeypatch.context() as trouble:
        trouble.setattr(here.bot.services.computer._thoughts._workers, "think", failing)
        failed = await here.alice.slash(here.channel, "game hint")
        await here.thought()
        assert "Something went wrong on our side" in said(failed)
        assert before == len(here.posts())
    hint = await here.alice.slash(here.channel, "game hint")
    await here.thought()
    assert "I would play **" in said(hint)
    assert f"{here.alice.mention} has asked for a hint." == here.last.content


async def test_a_hint_on_the_star_says_why(here: World) -> None:
    """How many rows nearer the turn brings its peg."""
    await here.start("chinese-checkers")
    game = await here.game()
    answer = Answer("", resigns=False, draws=False, score=0, depth=4, nodes=100)
    for turn in game.rules.turns(game.state):
        start, end = turn.text.split("-")[:: len(turn.path) - 1]
        rows = abs(ord(start[0]) - ord(end[0]))
        nearer = f"It brings the peg {rows} row{'s' if rows > 1 else ''} nearer. I have looked 4 moves ahead."
        assert hint_text(game, turn, answer) == f"I would play **{turn.text}**. {nearer}"


async def test_no_hints_where_it_counts(here: World) -> None:
    """In a rated game nobody is helped, and nothing is said in the channel."""
    await here.play("pinoy", side=None, rated=True, clock="1d")
    await here.bob.click(here.last, label="Accept")
    game = await here.game()
    before = len(here.posts())
    assert "no hints in rated games" in said(await here.mover(game).slash(here.channel, "game hint"))
    assert before == len(here.posts())


async def test_a_hint_against_the_computer_is_nobodys_business(here: World) -> None:
    """Alone against the computer, a hint is not told in the channel."""
    await against(here)
    before = len(here.posts())
    hint = await here.alice.slash(here.channel, "game hint")
    await here.thought()
    assert "I would play" in said(hint)
    assert before == len(here.posts())


async def test_it_huffs(here: World) -> None:
    """A neglected capture in a game with *soplar*: the computer huffs, and moves as well."""
    game = await against(here, "americanas", 3)
    await placed(here, game, "W:Wa1,b2,c3,d2,h2:Bd4,h8,b8")
    await here.mention(here.alice, "h2-g3")
    await here.thought()
    game = await here.game()
    assert "soplar c3" == game.entries[1].text
    assert [0, 1, 1] == [entry.seat for entry in game.entries]
    assert game.to_move == here.alice.id
    assert [] == await check_games(here.bot.services.store)
