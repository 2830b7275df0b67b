"""All that the panel can do: each module puts its own tasks into it."""

from __future__ import annotations

from bot.chat.tournaments.manage import decisions, player_tasks, result_entry, round_tasks, setting_forms
from bot.chat.tournaments.manage.manage_panel import press

__all__ = ("decisions", "player_tasks", "press", "result_entry", "round_tasks", "setting_forms")
