"""What announcements say of times, limits and many people."""

from __future__ import annotations

import pytest

from bot.chat.tournaments import schedule_texts, texts
from bot.engine.variants import shipped
from bot.tournaments.model.events import (
    Action,
    Cancelled,
    CheckedIn,
    CheckInOpened,
    Entered,
    Event,
    Kind,
    Limited,
    Scheduled,
    TournamentSettings,
)
from bot.tournaments.persistence.stored_tournament import StoredTournament, stored_of
from data.queries.tournaments import TournamentRow

PERSON = 1_456_074_443_980_800_000


def tournament(plan: TournamentSettings, *actions: Action, **more: object) -> StoredTournament:
    """A tournament with these events, an hour apart."""
    values: dict[str, object] = {
        "id": 7,
        "guild_id": 1,
        "channel_id": 2,
        "name": "Autumn",
        "variant_id": "spanish",
        "options": {},
        "clock": "3d",
        "rated": True,
        "seeding": "lot",
        "lot": "0123456789abcdef",
        "plan": plan.to_json(),
        "directors": [PERSON],
        "status": "entries",
        "made_at": 0,
        "source": "x",
        "contest_id": None,
        **more,
    }
    events = tuple(Event(number, number * 3_600_000, 1, action) for number, action in enumerate(actions, start=1))
    row = TournamentRow(**values)  # type: ignore[arg-type]
    return stored_of(row, shipped(row.variant_id), events)


def test_an_announcement_of_many_fits_a_message() -> None:
    """With every line that there can be and 256 people it keeps its last lines, and counts who is not named."""
    people = [PERSON + number for number in range(256)]
    first_events: tuple[Action, ...] = (
        Scheduled(400 * 3_600_000_000, 30, 10, 7, True),
        Limited(1500, 1900, 10, (PERSON + 1, PERSON + 2), 8),
        *map(Entered, people),
        CheckInOpened(),
        *map(CheckedIn, people),
    )
    event = tournament(
        TournamentSettings(Kind.SWISS, 9, limit=200, late_until=3), *first_events, name="N" * 80, directors=people[:5]
    )
    text = texts.announcement(event, dict.fromkeys(people, (1, 2)))
    assert len(text) <= 2000
    assert "**256 entered**: " in text
    assert " more." in text
    assert "✓ has checked in (256)." in text
    assert text.endswith("with the next game played.")


@pytest.mark.parametrize(
    ("timing", "said"),
    [
        (Scheduled(pause=0), "as soon as the one before is over"),
        (Scheduled(pause=1), "1 minute after"),
        (Scheduled(pause=10), "10 minutes after"),
        (Scheduled(days=1), "is 1 day after its pairing. / The director decides"),
        (Scheduled(days=1), "over by then. / Each next round begins by itself on that date, once all games are over."),
        (Scheduled(days=14, carry=True), "14 days after its pairing. / Games not over by then go on"),
        (Scheduled(days=14, carry=True), "as draws. / Each next round begins by itself on that date."),
        (Scheduled(3_600_000_000), "It begins <t:3600000:f>"),
        (Scheduled(3_600_000_000, 30), "Check-in opens <t:3598200:t>"),
    ],
)
def test_times_in_words(timing: Scheduled, said: str) -> None:
    """Each says what happens when."""
    assert said in " / ".join(schedule_texts.timing(tournament(TournamentSettings(Kind.SWISS, 3), timing)))


def test_a_tournament_by_hand_says_nothing_of_times() -> None:
    """No times, no sentences."""
    assert [] == schedule_texts.timing(tournament(TournamentSettings(Kind.SWISS, 3), Entered(1)))


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        ((Limited(least=4), Cancelled(1, 4)), "**Autumn** is cancelled: only 1 player entered, but 4 are needed."),
        ((Cancelled(0, 2),), "**Autumn** is cancelled: nobody entered, but 2 players are needed."),
        ((CheckInOpened(), Cancelled(0, 2)), "**Autumn** is cancelled: nobody checked in, but 2 players are needed."),
        ((CheckInOpened(), Cancelled(2, 3)), "**Autumn** is cancelled: only 2 players checked in, but 3 are needed."),
        ((Cancelled(),), "<@1> has cancelled **Autumn**."),
    ],
)
def test_why_it_is_cancelled(actions: tuple[Action, ...], text: str) -> None:
    """By whom, or how many were there; those who had entered are called to the post."""
    told = tournament(TournamentSettings(Kind.SWISS, 3), Scheduled(9_000_000_000), Entered(PERSON), *actions)
    assert text == schedule_texts.cancelled(told)
    assert f"{text} <@{PERSON}>" == schedule_texts.call(told, "cancelled", 0)[0]
    assert (PERSON,) == schedule_texts.called(told, "cancelled", 0)
