"""Learning: a finished game analysed, puzzles solved, the puzzle of the day."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import discord
import pytest
from simcord.backend.errors import SetupError
from simcord.results import InteractionResult

import render
from bot.computer.puzzles import Puzzle
from bot.engine.registry import rules_for
from bot.study.model import DailyHour, day_in
from bot.support.time_units import DAY
from tests.support.discord.studies import PUZZLES, finished, kept
from tests.support.discord.world import GALLERY, TEXT, World, labels, parts_of, pictures_of, said


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two puzzles, and workers that start at once, without compiling their search."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: PUZZLES)
    monkeypatch.setenv("DAMERO_PLAIN", "1")


async def test_a_game_is_analysed_and_leafed_through(here: World) -> None:
    """Progress at first, then accuracy, the turn on which it turned, a graph and a board; once done it is kept."""
    number = await finished(here)
    answer = await here.alice.slash(here.channel, "analysis", number=number)
    assert "0 of 4 turns" in said(answer)
    assert answer.response is not None

    await kept(here, number)

    again = await here.bob.slash(here.channel, "analysis")
    text = said(again)
    assert "accuracy" in text
    assert "- 3\\. White: **c4-b5**" in text
    assert "Better: `" in text
    assert again.response is not None
    pictures = pictures_of(again.response)
    assert [f"g{number}-graph.png", f"g{number}-turn3.png"] == [name for name, _words in pictures]
    assert all(words for _name, words in pictures)

    page = await here.bob.click(again.response, label="Turn by turn")
    assert "4. Red: **a6xc4**" in said(page)
    assert page.response is not None
    assert [] == labels(page.response)


@pytest.mark.parametrize("refused", [False, True])
async def test_the_progress_becomes_the_analysis(here: World, refused: bool) -> None:
    """The private answer that told how far it was becomes a card: the graph first, each turning point above its board;
    where Discord takes no pictures in a card that is edited, an ordinary message with all of it."""
    number = await finished(here)
    if refused:
        here.env.inject_error("PATCH", "/webhooks/*/*/messages/@original", status=400, code=50035, times=1)
    answer = await here.alice.slash(here.channel, "analysis", number=number)
    await kept(here, number)
    assert answer.response is not None
    assert refused is not answer.response.flags.components_v2
    assert [f"g{number}-graph.png", f"g{number}-turn3.png"] == [name for name, _ in pictures_of(answer.response)]
    assert ["Turn by turn"] == labels(answer.response)
    assert "accuracy" in said(answer)
    if not refused:
        order = [part["type"] for part in parts_of(answer.response) if part["type"] in (TEXT, GALLERY)]
        assert [TEXT, GALLERY, TEXT, TEXT, GALLERY] == order


async def test_leafing_through_a_long_analysis(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are one card that changes, also after a restart; the summary stays."""
    monkeypatch.setattr("bot.chat.study.analysis_texts.PAGE", 1)
    number = await finished(here)
    await here.alice.slash(here.channel, "analysis", number=number)
    await kept(here, number)
    summary = await here.alice.slash(here.channel, "analysis", number=number)
    assert summary.response is not None
    first = await here.alice.click(summary.response, label="Turn by turn")
    assert first.response is not None
    assert said(first).startswith(f"Game {number}, page 1 of 4:\n1. White: **b3-c4**")
    await here.restart()
    for label, page in (("Next", 2), ("Next", 3), ("Next", 4), ("Previous", 3)):
        await here.alice.click(first.response, label=label)
        assert said(first).startswith(f"Game {number}, page {page} of 4:\n{page}. ")
        assert ["Previous", "Next"] == labels(first.response)
    assert "accuracy" in said(summary)


async def test_a_game_that_is_over_is_looked_at_by_the_buttons_of_its_board(here: World) -> None:
    """Step by step from the start, and analysed, each for whoever presses; once analysed, the card comes at once."""
    number = (await here.start("spanish")).id
    for person, text in ((here.alice, "b3-c4"), (here.bob, "e6-f5"), (here.alice, "c4-b5"), (here.bob, "a6xc4")):
        await here.mention(person, text)
    asked = await here.alice.click(here.boards()[-1], label="Resign")
    assert asked.response is not None
    await here.alice.click(asked.response, label="Resign")
    board, posts = here.boards()[-1], len(here.posts())
    replayed = await here.carol.click(board, label="Replay")
    assert said(replayed) == f"Game {number}, 0 of 5: the start"
    assert replayed.response is not None
    await here.carol.click(replayed.response, label="Next")
    assert said(replayed).startswith(f"Game {number}, 1 of 5: White: **b3-c4**")

    assert "0 of 4 turns" in said(await here.carol.click(board, label="Analyse"))
    await kept(here, number)
    assert "accuracy" in said(await here.alice.click(board, label="Analyse"))
    assert posts == len(here.posts())


