"""The text of tournament report files: the letters it is kept in, how its lines end, what its columns count."""

from __future__ import annotations

import codecs
import re


def lines_of(text: str) -> list[str]:
    """The lines of a text, whichever way they end."""
    return re.split(r"\r\n|\r|\n", text)


def text_of(data: bytes | str) -> str:
    """A file's text, whatever letters it is kept in."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Older programs write the names in the letters of western Windows.
        return data.decode("cp1252", errors="replace")


def columns_of_bytes(text: str) -> str:
    """The text with names as wide as their bytes in UTF-8: there are programs that count columns so."""

    def widened(line: str) -> str:
        if not line.startswith("001") or line.isascii():
            return line
        whole = line.encode(errors="replace")
        parts = (whole[begin:end].decode(errors="ignore") for begin, end in ((0, 14), (14, 47), (47, None)))
        before, name, rest = parts
        return before + name.ljust(33) + rest

    return "\n".join(widened(line) for line in lines_of(text))
