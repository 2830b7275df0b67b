"""The kinds of timers that games, people and servers have: one at most for each."""

from __future__ import annotations

from typing import Final

CLOCK: Final = "clock"
"""Each running game with a clock has one: when there is next anything to do about the player to move."""

PING: Final = "ping"
"""Of a game in which pings are held back: ``{"people": {id: until}, "ply": number, "status": text, "since": ms}``, how
the game stood then, and since when there is news."""

DIGEST: Final = "digest"
"""Of a person: the next daily digest."""

BACK: Final = "back"
"""Of a person: the end of its vacation."""

SERVER: Final = "server"
"""Of a server that has removed the bot: when its settings are deleted."""
