from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import discord
import pytest
import structlog
from simcord import ChannelHandle, MemberActor, Preview, SetupError

from bot import playground as playground_module
from bot.chat.client import Damero
from bot.games.model.game import GameSummary
from bot.playground import Pages, Playground, usual_port
from tests.support.discord import openapi

NOVEMBER = 1_795_000_000_000


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    """What the bot logs is kept, and must hold no error."""
    with structlog.testing.capture_logs() as logged:
        yield
    assert [] == [event for event in logged if event["log_level"] in ("error", "critical")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def bot_of(playground: Playground) -> Damero:
    assert isinstance(playground.env.bot, Damero)
    return playground.env.bot


def said_in(playground: Playground, channel: ChannelHandle) -> list[discord.Message]:
    """What the bot has said in a channel."""
    user = bot_of(playground).user
    assert user is not None
    return [message for message in channel.history() if message.author.id == user.id]


def posts(playground: Playground) -> list[discord.Message]:
    """What it has said in the first one."""
    return said_in(playground, playground.channel)


async def begin(playground: Playground) -> tuple[MemberActor, MemberActor]:
    """Ana and Ben begin a game of Spanish draughts."""
    ana, ben = playground.people[:2]
    await ana.slash(playground.channel, "play", variant="spanish", opponent=ben, side="first")
    await ben.click(posts(playground)[-1], label="Accept")
    return ana, ben


async def test_the_page_is_served_and_people_are_there(file: Path) -> None:
    """The page answers on loopback, and shows a channel with at least three people and what to do."""
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        assert pages.url.startswith("http://127.0.0.1:")
        shown = await pages.pages[playground.channel.id].snapshot()

    assert len(playground.people) >= 3
    assert "Welcome to the playground" in str(shown)


async def test_its_time_is_the_real_one(file: Path) -> None:
    """The simulated Discord starts at the time that it is given, and the bot goes by its clock."""
    async with Playground(file, NOVEMBER) as playground:
        ana, _ = await begin(playground)
        (game,) = await bot_of(playground).services.games.lists.games_of(ana.id)

        assert NOVEMBER == playground.clock() == game.changed_at


async def test_a_game_goes_on_after_a_restart(file: Path) -> None:
    """People, server and channel have the same ids again, the board is posted again, and the game goes on."""
    async with Playground(file, NOVEMBER) as playground:
        ana, ben = await begin(playground)
        await ana.send(playground.channel, await first_move(playground))
        before = [(person.id, person.name) for person in playground.people], playground.channel.id
        first = posts(playground)[-1]

    async with Playground(file, NOVEMBER + 60_000) as playground:
        assert before == ([(person.id, person.name) for person in playground.people], playground.channel.id)
        (board,) = posts(playground)
        assert first.content == board.content
        assert 1 == len(board.attachments)
        assert board.id > first.id

        ana, ben = playground.people[:2]
        await ben.send(playground.channel, "nonsense")
        await ben.slash(playground.channel, "move", move=await first_move(playground))
        game = await bot_of(playground).services.games.running_in(playground.channel.id)

    assert game is not None
    assert 2 == game.ply


async def first_move(playground: Playground) -> str:
    """A legal move of the game that runs in the channel."""
    game = await bot_of(playground).services.games.running_in(playground.channel.id)
    assert game is not None
    return game.rules.turns(game.state)[0].text


async def test_a_clock_is_told_again(file: Path) -> None:
    """The board that is posted again says until when there is time, as it did."""
    async with Playground(file, NOVEMBER) as playground:
        ana, ben = playground.people[:2]
        await ana.slash(playground.channel, "play", variant="spanish", opponent=ben, side="first", clock="3d")
        await ben.click(posts(playground)[-1], label="Accept")
        told = posts(playground)[-1].content.splitlines()[-1]

    async with Playground(file, NOVEMBER + 60_000) as playground:
        (board,) = posts(playground)

    assert "Move by <t:" in told
    assert told == board.content.splitlines()[-1]


async def test_no_new_message_takes_the_id_of_an_old_one(file: Path) -> None:
    """Even where the computer's clock was set back, a message of this run is newer than all of the last: a move typed
    in it is not taken for one that was applied before."""
    async with Playground(file, NOVEMBER) as playground:
        ana, _ = await begin(playground)
        last = await ana.send(playground.channel, await first_move(playground))

    async with Playground(file, NOVEMBER - 86_400_000) as playground:
        ben = playground.people[1]
        again = await ben.send(playground.channel, await first_move(playground))
        game = await bot_of(playground).services.games.running_in(playground.channel.id)

    assert again.id > last.id
    assert game is not None
    assert 2 == game.ply


async def test_a_thread_is_there_again(file: Path) -> None:
    """A second game, played in a thread, finds its thread by the same id after a restart."""
    async with Playground(file, NOVEMBER) as playground:
        await begin(playground)
        await begin(playground)
        (thread,) = playground.channel.threads

    async with Playground(file, NOVEMBER + 60_000) as playground:
        (found,) = playground.channel.threads
        assert thread.id == found.id
        assert 1 == len([message for message in found.history() if message.attachments])
        ana = playground.people[0]
        game = await bot_of(playground).services.games.running_in(found.id)
        assert game is not None
        await ana.send(found, game.rules.turns(game.state)[0].text)
        game = await bot_of(playground).services.games.running_in(found.id)

    assert game is not None
    assert 1 == game.ply


async def test_open_challenges_and_offers_are_posted_again(file: Path) -> None:
    """What waits for an answer can be answered after a restart, and its buttons go then."""
    async with Playground(file, NOVEMBER) as playground:
        ana, ben = await begin(playground)
        await ana.send(playground.channel, await first_move(playground))
        await ana.slash(playground.channel, "game draw")
        await ben.slash(playground.channel, "play", variant="tama")

    async with Playground(file, NOVEMBER + 60_000) as playground:
        ana, ben = playground.people[:2]
        buttons = {
            child.label: message
            for message in posts(playground)
            for row in message.components
            if isinstance(row, discord.ActionRow)
            for child in row.children
            if isinstance(child, discord.Button)
        }
        assert {"Accept", "Decline", "Withdraw", "Move"} <= set(buttons)
        await ben.click(buttons["Withdraw"], label="Withdraw")
        offer = next(message for message in posts(playground) if "offers a draw" in message.content)
        await ben.click(offer, label="Accept")
        left = [message.components for message in posts(playground) if "Accept" in str(message.components)]

    assert [] == left


async def test_posts_that_come_by_themselves_are_shown(file: Path) -> None:
    """What is posted outside of the page's own actions is published, once."""
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        preview = pages.pages[playground.channel.id]
        await pages.show()
        before = revision(await preview.snapshot())
        await pages.show()
        assert before + 1 == revision(await preview.snapshot())  # a snapshot counts as one, and nothing else was

        playground.guide("by itself")
        await pages.show()
        await pages.show()
        shown = await preview.snapshot()

    assert before + 3 == revision(shown)
    assert "by itself" in str(shown)


async def test_private_answers_that_are_edited_later_are_shown(file: Path) -> None:
    """What the bot writes into an answer that one person alone sees, after the action has ended, is published."""
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        preview = pages.pages[playground.channel.id]
        ana = playground.people[0]
        answer = await ana.slash(playground.channel, "help")
        (private,) = [m for m in playground.env.backend.messages[playground.channel.id].values() if m.is_ephemeral]
        await pages.show()
        before = revision(await preview.snapshot())

        playground.env.backend.advance_clock(1)
        private.content = "The answer as it is now."
        private.edited_timestamp = playground.env.now().isoformat()
        await pages.show()
        await pages.show()
        after = revision(await preview.snapshot())

    assert answer.acknowledged
    assert before + 2 == after


async def test_somebody_manages_the_server(file: Path) -> None:
    """The first person may do what needs permissions, and the welcome says who that is; the others may not."""
    async with Playground(file, NOVEMBER) as playground:
        ana, ben = playground.people[:2]
        mine = await ana.slash(playground.channel, "server settings")
        with pytest.raises(SetupError, match="/server"):
            await ben.slash(playground.channel, "server settings")
        welcome = playground.channel.history()[0].content

    assert mine.acknowledged
    assert "Ana manages the server" in welcome


@pytest.mark.time_goes_by
async def test_nobody_waits_for_a_timer(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody does is done when the bot has answered, also where a timer falls due within the next second; the
    timer goes on when it is time."""
    looked = list[int]()
    async with Playground(file, NOVEMBER) as playground:
        timers = bot_of(playground).timers
        tick = timers.tick

        async def counted() -> int:
            looked.append(playground.clock())
            return await tick()

        monkeypatch.setattr(timers, "tick", counted)
        due = playground.clock() + 1000
        with playground.env._bot_scope():
            timers.set(due)
        await playground.env.settle()
        looked.clear()
        await begin(playground)
        playground.wake()
        await playground.env.settle()
        assert [] == looked

        playground.env.backend.advance_clock(1)
        playground.wake()
        await playground.env.settle()
        assert [due] == looked


async def test_a_slow_bot_does_not_end_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be shown in time, or while a page is busy, is shown the next time."""
    refusals = [TimeoutError("bot did not settle while advancing time"), SetupError("a page is busy")]
    shown = asyncio.Event()

    async def show(pages: Pages) -> None:
        if refusals:
            raise refusals.pop()
        shown.set()

    monkeypatch.setattr(playground_module, "TICK_SECONDS", 0)
    monkeypatch.setattr(Pages, "show", show)
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        keeping_up = asyncio.create_task(pages.keep_up())
        waiting = asyncio.create_task(shown.wait())
        done, _ = await asyncio.wait((keeping_up, waiting), timeout=10, return_when=asyncio.FIRST_COMPLETED)
        keeping_up.cancel()

    assert done == {waiting}


async def test_what_comes_by_itself_is_shown_whatever_the_bot_does(file: Path) -> None:
    """Nobody waits until the bot has come to rest."""
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        await pages.show()
        with playground.env._bot_scope():
            busy = asyncio.create_task(asyncio.Event().wait())
        playground.guide("A word by itself.")
        showing = asyncio.create_task(pages.show())
        await asyncio.wait((showing,), timeout=10)
        preview = pages.pages[playground.channel.id]
        assert preview._python is not None
        assert "A word by itself." in str(preview._page_payload(preview._python))
        busy.cancel()


async def test_pages_take_turns(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody does while something is shown, or on two pages at once, is done, one after the other; the time goes
    on meanwhile."""
    running, ends, begun = asyncio.Event(), asyncio.Event(), list[str]()

    async def action(preview: Preview, context: str, _body: object) -> dict[str, Any]:
        begun.append(context)
        preview.env._begin_operation("preview.action")
        running.set()
        await ends.wait()
        preview.env._end_operation()
        return {}

    monkeypatch.setattr(Preview, "_action", action)
    monkeypatch.setattr(playground_module, "TICK_SECONDS", 0)
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        here, there = (pages.pages[channel.id] for channel in playground.channels)
        playground.guide("A word by itself.")
        showing = asyncio.create_task(pages.show())
        acting = [asyncio.create_task(page._action(name, {})) for page, name in ((here, "here"), (there, "there"))]
        await running.wait()
        assert showing.done()
        keeping_up, times = asyncio.create_task(pages.keep_up()), list[datetime]()
        for _ in range(100):
            await asyncio.sleep(0)
            times.append(playground.env.now())
        assert times[0] < times[50] < times[-1]
        assert begun == ["here"]
        ends.set()
        assert await asyncio.gather(*acting) == [{}, {}]
        keeping_up.cancel()

    assert begun == ["here", "there"]


@pytest.mark.welcome
async def test_the_welcome_is_there_each_time(file: Path) -> None:
    """Under the guide's words, on both servers, with buttons that begin a game."""
    for now in (NOVEMBER, NOVEMBER + 60_000):
        async with Playground(file, now) as playground:
            for channel in playground.channels:
                (welcome,) = said_in(playground, channel)
                assert "Play draughts and Chinese checkers with me" in welcome.content
            ana = playground.people[0]
            asked = await ana.click(said_in(playground, playground.channel)[0], label="Play the computer")
            assert asked.response is not None
            assert "Which game?" in asked.response.content


async def test_two_servers_and_direct_messages(file: Path) -> None:
    """The neighbours have a page and somebody who manages, for matches between servers; a game in direct messages has
    one too, and is there after a restart."""
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        gina, hugo = playground.neighbours
        match = {"name": "Derby", "variant": "pinoy", "clock": "3d", "boards": 1}
        answer = await playground.people[0].slash(playground.channel, "teams challenge", **match)
        assert answer.response is not None
        code = answer.response.content.split("code:")[1].split("`")[0]
        await gina.slash(playground.neighbours_channel, "teams accept", code=code)
        await gina.slash(playground.neighbours_channel, "teams lineup", players=f"<@{hugo.id}>")
        ana = playground.people[0]
        await ana.slash(playground.channel, "teams lineup", players=f"<@{playground.people[1].id}>")
        await playground.env.settle()
        for _ in range(3):
            await pages.show()
        (thread,) = playground.neighbours_channel.threads
        assert pages.pages[thread.id].url in str(playground.neighbours_channel.history()[-1].content)

        await playground.someone.slash("play", variant="spanish", level=1)
        await bot_of(playground).services.computer.idle()
        await playground.env.settle()
        (game,) = [one for one in await games_of(playground, ana) if one.place.guild_id is None]
        assert [playground.someone] == list(pages.pages[playground.direct_messages.id].viewers)

    async with Playground(file, NOVEMBER + 60_000) as playground, Pages(playground, None) as pages:
        assert any(message.attachments for message in said_in(playground, playground.direct_messages))
        (again,) = [one for one in await games_of(playground, playground.people[0]) if one.place.guild_id is None]
        assert game.id == again.id


async def games_of(playground: Playground, person: MemberActor) -> list[GameSummary]:
    """What a person plays."""
    return await bot_of(playground).services.games.lists.games_of(person.id)


def revision(shown: dict[str, Any]) -> int:
    found: int = shown["publication"]["publishedRevision"]
    return found


async def test_a_thread_has_a_page_of_its_own(file: Path) -> None:
    """A page shows one channel, so a new thread gets another, and the guide says where; also after a restart."""
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        await begin(playground)
        await begin(playground)
        await pages.show()
        (thread,) = playground.channel.threads

        assert pages.pages[thread.id].url in str(playground.channel.history()[-1].content)
        assert "begins" in str(await pages.pages[thread.id].snapshot())

    async with Playground(file, NOVEMBER + 60_000) as playground, Pages(playground, None) as pages:
        places = (*playground.channels, playground.direct_messages, thread)
        assert {place.id for place in places} == set(pages.pages)


async def test_pages_open_as_whoever_somebody_became(file: Path) -> None:
    """Carla chose herself on the channel's page: the thread's page opens as Carla, and so does the channel's anew."""
    async with Playground(file, NOVEMBER) as playground, Pages(playground, None) as pages:
        await begin(playground)
        await begin(playground)
        await pages.show()
        (thread,) = playground.channel.threads
        ana, carla = playground.people[0], playground.people[2]
        assert ana is pages.pages[thread.id]._open_page().viewer

        pages.pages[playground.channel.id]._open_page(carla.id)
        await pages.show()

        assert carla is pages.pages[thread.id]._open_page().viewer
        assert carla is pages.pages[playground.channel.id]._open_page().viewer
        assert set(playground.people) == set(pages.pages[thread.id].viewers)


def test_the_page_has_the_same_port_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its place in the browser can be kept; where another program has the port, any free one is taken."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        monkeypatch.setattr(playground_module, "PORT", held.getsockname()[1])
        held.listen()
        assert usual_port() is None
    assert playground_module.PORT == usual_port()


async def test_its_requests_are_good_ones(file: Path) -> None:
    """What the bot asks of Discord while it posts again is allowed by Discord's own document."""
    contract = openapi.contract()
    if contract is None:
        pytest.skip(openapi.LACKING)
    async with Playground(file, NOVEMBER) as playground:
        await begin(playground)
    async with Playground(file, NOVEMBER + 60_000) as playground:
        await begin(playground)

    assert [] == contract.problems(playground.env.http_requests)
