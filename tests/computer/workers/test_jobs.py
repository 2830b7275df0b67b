from __future__ import annotations

import gc

from bot.computer.kernels.backends import plainly
from bot.computer.workers.jobs import warm


def test_what_stays_is_not_looked_through_during_a_search() -> None:
    """Once the searches are ready, a full collection of garbage passes over what has been made until then."""
    gc.unfreeze()
    before = len(gc.get_objects())
    try:
        with plainly():
            warm()
        assert len(gc.get_objects()) < before / 10
    finally:
        gc.unfreeze()