async def test_an_analysis_in_words(here: World) -> None:
    """Who wants pictures written out gets the graph and the boards in words."""
    number = await finished(here)
    await here.alice.slash(here.channel, "analysis", number=number)
    await kept(here, number)
    await here.bob.slash(here.channel, "me settings", words=True)
    told = said(await here.bob.slash(here.channel, "analysis", number=number))
    assert "White's chances after each turn" in told
    assert "White: men a2" in told
    assert "White: men a2" not in said(await here.alice.slash(here.channel, "analysis", number=number))


async def test_a_table_of_several_has_a_graph_too(here: World) -> None:
    """A line for each seat: how far it had come."""
    table = {"variant": "chinese-checkers", "players": 3, "opponent": here.me, "level": 1}
    await here.alice.slash(here.channel, "play", **table)
    await here.thought()
    game = await here.game()
    await here.mention(here.alice, game.rules.turns(game.state)[0].text)
    await here.thought()
    asked = await here.alice.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.alice.click(asked.response, label="Resign")
    await here.thought()
    await here.alice.slash(here.channel, "analysis", number=game.id)

    await kept(here, game.id)
    answer = await here.alice.slash(here.channel, "analysis", number=game.id)
    assert answer.response is not None
    name, words = pictures_of(answer.response)[0]
    assert f"g{game.id}-graph.png" == name
    assert "How far each was home after" in words


async def test_a_game_that_was_called_off_is_not_analysed(here: World) -> None:
    """It says so, and not that there were no turns; of one turn there is one."""
    game = await here.start("spanish")
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game abort")
    answer = said(await here.alice.slash(here.channel, "analysis", number=game.id))
    assert f"Game {game.id} was called off, so there is nothing to analyse." == answer
    answer = said(await here.alice.slash(here.channel, "setup", game=game.id, turn=9))
    assert f"Game {game.id} has 1 turn." == answer


async def test_a_running_game_is_not_analysed(here: World) -> None:
    """Help comes after the end."""
    game = await here.start("spanish")
    assert "not over yet" in said(await here.alice.slash(here.channel, "analysis", number=game.id))
    assert "no game 99" in said(await here.alice.slash(here.channel, "analysis", number=99))
    assert "have not finished any games here" in said(await here.carol.slash(here.channel, "analysis"))


