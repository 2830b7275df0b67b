"""What a tournament's games are told to be part of, as it is stored with them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.games.model.announcements import BoardPosted, Note
from bot.games.model.errors import Refused
from bot.i18n import Phrase, phrase
from bot.tournaments.model.events import (
    Kind,
    MatchGame,
    PairedRound,
    Scheduled,
    Scored,
    TablesSeated,
    TournamentSettings,
    Undone,
)
from bot.tournaments.use_cases.finalise import PAIR_AFTER
from data.queries.tournaments import TournamentGame
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments.event import DIRECTOR, Event, apply

SEMIFINAL, MATCH = phrase("semifinal {number}", number="2"), phrase("match {match}", match="W1-2")


@pytest.fixture
async def event(tmp_path: Path) -> AsyncIterator[Event]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield Event(store)
    await store.close()


@pytest.mark.parametrize(
    ("kind", "options", "template", "fields"),
    [
        (Kind.SWISS, {"rounds": 3}, "{event}, round {round}", {"match": ""}),
        (Kind.ROUND_ROBIN, {}, "{event}, round {round}, until {date}", {"match": "", "date": "<t:260200:f>"}),
        (Kind.SINGLE_ELIMINATION, {}, "{event}, {name}", {"match": "W1-2", "name": SEMIFINAL.kept()}),
        (Kind.DOUBLE_ELIMINATION, {}, "{event}, {name}", {"match": "W1-2", "name": MATCH.kept()}),
        (Kind.ARENA, {"minutes": 60}, "{event}, game {round}", {"match": ""}),
        (Kind.TABLES, {"rounds": 2}, "{event}, round {round}, table {table}", {"match": "010203", "table": 1}),
    ],
)
async def test_a_heading_is_stored_with_all_that_it_could_tell(
    event: Event, kind: Kind, options: dict[str, Any], template: str, fields: dict[str, Any]
) -> None:
    """The event, the round and the match are kept also where the sentence does not use them; what it adds follows."""
    variant = "chinese-checkers" if kind is Kind.TABLES else "pinoy"
    first_events = (Scheduled(days=3),) if kind is Kind.ROUND_ROBIN else ()
    clock = "5+3" if kind is Kind.ARENA else "3d"
    await event.open(
        TournamentSettings(kind, **options), range(11, 14), variant=variant, clock=clock, first_events=first_events
    )
    await event.start()
    event.now += PAIR_AFTER
    await event.tournaments.arenas.time_passed(event.id)
    game = await event.games.game((await event.load()).games[0].game_id)
    (begun, *_rest) = await event.said(game)
    assert isinstance(begun.content, BoardPosted)
    assert isinstance(begun.content.heading, Phrase)
    stored = begun.content.heading.kept()
    assert {"says": template, "fields": {"event": "Autumn", "round": 1, **fields}} == stored
    assert ["event", "round", "match", *list(fields)[1:]] == list(stored["fields"])


async def test_links_are_wanted_with_the_last_thread(event: Event) -> None:
    """The post of a round is to link its games from the moment the last of them has its thread, whatever becomes of the
    process then; a thread that was there already changes nothing."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15))
    tournament = await event.start()
    messages, channels = event.tournaments.messages, event.games.channels

    async def wanted() -> list[int]:
        return [post.wanted for post in await messages.pending(event.id) if post.kind == "round"]

    first, last = [link.game_id for link in tournament.games]
    assert [1] == await wanted()
    await channels.settle_channel(first, 701)
    assert [1] == await wanted()
    await channels.settle_channel(last, 702)
    assert [2] == await wanted()
    await channels.settle_channel(last, 702)
    assert [2] == await wanted()


async def test_links_of_a_bracket_are_wanted_with_the_last_thread(event: Event) -> None:
    """Of an elimination it is the standings that link the games."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    tournament = await event.start()

    async def wanted() -> list[int]:
        return [post.wanted for post in await event.tournaments.messages.pending(event.id) if post.kind == "standings"]

    first, last = [link.game_id for link in tournament.games]
    await event.games.channels.settle_channel(first, 701)
    assert [1] == await wanted()
    await event.games.channels.settle_channel(last, 702)
    assert [2] == await wanted()


async def test_a_game_that_was_called_off_hears_of_its_result_as_often_as_it_changes(event: Event) -> None:
    """The director enters a result, corrects it and takes it back: the thread of the game is told each time."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15))
    link = (await event.start()).games[0]

    async def told() -> str:
        last = (await event.said(await event.games.game(link.game_id)))[-1].content
        assert isinstance(last, Note)
        return str(last.sentence)

    async def enter(result: str) -> None:
        results = event.tournaments.results
        preview = await results.preview(event.id, DIRECTOR, 10 + link.white, result, 1, None)
        await results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)

    async def take_back(number: int) -> None:
        scored = [each.number for each in (await event.load()).events if isinstance(each.action, Scored)]
        await apply(event, Undone(scored[number]))

    await enter("won")
    one, other = f"<@{10 + link.white}>", f"<@{10 + link.black}>"
    assert f"The director has entered the result of this game. {one} 1 - 0 {other}" == await told()
    await enter("lost")
    assert f"The director has corrected the result of this game. {one} 0 - 1 {other}" == await told()
    await take_back(1)
    assert f"The director has corrected the result of this game. {one} 1 - 0 {other}" == await told()
    await take_back(0)
    assert "The director has taken back the result of this game. A new game begins." == await told()
    # That is taken back, too: the new game is over, and says what counts.
    link = (await event.load()).games[-1]
    undone = [each.number for each in (await event.load()).events if isinstance(each.action, Undone)]
    await apply(event, Undone(undone[-1]))
    assert f"The director has entered the result of this game. {one} 1 - 0 {other}" == await told()


