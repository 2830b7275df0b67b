"""Results: of games that end, and by a director's hand, seen first with all that they change, then written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bot.games.model.announcements import Note
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.places import came_to
from bot.games.persistence.unit_of_work import GameUnit
from bot.i18n import _, phrase, said
from bot.ratings.rate import rate
from bot.support.frozen import frozen
from bot.tournaments.analysis import impact
from bot.tournaments.analysis.impact import Impact
from bot.tournaments.formats.format import NEITHER_CAME, NOT_COME, RESULTS, OpenGame, game_of, late_seat
from bot.tournaments.model.events import (
    Event,
    MatchGame,
    Paused,
    TableScored,
    Written,
)
from bot.tournaments.model.state import Tournament
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit, load
from bot.tournaments.use_cases.given_results import entered, given
from bot.tournaments.use_cases.no_shows import note_absent
from bot.tournaments.use_cases.rating_corrections import align
from bot.tournaments.use_cases.work import TournamentChanged, TournamentWork, refusing
from data.queries import competitions
from data.queries import tournaments as queries


@frozen
class Preview:
    """A result that is to be written down, what it changes, and the number of the last event before it. ``corrects``:
    its game has a result already; ``was``: the event that gave it that."""

    action: Written
    change: Impact
    last: int
    corrects: bool
    was: Event | None = None
    reason: str = ""

    @property
    def repeats(self) -> bool:
        """Whether that is the game's result already."""
        return self.was is not None and (self.was.action, self.was.reason) == (self.action, self.reason)


class Results:
    """Writes results down: of games that end, in their transaction; of a director, after showing what they change."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def preview(
        self, tournament_id: int, by: int, player: int, result: str, round_number: int | None, match: str | None
    ) -> Preview:
        """What a result would change. ``player``: the person whose result it is; ``result``: one of RESULTS."""
        tournament = await self._work.load(tournament_id)
        _check_open(tournament, by)
        shown = await self.previewed(tournament, by, _action(tournament, player, result, round_number, match))
        missed = result == NOT_COME or (isinstance(shown.action, MatchGame) and shown.action.forfeit)
        return replace(shown, reason=NOT_COME) if missed else shown

    async def preview_table(
        self, tournament_id: int, by: int, round_number: int, table: int, places: Sequence[int]
    ) -> Preview:
        """What the places at a table would change. ``table``: its number from 0; ``places`` by seat, 0 for who did not
        come."""
        tournament = await self._work.load(tournament_id)
        seated = tournament.state.seated.get(round_number)
        if seated is None or not 0 <= table < len(seated.tables):
            raise Refused(_("There is no such table in that round."))
        return await self.previewed(tournament, by, TableScored(round_number, seated.tables[table], tuple(places)))

    async def previewed(self, tournament: StoredTournament, by: int, action: Written) -> Preview:
        """What an event would change, reckoned beside the event loop. Raises Refused."""
        _check_open(tournament, by)
        with refusing():
            change: Impact = await self._work.in_thread(
                lambda: impact.what_changes(tournament.announced, tournament.events, action)
            )
        is_open = game_of(action).key in {game.key for game in tournament.open_games}
        was = None if is_open else given(tournament, game_of(action))
        return Preview(action, change, tournament.last, corrects=not is_open, was=was)

    async def write_down(
        self, tournament_id: int, by: int, source: str, preview: Preview, *, again: bool
    ) -> StoredTournament:
        """Write a result down; with ``again`` the rounds that it changes, and that are still played, are paired again.
        Refused when something has happened since the preview."""
        async with self._work.directed(tournament_id, by, source, last=preview.last) as unit:
            await unit.add(preview.action, preview.reason)
            for each in preview.change.open_rounds if again else ():
                await unit.add(each.fresh)
            await align(unit, self._work.in_thread, preview.action)
            for number in unit.tournament.state.rounds:
                await unit.request("round", round_number=number)
            await unit.request("standings")
            if unit.tournament.is_corrected and (league_id := unit.tournament.competition_id):
                await competitions.posts.edit_all(unit.tx, [league_id], ("ended",))
        return unit.tournament

    async def game_ended(self, ended: GameUnit) -> None:
        """A game has ended: if it is a tournament's, its result is noted in the same transaction."""
        game, tx = ended.game, ended.tx
        link = await queries.game_of(tx, game.id)
        if game.status != "finished" or game.result is None:
            return
        if link is None:
            if game.rated:
                ended.note_ratings(await rate(tx, game, ended.now))
            return
        tournament = await load(tx, link.tournament_id, to_change=True)
        if tournament.rated:
            ended.note_ratings(await rate(tx, game, ended.now))
        pairing = open_game_of(link)
        if pairing.key not in {each.key for each in tournament.open_games}:
            return
        unit = TournamentUnit(tx, tournament, f"game:{game.id}", ended.now, SYSTEM)
        late = late_seat(game)
        missed = late is not None and not came_to(game, late)
        for action in tournament.format.result_of(tournament.state, pairing, game):
            await unit.add(action, NOT_COME if missed and isinstance(action, MatchGame) else "")
            if isinstance(action, Paused):
                sentence = phrase(
                    "<@{player}> is now paused in **{event}**. To play on, press *Join* under its standings.",
                    player=action.person,
                    event=tournament.name,
                )
                await ended.announce(Note(sentence=sentence, tell=()))
        if missed and _missed_before(tournament, pairing):
            await _give_up(unit, ended, pairing)
        await unit.request_round(link.round)
        await note_absent(unit, game)
        await self._work.finalise(unit)
        self._work.on_commit(tx, lambda: self._work.tell(unit))

    async def entered(self, game: Game) -> str:
        """Of a game that is over the result that a director has entered in place of its own; "" where there is none."""
        if game.casual or game.status not in ("finished", "aborted"):
            return ""
        async with self._work.reading() as tx:
            link = await queries.game_of(tx, game.id)
            tournament = None if link is None else await load(tx, link.tournament_id)
        counts = None if tournament is None else entered(tournament, game.id)
        return "" if counts is None else said(counts)

    async def thread_opened(self, opened: GameUnit) -> None:
        """A game has got its thread: when all that are played have theirs, the post of their round, of the bracket, or
        of the standings where all rounds are played at once, is to link them."""
        tx = opened.tx
        link = await queries.game_of(tx, opened.game.id)
        if link is None or await queries.waits_for_thread(tx, link.tournament_id):
            return
        if opened.game.mirror is not None and (match_id := await competitions.of_tournament(tx, link.tournament_id)):
            await competitions.posts.edit_all(tx, [match_id], ("match",))
            self._work.on_commit(tx, partial(self._work.games.signals.to_edit.send, (), (match_id,)))
            return
        kind, number = ("standings", 0) if open_game_of(link).match else ("round", link.round)
        is_wanted = await queries.posts.is_wanted(tx, link.tournament_id, kind, number)
        if not is_wanted:
            tournament = await load(tx, link.tournament_id)
            if tournament.state.timing.at_once or tournament.format.pairs_who_waits:
                # Its rounds have no posts, or it has none.
                kind, number, is_wanted = "standings", 0, True
        if is_wanted:
            await queries.posts.request(tx, link.tournament_id, kind, opened.now, number)
            self._work.on_commit(tx, partial(self._work.changed.send, TournamentChanged(link.tournament_id)))


