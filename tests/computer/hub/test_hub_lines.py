from __future__ import annotations

import pytest

from bot.computer.hub.hub_lines import read_line, write_line


@pytest.mark.parametrize(
    ("text", "command", "arguments"),
    [
        ("go think\n", "go", {"think": ""}),
        ('pos pos=Wwe moves="38-15 5-41"', "pos", {"pos": "Wwe", "moves": "38-15 5-41"}),
        ("level moves = 9 time=291.587", "level", {"moves": "9", "time": "291.587"}),
        ('id name="" = x="', "id", {"name": "", "x": ""}),
        ("  ping  ", "ping", {}),
    ],
)
def test_a_line_is_read(text: str, command: str, arguments: dict[str, str]) -> None:
    """A command, and arguments with values, quoted or not, or flags; what cannot be read is passed over."""
    assert (command, arguments) == read_line(text)


def test_an_empty_line_says_nothing() -> None:
    """Neither does one of blanks."""
    assert [None, None] == [read_line(""), read_line(" \n")]


def test_a_line_is_written_as_it_is_read() -> None:
    """Values with blanks or signs, and empty ones, stand in quotes; quotes themselves are left out."""
    line = write_line("set-param", name="a b", value="", move_time="0.5", note='say "x=1"')
    assert 'set-param name="a b" value="" move-time=0.5 note="say x=1 "' == line
    assert ("set-param", {"name": "a b", "value": "", "move-time": "0.5", "note": "say x=1 "}) == read_line(line)