async def test_of_two_games_for_one_the_later_hears_what_counts(event: Event) -> None:
    """The result of a game that was played is taken back: what is entered for the game that begins in its place is told
    there; once the first result counts again, its thread hears of that."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=1), range(11, 13))
    await event.start()
    await event.play_out()

    async def told(at: int) -> str:
        link = (await event.load()).games[at]
        last = (await event.said(await event.games.game(link.game_id)))[-1].content
        assert isinstance(last, Note)
        return str(last.sentence)

    await apply(event, Undone((await event.load()).last))
    taken_back = (await event.load()).last
    new_game = "The director has taken back the result of this game. A new game begins."
    assert new_game == await told(0)
    results = event.tournaments.results
    for result, verb in (("drew", "entered"), ("won", "corrected"), ("lost", "corrected")):
        preview = await results.preview(event.id, DIRECTOR, 11, result, 1, None)
        await results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
        assert f"The director has {verb} the result of this game. " in await told(1)
        assert new_game == await told(0)

    for number in reversed(
        [each.number for each in (await event.load()).events if isinstance(each.action, Scored)][1:]
    ):
        await apply(event, Undone(number))
    assert [new_game, new_game] == [await told(0), await told(1)]
    await apply(event, Undone(taken_back))
    assert "The director has entered the result of this game. " in await told(2)
    assert "The result of this game counts again: " in await told(1)


async def test_a_result_of_who_left_is_not_the_directors(event: Event) -> None:
    """The game of who leaves is lost, and shows which result counts, without a word of a director."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 13))
    link = (await event.start()).games[0]
    await event.tournaments.registration.leave(event.id, 12, 12, event.source())
    told = await event.tournaments.results.entered(await event.games.game(link.game_id))
    assert "In the tournament this result counts: <@11> 1 - 0 <@12>" == told


async def test_a_final_that_is_void_is_told_so(event: Event) -> None:
    """A semifinal is corrected after the final was played by its loser: that no longer counts, there and where its
    result is asked for; the other semifinal hears nothing."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    await event.start()
    await event.play_out()
    links = {link.match: link for link in (await event.load()).games}
    semifinals = [link for match, link in links.items() if match.startswith("W1")]
    final = next(link for match, link in links.items() if match.startswith("W2"))
    results = event.tournaments.results
    other, corrected = sorted(semifinals, key=lambda link: 1 in (link.white, link.black), reverse=True)
    before = len(await event.said(await event.games.game(other.game_id)))
    winner = max(corrected.white, corrected.black)
    preview = await results.preview(event.id, DIRECTOR, 10 + winner, "won", None, corrected.match)
    await results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
    game = await event.games.game(final.game_id)
    last = (await event.said(game))[-1].content
    assert isinstance(last, Note)
    assert "changed an earlier result of **Autumn**, so this game no longer counts." in str(last.sentence)
    assert "In the tournament this game does not count." == await results.entered(game)
    assert before == len(await event.said(await event.games.game(other.game_id)))
    # Until that is taken back: the final counts again, and those who were to play another one hear of it.
    finals = [link for link in (await event.load()).games if link.match == final.match]
    scored = [each.number for each in (await event.load()).events if isinstance(each.action, MatchGame)]
    await apply(event, Undone(scored[-1]))
    assert "" == await results.entered(game)
    last = (await event.said(game))[-1].content
    assert isinstance(last, Note)
    assert "The result of this game counts again: " in str(last.sentence)
    (another,) = [link for link in finals if link.game_id != final.game_id]
    await apply(event, Undone((await event.load()).last))
    last = (await event.said(await event.games.game(another.game_id)))[-1].content
    assert isinstance(last, Note)
    assert "This game is to be played after all. A new one begins." == str(last.sentence)


async def test_a_semifinal_that_was_entered_and_is_void_does_not_count(event: Event) -> None:
    """The final's result is entered while it is played, then a semifinal is corrected: the final that was called off
    does not count, and says so; entered once more as it was, the semifinal lets it count again."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    for link in (await event.start()).games:
        await event.resign(link.game_id, max(link.white, link.black))
    *semifinals, final = (await event.load()).games
    results = event.tournaments.results

    async def enter(number: int, match: str) -> None:
        preview = await results.preview(event.id, DIRECTOR, 10 + number, "won", None, match)
        await results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)

    async def told() -> tuple[str, str]:
        game = await event.games.game(final.game_id)
        last = (await event.said(game))[-1].content
        assert isinstance(last, Note)
        return str(last.sentence), await results.entered(game)

    await enter(final.white, final.match)
    counts = f"<@{10 + final.white}> 1 - 0 <@{10 + final.black}>"
    assert (
        f"The director has entered the result of this game. {counts}",
        f"In the tournament the director's result counts: {counts}",
    ) == await told()
    await enter(max(semifinals[0].white, semifinals[0].black), semifinals[0].match)
    assert (
        "The director has changed an earlier result of **Autumn**, so this game no longer counts.",
        "In the tournament this game does not count.",
    ) == await told()
    await enter(min(semifinals[0].white, semifinals[0].black), semifinals[0].match)
    assert (
        f"The result of this game counts again: {counts}",
        f"In the tournament the director's result counts: {counts}",
    ) == await told()


