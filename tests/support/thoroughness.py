"""How many times more than usual is looked at: positions, games, examples. With DAMERO_THOROUGH=25 tests/engine takes
about twenty minutes."""

from __future__ import annotations

import os

THOROUGH = int(os.environ.get("DAMERO_THOROUGH", "1"))
