"""Thematic and balloted tournaments, from the entries to the end: games, results, corrections, files."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from bot.chat.tournaments import texts
from bot.chat.tournaments.history import audit
from bot.engine import typed_positions
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.engine.registry import rules_for
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.tournaments.files.trf_reader import read
from bot.tournaments.model.events import DidNotCome, Kind, MatchGame, TournamentSettings, Undone
from bot.tournaments.model.openings import drawn
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.export import content
from bot.tournaments.use_cases.finalise import PAIR_AFTER
from data.store import Store
from tests.support.tournaments.event import DIRECTOR, Event, apply

THREE = ("9-13 22-18", "Single: 10-14 22-18", "11-15 22-18")
LIVE, DAYS = "5+3", "3d"


@pytest.fixture
def event(store: Store) -> Event:
    return Event(store)


async def running(event: Event) -> list[tuple[tuple[int, int], Game]]:
    """The games that are going on, with the starting numbers of their two."""
    links = [link for link in (await event.load()).games if link.status == "running"]
    return [((link.white, link.black), await event.games.game(link.game_id)) for link in links]


def begun(text: str) -> str:
    """The position after some moves."""
    rules = rules_for("pinoy")
    return rules.position(typed_positions.opening(rules, text))


async def test_two_games_of_a_ballot_in_turn(event: Event) -> None:
    """Each pairing of a live Swiss plays its ballot with both colours, the second game after the first, also after a
    restart; the next round draws anew, and the two count as one."""
    await event.open(TournamentSettings(Kind.SWISS, 2, openings=THREE), range(11, 15), clock=LIVE)
    await event.start()
    tournament = await event.load()
    first = drawn(tournament.settings, "1")
    assert first is not None
    assert "in turn" == tournament.settings.both
    games = await running(event)
    pairs = [pair for pair, _ in games]
    assert [{1, 3}, {2, 4}] == list(map(set, pairs))
    assert {begun(first.text)} == {game.start for _, game in games}

    await event.resign(games[0][1].id, 3)
    event.restart()
    event = restarted(event)
    again = [pair for pair, _ in await running(event)]
    assert [pairs[1], pairs[0][::-1]] == again
    await event.play_out()
    tournament = await event.load()
    assert {(Fraction(1), 1), (Fraction(1), 2), (Fraction(0), 3), (Fraction(0), 4)} == {
        (line.values[0], line.number) for line in tournament.ranking.lines
    }
    assert () == tournament.open_games
    assert "PTS,GP,BH-C1" == ",".join(map(str, tournament.settings.tie_breaks[:3]))
    assert [2, 2, 0, 0] == [line.values[1] for line in tournament.ranking.lines]

    await event.pair()
    second = drawn(tournament.settings, "2")
    assert second is not None
    assert {begun(second.text)} == {game.start for _, game in await running(event)}
    await event.play_out()
    await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    assert 8 == len((await event.load()).games)
    assert [] == await event.check()


def restarted(event: Event) -> Event:
    """The same event with what was kept in memory gone."""
    other = Event(event.store)
    other.id, other.now, other.source = event.id, event.now, event.source  # type: ignore[method-assign]
    return other


async def test_by_days_both_games_begin_at_once(event: Event) -> None:
    """In a round robin over weeks nobody waits for the first game; forfeits are of a game, not of the round."""
    plan = TournamentSettings(Kind.ROUND_ROBIN, openings=("W:Wc3,e3:Bb8,d8",))
    await event.open(plan, range(11, 13), clock=DAYS)
    await event.start()
    games = await running(event)
    assert [(1, 2), (2, 1)] == [pair for pair, _ in games]
    assert {"W:Wc3,e3:Bb8,d8"} == {game.start for _, game in games}
    await event.resign(games[1][1].id, 1)
    tournament = await event.load()
    assert (Mark.LOSS, Mark.WIN)[::-1] == tournament.state.results[1, 2, 1]
    assert Mark.PENDING is tournament.state.record.players[1].rounds[0].mark  # type: ignore[union-attr]
    unit = tournament.after(DidNotCome(2, 1))
    assert (Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS) == unit.results[1, 1, 2]
    await event.resign(games[0][1].id, 2)
    entry = (await event.load()).state.record.players[1].rounds[0]
    assert entry is not None
    assert (Mark.DRAW, 2) == (entry.mark, entry.opponent)


async def test_a_match_of_two_games(event: Event) -> None:
    """In an elimination two games decide a match, two further ones of another ballot where they do not."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION, openings=THREE), range(11, 13), clock=LIVE)
    await event.start()
    settings = (await event.load()).settings
    for number, (pair, loser) in enumerate([((1, 2), 1), ((2, 1), 2), ((1, 2), 2), ((2, 1), 2)], start=1):
        [(players, game)] = await running(event)
        opening = drawn(settings, f"W1-1.{(number + 1) // 2}")
        assert opening is not None
        assert (pair, begun(opening.text)) == (players, game.start)
        await event.resign(game.id, loser)
    assert [] == await running(event)
    assert 1 == (await event.load()).state.bracket.champion