async def test_a_round_whose_pairing_is_undone_tells_the_games_that_are_over(event: Event) -> None:
    """A round is paired in error and one of its games is played: it hears that it no longer counts, and those of the
    rounds before hear nothing."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15))
    await event.start()
    await event.play_out()
    tournament = await event.pair()
    played, running = tournament.games[2:]
    (paired,) = [each.number for each in tournament.events if isinstance(each.action, PairedRound)][1:]
    await event.resign(played.game_id, played.white)
    earlier = [len(await event.said(await event.games.game(link.game_id))) for link in tournament.games[:2]]
    await apply(event, Undone(paired))
    for link, ending in ((played, "no longer counts."), (running, "is called off.")):
        last = (await event.said(await event.games.game(link.game_id)))[-1].content
        assert isinstance(last, Note)
        assert f"The director has changed the pairing, so this game {ending}" == str(last.sentence)
    assert earlier == [len(await event.said(await event.games.game(link.game_id))) for link in tournament.games[:2]]


async def test_a_table_whose_round_is_undone_is_told_so(event: Event) -> None:
    """A round of tables is seated in error and one of them is over: it hears that it no longer counts."""
    await event.open(TournamentSettings(Kind.TABLES, rounds=2), range(11, 17), variant="chinese-checkers")
    over, running = (await event.start()).games
    people = (await event.games.game(over.game_id)).players
    for _person in people:
        game = await event.games.game(over.game_id)
        assert game.to_move is not None
        await event.games.moves.turn(game.id, game.to_move, game.rules.turns(game.state)[0].text, event.source())
    for person in people[1:]:
        assert person is not None
        await event.games.moves.resign(over.game_id, person, event.source())
    (seated,) = [each.number for each in (await event.load()).events if isinstance(each.action, TablesSeated)]
    await apply(event, Undone(seated))
    for link, ending in ((over, "no longer counts."), (running, "is called off.")):
        last = (await event.said(await event.games.game(link.game_id)))[-1].content
        assert isinstance(last, Note)
        assert f"The director has changed the pairing, so this game {ending}" == str(last.sentence)


async def test_a_final_that_is_played_once_more_is_told_once_what_counts(event: Event) -> None:
    """The first final is void, and is told so once; the same two play another one, whose result the director takes
    back: it hears that, and not the result of the first, which does not count either."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    await event.start()
    await event.play_out()
    first = (await event.load()).games[-1]
    results = event.tournaments.results

    async def told(link: TournamentGame) -> tuple[str, str, int]:
        game = await event.games.game(link.game_id)
        said = [each.content for each in await event.said(game)]
        last = said[-1]
        assert isinstance(last, Note)
        notes = [each for each in said if isinstance(each, Note)]
        return str(last.sentence), await results.entered(game), len(notes)

    async def take_back(match: str) -> None:
        scored = [(e.number, e.action) for e in (await event.load()).events if isinstance(e.action, MatchGame)]
        await apply(event, Undone(max(number for number, action in scored if action.match == match)))

    await take_back("W1-1")
    assert "so this game no longer counts." in (await told(first))[0]
    notes = (await told(first))[2]
    await event.play_out()
    second = (await event.load()).games[-1]
    assert (first.match, first.white, first.black) == (second.match, second.white, second.black)
    assert notes == (await told(first))[2]
    assert "In the tournament this game does not count." == (await told(first))[1]
    assert "" == await results.entered(await event.games.game(second.game_id))

    await take_back(second.match)
    assert "The director has taken back the result of this game. A new game begins." == (await told(second))[0]
    assert "In the tournament this game does not count." == (await told(second))[1]


