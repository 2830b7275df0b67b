"""What an export of all games says beside each transcript: where it was played, and all that lets a game that goes on
do so from there. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.games.model.clock import ClockReading
from bot.games.model.game import Game, Place
from bot.support.frozen import frozen

TOURNAMENT: Final = {"tournament": True}
"""What is said of a tournament's game that is not over: it goes on with its tournament alone."""

_LARGEST_NUMBER: Final = 1 << 40


@frozen
class GoingOn:
    """``number`` of the game, ``place`` and ``channel_id`` as in Game, who opened it, whether it is ``rated``, the
    ``colours`` by seat, what the ``clocks`` showed after each entry, and what the player to move had ``used`` of the
    time of this turn in milliseconds (None in a game without a clock, or over)."""

    number: int
    place: Place
    channel_id: int | None
    opener: int
    rated: bool
    colours: tuple[int | None, ...]
    clocks: tuple[ClockReading | None, ...]
    used: int | None

    def to_json(self) -> dict[str, Any]:
        """As it stands in a file; ids are texts there."""
        guild_id = self.place.guild_id
        return {
            "number": self.number,
            "guild": None if guild_id is None else str(guild_id),
            "place": str(self.place.channel_id),
            "answers_only": self.place.answers_only,
            "channel": None if self.channel_id is None else str(self.channel_id),
            "opener": str(self.opener),
            "rated": self.rated,
            "colours": list(self.colours),
            "clocks": [None if one is None else [list(one.left), list(one.spent)] for one in self.clocks],
            "used": self.used,
        }


def noted(game: Game, used: int | None) -> dict[str, Any]:
    """What an export says of ``game``, in which the player to move has ``used`` so much of the time of this turn."""
    if not game.casual and game.status == "running":
        return dict(TOURNAMENT)
    clocks = tuple(entry.shown for entry in game.entries)
    return GoingOn(game.id, game.place, game.channel_id, game.opener, game.rated, game.colours, clocks, used).to_json()


def going_on_of(said: Mapping[str, Any], seats: int, entries: int) -> GoingOn | None:
    """What a file says of a game of so many seats and entries; None where that cannot be."""
    try:
        clocks = tuple(None if one is None else _reading(one, seats) for one in said["clocks"])
        colours = tuple(None if colour is None else _whole(colour) for colour in said["colours"])
        found = GoingOn(
            number=_whole(said["number"], _LARGEST_NUMBER),
            place=Place(_id(said["guild"]), _id(said["place"]) or 0, said["answers_only"] is True),
            channel_id=_id(said["channel"]),
            opener=_person(said["opener"]),
            rated=said["rated"] is True,
            colours=colours,
            clocks=clocks,
            used=None if said["used"] is None else _whole(said["used"]),
        )
        if (len(clocks), len(colours)) != (entries, seats) or not found.place.channel_id:
            raise ValueError(said)
    except (KeyError, TypeError, ValueError):
        return None
    return found


def _reading(said: Any, seats: int) -> ClockReading:
    left, spent = said
    if (len(left), len(spent)) != (seats, seats):
        raise ValueError(said)
    return ClockReading(tuple(None if one is None else _whole(one) for one in left), tuple(map(_whole, spent)))


def _id(said: Any) -> int | None:
    return None if said is None else _whole(int(said) if isinstance(said, str) else said)


def _person(said: Any) -> int:
    """The id of a person, or that of a computer, which is below 0."""
    person = int(said) if isinstance(said, str) else said
    _whole(abs(person))
    return int(person)


def _whole(said: Any, largest: int = (1 << 63) - 1) -> int:
    if not isinstance(said, int) or isinstance(said, bool) or not 0 <= said <= largest:
        raise ValueError(said)
    return said
