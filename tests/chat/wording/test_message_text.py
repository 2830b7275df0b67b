"""Names that people choose, as they stand in messages."""

from __future__ import annotations

import pytest

from bot.chat.wording.message_text import chosen_name
from bot.games.model.errors import Refused


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  The  spring\n cup ", "The spring cup"),
        ("Cup\u202e pu\u0000c", "Cup puc"),
        ("Cu\u200bp", "Cup"),
        ("*Cup*", r"\*Cup\*"),
        ("♟️🏆", "♟️🏆"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("Հայկական տամա", "Հայկական տամա"),
        ("Ñandú & amigos (2ª)", "Ñandú & amigos (2ª)"),
        ("10", "10"),
    ],
)
def test_names_keep_what_is_seen(text: str, name: str) -> None:
    """One line, any script; signs that nobody sees and that turn the writing round are gone."""
    assert name == chosen_name(text)


@pytest.mark.parametrize(
    "text", ["", "  ", "\u200b\u200d", "\u2800\u2800", "\u202e", "\x00", "\u3164", "\u0301", "\ue000"]
)
def test_names_that_cannot_be_read(text: str) -> None:
    """What looks like nothing is no name."""
    with pytest.raises(Refused, match="Choose a readable name"):
        chosen_name(text)


@pytest.mark.parametrize(
    "text", ["https://example.org", "Cup at HTTP://x.y", "discord.gg/abc", "Discord.com/invite/abc"]
)
def test_names_are_no_links(text: str) -> None:
    """Discord would make them clickable, and show what is behind them."""
    with pytest.raises(Refused, match="link"):
        chosen_name(text)


@pytest.mark.parametrize("text", ["Cup <@1>", "<#5>", "<:dama:77>", "</play:1>", "<a:x:2>"])
def test_a_name_mentions_nobody(text: str) -> None:
    """What Discord would show as a person, a channel, a command or a picture is refused."""
    with pytest.raises(Refused, match="A name cannot mention anyone"):
        chosen_name(text)
