"""What somebody typed is repeated without making the bot say it: no link, no mention, no end of what is quoted."""

from __future__ import annotations

import re

import pytest

from bot.engine.errors import echoed
from tests.support.discord.world import World, said

HOSTILE = (
    "[free](http://evil.example)",
    "https://evil.example/x",
    "discord.gg/evil",
    "<@1234567890>",
    "@everyone",
    "`` **loud**\n# head",
    "\\[free](<http://evil.example>)",
)
LIVE = re.compile(r"[\[\]<>@*]|//|gg/|``|\n#")


@pytest.mark.parametrize("typed", HOSTILE)
def test_what_is_echoed_means_nothing_to_discord(typed: str) -> None:
    """Signs that make a link, a mention or a quotation's end are told by others; what is harmless stays."""
    assert not LIVE.search(echoed(typed))
    assert not LIVE.search(repr(echoed(typed)))
    assert "c3-d4, quiet_moves=40" == echoed("c3-d4, quiet_moves=40")


@pytest.mark.parametrize("typed", HOSTILE)
async def test_no_answer_repeats_what_is_live(here: World, typed: str) -> None:
    """Questions and commands that repeat what was typed: none says a link or a mention that was not its own."""
    await here.start("pinoy")
    asked = await here.mention(here.bob, f"row {typed}")
    answers = [each.content for each in here.posts() if each.reference and each.reference.message_id == asked.id]
    assert answers
    commands: list[tuple[str, dict[str, str]]] = [
        ("play", {"variant": "pinoy", "position": typed}),
        ("play", {"variant": "pinoy", "position": f"white: {typed}; black: b8; white to move"}),
        ("play", {"variant": "pinoy", "side": typed}),
        ("play", {"variant": "pinoy", "rules": f"{typed}=1"}),
        ("play", {"variant": "pinoy", "rules": f"quiet_moves={typed}"}),
        ("play", {"variant": "chinese-checkers", "position": f"1:S={typed}:N=q1"}),
        ("setup", {"variant": "pinoy", "position": f"W:W{typed}:Bb8"}),
        ("game plan set", {"lines": f"{typed} b6-a5"}),
    ]
    for command, options in commands:
        answers.append(said(await here.bob.slash(here.channel, command, **options)))
    for answer in answers:
        assert not any(part in answer for part in ("](", "//evil", "<@1234567890", "@everyone", "gg/evil"))
        assert "**loud" not in answer
