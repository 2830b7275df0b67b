"""A tournament is its events: every one of them, corrections of each, and what is folded from them."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.analysis.impact import what_changes
from bot.tournaments.errors import TournamentError
from bot.tournaments.files.values import crosstable
from bot.tournaments.formats.registry import fold, format_of, settings_of
from bot.tournaments.model.events import (
    ACTIONS,
    Action,
    Allowed,
    ArenaGame,
    ByeAsked,
    CheckedIn,
    DidNotCome,
    Ended,
    Entered,
    Event,
    Forbade,
    Kind,
    Left,
    MatchGame,
    Returned,
    RoundPaired,
    Scored,
    Started,
    Substituted,
    TableScored,
    TablesSeated,
    TournamentSettings,
    Undone,
)
from bot.tournaments.model.fold import further
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing.record import Mark
from tests.support.tournaments import formats
from tests.support.tournaments.director import MARKS, Directed, swiss

W, L = Mark.WIN, Mark.LOSS


def ranks(directed: Directed) -> dict[int, int]:
    return {line.number: line.rank for line in formats.ranking(directed.state).lines}


def test_entries() -> None:
    """People come and go until the start; then they have the numbers of the order given."""
    plan = TournamentSettings(Kind.SWISS, 3)
    actions: list[Action] = [
        Entered(5, "Ana"),
        Entered(6, "Bo"),
        Entered(7, "Cleo"),
        Left(6),
        Entered(8, "Dan"),
        Started((8, 5, 7)),
    ]
    state = fold(plan, [Event(i, 0, 1, action) for i, action in enumerate(actions, start=1)])
    assert Phase.RUNNING is state.phase
    assert {1: 8, 2: 5, 3: 7} == {number: entrant.person for number, entrant in state.by_number.items()}
    assert () == state.ignored


def test_limit_and_check_in() -> None:
    """Beyond the limit people wait and move up; only who checks in plays; who was left over may join late."""
    plan = TournamentSettings(Kind.SWISS, 4, limit=3, check_in=True, late_until=2)
    events = [Event(i, 0, 1, Entered(person)) for i, person in enumerate((1, 2, 3, 4, 5), start=1)]

    def state(*actions: Action) -> Tournament:
        return fold(plan, [*events, *(Event(10 + i, 0, 1, action) for i, action in enumerate(actions))])

    assert ((), (1, 2, 3, 4, 5)) == (state().starters, state().waiting)
    there = [CheckedIn(person) for person in (1, 3, 4, 5)]
    assert ((1, 3, 4), (2, 5)) == (state(*there).starters, state(*there).waiting)
    assert (1, 4, 5) == state(*there, Left(3)).starters
    begun = state(*there, Started((4, 1, 3)))
    assert ((2, 5), {1: 4, 2: 1, 3: 3}) == (begun.waiting, {n: e.person for n, e in begun.by_number.items()})
    late = state(*there, Started((4, 1, 3)), Left(2), Entered(5))
    assert (4, ()) == (late.by_person[5].number, late.waiting)


def test_a_round() -> None:
    """A round is paired, its results come in, the next is paired from them."""
    cup = swiss(4, 3)
    assert ((1, 3), (4, 2)) == cup.pair().games
    assert ((1, 1, 3), (1, 4, 2)) == cup.state.unfinished
    with pytest.raises(TournamentError, match="not over"):
        formats.next_round(cup.state)
    drawn = formats.next_round(cup.state, pending_as_draws=True)
    assert 2 == drawn.round
    cup.score("10")
    assert {frozenset((1, 2)), frozenset((3, 4))} == {frozenset(game) for game in cup.pair().games}
    cup.score("==").pair()
    cup.score("11")
    with pytest.raises(TournamentError, match="All 3 rounds"):
        formats.next_round(cup.state)
    assert 1 == formats.ranking(cup.state).lines[0].rank
    assert Phase.OVER is cup(Ended()).state.phase


def test_late_entry() -> None:
    """Until the round stated, a late entry has the next number, and rounds missed count as planned."""
    cup = swiss(4, 5, late_until=2, late_bye=Mark.HALF_BYE)
    cup.play(1, random.Random(1))
    cup(Entered(200, "Late"))
    entrant = cup.state.by_person[200]
    assert (5, 2) == (entrant.number, entrant.joined)
    assert Mark.HALF_BYE is cup.state.record.players[5].rounds[0].mark  # type: ignore[union-attr]
    places = cup.pair()
    assert 5 in {number for game in places.games for number in game} | {places.bye}
    cup.score("11")
    assert "Entries are closed. " in (refusal(cup.state, Entered(201)) or "")


def test_leaving_and_coming_back() -> None:
    """Who leaves is not paired, keeps what was scored, and may return."""
    cup = swiss(6, 5).play(1, random.Random(2))
    cup(Left(101))
    assert 1 not in {number for game in cup.pair().games for number in game}
    cup.score("11")
    assert Mark.ZERO_BYE is cup.state.record.players[1].rounds[1].mark  # type: ignore[union-attr]
    cup(Returned(101))
    assert 1 in {number for game in cup.pair().games for number in game}


def test_requested_bye_and_forbidden_pair() -> None:
    """A bye asked for counts its half point; forbidden pairs do not meet until they are allowed again."""
    cup = swiss(6, 5)(ByeAsked(6, 1), Forbade(1, 3), Forbade(1, 4))
    first = cup.pair()
    assert 6 not in {number for game in first.games for number in game}
    assert not {frozenset((1, 3)), frozenset((1, 4))} & {frozenset(game) for game in first.games}
    cup.score("==")
    assert [0.5] == [float(cup.state.record.score(6))]
    assert cup(Allowed(1, 3)).state.forbidden == {frozenset((1, 4))}
    assert "paired in that round" in (refusal(cup.state, ByeAsked(1, 1)) or "")


def test_no_show() -> None:
    """Who does not come forfeits; if neither comes both do; the mark can be taken back."""
    cup = swiss(4, 3)
    game = cup.pair().games[0]
    cup(DidNotCome(game[0], 1))
    assert (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN) == cup.state.results[1, *game]
    cup(DidNotCome(game[1], 1))
    assert (Mark.FORFEIT_LOSS, Mark.FORFEIT_LOSS) == cup.state.results[1, *game]
    cup.undo(DidNotCome(game[1], 1))
    assert (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN) == cup.state.results[1, *game]
    assert 1 == len(cup.state.no_shows)


def test_substitute() -> None:
    """A substitute goes on in the same place, with its number and points."""
    cup = swiss(4, 3).play(1, random.Random(3))
    score = cup.state.record.score(2)
    cup(Substituted(102, 300, "Sub"))
    assert (300, (102,)) == (cup.state.by_number[2].person, cup.state.by_number[2].before)
    assert score == cup.state.record.score(2)
    assert 102 not in cup.state.by_person


def test_pairing_by_hand_and_again() -> None:
    """A pairing replaced keeps the results of the games that stay; those of games that are gone do not count."""
    cup = swiss(6, 3)
    cup.pair()
    cup.score("111")
    games = cup.state.paired[1].games
    kept, one, other = games
    swapped = (kept, (one[0], other[1]), (other[0], one[1]))
    assert "Round 1 is paired already." == refusal(cup.state, RoundPaired(1, swapped, by_hand=True))
    cup(RoundPaired(1, swapped, by_hand=True, again=True))
    assert [(1, *game) for game in swapped[1:]] == list(cup.state.unfinished)
    assert (W, L) == cup.state.results[1, *kept]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (RoundPaired(5, ((1, 2),)), "next round to be paired is 2"),
        (RoundPaired(1, ((1, 2),)), "paired already"),
        (RoundPaired(2, ((1, 2), (1, 3))), "paired twice"),
        (RoundPaired(2, ((1, 9),)), "is not a player"),
        (Scored(1, 1, 2, W, L), "do not play each other"),
        (Scored(2, 1, 2, W, L), "do not play each other"),
        (Scored(1, 1, 3, W, W), "do not go together"),
        (ByeAsked(9, 2), "a kind of bye"),
        (ByeAsked(1, 2, Mark.PAIRING_BYE), "a kind of bye"),
        (Forbade(1, 1), "two different players"),
        (DidNotCome(1, 2), "no game in that round"),
        (Left(999), "not entered"),
        (Returned(101), "has not left"),
        (Substituted(101, 102), "The substitute is already playing"),
        (Substituted(999, 1), "not entered"),
        (Started((101,)), "begun already"),
        (Entered(101), "already entered"),
        (MatchGame("W1-1", 1, 1, 2, 1), "do not meet in that match"),
        (TablesSeated(1, ((1, 2, 3, 4, 4),)), "That is not the next round of tables, or someone has two seats"),
        (TableScored(1, (1, 2, 3), (1, 2, 3)), "no such table"),
        (ArenaGame(1, 1, 1, W, L), "not a game of two players"),
    ],
)
def test_refusals(action: Action, said: str) -> None:
    """What makes no sense is refused in a sentence; written down all the same, it is left out and named."""
    cup = swiss(4, 3)
    cup.pair()
    assert said in (refusal(cup.state, action) or "")
    after = fold(cup.plan, [*cup.events, Event(99, 0, 0, action)])
    assert (99,) == after.ignored
    assert cup.state.record == after.record


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (TablesSeated(1, ((1, 2, 3),)), "known already"),
        (TablesSeated(3, ((1, 2, 3),)), "not the next round"),
        (TablesSeated(2, ((1, 2, 9),)), "Someone there is not playing here, or a table does not have two, three"),
        (TablesSeated(2, ((1, 2, 3, 4, 5),)), "does not have two, three, four or six"),
        (TableScored(1, (1, 2, 3), (1, 2)), "Each seat has one place"),
        (TableScored(1, (1, 2, 3), (-1, 2, 3)), "Each seat has one place"),
        (RoundPaired(1, ((1, 2),)), "not paired in rounds of two"),
        (CheckedIn(999), "not entered"),
        (MatchGame("W1-1", 1, 1, 2, 1), "do not meet"),
    ],
)
def test_refusals_at_tables(action: Action, said: str) -> None:
    """Tables are seated once a round, of players, in sizes that there are; each seat has a place."""
    cup = Directed(TournamentSettings(Kind.TABLES, 3), 7)(TablesSeated(1, ((1, 2, 3), (4, 5, 6, 7))))
    assert said in (refusal(cup.state, action) or "")
    with pytest.raises(TournamentError, match="Round 1 is not over"):
        formats.next_tables(cup.state)


def test_more_refusals() -> None:
    """Who has left is not paired, a winner is one of the two, nobody leaves twice."""
    cup = swiss(4, 3)(Left(104))
    assert "4 is not there in that round." == refusal(cup.state, RoundPaired(1, ((1, 4),)))
    assert "This player has already left." == refusal(cup.state, Left(104))
    bracket = Directed(TournamentSettings(Kind.SINGLE_ELIMINATION), 4)
    assert "must be one of the two" in (refusal(bracket.state, MatchGame("W1-1", 1, 1, 4, 2)) or "")
    over = swiss(4, 3)(Ended())
    assert "Entries are closed." == refusal(over.state, Entered(200))


def test_before_the_start() -> None:
    """Before the start there is nothing to be scored or paired, and the order must name everybody."""
    state = fold(TournamentSettings(Kind.SWISS, 3), [Event(1, 0, 0, Entered(1)), Event(2, 0, 0, Entered(2))])
    assert "not running" in (refusal(state, Scored(1, 1, 2, W, L)) or "")
    assert "The order must name at least two entered players, each once" in (refusal(state, Started((1,))) or "")
    assert "The order must name at least two entered players, each once" in (refusal(state, Started((1, 3))) or "")
    assert "no check-in" in (refusal(state, CheckedIn(1)) or "")
    assert "not left" in (refusal(state, Returned(1)) or "")
    with pytest.raises(TournamentError, match="not running"):
        formats.next_round(state)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(4, 9))
def test_a_corrected_result(seed: int, players: int) -> None:
    """A result given wrong and corrected later stands as if it had been right from the start."""
    lots = random.Random(seed)
    cup = swiss(players, 6).play(3, lots)
    place = lots.choice([i for i, event in enumerate(cup.events) if isinstance(event.action, Scored)])
    right = cup.events[place].action
    assert isinstance(right, Scored)
    wrong = Scored(right.round, right.white, right.black, *MARKS[lots.choice("1=0")])
    mistaken = [*cup.events]
    mistaken[place] = Event(place + 1, 0, 7, wrong)
    corrected = [*mistaken, Event(len(mistaken) + 1, 0, 7, right)]
    expected, found = cup.state, fold(cup.plan, corrected)
    assert expected.record == found.record
    assert formats.ranking(expected) == formats.ranking(found)
    assert crosstable(expected) == crosstable(found)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(5, 9))
def test_anything_taken_back(seed: int, players: int) -> None:
    """Any event taken back leaves a tournament that can be folded; that taken back too, all is as it was."""
    lots = random.Random(seed)
    cup = swiss(players, 6).play(2, lots)
    undone = lots.randrange(1, len(cup.events) + 1)
    last = len(cup.events)
    once = [*cup.events, Event(last + 1, 0, 7, Undone(undone))]
    twice = [*once, Event(last + 2, 0, 7, Undone(last + 1))]
    state = fold(cup.plan, once)
    assert undone not in state.ignored
    if state.phase is not Phase.ENTRIES:
        formats.ranking(state)
    assert cup.state == fold(cup.plan, twice)


def test_what_a_correction_changes() -> None:
    """Before it is written down, the director sees points, places and the later pairings that would be others."""
    cup = swiss(8, 5)
    cup.pair()
    cup.score("1111")
    cup.pair()
    cup.score("1111")
    cup.pair()
    white, black = cup.state.paired[1].games[0]
    change = what_changes(cup.plan, cup.events, Scored(1, white, black, L, W))
    assert {white, black} == set(change.points)
    assert set(change.ranks) >= {white, black}
    assert [2, 3] == [each.round for each in change.pairings]
    assert [True, False] == [each.over for each in change.pairings]
    assert f"Changes {len(change.pairings[1].lost)} pairings of round 3: keep or pair again?" == change.question
    same = what_changes(cup.plan, cup.events, Scored(1, white, black, W, L))
    assert ({}, {}, (), "") == (same.points, same.ranks, same.pairings, same.question)
    with pytest.raises(TournamentError, match="do not play each other"):
        what_changes(cup.plan, cup.events, Scored(3, white, black, W, L))


def test_a_correction_kept_or_paired_again() -> None:
    """Kept, the later round stays with its results; paired again, it is the round that would have been."""
    cup = swiss(8, 5)
    cup.pair()
    cup.score("1111")
    cup.pair()
    white, black = cup.state.paired[1].games[0]
    correction = Scored(1, white, black, L, W)
    change = what_changes(cup.plan, cup.events, correction)
    paired_before = cup.state.paired[2]
    cup(correction)
    assert paired_before == cup.state.paired[2]
    cup(change.pairings[0].fresh)
    fresh = formats.next_round(fold(cup.plan, [e for e in cup.events if not _is_round_2(e)]))
    assert replace(fresh, again=True) == cup.state.paired[2]


def _is_round_2(event: Event) -> bool:
    return isinstance(event.action, RoundPaired) and event.action.round == 2


def test_round_robin() -> None:
    """All rounds are there from the start; who leaves forfeits what is still to come; the free round gives nothing."""
    cup = Directed(TournamentSettings(Kind.ROUND_ROBIN), 5)
    assert 5 == cup.state.rounds_planned == len(formats.every_round(cup.state))
    cup.play(2, random.Random(4))
    cup(Left(105), *formats.every_round(cup.state)[2:])
    games = [game for number in (3, 4, 5) for game in cup.state.paired[number].games if 5 in game]
    assert not any(5 in game[1:] for game in cup.state.unfinished)
    assert len(games) == 2
    for white, black in games:
        entry = cup.state.record.players[white if black == 5 else black].rounds
        assert Mark.FORFEIT_WIN in {each.mark for each in entry if each is not None}
    first_free = cup.state.paired[1].bye
    assert first_free is not None
    assert cup.state.record.players[first_free].entry(1) is None
    assert 10 == formats.next_round(Directed(TournamentSettings(Kind.DOUBLE_ROUND_ROBIN), 6).state).round * 10
    assert 10 == Directed(TournamentSettings(Kind.DOUBLE_ROUND_ROBIN), 6).state.rounds_planned


@pytest.mark.parametrize("kind", [Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION])
def test_elimination(kind: Kind) -> None:
    """A bracket is played by events to its winner; a correction says which matches it opens again."""
    cup = Directed(TournamentSettings(kind), 6)
    while cup.state.bracket.open:
        match = cup.state.bracket.open[0]
        one, other = sorted(player for player in match.players if player)
        cup(MatchGame(match.match.key, 1, one, other, one))
    assert {1: 1, 2: 2} == {number: rank for number, rank in ranks(cup).items() if rank <= 2}
    wrong = cup.state.bracket.matches["W1-2"]
    one, other = sorted(player for player in wrong.players if player)
    change = what_changes(cup.plan, cup.events, MatchGame("W1-2", 1, one, other, other))
    was, now = next(each for each in change.matches if each[0].match.key == "W2-1")
    assert (one, True) == (next(n for n in was.players if n not in now.players), other in now.players)
    assert now.is_open
    assert "" == change.question
    with pytest.raises(TournamentError, match="no rounds of pairs"):
        formats.next_round(cup.state)


def test_leaving_an_elimination() -> None:
    """The opponents of those who have left go on without playing, to the end; nobody enters a bracket late."""
    cup = Directed(TournamentSettings(Kind.DOUBLE_ELIMINATION, late_until=9), 5)(
        *(Left(person) for person in (101, 102, 104, 105))
    )
    assert "Entries are closed. " in (refusal(cup.state, Entered(200)) or "")
    while found := formats.walkovers(cup.state):
        cup(*found)
    assert 3 == cup.state.bracket.champion
    assert () == formats.walkovers(swiss(4).state)


def test_arena() -> None:
    """Points and streaks by the order of the games; a game given again is corrected."""
    cup = Directed(TournamentSettings(Kind.ARENA), 2)(Entered(103))
    cup(*(ArenaGame(game, 1, 2, W, L) for game in (1, 2, 3)), ArenaGame(4, 3, 2, Mark.DRAW, Mark.DRAW))
    lines = formats.ranking(cup.state).lines
    assert [(1, 1, 8), (2, 3, 1), (2, 2, 1)][0] == (lines[0].rank, lines[0].number, int(lines[0].values[0]))
    assert [2, 2] == [line.rank for line in lines[1:]]
    cup(ArenaGame(2, 1, 2, L, W))
    assert 4 == int(formats.ranking(cup.state).lines[0].values[0])


def test_tables() -> None:
    """A Chinese checkers event of eleven: four rounds of tables, a correction, somebody leaving."""
    cup = Directed(TournamentSettings(Kind.TABLES, 4), 11).play_tables(2, random.Random(5))
    assert [4, 4, 3] == sorted((len(table) for table in cup.state.seated[2].tables), reverse=True)
    total = sum(line.values[0] for line in formats.ranking(cup.state).lines)
    assert 2 * (11 + 11 + 10) == total
    table = cup.state.seated[1].tables[0]
    cup(TableScored(1, table, tuple(1 for _ in table)))
    assert total == sum(line.values[0] for line in formats.ranking(cup.state).lines)
    other = cup.state.seated[1].tables[1]
    change = what_changes(cup.plan, cup.events, TableScored(1, other, cup.state.table_results[1, other][::-1]))
    assert [2] == [each.round for each in change.pairings]
    assert ("", True) == (change.question, change.pairings[0].over)
    assert "3 tables of round 2" == change.pairings[0].loss
    assert isinstance(change.pairings[0].fresh, TablesSeated)
    assert refusal(cup.state, change.pairings[0].fresh) is None
    cup(Left(111)).play_tables(1, random.Random(6))
    assert 11 not in {number for seats in cup.state.seated[3].tables for number in seats}
    cup.play_tables(1, random.Random(7))
    with pytest.raises(TournamentError, match="All 4 rounds"):
        formats.next_tables(cup.state)
    assert isinstance(format_of(swiss(4).plan).next_round(swiss(4).state), RoundPaired)


def test_nine_players_to_the_podium() -> None:
    """A Swiss of five rounds with everything that happens: and after each event it could begin anew from the list."""
    lots = random.Random(9)
    cup = swiss(9, 5, late_until=2)
    cup.play(1, lots)
    cup(Entered(300, "Late"), ByeAsked(3, 2))
    cup.play(1, lots)
    cup(Left(108))
    games = cup.pair().games
    cup(DidNotCome(games[0][1], 3))
    for white, black in games[1:]:
        cup(Scored(3, white, black, *MARKS[lots.choice("1=0")]))
    white, black = cup.state.paired[2].games[0]
    was = cup.state.results[2, white, black]
    correction = Scored(2, white, black, *next(marks for marks in MARKS.values() if marks != was))
    change = what_changes(cup.plan, cup.events, correction)
    assert {white, black} == set(change.points)
    cup(correction, Substituted(102, 301, "Sub"))
    cup.play(2, lots)
    cup(Ended())
    stored = [json.loads(json.dumps(ACTIONS.to_json(event.action))) for event in cup.events]
    again = [Event(n, 0, 0, ACTIONS.of(values)) for n, values in enumerate(stored, start=1)]
    assert cup.state == fold(settings_of(json.loads(json.dumps(cup.plan.to_json()))), again)
    for count in range(len(cup.events)):
        state = fold(cup.plan, cup.events[:count])
        assert () == state.ignored
        if state.phase is not Phase.ENTRIES:
            crosstable(state)
    assert 5 == cup.state.record.rounds_paired
    assert 10 == len(formats.ranking(cup.state).lines)
    met = [frozenset(game) for paired in cup.state.paired.values() for game in paired.games if game != games[0]]
    assert len(met) == len(set(met))


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_one_event_further(seed: int) -> None:
    """The state after one more event is the fold of all, with and without events that are taken back."""
    cup = swiss(7, 4).play(3, random.Random(seed))
    for events in (cup.events, [*cup.events, Event(900, 0, 0, Undone(9)), Event(901, 0, 0, CheckedIn(101))]):
        for count in range(len(cup.events) - 2, len(events)):
            before = fold(cup.plan, events[:count])
            assert fold(cup.plan, events[: count + 1]) == further(before, events[: count + 1])
