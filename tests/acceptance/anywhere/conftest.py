from __future__ import annotations

import pytest

from tests.support.discord.pairs import Pair
from tests.support.discord.world import World


@pytest.fixture(params=["group", "server"])
def pair(here: World, request: pytest.FixtureRequest) -> Pair:
    """Two people in a chat, and on a server without the bot."""
    return Pair(here, request.param)


@pytest.fixture
def in_group(here: World) -> Pair:
    """Two people in a chat."""
    return Pair(here, "group")