async def test_a_match_that_neither_comes_to_ends(event: Event) -> None:
    """After two games in a row that nobody moved in the better seed goes on, and the director is told how to undo that:
    then it is played on."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION, openings=THREE), range(11, 13), clock=LIVE)
    await event.start()
    await event.pass_time(event.now + 3_600_000)
    tournament = await event.load()
    assert 2 == len(tournament.games)
    assert 1 == tournament.state.bracket.champion
    assert ["did not come", "did not come", "neither came", "neither came"] == [
        each.reason for each in tournament.events if isinstance(each.action, MatchGame)
    ]
    said = map(str, await event.said(await event.games.game(tournament.games[-1].game_id)))
    assert any(
        f"so <@11>, the better seed, goes through, and no other game is played. <@{DIRECTOR}>" in one for one in said
    )
    await apply(event, Undone(tournament.last))
    assert 1 == len(await running(event))


async def test_a_match_that_one_comes_to_goes_on(event: Event) -> None:
    """Whoever has moved in one of the two games is not away."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION, openings=THREE), range(11, 13), clock=LIVE)
    await event.start()
    await event.resign((await running(event))[0][1].id, 1)
    while len((await event.load()).games) < 3:
        await event.pass_time(event.now + 60_000)
    tournament = await event.load()
    assert ["", "did not come"] == [each.reason for each in tournament.events if isinstance(each.action, MatchGame)]
    assert 1 == len(await running(event))


async def test_results_of_either_game_by_hand(event: Event) -> None:
    """A director writes the one that is played, and corrects the one that is named."""
    await event.open(TournamentSettings(Kind.SWISS, 1, openings=THREE[:1]), range(11, 13), clock=LIVE)
    await event.start()

    async def written(player: int, result: str, match: str | None = None) -> None:
        preview = await event.tournaments.results.preview(event.id, DIRECTOR, player, result, 1, match)
        await event.tournaments.results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)

    await written(11, "won")
    await written(11, "drew")
    state = (await event.load()).state
    (pair,) = state.paired[1].games
    won = (Mark.WIN, Mark.LOSS) if pair[0] == 1 else (Mark.LOSS, Mark.WIN)
    assert {(1, *pair): won, (1, *pair[::-1]): (Mark.DRAW, Mark.DRAW)} == dict(state.results)
    with pytest.raises(Refused, match="say which, `1` or `2`"):
        await written(11, "lost")
    await written(11, "lost", "2")
    # With the other colour, it is lost by the other one.
    assert won == (await event.load()).state.results[1, *pair[::-1]]


