"""Imports of much at once, at a start."""

from __future__ import annotations

import gc
import ssl
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def lasting_imports() -> Iterator[None]:
    """What is imported meanwhile stays, and is not looked through for what could go: while it comes, that takes a sixth
    of the time, and later each look through all of it would hold up the event loop for 70 ms."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def certificates_for_who_looks() -> Iterator[None]:
    """A connection that trusts anybody is not given the system's certificates. aiohttp prepares such connections, too,
    when it is imported, and the certificates take a thirtieth of a start to read."""
    read = ssl.SSLContext.set_default_verify_paths

    def read_by_who_looks(context: ssl.SSLContext) -> None:
        if context.verify_mode is not ssl.CERT_NONE:
            read(context)

    ssl.SSLContext.set_default_verify_paths = read_by_who_looks  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        ssl.SSLContext.set_default_verify_paths = read  # type: ignore[method-assign]
