"""`damero try`: the bot in a simulated Discord, in the browser. No token, no network; games stay in a file.

The simulated Discord forgets everything when the command ends; the bot does not. People, server and channel are made
first and in one order, which gives them the same ids each time, so that stored games find their players and channels
again. Its clock goes on after everything that is stored, so that no new message takes the id of an old one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

import discord
from simcord import ChannelHandle, Env, MemberActor, Preview, SetupError
from simcord.builders import UserHandle

from bot import logs
from bot.chat.client import utc_milliseconds
from bot.chat.onboarding import welcome
from bot.chat.sharding import create_bot
from bot.computer.endgames.lookup import look_in
from bot.games.model.announcements import BoardPosted, Offered, to_json
from bot.games.model.game import OfferKind
from bot.games.model.timers import ClockTimer
from bot.settings import Settings
from bot.support.complaints import complain, of_file
from data.queries import announcements, key_values, repost
from data.store import Store, StoreError

FILE = "damero.sqlite3"
# As many as the largest table seats.
PEOPLE = ("Ana", "Ben", "Carla", "Dario", "Elif", "Femi")
SERVER = "Games club"
CHANNEL = "draughts"
# For matches between servers; the first of them manages theirs.
NEIGHBOURS = ("Gina", "Hugo")
NEIGHBOURS_SERVER = "The neighbours"
TICK_SECONDS = 0.25
PATIENCE = 10.0
"""Seconds that the bot may take for what somebody does on a page."""
PORT = 8765
WELCOME = """**Welcome to the playground.** This is a simulated Discord: nothing leaves your computer.
1. Type `/play` and a game's first letters (`spanish`, `tama`, `checkers`), choose it and, if you like, an opponent:
   {names} are here, and Damero plays too.
   With the list of choices open, Enter takes the first one; the arrow at the right sends the command.
2. Become somebody else with **Viewing as**, at the top, and press **Accept**.
3. Press **Move** and tap the piece, then where it goes; or type your move, in Pinoy Dama `c3-d4`. `/help` tells more.
4. {manager} manages the server: tournaments, leagues, `/server puzzle` and `/server settings` are hers to set up.
5. Below, Damero greets the server, as it does wherever it is invited: its buttons begin a first game.

What you play is kept in `{file}`, and is here again next time."""


def run(*, data: Path, port: int | None = None, browser: bool = True) -> int:
    """Serve the playground on loopback until it is ended, its games in the folder `data`. Returns the exit status."""
    logs.set_up("warning", "text", sys.stderr)
    try:
        data.mkdir(parents=True, exist_ok=True)
        look_in(data / "endgames")
        asyncio.run(_serve(data / FILE, usual_port() if port is None else port, browser))
    except (SetupError, StoreError) as error:
        if "could not bind" in str(error):
            complain(f"Port {port} is taken, or closed to you. Choose another, or leave --port out.")
            return 2
        complain(f"{str(error).rstrip('.')}.")
        return 1
    except OSError as error:
        complain(of_file(error, "used"))
        return 1
    return 0


def usual_port() -> int | None:
    """The port that the page always has, so that its place in the browser can be kept; None where it is taken."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", PORT))
        except OSError:
            return None
    return PORT


async def _serve(file: Path, port: int | None, browser: bool) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with Playground(file, utc_milliseconds()) as playground, Pages(playground, port) as pages:
        sys.stdout.write(f"Damero's playground: {pages.url}\nGames are kept in {file}. End with Ctrl+C.\n")
        sys.stdout.flush()
        if browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, pages.url)
        tasks = [asyncio.create_task(work) for work in (pages.wait_closed(), stop.wait(), pages.keep_up())]
        waking = asyncio.create_task(playground.bot.services.workers.start(), name="workers")
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (*tasks, waking):
                task.cancel()
            await asyncio.gather(*tasks, waking, return_exceptions=True)


