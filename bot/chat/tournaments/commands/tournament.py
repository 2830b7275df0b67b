"""`/tournament` with all its commands, from the announcement to the podium: each module puts its own into the group."""

from __future__ import annotations

from bot.chat.tournaments.commands import ask, create, direct, participation
from bot.chat.tournaments.group import GROUP

__all__ = ("GROUP", "ask", "create", "direct", "participation")
