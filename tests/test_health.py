from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping

import pytest

from bot.health import HealthServer, ask


def probe_of(parts: Mapping[str, str | None]) -> HealthServer:
    async def probe() -> Mapping[str, str | None]:
        return parts

    return HealthServer(probe)


async def test_well() -> None:
    """With nothing wrong in any part the asker gets a yes and the parts."""
    server = probe_of({"discord": None, "database": None})
    port = await server.open(0)

    assert (True, "discord: ok, database: ok") == await asyncio.to_thread(ask, port)
    await server.close()


async def test_not_well() -> None:
    """One part with something wrong makes a no that names it."""
    server = probe_of({"discord": "not connected", "database": None})
    port = await server.open(0)

    assert (False, "discord: not connected, database: ok") == await asyncio.to_thread(ask, port)
    await server.close()


async def test_a_probe_that_hangs_is_not_well() -> None:
    """A database that never answers does not keep the asker waiting for ever."""

    async def probe() -> Mapping[str, str | None]:
        await asyncio.get_running_loop().create_future()
        return {}

    server = HealthServer(probe, patience=0.01)
    port = await server.open(0)

    well, why = await asyncio.to_thread(ask, port)
    assert not well
    assert "no answer within 0.01 seconds" in why
    await server.close()


def test_no_bot_is_not_well() -> None:
    """Where nothing listens the answer is no, with the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

        well, why = ask(port)

    assert not well
    assert f"does not answer on port {port}" in why


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", b"404"),
        (b"POST /healthz HTTP/1.1\r\n\r\n", b"405"),
        (b"HEAD /healthz HTTP/1.1\r\n\r\n", b"200"),
        (b"GET /healthz?x=1 HTTP/1.1\r\n\r\n", b"200"),
        (b"\x16\x03\x01 hello", b""),
        (b"x" * 20_000, b""),
    ],
)
async def test_other_requests(sent: bytes, status: bytes) -> None:
    """Only GET and HEAD of /healthz are answered well; what is no HTTP is dropped."""
    server = probe_of({})
    port = await server.open(0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    writer.write(sent)
    writer.write_eof()
    try:
        answer = await reader.read()
    except ConnectionResetError:
        answer = b""

    assert status == answer[9:12]
    writer.close()
    await server.close()