async def test_a_result_that_only_confirmed_another_is_undone_without_a_word(event: Event) -> None:
    """What counts is as before."""
    await event.open(TournamentSettings(Kind.SWISS, rounds=3), range(11, 15))
    link = (await event.start()).games[0]
    await event.resign(link.game_id, link.black)
    results = event.tournaments.results
    preview = await results.preview(event.id, DIRECTOR, 10 + link.white, "won", 1, None)
    await results.write_down(event.id, DIRECTOR, event.source(), preview, again=True)
    before = len(await event.said(await event.games.game(link.game_id)))
    await apply(event, Undone((await event.load()).last))
    assert before == len(await event.said(await event.games.game(link.game_id)))


async def test_a_second_final_that_is_not_played_has_no_result(event: Event) -> None:
    """The first final is corrected so that it decides: a result for the second one, which was played, is refused."""
    await event.open(TournamentSettings(Kind.DOUBLE_ELIMINATION), range(11, 15))
    await event.start()
    for match, loser in (("W1-1", 4), ("W1-2", 3), ("W2-1", 2), ("L1-1", 4), ("L2-1", 3), ("F1", 1), ("F2", 1)):
        (link,) = [link for link in (await event.load()).games if link.match == match]
        await event.resign(link.game_id, loser)
    results = event.tournaments.results
    preview = await results.preview(event.id, DIRECTOR, 11, "won", None, "F1")
    await results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)
    with pytest.raises(Refused, match="no such match"):
        await results.preview(event.id, DIRECTOR, 11, "won", None, "F2")


async def test_a_result_that_counts_again_ends_the_game_that_was_played_for_it(event: Event) -> None:
    """A semifinal is undone and played again by the same two, and the final begins anew: once the undoing is undone,
    the first final counts again, and both of its threads say so."""
    await event.open(TournamentSettings(Kind.SINGLE_ELIMINATION), range(11, 15))
    await event.start()
    await event.play_out()
    first = (await event.load()).games[-1]
    scored = {e.action.match: e.number for e in (await event.load()).events if isinstance(e.action, MatchGame)}
    await apply(event, Undone(scored["W1-1"]))
    undone = (await event.load()).last
    (again,) = [link for link in (await event.load()).games if link.status == "running"]
    await event.resign(again.game_id, max(again.white, again.black))
    second = (await event.load()).games[-1]
    assert ("W2-1", "running") == (second.match, second.status)
    await apply(event, Undone(undone))

    async def told(link: TournamentGame) -> str:
        last = (await event.said(await event.games.game(link.game_id)))[-1].content
        assert isinstance(last, Note)
        return str(last.sentence)

    assert "The result of this game counts again: " in await told(first)
    assert "The director has entered the result of this game. " in await told(second)


async def test_a_result_for_a_second_game_is_not_told_of_the_first(event: Event) -> None:
    """The result of a running game is entered and taken back, and one entered for the game that begins in its place:
    the first game does not count, until its own result counts again; a correction of that is told of it, too."""
    await event.open(TournamentSettings(Kind.ROUND_ROBIN), range(11, 13))
    first = (await event.start()).games[0]
    results = event.tournaments.results
    white = 10 + first.white

    async def enter(result: str) -> None:
        preview = await results.preview(event.id, DIRECTOR, white, result, first.round, "")
        await results.write_down(event.id, DIRECTOR, event.source(), preview, again=False)

    async def told(link: TournamentGame) -> str:
        return await results.entered(await event.games.game(link.game_id))

    counts = "In the tournament the director's result counts: {white} {result} {black}".format
    people = {"white": f"<@{white}>", "black": f"<@{10 + first.black}>"}
    await enter("won")
    assert counts(**people, result="1 - 0") == await told(first)
    await apply(event, Undone((await event.load()).last))
    second = (await event.load()).games[-1]
    assert "" == await told(first)
    await enter("lost")
    assert "In the tournament this game does not count." == await told(first)
    assert counts(**people, result="0 - 1") == await told(second)
    # All is taken back, step by step: the first result counts.
    *_, taken_back, entered = (await event.load()).events
    await apply(event, Undone(entered.number))
    await apply(event, Undone(taken_back.number))
    assert counts(**people, result="1 - 0") == await told(first)
    assert "In the tournament this game does not count." == await told(second)
    await enter("drew")
    assert counts(**people, result="½ - ½") == await told(first)
    assert "In the tournament this game does not count." == await told(second)
