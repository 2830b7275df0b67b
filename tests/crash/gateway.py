"""As much of Discord's gateway as a game needs: servers and their channels, connections that are cut and resumed with
what was missed or begin anew, events sent twice and out of order."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import orjson
from aiohttp import WSMsgType, web

TOKEN = "MTIz.good.token"
ME, GUILD = 123, 2000
ALL = (1 << 50) - 1
DISCORD_EPOCH = 1420070400
# How many of the connections that were cut may be resumed.
RESUMABLE = 0.7

Json = dict[str, Any]


def user(person: int) -> Json:
    bot = {"bot": True} if person == ME else {}
    return {
        "id": str(person),
        "username": f"u{person}",
        "discriminator": "0",
        "avatar": None,
        "global_name": None,
    } | bot


def member(person: int) -> Json:
    about = {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0}
    return {**about, "nick": None, "avatar": None, "permissions": str(ALL), "user": user(person)}


# What may be told of again seconds later, when the game has gone on.
_DONE_BY_PEOPLE = ("MESSAGE_CREATE", "INTERACTION_CREATE")


class Session:
    """A connection of the gateway, and what was sent in it, by its numbers, until it is resumed no more."""

    def __init__(self) -> None:
        self.name = ""
        self.socket: web.WebSocketResponse | None = None
        self.sequence = 0
        self.sent: list[tuple[int, str, Json]] = []
        self.up = asyncio.Event()


class Gateway:
    """Servers, over which the channels are dealt out, at least one for each of ``shards``, and the connections through
    which the bot hears of them. ``up`` is set while all shards are connected. ``threads`` are the channels of threads;
    ``moved`` those in the place of which there are others; ``later`` is by how many seconds the clocks are ahead."""

    def __init__(self, channels: list[int], lots: random.Random, shards: int = 1, servers: int = 1) -> None:
        self.channels = {channel: number % max(shards, servers) for number, channel in enumerate(channels)}
        self.servers = max(shards, servers)
        self.sessions = [Session() for _ in range(shards)]
        self.lots = lots
        self.faults = 0.0
        self.threads: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self.private_channels: dict[int, int] = {}
        self.moved: dict[int, int] = {}
        self.done: dict[str, int] = {}
        self.up = asyncio.Event()
        self.port = 0
        self.later = 0.0
        self._id = 0
        self._held: list[tuple[str, Json]] = []
        self._again: list[tuple[float, str, Json]] = []

    def now(self) -> float:
        """Seconds since 1970, as all clocks say here."""
        return time.time() + self.later

    def next_id(self) -> int:
        """A snowflake of now: times are read out of them."""
        self._id = max(self._id + 1, int((self.now() - DISCORD_EPOCH) * 1000) << 22)
        return self._id

    def home_of(self, channel: int) -> int:
        """The channel to which a thread, or a channel in the place of another, belonged from the beginning."""
        while (before := self.threads.get(channel, self.moved.get(channel))) is not None:
            channel = before
        return channel

    def is_gone(self, channel: int) -> bool:
        """Whether a channel, or that of a thread, was deleted."""
        return self.threads.get(channel, channel) in self.moved.values()

    def is_there(self, channel: int) -> bool:
        """Whether there is such a channel, which is no thread."""
        return (channel in self.channels or channel in self.moved) and channel not in self.moved.values()

    async def replace(self, channel: int) -> int:
        """A channel is deleted, and another made in its place, whose id is returned."""
        gone = self._channel(channel)
        new = self.next_id()
        self.moved[new] = channel
        await self._event("CHANNEL_DELETE", gone)
        await self._event("CHANNEL_CREATE", self._channel(new))
        return new

    def down(self) -> None:
        """The bot is dead: nobody is connected, whatever has not been noticed yet."""
        self.up.clear()
        for session in self.sessions:
            session.up.clear()

    def shard_of(self, channel: int) -> int:
        """Of a channel, or a thread; direct messages are the first's."""
        return self.channels.get(self.home_of(channel), 0) % len(self.sessions)

    def up_in(self, channel: int) -> asyncio.Event:
        """Set while the bot hears of what happens in a channel."""
        return self.sessions[self.shard_of(channel)].up

    def guild_of(self, channel: int) -> str:
        """The server of a channel or a thread."""
        return str(GUILD + (self.channels[self.home_of(channel)] << 22))

    def _channel(self, channel: int) -> Json:
        about = {"id": str(channel), "type": 0, "name": f"c{channel}", "position": 0, "permission_overwrites": []}
        return {**about, "guild_id": self.guild_of(channel)}

    def _thread_data(self, thread: int) -> Json:
        metadata: Json = {"archived": False, "auto_archive_duration": 10080, "locked": False}
        metadata |= {"archive_timestamp": "2026-01-01T00:00:00+00:00"}
        about: Json = {
            "id": str(thread),
            "type": 11,
            "name": self.names.get(thread, "t"),
            "guild_id": self.guild_of(thread),
            "owner_id": str(ME),
        }
        about |= {"parent_id": str(self.threads[thread]), "message_count": self._written(thread), "member_count": 1}
        return about | {"thread_metadata": metadata}

    def _written(self, thread: int) -> int:
        """How many messages stand in a thread."""
        return 0

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41_250}})
        session: Session | None = None
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            payload = message.json(loads=orjson.loads)
            if payload["op"] == 1:
                await socket.send_json({"op": 11})
            elif payload["op"] == 6:
                session = await self._resumed(socket, payload["d"]) or session
            elif payload["op"] == 2:
                session = await self._begun(socket, payload["d"].get("shard", [0, 1])[0])
        if session is not None and session.socket is socket:
            session.socket = None
            session.up.clear()
            self.up.clear()
        return socket

    async def _begun(self, socket: web.WebSocketResponse, shard: int) -> Session:
        session, count = self.sessions[shard], len(self.sessions)
        session.socket, session.sequence, session.name = socket, 0, f"s{self.next_id()}"
        session.sent.clear()
        url, guilds = f"ws://127.0.0.1:{self.port}/gateway", self._guilds(shard)
        ready: Json = {
            "v": 10,
            "user": user(ME),
            "guilds": [{"id": each["id"], "unavailable": True} for each in guilds],
        }
        ready |= {"session_id": session.name, "application": {"id": str(ME), "flags": 0}}
        await self._event("READY", ready | {"resume_gateway_url": url, "shard": [shard, count]}, session)
        for guild in guilds:
            await self._event("GUILD_CREATE", guild, session)
        self._is_up(session)
        return session

    def _is_up(self, session: Session) -> None:
        session.up.set()
        if all(each.up.is_set() for each in self.sessions):
            self.up.set()

    async def _resumed(self, socket: web.WebSocketResponse, asked: Json) -> Session | None:
        """Go on with a session, what was missed first; or let it begin anew."""
        session = next((each for each in self.sessions if each.name == asked["session_id"]), None)
        if session is None or self.lots.random() > RESUMABLE:
            await socket.send_json({"op": 9, "d": False})
            return None
        session.socket = socket
        for missed in [each for each in session.sent if each[0] > asked["seq"]]:
            await self._tell(session, *missed)
        await self._event("RESUMED", {}, session)
        self.done["resumed"] = self.done.get("resumed", 0) + 1
        self._is_up(session)
        return session

    def _guilds(self, shard: int) -> list[Json]:
        """The servers of a shard, with what there is in each."""
        of: dict[int, tuple[list[Json], list[Json]]]
        of = {number: ([], []) for number in range(shard, self.servers, len(self.sessions))}
        gone = set(self.moved.values())
        for channel in self.channels.keys() | self.moved.keys():
            if channel not in gone and (number := self.channels[self.home_of(channel)]) in of:
                of[number][0].append(self._channel(channel))
        for thread, parent in self.threads.items():
            if (number := self.channels[self.home_of(parent)]) in of and not self.is_gone(thread):
                of[number][1].append(self._thread_data(thread))
        return [self._guild(number, *inside) for number, inside in of.items()]

    def _guild(self, number: int, channels: list[Json], threads: list[Json]) -> Json:
        guild_id = str(GUILD + (number << 22))
        role = {"id": guild_id, "name": "@everyone", "permissions": str(ALL), "position": 0, "color": 0}
        role |= {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
        guild = {"id": guild_id, "name": "club", "owner_id": "1", "roles": [role], "emojis": [], "stickers": []}
        inside = {"members": [member(ME)], "channels": channels, "threads": threads}
        levels = {"verification_level": 0, "default_message_notifications": 0}
        return {**guild, **inside, **levels, "member_count": 9, "features": []}

    async def _event(self, name: str, data: Json, session: Session | None = None) -> None:
        session = session or self.sessions[(int(data["guild_id"]) >> 22) % len(self.sessions)]
        session.sequence += 1
        session.sent.append((session.sequence, name, data))
        await self._tell(session, session.sequence, name, data)

    async def _tell(self, session: Session, number: int, name: str, data: Json) -> None:
        if session.socket is None or session.socket.closed:
            return
        try:
            await session.socket.send_str(orjson.dumps({"op": 0, "t": name, "s": number, "d": data}).decode())
        except (ConnectionError, RuntimeError):
            session.socket = None

    async def emit(self, name: str, data: Json) -> None:
        """Send an event; perhaps twice, the second time at once or seconds later; perhaps after the next one."""
        if self.faults and self.lots.random() < 0.15:
            self._held.append((name, data))
            return
        await self._event(name, data)
        now = asyncio.get_running_loop().time()
        if self.faults and self.lots.random() < 0.15:
            await self._event(name, data)
        elif self.faults and name in _DONE_BY_PEOPLE and self.lots.random() < 0.5:
            self._again.append((now + self.lots.uniform(0.2, 5), name, data))
        late = self._held + [(which, what) for at, which, what in self._again if at <= now]
        self._held, self._again = [], [each for each in self._again if each[0] > now]
        for which, what in late:
            await self._event(which, what)

    def drop_connection(self) -> None:
        """Cut one of the gateway's connections."""
        socket = self.lots.choice(self.sessions).socket
        request = None if socket is None else socket._req
        if request is not None and request.transport is not None:
            request.transport.abort()
            self.done["gateway cut"] = self.done.get("gateway cut", 0) + 1
