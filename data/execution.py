"""How statements are run."""

from __future__ import annotations

from typing import Final

UNAWAITED: Final = "damero_unawaited"
"""The execution option of a statement whose result, rowcount included, nobody needs: it may run together with the next
one of its transaction that is waited for, or with the commit, which then raises what it raises."""
