"""What games have to say, as values; and the JSON in which it waits to be said. Pure.

Ids of people are integers; texts are phrases of bot.i18n, so that each is said in the language of those who read it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Any, Final, Literal, cast, get_args

from bot.games.model.deadlines import Stage
from bot.games.model.game import OfferKind
from bot.i18n import kept, revived
from bot.support.frozen import frozen

Kind = Literal[
    "challenge",
    "challenge_changed",
    "challenge_closed",
    "board",
    "offer",
    "offer_closed",
    "note",
    "thread",
    "reminder",
    "digest",
]
BoardEvent = Literal["start", "turn", "takeback", "undo", "resign", "timeout", "draw", "moved"]
ClosedHow = Literal["accepted", "declined", "withdrawn"]
AnsweredHow = Literal["agreed", "declined", "lapsed"]
News = Literal["turn", "over", "challenge"]
"""What somebody is told after quiet hours: that they are to move, that their game is over, that they are challenged."""


@frozen(kw_only=True)
class Notifying:
    """What notifies people when it is posted: of ``notify`` those who may be (of a running game the player to move);
    all of ``tell``, None where nobody is told besides."""

    notify: tuple[int, ...] = ()
    tell: tuple[int, ...] | None = None


@frozen(kw_only=True)
class Challenged(Notifying):
    """A challenge, to whom ``notify`` names: a post with Accept, Decline and Withdraw."""

    def to_json(self) -> dict[str, Any]:
        return {"ping": list(self.notify)}


@frozen
class ChallengeChanged:
    """Somebody joined or left a table with seats still free: the challenge is edited."""


@frozen
class ChallengeClosed:
    """The challenge is edited, and its buttons go."""

    how: ClosedHow
    by: int | None


@frozen
class RatingNote:
    """What a game has done to ratings: by person before and after, as people read them; or why it has done nothing."""

    ratings: tuple[tuple[int, str, str], ...] = ()
    why_not: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"ratings": [list(each) for each in self.ratings]} if self.why_not is None else {"unrated": self.why_not}


@frozen(kw_only=True)
class BoardPosted(Notifying):
    """A new post of the game as it stood at the announcement's ply, result included. ``seats_drawn``: just now, by lot.
    ``due``: when the player to move must have moved. ``heading``: what the game is part of. ``played_ahead``: the
    numbers of entries that conditional moves have played after the turn; the post tells of all."""

    event: BoardEvent
    by: int | None = None
    seats_drawn: bool = False
    due: int | None = None
    heading: str | None = None
    played_ahead: tuple[int, ...] = ()
    rating: RatingNote | None = None

    def to_json(self) -> dict[str, Any]:
        values: dict[str, Any] = {"event": self.event, "by": self.by, "ping": _one(self.notify)}
        values["lot"] = self.seats_drawn
        if self.played_ahead:
            values["planned"] = list(self.played_ahead)
        due = {} if self.due is None else {"due": self.due}
        tell = {} if self.tell is None else {"tell": list(self.tell)}
        # Stored always so: a first board, which has a heading, has the deadline first.
        values |= tell | due if self.heading is None else due | tell | {"heading": self.heading}
        return values if self.rating is None else values | self.rating.to_json()


@frozen(kw_only=True)
class Offered(Notifying):
    """An offer to those whom ``notify`` names: a post with Accept and Decline. ``offer`` is the offer's id, 0 as long
    as it has none: it goes by the id of its first announcement."""

    offer_kind: OfferKind
    by: int | None
    back_to: int | None = None
    offer: int = 0

    def to_json(self) -> dict[str, Any]:
        values = {"offer_kind": self.offer_kind, "by": self.by, "ping": list(self.notify), "back_to": self.back_to}
        return values | {"offer": self.offer} if self.offer else values


@frozen
class OfferClosed:
    """The offer's post is edited, and its buttons go."""

    offer: int
    offer_kind: OfferKind
    how: AnsweredHow
    by: int | None


@frozen(kw_only=True)
class Note(Notifying):
    """A plain sentence, a phrase."""

    sentence: str

    def to_json(self) -> dict[str, Any]:
        values = {"sentence": self.sentence, "ping": _one(self.notify)}
        return values if self.tell is None else values | {"tell": list(self.tell)}


@frozen
class PlayersChanged:
    """Somebody who played was forgotten by wish: the thread that was named after the players gets another name."""


@frozen
class Reminder:
    """To one person, by direct message; where that is closed, a post that notifies them. What is no stage of the time
    for a turn makes up for a notification that was held back (bot.games.persistence.quiet_hours)."""

    to: int
    stage: Stage | News
    due: int | None = None

    def to_json(self) -> dict[str, Any]:
        values: dict[str, Any] = {"to": self.to, "stage": self.stage, "due": self.due}
        return values | {"silent": False} if self.stage in get_args(Stage) else values


@frozen
class Digest:
    """Likewise: of ``count`` games that wait for one person the most urgent, each with its deadline."""

    to: int
    games: tuple[tuple[int, int | None], ...]
    count: int

    def to_json(self) -> dict[str, Any]:
        return {"to": self.to, "games": [{"game": g, "due": due} for g, due in self.games], "count": self.count}


