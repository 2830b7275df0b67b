"""A scene to a finished picture, the latest of which are kept."""

from __future__ import annotations

from render import draughts_board, star_board
from render.cache import Cache
from render.scene import Scene

KEPT_BYTES = 8 * 1024 * 1024

_finished: Cache[Scene, bytes] = Cache(KEPT_BYTES, len)


def draw(scene: Scene) -> bytes:
    """The scene as a PNG file. Equal scenes give equal bytes; may be called from any thread."""
    return _finished.get(scene) or _finished.put(scene, fresh(scene))


def fresh(scene: Scene) -> bytes:
    """The scene as a PNG file, drawn anew even if it is kept."""
    drawn = star_board.draw if scene.look == "star" else draughts_board.draw
    return drawn(scene)
