"""`damero try`: the bot in a simulated Discord, in the browser. No token, no network; games stay in a file.

The simulated Discord forgets everything when the command ends; the bot does not. People, server and channel are made
first and in one order, which gives them the same ids each time, so that stored games find their players and channels
again. Its clock goes on after everything that is stored, so that no new message takes the id of an old one.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import webbrowser
from pathlib import Path
from typing import Any

from simcord import ChannelHandle, Env, MemberActor, Preview, SetupError

from bot import logs
from bot.chat.client import create_bot, utc_milliseconds
from bot.settings import Settings
from data import again
from data.store import Store, StoreError

FILE = "damero.sqlite3"
PEOPLE = ("Ana", "Ben", "Carla", "Dario")
SERVER = "Games club"
CHANNEL = "draughts"
TICK_SECONDS = 0.25
WELCOME = """**Welcome to the playground.** This is a simulated Discord: nothing leaves your computer.
1. Type `/play`, choose a game and, if you like, an opponent: {names} are here.
2. Become somebody else with **Viewing as**, at the top, and press **Accept**.
3. Move by typing, for example `c3-d4`, or with the **Move** button. `/help` tells the rest.

What you play is kept in `{file}`, and is here again next time."""


def run(*, data: Path, port: int | None = None, browser: bool = True) -> int:
    """Serve the playground on loopback until it is ended; games are kept in the folder `data`. Returns the exit status;
    what is wrong is said on standard error."""
    logs.set_up("warning", "text", sys.stderr)
    try:
        data.mkdir(parents=True, exist_ok=True)
        asyncio.run(_serve(data / FILE, port, browser))
    except (SetupError, StoreError, OSError) as error:
        sys.stderr.write(f"damero: {error}\n")
        return 1
    return 0


async def _serve(file: Path, port: int | None, browser: bool) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with Playground(file, utc_milliseconds()) as playground, playground.preview(port) as preview:
        sys.stdout.write(f"Damero's playground: {preview.url}\nGames are kept in {file}. End with Ctrl+C.\n")
        sys.stdout.flush()
        if browser:
            await asyncio.to_thread(webbrowser.open, preview.url)
        tasks = [
            asyncio.create_task(work) for work in (preview.wait_closed(), stop.wait(), playground.keep_up(preview))
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class Playground:
    """A simulated Discord with people in it and the bot on `file`. Use it with `async with`."""

    def __init__(self, file: Path, now: int) -> None:
        """`now` is the real time, UTC in milliseconds."""
        self._settings = Settings(database_url=f"sqlite+aiosqlite:///{file}", message_content=True)
        self._file = file
        self._now = now
        self.env = Env(create_bot(self._settings, clock=self.clock), check_errors=False)
        self.people: list[MemberActor] = []
        self.channel: ChannelHandle
        self.unseen = False

    def clock(self) -> int:
        """The simulated Discord's time, UTC in milliseconds."""
        return round(self.env.now().timestamp() * 1000)

    async def __aenter__(self) -> Playground:
        # Before the bot starts, whose commands take ids too: a new command must not move the people's.
        self._people_the_server()
        store = Store(self._settings.database_url)
        await store.open()
        try:
            async with store.read() as tx:
                stored = await again.latest(tx)
            behind = max(self._now, (stored or 0) + 1000) - self.clock()
            self.env.backend.advance_clock(max(behind, 0) / 1000)
            self._welcome()
            await self._post_again(store)
        finally:
            await store.close()
        self.env.backend.subscribers.append(self._happened)
        await self.env.start()
        self.unseen = False
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            await self.env.bot.close()
        finally:
            await self.env.shutdown()

    def preview(self, port: int | None) -> Preview:
        """The page, not yet served."""
        return self.env.preview(self.channel, viewers=self.people, layout="channel", port=port, timezone="UTC")

    async def keep_up(self, preview: Preview) -> None:
        """Let the clock run, and show what is posted outside of the page's own actions. Never ends."""
        loop = asyncio.get_running_loop()
        before = loop.time()
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.env.backend.advance_clock(loop.time() - before)
            before = loop.time()
            if self.unseen:
                # While an action of the page runs this is refused; the action then shows everything itself.
                with contextlib.suppress(SetupError):
                    await preview.refresh()
                    self.unseen = False

    def _happened(self, event: str, payload: Any) -> None:
        """Something changed in the simulated Discord. What the page does itself it also shows itself; showing it twice
        would make the page's next action stale."""
        self.unseen = self.unseen or self.env._operation_task is None

    def _people_the_server(self) -> None:
        env = self.env
        env.backend.edit_bot_profile("Damero")
        users = [env.create_user(name.lower(), global_name=name) for name in PEOPLE]
        guide = env.create_user("guide", global_name="Guide")
        guild = env.create_guild(SERVER, owner=guide)
        self.channel = guild.create_text_channel(CHANNEL)
        self.people = [guild.add_member(user) for user in users]
        self._guide = guide.id

    def _welcome(self) -> None:
        names = ", ".join(PEOPLE[:-1]) + f" and {PEOPLE[-1]}"
        self.env.backend.create_message(self.channel.id, self._guide, WELCOME.format(names=names, file=self._file))

    async def _post_again(self, store: Store) -> None:
        """Have the boards of running games, open challenges and standing offers posted anew, in threads of their own
        where they had one: the messages went with the last run's Discord."""
        async with store.write() as tx:
            await again.post_again(tx, [self.channel.id], self.clock())
            for game_id, channel_id in (await again.own_channels(tx, self.channel.id)).items():
                self.env.backend.create_thread(
                    self.channel.id,
                    f"Game {game_id}",
                    self.env.backend.bot_user.id,
                    message_id=channel_id,
                    broadcast=False,
                )
