"""Custom ids that the bot has never written: each is answered, and none ends in a traceback or changes anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from itertools import islice, product
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from simcord.actors import MemberActor

from bot.chat.features import Handlers
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, said
from tests.support.thoroughness import THOROUGH

NUMBERS = ("0", "1", "2", "9" * 19, "9" * 30)
ARGS = (
    None, "x", "1", "1:abc", "1:2:xx", "a:b", "9" * 30, "1.2.3.4.5", "5.t0.12.1.", "0.1.99.1.", "1.1.0.1.x", "..", ":",
    "é", "c3-d4", "#99", "#", "-1", "0.-1", "zzz.zz", "٣", "1" * 60, "一", "一丁七", "龥" * 20,
)  # fmt: skip
MOST = 10 * THOROUGH
KINDS = 17


def ids_of(handlers: Handlers[Any]) -> Iterator[str]:
    """Custom ids of a kind, right as far as their form goes, with acts and numbers that nobody has written."""
    hints, choices = get_type_hints(handlers.kind), list[tuple[str | None, ...]]()
    for field in fields(handlers.kind):
        hint = hints[field.name]
        if get_origin(hint) is Literal:
            choices.append(get_args(hint))
        elif hint is str and field.default is MISSING:
            choices.append((*handlers._by_act, "zzz") if field.name == "act" else ("next", "zzz"))
        else:
            choices.append(ARGS if hint is str else NUMBERS)
    every = list(product(*choices))
    Random(handlers.kind.prefix).shuffle(every)
    for values in every:
        yield ":".join([handlers.kind.prefix, *(value for value in values if value is not None)])


async def pressed(here: World, person: MemberActor, custom_id: str) -> str:
    """What is answered to a press of a button that was never posted."""
    message = here.posts()[0]
    button = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id}
    here.env.backend.get_message(here.channel.id, message.id).components = [{"type": 1, "components": [button]}]
    answer = await person.click(message, custom_id=custom_id)
    return answer.response.content if answer.response is not None else "done"


@pytest.mark.parametrize("number", range(KINDS))
async def test_no_forged_id_ends_in_a_traceback(here: World, number: int) -> None:
    """Whatever a button carries, whoever presses it gets a word, and nothing is logged as an error."""
    kinds = [handlers for feature in here.bot.features for handlers in feature.buttons]
    assert len(kinds) == KINDS
    club = Club(here, 2)
    await club.started("swiss", rounds=1)
    await here.start()
    for custom_id in islice(ids_of(kinds[number]), MOST):
        if len(custom_id) <= 100:
            for person in (here.carol, club.director):
                assert "went wrong" not in await pressed(here, person, custom_id), custom_id


@pytest.mark.parametrize("custom_id", ["damero-zzz:1", "contest:zzz:1", "tournament:x"])
async def test_a_kind_that_is_not_known_is_answered(here: World, custom_id: str) -> None:
    """A button of another version is told to be that."""
    await here.start()
    message = here.posts()[0]
    button = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id}
    here.env.backend.get_message(here.channel.id, message.id).components = [{"type": 1, "components": [button]}]
    assert "older version" in said(await here.carol.click(message, custom_id=custom_id))
