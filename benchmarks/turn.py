"""What a turn costs, from the gateway's message to the finished request, against its floor in the same run.

    python benchmarks/turn.py [--turns 300] [--rate 40] [--seconds 20]

The bot runs as it does for real (store, engine, pictures, delivery, discord.py's own HTTP client) against a server on
loopback in a process of its own. The floor is what no design can leave out: one durable SQLite commit, one PNG encode
of the same board, one POST of the same bytes with aiohttp, one after the other.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import io
import itertools
import json
import logging
import multiprocessing
import random
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
import discord
import structlog
from aiohttp import web
from PIL import Image

import render
from bot.chat.client import Damero, create_bot
from bot.chat.games.delivery import Delivery
from bot.games.model.game import Place
from bot.presentation.board_scene import scene_of
from bot.settings import Settings
from render.canvas import png as png_of
from tests.support.discord.parts import part

ME, GUILD = 1000, 2000
FIRST_CHANNEL, FIRST_PERSON = 3000, 5000
TARGET_RATIO, TARGET_LATE_MS = 5.0, 10.0


# The other side: answers at once with what discord.py needs


def serve(port: multiprocessing.connection.Connection) -> None:
    """Run the stand-in in this process; its port goes out by ``port``."""
    ids = itertools.count(10_000_000)
    user = {"id": str(ME), "username": "damero", "discriminator": "0", "avatar": None, "bot": True}

    async def answer(request: web.Request) -> web.Response:
        body = await request.read()
        path = request.path
        if path.endswith("/users/@me"):
            return _json(user)
        if "/users/" in path:
            return _json(user | {"id": path.rsplit("/", 1)[-1], "username": "ana", "bot": False})
        if path.endswith("/oauth2/applications/@me"):
            app = {"id": str(ME), "name": "damero", "icon": None, "description": "", "bot_public": True}
            return _json(app | {"bot_require_code_grant": False, "verify_key": "", "owner": user, "flags": 0})
        if path.endswith("/commands"):
            listed = json.loads(body) if body else []
            common = {"application_id": str(ME), "version": "1", "description": ""}
            return _json([common | c | {"id": str(next(ids))} for c in listed])
        channel = path.rsplit("/", 2)[-2]
        return _json(_message(str(next(ids)), channel, user, ""))

    async def run() -> None:
        app = web.Application(client_max_size=8 * 1024 * 1024)
        app.router.add_route("*", "/{tail:.*}", answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run())


def _json(value: object) -> web.Response:
    # discord.py reads JSON only where the type says so and nothing more (no charset).
    return web.Response(body=json.dumps(value).encode(), content_type="application/json")


def _message(message_id: str, channel: str, author: dict[str, Any], content: str) -> dict[str, Any]:
    return {
        "id": message_id,
        "channel_id": channel,
        "author": author,
        "content": content,
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "components": [],
    }


# The bot's side


class Bench:
    """A started bot with running games, fed by hand with what the gateway would bring."""

    def __init__(self, folder: Path, base: str) -> None:
        discord.http.Route.BASE = base
        url = f"sqlite+aiosqlite:///{folder / 'bench.sqlite3'}"
        self.bot: Damero = create_bot(Settings(database_url=url, message_content=True))
        self.message_ids = itertools.count(700_000_000)
        self.done: dict[int, asyncio.Future[float]] = {}
        self.lots = random.Random(1)
        self.channels: list[int] = []
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._request_ended)
        self.bot.http.http_trace = trace

    async def _request_ended(self, _session: object, _context: object, ended: aiohttp.TraceRequestEndParams) -> None:
        if ended.method == "POST" and ended.url.path.endswith("/messages"):
            waiting = self.done.get(int(ended.url.path.rsplit("/", 2)[-2]))
            if waiting is not None and not waiting.done():
                waiting.set_result(time.perf_counter())

    async def open(self, games: int) -> None:
        await self.bot.login("bench")
        state: Any = self.bot._connection
        guild = {"id": str(GUILD), "name": "bench", "owner_id": "1", "roles": [], "members": [], "emojis": []}
        state._add_guild_from_data(guild | {"channels": [], "member_count": 3})
        for n in range(games):
            channel, ana, ben = FIRST_CHANNEL + n, FIRST_PERSON + 2 * n, FIRST_PERSON + 2 * n + 1
            await self.new_game(channel, ana, ben)
            self.channels.append(channel)

    async def new_game(self, channel: int, ana: int, ben: int) -> None:
        games = self.bot.services.games
        opened = await games.challenges.open(
            source=f"o:{next(self.message_ids)}",
            opener=ana,
            opponent=ben,
            variant="pinoy",
            options={},
            side="first",
            place=Place(GUILD, channel),
        )
        game = await games.challenges.accept(opened.id, ben, f"a:{next(self.message_ids)}")
        self.bot.services.games_changed.send(game)
        # Into the middle of the game, where boards and captures are.
        for _ in range(16):
            turns = game.rules.turns(game.state)
            if not turns or game.to_move is None:
                break
            text = self.lots.choice(turns).text
            game = await games.moves.turn(game.id, game.to_move, text, f"s:{next(self.message_ids)}")
        self.bot.services.games_changed.send(game)
        while running := set(part(self.bot, Delivery).tasks):
            await asyncio.wait(running)

    async def turn(self, channel: int) -> float:
        """Seconds from the message's arrival to the end of the board's POST."""
        game = await self.bot.services.games.running_in(channel)
        if game is None:
            n = channel - FIRST_CHANNEL
            await self.new_game(channel, FIRST_PERSON + 2 * n, FIRST_PERSON + 2 * n + 1)
            return await self.turn(channel)
        text = self.lots.choice(game.rules.turns(game.state)).text
        author = {"id": str(game.to_move), "username": "ana", "discriminator": "0", "avatar": None}
        data = _message(str(next(self.message_ids)), str(channel), author, text)
        data |= {"guild_id": str(GUILD), "member": {"roles": [], "joined_at": None, "deaf": False, "mute": False}}
        waiting: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.done[channel] = waiting
        started = time.perf_counter()
        self.bot._connection.parse_message_create(data)  # type: ignore[arg-type]
        return await asyncio.wait_for(waiting, 30) - started


async def lateness(found: list[float]) -> None:
    """How late the loop comes to a timer of 5 ms, again and again."""
    while True:
        due = time.perf_counter() + 0.005
        await asyncio.sleep(0.005)
        found.append((time.perf_counter() - due) * 1000)


# The floor


async def floor(folder: Path, url: str, turns: int, png: bytes) -> dict[str, list[float]]:
    """Milliseconds of one durable commit, one PNG encode and one POST, and of the three in a row."""
    connection = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE turns (game INTEGER, ply INTEGER, text TEXT, PRIMARY KEY (game, ply))")
    image = Image.open(io.BytesIO(png))
    image.load()
    found: dict[str, list[float]] = {"commit": [], "encode": [], "post": [], "all three": []}
    async with aiohttp.ClientSession() as session:
        for n in range(turns):
            times = [time.perf_counter()]
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO turns VALUES (1, ?, 'c3-d4')", (n,))
            connection.execute("COMMIT")
            times.append(time.perf_counter())
            encoded = png_of(image)
            times.append(time.perf_counter())
            form = aiohttp.FormData()
            form.add_field("payload_json", json.dumps({"content": "c3-d4"}))
            form.add_field("files[0]", encoded, filename="board.png", content_type="image/png")
            async with session.post(url, data=form) as answer:
                await answer.read()
            times.append(time.perf_counter())
            for name, (before, after) in zip(found, itertools.pairwise(times), strict=False):
                found[name].append((after - before) * 1000)
            found["all three"].append((times[-1] - times[0]) * 1000)
    connection.close()
    return found


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def told(name: str, values: list[float]) -> None:
    p50, p95, p99 = statistics.median(values), percentile(values, 0.95), percentile(values, 0.99)
    print(f"{name:34} p50 {p50:7.2f}   p95 {p95:7.2f}   p99 {p99:7.2f} ms   ({len(values)})")


async def bench(arguments: argparse.Namespace, port: int) -> None:
    base = f"http://127.0.0.1:{port}/api/v10"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = Bench(folder, base)
        await run.open(20)
        game = await run.bot.services.games.running_in(run.channels[0])
        assert game is not None
        png = render.draw(scene_of(game, ["Ana", "Ben"]))
        # Floor and turns in turns, so that both see the same machine.
        floors: dict[str, list[float]] = {}
        alone: list[float] = []
        for part in range(5):
            (folder / str(part)).mkdir()
            measured = await floor(folder / str(part), f"{base}/channels/1/messages", arguments.turns // 5, png)
            for key, values in measured.items():
                floors.setdefault(key, []).extend(values)
            alone += [await run.turn(run.lots.choice(run.channels)) * 1000 for _ in range(arguments.turns // 5)]
        for key, values in floors.items():
            told(f"floor: {key}", values)
        told("a turn, message to request", alone)
        ratio = statistics.median(alone) / statistics.median(floors["all three"])
        print(f"ratio of a turn to the floor: {ratio:.2f} (to be at most {TARGET_RATIO:g})\n")

        late: list[float] = []
        watching = asyncio.create_task(lateness(late))
        taken: list[float] = []
        pending: set[asyncio.Task[float]] = set()
        free = list(run.channels)

        def played(channel: int, done: asyncio.Task[float]) -> None:
            free.append(channel)
            taken.append(done.result())

        ends = time.perf_counter() + arguments.seconds
        due = time.perf_counter()
        while time.perf_counter() < ends:
            due += run.lots.expovariate(arguments.rate)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if not free:
                continue
            channel = free.pop(run.lots.randrange(len(free)))
            task = asyncio.create_task(run.turn(channel))
            task.add_done_callback(functools.partial(played, channel))
            pending.add(task)
            task.add_done_callback(pending.discard)
        await asyncio.gather(*pending)
        watching.cancel()
        print(
            f"{len(taken) / arguments.seconds:.1f} turns a second for {arguments.seconds} s ({arguments.rate} asked):"
        )
        told("a turn, message to request", [seconds * 1000 for seconds in taken])
        told("the event loop is late by", late)
        print(f"p99 {percentile(late, 0.99):.2f} ms (to be at most {TARGET_LATE_MS:g})")
        await run.bot.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--rate", type=float, default=40.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    server.start()
    try:
        asyncio.run(bench(arguments, here.recv()))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
