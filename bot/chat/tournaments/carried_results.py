"""What the buttons under the preview of a result carry: the number of the last event when it was shown, and what is to
be written down."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tournaments.formats.format import RESULTS, game_of
from bot.tournaments.model.events import TableScored, Written
from bot.tournaments.use_cases.change import StoredTournament
from bot.tournaments.use_cases.results import table_index

_RESULTS = tuple(RESULTS)
"""Each is carried by its place here, which it keeps."""


@dataclass(frozen=True, slots=True)
class CarriedResult:
    """What a person did. ``number``: in which round, or in which game of an arena; 0 in an elimination, where ``match``
    says it."""

    person: int
    result: str
    number: int
    match: str


@dataclass(frozen=True, slots=True)
class CarriedPlaces:
    """The places of those at a table, by seat. ``table``: which of its round, from 0."""

    table: int
    places: tuple[int, ...]
    round: int


def encode(last: int, carried: CarriedResult | CarriedPlaces) -> str:
    """As it stands in a custom id."""
    match carried:
        case CarriedResult(person, result, number, match):
            return f"{last}.{person}.{_RESULTS.index(result)}.{number}.{match}"
        case CarriedPlaces(table, places, number):
            return f"{last}.t{table}.{''.join(map(str, places))}.{number}."


def decode(text: str) -> tuple[int, CarriedResult | CarriedPlaces]:
    """What ``encode`` has written."""
    last, whose, what, number, match = text.split(".", 4)
    if whose.startswith("t"):
        return int(last), CarriedPlaces(int(whose[1:]), tuple(map(int, what)), int(number))
    return int(last), CarriedResult(int(whose), _RESULTS[int(what)], int(number), match)


def result_of(person: int, result: str, action: Written) -> CarriedResult:
    """A person's result, with its very game."""
    game = game_of(action)
    return CarriedResult(person, result, 0 if game.match else game.round, game.match)


def places_of(tournament: StoredTournament, action: TableScored) -> CarriedPlaces:
    """The places at a table."""
    return CarriedPlaces(table_index(tournament.state, action), action.places, action.round)