def _has_screen() -> bool:
    # Without one, a browser that runs in the terminal would take it over.
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Playground:
    """A simulated Discord with people in it and the bot on `file`. Use it with `async with`."""

    def __init__(self, file: Path, now: int) -> None:
        """`now` is the real time, UTC in milliseconds."""
        self._settings = Settings(database_url=f"sqlite+aiosqlite:///{file}", message_content=True)
        self._file = file
        self._now = now
        self._sleeping: list[tuple[float, asyncio.Future[None]]] = []
        self.bot = create_bot(self._settings, clock=self.clock, sleep=self._sleep)
        self.env = Env(self.bot, check_errors=False, settle_timeout=PATIENCE)
        self.people: list[MemberActor] = []
        self.neighbours: list[MemberActor] = []
        self.channel: ChannelHandle
        self.neighbours_channel: ChannelHandle
        self.someone: UserHandle
        self.direct_messages: ChannelHandle
        """Those of ``someone`` and the bot."""

    def clock(self) -> int:
        """The simulated Discord's time, UTC in milliseconds."""
        return round(self.env.now().timestamp() * 1000)

    async def _sleep(self, seconds: float) -> None:
        """How the bot's timers pass time: what somebody does on a page is waited for until all is at rest, and would
        wait for a timer that is due within the next seconds. Until ``wake`` is called."""
        ends = asyncio.get_running_loop().create_future()
        self._sleeping.append((self.clock() + seconds * 1000, ends))
        await self.env.external_wait(ends, reason="a timer")

    def wake(self) -> None:
        """Let the bot's timers go on for which it is time."""
        now = self.clock()
        for until, ends in self._sleeping:
            if until <= now and not ends.done():
                ends.set_result(None)
        self._sleeping = [(until, ends) for until, ends in self._sleeping if not ends.done()]

    async def __aenter__(self) -> Playground:
        # Before the bot starts, whose commands take ids too: a new command must not move the people's.
        self._people_the_server()
        store = Store(self._settings.database_url)
        await store.open()
        try:
            async with store.read() as tx:
                stored = await repost.latest(tx)
            behind = max(self._now, (stored or 0) + 1000) - self.clock()
            self.env.backend.advance_clock(max(behind, 0) / 1000)
            names = ", ".join(PEOPLE[:-1]) + f" and {PEOPLE[-1]}"
            self.guide(WELCOME.format(names=names, manager=PEOPLE[0], file=self._file))
            await self._post_again(store)
        finally:
            await store.close()
        await self.env.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            await self.env.bot.close()
        finally:
            await self.env.shutdown()

    @property
    def channels(self) -> tuple[ChannelHandle, ChannelHandle]:
        """The channel of each server."""
        return self.channel, self.neighbours_channel

    def guide(self, text: str, channel: ChannelHandle | None = None) -> None:
        """Tell whoever tries the bot how things are done here, in the channel, or in the other server's."""
        self.env.backend.create_message((channel or self.channel).id, self._guide, text)

    def viewers_of(self, channel: ChannelHandle) -> list[MemberActor] | list[UserHandle]:
        """Whoever can be there."""
        if channel.guild is None:
            return [self.someone]
        return self.people if channel.guild.id == self.people[0].guild.id else self.neighbours

    def _people_the_server(self) -> None:
        # In an order that lets more people be added at the end without giving the others new ids.
        env = self.env
        env.backend.edit_bot_profile("Damero")
        guide = env.create_user("guide", global_name="Guide")
        guild = env.create_guild(SERVER, owner=guide)
        self.channel = guild.create_text_channel(CHANNEL)
        self.people = [guild.add_member(env.create_user(name.lower(), global_name=name)) for name in PEOPLE]
        self._guide = guide.id
        # The role after the people, whose ids it must not move.
        manages = guild.create_role("Manager", permissions=discord.Permissions(manage_guild=True, manage_events=True))
        env.backend.add_member_role(guild.id, self.people[0].id, manages.id)
        other = env.create_guild(NEIGHBOURS_SERVER, owner=guide)
        self.neighbours_channel = other.create_text_channel(CHANNEL)
        self.neighbours = [other.add_member(env.create_user(name.lower(), global_name=name)) for name in NEIGHBOURS]
        theirs = other.create_role("Manager", permissions=discord.Permissions(manage_guild=True, manage_events=True))
        env.backend.add_member_role(other.id, self.neighbours[0].id, theirs.id)
        self.someone = UserHandle(env, env.backend.get_user(self.people[0].id))
        self.direct_messages = self.someone.dm_channel

    async def _post_again(self, store: Store) -> None:
        """Have the boards of running games, open challenges and standing offers posted anew, in threads of their own
        where they had one: the messages went with the last run's Discord."""
        async with store.write() as tx:
            # The bot comes to these servers each time.
            await key_values.put(tx, welcome.MET, "[]")
            places = (*self.channels, self.direct_messages)
            await repost.let_wait(tx, [place.id for place in places], self.clock())
            for row in await repost.waiting(tx):
                content = _said(row)
                if content is not None:
                    # Until when its player has time a board says anew.
                    await announcements.rewrite(tx, row.id, {**to_json(content), **row.payload})
            for parent in self.channels:
                for game_id, channel_id in (await repost.own_channels(tx, parent.id)).items():
                    self.env.backend.create_thread(
                        parent.id,
                        f"Game {game_id}",
                        self.env.backend.bot_user.id,
                        message_id=channel_id,
                        broadcast=False,
                    )


