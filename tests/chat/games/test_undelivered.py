"""Whether a post that could not be made is tried again, and when."""

from __future__ import annotations

import aiohttp
import discord
import pytest

from bot.chat.games.undelivered import PAUSES, PAUSES_FOR_PERMISSION, Trouble, is_locked, retry_in, trouble_of
from bot.chat.permissions import MissingPermissions
from tests.support.discord.errors import refused


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (MissingPermissions(1, []), Trouble.CLOSED),
        (refused(403, 50001), Trouble.CLOSED),
        (refused(400, 50083), Trouble.CLOSED),
        (refused(404, 10003), Trouble.GONE),
        (refused(404, 10008), Trouble.REFUSED),
        (refused(400, 50035), Trouble.REFUSED),
        (refused(429, 0), Trouble.PASSING),
        (refused(401, 0), Trouble.PASSING),
        (refused(409, 0), Trouble.PASSING),
        (refused(503, 0), Trouble.PASSING),
        (discord.RateLimited(40.0), Trouble.PASSING),
        (aiohttp.ServerDisconnectedError(), Trouble.PASSING),
        (TimeoutError(), Trouble.PASSING),
    ],
    ids=repr,
)
def test_what_an_error_means(error: Exception, trouble: Trouble) -> None:
    """What Discord says decides whether waiting helps."""
    assert trouble is trouble_of(error)


def test_a_locked_thread_is_told_from_a_missing_permission() -> None:
    """Other people can put it right."""
    assert is_locked(refused(400, 50083))
    assert not is_locked(refused(403, 50001))


def test_pauses_grow_and_stay() -> None:
    """Permissions are looked at more often: that costs no request."""
    for trouble, pauses in ((Trouble.PASSING, PAUSES), (Trouble.CLOSED, PAUSES_FOR_PERMISSION)):
        tries = [retry_in(trouble, attempts, mirrored=False) for attempts in range(len(pauses) + 1)]
        assert [*pauses, pauses[-1]] == tries


def test_what_is_gone_is_tried_again_on_the_second_server_alone() -> None:
    """There another thread is opened; what Discord will never take is given up everywhere."""
    assert retry_in(Trouble.GONE, 0, mirrored=False) is None
    assert PAUSES[0] == retry_in(Trouble.GONE, 0, mirrored=True)
    assert retry_in(Trouble.REFUSED, 0, mirrored=True) is None
