"""How statements are run, and values written."""

from __future__ import annotations

import json
from typing import Final

UNAWAITED: Final = "damero_unawaited"
"""The execution option of a statement whose result, rowcount included, nobody needs: it may run together with the next
one of its transaction that is waited for, or with the commit, which then raises what it raises."""

to_json: Final = json.JSONEncoder(separators=(",", ":")).encode
"""JSON as it is stored: without blanks, which were a tenth of a turn's row."""
