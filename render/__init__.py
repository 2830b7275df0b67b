"""Pictures of board games. ``draw`` turns a scene in board units into a PNG file; it knows no rules."""

from render.picture import draw
from render.scene import STAR_PLACES, STAR_SETS, Mark, Place, Player, Scene, Target, star_place

__all__ = ["STAR_PLACES", "STAR_SETS", "Mark", "Place", "Player", "Scene", "Target", "draw", "star_place"]
