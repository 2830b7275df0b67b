"""Who did not come to games, and how long that is shown."""

from __future__ import annotations

import json

import pytest

from bot.support.time_units import DAY, HOUR
from bot.tournaments.model.events import Kind, Scheduled, TournamentSettings
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.export import content
from bot.tournaments.use_cases.no_shows import mark_of
from tests.support.tournaments.automated_event import AutomatedEvent
from tests.support.tournaments.event import DIRECTOR


def test_the_mark_of_a_no_show_fades() -> None:
    """One day, three, a week ... after the last; a game played clears it."""
    day = 86_400_000
    assert mark_of([], None) is None
    assert (1, 11 * day) == mark_of([10 * day], None)
    assert (2, 15 * day) == mark_of([10 * day, 12 * day], 9 * day)
    assert (1, 13 * day) == mark_of([10 * day, 12 * day], 11 * day)
    assert mark_of([10 * day, 12 * day], 13 * day) is None
    assert (8, 38 * day) == mark_of([day * n for n in range(1, 9)], None)


async def test_no_shows_are_marked_and_the_mark_fades(club: AutomatedEvent) -> None:
    """A first move not made in time: a forfeit and a mark, which ends by itself, with a game, or with a correction."""
    await club.planned(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15), Scheduled(pause=0))
    await club.start()
    absent = (await club.load()).games[0]
    await club.play_out(frozenset((absent.white, absent.black)))
    await club.pass_time(club.now + 50 * HOUR)
    tournament = await club.load()
    (missing,) = {
        tournament.state.by_number[each.number].person for each in tournament.state.no_shows if each.round == 1
    }
    at = next(event.at for event in tournament.events if type(event.action).__name__ == "DidNotCome")
    assert {missing: (1, at + DAY)} == await club.tournaments.registration.marked([11, 12, 13, 14])
    number = tournament.state.by_person[missing].number
    game = next(game for game in tournament.games if game.round == 1 and number in (game.white, game.black))
    assert "finished" == (await club.games.game(game.game_id)).status

    kept = club.now
    club.now = at + DAY
    assert {} == await club.tournaments.registration.marked([missing])
    club.now = kept
    assert [game.game_id] == [each["game"] for each in (await club.games.privacy.data_of(missing))["games_missed"]]
    preview = await club.tournaments.results.preview(club.id, DIRECTOR, missing, "drew", 1, None)
    await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), preview, again=False)
    assert {} == await club.tournaments.registration.marked([missing])
    preview = await club.tournaments.results.preview(club.id, DIRECTOR, missing, "did not come", 1, None)
    await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), preview, again=False)
    assert {missing} == set(await club.tournaments.registration.marked([missing]))
    # By a director's word alone, of somebody else.
    other = 11 if missing != 11 else 12
    preview = await club.tournaments.results.preview(club.id, DIRECTOR, other, "did not come", 2, None)
    await club.tournaments.results.write_down(club.id, DIRECTOR, club.source(), preview, again=False)
    assert {missing, other} == set(await club.tournaments.registration.marked([missing, other]))
    club.now += 1
    await club.play_out()
    assert {} == await club.tournaments.registration.marked([missing])
    await club.games.privacy.forget(missing, club.source())
    assert [] == (await club.games.privacy.data_of(missing))["games_missed"]


@pytest.mark.parametrize("kind", [Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ROUND_ROBIN])
async def test_no_shows_of_every_kind_are_marked(club: AutomatedEvent, kind: Kind) -> None:
    """Who makes no first move in a match is marked too, and the game counts as a forfeit, also in files."""
    await club.planned(TournamentSettings(kind), range(11, 13))
    await club.start()
    await club.pass_time(club.now + 50 * HOUR)
    assert 1 == len(await club.tournaments.registration.marked([11, 12]))
    tournament = await club.load()
    ((_game, marks), *_second) = tournament.results.values()
    assert {Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS} == {*marks}
    if tournament.format.has_bracket:
        (told,) = [each for each in json.loads(content(tournament, "json", str))["events"] if "winner" in each]
        assert (True, "did not come") == (told["forfeit"], told["reason"])
