"""Which games a director is offered to enter or correct a result of."""

from __future__ import annotations

from bot.chat.tournaments.manage.result_entry import _known
from bot.tournaments.model.events import Kind, MatchGame, TournamentSettings, Undone
from bot.tournaments.persistence.stored_tournament import StoredTournament
from data.store import Store
from tests.support.tournaments.event import DIRECTOR, Event, apply


def offered(tournament: StoredTournament) -> list[tuple[str, set[int]]]:
    return [(game.match, set(game.seats)) for game in _known(tournament)[0]]


async def test_a_final_that_counts_again_can_be_corrected(store: Store) -> None:
    """A semifinal is corrected, so that others meet in the final, and that is taken back: the final that was played is
    offered, and not the one that was called off."""
    event = Event(store)
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    await event.start()
    await event.play_out()
    final = (await event.load()).games[-1]
    assert (final.match, {final.white, final.black}) in offered(await event.load())

    semifinal = next(link for link in (await event.load()).games if {link.white, link.black} & {2, 3} == {2, 3})
    results = event.tournaments.results
    preview = await results.preview(event.id, DIRECTOR, 13, "won", None, semifinal.match)
    await results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
    assert (final.match, {1, 3}) in offered(await event.load())
    assert (final.match, {1, 2}) not in offered(await event.load())

    scored = [each.number for each in (await event.load()).events if isinstance(each.action, MatchGame)]
    await apply(event, Undone(scored[-1]))
    assert (final.match, {1, 2}) in offered(await event.load())
    assert (final.match, {1, 3}) not in offered(await event.load())
