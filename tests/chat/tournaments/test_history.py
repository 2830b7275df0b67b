"""What has been done in a tournament, in words."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from bot.chat.tournaments.bracket_texts import bracket_lines
from bot.chat.tournaments.event_texts import sentence
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.history import audit
from bot.i18n import speaking
from bot.tournaments.formats.format import HAS_LEFT, NEITHER_CAME, NOT_COME
from bot.tournaments.model.events import (
    Action,
    ByeAsked,
    Cancelled,
    CheckedIn,
    DidNotCome,
    Ended,
    Entered,
    Event,
    Forbade,
    Halted,
    Kind,
    Left,
    MatchGame,
    Paused,
    RoundPaired,
    Scheduled,
    Scored,
    Seeded,
    Substituted,
    TournamentSettings,
    Undone,
)
from bot.tournaments.pairing.record import Mark
from tests.support.tournaments.director import Directed, stored_of, swiss


def test_every_event_can_be_read() -> None:
    """Each message fits, says where to go on, and together they hold every event with its result, once."""
    club = swiss(24, 9)
    club.play(9, random.Random(7))
    club(Undone(len(club.events)))
    tournament = stored_of(club)
    seen: list[int] = []
    before: int | None = None
    while True:
        text = audit(tournament, before)
        assert len(text) <= 2000
        seen[:0] = map(int, re.findall(r"^([0-9]+)\. <t:", text, re.MULTILINE))
        more = re.search("`before: ([0-9]+)`", text)
        if more is None:
            break
        before = int(more[1])
    assert list(range(1, len(club.events) + 1)) == seen
    newest = audit(tournament)
    assert f"<@7> undid event {len(club.events) - 1}" in newest
    assert re.search(r"Round 9: <@1\d\d> (1 - 0|½ - ½|0 - 1) <@1\d\d> \(entered by <@7>\)", newest)
    assert newest.startswith("**Autumn: events ")
    assert f" to {len(club.events)} of {len(club.events)}**" in newest


def test_whoever_sets_a_match_going_is_not_said_to_have_paired_it() -> None:
    """In a match of two servers those who play join by themselves, and its kind is told by its boards."""
    club = Directed(TournamentSettings(Kind.SWISS, 1), 2)
    club(RoundPaired(1, ((1, 2),), None, by_hand=True))
    match = replace(stored_of(club), competition_id=1)
    told = [line.partition(":f> ")[2] for line in audit(match).splitlines()]
    assert "<@101> joined" == told[1]
    assert ["Damero started the tournament with 2 players", "Damero paired round 1"] == told[3:5]
    assert "a match on 1 board" == texts_of(match).kind(match)


def test_a_short_history_is_all_there_in_sentences() -> None:
    """Each line has somebody who did something, a round tells who has the bye, and nothing is called the newest."""
    club = Directed(TournamentSettings(Kind.SWISS, 3), 3)
    paired = club.pair()
    club.score("1")
    first, *others = audit(stored_of(club)).splitlines()
    assert first == "**Autumn: what has happened**"
    told = [line.partition(":f> ")[2] for line in others]
    assert told[0] == "<@7> entered <@101>"
    assert told[3] == "<@7> started the tournament with 3 players"
    assert told[4] == f"<@7> paired round 1. <@{100 + (paired.bye or 0)}> has the bye."
    (white, black), *_ = paired.games
    assert told[5] == f"Round 1: <@{100 + white}> 1 - 0 <@{100 + black}> (entered by <@7>)"


def test_a_round_with_a_bye_ends_as_sentences_of_the_language_do() -> None:
    """What is told of a round in two sentences has the full stops of the language that is spoken, each once."""
    club = Directed(TournamentSettings(Kind.SWISS, 3), 3)
    club.pair()
    with speaking("hy"):
        paired = audit(stored_of(club)).splitlines()[5]
    assert paired.count("։") == 2
    assert paired.endswith("։")


@pytest.mark.parametrize(
    ("action", "by", "told"),
    [
        (Entered(101), 101, "<@101> joined"),
        (Left(101), 101, "<@101> left"),
        (Left(101), 7, "<@7> withdrew <@101>"),
        (CheckedIn(101), 101, "<@101> checked in"),
        (Paused(101), 0, "<@101> paused"),
        (Substituted(101, 102), 7, "<@7> put <@102> in for <@101>"),
        (ByeAsked(1, 2), 101, "<@101> asked for a bye in round 2"),
        (ByeAsked(1, 2), 7, "<@7> gave <@101> a bye in round 2"),
        (Forbade(1, 2), 7, "<@7> ruled that <@101> and <@102> do not meet"),
        (RoundPaired(2, ((1, 2),), again=True), 0, "Damero paired round 2 again"),
        (DidNotCome(1, 2), 0, "<@101> did not come to round 2"),
        (Ended(), 0, "Damero finished the tournament"),
        (Seeded(101, 2), 7, "<@7> gave <@101> the starting number 2"),
        (Cancelled(2, 4), 0, "The tournament was cancelled: only 2 of 4 players were there"),
        (Cancelled(), 7, "<@7> cancelled the tournament"),
        (Scheduled(), 7, "<@7> changed the times"),
        (Halted(1, "Somebody is missing."), 0, "Round 2 could not begin by itself: Somebody is missing."),
    ],
)
def test_each_event_says_who_did_what(action: Action, by: int, told: str) -> None:
    """A person, a director, or the bot."""
    tournament = stored_of(swiss(4, 3))
    assert told == sentence(tournament, Event(9, 0, by, action))


def test_a_corrected_result_says_what_it_was() -> None:
    """By whom it was corrected, and from what; the first one stays as it was entered. What was undone is no result."""
    club = Directed(TournamentSettings(Kind.SWISS, 3), 2)
    club.pair()
    club.score("1").score("=")
    club.undo(club.events[-1].action)
    club.score("0")
    told = [line.partition(":f> ")[2] for line in audit(stored_of(club)).splitlines()]
    (white, black), *_ = club.state.paired[1].games
    one, other = f"<@{100 + white}>", f"<@{100 + black}>"
    assert f"Round 1: {one} 1 - 0 {other} (entered by <@7>)" in told
    assert f"Round 1: {one} ½ - ½ {other} (corrected by <@7>, was 1 - 0)" in told
    assert f"Round 1: {one} 0 - 1 {other} (corrected by <@7>, was 1 - 0)" in told


def test_which_of_two_games_a_result_is_of() -> None:
    """Where two who meet play two games, history and previews say which."""
    club = Directed(TournamentSettings(Kind.SWISS, 3, both="in turn"), 2)
    club.pair()
    (white, black), *_ = club.state.paired[1].games
    club(Scored(1, white, black, Mark.WIN, Mark.LOSS), Scored(1, black, white, Mark.DRAW, Mark.DRAW))
    history = audit(stored_of(club))
    assert f"Round 1, game 1: <@{100 + white}> 1 - 0" in history
    assert f"Round 1, game 2: <@{100 + black}> ½ - ½" in history


def test_who_has_left_is_not_told_to_have_the_round_off() -> None:
    """A round robin's rounds say who has left, and who wins by that; nobody gets a round off for it."""
    club = Directed(TournamentSettings(Kind.ROUND_ROBIN), 5)
    club.pair()
    club(Left(104))
    for _round in range(4):
        club.score("11")
        club.pair()
    history = audit(stored_of(club))
    assert "<@104> has the round off" not in history
    assert "wins by forfeit, as <@104> has left" in history
    assert "has the round off." in history
    assert "<@104> has left" in history


