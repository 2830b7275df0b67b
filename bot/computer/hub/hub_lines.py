"""Lines of the Hub protocol, version 2, by which draughts programs play each other: ``command arg=value flag ...``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

LONGEST = 20_000
"""Letters of a line; a longer one is nobody's."""

_ARGUMENT = r'([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]*)))?'


class HubLine(NamedTuple):
    """A command and what it is told; a flag has the value ""."""

    command: str
    arguments: Mapping[str, str]


def read_line(text: str) -> HubLine | None:
    """What a line says; None for an empty one. What cannot be read is passed over, as the protocol wants."""
    command, _, rest = text[:LONGEST].strip().partition(" ")
    if not command:
        return None
    found = re.finditer(_ARGUMENT, rest)
    return HubLine(command, {match[1]: match[2] if match[2] is not None else match[3] or "" for match in found})


def write_line(command: str, **arguments: str | None) -> str:
    """A line without its end; an argument ``move_time`` is written ``move-time``, one that is None is a flag."""
    return " ".join([command, *(f"{name.replace('_', '-')}{_value(value)}" for name, value in arguments.items())])


def _value(value: str | None) -> str:
    if value is None:
        return ""
    plain = re.sub(r'["\s]+', " ", value)
    return f'="{plain}"' if not plain or re.search(r"[\s=]", plain) else f"={plain}"
