"""What is to be said is kept until it is said, in order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.games.model.game import Place
from bot.games.persistence.outbox import Outbox, PostedMessage
from data.queries import announcements
from data.store import Store, Transaction
from tests.support.data.databases import url_of
from tests.support.games.club import ANA, BEN, Club, payload


class Noting(Store):
    """Notes which of its transactions are lasting."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.noted: list[bool] = []

    @asynccontextmanager
    async def write(self, *, lasting: bool = True) -> AsyncIterator[Transaction]:
        self.noted.append(lasting)
        async with super().write(lasting=lasting) as tx:
            yield tx


async def test_order_within_a_game(club: Club) -> None:
    """Announcements come in the order of what they announce; what is sent is not due again."""
    game = await club.play(await club.started(), "a3-b4")
    assert ["challenge", "challenge_closed", "board", "board"] == await club.kinds(game)
    [challenge] = await club.outbox.due(game.id)
    await club.outbox.sent(challenge, message_id=500, channel_id=70)
    said = await club.outbox.due(game.id)
    assert ["challenge_closed", "board", "board"] == [told.kind for told in said]
    assert PostedMessage(70, 500) == said[0].edits
    assert PostedMessage(70, 500) == await club.outbox.posted(game.id, "challenge")
    assert await club.outbox.posted(game.id, "board") is None
    for number, told in enumerate(said):
        await club.outbox.sent(told, message_id=500 + number, channel_id=70)
    assert [] == await club.said(game)
    assert PostedMessage(70, 502) == await club.outbox.posted(game.id, "board")


async def test_an_edit_waits_for_its_post(club: Club) -> None:
    """The edit of a post that is still to be made is not due before it: only then is it known what to edit."""
    game = await club.challenge()
    await club.games.challenges.withdraw(game.id, ANA, club.source())
    other = await club.started(place=Place(7, 71))
    assert [(game.id, "challenge"), (other.id, "challenge")] == [
        (told.game_id, told.kind) for told in await club.outbox.due()
    ]
    for expected in (["challenge"], ["challenge_closed", "board"]):
        due = await club.outbox.due(other.id)
        assert expected == [told.kind for told in due]
        for told in due:
            await club.outbox.sent(told, message_id=told.id, channel_id=71)
    assert [] == await club.outbox.due(other.id)


async def test_nothing_overtakes_what_must_be_tried_again(club: Club) -> None:
    """A failed announcement pauses its game, and no other; after the pause it is due again, before the rest."""
    game = await club.started()
    other = await club.started(place=Place(7, 71))
    first = (await club.said(game))[0]
    await club.outbox.failed(first, retry_at=club.now + 100)
    assert [] == await club.outbox.due(game.id)
    assert {other.id} == {told.game_id for told in await club.outbox.due()}
    assert club.now + 100 == await club.outbox.next_try(game.id)
    assert [game.id, other.id] == await club.outbox.games_waiting()
    club.now += 100
    said = await club.outbox.due(game.id)
    assert (first.id, 1) == (said[0].id, said[0].attempts)
    assert first.nonce == said[0].nonce


async def test_giving_up(club: Club) -> None:
    """What is given up is not due again, and what would have edited it has nothing to edit."""
    game = await club.started()
    await club.outbox.failed((await club.said(game))[0], None)
    said = await club.outbox.due(game.id)
    assert ("challenge_closed", None) == (said[0].kind, said[0].edits)
    assert await club.outbox.posted(game.id, "challenge") is None


async def test_waking(club: Club) -> None:
    """At the start of the bot no pause counts any more."""
    game = await club.started()
    await club.outbox.failed((await club.said(game))[0], club.now + 10**9)
    assert [] == await club.outbox.due(game.id)
    await club.outbox.wake()
    assert 1 == len(await club.outbox.due(game.id))
    assert club.now == await club.outbox.next_try(game.id)


async def test_nothing_to_say(club: Club) -> None:
    """A game without announcements has no next try."""
    assert await club.outbox.next_try(99) is None
    assert [] == await club.outbox.games_waiting()
    assert [] == await club.outbox.due()


async def test_an_offer_is_edited_when_it_closes(club: Club) -> None:
    """The closing of an offer finds the message in which it was made."""
    game = await club.started()
    for told in await club.said(game):
        await club.outbox.sent(told, message_id=told.id, channel_id=70)
    game = await club.games.offers.offer_draw(game.id, ANA, club.source())
    [offer] = await club.outbox.due(game.id)
    await club.outbox.sent(offer, message_id=900, channel_id=70)
    await club.games.offers.answer("draw", game.id, BEN, False, club.source())
    closed = (await club.outbox.due(game.id))[0]
    assert ("offer_closed", PostedMessage(70, 900), offer.id) == (closed.kind, closed.edits, payload(closed)["offer"])


async def test_marks_are_made_once(club: Club) -> None:
    """What was sent stays sent, by its first message."""
    game = await club.started()
    first = (await club.said(game))[0]
    await club.outbox.sent(first, message_id=500, channel_id=70)
    await club.outbox.sent(first, message_id=501, channel_id=70)
    await club.outbox.failed(first, None)
    assert PostedMessage(70, 500) == await club.outbox.posted(game.id, "challenge")


async def test_marks_of_what_is_edited_are_lasting(club: Club, tmp_path: Path) -> None:
    """The mark of a challenge and of an offer outlasts the power: their post, edited since, would not be found. The one
    of a board need not."""
    store = Noting(url_of(tmp_path / "damero.sqlite3"))
    await store.open()
    try:
        outbox = Outbox(store, lambda: club.now)
        game = await club.started()
        challenge, closed, board = await club.said(game)
        await club.games.offers.offer_draw(game.id, ANA, club.source())
        for told, lasting in ((challenge, True), (closed, False), (board, False), ((await club.said(game))[-1], True)):
            await outbox.sent(told, message_id=told.id, channel_id=70)
            assert (told.kind, [lasting]) == (told.kind, store.noted)
            store.noted.clear()
    finally:
        await store.close()


async def test_a_board_whose_number_was_lost(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the connection that took a board's announcement along with the commit gave no number back, what waits is
    looked up, and the board is posted."""
    club.outbox.follow(club.games.signals.announced, club.games.signals.unsaid)
    game = await club.started()
    for _ in range(2):
        for told in await club.outbox.due(game.id):
            if told.kind != "board":
                await club.outbox.sent(told, message_id=told.id, channel_id=70)
    [board] = await club.outbox.due(game.id)
    add = announcements.add_later

    async def lost(*args: Any, **named: Any) -> Callable[[], None]:
        await add(*args, **named)
        return lambda: None

    monkeypatch.setattr(announcements, "add_later", lost)
    game = await club.play(game, "a3-b4")
    assert [board.ply, game.ply] == [told.ply for told in await club.outbox.due(game.id)]


async def test_nonces(club: Club) -> None:
    """A nonce is the announcement's own, short enough, and another in a database that was begun anew."""
    game = await club.started()
    nonces = [told.nonce for told in await club.said(game)]
    assert 3 == len(set(nonces))
    assert all(0 < len(nonce) <= 25 for nonce in nonces)
