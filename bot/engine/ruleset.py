"""The rules of a variant as they are written: what a game is kept with, and what travels to whoever thinks about it;
and those that are shipped in ``data/variants``."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from importlib.resources import files

from bot.engine.errors import VariantError, echoed
from bot.i18n import _
from bot.support.frozen import frozen

MOST_BYTES = 16_384
"""How long a text of rules may be that comes from outside; those that are shipped have some two thousand."""

OF_SERVER = "@"
"""Stands between the name and the server in the id of a server's own variant, and in no other id."""


@frozen
class Ruleset:
    """The text of a variant's file, and the variant's id, which does not stand in it: ``tama``, of a server's own
    variant ``house@1234``."""

    id: str
    text: str

    @property
    def hash(self) -> str:
        """SHA-256 of the text, in hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def server(self) -> int | None:
        """The server whose own variant it is; None of one that is shipped."""
        return server_of(self.id)


def server_of(variant_id: str) -> int | None:
    """The server whose own variant has this id; None where it is no server's."""
    __, at, server = variant_id.rpartition(OF_SERVER)
    return int(server) if at and server.isdecimal() else None


def names() -> tuple[str, ...]:
    """The ids of the variants that are shipped, draughts before the star, as people are offered them."""
    return tuple(sorted(_shipped(), key=lambda vid: (vid == "chinese-checkers", vid)))


@lru_cache(maxsize=1)
def _shipped() -> frozenset[str]:
    folder = files("data").joinpath("variants")
    return frozenset(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))


@lru_cache(maxsize=64)
def shipped(variant_id: str) -> Ruleset:
    """The rules of a shipped variant as they are written. Raises VariantError."""
    if variant_id not in _shipped():
        template = _("there is no variant {name}; there are {names}")
        raise VariantError(template.format(name=repr(echoed(variant_id)), names=", ".join(names())))
    file = files("data").joinpath("variants", f"{variant_id}.toml")
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", variant_id):
        raise VariantError(f"{file.name}: {_('the name of a file has lower-case letters, digits and hyphens')}")
    try:
        return Ruleset(variant_id, text_of(file.read_bytes(), file.name))
    except OSError as error:
        why = _("cannot be read: {why}").format(why=(error.strerror or "no file").lower())
        raise VariantError(f"{file.name}: {why}") from error


def text_of(data: bytes, file_name: str) -> str:
    """The text of a variant file's bytes. Raises VariantError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise VariantError(
            f"{file_name}: {_('not UTF-8 (line {line}); save it as UTF-8').format(line=line)}"
        ) from error


def is_shipped(ruleset: Ruleset) -> bool:
    """Whether these are the rules that are shipped under their id."""
    return ruleset.id in _shipped() and ruleset == shipped(ruleset.id)