def _said(row: repost.RepostRow) -> BoardPosted | Offered | None:
    """What an announcement said: it was kept no longer once it had been said, and is made out anew."""
    if row.offer_kind is not None:
        return Offered(offer_kind=cast(OfferKind, row.offer_kind), by=row.by, back_to=row.back_to)
    if row.kind == "board":
        due = None if row.timer is None else ClockTimer.of(row.timer).due
        return BoardPosted(event="turn" if row.ply else "start", due=due)
    return None


class Pages:
    """The browser's side: a page for each channel and thread and for direct messages, as a preview shows one of them.

    A page shows what its own actions bring by itself; all else has to be published. Doing so without need would make
    the page's next action come too late, and be refused."""

    def __init__(self, playground: Playground, port: int | None) -> None:
        self._playground = playground
        self._port = port
        self._env: Any = playground.env
        self.pages: dict[int, Preview] = {}
        # Who looks at each opened page, and whoever somebody became last, by page or server.
        self._lookers: dict[tuple[int, str], MemberActor | UserHandle] = {}
        self._became: list[MemberActor | UserHandle] = []
        self._unseen: set[int] = set()
        # A page for which the simulated Discord has no time believes that nobody knows whether it was heard, for good.
        self._in_turn = asyncio.Lock()
        self._edited: dict[int, str] = {}
        self._closing = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Pages:
        playground = self._playground
        await self._open_page(playground.channel, self._port)
        self._env.backend.subscribers.append(self._happened)
        theirs = await self._open_page(playground.neighbours_channel, None)
        private = await self._open_page(playground.direct_messages, None)
        manager, other = NEIGHBOURS
        elsewhere = f"[**{NEIGHBOURS_SERVER}**]({theirs.url}), the server of {manager}, who manages it, and {other}"
        alone = f"[{PEOPLE[0]}'s direct messages with Damero]({private.url})"
        playground.guide(f"There is more than this channel: {elsewhere} (for `/teams`), and {alone}.")
        await self._open_threads()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._env.backend.subscribers.remove(self._happened)
        await self._closing.aclose()

    @property
    def url(self) -> str:
        """The address of the channel's page. Whoever has it can act as everybody there."""
        return self._channel.url

    @property
    def _channel(self) -> Preview:
        return self.pages[self._playground.channel.id]

    async def wait_closed(self) -> None:
        """Return when somebody ends the session on the channel's page."""
        await self._channel.wait_closed()

    async def keep_up(self) -> None:
        """Let the clock run, and show what comes by itself. Never ends."""
        loop = asyncio.get_running_loop()
        before = loop.time()
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self._env.backend.advance_clock(loop.time() - before)
            before = loop.time()
            self._playground.wake()
            if not self._in_turn.locked():
                # What could not be done is done the next time.
                with contextlib.suppress(SetupError, TimeoutError):
                    await self.show()

    async def show(self) -> None:
        """Open pages for new threads, and publish what pages do not show yet, when nobody's action runs."""
        async with self._in_turn:
            await self._open_threads()
            self._look_at_private_edits()
            self._look_who_looks()
            for channel_id in self._unseen:
                self._publish(self.pages[channel_id])
            self._unseen.clear()

    @staticmethod
    def _publish(preview: Preview) -> None:
        # As its refresh() does, but that waits until the bot is at rest, and nobody can act meanwhile.
        if not preview._closed:
            preview._advance_presentation_time()
            for page in tuple(preview._pages.values()):
                if page.id in preview._pages:
                    preview._publish(page, reason="refresh")

    async def _open_threads(self) -> None:
        for channel in self._playground.channels:
            for thread in channel.threads:
                if thread.id not in self.pages:
                    page = await self._open_page(thread, None)
                    told = f"The thread **{thread.name}** has [a page of its own]({page.url})."
                    self._playground.guide(told, channel)

    async def _open_page(self, channel: ChannelHandle, port: int | None) -> Preview:
        # An environment takes one preview at a time; that it needs to know the others is all that stands against more.
        self._env._preview = None
        try:
            viewers = self._playground.viewers_of(channel)
            page: Preview = self._env.preview(channel, viewers=viewers, layout="channel", port=port)
            vars(page)["_action"] = partial(self._act, page._action)
            self.pages[channel.id] = await self._closing.enter_async_context(page)
        finally:
            self._env._preview = _All(self.pages)
        return page

    async def _act(self, action: Callable[..., Awaitable[dict[str, Any]]], *given: Any) -> dict[str, Any]:
        """What somebody does on a page, after what others do."""
        async with self._in_turn:
            return await action(*given)

    def _look_who_looks(self) -> None:
        """A page opens as its first viewer: let that be whoever somebody became last, on whichever page of a server."""
        for channel_id, page in self.pages.items():
            for opened in page._pages.values():
                key = channel_id, opened.id
                if self._lookers.setdefault(key, page.viewers[0]) is not opened.viewer:
                    self._lookers[key] = opened.viewer
                    self._became = [opened.viewer, *(one for one in self._became if one is not opened.viewer)]
        for page in self.pages.values():
            lately = [one for one in self._became if one in page.viewers]
            page.viewers = (*lately, *(one for one in page.viewers if one not in lately))

    def _look_at_private_edits(self) -> None:
        """An answer that only one person sees and that is edited later, such as a hint, sends no event."""
        for channel_id, page in self.pages.items():
            messages = self._env.backend.messages[channel_id].values()
            edited = max((message.edited_timestamp or "" for message in messages if message.is_ephemeral), default="")
            if edited != self._edited.get(channel_id, "") and page._active_action is None:
                self._edited[channel_id] = edited
                self._unseen.add(channel_id)

    def _happened(self, _event: str, payload: Any) -> None:
        """Something changed in the simulated Discord."""
        channel_id = int(payload.get("channel_id") or 0)
        page = self.pages.get(channel_id)
        if page is not None and page._active_action is None:
            self._unseen.add(channel_id)


class _All:
    """What an environment asks of its preview, asked of every page."""

    _closed = False

    def __init__(self, pages: Mapping[int, Preview]) -> None:
        self._pages = pages

    def _mark_action_dispatched(self) -> None:
        for page in self._pages.values():
            page._mark_action_dispatched()
