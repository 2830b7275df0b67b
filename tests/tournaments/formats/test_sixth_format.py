"""A format that the bot does not have, made of one module of its own, goes all the way through the use cases."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.tournaments.format_texts import TEXTS
from bot.chat.tournaments.live_messages import content_of
from bot.games.model.announcements import BoardPosted
from bot.games.model.errors import Refused
from bot.tournaments import automation
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.registry import FORMATS
from bot.tournaments.model.events import Scheduled, Scored, TournamentSettings
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.export import content
from data.queries import tournaments as queries
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments.event import DIRECTOR, Event
from tests.support.tournaments.simultaneous import KIND, SimultaneousFormat, SimultaneousTexts


@pytest.fixture
async def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Event]:
    """A club that knows one format more."""
    monkeypatch.setitem(FORMATS, KIND, SimultaneousFormat())
    monkeypatch.setitem(TEXTS, KIND, SimultaneousTexts("Simultaneous display", "a simultaneous display"))
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Event(store)
    await store.close()


async def said(event: Event) -> dict[str, str]:
    """The messages that are to be posted, by their kind."""
    tournament = await event.load()
    return {post.kind: content_of(tournament, post, {})[0] for post in await event.tournaments.messages.pending()}


async def test_from_entries_to_the_podium(event: Event) -> None:
    """People enter, all games begin together, results come from the games and from the director, and it ends by
    itself with its messages and files."""
    with pytest.raises(Refused, match="Leave them out"):
        await event.open(TournamentSettings(KIND, rounds=3), range(11, 11))
    await event.open(TournamentSettings(KIND), range(11, 13), first_events=(Scheduled(pause=0),))
    with pytest.raises(Refused, match="players"):
        await event.start()
    for person in (13, 14):
        await event.tournaments.registration.join(event.id, person, event.source())
    assert "a simultaneous display at" in (await said(event))["announcement"]
    assert "plays everybody else at once" in (await said(event))["announcement"]

    tournament = await event.start()
    assert [(2, 1), (3, 1), (4, 1)] == [(link.white, link.black) for link in tournament.games]
    with pytest.raises(Refused, match="Entries are closed"):
        await event.tournaments.registration.join(event.id, 15, event.source())
    with pytest.raises(Refused, match="All rounds are paired"):
        await event.pair()
    game = await event.games.game(tournament.games[1].game_id)
    (begun, *_rest) = await event.said(game)
    assert isinstance(begun.content, BoardPosted)
    assert "Autumn, board 2" == begun.content.heading

    await event.resign(tournament.games[0].game_id, 1)
    await event.resign(tournament.games[1].game_id, 3)
    preview = await event.tournaments.results.preview(event.id, DIRECTOR, 14, "drew", None, None)
    assert Scored(1, 4, 1, Mark.DRAW, Mark.DRAW) == preview.action
    await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
    assert {"finished", "aborted"} == {link.status for link in (await event.load()).games}
    assert "<@12> 1" in (await said(event))["round"]

    await automation.time_passed(event.tournaments, event.id)
    tournament = await event.load()
    assert Phase.OVER is tournament.state.phase
    assert [(1, 1), (2, 2), (3, 4), (4, 3)] == [(line.rank, line.number) for line in tournament.ranking.lines]
    messages = await said(event)
    assert "**Autumn is over.**" in messages["podium"]
    assert "<@11>" in messages["podium"]
    assert "Ranked by" not in messages["standings"]

    names = {entrant.person: f"P{entrant.number}" for entrant in tournament.state.entrants}.__getitem__
    assert "1,1,P1,1.5" in content(tournament, "csv", names)
    assert KIND == json.loads(content(tournament, "json", names))["plan"]["kind"]
    with pytest.raises(Refused, match="Report files hold a Swiss or a round robin"):
        content(tournament, "trf26", names)


async def test_a_format_is_found_by_the_name_that_is_stored(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored of it can be read as long as the format is known; then it is told what is missing."""
    await event.open(TournamentSettings(KIND), range(11, 14))
    async with event.store.read() as tx:
        row = await queries.stored.get(tx, event.id)
    assert row is not None
    assert KIND == row.plan["kind"]
    monkeypatch.delitem(FORMATS, KIND)
    with pytest.raises(TournamentError, match="no plan of a tournament"):
        await event.load()


def test_every_format_has_its_texts() -> None:
    """None is offered that cannot be told of."""
    assert list(FORMATS) == list(TEXTS)