def _check_open(tournament: StoredTournament, by: int) -> None:
    """Raises Refused for who does not direct it, and where no result can be written down any more."""
    tournament.check_directed(by)
    tournament.check_takes_results()


def table_index(state: Tournament, action: TableScored) -> int:
    """The number of a table in its round, from 0."""
    return state.seated[action.round].tables.index(action.table)


def _missed_before(tournament: StoredTournament, game: OpenGame) -> bool:
    """Whether the game of a match before this one was lost by not coming."""
    before = given(tournament, replace(game, round=game.round - 1)) if game.match else None
    return before is not None and before.reason == NOT_COME


async def _give_up(unit: TournamentUnit, ended: GameUnit, game: OpenGame) -> None:
    """Neither player has come to a match: it ends, lest one game begin after the other, and its directors are told."""
    directors = unit.tournament.directors
    written = False
    while (action := unit.tournament.format.given_up(unit.tournament.state, game)) is not None:
        await unit.add(action, NEITHER_CAME)
        written = True
    if written:
        sentence = phrase(
            "Neither {one} nor {other} came to two games in a row, so {player}, the better seed, goes through, and no "
            "other game is played. {director} can undo that: *Manage*, *Undo something*.",
            one=unit.tournament.call(game.white),
            other=unit.tournament.call(game.black),
            player=unit.tournament.call(min(game.seats)),
            director=", ".join(f"<@{person}>" for person in directors),
        )
        await ended.announce(Note(sentence=sentence, tell=tuple(directors)))


def _action(
    tournament: StoredTournament, person: int, result: str, round_number: int | None, match: str | None
) -> Written:
    """The event that writes a player's result down. Raises Refused."""
    format_, entrant = tournament.format, tournament.state.by_person.get(person)
    with refusing():
        if not format_.by_places and (entrant is None or not entrant.number or result not in RESULTS):
            raise Refused(_("That person is not playing in this tournament."))
        return format_.result_by_hand(tournament.state, entrant.number if entrant else 0, result, round_number, match)
