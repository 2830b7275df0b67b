"""The parts of the bot that work beside all else, by what they are."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from bot.chat.client import Damero

P = TypeVar("P")


def part(bot: Damero, kind: type[P]) -> P:
    """The only part of a kind."""
    [only] = [each for each in bot.parts if isinstance(each, kind)]
    return only


def lose(monkeypatch: pytest.MonkeyPatch, marked: object, name: str) -> None:
    """From now on the bot posts, and what it has posted is not marked, as if it died between the two."""
    really = getattr(marked, name)

    async def said(post: Any, message_id: int | None) -> None:
        if post.message_id is not None:
            await really(post, message_id)

    monkeypatch.setattr(marked, name, said)