@pytest.mark.parametrize(
    ("reason", "by", "told"),
    [
        (HAS_LEFT, 7, "Semifinal 1, game 1: counts for <@101> (<@104> has left)"),
        ("", 104, "Semifinal 1, game 1: counts for <@101> (<@104> has left)"),
        (NEITHER_CAME, 0, "Semifinal 1, game 1: not played, counts for <@101> (neither came)"),
        ("", 7, "Semifinal 1, game 1: <@101> - <@104>, won by <@101> (entered by <@7>)"),
        ("", 0, "Semifinal 1, game 1: <@101> - <@104>, won by <@101>"),
    ],
)
def test_a_match_that_was_not_played(reason: str, by: int, told: str) -> None:
    """Whoever goes through for another's leaving, or as the better seed, is not said to have won a game."""
    club = Directed(TournamentSettings(Kind.SINGLE_ELIMINATION), 4)
    won = MatchGame("W1-1", 1, 1, 4, 1)
    club(won)
    tournament = replace(stored_of(club), directors=(7,))
    assert told == sentence(tournament, Event(len(club.events), 0, by, won, reason))


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("", "Semifinal 1: <@101> beat <@104>"),
        (HAS_LEFT, "Semifinal 1: <@101> wins because <@104> has left"),
        (NOT_COME, "Semifinal 1: <@101> wins because <@104> did not come"),
        (NEITHER_CAME, "Semifinal 1: <@101> wins as the better seed; neither <@101> nor <@104> came"),
    ],
)
def test_a_bracket_says_why_somebody_goes_through(reason: str, line: str) -> None:
    """Not everybody who goes through has beaten somebody."""
    club = Directed(TournamentSettings(Kind.SINGLE_ELIMINATION), 4)
    club(MatchGame("W1-1", 1, 1, 4, 1))
    club.events[-1] = replace(club.events[-1], reason=reason)
    assert line in bracket_lines(stored_of(club))
