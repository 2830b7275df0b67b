"""Which event gave a game of a tournament its result."""

from __future__ import annotations

from bot.tournaments.formats.format import OpenGame, game_missed, game_of
from bot.tournaments.model.events import ArenaGame, DidNotCome, Event, MatchGame, Scored, TableScored
from bot.tournaments.model.fold import taken_back
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament


def given(tournament: StoredTournament, game: OpenGame, before: int = 0) -> Event | None:
    """The last event that gave a game a result; of those ``before`` the event of a number, where one is said."""
    history = [event for event in tournament.events if not before or event.number < before]
    undone = taken_back(history)
    for event in reversed(history):
        match event.action:
            case _ if event.number in undone:
                continue
            case ArenaGame(white_mark=Mark.PENDING):
                continue
            case DidNotCome() if (missed := game_missed(tournament.state, event.action)) is not None:
                if missed.key == game.key:
                    return event
            case Scored() | MatchGame() | TableScored() | ArenaGame():
                if game_of(event.action).key == game.key:
                    return event
    return None
