"""What has been done in a tournament, in words."""

from __future__ import annotations

import random
import re

import pytest

from bot.chat.tournaments.event_texts import sentence
from bot.chat.tournaments.history import audit
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
    Paused,
    RoundPaired,
    Scheduled,
    Seeded,
    Substituted,
    TournamentSettings,
    Undone,
)
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
        (Cancelled(2, 4), 0, "The tournament was cancelled: 2 of the 4 players needed were there"),
        (Cancelled(), 7, "<@7> cancelled the tournament"),
        (Scheduled(), 7, "<@7> changed the times"),
        (Halted(1, "Somebody is missing."), 0, "Round 2 could not begin by itself: Somebody is missing."),
    ],
)
def test_each_event_says_who_did_what(action: Action, by: int, told: str) -> None:
    """A person, a director, or the bot."""
    tournament = stored_of(swiss(4, 3))
    assert told == sentence(tournament, Event(9, 0, by, action))
