"""Without numba: to compile the search takes longer than most of the bot's lives here. Python imports this at its start
where the folder is on its path; the bot's workers, which are processes of their own, have the same path."""

from __future__ import annotations

import sys

sys.modules["numba"] = None  # type: ignore[assignment]
