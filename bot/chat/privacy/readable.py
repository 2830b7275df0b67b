"""What is kept of a person, in a form that people can read: words for what is stored as a sign, and names beside
numbers. The file is in English, as its keys are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.i18n import ENGLISH, speaking
from bot.support.frozen import frozen
from bot.support.time_units import DAY, MINUTE, SECOND
from bot.tournaments.persistence.stored import title_of

# Between 2001 and 2286. Everything smaller is a count or a length of time, and an id of Discord is larger.
_TIMES: Final = range(10**12, 10**13)
_MINUTES: Final = range(DAY // MINUTE)

ACTS: Final[Mapping[str, str]] = {
    "accept": "accepted a challenge",
    "agree to draw": "agreed to a draw",
    "agree to takeback": "agreed to a takeback",
    "arrange": "was paired in an event",
    "colour": "chose a colour",
    "computer": "let the computer sit down",
    "decline": "declined a challenge",
    "decline draw": "declined a draw",
    "decline takeback": "declined a takeback",
    "hint": "asked for a hint",
    "import": "imported the game",
    "move here": "let the game go on in another channel",
    "offer draw": "offered a draw",
    "offer takeback": "asked for a takeback",
    "open": "opened a challenge",
    "stand up": "left a table before it began",
    "start early": "began with fewer players",
    "withdraw": "withdrew a challenge",
}
"""What somebody did in a game that is no entry of its record."""

EVENTS: Final[Mapping[str, str]] = {
    "Accepted": "a challenge was accepted",
    "Allowed": "it was set who may enter",
    "ArenaGame": "a game of the arena began",
    "Began": "the match began",
    "ByeAsked": "a bye was asked for",
    "CalledOff": "the match was cancelled",
    "CancelAsked": "the other team was asked to cancel the match",
    "CancelDropped": "a request to cancel the match was declined or taken back",
    "Cancelled": "the tournament was cancelled",
    "CheckedIn": "somebody checked in",
    "CheckInOpened": "the check-in opened",
    "Closed": "the league was closed",
    "DateTold": "the directors were told of a deadline",
    "DidNotCome": "somebody did not come to a game",
    "DirectorChanged": "a director was added or removed",
    "Ended": "the tournament ended",
    "Entered": "somebody entered",
    "Finished": "the match ended",
    "Forbade": "a pairing was forbidden",
    "Halted": "the next round could not begin by itself",
    "Joined": "somebody joined the league",
    "Left": "somebody left",
    "Limited": "it was limited who can enter",
    "LinedUp": "a team was named",
    "MatchGame": "a game of a match began",
    "Paused": "somebody paused",
    "PoolClosed": "no new games of the arena began",
    "Quit": "somebody left the league",
    "Returned": "somebody came back",
    "RoundPaired": "a round was paired",
    "Scheduled": "the times were set",
    "Scored": "a result was entered",
    "SeasonBegan": "a season began",
    "SeasonEnded": "a season ended",
    "Seeded": "somebody was given a place in the order",
    "SettingsChanged": "the settings were changed",
    "Started": "the tournament began",
    "Substituted": "somebody took over from another",
    "TableScored": "a table's result was entered",
    "TablesSeated": "the tables of a round were seated",
    "TooFew": "too few were there for a season",
    "Undone": "something was undone",
}
"""What happened in a tournament, a league or a team match."""

_TIMERS: Final = {"back": "the end of your vacation", "digest": "your daily list", "ping": "news that is held back"}
_KINDS: Final = {"league": "league", "match": "team match"}


@frozen
class _Words:
    """What stands beside numbers. ``place_of``: the name of a server or channel; ``played``: which game each number
    is, as far as that is told."""

    place_of: Callable[[int], str | None]
    played: Mapping[int, str]


def in_words(data: Mapping[str, Any], place_of: Callable[[int], str | None]) -> dict[str, Any]:
    """All that is kept of a person as they read it. The games stay as they are exported, so that they can be read in
    again. ``place_of``: the name of a server or channel by its id."""
    played = {seat["game"]: seat["variant"] for seat in data.get("seats", ())}
    words = _Words(place_of, played)
    with speaking(ENGLISH):
        shown = {key: value if key == "games" else _readable(value, words) for key, value in data.items()}
    if "contests" in shown:
        shown["leagues_and_team_matches"] = shown.pop("contests")
    return shown


def _readable(value: Any, words: _Words) -> Any:
    """A value with its times, UTC in milliseconds, as ISO 8601 to the second, and quiet hours, given in minutes after
    midnight, as "22:00-07:00"."""
    if isinstance(value, Mapping):
        told = {key: _hours(item, words) if key == "quiet" else _readable(item, words) for key, item in value.items()}
        return dict(pair for key, item in told.items() for pair in _told(key, item, value, words))
    if isinstance(value, list | tuple):
        return [_readable(item, words) for item in value]
    if isinstance(value, int) and value in _TIMES:
        return datetime.fromtimestamp(value // SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value


def _told(key: str, value: Any, row: Mapping[str, Any], words: _Words) -> list[tuple[str, Any]]:
    """One value of a row, by what it is called there, with what stands beside it."""
    match key:
        case "what":
            return [(key, ACTS.get(value, value))]
        case "action":
            return [("what", EVENTS.get(value, value))]
        case "own":
            return [("by_you", value)]
        case "name":
            return [(key, title_of(value))]
        case "number" if "action" in row:
            return [("event", value)]
        case "kind":
            return [(key, (_TIMERS | _KINDS).get(value, value))]
        case "contest":
            return [("number", value)]
        case "variant" | "variant_id":
            return [("variant", value), ("variant_name", _variant(value))]
        case "game" | "game_id" if value in words.played and "variant" not in row and "variant_id" not in row:
            return [("game", value), ("variant_name", _variant(words.played[value]))]
        case "game_id":
            return [("game", value)]
        case "server" if value == 0:
            return [("server", "all servers")]
        case "server" | "channel" if isinstance(value, int) and (name := words.place_of(value)):
            return [(key, value), (f"{key}_name", name)]
    return [(key, value)]


def _variant(variant_id: str) -> str:
    """What a game is called; as it is stored where that is not known."""
    try:
        return str(variants.load(variant_id).name)
    except VariantError:
        return variant_id


def _hours(value: Any, words: _Words) -> Any:
    if isinstance(value, list | tuple) and len(value) == 2 and all(minute in _MINUTES for minute in value):
        return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in value)
    return _readable(value, words)