Content = (
    Challenged
    | ChallengeChanged
    | ChallengeClosed
    | BoardPosted
    | Offered
    | OfferClosed
    | Note
    | PlayersChanged
    | Reminder
    | Digest
)

Editable = Challenged | Offered
"""What is posted and edited later."""

SHOWN_ANEW: Final[tuple[Kind, ...]] = ("board", "challenge")
"""What is given up where the board is posted anew; all else is not said by that."""

Deed = ChallengeClosed | BoardPosted | Offered | OfferClosed
"""What tells of something that somebody did (``by``), or nobody."""

_KINDS: Mapping[type[Content], Kind] = {
    Challenged: "challenge",
    ChallengeChanged: "challenge_changed",
    ChallengeClosed: "challenge_closed",
    BoardPosted: "board",
    Offered: "offer",
    OfferClosed: "offer_closed",
    Note: "note",
    PlayersChanged: "thread",
    Reminder: "reminder",
    Digest: "digest",
}


def kind_of(content: Content) -> Kind:
    """The name by which its kind is stored."""
    return _KINDS[type(content)]


def to_json(content: Content) -> dict[str, Any]:
    """What is stored of it: numbers, texts, lists and mappings."""
    if isinstance(content, ChallengeChanged | ChallengeClosed | OfferClosed | PlayersChanged):
        return asdict(content)  # by the names of the fields, which are never renamed
    values: dict[str, Any] = kept(content.to_json())
    return values


def content_of(kind: str, values: Mapping[str, Any]) -> Content:
    """What was stored, as a value; whatever an older version has left out is as if nobody and nothing were meant."""
    payload: dict[str, Any] = revived(dict(values))
    notify = _people(payload.get("ping"))
    tell = None if payload.get("tell") is None else _people(payload["tell"])
    by: int | None = payload.get("by")
    match kind:
        case "challenge":
            return Challenged(notify=notify)
        case "challenge_changed":
            return ChallengeChanged()
        case "challenge_closed":
            return ChallengeClosed(payload["how"], by)
        case "board":
            return BoardPosted(
                event=cast(BoardEvent, payload.get("event", "")),
                by=by,
                notify=notify,
                tell=tell,
                seats_drawn=bool(payload.get("lot")),
                due=payload.get("due"),
                heading=payload.get("heading"),
                played_ahead=tuple(payload.get("planned", ())),
                rating=_rating_of(payload),
            )
        case "offer":
            offer_kind, back_to = payload["offer_kind"], payload.get("back_to")
            return Offered(offer_kind=offer_kind, by=by, notify=notify, back_to=back_to, offer=payload.get("offer", 0))
        case "offer_closed":
            return OfferClosed(payload["offer"], payload["offer_kind"], payload["how"], by)
        case "note":
            return Note(sentence=payload["sentence"], notify=notify, tell=tell)
        case "thread":
            return PlayersChanged()
        case "reminder":
            return Reminder(payload["to"], payload["stage"], payload.get("due"))
        case "digest":
            games = tuple((one["game"], one.get("due")) for one in payload["games"])
            return Digest(payload["to"], games, payload["count"])
    raise ValueError(f"no announcement is a {kind!r}")


def without(content: Content, person: int) -> Content | None:
    """The same without ``person``; None where it was for that person alone."""
    if isinstance(content, Deed) and content.by == person:
        content = replace(content, by=None)
    match content:
        case Reminder() | Digest():
            return None if content.to == person else content
        case Note():
            content = replace(content, sentence=_anonymous(content.sentence, person))
        case BoardPosted(rating=RatingNote(ratings) as rating):
            content = replace(
                content, rating=replace(rating, ratings=tuple(one for one in ratings if one[0] != person))
            )
    return not_to(content, {person}) if isinstance(content, Notifying) else content


def not_to(content: Content, people: Collection[int]) -> Content:
    """The same, of which ``people`` are not notified."""
    if not isinstance(content, Notifying):
        return content
    tell = None if content.tell is None else tuple(one for one in content.tell if one not in people)
    return replace(content, notify=tuple(one for one in content.notify if one not in people), tell=tell)


def notified(content: Content) -> tuple[int, ...]:
    """Those whom it notifies, as far as they may be."""
    return (*content.notify, *(content.tell or ())) if isinstance(content, Notifying) else ()


def _anonymous(text: str, person: int) -> str:
    anonymous: str = revived(json.loads(json.dumps(kept(text)).replace(f"<@{person}>", "somebody")))
    return anonymous


def _rating_of(payload: Mapping[str, Any]) -> RatingNote | None:
    if (why_not := payload.get("unrated")) is not None:
        return RatingNote(why_not=why_not)
    ratings = payload.get("ratings")
    return None if ratings is None else RatingNote(tuple((one[0], one[1], one[2]) for one in ratings if len(one) > 2))


def _people(value: Any) -> tuple[int, ...]:
    """Those whom a value names: a list of them, one, or nobody."""
    return tuple(one for one in (value if isinstance(value, list) else [value]) if one is not None)


def _one(people: tuple[int, ...]) -> int | None:
    return people[0] if people else None
