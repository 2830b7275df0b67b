"""Pictures of board games. ``draw`` turns a scene in board units into a PNG file; it knows no rules."""

from render.scene import STAR_PLACES, STAR_SETS, Mark, Place, Player, Scene, Target, star_place

__all__ = ["STAR_PLACES", "STAR_SETS", "Mark", "Place", "Player", "Scene", "Target", "draw", "star_place"]


def draw(scene: Scene) -> bytes:
    """The scene as a PNG file. Equal scenes give equal bytes; may be called from any thread."""
    # What draws, and Pillow with it, is imported with the first picture, by the thread that draws it.
    from render.picture import draw

    return draw(scene)
