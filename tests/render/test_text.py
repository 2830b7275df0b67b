"""Names as the shipped font can write them."""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from render import glyphs, text


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("José Ñuñez", "José Ñuñez"),
        ("Jose\u0301", "José"),
        ("Արամ Պետրոսյան", "Արամ Պետրոսյան"),
        ("Иван Ελένη", "Иван Ελένη"),
        ("user_1.x", "user_1.x"),
        ("🎲 Rey 🎲", "Rey"),
        ("\U0001d4d9\U0001d4f8\U0001d4fc\U0001d4ee", "Jose"),
        ("Ⓙⓞⓢⓔ", "Jose"),
        ("Z\u0336a\u0327\u0335l\u0321go", "Zalgo"),
        ("  Ana \n Bo ", "Ana Bo"),
        ("Ana\u202eoB", "AnaoB"),
    ],
)
def test_name_is_written(name: str, written: str) -> None:
    """A name in a script of the font is written; ornaments are left out or made plain."""
    assert glyphs.writable(name, "White") == written


@pytest.mark.parametrize("name", ["", "   ", "🎲", "王小明", "محمد", "שרה", "नमस्ते", "ᜊᜌ᜔", "Ana 王", "...", "\u0301"])
def test_name_gives_way_to_the_side(name: str) -> None:
    """A name with letters that the font lacks, that needs shaping, or without any letter, becomes the side's name."""
    assert glyphs.writable(name, "White") == "White"


@given(st.text(max_size=40), st.text(max_size=12))
def test_never_a_missing_glyph(name: str, fallback: str) -> None:
    """Whatever the name, every character that is written has a glyph in both weights and needs no shaping."""
    for char in glyphs.writable(name, fallback):
        assert ord(char) in glyphs.coverage(glyphs.REGULAR)
        assert ord(char) in glyphs.coverage(glyphs.BOLD)
        assert unicodedata.bidirectional(char) not in ("R", "AL", "AN")


@pytest.mark.parametrize("file", [glyphs.REGULAR, glyphs.BOLD])
def test_coverage_is_what_the_font_draws(file: str) -> None:
    """Read from the font file, the coverage agrees with FreeType: what is not covered is drawn as the missing glyph."""
    font = ImageFont.truetype(str(glyphs.FONTS / file), 20, layout_engine=ImageFont.Layout.BASIC)
    missing = bytes(font.getmask("\U0010ffff"))
    points = [*range(0x21, 0x7F), *range(0xA1, 0x250), *range(0x531, 0x590), *range(0x4E00, 0x4E20), 0x1F600, 0x1D4D9]
    for point in points:
        if unicodedata.category(chr(point)) not in ("Cf", "Cn", "Zs"):
            assert (point in glyphs.coverage(file)) == (bytes(font.getmask(chr(point))) != missing), hex(point)


@pytest.mark.parametrize("room", [30, 60, 120, 500])
def test_long_name_is_cut_with_an_ellipsis(room: int) -> None:
    """A cut name fits its room, is as long as it can be, and ends with an ellipsis; a short one stays."""
    name = "Maximiliano Alejandro"
    cut = text.fitted(name, 25, room)
    assert text.width(cut, 25) <= room
    if cut != name:
        kept = cut.removesuffix(text.ELLIPSIS)
        assert name.startswith(kept)
        assert text.width(name[: len(kept) + 1].rstrip() + text.ELLIPSIS, 25) > room or name[len(kept)] == " "


def test_long_name_shrinks_before_it_is_cut() -> None:
    """A name a little too long is written smaller, one much too long is cut at four fifths of the size."""
    name = "Maximiliano"
    full = text.width(name, 25)
    assert text.snug(name, 25, full) == (name, 25)
    whole, size = text.snug(name, 25, round(full * 0.9))
    assert whole == name
    assert 20 <= size < 25
    cut, least = text.snug(name, 25, full // 2)
    assert cut.endswith(text.ELLIPSIS)
    assert least == 20


def test_capitals_sit_level() -> None:
    """The middle that a mask names is the middle of its capitals, whatever else is written."""
    for words in ("HHH", "HgjÑ"):
        coverage, middle = text.mask(words, 40, True)
        column = coverage.crop((0, 0, text.width("H", 40, True), coverage.height))
        top, bottom = (column.getbbox() or (0, 0, 0, 0))[1::2]
        assert abs((top + bottom) / 2 - middle) <= 1


def test_masks_are_the_same_from_many_threads() -> None:
    """FreeType is used from one thread at a time: the same text gives the same pixels whoever asks."""
    words = [f"José {i} Արամ" for i in range(40)]
    expected = [text.mask(word, 23)[0].tobytes() for word in words]
    text.mask.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(lambda word: text.mask(word, 23)[0].tobytes(), words * 3))
    assert drawn == expected * 3
