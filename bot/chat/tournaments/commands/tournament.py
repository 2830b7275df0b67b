"""`/tournament` with all its commands, from the announcement to the podium: each module puts its own into the group."""

from __future__ import annotations

from bot.chat.tournaments.commands import ask, create, direct, play
from bot.chat.tournaments.commands.group import GROUP

__all__ = ("GROUP", "ask", "create", "direct", "play")
