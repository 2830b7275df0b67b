"""Which event gave a game of a tournament its result, and what that is."""

from __future__ import annotations

from bot.i18n import Phrase, phrase
from bot.tournaments.formats.format import OpenGame, game_missed, game_of, result_text
from bot.tournaments.model.events import ArenaGame, DidNotCome, Event, MatchGame, Scored, TableScored, Undone, Written
from bot.tournaments.model.fold import taken_back
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament
from data.queries.tournaments import TournamentGame


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


def entered(tournament: StoredTournament, game_id: int) -> Phrase | None:
    """The result that a game has in place of what came of it, as where a director has entered one, or that it does not
    count; None where it counts as it ended."""
    link = next((link for link in tournament.games if link.game_id == game_id), None)
    if link is None:
        return None
    game = open_game_of(link)
    for later in reversed(tournament.games):
        if later.game_id != game_id and open_game_of(later).key == game.key:
            if later.status == "finished" and tournament.games.index(later) > tournament.games.index(link):
                # It was played once more.
                return phrase("In the tournament this game does not count.")
            break
    event = given(tournament, game)
    if event is not None and not _is_of(tournament, link, event):
        return phrase("In the tournament this game does not count.")
    if not game.by_places and game.key not in tournament.results and (link.status == "finished" or event is not None):
        return phrase("In the tournament this game does not count.")
    if event is None or event.by == SYSTEM or not isinstance(event.action, Written):
        return None
    sentence = phrase("In the tournament the director's result counts:")
    if not tournament.is_director(event.by):
        # Who has left loses the games of the round.
        sentence = phrase("In the tournament this result counts:")
    return with_result(tournament, event.action, sentence)


def _is_of(tournament: StoredTournament, link: TournamentGame, event: Event) -> bool:
    """Whether the result that an event gave is that of a game, and not of one that was played before it or after it
    for the same."""
    game = open_game_of(link)
    same = [each.game_id for each in tournament.games if open_game_of(each).key == game.key]
    at, last = same.index(link.game_id), tournament.events[-1].number
    while (corrected := given(tournament, game, event.number)) is not None:
        event = corrected
    before = _begun_anew(tournament, game, event.number)
    # A game may have begun anew for other reasons as well, such as a substitute.
    return before <= at <= max(before, len(same) - 1 - (_begun_anew(tournament, game, last + 1) - before))


def _begun_anew(tournament: StoredTournament, game: OpenGame, until: int) -> int:
    """How often a game had begun anew before the event of a number, its result being taken back."""
    return sum(
        given(tournament, game, each.number) is not None and given(tournament, game, each.number + 1) is None
        for each in tournament.events
        if each.number < until and isinstance(each.action, Undone)
    )


def with_result(tournament: StoredTournament, result: Written, sentence: Phrase) -> Phrase:
    """A sentence, and the result that it is about."""
    game, shown = game_of(result), result_text(result)
    if isinstance(result, TableScored):
        ordered = sorted(zip(result.places, result.table, strict=True), key=lambda each: (not each[0], *each))
        placed = ", ".join(f"{place}. {tournament.call_in(game, number)}" for place, number in ordered if place)
        absent = ", ".join(tournament.call_in(game, number) for place, number in ordered if not place)
        if not absent:
            return phrase("{sentence} {places}", sentence=sentence, places=placed)
        return phrase("{sentence} {places}. No move: {absent}", sentence=sentence, places=placed, absent=absent)
    white, black = (tournament.call_in(game, number) for number in game.seats)
    return phrase("{sentence} {white} {result} {black}", sentence=sentence, white=white, result=shown, black=black)
