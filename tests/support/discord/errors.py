"""What discord.py raises, without a Discord."""

from __future__ import annotations

import discord


class Answer:
    """What aiohttp hands on of an answer."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.reason = "No"


def refused(status: int, code: int) -> discord.HTTPException:
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(Answer(status), {"code": code, "message": "no"})