@pytest.mark.parametrize(
    ("plan", "more", "why"),
    [
        (
            TournamentSettings(Kind.ARENA, minutes=60, openings=THREE),
            {"clock": LIVE},
            "Ballots need two games with both colours, so arenas and tables have no",
        ),
        (
            TournamentSettings(Kind.TABLES, 1, openings=("1:S=a1:N=q1",)),
            {"variant": "chinese-checkers"},
            "Tables always begin from the usual position",
        ),
        (TournamentSettings(Kind.SWISS, 1, openings=("9-14",)), {}, "Move 1 of this opening"),
    ],
)
async def test_what_is_refused(event: Event, plan: TournamentSettings, more: dict[str, Any], why: str) -> None:
    """Kinds in which nobody plays both colours draw no ballots; what cannot be begun with is refused."""
    with pytest.raises(Refused, match=why):
        await event.open(plan, range(11, 11), **more)


async def test_an_arena_has_a_theme(event: Event) -> None:
    """Its games begin from it, one for each two who meet."""
    await event.open(TournamentSettings(Kind.ARENA, minutes=60, openings=THREE[:1]), range(11, 13), clock=LIVE)
    await event.start()
    event.now += PAIR_AFTER
    await event.tournaments.arenas.time_passed(event.id)
    [(_, game)] = await running(event)
    assert begun(THREE[0]) == game.start


async def test_a_single_game_is_taken_along_with_its_ballot(event: Event) -> None:
    """Event, round, board and opening are tags, its position a FEN: it reads back as it was, running or over."""
    await event.open(TournamentSettings(Kind.SWISS, 1, openings=THREE), range(11, 13), clock=LIVE)
    await event.start()
    tournament = await event.load()
    opening = drawn(tournament.settings, "1")
    [(_, game)] = await running(event)
    await event.resign(game.id, 1)
    found = await event.games.archive.transcript(game.id)
    taken = await event.tournaments.export.in_its_event(game.id, found)
    text = pdn_writer.dumps(taken)
    tags = {"Event": tournament.title, "Round": "1", "Board": "1", "Opening": str(opening), "SetUp": "1"}
    assert all(f'[{name} "{value}"]' in text for name, value in tags.items())
    (again,) = pdn_reader.loads(text)
    assert (game.start, found.players, found.winner) == (again.start, again.players, again.winner)
    assert (found.tags["White"], found.tags["Black"]) == (again.tags["White"], again.tags["Black"])
    assert 1 == (await event.games.archive.import_games([again])).known
    assert found is await event.tournaments.export.in_its_event(99, found)


async def test_files_and_texts(event: Event) -> None:
    """The announcement tells the fingerprint, the round its ballot and seed, the files the openings; the secret is told
    at the end, and not before."""
    await event.open(TournamentSettings(Kind.SWISS, 1, openings=THREE), range(11, 13), clock=LIVE)
    await event.start()
    tournament = await event.load()
    secret, opening = tournament.settings.secret, drawn(tournament.settings, "1")
    assert opening is not None
    assert 16 == len(secret)
    announced = texts.announcement(tournament)
    assert "One of 3 openings is drawn by ballot" in announced
    assert secret not in announced
    told = texts.round_text(tournament, 1)
    assert f"Ballot {opening.number} of 3, by the seed `{opening.seed}`: **{opening}**" in told
    assert "" == json.loads(content(tournament, "json", str))["plan"]["secret"]
    [first, *_] = [told for told in await event.said((await running(event))[0][1]) if told.kind == "board"]
    assert f"ballot {opening.number}: {opening}" in str(getattr(first.content, "heading", ""))

    await event.play_out()
    # In the order of the two, whoever has which colour.
    assert "<@12> 0 - 1, 0 - 1 <@11>" in texts.round_text(await event.load(), 1)
    await event.tournaments.direction.finish(event.id, DIRECTOR, event.source())
    tournament = await event.load()
    assert f"The ballots' secret was `{secret}`" in audit(tournament)
    assert secret == json.loads(content(tournament, "json", str))["plan"]["secret"]
    report = content(tournament, "trf26", str)
    assert f"### Round 1, ballot {opening.number} of 3: {opening}" in report
    assert read(report).other
    games = await event.tournaments.export.games_of(tournament)
    assert 2 == content(tournament, "pdn", str, games).count(f'[Opening "{opening}"]')
