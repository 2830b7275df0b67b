"""As much of Discord's REST API and gateway as a bot needs to come up, on the loopback address, in a thread."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from typing import Any

import discord
import pytest
import yarl
from aiohttp import WSMsgType, web
from discord.gateway import DiscordWebSocket
from discord.http import Route

TOKEN = "MTIz.good.token"
ME = {"id": "123", "username": "Damero", "discriminator": "0", "avatar": None, "global_name": None, "bot": True}


def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the test discord.py connects as it does now."""
    for name in ("DiscordWebSocket", "ExponentialBackoff"):
        for module in (discord.client, discord.shard):
            monkeypatch.setattr(module, name, vars(module)[name])
    monkeypatch.setattr(discord.gateway, "KeepAliveHandler", discord.gateway.KeepAliveHandler)


def _json(what: Any, status: int = 200) -> web.Response:
    # discord.py wants this very content type, without a charset.
    return web.Response(body=json.dumps(what).encode(), status=status, content_type="application/json")


class FakeDiscord:
    """Takes TOKEN. ``closes_with`` is the code with which the gateway answers an identify, None to let the bot in;
    ``first``: what it does with its first connections, in order. Before hello it "refuses", "cuts", "forbids" with
    4004, "babbles" or "hangs"; after it "says hello" and cuts, "greets again" with no sense, "hurries" or "dawdles"
    with signs of life. After an identify it "identifies" and babbles, "compresses" what is not, "lists" what is no
    event, "garbles" a READY, "keeps silent", "chatters" of nothing, "goes on" with nothing, "expels" with 4004, and
    "leaves" after READY, or "garbles later" another one; after a resume it "garbles" a READY, "replays" an event that
    cannot be read, "forgets" with 4007, "expires" with 4009, "ignores" and
    cuts, or is "deaf". ``resume_url``: where a session is to be gone on with; None for here."""

    def __init__(
        self, *, closes_with: int | None = None, first: Sequence[str] = (), resume_url: str | None = None
    ) -> None:
        self._closes_with, self._first, self._resume_url = closes_with, list(first), resume_url
        self.back = threading.Event()
        """Somebody who was here before has gone on, or begun anew."""
        self._started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.port = 0
        self.commands: list[dict[str, Any]] = []
        self.identified: list[dict[str, Any]] = []
        self.connections = 0

    def __enter__(self) -> FakeDiscord:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let discord.py take this for the real one."""
        monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{self.port}/api/v10")
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://127.0.0.1:{self.port}/gateway"))
        as_it_was(monkeypatch)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        runner = self._loop.run_until_complete(self._serve())
        self._loop.call_soon(self._started.set)
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())

    async def _serve(self) -> web.AppRunner:
        app = web.Application(middlewares=[self._check_token])
        app.router.add_get("/api/v10/users/@me", self._me)
        app.router.add_get("/api/v10/oauth2/applications/@me", self._application)
        app.router.add_get("/api/v10/applications/{id}/commands", self._registered)
        app.router.add_put("/api/v10/applications/{id}/commands", self._register)
        app.router.add_get("/gateway", self._gateway)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        return runner

    @web.middleware
    async def _check_token(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if request.path.startswith("/api") and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        response: web.StreamResponse = await handler(request)
        return response

    async def _me(self, _request: web.Request) -> web.Response:
        return _json(ME)

    async def _application(self, _request: web.Request) -> web.Response:
        flags = discord.ApplicationFlags(gateway_message_content_limited=True).value
        about = {"id": "123", "name": "Damero", "description": "", "icon": None, "bot_public": True, "owner": ME}
        return _json({**about, "bot_require_code_grant": False, "verify_key": "", "flags": flags})

    async def _registered(self, _request: web.Request) -> web.Response:
        return _json(self.commands)

    async def _register(self, request: web.Request) -> web.Response:
        ids = {"application_id": "123", "version": "1", "description": ""}
        self.commands = [{**ids, "id": str(n), **one} for n, one in enumerate(await request.json(), start=1000)]
        return _json(self.commands)

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        self.connections += 1
        does = self._first.pop(0) if self._first else ""
        if does == "refuses":
            raise web.HTTPBadGateway
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if does == "cuts":
            await socket.close(code=1001)
        elif does == "forbids":
            await socket.close(code=4004)
        elif does == "hangs":
            await socket.receive()
        elif does == "babbles":
            await socket.send_str("hello")
            await socket.receive()
        if socket.closed or does in ("hangs", "babbles"):
            return socket
        every = {"hurries": 0, "dawdles": 1e15}.get(does, 41_250)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": every}})
        if does == "greets again":
            await socket.send_json({"op": 10, "d": {"heartbeat_interval": 0}})
        if does == "says hello":
            await socket.close(code=4000)
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            payload = message.json()
            if payload["op"] == 1:
                await socket.send_json({"op": 11})
            elif payload["op"] == 2:
                if does == "identifies":
                    await socket.send_str("<html>Bad gateway</html>")
                    continue
                if does == "compresses":
                    await socket.send_bytes(b"hello\x00\x00\xff\xff")
                    continue
                if does == "lists":
                    await socket.send_json([])
                    continue
                if does == "garbles":
                    await self._send_half_ready(socket)
                    continue
                if does == "goes on":
                    await socket.send_json({"op": 0, "t": "RESUMED", "s": 1, "d": {}})
                    continue
                if does in ("keeps silent", "chatters"):
                    if does == "chatters":
                        await socket.send_json({"op": 0, "t": "RUMOUR", "s": 1, "d": {}})
                    continue
                if does == "expels":
                    await socket.close(code=4004)
                    break
                self.identified.append(payload["d"])
                if len(self.identified) > 1:
                    self.back.set()
                if self._closes_with is not None:
                    await socket.close(code=self._closes_with)
                    break
                ready = {"v": 10, "user": ME, "guilds": [], "session_id": "first"}
                ready |= {"application": {"id": "123", "flags": 0}, "shard": payload["d"].get("shard", [0, 1])}
                here = f"ws://127.0.0.1:{self.port}/gateway"
                url = here if self._resume_url is None else self._resume_url
                await socket.send_json(
                    {"op": 0, "t": "READY", "s": 1, "d": {**ready, "resume_gateway_url": url, "private_channels": []}}
                )
                if does == "leaves":
                    await socket.close(code=4000)
                if does == "garbles later":
                    await self._send_half_ready(socket)
            elif payload["op"] == 6:
                if does == "deaf":
                    continue
                if does == "garbles":
                    await self._send_half_ready(socket)
                    continue
                if code := {"forgets": 4007, "expires": 4009, "ignores": 4000}.get(does):
                    await socket.close(code=code)
                    break
                if does == "replays":
                    await socket.send_json({"op": 0, "t": "GUILD_CREATE", "s": 2, "d": {"id": "no number"}})
                    continue
                await socket.send_json({"op": 0, "t": "RESUMED", "s": 2, "d": {}})
                self.back.set()
        return socket

    async def _send_half_ready(self, socket: web.WebSocketResponse) -> None:
        """One that names the session, and no more."""
        half = {"session_id": "first", "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway"}
        await socket.send_json({"op": 0, "t": "READY", "s": 1, "d": half})
