"""A position with very many captures holds nobody else up: what is searched on the event loop, counted in steps."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest
import sqlalchemy as sa

from bot.chat.components import view_of
from bot.chat.games.delivery import Delivery
from bot.chat.games.posts import Post
from bot.engine.draughts import search_budget
from bot.engine.draughts.movegen import MoveGenerator
from bot.engine.draughts.search_budget import QUICK
from tests.support.discord.parts import part
from tests.support.discord.world import World
from tests.support.engine.many_captures import HOSTILE, LATTICE, MEN, PREY

NAMES = [f"{file}{rank}" for file in "abcdefghijklmnop" for rank in range(1, 17)]


@pytest.mark.parametrize(
    ("variant", "position"),
    [("tama", LATTICE), ("tama", MEN), ("house", f"W:WKa1:B{PREY}")],
    ids=["lattice", "men", "own"],
)
async def test_the_search_leaves_the_event_loop_free(
    here: World, monkeypatch: pytest.MonkeyPatch, variant: str, position: str
) -> None:
    """Keystrokes, lists, questions, refusals, moves and boards in words: none of them searches longer than some
    milliseconds there, in a game of a server's own neither."""
    monkeypatch.setattr(search_budget, "MOST", 100_000)
    if variant == "house":
        await here.bot.services.games.variants.add(here.guild.id, "house", HOSTILE)
    await here.start(variant)
    async with here.bot.services.store.write() as tx:
        await tx.execute(sa.text("UPDATE games SET start = :position"), {"position": position})
    await here.restart()
    steps: Counter[bool] = Counter()
    longest = 0
    look, loop = MoveGenerator._king_jumps, threading.current_thread()

    def counted(self: MoveGenerator, *args: Any) -> Any:
        steps[threading.current_thread() is loop] += 1
        return look(self, *args)

    monkeypatch.setattr(MoveGenerator, "_king_jumps", counted)

    async def free(what: Any) -> Any:
        nonlocal longest
        steps[True] = 0
        answer = await what
        longest = max(longest, steps[True])
        return answer

    for player in (here.alice, here.bob):
        await free(player.slash(here.channel, "me settings", words=True))
    person = here.mover(await free(here.game()))
    turns = (await here.game()).rules.turns((await here.game()).state)
    start = turns[0].text[:2]
    for question in ("captures", "moves", "last", f"{start}?"):
        assert await free(here.mention(person, question))
    for typed in (start, f"{start}x", f"{start}xa", turns[0].text[:8], ""):
        await free(person.autocomplete(here.channel, "move", "move", typed))
    await free(person.slash(here.channel, "game moves"))
    await free(person.slash(here.channel, "move", move="hello"))
    nowhere = next(name for name in NAMES if not any(turn.text.endswith(name) for turn in turns))
    for illegal in (f"{start}-{nowhere}", f"{start}x{nowhere}", f"{start}x{turns[0].text[3:5]}x{nowhere}"):
        await free(here.mention(person, illegal))
        assert 0 == (await here.game()).ply
    await free(here.mention(person, turns[-1].text))
    assert f"White: **{turns[-1].text}**" in here.last.content
    # The board before the move, as where its post was late.
    await here.restart()
    services = here.bot.services
    earlier = await free(services.recent.at_ply(1, 0))
    announcer = part(here.bot, Delivery).announcer
    words = await free(announcer.written_out(Post("", view_of([]), picture=True), earlier, here.guild.id))
    assert "White: " in words.content
    assert longest <= 2 * QUICK
    assert steps[False] > QUICK
