"""Pictures in palette mode: sprites blended into a palette of few inks, PNG at the end.

A palette picture has a third of the bytes of an RGB one, one of sixteen inks a sixth, and PNG does not filter it, so it
is encoded several times as fast; see benchmarks/pictures.py. Pillow tries every filter on pictures of four bits a
pixel, which makes them larger by a fifth and takes twice as long: the file is put together here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from PIL import Image
from zlib_ng import zlib_ng as zlib

from render.cache import Cache
from render.colours import RGB, mix

# Level 2 takes a third of the time of level 5, for files that are larger by a third. Where they are larger than this
# share of the pixels' bytes (21 KB for 768 x 768 of four bits), as are all with more inks, level 5 is worth its time.
QUICK, SMALL = 2, 5
LARGE = 1 / 14
SIGNATURE = b"\x89PNG\r\n\x1a\n"
# A sampled colour nearer than this (squared distance) to one already in the palette is left out.
NEAR = 40
# How many pixels of sprites on a ground a palette keeps, and colours of how many letters on a plain one.
LAID, TABLES = 1024 * 1024, 256


def _distance(a: RGB, b: RGB) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2


Laid = tuple[Image.Image, Image.Image]
"""A sprite on a ground, and the sprite alone."""


class Inks:
    """A palette of ``colours`` at most: ``anchors``, which are exact, and the best others for what ``samples`` show."""

    def __init__(self, anchors: Iterable[RGB], samples: Iterable[Image.Image] = (), colours: int = 16) -> None:
        palette: list[RGB] = list(dict.fromkeys(anchors))
        shades: dict[RGB, None] = {}
        for sample in samples:
            coarse = sample.convert("RGB").point(lambda value: value & 0xFC | 2)
            for _, colour in coarse.getcolors(coarse.width * coarse.height) or []:
                shades[colour] = None  # type: ignore[index]
        # Each colour once: edges, though few pixels, matter as much as faces.
        rare = [colour for colour in shades if all(_distance(colour, anchor) > NEAR for anchor in palette)]
        if rare:
            sheet = Image.new("RGB", (len(rare), 1))
            sheet.putdata(rare)
            flat = sheet.quantize(colours - len(palette), method=Image.Quantize.MEDIANCUT, kmeans=2).getpalette() or []
            for red, green, blue in zip(flat[::3], flat[1::3], flat[2::3], strict=True):
                if all(_distance((red, green, blue), other) > NEAR for other in palette):
                    palette.append((red, green, blue))
        self.colours: tuple[RGB, ...] = tuple(palette[:colours])
        self._flat = [value for colour in self.colours for value in colour]
        self._palette = Image.new("P", (1, 1))
        self._palette.putpalette(self._flat)
        self._laid: Cache[tuple[int, int | bytes], Laid] = Cache(LAID, lambda laid: laid[0].width * laid[0].height)
        self._tables: Cache[tuple[RGB, int], bytes] = Cache(TABLES)

    def convert(self, image: Image.Image) -> Image.Image:
        """An RGB picture in this palette, each pixel its nearest ink."""
        return image.quantize(palette=self._palette, dither=Image.Dither.NONE)

    def stamp(self, canvas: Image.Image, sprite: Image.Image, left: int, top: int) -> None:
        """Blend a sprite ("RGBA"), which is not changed afterwards, into a canvas of this palette; what lies beyond the
        canvas is cut off."""
        ground = canvas.crop((left, top, left + sprite.width, top + sprite.height))
        plain = _plain(ground)
        key = id(sprite), ground.tobytes() if plain is None else plain
        # The sprite is kept with its picture, so that no other one can have its id.
        laid = self._laid.get(key) or self._laid.put(key, (self.over(ground, sprite), sprite))
        canvas.paste(laid[0], (left, top))

    def write(self, canvas: Image.Image, letters: Image.Image, ink: RGB, left: int, top: int) -> None:
        """Blend ``ink`` into a canvas of this palette, as much as ``letters`` ("L") say."""
        ground = canvas.crop((left, top, left + letters.width, top + letters.height))
        plain = _plain(ground)
        if plain is None:
            laid = self.over(ground, tinted(letters, ink))
        else:
            blends = self._tables.make((ink, plain), lambda: self._blends(ink, plain))
            laid = Image.frombytes("P", letters.size, letters.tobytes().translate(blends))
        canvas.paste(laid, (left, top))

    def _blends(self, ink: RGB, ground: int) -> bytes:
        """What each share of ``ink``, of 255, makes of a colour of the palette."""
        shares = Image.new("L", (256, 1))
        shares.putdata(range(256))
        plain = Image.new("P", shares.size, ground)
        plain.putpalette(self._flat)
        return self.over(plain, tinted(shares, ink)).tobytes()

    def stamp_centred(self, canvas: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
        """The same with the sprite's middle at (x, y)."""
        self.stamp(canvas, sprite, x - sprite.width // 2, y - sprite.height // 2)

    def over(self, ground: Image.Image, sprite: Image.Image) -> Image.Image:
        """``sprite`` over a ground of its own size, in this palette."""
        colours = ground.convert("RGB")
        colours.paste(sprite, (0, 0), sprite)
        return self.convert(colours)


def tinted(letters: Image.Image, ink: RGB) -> Image.Image:
    """A sprite in one colour that covers as much as ``letters`` ("L") say."""
    sprite = Image.new("RGBA", letters.size, (*ink, 0))
    sprite.putalpha(letters)
    return sprite


def _plain(ground: Image.Image) -> int | None:
    """The index of the only colour of ``ground`` ("P"); None where there are more."""
    least, most = ground.getextrema()
    return least if least == most else None  # type: ignore[return-value]


def with_margin(canvas: Image.Image) -> Image.Image:
    """``canvas``, wider by a margin at its right, which ``png`` needs: there the filter of the next row has room."""
    margin = 2 + canvas.width % 2 if _bits(canvas) < 8 else 1
    wide = Image.new("P", (canvas.width + margin, canvas.height))
    wide.putpalette(canvas.getpalette() or [])
    wide.paste(canvas)
    return wide


def _bits(canvas: Image.Image) -> int:
    """How many a pixel takes."""
    return 4 if len(canvas.getpalette() or []) <= 3 * 16 else 8


def png(canvas: Image.Image, width: int = 0) -> bytes:
    """The canvas as a PNG file, four bits a pixel where its palette has sixteen colours at most. ``width``: of a canvas
    with a margin how wide the picture is."""
    if not width:
        canvas, width = with_margin(canvas), canvas.width
    bits, high = _bits(canvas), canvas.height
    # Filter 0 before each row: what the PNG specification recommends for palettes. The margin makes it as the rows are
    # packed, which is quicker than to lay them out once more.
    canvas.paste(0, (width, 0, canvas.width, high))
    packed = canvas.tobytes("raw", f"P;{bits}" if bits < 8 else "P")
    rows = memoryview(packed)[:-1]
    head = struct.pack(">IIBBBBB", width, high, bits, 3, 0, 0, 0)
    data = _compressed(rows, QUICK) if bits < 8 else b""
    if not data or len(data) > LARGE * len(rows):
        data = _compressed(rows, SMALL)
    palette = bytes(canvas.getpalette() or [])
    chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    return SIGNATURE + b"".join(map(_chunk, chunks))


def _compressed(rows: memoryview, level: int) -> bytes:
    """The first row's filter, and the rows with those of the next ones."""
    stream = zlib.compressobj(level)
    return stream.compress(b"\0") + stream.compress(rows) + stream.flush()


def _chunk(chunk: tuple[bytes, bytes]) -> bytes:
    kind, data = chunk
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def laid(ground: RGB, sprite: Image.Image) -> Image.Image:
    """A sprite on a plain ground: a sample for ``Inks``."""
    picture = Image.new("RGB", sprite.size, ground)
    picture.paste(sprite, (0, 0), sprite)
    return picture


def ramp(a: RGB, b: RGB, steps: int) -> Image.Image:
    """The blends of two colours: a sample for ``Inks``."""
    picture = Image.new("RGB", (steps + 1, 1))
    picture.putdata([mix(a, b, i / steps) for i in range(steps + 1)])
    return picture
