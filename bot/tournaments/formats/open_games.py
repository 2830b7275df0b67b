"""Games that are to be played, of every kind of tournament, and what is noted when one has ended. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.games.model.game import Game
from bot.games.model.places import came_to, placing
from bot.tournaments.model.events import Action, ArenaGame, DidNotCome, Kind, MatchGame, Paused, Scored, TableScored
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing import elimination
from bot.tournaments.pairing.record import Mark

_SIGNS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class OpenGame(NamedTuple):
    """A game that is to be played. ``round``: of an elimination the game's number in its match, of an arena its number.

    ``match``: of an elimination the match, of a table its seats (see ``seats_of``), whose first two are then ``white``
    and ``black``."""

    round: int
    match: str
    white: int
    black: int


def known_by(pairing: OpenGame) -> OpenGame:
    """A pairing as its game is found again: a game of a match is the same whoever has White."""
    return pairing._replace(white=min(pairing[2:]), black=max(pairing[2:])) if pairing.match else pairing


def of_table(round_number: int, table: tuple[int, ...]) -> OpenGame:
    """The game of a table: two signs for each seat's player, in base 36."""
    key = "".join(_SIGNS[number // 36] + _SIGNS[number % 36] for number in table)
    return OpenGame(round_number, key, table[0], table[1])


def seats_of(pairing: OpenGame, kind: Kind) -> tuple[int, ...]:
    """The starting numbers of those who play, by seat."""
    if kind is not Kind.TABLES:
        return pairing.white, pairing.black
    key = pairing.match
    return tuple(int(key[at : at + 2], 36) for at in range(0, len(key), 2))


def open_games(state: Tournament) -> tuple[OpenGame, ...]:
    """The games that are paired and have no result."""
    if state.phase is not Phase.RUNNING:
        return ()
    match state.plan.kind:
        case Kind.TABLES:
            return tuple(of_table(number, table) for number, table in open_tables(state))
        case Kind.ARENA:
            games = sorted(state.arena_games.values(), key=lambda game: game.game)
            return tuple(OpenGame(g.game, "", g.white, g.black) for g in games if g.white_mark is Mark.PENDING)
        case kind if not kind.knocks_out:
            return tuple(OpenGame(number, "", white, black) for number, white, black in state.unfinished)
    found = []
    for match in state.bracket.open:
        white, black = elimination.colours(state.bracket, match)
        found.append(OpenGame(len(match.games) + 1, match.match.key, white, black))
    return tuple(found)


def open_tables(state: Tournament) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """(round, players by seat) of the tables that have no result."""
    seated = ((number, table) for number, tables in sorted(state.seated.items()) for table in tables.tables)
    return tuple(each for each in seated if each not in state.table_results)


def result_of(state: Tournament, pairing: OpenGame, game: Game) -> tuple[Action, ...]:
    """What is written down when a tournament's game has ended with a result."""
    assert game.result is not None
    winner, last = game.result.winner, game.entries[-1]
    seats = seats_of(pairing, state.plan.kind)
    late = last.seat if last.kind == "timeout" else None
    came = late is None or came_to(game, late)
    if state.plan.kind.knocks_out:
        victor = None if winner is None else seats[winner]
        return (MatchGame(pairing.match, pairing.round, pairing.white, pairing.black, victor),)
    if state.plan.kind is Kind.TABLES:
        places = placing(game)
        absent = [DidNotCome(number, pairing.round) for number, place in zip(seats, places, strict=True) if not place]
        return (*absent, TableScored(pairing.round, seats, places))
    marks = (Mark.DRAW, Mark.DRAW) if winner is None else (Mark.WIN, Mark.LOSS)
    if not came:
        marks = (Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS)
    first, second = marks if winner != 1 else marks[::-1]
    if state.plan.kind is Kind.ARENA:
        ended = ArenaGame(pairing.round, pairing.white, pairing.black, first, second)
        absentee = None if late is None else state.by_number[seats[late]]
        if absentee is None or absentee.is_gone or absentee.paused or absentee.person <= 0:
            return (ended,)
        return ended, Paused(absentee.person)
    if late is not None and not came:
        return (DidNotCome(seats[late], pairing.round),)
    return (Scored(pairing.round, pairing.white, pairing.black, first, second),)


def forfeit(state: Tournament, pairing: OpenGame, gone: int) -> Action:
    """What is written down where a player of a game of two cannot play it at all."""
    other = pairing.black if pairing.white == gone else pairing.white
    if state.plan.kind.knocks_out:
        return MatchGame(pairing.match, pairing.round, pairing.white, pairing.black, other)
    if state.plan.kind is Kind.ARENA:
        marks = (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN)
        first, second = marks if pairing.white == gone else marks[::-1]
        return ArenaGame(pairing.round, pairing.white, pairing.black, first, second)
    return DidNotCome(gone, pairing.round)
