"""Which pixels of a picture differ, and whether they are where they should be."""

from __future__ import annotations

from PIL import ImageChops

from render import Scene
from tests.support.render.sample_scenes import picture

Box = tuple[int, int, int, int]


def changed(a: Scene, b: Scene) -> Box | None:
    """The pixels in which two scenes' pictures differ."""
    return ImageChops.difference(picture(a), picture(b)).getbbox()


def within(inner: Box | None, outer: Box) -> bool:
    """Whether a box is not empty and inside another."""
    return inner is not None and all(
        (inner[0] >= outer[0], inner[1] >= outer[1], inner[2] <= outer[2], inner[3] <= outer[3])
    )
