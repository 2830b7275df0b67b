"""Whether the running bot is well: it answers on a port of the loopback address, and `damero health` asks there.

An answer proves more than a process that exists: its event loop runs, and what it names was tried just now.
"""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Awaitable, Callable, Mapping

HOST = "127.0.0.1"
PATH = "/healthz"

# What is wrong with each part, None where nothing is.
Probe = Callable[[], Awaitable[Mapping[str, str | None]]]


class HealthServer:
    """Answers GET /healthz with 200 when no part has anything wrong, else 503, and a JSON object of the parts."""

    def __init__(self, probe: Probe, *, patience: float = 5.0) -> None:
        self._probe = probe
        self._patience = patience
        self._server: asyncio.Server | None = None

    async def open(self, port: int) -> int:
        """Listen; port 0 takes a free one. Returns the port. Raises OSError when it is taken."""
        self._server = await asyncio.start_server(self._answer, HOST, port, limit=8192)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(self._patience * 2):
                head = await reader.readuntil(b"\r\n\r\n")
                status, body = await self._status(head.split(b"\r\n", 1)[0].decode("latin-1"))
                writer.write(
                    f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                    "Cache-Control: no-store\r\nConnection: close\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asked went away or does not speak HTTP
        finally:
            writer.close()

    async def _status(self, request_line: str) -> tuple[str, bytes]:
        method, _, rest = request_line.partition(" ")
        if rest.split(" ")[0].split("?")[0] != PATH:
            return "404 Not Found", b"{}"
        if method not in ("GET", "HEAD"):
            return "405 Method Not Allowed", b"{}"
        try:
            async with asyncio.timeout(self._patience):
                wrong = dict(await self._probe())
        except TimeoutError:
            wrong = {"probe": f"no answer within {self._patience:g} seconds"}
        status = "503 Service Unavailable" if any(wrong.values()) else "200 OK"
        body = json.dumps({part: text or "ok" for part, text in wrong.items()}).encode()
        return status, b"" if method == "HEAD" else body


def ask(port: int, *, patience: float = 8.0) -> tuple[bool, str]:
    """Whether the bot that answers on `port` is well, and a line that says so or what is wrong."""
    connection = http.client.HTTPConnection(HOST, port, timeout=patience)
    try:
        connection.request("GET", PATH)
        answer = connection.getresponse()
        parts = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
        return False, f"The bot does not answer on port {port}: {why}"
    finally:
        connection.close()
    return answer.status == 200, ", ".join(f"{part}: {text}" for part, text in parts.items())
