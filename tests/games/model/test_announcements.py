"""Announcements as they are stored: the JSON of every kind, and the forms that older versions have left."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from bot.games.model.announcements import (
    BoardPosted,
    ChallengeChanged,
    ChallengeClosed,
    Challenged,
    Content,
    Digest,
    Kind,
    Note,
    OfferClosed,
    Offered,
    PlayersChanged,
    RatingNote,
    Reminder,
    content_of,
    kind_of,
    not_to,
    notified,
    to_json,
    without,
)
from bot.i18n import phrase

HEADING = phrase("{event}, round {round}", event="Autumn", round=2)
KEPT_HEADING = '{"says": "{event}, round {round}", "fields": {"event": "Autumn", "round": 2}}'
DECLINED = phrase("{player} declines the draw. The game goes on.", player="<@11>")
KEPT_DECLINED = '{"says": "{player} declines the draw. The game goes on.", "fields": {"player": "<@11>"}}'

STORED: list[tuple[Content, str]] = [
    (Challenged(notify=(12, 13)), '{"ping": [12, 13]}'),
    (Challenged(), '{"ping": []}'),
    (ChallengeChanged(), "{}"),
    (PlayersChanged(), "{}"),
    (ChallengeClosed("accepted", 12), '{"how": "accepted", "by": 12}'),
    (ChallengeClosed("withdrawn", None), '{"how": "withdrawn", "by": null}'),
    (BoardPosted(event="turn", by=11, notify=(12,)), '{"event": "turn", "by": 11, "ping": 12, "lot": false}'),
    (
        BoardPosted(event="turn", by=11, notify=(12,), played_ahead=(4, 5), due=900),
        '{"event": "turn", "by": 11, "ping": 12, "lot": false, "planned": [4, 5], "due": 900}',
    ),
    (BoardPosted(event="start", seats_drawn=True), '{"event": "start", "by": null, "ping": null, "lot": true}'),
    (
        BoardPosted(event="start", notify=(11,), tell=(11, 12), due=900, heading=HEADING),
        '{"event": "start", "by": null, "ping": 11, "lot": false, "due": 900, "tell": [11, 12], '
        f'"heading": {KEPT_HEADING}}}',
    ),
    (
        BoardPosted(event="timeout", by=11, tell=(), rating=RatingNote(((11, "1500?", "1490?"),))),
        '{"event": "timeout", "by": 11, "ping": null, "lot": false, "tell": [], "ratings": [[11, "1500?", "1490?"]]}',
    ),
    (
        BoardPosted(event="resign", by=11, notify=(12,), rating=RatingNote(why_not="Too few moves.")),
        '{"event": "resign", "by": 11, "ping": 12, "lot": false, "unrated": "Too few moves."}',
    ),
    (
        Offered(offer_kind="takeback", by=11, notify=(12,), back_to=3),
        '{"offer_kind": "takeback", "by": 11, "ping": [12], "back_to": 3}',
    ),
    (
        Offered(offer_kind="draw", by=11, notify=(12,), offer=7),
        '{"offer_kind": "draw", "by": 11, "ping": [12], "back_to": null, "offer": 7}',
    ),
    (OfferClosed(7, "draw", "lapsed", None), '{"offer": 7, "offer_kind": "draw", "how": "lapsed", "by": null}'),
    (Note(sentence=DECLINED, notify=(12,)), f'{{"sentence": {KEPT_DECLINED}, "ping": 12}}'),
    (Note(sentence="Off.", tell=()), '{"sentence": "Off.", "ping": null, "tell": []}'),
    (Reminder(11, "half", 900), '{"to": 11, "stage": "half", "due": 900, "silent": false}'),
    (Reminder(11, "turn", None), '{"to": 11, "stage": "turn", "due": null}'),
    (
        Digest(11, ((3, 900), (4, None)), 9),
        '{"to": 11, "games": [{"game": 3, "due": 900}, {"game": 4, "due": null}], "count": 9}',
    ),
]


@pytest.mark.parametrize(("content", "stored"), STORED)
def test_what_is_stored_is_what_was_always_stored(content: Content, stored: str) -> None:
    """Byte for byte, and it comes back as it was."""
    assert stored == json.dumps(to_json(content))
    assert content == content_of(kind_of(content), json.loads(stored))


def test_every_kind_is_tried() -> None:
    """No kind is left out of the list above."""
    assert set(get_args(Kind)) == {kind_of(content) for content, _stored in STORED}


@pytest.mark.parametrize(
    ("kind", "stored", "content"),
    [
        ("challenge", {}, Challenged()),
        ("challenge", {"ping": None}, Challenged()),
        ("challenge_closed", {"how": "accepted"}, ChallengeClosed("accepted", None)),
        ("board", {"event": "turn", "ping": [12]}, BoardPosted(event="turn", notify=(12,))),
        ("board", {"event": "turn", "ping": 12, "mirror": True}, BoardPosted(event="turn", notify=(12,))),
        ("board", {"event": "draw", "ratings": [["1500", "1490"]]}, BoardPosted(event="draw", rating=RatingNote())),
        ("offer", {"offer_kind": "draw", "by": 11}, Offered(offer_kind="draw", by=11)),
        ("note", {"sentence": "Off."}, Note(sentence="Off.")),
        ("reminder", {"to": 11, "stage": "last"}, Reminder(11, "last")),
        ("digest", {"to": 11, "games": [{"game": 3}], "count": 1}, Digest(11, ((3, None),), 1)),
    ],
)
def test_older_forms_are_read(kind: str, stored: dict[str, Any], content: Content) -> None:
    """What is not there means nobody and nothing; one person or a list of them are the same."""
    assert content == content_of(kind, stored)


def test_who_is_notified() -> None:
    """Those of whom it may be the turn, and those who are told besides; fewer in quiet hours."""
    board = BoardPosted(event="timeout", notify=(12,), tell=(11, 12))
    assert (12, 11, 12) == notified(board)
    assert BoardPosted(event="timeout", tell=(11,)) == not_to(board, {12})
    closed = ChallengeClosed("accepted", 12)
    assert ((), closed) == (notified(closed), not_to(closed, {12}))


def test_without_a_person() -> None:
    """Nothing names it any more; what was for it alone is not said at all."""
    rating = RatingNote(((11, "1500", "1490"), (12, "1500", "1510")))
    board = BoardPosted(event="resign", by=11, notify=(11,), tell=(11, 12), rating=rating)
    assert BoardPosted(event="resign", tell=(12,), rating=RatingNote(((12, "1500", "1510"),))) == without(board, 11)
    note = without(Note(sentence=DECLINED, notify=(11, 12)), 11)
    assert isinstance(note, Note)
    assert ("somebody declines the draw. The game goes on.", (12,)) == (f"{note.sentence}", note.notify)
    assert [None, None] == [without(each, 11) for each in (Reminder(11, "half"), Digest(11, (), 6))]
    other = Reminder(12, "half")
    assert other == without(other, 11)