async def test_an_analysis_goes_on_where_it_stopped(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot went down in the middle: what was kept is not searched again."""
    number = await finished(here)
    monkeypatch.setattr("bot.study.analyses.KEEP_EVERY", 1)
    done: list[int] = []
    analyses = here.bot.services.analyses

    async def at(number: int, of: int) -> None:
        done.append(number)
        if number == 2:
            raise RuntimeError("down")

    with pytest.raises(RuntimeError):
        await analyses.analyse(number, 7, 0, at)
    await here.restart()
    done.clear()

    async def on(number: int, of: int) -> None:
        done.append(number)

    analysis = await here.bot.services.analyses.analyse(number, 7, 0, on)
    assert [2, 3] == done
    assert 4 == len(analysis.judged)


def buttons(answer: InteractionResult) -> list[str]:
    """The buttons under a private answer."""
    assert answer.response is not None
    children = [child for row in answer.response.components for child in row["components"]]
    return [child["label"] for child in children if "label" in child]


def listed(answer: InteractionResult) -> list[str]:
    """The moves in the list under a private answer."""
    assert answer.response is not None
    children = [child for row in answer.response.components for child in row["components"]]
    return [option["value"] for child in children for option in child.get("options", ())]


async def form(here: World, answer: InteractionResult, text: str) -> InteractionResult:
    """Press *Answer* under a puzzle and type."""
    assert answer.response is not None
    opened = await here.alice.click(answer.response, label="Answer")
    assert opened.modal is not None
    return await here.alice.submit_modal(opened, {"move": text})


async def test_a_puzzle_is_solved_move_by_move(here: World) -> None:
    """By the form and by the command; the reply comes between, ratings and streak at the end, over a restart."""
    given = await here.alice.slash(here.channel, "puzzle", variant="spanish")
    assert "Red to move and win" in said(given)
    assert "Find 2 moves" in said(given)
    assert "You have not tried a puzzle yet" in said(given)
    assert given.response is not None
    assert "Red" in (given.response.attachments[0].description or "")

    await here.restart()
    went_on = await form(here, given, "f7-g6")
    assert "The answer is **h5xf7**" in said(went_on)
    assert "cannot read that" in said(await here.alice.slash(here.channel, "puzzle", answer="hello"))
    solved = await here.alice.slash(here.channel, "puzzle", answer="g8-a2")

    assert "solved!" in said(solved)
    assert "1200? → **" in said(solved)
    assert solved.response is not None
    assert ["Another puzzle"] == buttons(solved)
    following = await here.alice.click(solved.response, label="Another puzzle")
    assert "Puzzle 2" in said(following)
    assert "1 solved of 1" in said(await here.alice.slash(here.channel, "puzzle"))


async def test_a_theme_is_chosen_and_else_told_afterwards(here: World) -> None:
    """Whoever asks for one gets such a puzzle, whatever else is open, or a sentence; nobody is told before the end what
    to look for."""
    other = await here.bob.slash(here.channel, "puzzle", theme="long-capture")
    await here.alice.slash(here.channel, "puzzle")
    given = await here.alice.slash(here.channel, "puzzle", theme="long-capture")
    assert said(other).splitlines()[0] == said(given).splitlines()[0]
    assert "long capture" not in said(given)
    half = await here.alice.slash(here.channel, "puzzle", answer="f7-g6")
    assert "long capture" not in said(half)
    solved = await here.alice.slash(here.channel, "puzzle", answer="g8-a2")
    assert "Theme: long capture." in said(solved)
    none = await here.alice.slash(here.channel, "puzzle", theme="long-capture")
    assert "You have tried every puzzle with that theme" in said(none)


async def test_a_puzzle_is_solved_by_taps(here: World) -> None:
    """Moves are chosen from a list of those that are legal; a list of an earlier step counts for nothing."""
    given = await here.alice.slash(here.channel, "puzzle", variant="spanish")
    assert "f7-g6" in listed(given)
    assert given.response is not None
    went_on = await here.alice.select(given.response, ["f7-g6"])
    assert "The answer is **h5xf7**" in said(went_on)
    late = said(await here.alice.select(given.response, ["f7-g6"]))
    assert "So far: `f7-g6` `h5xf7`" in late
    assert "is not the solution" not in late
    await here.restart()
    assert went_on.response is not None
    [last] = listed(went_on)
    assert "solved!" in said(await here.alice.select(went_on.response, [last]))


async def test_no_puzzles_of_a_star(here: World) -> None:
    """A game that the command is not for is named, not denied."""
    answer = await here.alice.slash(here.channel, "puzzle", variant="chinese-checkers")
    assert "This is only for draughts games, not for Chinese checkers." == said(answer)


async def test_a_wrong_answer_ends_a_puzzle(here: World) -> None:
    """The solution is shown, and neither a second answer nor another solution changes anything."""
    given = await here.alice.slash(here.channel, "puzzle")
    wrong = await here.alice.slash(here.channel, "puzzle", answer="a6-b5")
    assert "**a6-b5** is not the solution. From here: `f7-g6` `h5xf7` `g8xe6xc4xa2`" in said(wrong)
    assert given.response is not None
    assert "done this puzzle" in said(await here.alice.click(given.response, label="Answer"))
    shown = said(await here.alice.click(given.response, label="Show the solution"))
    assert "The solution" in shown
    assert "rating" not in shown
    await here.alice.slash(here.channel, "puzzle")
    await here.alice.slash(here.channel, "puzzle", answer="a2-a2")
    given = await here.alice.slash(here.channel, "puzzle")
    assert given.response is not None
    warned = await here.alice.click(given.response, label="Show the solution")
    assert "counts as a wrong answer" in said(warned)
    assert warned.response is not None
    revealed = await here.alice.click(warned.response, label="Show the solution")
    assert "The solution: " in said(revealed)
    assert "The ? means that the rating is not sure yet" in said(revealed)
    assert "New ones come from games as they are played" in said(await here.alice.slash(here.channel, "puzzle"))


async def test_the_puzzle_of_the_day_is_posted_once_a_day(here: World) -> None:
    """At its hour, with yesterday's solution, not again after a restart; managers only. Anyone may answer."""
    with pytest.raises(SetupError, match="default-member-permissions"):
        await here.alice.slash(here.channel, "server puzzle", channel=here.channel)
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    answer = await manager.slash(here.channel, "server puzzle", channel=here.channel, hour=9)
    assert "A puzzle will be posted" in said(answer)

    await here.env.advance_time(24 * 3600)
    assert 1 == len(here.posts())
    assert "Puzzle of the day" in here.last.content
    assert "to move and win" in here.last.content
    await here.restart()
    assert 1 == len(here.posts())
    private = await here.bob.click(here.last, label="Answer")
    assert private.ephemeral
    assert "Find " in said(private)
    assert listed(private)
    assert private.response is not None
    opened = await here.bob.click(private.response, label="Answer")
    assert opened.modal is not None

    await here.env.advance_time(24 * 3600)
    assert 2 == len(here.posts())
    assert "The last one: ||" in here.last.content
    # Another hour, or another game, in the channel where it is.
    for change, variant in (({"hour": 20}, None), ({"variant": "tama"}, "tama")):
        told = said(await manager.slash(here.channel, "server puzzle", **change))
        assert f"posted in {here.channel.mention} every day" in told
        plan = await here.bot.services.puzzles.daily_plan(here.guild.id)
        assert plan is not None
        assert (here.channel.id, variant, 20) == (plan.channel_id, plan.variant_id, plan.when.hour)
    # Another channel, with the game and the hour that were chosen.
    room = here.guild.create_text_channel("puzzles")
    assert f"posted in {room.mention} every day" in said(
        await manager.slash(here.channel, "server puzzle", channel=room)
    )
    plan = await here.bot.services.puzzles.daily_plan(here.guild.id)
    assert plan is not None
    assert (room.id, "tama", 20) == (plan.channel_id, plan.variant_id, plan.when.hour)
    assert "no longer posted" in said(await manager.slash(here.channel, "server puzzle"))
    await here.env.advance_time(48 * 3600)
    assert 2 == len(here.posts())
    for given in ({}, {"hour": 3}):
        assert "No puzzle of the day" in said(await manager.slash(here.channel, "server puzzle", **given))


async def test_the_puzzle_of_the_day_is_drawn_in_the_servers_language(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sides are called in the picture as they are in the words beside it."""
    drawn: list[render.Scene] = []
    draw = render.draw
    monkeypatch.setattr(render, "draw", lambda scene: drawn.append(scene) or draw(scene))  # type: ignore[func-returns-value]
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    await manager.slash(here.channel, "server settings", language="es")
    await manager.slash(here.channel, "server puzzle", channel=here.channel, hour=9)
    await here.env.advance_time(24 * 3600)
    assert "Problema del día" in here.last.content
    assert 1 == len(drawn)
    assert any(player.fallback in here.last.content for player in drawn[0].players)


async def test_the_puzzle_of_the_day_is_found_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot dies after it has posted and before that is noted, and comes back when Discord has forgotten the nonce:
    it finds its post, and the next puzzle comes the next day."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    await manager.slash(here.channel, "server puzzle", channel=here.channel, hour=9)

    async def dies(*noted: object) -> None:
        await asyncio.sleep(30 * DAY)

    monkeypatch.setattr(here.bot.services.puzzles, "daily_posted", dies)
    await here.env.advance_time(24 * 3600)
    assert 1 == len(here.posts())
    await here.restart()
    await here.env.advance_time(600)
    assert 1 == len(here.posts())
    daily = await here.bot.services.puzzles.daily(here.guild.id)
    assert daily is not None
    assert here.last.id == daily.message_id
    await here.env.advance_time(24 * 3600)
    assert 2 == len(here.posts())


async def test_a_form_opened_before_another_answer_counts_for_nothing(here: World) -> None:
    """Two forms of one puzzle, on two devices: the second shows the board as it is now, and the puzzle goes on."""
    given = await here.alice.slash(here.channel, "puzzle", variant="spanish")
    assert given.response is not None
    forms = [await here.alice.click(given.response, label="Answer") for _ in range(2)]
    assert "The answer is **h5xf7**" in said(await here.alice.submit_modal(forms[0], {"move": "f7-g6"}))
    late = said(await here.alice.submit_modal(forms[1], {"move": "a6-b5"}))
    assert "So far: `f7-g6` `h5xf7`" in late
    assert "is not the solution" not in late
    assert "solved!" in said(await here.alice.slash(here.channel, "puzzle", answer="G8 A2"))
    answer = await here.alice.slash(here.channel, "puzzle", answer="g8-a2")
    assert "You have no open puzzle" in said(answer)


async def test_a_reply_to_a_puzzle_is_no_move_in_the_game_beside_it(here: World) -> None:
    """Who answers the puzzle of the day in the channel is told how that is done; the game there stands as it did."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    await manager.slash(here.channel, "server puzzle", channel=here.channel, hour=9)
    await here.env.advance_time(24 * 3600)
    puzzle = here.last
    game = await here.start("spanish")
    person = here.mover(game)
    turn = game.rules.turns(game.state)[0].text
    await person.send(here.channel, f"{here.at()} {turn}", reply_to=puzzle)
    assert "Press *Answer* under the puzzle" in here.last.content
    assert 0 == (await here.game()).ply
    await here.mention(person, turn)
    assert 1 == (await here.game()).ply


async def test_the_puzzle_of_the_day_ends_with_its_channel(here: World) -> None:
    """Where nobody lets the bot write it is tried again the next day; a channel that is gone is not asked again."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    room = here.guild.create_text_channel("puzzles")
    await manager.slash(here.channel, "server puzzle", channel=room, hour=9)
    await here.env.advance_time(24 * 3600)
    assert 1 == len(here.posts(room))
    here.env.backend.delete_channel(room.id)
    await here.env.settle()
    assert "The channel of the puzzle of the day is gone" in said(
        await manager.slash(here.channel, "server puzzle", hour=8)
    )
    await here.env.advance_time(24 * 3600)
    assert await here.bot.services.puzzles.daily(here.guild.id) is None
    tried = len(here.sent(ending=f"/channels/{room.id}/messages"))
    await here.env.advance_time(72 * 3600)
    assert tried == len(here.sent(ending=f"/channels/{room.id}/messages"))
    assert "No puzzle of the day" in said(await manager.slash(here.channel, "server puzzle"))


async def test_what_is_kept_of_puzzles_is_shown_and_forgotten(here: World) -> None:
    """/me data has them; after /me forget nothing of them is left."""
    await here.alice.slash(here.channel, "puzzle")
    kept: dict[str, Any] = await here.bot.services.games.privacy.data_of(here.alice.id)
    assert 1 == len(kept["puzzles"]["tried"])
    await here.bot.services.games.privacy.forget(here.alice.id, "test:forget")
    kept = await here.bot.services.games.privacy.data_of(here.alice.id)
    assert {"rating": None, "tried": []} == kept["puzzles"]


def test_the_hour_of_the_day_is_that_of_the_clock_on_the_wall() -> None:
    """Nine in Madrid, before and after the clocks are put back, and at nine sharp the next day's."""

    def utc(*when: int) -> int:
        return int(datetime(*when, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type, misc]

    nine = DailyHour(9, "Europe/Madrid")
    assert utc(2026, 10, 24, 7) == nine.after(utc(2026, 10, 23, 12))
    assert utc(2026, 10, 25, 8) == nine.after(utc(2026, 10, 24, 7))
    assert utc(2026, 10, 26, 8) == nine.after(utc(2026, 10, 25, 8))


def test_every_puzzle_of_the_day_has_a_day_of_its_own() -> None:
    """At whatever hour and wherever it falls due, over a year with its two long nights: no day twice, none left out.
    By UTC the hour after midnight in Madrid is the day before in summer, and the same day twice in spring."""
    for zone, hour in (("Europe/Madrid", 1), ("America/Los_Angeles", 16), ("Pacific/Auckland", 12), ("UTC", 0)):
        at = DailyHour(hour, zone).after(1_767_225_600_000)
        for day in range(day_in(zone, at), day_in(zone, at) + 400):
            assert day == day_in(zone, at)
            at = DailyHour(hour, zone).after(at)


async def test_every_move_of_a_puzzle_can_be_tapped(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """More moves than a list holds stand in several, each of which says from where to where; any of them answers."""
    start, solution = "W:Wa3,f2,Kf5,g2:BKa5", ("f5-c2", "a5xa2xd2", "g2-h2", "d2xg2", "h2xf2")
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: (Puzzle("tama", {}, start, solution, 1432),))
    rules = rules_for("tama")
    given = await here.alice.slash(here.channel, "puzzle", variant="tama")
    assert given.response is not None
    assert [turn.text for turn in rules.turns(rules.start(start))] == listed(given)
    menus = [part for part in parts_of(given.response) if part.get("options")]
    assert ["Choose a move (a3 to f5)", "Choose a move (f5 to g2)"] == [menu["placeholder"] for menu in menus]
    second = menus[1]
    answer = await here.alice.select(given.response, ["g2-h2"], custom_id=second["custom_id"])
    assert "**g2-h2** is not the solution" in said(answer)
