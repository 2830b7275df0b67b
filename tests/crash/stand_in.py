"""As much of Discord's REST API and gateway as a game needs, on the loopback address, and as unkind as Discord can be:
429, 500 and 502, to answers 400 and 404, connections cut before and after what was asked is done, events sent twice and
out of order; in a storm nearly every request fails for longer than discord.py tries, also with 401 and 403. A gateway's
connection that was cut may be resumed with what was missed, or has to begin anew.

Like Discord it recognises a second try by its nonce (``enforce_nonce``), and forgets nothing else.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import orjson
from aiohttp import web
from simcord.components import COMPONENTS_V2_FLAG

from tests.crash.gateway import ALL, ME, Gateway, Json, member, user

NONCE_SECONDS = 300.0
FAULTS = ("cut before", "cut after", "429", "429", "429", "500", "502")
STORM = 0.95
STORM_FAULTS = (*FAULTS, "500", "502", "503", "401", "403")
# What Discord has refused to take of a post is posted in words alone; an answer is gone.
ANSWERS_FAULTS = ("400", "404")
UNKNOWN_INTERACTION = 10062
# Where direct messages to people are.
PRIVATE = 900_000


def _json(what: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    # discord.py wants this very content type, without a charset.
    return web.Response(body=orjson.dumps(what), status=status, content_type="application/json", headers=headers or {})


class StandIn(Gateway):
    """``faults`` is how likely a request fails, in a ``storm`` nearly each does; ``on_message`` is told of each message
    that the bot posts, ``on_edit`` of each that it edits, ``on_answer`` of each answer to an interaction,
    ``on_request`` of each request before it is done. ``names``: what those threads are called that are under no
    message."""

    def __init__(self, channels: list[int], lots: random.Random, shards: int = 1, servers: int = 1) -> None:
        super().__init__(channels, lots, shards, servers)
        self.storm = False
        self.pace = 0.0
        """Seconds that each request takes, at least."""
        self.messages: dict[int, Json] = {}
        self._posted: dict[str, list[Json]] = {}
        self.deduplicated = 0
        self.on_message: Callable[[Json], None] = lambda message: None
        self.on_edit: Callable[[Json], None] = lambda message: None
        self.on_answer: Callable[[int, Json], None] = lambda interaction, answer: None
        self.on_request: Callable[[], None] = lambda: None
        self._nonces: dict[tuple[int, str], tuple[float, int]] = {}
        self._refused: dict[str, list[Json]] = {}
        self._commands: list[Json] = []
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        app = web.Application(client_max_size=8 * 1024 * 1024, middlewares=[self._unkind])
        api = "/api/v10"
        add = app.router.add_route
        add("GET", f"{api}/users/@me", self._me)
        add("POST", f"{api}/users/@me/channels", self._private_channel)
        add("GET", f"{api}/users/{{id}}", self._user)
        add("GET", f"{api}/guilds/{{id}}/members/{{person}}", self._member)
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
        await asyncio.sleep(self.pace)
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
        if self.is_there(channel):
            return _json(self._channel(channel))
        if channel in self.threads and not self.is_gone(channel):
            return _json(self._thread_data(channel))
        return _json({"message": "Unknown Channel", "code": 10003}, 404)

    async def _user(self, request: web.Request) -> web.Response:
        return _json(user(int(request.match_info["id"])))

    async def _member(self, request: web.Request) -> web.Response:
        return _json(member(int(request.match_info["person"])))

    async def _private_channel(self, request: web.Request) -> web.Response:
        person = int((await request.json(loads=orjson.loads))["recipient_id"])
        channel = self.private_channels.setdefault(person, PRIVATE + person)
        return _json({"id": str(channel), "type": 1, "last_message_id": None, "recipients": [user(person)]})

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
        self._commands = [
            {**ids, "id": str(n), **one} for n, one in enumerate(await request.json(loads=orjson.loads), start=1000)
        ]
        return _json(self._commands)

    async def _body(self, request: web.Request) -> Json:
        if request.content_type == "application/json":
            found: Json = await request.json(loads=orjson.loads)
            return found
        async for part in await request.multipart():
            if getattr(part, "name", "") == "payload_json":
                payload: Json = orjson.loads(await part.read(decode=True))  # type: ignore[union-attr]
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
        if self.is_gone(channel):
            return _json({"message": "Unknown Channel", "code": 10003}, 404)
        # Discord shows no attachments of a card.
        files = [] if body.get("flags", 0) & COMPONENTS_V2_FLAG else list(map(self._file, body.get("attachments", [])))
        if files and nonce is not None and self.lots.random() < self.faults:
            self._refused[nonce] = files
            self.done["400 to a post"] = self.done.get("400 to a post", 0) + 1
            return _json({"message": "Invalid Form Body", "code": 50035}, 400)
        message = self.message(channel, ME, body.get("content") or "")
        message |= {"components": body.get("components", []), "flags": body.get("flags", 0), "nonce": nonce}
        message["answers"] = int((body.get("message_reference") or {}).get("message_id", 0))
        # What was refused with this nonce is known to who looks on, though nobody can see it.
        message |= {"attachments": files, "refused": self._refused.get(nonce or "", [])}
        self.messages[int(message["id"])] = message
        self._posted.setdefault(message["channel_id"], []).append(message)
        if nonce is not None:
            self._nonces[channel, nonce] = (now, int(message["id"]))
        self.on_message(message)
        return _json(message)

    def _file(self, sent: Json) -> Json:
        return {"id": str(self.next_id()), "filename": sent["filename"], "size": 1, "url": "http://x", "proxy_url": ""}

    async def _history(self, request: web.Request) -> web.Response:
        """The first messages after one, the newest first, as Discord gives them."""
        channel, after = request.match_info["channel"], int(request.query.get("after", 0))
        wanted = [message for message in self._posted.get(channel, []) if int(message["id"]) > after]
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
        return _json(self.message(next(iter(self.channels)), ME, body.get("content") or ""))

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

    def _written(self, thread: int) -> int:
        return len(self._posted.get(str(thread), []))

    # What people do

    def message(self, channel: int, author: int, content: str) -> Json:
        mentions = [user(ME)] if f"<@{ME}>" in content and author != ME else []
        private = channel in self.private_channels.values()
        where: Json = {} if private else {"guild_id": self.guild_of(channel), "member": member(author)}
        return where | {
            "id": str(self.next_id()),
            "channel_id": str(channel),
            "author": user(author),
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
        data: Json = {"id": "1", "name": name, "type": 1, "options": given, "guild_id": self.guild_of(channel)}
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
            "guild_id": self.guild_of(channel),
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
