"""As much of Discord's REST API and gateway as a game needs, on the loopback address, and as unkind as Discord can be:
429, 500 and 502, to answers 400 and 404, connections cut before and after what was asked is done, events sent twice and
out of order; in a storm nearly every request fails for longer than discord.py tries, also with 401 and 403. A gateway's
connection that was cut may be resumed with what was missed, or has to begin anew.

Like Discord it recognises a second try by its nonce (``enforce_nonce``), and forgets nothing else.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web
from simcord.components import COMPONENTS_V2_FLAG

TOKEN = "MTIz.good.token"
ME, GUILD = 123, 2000
ALL = (1 << 50) - 1
NONCE_SECONDS = 300.0
DISCORD_EPOCH = 1420070400
FAULTS = ("cut before", "cut after", "429", "429", "429", "500", "502")
STORM = 0.95
STORM_FAULTS = (*FAULTS, "500", "502", "503", "401", "403")
# What Discord has refused to take of a post is posted in words alone; an answer is gone.
ANSWERS_FAULTS = ("400", "404")
UNKNOWN_INTERACTION = 10062
RESUMABLE = 0.7

Json = dict[str, Any]


def _json(what: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    # discord.py wants this very content type, without a charset.
    return web.Response(
        body=json.dumps(what).encode(), status=status, content_type="application/json", headers=headers or {}
    )


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


class Session:
    """A connection of the gateway, and what was sent in it, by its numbers, until it is resumed no more."""

    def __init__(self) -> None:
        self.name = ""
        self.socket: web.WebSocketResponse | None = None
        self.sequence = 0
        self.sent: list[tuple[int, str, Json]] = []
        self.up = asyncio.Event()


class StandIn:
    """``faults`` is how likely a request fails, in a ``storm`` nearly each does; ``on_message`` is told of each message
    that the bot posts, ``on_edit`` of each that it edits, ``on_answer`` of each answer to an interaction,
    ``on_request`` of each request before it is done. The channels are dealt out to a server in each of ``shards``;
    ``up`` is set while all of these are connected. ``threads`` are the channels of threads, ``names`` what those are
    called that are under no message."""

    def __init__(self, channels: list[int], lots: random.Random, shards: int = 1) -> None:
        self.channels = channels
        self.sessions = [Session() for _ in range(shards)]
        self.lots = lots
        self.faults = 0.0
        self.storm = False
        self.messages: dict[int, Json] = {}
        self.threads: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self.deduplicated = 0
        self.done: dict[str, int] = {}
        self.on_message: Callable[[Json], None] = lambda message: None
        self.on_edit: Callable[[Json], None] = lambda message: None
        self.on_answer: Callable[[int, Json], None] = lambda interaction, answer: None
        self.on_request: Callable[[], None] = lambda: None
        self.up = asyncio.Event()
        self.port = 0
        self._id = 0
        self._nonces: dict[tuple[int, str], tuple[float, int]] = {}
        self._commands: list[Json] = []
        self._held: list[tuple[str, Json]] = []
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        app = web.Application(client_max_size=8 * 1024 * 1024, middlewares=[self._unkind])
        api = "/api/v10"
        add = app.router.add_route
        add("GET", f"{api}/users/@me", self._me)
        add("GET", f"{api}/users/{{id}}", self._user)
        add("GET", f"{api}/oauth2/applications/@me", self._application)
        add("GET", f"{api}/channels/{{id}}", self._get_channel)
        add("GET", f"{api}/applications/{{id}}/commands", self._registered)
        add("PUT", f"{api}/applications/{{id}}/commands", self._register)
        add("POST", f"{api}/channels/{{channel}}/messages", self._post)
        add("GET", f"{api}/channels/{{channel}}/messages", self._history)
        add("PATCH", f"{api}/channels/{{channel}}/messages/{{id}}", self._edit)
        add("POST", f"{api}/channels/{{channel}}/messages/{{id}}/threads", self._thread)
        add("POST", f"{api}/channels/{{channel}}/threads", self._thread_of_its_own)
        add("POST", f"{api}/interactions/{{id}}/{{token}}/callback", self._callback)
        add("*", f"{api}/webhooks/{{app}}/{{token}}{{tail:.*}}", self._follow_up)
        add("GET", "/gateway", self._gateway)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def next_id(self) -> int:
        """A snowflake of now: times are read out of them."""
        self._id = max(self._id + 1, int((time.time() - DISCORD_EPOCH) * 1000) << 22)
        return self._id

    def forget_nonces(self) -> None:
        """As if minutes had gone by: second tries are no longer recognised."""
        self._nonces.clear()

    # Unkindness

    @web.middleware
    async def _unkind(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if not request.path.startswith("/api/v10/channels") and "/callback" not in request.path:
            response: web.StreamResponse = await handler(request)
            return response
        self.on_request()
        fault = None
        if self.lots.random() < (STORM if self.storm else self.faults):
            answers = "/callback" in request.path
            fault = self.lots.choice((STORM_FAULTS if self.storm else FAULTS) + ANSWERS_FAULTS * answers)
            self.done[fault] = self.done.get(fault, 0) + 1
        if fault is not None and fault != "cut after":
            await request.read()
        if fault == "429":
            limit = {"message": "You are being rate limited.", "retry_after": 0.05, "global": False}
            return _json(limit, 429, {"Via": "1.1 stand-in", "Retry-After": "1"})
        if fault in ("400", "401", "403", "404", "500", "502", "503"):
            return _json({"message": f"{fault}: trouble", "code": UNKNOWN_INTERACTION * (fault == "404")}, int(fault))
        if fault != "cut before":
            response = await handler(request)
        if fault in ("cut before", "cut after") and request.transport is not None:
            request.transport.abort()
        return response if fault != "cut before" else _json({})

    # Requests

    async def _me(self, _request: web.Request) -> web.Response:
        return _json(user(ME))

    async def _get_channel(self, request: web.Request) -> web.Response:
        channel = int(request.match_info["id"])
        if channel in self.channels:
            return _json(self._channel(channel))
        if channel in self.threads:
            return _json(self._thread_data(channel))
        return _json({"message": "Unknown Channel", "code": 10003}, 404)

    async def _user(self, request: web.Request) -> web.Response:
        return _json(user(int(request.match_info["id"])))

    async def _application(self, _request: web.Request) -> web.Response:
        about = {
            "id": str(ME),
            "name": "Damero",
            "description": "",
            "icon": None,
            "bot_public": True,
            "owner": user(ME),
        }
        return _json({**about, "bot_require_code_grant": False, "verify_key": "", "flags": 0})

    async def _registered(self, _request: web.Request) -> web.Response:
        return _json(self._commands)

    async def _register(self, request: web.Request) -> web.Response:
        ids = {"application_id": str(ME), "version": "1", "description": ""}
        self._commands = [{**ids, "id": str(n), **one} for n, one in enumerate(await request.json(), start=1000)]
        return _json(self._commands)

    async def _body(self, request: web.Request) -> Json:
        if request.content_type == "application/json":
            found: Json = await request.json()
            return found
        async for part in await request.multipart():
            if getattr(part, "name", "") == "payload_json":
                payload: Json = json.loads(await part.read(decode=True))  # type: ignore[union-attr]
                return payload
        return {}

    async def _post(self, request: web.Request) -> web.Response:
        body, channel = await self._body(request), int(request.match_info["channel"])
        nonce = str(body["nonce"]) if body.get("enforce_nonce") else None
        now = time.monotonic()
        if nonce is not None:
            at, known = self._nonces.get((channel, nonce), (0.0, 0))
            if known and now - at < NONCE_SECONDS:
                self.deduplicated += 1
                return _json(self.messages[known])
        message = self.message(channel, ME, body.get("content") or "")
        message |= {"components": body.get("components", []), "flags": body.get("flags", 0), "nonce": nonce}
        message["attachments"] = [
            {
                "id": str(self.next_id()),
                "filename": one["filename"],
                "size": 1,
                "url": "http://x",
                "proxy_url": "http://x",
            }
            # Discord shows no attachments of a card.
            for one in ([] if message["flags"] & COMPONENTS_V2_FLAG else body.get("attachments", []))
        ]
        self.messages[int(message["id"])] = message
        if nonce is not None:
            self._nonces[channel, nonce] = (now, int(message["id"]))
        self.on_message(message)
        return _json(message)

    async def _history(self, request: web.Request) -> web.Response:
        """The first messages after one, the newest first, as Discord gives them."""
        channel, after = request.match_info["channel"], int(request.query.get("after", 0))
        found = [message for number, message in self.messages.items() if number > after]
        wanted = [message for message in found if message["channel_id"] == channel]
        return _json(wanted[: int(request.query.get("limit", 50))][::-1])

    async def _edit(self, request: web.Request) -> web.Response:
        message = self.messages.get(int(request.match_info["id"]))
        if message is None:
            return _json({"message": "Unknown Message", "code": 10008}, 404)
        body = await self._body(request)
        message |= {key: body[key] for key in ("content", "components", "flags") if key in body}
        message["content"] = message["content"] or ""
        self.on_edit(message)
        return _json(message)

    async def _callback(self, request: web.Request) -> web.Response:
        body = await self._body(request)
        interaction = int(request.match_info["id"])
        self.on_answer(interaction, body)
        about = {
            "id": str(interaction),
            "type": 2,
            "response_message_loading": False,
            "response_message_ephemeral": True,
        }
        return _json({"interaction": about})

    async def _follow_up(self, request: web.Request) -> web.Response:
        body = await self._body(request) if request.can_read_body else {}
        self.on_answer(int(request.match_info["token"][1:]), {"type": 4, "data": body})
        return _json(self.message(self.channels[0], ME, body.get("content") or ""))

    async def _thread(self, request: web.Request) -> web.Response:
        """A thread under a message has the message's id."""
        thread, parent = int(request.match_info["id"]), int(request.match_info["channel"])
        if thread in self.threads:
            return _json({"message": "A thread has already been created for this message", "code": 160004}, 400)
        if thread not in self.messages:
            return _json({"message": "Unknown Message", "code": 10008}, 404)
        return await self._opened(thread, parent)

    async def _thread_of_its_own(self, request: web.Request) -> web.Response:
        """A thread under no message: asked for twice, there are two."""
        thread = self.next_id()
        self.names[thread] = (await self._body(request))["name"]
        return await self._opened(thread, int(request.match_info["channel"]))

    async def _opened(self, thread: int, parent: int) -> web.Response:
        self.threads[thread] = parent
        data = self._thread_data(thread)
        await self._event("THREAD_CREATE", data)
        return _json(data)

    def _thread_data(self, thread: int) -> Json:
        written = sum(message["channel_id"] == str(thread) for message in self.messages.values())
        metadata: Json = {"archived": False, "auto_archive_duration": 10080, "locked": False}
        metadata |= {"archive_timestamp": "2026-01-01T00:00:00+00:00"}
        about: Json = {
            "id": str(thread),
            "type": 11,
            "name": self.names.get(thread, "t"),
            "guild_id": self._guild_of(thread),
            "owner_id": str(ME),
        }
        about |= {"parent_id": str(self.threads[thread]), "message_count": written, "member_count": 1}
        return about | {"thread_metadata": metadata}

    # The gateway

    def down(self) -> None:
        """The bot is dead: nobody is connected, whatever has not been noticed yet."""
        self.up.clear()
        for session in self.sessions:
            session.up.clear()

    def shard_of(self, channel: int) -> int:
        """Of a channel, or a thread."""
        return self.channels.index(self.threads.get(channel, channel)) % len(self.sessions)

    def up_in(self, channel: int) -> asyncio.Event:
        """Set while the bot hears of what happens in a channel."""
        return self.sessions[self.shard_of(channel)].up

    def _guild_of(self, channel: int) -> str:
        return str(GUILD + (self.shard_of(channel) << 22))

    def _channel(self, channel: int) -> Json:
        about = {"id": str(channel), "type": 0, "name": f"c{channel}", "position": 0, "permission_overwrites": []}
        return {**about, "guild_id": self._guild_of(channel)}

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41_250}})
        session: Session | None = None
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            payload = message.json()
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
        url, guild = f"ws://127.0.0.1:{self.port}/gateway", self._guild(shard)
        ready = {"v": 10, "user": user(ME), "guilds": [{"id": guild["id"], "unavailable": True}]}
        ready |= {"session_id": session.name, "application": {"id": str(ME), "flags": 0}, "private_channels": []}
        await self._event("READY", ready | {"resume_gateway_url": url, "shard": [shard, count]}, session)
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

    def _guild(self, shard: int) -> Json:
        guild_id, here = str(GUILD + (shard << 22)), self.channels[shard :: len(self.sessions)]
        role = {"id": guild_id, "name": "@everyone", "permissions": str(ALL), "position": 0, "color": 0}
        role |= {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
        channels, threads = list(map(self._channel, here)), [t for t, of in self.threads.items() if of in here]
        guild = {"id": guild_id, "name": "club", "owner_id": "1", "roles": [role], "emojis": [], "stickers": []}
        return {
            **guild,
            "members": [member(ME)],
            "channels": channels,
            "threads": list(map(self._thread_data, threads)),
            "member_count": 9,
            "features": [],
        }

    async def _event(self, name: str, data: Json, session: Session | None = None) -> None:
        session = session or self.sessions[(int(data["guild_id"]) >> 22) % len(self.sessions)]
        session.sequence += 1
        session.sent.append((session.sequence, name, data))
        await self._tell(session, session.sequence, name, data)

    async def _tell(self, session: Session, number: int, name: str, data: Json) -> None:
        if session.socket is None or session.socket.closed:
            return
        try:
            await session.socket.send_json({"op": 0, "t": name, "s": number, "d": data})
        except (ConnectionError, RuntimeError):
            session.socket = None

    async def emit(self, name: str, data: Json) -> None:
        """Send an event; perhaps twice, perhaps after the next one."""
        if self.faults and self.lots.random() < 0.15:
            self._held.append((name, data))
            return
        await self._event(name, data)
        if self.faults and self.lots.random() < 0.15:
            await self._event(name, data)
        held, self._held = self._held, []
        for late in held:
            await self._event(*late)

    def drop_connection(self) -> None:
        """Cut one of the gateway's connections."""
        socket = self.lots.choice(self.sessions).socket
        request = None if socket is None else socket._req
        if request is not None and request.transport is not None:
            request.transport.abort()
            self.done["gateway cut"] = self.done.get("gateway cut", 0) + 1

    # What people do

    def message(self, channel: int, author: int, content: str) -> Json:
        mentions = [user(ME)] if f"<@{ME}>" in content and author != ME else []
        return {
            "id": str(self.next_id()),
            "channel_id": str(channel),
            "guild_id": self._guild_of(channel),
            "author": user(author),
            "member": member(author),
            "content": content,
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": mentions,
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "pinned": False,
            "type": 0,
            "components": [],
            "flags": 0,
        }

    def private(self, channel: int, answer: Json) -> Json:
        """The message, with its buttons, that an answer to an interaction is."""
        data = answer.get("data") or {}
        said = self.message(channel, ME, data.get("content") or "")
        return said | {"components": data.get("components", [])}

    async def say(self, channel: int, author: int, content: str) -> int:
        """Somebody writes a message; its id."""
        message = self.message(channel, author, content)
        await self.emit("MESSAGE_CREATE", message)
        return int(message["id"])

    async def command(self, channel: int, author: int, name: str, options: Json, people: Json | None = None) -> int:
        """Somebody gives a command, by its whole name; the interaction's id. ``people``: the options that are
        people."""
        kinds = {bool: 5, int: 4, str: 3}
        given = [{"name": key, "type": kinds[type(value)], "value": value} for key, value in options.items()]
        named = people or {}
        given += [{"name": key, "type": 6, "value": str(person)} for key, person in named.items()]
        name, *inner = name.split()
        for kind, part in enumerate(reversed(inner), start=1):
            given = [{"name": part, "type": kind, "options": given}]
        data: Json = {"id": "1", "name": name, "type": 1, "options": given, "guild_id": self._guild_of(channel)}
        users, members = ({str(p): make(p) for p in named.values()} for make in (user, member))
        data["resolved"] = {"users": users, "members": members}
        return await self._interaction(channel, author, 2, data, None)

    async def press(self, message: Json, author: int, custom_id: str) -> int:
        """Somebody presses a button; the interaction's id."""
        data = {"custom_id": custom_id, "component_type": 2}
        return await self._interaction(int(message["channel_id"]), author, 3, data, message)

    async def choose(self, message: Json, author: int, custom_id: str, value: str) -> int:
        """Somebody chooses from a menu; the interaction's id."""
        data = {"custom_id": custom_id, "component_type": 3, "values": [value]}
        return await self._interaction(int(message["channel_id"]), author, 3, data, message)

    async def _interaction(self, channel: int, author: int, kind: int, data: Json, message: Json | None) -> int:
        number = self.next_id()
        about: Json = {"id": str(number), "application_id": str(ME), "type": kind, "token": f"t{number}", "version": 1}
        about |= {
            "guild_id": self._guild_of(channel),
            "channel_id": str(channel),
            "data": data,
            "member": member(author),
        }
        about |= {
            "channel": self._thread_data(channel) if channel in self.threads else self._channel(channel),
            "entitlements": [],
        }
        about |= {"app_permissions": str(ALL), "locale": "en-US", "guild_locale": "en-US", "context": 0}
        about |= {"authorizing_integration_owners": {}, "attachment_size_limit": 10_000_000}
        await self.emit("INTERACTION_CREATE", about | ({} if message is None else {"message": message}))
        return number
